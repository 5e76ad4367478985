"""Which names are local to a function: the ones whose spelling means nothing to anybody else."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BY_NAME = words("locals eval exec vars dir globals compile")
_BY_FRAME = words("_getframe currentframe f_locals stack co_varnames argname argnames")


class Space:
    """The names of one function, lambda, comprehension or class body, and the space around it.

    ``kept`` are those whose spelling counts: what callers and fixtures pass by name, or everything in a class.
    """

    __slots__ = ("above", "kept", "names", "of_class")

    def __init__(
        self, names: Iterable[str], above: Space | None, *, kept: Iterable[str] = (), of_class: bool = False
    ) -> None:
        self.names = frozenset(names)
        self.above = above
        self.kept = frozenset(kept)
        self.of_class = of_class

    def owner(self, name: str) -> Space | None:
        """The space that binds ``name`` as seen from here, None for a name of the module or a builtin."""
        space: Space | None = self
        first = True
        while space is not None:
            # The body of a class is seen from itself alone, not from the functions in it.
            if name in space.names and (first or not space.of_class):
                return space
            space, first = space.above, False
        return None


def arguments(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[str]:
    """The names of all arguments, in order."""
    args = node.args
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    return [arg.arg for arg in every] + [arg.arg for arg in (args.vararg, args.kwarg) if arg is not None]


def names_of(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> frozenset[str]:
    """Every name that is local to the function: arguments and what its body binds."""
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    return frozenset(arguments(node)) | bound(body)


def bound(body: Iterable[ast.AST]) -> frozenset[str]:
    """What statements bind in the space that they stand in, without what they declare global or nonlocal."""
    found: set[str] = set()
    elsewhere: set[str] = set()
    for node in own(body):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            elsewhere.update(node.names)
        else:
            found.update(binds(node))
    return frozenset(found - elsewhere)


def binds(node: ast.AST) -> Iterator[str]:
    """The names that one node itself binds, not those of nodes in it."""
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            yield node.id
    elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            if alias.asname:
                yield alias.asname
            elif alias.name != "*":
                yield alias.name.partition(".")[0]
    elif (isinstance(node, ast.ExceptHandler) and node.name) or (
        isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name
    ):
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def own(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of one space, outermost first, without those of the spaces inside it.

    Decorators, defaults, annotations and bases stand in the space itself; so does a walrus in a comprehension.
    """
    stack = list(body)[::-1]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            stack.extend(outside(node))
        elif isinstance(node, COMPREHENSIONS):
            stack.append(node.generators[0].iter)
            stack.extend(item for item in nodes(node) if isinstance(item, ast.NamedExpr))
        elif isinstance(node, ast.NamedExpr):
            stack.extend((node.value, node.target))
        else:
            stack.extend(list(ast.iter_child_nodes(node))[::-1])


def outside(node: ast.AST) -> list[ast.AST]:
    """What of a definition is evaluated around it."""
    found: list[ast.AST] = []
    if isinstance(node, (*FUNCTIONS, ast.Lambda)):
        args = node.args
        found += [default for default in (*args.defaults, *args.kw_defaults) if default is not None]
        every = (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg)
        found += [arg.annotation for arg in every if arg is not None and arg.annotation is not None]
    if isinstance(node, FUNCTIONS):
        found += [*node.decorator_list, *([node.returns] if node.returns is not None else [])]
    elif isinstance(node, ast.ClassDef):
        found += [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
    return found


def nodes(root: ast.AST) -> Iterator[ast.AST]:
    """All nodes below and with ``root``, in no order that counts: several times as fast as ``ast.walk``."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        for value in node.__dict__.values():
            if isinstance(value, ast.AST):
                stack.append(value)
            elif value.__class__ is list:
                stack.extend(item for item in value if isinstance(item, ast.AST))


def spelling_counts(node: ast.AST) -> bool:
    """Whether something in the function can see what its locals are called."""
    for item in nodes(node):
        if isinstance(item, ast.Name) and item.id in _BY_NAME:
            return True
        if isinstance(item, ast.Attribute) and item.attr in _BY_FRAME:
            return True
    return False
