"""Assignment to whatever can stand at the left of ``=``."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.concrete import MUTABLE, is_key
from gatekeeper.source.evaluate.values import Class, Function, Instance, Module, Unknown

if TYPE_CHECKING:
    from gatekeeper.source.evaluate.frames import Frame
    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value


def store(world: Interpreter, target: ast.expr, value: Value, frame: Frame) -> None:
    """Bind ``target`` to ``value``; what cannot be taken apart makes every name in it unknown."""
    if isinstance(target, ast.Name):
        frame.bind(target.id, value, target.lineno)
    elif isinstance(target, ast.Tuple | ast.List):
        _unpack(world, target.elts, value, frame)
    elif isinstance(target, ast.Starred):
        store(world, target.value, value, frame)
    elif isinstance(target, ast.Attribute):
        _store_attribute(world, world.evaluate(target.value, frame), target.attr, value, frame)
    elif isinstance(target, ast.Subscript):
        _store_item(world, world.evaluate(target.value, frame), world.evaluate(target.slice, frame), value, frame)


def _unpack(world: Interpreter, targets: list[ast.expr], value: Value, frame: Frame) -> None:
    items = world.items(value)
    stars = [place for place, one in enumerate(targets) if isinstance(one, ast.Starred)]
    if isinstance(items, Unknown) or (len(items) != len(targets) and not stars) or len(items) < len(targets) - 1:
        why = items if isinstance(items, Unknown) else Unknown("unpacked from another number of values")
        for one in targets:
            store(world, one, why, frame)
        return
    if stars:
        place, after = stars[0], len(targets) - stars[0] - 1
        end = len(items) - after
        items = [*items[:place], items[place:end], *items[end:]]
    for one, item in zip(targets, items, strict=True):
        store(world, one, item, frame)


def _store_attribute(world: Interpreter, owner: Value, name: str, value: Value, frame: Frame) -> None:
    if frame.maybe or id(owner) in world.kept:
        value = Unknown("set under a condition that is not known")
    if isinstance(owner, Function):
        if name == "pytestmark":
            world.replace_marks(owner, value)
        else:
            owner.attributes[name] = value
    elif isinstance(owner, Instance):
        owner.attributes[name] = value
    elif isinstance(owner, Class) and name == "__name__":
        if isinstance(value, str):
            owner.qualname = value
        else:
            owner.wrappers = (*owner.wrappers, Unknown("its name is not known"))
    elif isinstance(owner, Class | Module):
        world.set_member(owner, name, value, frame)


def _store_item(world: Interpreter, owner: Value, key: Value, value: Value, frame: Frame) -> None:
    if isinstance(owner, MUTABLE) and (frame.maybe or id(owner) in world.kept):
        world.poison(owner, "changed under a condition that is not known")
    elif isinstance(owner, dict):
        if is_key(key):
            owner[key] = value
        else:
            world.poison(owner, "has a key that is not known")
    elif isinstance(owner, list):
        try:
            owner[key] = value  # type: ignore[call-overload]
        except (TypeError, IndexError, ValueError):
            world.poison(owner, "has an index that is not known")
    elif world.is_namespace(owner):
        world.set_global(owner, key, value, frame)
