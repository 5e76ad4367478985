"""One source of the tree, taken apart: what binds each name at its top level, and what else happens when it is read.

Nothing is executed: a statement that stands under a condition counts as bound there, with the condition beside it.
"""

from __future__ import annotations

import ast
from functools import cached_property

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.fingerprint.locals import FUNCTIONS, binds, nodes, own
from gatekeeper.source.fingerprint.serial import does_nothing

if TYPE_CHECKING:
    from collections.abc import Iterator

_NEVER = frozenset({"TYPE_CHECKING"})


class Leaf(NamedTuple):
    """One simple statement or definition, and under which conditions it stands, outermost first.

    A condition is a word and the syntax that decides; ``kind`` is ``bind``, ``import`` or ``effect``.
    """

    node: ast.AST
    guards: tuple[tuple[str, ast.AST | None], ...] = ()

    @property
    def line(self) -> int:
        """Where it stands."""
        return int(getattr(self.node, "lineno", 0))


class Said(NamedTuple):
    """Names that are read or bound, attributes and imported names, and whether some call is given ``...``."""

    names: frozenset[str]
    others: frozenset[str]
    open_ended: bool


class Page:
    """The top level of a module, or the body of a class.

    ``bound`` gives what binds each name, in order; ``effects`` what does more than bind names, in order; ``imports``
    all imports, those of names among them; ``stars`` the imports of everything.
    """

    def __init__(self, path: str, name: str, body: list[ast.stmt], *, is_package: bool = False) -> None:
        self.path = path
        self.name = name
        self.is_package = is_package
        self.bound: dict[str, list[Leaf]] = {}
        self.others: list[Leaf] = []
        self.imports: list[Leaf] = []
        self.stars: list[Leaf] = []
        self.leaves = tuple(leaves(body))
        for leaf in self.leaves:
            self._take(leaf)

    def _take(self, leaf: Leaf) -> None:
        node = leaf.node
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self.imports.append(leaf)
            if any(alias.name == "*" for alias in node.names):
                self.stars.append(leaf)
        names = dict.fromkeys(name for inner in own([node]) for name in binds(inner))
        if isinstance(node, ast.Delete):
            names = dict.fromkeys(name.id for name in ast.walk(node) if isinstance(name, ast.Name))
        for name in names:
            self.bound.setdefault(name, []).append(leaf)
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            self.others.append(leaf)

    @cached_property
    def said(self) -> Said:
        """What the whole source names."""
        names: set[str] = set()
        others: set[str] = set()
        open_ended = False
        for leaf in self.leaves:
            for node in nodes(leaf.node):
                if isinstance(node, ast.Name):
                    names.add(node.id)
                elif isinstance(node, ast.Attribute):
                    others.add(node.attr)
                elif isinstance(node, ast.alias):
                    others.add(node.name)
                elif isinstance(node, ast.Call):
                    given = (*node.args, *(keyword.value for keyword in node.keywords))
                    open_ended = open_ended or any(isinstance(one, ast.Constant) and one.value is ... for one in given)
        return Said(frozenset(names), frozenset(others), open_ended)

    @cached_property
    def changed(self) -> dict[str, list[Leaf]]:
        """Statements that change what one name stands for, and that alone."""
        found: dict[str, list[Leaf]] = {}
        for leaf in self.others:
            name = owner(self, leaf)
            if name is not None:
                found.setdefault(name, []).append(leaf)
        return found

    @property
    def exported(self) -> frozenset[str]:
        """What ``import *`` takes, as far as ``__all__`` is a plain list."""
        for leaf in reversed(self.bound.get("__all__", [])):
            value = getattr(leaf.node, "value", None)
            if isinstance(value, (ast.List, ast.Tuple)):
                return frozenset(str(item.value) for item in value.elts if isinstance(item, ast.Constant))
        return frozenset(name for name in self.bound if not name.startswith("_"))


def leaves(body: list[ast.stmt], guards: tuple[tuple[str, ast.AST | None], ...] = ()) -> Iterator[Leaf]:
    """Every simple statement and definition in order, without those that never run under pytest."""
    stack: list[Leaf] = [Leaf(node, guards) for node in reversed(body)]
    while stack:
        leaf = stack.pop()
        inner = _inner(leaf.node)
        if inner is None:
            if not does_nothing(leaf.node):
                yield leaf
            continue
        for word, decides, part in reversed(inner):
            deeper = leaf.guards if word is None else (*leaf.guards, (word, decides))
            stack.extend(Leaf(node, deeper) for node in reversed(part))


