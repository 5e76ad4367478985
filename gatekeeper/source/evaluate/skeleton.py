"""What evaluation can have seen of a source: everything but the bodies of functions that nobody called.

A change of a product's code seldom touches more than bodies, and what a suite collects does not depend on those.
"""

from __future__ import annotations

import ast
from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.structure import structure_hash
from gatekeeper.source.outlines import Skeleton

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def skeleton(tree: ast.Module, ran: Collection[str]) -> Skeleton:
    """The skeleton of a source.

    Args:
        tree: the source.
        ran: the qualified names of the functions whose bodies count.
    """
    digest = sha256()
    names = []
    top = set(tree.body)
    for path, node in _parts(tree.body, ""):
        if isinstance(node, _FUNCTIONS) and node in top and not node.decorator_list and path not in ran:
            names.append(path)
        else:
            said = structure_hash(_said(node, path in ran))
            digest.update(f"{path}\0{type(node).__name__}\0{said}\n".encode())
    return Skeleton(digest.hexdigest(), tuple(sorted(set(names))))


def _parts(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.AST]]:
    """Statements one by one, those in classes and blocks too, with the qualified name of what they are in or define."""
    for node in body:
        if isinstance(node, _FUNCTIONS):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield prefix + node.name, node
            yield from _parts(node.body, f"{prefix}{node.name}.")
        else:
            yield prefix, node
            for name in _BLOCKS:
                for one in getattr(node, name, ()):
                    yield from _parts([one] if isinstance(one, ast.stmt) else one.body, prefix)


def _said(node: ast.AST, ran: bool) -> list[ast.AST]:
    """What counts of one statement by itself."""
    if isinstance(node, _FUNCTIONS):
        outside = [*node.decorator_list, node.args, *([] if node.returns is None else [node.returns])]
        return [*outside, *node.body] if ran else outside
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    if not any(getattr(node, name, None) for name in _BLOCKS):
        return [node]
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if name not in _BLOCKS and isinstance(value, ast.AST):
            found.append(value)
        elif name not in _BLOCKS and isinstance(value, list):
            found.extend(one for one in value if isinstance(one, ast.AST))
    for name in ("handlers", "cases"):
        for one in getattr(node, name, ()):
            found.extend(
                part for part in (getattr(one, "type", None), getattr(one, "pattern", None)) if part is not None
            )
    return found
