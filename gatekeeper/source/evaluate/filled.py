"""Containers that functions fill: a registry holds what the modules put there that have been imported by then.

Modules are executed when a name of theirs is asked for, so that whoever reads another module's registry may read it
before those that fill it are executed: what it holds is not known.
"""

from __future__ import annotations

import ast
import re
from weakref import WeakKeyDictionary

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.concrete import MUTABLE
from gatekeeper.source.evaluate.values import Unknown

if TYPE_CHECKING:
    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Module, Value

_CHANGES = frozenset(
    ("append", "add", "extend", "update", "insert", "setdefault", "remove", "pop", "clear", "discard", "__setitem__")
)


class Filled:
    """Which names of modules, and attributes of objects, functions of the same source change the content of."""

    def __init__(self, world: Interpreter) -> None:
        self._world = world
        self._known: WeakKeyDictionary[ast.AST, dict[str, bool]] = WeakKeyDictionary()

    def seen(self, home: Module, name: str, value: Value) -> Value:
        """``value``, which ``name`` in ``home`` holds, to the module that is being executed."""
        if not isinstance(value, MUTABLE) or self._world.running in (None, home):
            return value
        known = self._known.setdefault(home.tree, {})
        if name not in known:
            known[name] = self._is_changed(home, name)
        return Unknown(f"{name} of {home.name} is filled by what is imported") if known[name] else value

    def _is_changed(self, home: Module, name: str) -> bool:
        blob = self._world.files.read(home.path) or b""
        word = re.escape(name.encode("utf-8", "surrogatepass"))
        if re.search(rb"^[ \t]+.*\b" + word + rb"\s*(\.\s*[a-z_]+\s*\(|\[|[|+]=)", blob, re.MULTILINE) is None:
            return False
        return any(
            _changes(inner, name)
            for node in ast.walk(home.tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name not in {"__init__", "__new__"}
            for inner in ast.walk(node)
        )


def _changes(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Call):
        function = node.func
        return isinstance(function, ast.Attribute) and function.attr in _CHANGES and _is(function.value, name)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
    return any(
        _is(target.value, name)
        if isinstance(target, ast.Subscript)
        else isinstance(node, ast.AugAssign) and _is(target, name)
        for target in targets
    )


def _is(node: ast.expr, name: str) -> bool:
    return (isinstance(node, ast.Name) and node.id == name) or (isinstance(node, ast.Attribute) and node.attr == name)
