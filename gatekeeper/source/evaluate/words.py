"""Which names a statement binds and uses, whatever it does: what becomes unknown when it is not followed."""

from __future__ import annotations

import ast

from gatekeeper._tuples import NamedTuple

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Words(NamedTuple):
    """Names bound by a statement in its scope, and names that it uses, in the order of the source."""

    bound: tuple[str, ...]
    used: tuple[str, ...]


def words(node: ast.stmt) -> Words:
    """The names of one statement; those inside functions and classes that it defines are used, not bound."""
    bound: dict[str, None] = {}
    used: dict[str, None] = {}
    stack: list[tuple[ast.AST, bool]] = [(node, False)]
    while stack:
        one, inner = stack.pop()
        if isinstance(one, ast.Name):
            (used if inner or isinstance(one.ctx, ast.Load) else bound)[one.id] = None
        elif isinstance(one, ast.alias) and not inner:
            bound[one.asname or one.name.partition(".")[0]] = None
        elif isinstance(one, ast.ExceptHandler) and one.name and not inner:
            bound[one.name] = None
        if isinstance(one, _SCOPES):
            if not inner and not isinstance(one, ast.Lambda):
                bound[one.name] = None
            inner = True
        stack.extend((child, inner) for child in reversed(list(ast.iter_child_nodes(one))))
    return Words(tuple(bound), tuple(used))
