"""Conditions whose answer is the same wherever a module is imported."""

from __future__ import annotations

import ast

_TYPING = frozenset({"typing", "typing_extensions"})
_FLAG = "TYPE_CHECKING"


def truth(test: ast.expr, tree: ast.Module) -> bool | None:
    """What a condition at the top level of ``tree`` is when the module is imported; None when that depends."""
    turned = False
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, turned = test.operand, not turned
    known = _known(test, tree)
    return known if known is None else known is not turned


def _known(test: ast.expr, tree: ast.Module) -> bool | None:
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.Name) and test.id == _FLAG:
        return False if _is_flag(tree) else None
    if isinstance(test, ast.Attribute) and test.attr == _FLAG and isinstance(test.value, ast.Name):
        return False if test.value.id in _modules_of_typing(tree) else None
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        sides = (test.left, test.comparators[0])
        named = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
        if named and any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides):
            return False
    return None


def _is_flag(tree: ast.Module) -> bool:
    """Whether ``TYPE_CHECKING`` can only be that of ``typing``, or a plain False."""
    seen = False
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for item in node.names:
                if (item.asname or item.name) == _FLAG:
                    if node.level or node.module not in _TYPING or item.name != _FLAG:
                        return False
                    seen = True
        elif isinstance(node, ast.Assign) and any(
            isinstance(one, ast.Name) and one.id == _FLAG for one in node.targets
        ):
            if not (isinstance(node.value, ast.Constant) and node.value.value is False):
                return False
            seen = True
    return seen


def _modules_of_typing(tree: ast.Module) -> set[str]:
    return {
        item.asname or item.name
        for node in tree.body
        if isinstance(node, ast.Import)
        for item in node.names
        if item.name in _TYPING
    }
