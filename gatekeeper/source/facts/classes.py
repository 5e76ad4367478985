"""Classes as facts: bases, keywords, decorators, members, ordered fields, slots and instance attributes."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.functions import read_type_params
from gatekeeper.source.facts.made import made
from gatekeeper.source.facts.serial import BRIEF, FULL, TYPE
from gatekeeper.source.facts.targets import flat, targets
from gatekeeper.source.facts.walk import statements
from gatekeeper.source.words import SILENT_MEMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.facts.bindings import Definition
    from gatekeeper.source.facts.module import Reader
    from gatekeeper.source.facts.serial import Serialiser
    from gatekeeper.source.rows import Value

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SUPER = "super()"


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
    calls = [made(base, around) if isinstance(base, ast.Call) else None for base in node.bases]
    for found in calls:
        members = ({} if found is None else found.members(node.lineno)) | members
    fact: Definition = {
        "k": "class",
        "line": node.lineno,
        "bases": [
            around.write(base, TYPE) if found is None else found.base
            for base, found in zip(node.bases, calls, strict=True)
        ],
        "keywords": {item.arg or "**": around.write(item.value, FULL) for item in node.keywords},
        "decorators": [writer.write(item) for item in node.decorator_list],
        "type_params": type_params,
        "members": members,
        "inst": _instance_attributes(node, inner, members),
        "refs": sorted(writer.refs),
    }
    if node.bases or node.decorator_list:
        fact["fields"] = list(_fields(node.body, inner))
        fields = [field for found in calls if found is not None for field in found.lines(node.lineno)]
        if fields:
            # what the body sets beside them are plain attributes
            fact |= {"fields": fields, "made": True}
        fact["refs"] = sorted(writer.refs)
    for name in ("__slots__", "__match_args__"):
        known = bindings.names.get(name)
        if known and known[-1][1]["k"] == "attribute":
            fact[name] = known[-1][1]["p"]["value"]
    return fact


def _fields(body: list[ast.stmt], writer: Serialiser) -> Iterator[Value]:
    """``[name, annotation, default, line]`` for each assignment to a plain name, in order; default in full."""
    defaults = _default_methods(body)
    for stmt in body:
        if isinstance(stmt, ast.AnnAssign) and isinstance(stmt.target, ast.Name):
            yield [
                stmt.target.id,
                writer.write(stmt.annotation, TYPE),
                _with_default(writer.write(stmt.value), stmt.target.id in defaults),
                stmt.lineno,
            ]
        elif isinstance(stmt, ast.Assign):
            for target in stmt.targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                for name in names:
                    if isinstance(name, ast.Name):
                        written = writer.write(stmt.value, BRIEF)
                        yield [name.id, None, _with_default(written, name.id in defaults), stmt.lineno]


def _default_methods(body: list[ast.stmt]) -> set[str]:
    """Fields whose default attrs takes from a method: ``@x.default``."""
    return {
        decorator.value.id
        for stmt in body
        if isinstance(stmt, ast.FunctionDef)
        for decorator in stmt.decorator_list
        if isinstance(decorator, ast.Attribute)
        and decorator.attr == "default"
        and isinstance(decorator.value, ast.Name)
    }


def _with_default(value: Value, by_method: bool) -> Value:
    if by_method and isinstance(value, list) and value[0] == "Call":
        return ["Call", value[1] | {"keywords": value[1]["keywords"] | {"default": ["expr", "Method"]}}]
    return value


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
        owners = _instances(method, arguments[0].arg)
        for target, annotation in _stored(method.body):
            owner = target.value
            if type(owner) is not ast.Name or owner.id not in owners:
                continue
            name = target.attr
            if name[0] != "_" and name not in members:
                noted = found.get(name)
                if noted is None or (noted[0] is None and annotation is not None):
                    found[name] = [writer.write(annotation, TYPE), target.lineno]
    return found


def _instances(method: ast.FunctionDef | ast.AsyncFunctionDef, first: str) -> frozenset[str]:
    """The names that mean the instance, or its class, inside a method; none in a static one."""
    if any(isinstance(item, ast.Name) and item.id == "staticmethod" for item in method.decorator_list):
        return frozenset()
    if method.name != "__new__":
        return frozenset((first, _SUPER))
    made = {
        target.id
        for stmt in method.body
        if isinstance(stmt, ast.Assign) and isinstance(stmt.value, ast.Call)
        for target in stmt.targets
        if isinstance(target, ast.Name)
        and isinstance(stmt.value.func, ast.Attribute)
        and stmt.value.func.attr == "__new__"
    }
    return frozenset((first, *made))


def _set_by_call(call: ast.expr) -> Iterator[tuple[ast.Attribute, None]]:
    """``setattr(self, "x", ...)``, ``object.__setattr__(self, "x", ...)``, ``super().__setattr__("x", ...)``."""
    if not isinstance(call, ast.Call) or not 2 <= len(call.args) <= 3:  # noqa: PLR2004
        return
    callee = call.func
    named = callee.id if isinstance(callee, ast.Name) else callee.attr if isinstance(callee, ast.Attribute) else ""
    if named != ("setattr" if isinstance(callee, ast.Name) else "__setattr__"):
        return
    *owners, name, _ = call.args
    owner = owners[0] if owners else ast.Name(id=_SUPER, ctx=ast.Load())
    if isinstance(name, ast.Constant) and isinstance(name.value, str) and name.value:
        yield ast.copy_location(ast.Attribute(value=owner, attr=name.value, ctx=ast.Store()), call), None


def _stored(body: list[ast.stmt]) -> Iterator[tuple[ast.Attribute, ast.expr | None]]:  # noqa: C901 (one branch a kind)
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
        elif kind is ast.Expr:
            yield from _set_by_call(item.value)  # type: ignore[attr-defined]
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
