"""The names that a statement binds, imports and definitions aside."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.walk import simple_statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gatekeeper.source.facts.lines import Lines
    from gatekeeper.source.facts.walk import Placed

_WITH_TARGET = frozenset({ast.AnnAssign, ast.AugAssign, ast.For, ast.AsyncFor})


def bound(stmt: ast.stmt, *, walrus: bool) -> Iterator[str]:
    """The names, each as often as it is bound; ``walrus`` says whether the source holds ``:=`` at all."""
    for target in targets(stmt):
        if isinstance(target, ast.Name):
            yield target.id
    if type(stmt) is ast.Match:
        yield from _captures(stmt)
    if walrus:
        yield from _named_expressions(stmt)


def targets(stmt: ast.stmt) -> Iterator[ast.expr]:
    """What a statement stores to, without the tuples, lists and stars around it."""
    kind = type(stmt)
    if kind is ast.Assign:
        for target in stmt.targets:  # type: ignore[attr-defined]
            yield from flat(target)
    elif kind in _WITH_TARGET:
        yield from flat(stmt.target)  # type: ignore[attr-defined]
    elif kind is ast.With or kind is ast.AsyncWith:
        for item in stmt.items:  # type: ignore[attr-defined]
            if item.optional_vars is not None:
                yield from flat(item.optional_vars)


def flat(target: ast.expr) -> Iterator[ast.expr]:
    """The single targets inside tuples, lists and stars."""
    pending = [target]
    while pending:
        item = pending.pop()
        kind = type(item)
        if kind is ast.Tuple or kind is ast.List:
            pending.extend(reversed(item.elts))  # type: ignore[attr-defined]
        elif kind is ast.Starred:
            pending.append(item.value)  # type: ignore[attr-defined]
        else:
            yield item


def declared(placed: Iterable[Placed], lines: Lines) -> Iterator[tuple[str, int]]:
    """The names that ``global`` in a function makes names of the module, with the line that says so."""
    hints = lines.holding(b"global")
    for _, stmt in placed:
        if hasattr(stmt, "body") and hints.within(stmt):
            for node in simple_statements(stmt, hints):
                if isinstance(node, ast.Global):
                    yield from ((name, node.lineno) for name in node.names)


def _captures(stmt: ast.Match) -> Iterator[str]:
    for case in stmt.cases:
        for item in ast.walk(case.pattern):
            name = getattr(item, "rest", None) if isinstance(item, ast.MatchMapping) else getattr(item, "name", None)
            if isinstance(name, str):
                yield name


def _named_expressions(stmt: ast.stmt) -> Iterator[str]:
    """Names that a walrus binds in the header of a statement; the statements inside it come by themselves."""
    pending: list[ast.AST] = [item for item in ast.iter_child_nodes(stmt) if not isinstance(item, ast.stmt)]
    while pending:
        item = pending.pop()
        if isinstance(item, ast.NamedExpr) and isinstance(item.target, ast.Name):
            yield item.target.id
        if not isinstance(item, ast.Lambda | ast.stmt):
            pending.extend(ast.iter_child_nodes(item))
