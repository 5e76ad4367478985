"""What an expression such as ``mock.patch.object`` names, by the bindings that it can see."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.values import Binding, Class, External, Function, Module

if TYPE_CHECKING:
    from gatekeeper.source.evaluate.values import Value


def named_by(node: ast.expr, seen_from: Function | Module) -> Value:
    """The value of a name or attribute chain as ``seen_from`` has it; None where it is neither, or not bound."""
    if isinstance(node, ast.Name):
        return _find(node.id, seen_from)
    if not isinstance(node, ast.Attribute):
        return None
    owner = named_by(node.value, seen_from)
    if isinstance(owner, External):
        return External(f"{owner.name}.{node.attr}")
    if isinstance(owner, Module | Class):
        found = owner.namespace.get(node.attr)
        return None if found is None else found.value
    return None


def _find(name: str, seen_from: Function | Module) -> Value:
    if isinstance(seen_from, Function):
        for scope in seen_from.closure:
            names = getattr(scope, "names", scope)
            if name in names:
                found = names[name]
                return found.value if isinstance(found, Binding) else found
    module = seen_from.module if isinstance(seen_from, Function) else seen_from
    if name in module.namespace:
        return module.namespace[name].value
    return External(f"builtins.{name}")


def dotted_by(node: ast.expr, seen_from: Function | Module) -> str | None:
    """The full dotted name of what ``node``, or the function that it calls, names outside the tree."""
    found = named_by(node.func if isinstance(node, ast.Call) else node, seen_from)
    return found.name if isinstance(found, External) else None
