"""What decorators say: Hypothesis' ``given`` and the names that it passes by position."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint.follow import Needs

if TYPE_CHECKING:
    from gatekeeper.source.fingerprint.follow import Library
    from gatekeeper.source.fingerprint.pages import Page


def called(library: Library, page: Page, node: ast.expr) -> str:
    """The dotted name of a decorator, or of what it calls; empty where it has none."""
    while isinstance(node, ast.Call):
        node = node.func
    chain: list[str] = []
    while isinstance(node, ast.Attribute):
        chain.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return library.meaning(page, node.id, tuple(reversed(chain)), Needs())[1:]


def positional(library: Library, page: Page, node: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """Arguments that Hypothesis alone passes, by position: what they are called is nobody's business."""
    count = 0
    words: set[str] = set()
    for decorator in node.decorator_list:
        if not isinstance(decorator, ast.Call):
            continue
        name = called(library, page, decorator)
        if name in ("hypothesis.given", "hypothesis.core.given"):
            count = max(count, len(decorator.args))
        elif name.startswith("hypothesis."):
            words.update(keyword.arg for keyword in decorator.keywords if keyword.arg is not None)
    names = [arg.arg for arg in node.args.args]
    return frozenset(names[len(names) - count :] if count else ()) - words
