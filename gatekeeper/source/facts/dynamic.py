"""Statements that change a module's names in ways that cannot be read: each is an opaque fact, by the hash of it."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.structure import structure_hash
from gatekeeper.source.facts.targets import flat
from gatekeeper.source.facts.walk import simple_statements

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from gatekeeper.source.facts.lines import Lines
    from gatekeeper.source.facts.walk import Placed
    from gatekeeper.source.rows import Value

_TABLES = frozenset({"globals", "locals", "vars"})
_RUNS = frozenset({"exec", "eval", "setattr", "delattr"})
_INNER_HINTS = (b"global", b"modules")  # the first word is looked for by others too: one search serves all
_HINTS = (b"globals", b"modules", b"locals", b"vars", b"exec", b"eval", b"setattr", b"delattr", b"__path__")
_INNER = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})
_STILL = frozenset({ast.Import, ast.ImportFrom, ast.If, ast.Try, ast.TryStar, ast.With, ast.Match})
"""Statements that change nothing by themselves: what is inside them comes by itself."""
_CHANGES = frozenset({"update", "setdefault", "pop", "clear", "popitem", "__setitem__", "__delitem__"})


def dynamic(placed: Iterable[Placed], lines: Lines, names: Container[str]) -> Iterator[Value]:
    """``[line, hash]`` for each statement of the module that makes or changes names out of sight.

    Args:
        placed: the statements of the module.
        lines: its text; a statement without any of the words is not searched.
        names: what the module binds; an attribute set on one of them is a change of somebody's surface.
    """
    inner_hints = lines.naming(*_INNER_HINTS)
    for _, stmt in placed:
        kind = type(stmt)
        if kind in _INNER:
            if inner_hints.within(stmt):
                for inner in simple_statements(stmt, inner_hints):
                    if any(_stores_in_table(node) for node in ast.walk(inner)):
                        yield [inner.lineno, structure_hash([inner])]
        elif kind not in _STILL and (_sets_attribute(stmt, names) or _reaches(stmt, lines)):
            yield [stmt.lineno, structure_hash([stmt])]


def _sets_attribute(stmt: ast.stmt, names: Container[str]) -> bool:
    """``mod.attr = x``, ``Class.method = f``, ``__path__ = ...`` at module level."""
    targets: list[ast.expr] = []
    if isinstance(stmt, ast.Assign | ast.Delete):
        targets = stmt.targets
    elif isinstance(stmt, ast.AnnAssign | ast.AugAssign):
        targets = [stmt.target]
    for target in targets:
        for item in flat(target):
            if isinstance(item, ast.Name) and item.id == "__path__":
                return True
            root: ast.expr = item
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(item, ast.Attribute) and isinstance(root, ast.Name) and root.id in names:
                return True
    return False


def _reaches(stmt: ast.stmt, lines: Lines) -> bool:
    """Whether the statement itself runs code from text, or touches a table of names, ``sys.modules`` or a path.

    Loops are judged whole.
    """
    return lines.names_in(stmt, _HINTS) and any(_is_dynamic(node) for node in ast.walk(stmt))


def _is_dynamic(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name):
            return node.func.id in _TABLES or node.func.id in _RUNS
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        return isinstance(owner, ast.Name) and owner.id == "__path__"
    return _stores(node)


def _stores_in_table(node: ast.AST) -> bool:
    """Inside a function, only what writes to the module's own names: reading ``globals()`` there is harmless."""
    if _stores(node):
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
        return _is_table(node.func.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _RUNS and node.args:
        subject = node.args[0]
        if isinstance(subject, ast.Subscript):
            return _is_modules(subject.value)
        return any(_is_table(item) for item in node.args[1:])
    return False


def _stores(node: ast.AST) -> bool:
    """``globals()["x"] = 1``, ``sys.modules[__name__] = x``, ``sys.modules[__name__].x = 1``."""
    if not isinstance(node, ast.Subscript | ast.Attribute) or isinstance(node.ctx, ast.Load):
        return False
    if isinstance(node, ast.Subscript):
        return _is_table(node.value)
    return isinstance(node.value, ast.Subscript) and _is_modules(node.value.value)


def _is_table(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "globals"
    if isinstance(node, ast.Attribute) and node.attr == "__dict__":
        return isinstance(node.value, ast.Subscript) and _is_modules(node.value.value)
    return _is_modules(node)


def _is_modules(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "modules"
