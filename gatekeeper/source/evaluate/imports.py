"""Import statements: sources of the tree are loaded when a name of them is asked for, everything else is external."""

from __future__ import annotations

from functools import partial

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.frames import Raised
from gatekeeper.source.evaluate.values import Module, Unknown

if TYPE_CHECKING:
    import ast

    from gatekeeper.source.evaluate.frames import Frame
    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value

_HARNESS = frozenset(("pytest", "_pytest", "__future__"))


def import_names(world: Interpreter, node: ast.Import, frame: Frame) -> None:
    """``import a.b, c as d``."""
    for alias in node.names:
        top = alias.name.partition(".")[0]
        _note(world, alias.name, frame)
        name = alias.name if alias.asname else top
        frame.bind_lazy(alias.asname or top, partial(world.imported, name, frame.module), node.lineno, alias.name)


def import_from(world: Interpreter, node: ast.ImportFrom, frame: Frame) -> None:
    """``from .a import b, c as d``, ``from a import *``."""
    home = absolute(frame.module, node.module or "", node.level)
    if home is None:
        for alias in node.names:
            frame.bind(alias.asname or alias.name, Unknown("a relative import beyond the top"), node.lineno)
        return
    _note(world, home, frame)
    for alias in node.names:
        if alias.name == "*":
            _wildcard(world, home, frame, node.lineno)
        else:
            make = partial(_member, world, home, alias.name, frame.module)
            frame.bind_lazy(alias.asname or alias.name, make, node.lineno, f"{home}.{alias.name}")


def absolute(module: Module, name: str, level: int) -> str | None:
    """The full name of what an import names; None above the top of the tree."""
    if not level:
        return name
    parts = module.name.split(".")
    if not module.path.endswith("/__init__.py") and module.path != "__init__.py":
        parts.pop()
    if level - 1 > len(parts):
        return None
    parts = parts[: len(parts) - level + 1]
    return ".".join([*parts, name] if name else parts)


def _note(world: Interpreter, name: str, frame: Frame) -> None:
    """A module that imports something third-party at its top is there only where that is installed."""
    top = name.partition(".")[0]
    if top in world.absent and not world.is_first_party(name, frame.module):
        raise Raised("ModuleNotFoundError")
    if frame.plain or frame.maybe or frame.names is not frame.module.namespace:
        return
    if world.is_decided(top) or top in _HARNESS or world.is_first_party(name, frame.module):
        return
    label = f"import {top}"
    if label not in frame.module.conditions:
        frame.module.conditions = (*frame.module.conditions, label)


def _member(world: Interpreter, home: str, name: str, importer: Module) -> Value:
    owner = world.imported(home, importer)
    if not isinstance(owner, Module):
        return world.attribute(owner, name)
    found = owner.namespace.get(name)
    if found is not None:
        return world.filled.seen(owner, name, found.value)
    world.missed.setdefault(owner.path, set()).add(name)
    below = world.submodule(f"{home}.{name}", importer)
    return world.attribute(owner, name) if below is None else below


def _wildcard(world: Interpreter, home: str, frame: Frame, line: int) -> None:
    owner = world.imported(home, frame.module)
    if not isinstance(owner, Module):
        frame.module.wildcards = (*frame.module.wildcards, home)
        return
    frame.module.wildcards = (*frame.module.wildcards, *owner.wildcards)
    listed = owner.namespace.get("__all__")
    names = None if listed is None else world.items(listed.value)
    if isinstance(names, Unknown):
        frame.module.wildcards = (*frame.module.wildcards, home)
        names = None
    if names is None:
        names = [name for name in owner.namespace if not name.startswith("_")]
    for name in names:
        if isinstance(name, str):
            make = partial(_member, world, home, name, frame.module)
            frame.bind_lazy(name, make, line, f"{home}.{name}")
