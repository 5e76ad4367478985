"""Which names a statement binds and uses, whatever it does: what becomes unknown when it is not followed."""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from gatekeeper._tuples import NamedTuple

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_SILENT = frozenset((*_SCOPES, ast.Name, ast.Constant, ast.Load, ast.Store, ast.alias, ast.Import, ast.ImportFrom))
"""What cannot hold a ``yield`` of the function around it."""


class Words(NamedTuple):
    """Names bound by a statement in its scope, and names that it uses, in the order of the source."""

    bound: tuple[str, ...]
    used: tuple[str, ...]


class Reader:
    """Reads each statement once, however often it is asked for: it goes with the tree that it is of."""

    def __init__(self) -> None:
        self._words: WeakKeyDictionary[ast.AST, Words] = WeakKeyDictionary()
        self._yields: WeakKeyDictionary[ast.AST, bool] = WeakKeyDictionary()

    def words(self, node: ast.stmt) -> Words:
        """The names of one statement; those inside functions and classes that it defines are used, not bound."""
        found = self._words.get(node)
        if found is None:
            found = self._words[node] = _words(node)
        return found

    def yields(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Whether a function yields."""
        found = self._yields.get(node)
        if found is None:
            found = self._yields[node] = is_generator(node)
        return found


def is_generator(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function yields, itself: not one that it defines."""
    stack: list[ast.AST] = list(node.body)
    while stack:
        one = stack.pop()
        kind = type(one)
        if kind is ast.Yield or kind is ast.YieldFrom:
            return True
        if kind not in _SILENT:
            # what ast.iter_child_nodes does, in a third of the time: long tests are read here
            for held in vars(one).values():
                if type(held) is list:
                    stack += [item for item in held if isinstance(item, ast.AST)]
                elif isinstance(held, ast.AST):
                    stack.append(held)
    return False


def _words(node: ast.stmt) -> Words:
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
