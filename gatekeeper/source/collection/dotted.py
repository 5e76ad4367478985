"""What an expression such as ``mock.patch.object`` names, by the bindings that it can see."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.values import Binding, Class, External, Module

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gatekeeper.source.evaluate.values import Value


def named_by(node: ast.expr, scopes: Sequence[Mapping[str, Binding]]) -> Value:
    """The value of a name or attribute chain over ``scopes``, the innermost first; None where it is neither."""
    if isinstance(node, ast.Name):
        for scope in scopes:
            if node.id in scope:
                return scope[node.id].value
        return External(f"builtins.{node.id}")
    if not isinstance(node, ast.Attribute):
        return None
    owner = named_by(node.value, scopes)
    if isinstance(owner, External):
        return External(f"{owner.name}.{node.attr}")
    if isinstance(owner, Module | Class):
        found = owner.namespace.get(node.attr)
        return None if found is None else found.value
    return None


def dotted_by(node: ast.expr, scopes: Sequence[Mapping[str, Binding]]) -> str | None:
    """The full dotted name of what ``node``, or the function that it calls, names outside the tree."""
    found = named_by(node.func if isinstance(node, ast.Call) else node, scopes)
    return found.name if isinstance(found, External) else None
