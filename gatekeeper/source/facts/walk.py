"""The statements of a module or class body, in order, under every branch, each with the condition it stands under."""

from __future__ import annotations

import ast
from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.structure import structure_hash
from gatekeeper.source.show import show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from gatekeeper.source.facts.lines import Hits
    from gatekeeper.source.facts.serial import Serialiser

    Guard = tuple["Guard", str, ast.AST | None] | None
    Placed = tuple[Guard, ast.stmt]

_LONG = 400


def statements(body: list[ast.stmt]) -> list[Placed]:
    """Each statement that can bind a name, with its condition; compound ones before what is inside them.

    A branch that can never run (``if False``, ``if __name__ == "__main__"``) is left out; every other one is walked:
    the platform of whoever reads must not choose.
    """
    found: list[Placed] = []
    _gather(body, None, found)
    return found


def _gather(body: list[ast.stmt], guard: Guard, found: list[Placed]) -> None:
    for stmt in body:
        found.append((guard, stmt))
        inner = _COMPOUND.get(type(stmt))
        if inner is not None:
            inner(stmt, guard, found)


def _branches(stmt: ast.If, guard: Guard, found: list[Placed]) -> None:
    while True:
        test: ast.expr = stmt.test
        yes, no = "if", "not"
        while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, yes, no = test.operand, no, yes
        opposite = _OPPOSITE.get(type(test.ops[0])) if isinstance(test, ast.Compare) and len(test.ops) == 1 else None
        if opposite is not None:
            # ``a < b`` and ``not a >= b`` are one condition
            test = ast.Compare(left=test.left, ops=[opposite()], comparators=test.comparators)  # type: ignore[attr-defined]
            yes, no = no, yes
        truth = _truth(test)
        if truth is not None and yes == "not":
            truth = not truth
        if truth is not False:
            _gather(stmt.body, guard if truth else (guard, yes, test), found)
        if truth is True:
            return
        guard = guard if truth is False else (guard, no, test)
        if len(stmt.orelse) != 1 or not isinstance(stmt.orelse[0], ast.If):
            _gather(stmt.orelse, guard, found)
            return
        stmt = stmt.orelse[0]


def _attempts(stmt: ast.Try, guard: Guard, found: list[Placed]) -> None:
    # A body that only a ``finally`` follows runs like any other; so does one whose every handler raises in the end.
    fails = all(handler.body and isinstance(handler.body[-1], ast.Raise) for handler in stmt.handlers)
    inner = guard if fails else (guard, "try", None)
    _gather(stmt.body, inner, found)
    for handler in stmt.handlers:
        _gather(handler.body, (guard, "except", handler.type), found)
    _gather(stmt.orelse, inner, found)
    _gather(stmt.finalbody, guard, found)


def _context(stmt: ast.With | ast.AsyncWith, guard: Guard, found: list[Placed]) -> None:
    _gather(stmt.body, guard, found)


def _loop(stmt: ast.For | ast.AsyncFor | ast.While, guard: Guard, found: list[Placed]) -> None:
    _gather(stmt.body, (guard, "loop", None), found)
    _gather(stmt.orelse, guard, found)


def _cases(stmt: ast.Match, guard: Guard, found: list[Placed]) -> None:
    for case in stmt.cases:
        _gather(case.body, (guard, "case", case.pattern), found)


_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.NotEq: ast.Eq,
    ast.NotIn: ast.In,
    ast.IsNot: ast.Is,
}
_COMPOUND: dict[type[ast.stmt], Callable[[Any, Guard, list[Placed]], None]] = {
    ast.If: _branches,
    ast.Try: _attempts,
    ast.TryStar: _attempts,
    ast.With: _context,
    ast.AsyncWith: _context,
    ast.For: _loop,
    ast.AsyncFor: _loop,
    ast.While: _loop,
    ast.Match: _cases,
}


def simple_statements(stmt: ast.stmt, hints: Hits) -> Iterator[ast.stmt]:
    """The statements inside a definition that hold no further ones, where the lines of one hold a hint."""
    pending: list[ast.AST] = [stmt]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.stmt):
            if not hints.within(node):
                continue
            if not hasattr(node, "body"):
                yield node
        for name in ("body", "handlers", "orelse", "finalbody", "cases"):
            pending.extend(getattr(node, name, ()))


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
        if guard is None:
            return ""
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
        # ``if a and b`` and an ``if b`` inside an ``if a`` are one condition
        both = node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) else [node]
        shown = " and ".join("" if item is None else self._shown(item) for item in both)
        if sign == "except":
            return f"except {shown}".rstrip()
        return shown if sign == "if" else "not TC" if shown == "TC" else f"not ({shown})"

    def _shown(self, node: ast.AST) -> str:
        shown = show(self._writer.write(node))  # type: ignore[arg-type]
        return "TC" if shown == "typing.TYPE_CHECKING" else shown
