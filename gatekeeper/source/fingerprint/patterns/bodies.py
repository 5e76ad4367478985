"""What the body of a test, helper or fixture says that makes it judge less."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint.locals import FUNCTIONS, arguments, own
from gatekeeper.source.fingerprint.pages import truth
from gatekeeper.source.fingerprint.patterns.flow import DEAD, LIVE, SWALLOWED, Flow
from gatekeeper.source.fingerprint.patterns.found import WEAKENED
from gatekeeper.source.fingerprint.serial import statements
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.fingerprint.patterns.found import Pattern, View

Definition = ast.FunctionDef | ast.AsyncFunctionDef
_CODES = {"assume": WEAKENED, "profile": WEAKENED}


def body(view: View, function: Definition) -> list[Pattern]:
    """Everything in one function that takes judgement out of it; nothing where it is nested too deep to tell."""
    try:
        return _body(view, function)
    except RecursionError:
        return []


def _body(view: View, function: Definition) -> list[Pattern]:
    flow = Flow(view, function)
    found = [one._replace(code=_CODES.get(one.kind, one.code)) for one in flow.found]
    live = [site for site in flow.sites if site.state == LIVE]
    for site in flow.sites:
        if isinstance(site.node, ast.Raise):
            continue
        if site.state == DEAD:
            found.append(view.found("unreachable", f"an assertion is never reached: {site.why}", site.node))
        elif site.state == SWALLOWED:
            found.append(view.found("swallowed", f"an assertion that fails is not heard: {site.why}", site.node))
    if is_empty(function):
        found.append(view.found("empty", "its body is empty", function))
    elif not live:
        found.append(view.found("no assertion", "nothing in it can fail on purpose: it has no assertion", function))
    if isinstance(function, ast.AsyncFunctionDef):
        found.append(view.found("async", "it is a coroutine, which pytest alone does not run", function))
    found.extend(_replaced(view, function))
    return found


def is_empty(function: Definition) -> bool:
    """Whether nothing stands in the body but texts, ``pass``, ``...`` and ``return``."""
    kept = statements(list(function.body))
    return all(isinstance(node, ast.Return) and (node.value is None or truth(node.value) is not None) for node in kept)


def _replaced(view: View, function: Definition) -> Iterator[Pattern]:
    """Arguments and modules that the body sets itself."""
    names = set(arguments(function))
    local = {
        alias.asname or alias.name.partition(".")[0]
        for node in own(function.body)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    for node in own(function.body):
        if isinstance(node, ast.Global):
            yield view.found("global", f"it sets names of its module: {', '.join(node.names)}", node)
        elif isinstance(node, (ast.Yield, ast.YieldFrom)):
            yield view.found("generator", "it is a generator, whose body nobody runs", node)
        elif isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Store):
            yield view.found("argument", f"it sets its own argument {node.id}", node)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and _hides(view, node.id):
            yield view.found("hides", f"it binds {node.id} itself, which is something else outside", node)
        elif isinstance(node, FUNCTIONS) and _hides(view, node.name):
            yield view.found("hides", f"it defines {node.name} itself, which is something else outside", node)
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            yield from _stored(view, node, local)


def _stored(view: View, node: ast.Attribute | ast.Subscript, local: set[str]) -> Iterator[Pattern]:
    """An attribute or item of something that is not the function's own."""
    text = dotted(node)
    root = text.partition(".")[0]
    if root in view.page.bound or root in local or any(f".{part}" in text for part in _SHARED):
        yield view.found("patch", f"it sets {text}, which is not its own", node)
    elif root == "self" and isinstance(node, ast.Attribute) and node.attr.startswith(("assert", "fail", "test")):
        yield view.found("patch", f"it sets {text}, which judges", node)


def _hides(view: View, name: str) -> bool:
    """Whether a local takes the place of an import, a helper or a builtin that judges."""
    return name in view.page.bound or name in _BUILTINS


_BUILTINS = words("len sorted sum all any abs min max set isinstance type list dict tuple zip map filter range round")
_SHARED = (
    "session",
    "config",
    "module",
    "node",
    "function",
    "__globals__",
    "modules",
    "__dict__",
    "__code__",
    "obj",
    "cls",
)


def dotted(node: ast.AST) -> str:
    """An attribute or item as text, as far as names go."""
    parts: list[str] = []
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        else:
            node = node.value if isinstance(node, ast.Subscript) else node.func
    parts.append(node.id if isinstance(node, ast.Name) else "?")
    return ".".join(reversed(parts))


def is_function(node: ast.AST) -> bool:
    """Whether it is a definition that a body can be taken of."""
    return isinstance(node, FUNCTIONS)
