"""Assignments as definitions: constants, type aliases, lambdas, properties made by a call."""

from __future__ import annotations

import ast
from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.functions import read_params, read_type_params
from gatekeeper.source.facts.serial import BRIEF, TYPE
from gatekeeper.source.facts.targets import flat
from gatekeeper.source.rows import canonical
from gatekeeper.source.words import METADATA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.facts.bindings import Definition
    from gatekeeper.source.facts.serial import Serialiser
    from gatekeeper.source.rows import Value

_STEPS = 64
_TYPES = frozenset(
    {
        "int", "str", "bytes", "float", "complex", "bool", "list", "dict", "tuple", "set", "frozenset", "type",
        "object",
    }
)  # fmt: skip


def attribute(annotation: Value, value: Value, line: int, *, final: bool = False) -> Definition:
    """The fact of a plain attribute."""
    payload = {"annotation": annotation, "value": value, "accessors": None, "final": final}
    return {"k": "attribute", "p": payload, "line": line, "refs": []}


def assigned(stmt: ast.Assign | ast.AnnAssign, writer: Serialiser, *, method: bool) -> Iterator[tuple[str, Definition]]:
    """Each name that an assignment binds, with its definition."""
    if isinstance(stmt, ast.AnnAssign):
        if isinstance(stmt.target, ast.Name):
            yield stmt.target.id, _annotated(stmt, writer)
        return
    for target in stmt.targets:
        if isinstance(target, ast.Name):
            yield target.id, _plain(target.id, stmt.value, writer, stmt.lineno, method=method)
        else:
            yield from _unpacked(target, stmt.value, writer, stmt.lineno, method=method)


def augmented(stmt: ast.AugAssign, earlier: Definition | None, writer: Serialiser) -> Definition:
    """``X += value``: what ``X`` was, and each step since."""
    step = [type(stmt.op).__name__, writer.write(stmt.value, BRIEF)]
    fact = attribute(None, None, stmt.lineno)
    if earlier is not None and earlier["k"] == "attribute" and not earlier["p"]["accessors"]:
        fact = earlier
    value = fact["p"]["value"]
    steps = value if isinstance(value, list) and value[0] == "steps" else ["steps", value]
    if len(steps) > _STEPS:
        # what comes after the first ones is told by a hash: the text of the value stays bounded
        steps[-1] = ["more", sha256(canonical([steps[-1], step]).encode("ascii")).hexdigest()]
    else:
        steps.append(step)
        fact["refs"] = sorted({*fact["refs"], *writer.refs})
    fact["p"]["value"] = steps
    return fact


def _unpacked(
    target: ast.expr, value: ast.expr, writer: Serialiser, line: int, *, method: bool
) -> Iterator[tuple[str, Definition]]:
    pairs = isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List)
    if pairs and len(target.elts) == len(value.elts):  # type: ignore[attr-defined]
        starred = any(isinstance(item, ast.Starred) for item in (*target.elts, *value.elts))  # type: ignore[attr-defined]
        if not starred:
            for inner, item in zip(target.elts, value.elts, strict=True):  # type: ignore[attr-defined]
                if isinstance(inner, ast.Name):
                    yield inner.id, _plain(inner.id, item, writer, line, method=method)
                else:
                    yield from _unpacked(inner, item, writer, line, method=method)
            return
    for item in flat(target):
        if isinstance(item, ast.Name):
            yield item.id, attribute(None, ["expr", "Unpacked"], line)


def _plain(name: str, value: ast.expr, writer: Serialiser, line: int, *, method: bool) -> Definition:
    if isinstance(value, ast.Lambda):
        return _lambda(value, writer, line, method=method)
    if name in METADATA:
        return attribute(None, ["expr", "Metadata"], line)
    written = writer.write(value, TYPE if _is_alias(value, writer) else BRIEF)
    fact = attribute(None, written, line)
    if isinstance(value, ast.Call) and isinstance(written, list) and _called(written) == ["name", "property"]:
        fact["p"]["value"] = None
        fact["p"]["accessors"] = _property_accessors(value)
    fact["refs"] = sorted(writer.refs)
    return fact


def _called(written: Value) -> Value:
    return written[1]["func"] if written[0] == "Call" else None


def _annotated(stmt: ast.AnnAssign, writer: Serialiser) -> Definition:
    annotation = writer.write(stmt.annotation, TYPE)
    name = getattr(stmt.target, "id", "")
    mode = TYPE if annotation == ["name", "typing.TypeAlias"] else BRIEF
    value = ["expr", "Metadata"] if name in METADATA and stmt.value else writer.write(stmt.value, mode)
    final = annotation == ["name", "typing.Final"]
    if isinstance(annotation, list) and annotation[0] == "sub" and annotation[1] == ["name", "typing.Final"]:
        annotation, final = annotation[2][0], True
    elif final:
        annotation = None
    fact = attribute(annotation, value, stmt.lineno, final=final)
    fact["refs"] = sorted(writer.refs)
    return fact


def _lambda(value: ast.Lambda, writer: Serialiser, line: int, *, method: bool) -> Definition:
    signature = {
        "params": read_params(value.args, writer, bound=method),
        "returns": None,
        "flags": [],
        "decorators": [],
        "type_params": [],
    }
    return {"k": "function", "sigs": [signature], "line": line, "refs": sorted(writer.refs)}


def type_alias(stmt: ast.stmt, writer: Serialiser) -> Definition:
    """``type X[T] = ...``: an attribute of type ``TypeAliasType`` with its own type parameters."""
    table, described = read_type_params(stmt, writer, "t")
    value = writer.within(table).write(stmt.value, TYPE)  # type: ignore[attr-defined]
    fact = attribute(["name", "typing.TypeAliasType"], value, stmt.lineno)
    if described:
        fact["p"]["type_params"] = described
    fact["refs"] = sorted(writer.refs)
    return fact


def _is_alias(value: ast.expr, writer: Serialiser) -> bool:
    """Whether a plain assignment spells a type: ``Optional[int]``, ``list[str]``, ``int | None``."""
    if isinstance(value, ast.Subscript):
        base = writer.write(value.value, TYPE)
        if not isinstance(base, list) or base[0] != "name":
            return False
        return base[1] in _TYPES or base[1].startswith(("typing.", "collections.abc.", "collections."))
    while isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr):
        for side in (value.right, value.left):
            if isinstance(side, ast.Name) and side.id in _TYPES:
                return True
            if isinstance(side, ast.Constant) and side.value is None:
                return True
            if isinstance(side, ast.Subscript) and _is_alias(side, writer):
                return True
        value = value.left
    return False


def _property_accessors(call: ast.Call) -> list[str]:
    words = {"fget": "get", "fset": "set", "fdel": "del"}
    given = dict(zip(words, call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg in words}
    return [
        word
        for name, word in words.items()
        if name in given and not (isinstance(given[name], ast.Constant) and given[name].value is None)  # type: ignore[attr-defined]
    ]
