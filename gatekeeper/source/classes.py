"""Classes as facts: bases, keywords, decorators, members, ordered fields, slots and instance attributes."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.functions import read_type_params
from gatekeeper.source.serial import BRIEF, FULL, TYPE
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
    reader.name_table(node.body, path, own)
    inner = around.within(own)
    bindings = reader.read_body(node.body, inner.scope, path, in_class=True)
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
        arguments = [*method.args.posonlyargs, *method.args.args]
        if not arguments:
            continue
        first = arguments[0].arg
        for target, annotation in stored(method.body):
            if not isinstance(target, ast.Attribute) or target.attr in members or target.attr.startswith("_"):
                continue
            if isinstance(target.value, ast.Name) and target.value.id == first:
                noted = found.get(target.attr)
                if noted is None or (noted[0] is None and annotation is not None):
                    found[target.attr] = [writer.write(annotation, TYPE), target.lineno]
    return found


def stored(body: list[ast.stmt]) -> Iterator[tuple[ast.expr, ast.expr | None]]:  # noqa: C901 (one branch a kind)
    """Every target that the statements of a body store to, with its annotation; inner functions included."""
    pending: list[ast.AST] = list(reversed(body))
    while pending:
        item = pending.pop()
        if isinstance(item, ast.Assign):
            for target in item.targets:
                yield from ((name, None) for name in flat(target))
        elif isinstance(item, ast.AnnAssign):
            yield item.target, item.annotation
        elif isinstance(item, ast.AugAssign | ast.Expr | ast.Return | ast.ClassDef):
            continue
        else:
            if isinstance(item, ast.For | ast.AsyncFor):
                yield from ((name, None) for name in flat(item.target))
            elif isinstance(item, ast.With | ast.AsyncWith):
                for part in item.items:
                    if part.optional_vars is not None:
                        yield from ((name, None) for name in flat(part.optional_vars))
            for name in ("finalbody", "orelse", "handlers", "cases", "body"):
                pending.extend(reversed(getattr(item, name, ())))


def flat(target: ast.expr) -> Iterator[ast.expr]:
    """The single targets inside tuples, lists and stars."""
    pending = [target]
    while pending:
        item = pending.pop()
        if isinstance(item, ast.Tuple | ast.List):
            pending.extend(reversed(item.elts))
        elif isinstance(item, ast.Starred):
            pending.append(item.value)
        else:
            yield item