def _inner(  # noqa: PLR0911 (one branch a kind of statement)
    node: ast.AST,
) -> list[tuple[str | None, ast.AST | None, list[ast.AST]]] | None:
    """The blocks of a compound statement with what decides on each; None for a simple one."""
    if isinstance(node, ast.If):
        known = truth(node.test)
        if known is not None:
            return [(None, None, list(node.body if known else node.orelse))]
        return [("if", node.test, [_check(node.test), *node.body]), ("else", node.test, list(node.orelse))]
    if isinstance(node, (ast.For, ast.AsyncFor)):
        head = ast.copy_location(ast.Assign([node.target], node.iter), node)
        return [("for", node.iter, [head, *node.body]), ("for-else", node.iter, list(node.orelse))]
    if isinstance(node, ast.While):
        if truth(node.test) is False:
            return [(None, None, list(node.orelse))]
        return [("while", node.test, [_check(node.test), *node.body]), ("while-else", node.test, list(node.orelse))]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [(None, None, [_managed(item, node) for item in node.items]), ("with", _first(node), list(node.body))]
    if isinstance(node, (ast.Try, ast.TryStar)):
        parts: list[tuple[str | None, ast.AST | None, list[ast.AST]]] = [("try", None, list(node.body))]
        parts += [("except", handler.type, list(handler.body)) for handler in node.handlers]
        return [*parts, ("try-else", None, list(node.orelse)), (None, None, list(node.finalbody))]
    if isinstance(node, ast.Match):
        return [("case", case.pattern, [_check(node.subject), *case.body]) for case in node.cases]
    return None


class Check(ast.Expr):
    """The evaluation of a condition or context, which may do something, and binds nothing."""


def _check(test: ast.expr) -> ast.AST:
    return ast.copy_location(Check(test), test)


def _managed(item: ast.withitem, node: ast.AST) -> ast.AST:
    if item.optional_vars is None:
        return ast.copy_location(Check(item.context_expr), node)
    return ast.copy_location(ast.Assign([item.optional_vars], item.context_expr), node)


def _first(node: ast.With | ast.AsyncWith) -> ast.AST:
    return ast.Tuple([item.context_expr for item in node.items], ast.Load())


def truth(test: ast.AST) -> bool | None:  # noqa: PLR0911 (one line a form)
    """What a condition is for certain when pytest reads the source: constants, ``TYPE_CHECKING``, ``__main__``."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, (ast.Tuple, ast.List, ast.Set)):
        return None if any(isinstance(item, ast.Starred) for item in test.elts) else bool(test.elts)
    if isinstance(test, ast.Name):
        return False if test.id in _NEVER else True if test.id == "__debug__" else None
    if isinstance(test, ast.Attribute):
        return False if test.attr in _NEVER else None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = truth(test.operand)
        return None if inner is None else not inner
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__":
        right = test.comparators[0]
        if isinstance(right, ast.Constant) and right.value == "__main__" and isinstance(test.ops[0], ast.Eq):
            return False
    return None


def class_page(page: Page, node: ast.ClassDef) -> Page:
    """The body of a class, taken apart like a module."""
    return Page(page.path, f"{page.name}.{node.name}", node.body)


def is_definition(node: ast.AST) -> bool:
    """Whether it is a function or class."""
    return isinstance(node, (*FUNCTIONS, ast.ClassDef))


def owner(page: Page, leaf: Leaf) -> str | None:
    """The name that a change concerns alone: an attribute of a function or class, a list of constants."""
    node = leaf.node
    target: ast.AST | None = None
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
    elif isinstance(node, ast.AugAssign):
        target = node.target
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        target = node.value.func
    if not isinstance(target, (ast.Attribute, ast.Subscript)) or not isinstance(target.value, ast.Name):
        return None
    name = target.value.id
    found = page.bound.get(name, [])
    return name if found and all(_is_own(one.node) for one in found) else None


def _is_own(node: ast.AST) -> bool:
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return True
    value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
    literal = isinstance(value, (ast.List, ast.Dict, ast.Set, ast.Tuple))
    return value is not None and literal and not any(isinstance(part, (ast.Name, ast.Call)) for part in ast.walk(value))
