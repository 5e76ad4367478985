"""Classes as facts: bases, keywords, decorators, members, ordered fields, slots and instance attributes."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.functions import read_type_params
from gatekeeper.source.serial import BRIEF, FULL, TYPE
from gatekeeper.source.targets import flat, targets
from gatekeeper.source.walk import statements
from gatekeeper.source.words import SILENT_MEMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.bindings import Definition
    from gatekeeper.source.facts import Reader
    from gatekeeper.source.rows import Value
    from gatekeeper.source.serial import Serialiser

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def read_class(node: ast.ClassDef, reader: Reader, writer: Serialiser, path: str) -> Definition:
    """The facts of a class; ``path`` is the dotted path of its definition, ``writer`` that of the scope around it."""
    outer, type_params = read_type_params(node, writer, "c")
    around = writer.within(outer)
    own: dict[str, Value] = {}
    placed = statements(node.body)
    reader.name_table(placed, path, own)
    inner = around.within(own)
    bindings = reader.read_body(placed, inner.scope, path, in_class=True)
    members = {name: variants for name, variants in bindings.names.items() if name not in SILENT_MEMBER}
    fact: Definition = {
        "k": "class",
        "line": node.lineno,
        "bases": [around.write(base, TYPE) for base in node.bases],
        "keywords": {item.arg or "**": around.write(item.value, FULL) for item in node.keywords},
        "decorators": [writer.write(item) for item in node.decorator_list],
        "type_params": type_params,
        "members": members,
        "inst": _instance_attributes(node, inner, members),
        "refs": sorted(writer.refs),
    }
    if node.bases or node.decorator_list:
        fact["fields"] = list(_fields(node.body, inner))
        fact["refs"] = sorted(writer.refs)
    for name in ("__slots__", "__match_args__"):
        found = bindings.names.get(name)
        if found and found[-1][1]["k"] == "attribute":
            fact[name] = found[-1][1]["p"]["value"]
    return fact


def _fields(body: list[ast.stmt], writer: Serialiser) -> Iterator[Value]:
    """``[name, annotation, default, line]`` for each assignment to a plain name, in order; default in full."""
    for stmt in body:
        if isinstance(stmt, ast.AnnAssign) and isinstance(stmt.target, ast.Name):
            yield [stmt.target.id, writer.write(stmt.annotation, TYPE), writer.write(stmt.value), stmt.lineno]
        elif isinstance(stmt, ast.Assign):
            for target in stmt.targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                for name in names:
                    if isinstance(name, ast.Name):
                        yield [name.id, None, writer.write(stmt.value, BRIEF), stmt.lineno]


def _instance_attributes(node: ast.ClassDef, writer: Serialiser, members: dict[str, Value]) -> dict[str, Value]:
    """Public names set on the first parameter of any method: ``{name: [annotation, line]}``.

    The first parameter's name counts, not the word ``self``. Values are bodies; an annotation is surface.
    """
    found: dict[str, Value] = {}
    for method in node.body:
        if not isinstance(method, _FUNCTIONS):
            continue
        arguments = method.args.posonlyargs or method.args.args
        if not arguments:
            continue
        first = arguments[0].arg
        for target, annotation in _stored(method.body):
            owner = target.value
            if type(owner) is not ast.Name or owner.id != first:
                continue
            name = target.attr
            if name[0] != "_" and name not in members:
                noted = found.get(name)
                if noted is None or (noted[0] is None and annotation is not None):
                    found[name] = [writer.write(annotation, TYPE), target.lineno]
    return found


def _stored(body: list[ast.stmt]) -> Iterator[tuple[ast.Attribute, ast.expr | None]]:
    """Every attribute that the statements of a body set, with its annotation; inner functions included."""
    pending: list[ast.AST] = list(reversed(body))
    while pending:
        item = pending.pop()
        kind = type(item)
        if kind is ast.Assign:
            for target in item.targets:  # type: ignore[attr-defined]
                if type(target) is ast.Attribute:
                    yield target, None
                elif type(target) in _SEVERAL:
                    yield from ((inner, None) for inner in flat(target) if isinstance(inner, ast.Attribute))
        elif kind in _STORING:
            for target in targets(item):  # type: ignore[arg-type]
                if isinstance(target, ast.Attribute):
                    yield target, getattr(item, "annotation", None)
        for name in _BLOCKS.get(kind, ()):
            pending.extend(reversed(getattr(item, name)))


_SEVERAL = frozenset({ast.Tuple, ast.List})
_STORING = frozenset({ast.AnnAssign, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith})
_BLOCKS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.FunctionDef: ("body",),
    ast.AsyncFunctionDef: ("body",),
    ast.If: ("orelse", "body"),
    ast.For: ("orelse", "body"),
    ast.AsyncFor: ("orelse", "body"),
    ast.While: ("orelse", "body"),
    ast.With: ("body",),
    ast.AsyncWith: ("body",),
    ast.Try: ("finalbody", "orelse", "handlers", "body"),
    ast.TryStar: ("finalbody", "orelse", "handlers", "body"),
    ast.ExceptHandler: ("body",),
    ast.Match: ("cases",),
    ast.match_case: ("body",),
}
"""Where the statements inside a statement are, the last block first."""
