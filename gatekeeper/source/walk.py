"""The statements of a module or class body, in order, under every branch, each with the condition it stands under."""

from __future__ import annotations

import ast
from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.show import show
from gatekeeper.source.structure import structure_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.serial import Serialiser

    Guard = tuple["Guard", str, ast.AST | None] | None

_LONG = 400


def statements(body: list[ast.stmt], guard: Guard = None) -> Iterator[tuple[Guard, ast.stmt]]:
    """Each statement that can bind a name, compound ones before what is inside them.

    A branch that can never run (``if False``, ``if __name__ == "__main__"``) is left out; every other one is walked:
    the platform of whoever reads must not choose.
    """
    for stmt in body:
        yield guard, stmt
        if isinstance(stmt, ast.If):
            yield from _branches(stmt, guard)
        elif isinstance(stmt, ast.Try) or type(stmt).__name__ == "TryStar":
            yield from _attempts(stmt, guard)  # type: ignore[arg-type]
        elif isinstance(stmt, ast.With | ast.AsyncWith):
            yield from statements(stmt.body, guard)
        elif isinstance(stmt, ast.For | ast.AsyncFor | ast.While):
            yield from statements(stmt.body, (guard, "loop", None))
            yield from statements(stmt.orelse, guard)
        elif isinstance(stmt, ast.Match):
            for case in stmt.cases:
                yield from statements(case.body, (guard, "case", case.pattern))


def _branches(stmt: ast.If, guard: Guard) -> Iterator[tuple[Guard, ast.stmt]]:
    while True:
        test: ast.expr = stmt.test
        yes, no = "if", "not"
        while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, yes, no = test.operand, no, yes
        truth = _truth(test)
        if truth is not None and yes == "not":
            truth = not truth
        if truth is not False:
            yield from statements(stmt.body, guard if truth else (guard, yes, test))
        if truth is True:
            return
        guard = guard if truth is False else (guard, no, test)
        if len(stmt.orelse) != 1 or not isinstance(stmt.orelse[0], ast.If):
            yield from statements(stmt.orelse, guard)
            return
        stmt = stmt.orelse[0]


def _attempts(stmt: ast.Try, guard: Guard) -> Iterator[tuple[Guard, ast.stmt]]:
    # A body that only a ``finally`` follows runs like any other.
    inner = (guard, "try", None) if stmt.handlers else guard
    yield from statements(stmt.body, inner)
    for handler in stmt.handlers:
        yield from statements(handler.body, (guard, "except", handler.type))
    yield from statements(stmt.orelse, inner)
    yield from statements(stmt.finalbody, guard)


def _truth(test: ast.expr) -> bool | None:
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        sides = (test.left, test.comparators[0])
        named = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
        if named and any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides):
            return False
    return None


class Guards:
    """Guards as text, each condition written once."""

    def __init__(self, writer: Serialiser) -> None:
        self._writer = writer
        self._texts: dict[int, tuple[Guard, str]] = {}

    def text(self, guard: Guard) -> str:
        """The canonical condition: "" for none, ``TC`` for ``TYPE_CHECKING``, parts joined by `` and ``."""
        pending: list[Guard] = []
        while guard is not None and id(guard) not in self._texts:
            pending.append(guard)
            guard = guard[0]
        text = "" if guard is None else self._texts[id(guard)][1]
        for item in reversed(pending):
            part = self._part(item)
            text = f"{text} and {part}" if text else part
            if len(text) > _LONG:
                # A chain of a thousand ``elif`` must not write a text of quadratic size.
                text = "#" + sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
            self._texts[id(item)] = (item, text)
        return text

    def _part(self, guard: Guard) -> str:
        assert guard is not None  # noqa: S101 (the caller walks non-empty links only)
        _, sign, node = guard
        if sign in {"try", "loop"}:
            return sign
        if sign == "case":
            return "case #" + structure_hash([] if node is None else [node])[:12]
        shown = "" if node is None else show(self._writer.write(node))  # type: ignore[arg-type]
        if sign == "except":
            return f"except {shown}".rstrip()
        if shown == "typing.TYPE_CHECKING":
            return "TC" if sign == "if" else "not TC"
        return shown if sign == "if" else f"not ({shown})"
