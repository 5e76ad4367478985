"""What a definition mentions: names that are not its own, and everything behind a dot."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.imports.form import ANY

if TYPE_CHECKING:
    from collections.abc import Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LONGEST = 80


class Mentions(NamedTuple):
    """Names that mean something outside, and words that may be attributes of anything."""

    names: set[str]
    attributes: set[str]


def mentions(node: ast.AST, found: Mentions) -> None:
    """Add what a node mentions. A name that a function binds is its own; a parameter may be a fixture as well."""
    pending: list[tuple[ast.AST, frozenset[str]]] = [(node, frozenset())]
    while pending:
        item, own = pending.pop()
        if isinstance(item, ast.Name):
            if item.id not in own:
                found.names.add(item.id)
        elif isinstance(item, ast.Attribute | ast.keyword):
            word = item.attr if isinstance(item, ast.Attribute) else item.arg
            found.attributes.update([word] if word else [])
        elif isinstance(item, ast.Constant):
            _text(item.value, found)
        elif isinstance(item, ast.Import | ast.ImportFrom):
            _imported(item, found)
        elif isinstance(item, ast.JoinedStr | ast.BinOp):
            _prefix(item, found)
        elif isinstance(item, _FUNCTIONS):
            outside, inside = _function(item, found)
            pending.extend((child, own) for child in outside)
            deeper = own | _bound_in(item)
            pending.extend((child, deeper) for child in inside)
            continue
        elif isinstance(item, _COMPREHENSIONS):
            own = own | {name for one in item.generators for name in _stored(one.target)}
        pending.extend((child, own) for child in ast.iter_child_nodes(item))


def _text(value: object, found: Mentions) -> None:
    if isinstance(value, str) and len(value) <= _LONGEST and value.isidentifier():
        found.attributes.add(value)


def _prefix(node: ast.JoinedStr | ast.BinOp, found: Mentions) -> None:
    """``f"visit_{name}"``, ``"visit_" + name``, ``"visit_%s" % name``: any attribute that begins so."""
    first = node.left if isinstance(node, ast.BinOp) else node.values[0] if node.values else None
    text = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
    start = text.partition("%")[0]
    if start.endswith("_") and start.isidentifier() and len(start) <= _LONGEST:
        found.attributes.add(f"{start}{ANY}")


def _imported(node: ast.Import | ast.ImportFrom, found: Mentions) -> None:
    for item in node.names:
        found.names.add((item.asname or item.name).partition(".")[0])
        found.attributes.update(item.name.split("."))


def _function(node: ast.AST, found: Mentions) -> tuple[list[ast.AST], list[ast.AST]]:
    """What of a function is evaluated outside of it, and what inside; its parameters may ask for fixtures."""
    arguments = node.args  # type: ignore[attr-defined]
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    found.attributes.update(one.arg for one in every)
    outside: list[ast.AST] = [*arguments.defaults, *(one for one in arguments.kw_defaults if one is not None)]
    outside += [one.annotation for one in every if one.annotation is not None]
    if isinstance(node, ast.Lambda):
        return outside, [node.body]
    outside += node.decorator_list  # type: ignore[attr-defined]
    returns = node.returns  # type: ignore[attr-defined]
    return (outside if returns is None else [*outside, returns]), list(node.body)  # type: ignore[attr-defined]


def _bound_in(node: ast.AST) -> frozenset[str]:
    """The names that a function binds itself."""
    arguments = node.args  # type: ignore[attr-defined]
    names = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    names.update(one.arg for one in (arguments.vararg, arguments.kwarg) if one is not None)
    free: set[str] = set()
    pending: list[ast.AST] = [] if isinstance(node, ast.Lambda) else list(node.body)  # type: ignore[attr-defined]
    while pending:
        item = pending.pop()
        if isinstance(item, ast.Name):
            if not isinstance(item.ctx, ast.Load):
                names.add(item.id)
        elif isinstance(item, ast.Global | ast.Nonlocal):
            free.update(item.names)
        elif isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(item.name)
            continue
        elif isinstance(item, ast.ExceptHandler) and item.name is not None:
            names.add(item.name)
        if not isinstance(item, (ast.Lambda, *_COMPREHENSIONS)):
            pending.extend(ast.iter_child_nodes(item))
    return frozenset(names - free)


def _stored(node: ast.AST) -> Iterator[str]:
    return (item.id for item in ast.walk(node) if isinstance(item, ast.Name))
