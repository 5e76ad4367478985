"""Small breakages of one definition: text is spliced, so that everything else stays as it is written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NEGATED: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: ">=",
    ast.GtE: "<",
    ast.Gt: "<=",
    ast.LtE: ">",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
_SHIFTED: dict[type[ast.cmpop], str] = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}


class Mutant(NamedTuple):
    """One breakage: the whole file with it, and what it is in words."""

    line: int
    what: str
    source: bytes


class _Splice(NamedTuple):
    """``text`` instead of what stands between two places; columns count bytes, as the parser's do."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str
    what: str


def mutants(source: bytes, qualname: str, most: int) -> list[Mutant]:
    """At most ``most`` breakages of a function, of the methods of a class, or of a value; none where there is none.

    Those that break the most come first: a body that raises, one that returns None.
    """
    node = definition(source, qualname)
    found = list(_splices(node)) if node is not None else []
    lines = source.split(b"\n")
    return [Mutant(one.start[0], one.what, _spliced(lines, one)) for one in found[:most]]


def definition(source: bytes, qualname: str) -> ast.stmt | None:
    """The statement that binds a dotted name in a file last; None where it is bound in another way."""
    try:
        body: Sequence[ast.stmt] = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: ast.stmt | None = None
    for name in qualname.split("."):
        found = next((one for one in reversed(list(_flat(body))) if name in _names(one)), None)
        if found is None:
            return None
        body = found.body if isinstance(found, ast.ClassDef) else []
    return found


def _flat(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements with those under conditions."""
    for one in body:
        yield one
        for part in ("body", "orelse", "handlers", "finalbody"):
            if not isinstance(one, (*_FUNCTIONS, ast.ClassDef)):
                inner = getattr(one, part, [])
                yield from _flat([leaf for two in inner for leaf in (two.body if part == "handlers" else [two])])


def _names(one: ast.stmt) -> set[str]:
    if isinstance(one, (*_FUNCTIONS, ast.ClassDef)):
        return {one.name}
    targets = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _splices(node: ast.stmt) -> Iterator[_Splice]:
    functions = [node] if isinstance(node, _FUNCTIONS) else []
    if isinstance(node, ast.ClassDef):
        functions = [one for one in _flat(node.body) if isinstance(one, _FUNCTIONS)]
    for text, what in (("raise AssertionError('broken on purpose')", "raises"), ("return None", "returns None")):
        for function in functions:
            yield _body(function, text, f"{function.name} {what}")
    for inner in ast.walk(node):
        if isinstance(inner, ast.Compare) and len(inner.ops) == 1:
            yield from _compared(inner)
        elif isinstance(inner, ast.Constant) and type(inner.value) is int:
            yield _of(inner, str(inner.value + 1), f"{inner.value} is {inner.value + 1}")


def _body(function: ast.FunctionDef | ast.AsyncFunctionDef, text: str, what: str) -> _Splice:
    statements = function.body
    documented = isinstance(statements[0], ast.Expr) and isinstance(statements[0].value, ast.Constant)
    first, last = statements[1 if documented and len(statements) > 1 else 0], statements[-1]
    decorators = getattr(first, "decorator_list", [])
    start = (decorators[0].lineno, first.col_offset) if decorators else (first.lineno, first.col_offset)
    return _Splice(start, (last.end_lineno or last.lineno, last.end_col_offset or 0), text, what)


def _compared(node: ast.Compare) -> Iterator[_Splice]:
    left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
    for table in (_NEGATED, _SHIFTED):
        sign = table.get(type(node.ops[0]))
        if sign is not None:
            yield _of(node, f"(({left}) {sign} ({right}))", f"{ast.unparse(node)} is {sign}")


def _of(node: ast.expr, text: str, what: str) -> _Splice:
    return _Splice((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0), text, what)


def _spliced(lines: Sequence[bytes], one: _Splice) -> bytes:
    (top, left), (bottom, right) = one.start, one.end
    before = b"\n".join([*lines[: top - 1], lines[top - 1][:left]])
    after = b"\n".join([lines[bottom - 1][right:], *lines[bottom:]])
    return before + one.text.encode() + after
