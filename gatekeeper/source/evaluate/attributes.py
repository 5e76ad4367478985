"""``value.name`` for every kind of value."""

from __future__ import annotations

import ast
from pathlib import PurePosixPath

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.bound import Bound
from gatekeeper.source.evaluate.calls import call_function
from gatekeeper.source.evaluate.classes import is_enum, is_open, lookup, members
from gatekeeper.source.evaluate.frames import Raised
from gatekeeper.source.evaluate.realnames import standard_name
from gatekeeper.source.evaluate.standard import constant
from gatekeeper.source.evaluate.treefiles import PATH_METHODS, READING, TreeFile
from gatekeeper.source.evaluate.values import (
    ROOT,
    Class,
    External,
    Fixture,
    Function,
    Generator,
    Instance,
    Mark,
    Member,
    Method,
    Module,
    Param,
    Partial,
    Thing,
    Unknown,
)
from gatekeeper.source.evaluate.wellknown import FACTS, NAMED

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Binding, Value

_NOTHING = object()
SPEC = "__spec__ of "
"""What the ``__spec__`` of a module is called, before the name of its package."""


def attribute(world: Interpreter, value: Value, name: str) -> Value:
    """``value.name``; Unknown where it cannot be told.

    Raises:
        Raised: it certainly is not there.
    """
    get = _GETTERS.get(type(value))
    if get is not None:
        return get(world, value, name)
    # a real value: what its type has is known, and reading it runs nothing of the tree
    if (isinstance(value, PurePosixPath) and name in PATH_METHODS) or (isinstance(value, TreeFile) and name in READING):
        return Bound(value, name)
    kind = getattr(type(value), name, None)
    if kind is None or name.startswith("__"):
        if name in {"__class__", "__doc__"}:
            return Unknown(f"{name} of a value")
        raise Raised("AttributeError")
    return Bound(value, name) if callable(kind) else getattr(value, name)


def _of_external(world: Interpreter, value: External, name: str) -> Value:
    full = f"{value.name}.{name}"
    if value.name.startswith(SPEC):
        return value.name.removeprefix(SPEC) if name == "parent" else Unknown(f"{name} of __spec__")
    if value.name == "pytest.mark":
        return Mark(name, called=False)
    if name == "__name__":
        real = value.name.rpartition(".")[2] if value.name in NAMED else standard_name(value.name)
        return Unknown(f"the name of {value.name}") if real is None else real
    if value.name == "sys" and name in world.sys:
        return world.sys[name]
    found = world.outside.get(full, _NOTHING)
    if found is _NOTHING:
        found = FACTS.get(full, _NOTHING)
        found = world.outside[full] = constant(full) if found is _NOTHING else found
    return found


def _of_module(world: Interpreter, value: Module, name: str) -> Value:
    found = value.namespace.get(name)
    if found is not None:
        return world.filled.seen(value, name, found.value)
    world.missed.setdefault(value.path, set()).add(name)
    if name == "__name__":
        return value.name
    if name == "__file__":
        return f"{ROOT}/{value.path}"
    if name == "__doc__":
        return Unknown("a docstring")
    below = world.submodule(f"{value.name}.{name}", value)
    if below is not None:
        return below
    maker = value.namespace.get("__getattr__")
    if maker is not None and isinstance(maker.value, Function) and not name.startswith("__"):
        return world.call(maker.value, [name], {})
    return Unknown(f"{value.name} has no {name} that can be seen")


def _of_class(world: Interpreter, value: Class, name: str) -> Value:
    if name in ("__name__", "__qualname__"):
        return value.name if name == "__name__" else value.qualname
    if name == "__module__":
        return value.module.name
    if is_enum(world, value):
        if name == "__members__":
            found = members(world, value)
            return Unknown("an enumeration") if found is None else dict(found)
        found = members(world, value)
        if found is None:
            return Unknown(f"a member of {value.name}")
        if name in found:
            return found[name]
    binding = lookup(world, value, name)
    if binding is None:
        return Unknown(f"{value.name}.{name}")
    return world.filled.seen(value.module, name, _taken(binding, value, value))


def _taken(binding: Binding, owner: Value, cls: Class) -> Value:
    """A member of a class taken from ``owner``: functions are bound as the language binds them."""
    found = binding.value
    if isinstance(found, Function):
        if found.flavour == "static":
            return found
        if found.flavour == "class":
            return Method(found, cls)
        if not isinstance(owner, Class):
            return Method(found, owner)
    return found


def _of_instance(world: Interpreter, value: Instance, name: str) -> Value:
    if name in value.attributes:
        return world.filled.seen(value.kind.module, name, value.attributes[name])
    if name == "__class__":
        return value.kind
    binding = lookup(world, value.kind, name)
    if binding is None:
        if (
            not is_open(world, value.kind)
            and lookup(world, value.kind, "__getattr__") is None
            and not value.kind.wrappers
        ):
            return Unknown(f"{value.kind.name} has no {name} that can be seen")
        return Unknown(f"{name} of a {value.kind.name}")
    if isinstance(binding.value, Function) and binding.value.flavour == "property":
        return call_function(world, binding.value, (value,), {})
    return _taken(binding, value, value.kind)


def _of_member(world: Interpreter, value: Member, name: str) -> Value:
    if name in ("name", "_name_"):
        return value.name
    if name in ("value", "_value_"):
        return value.value
    binding = lookup(world, value.kind, name)
    if binding is not None and isinstance(binding.value, Function):
        if binding.value.flavour == "property":
            return call_function(world, binding.value, (value,), {})
        return _taken(binding, value, value.kind)
    return Unknown(f"{name} of {value.kind.name}.{value.name}")


def _of_function(world: Interpreter, value: Function, name: str) -> Value:
    if name in value.attributes:
        return value.attributes[name]
    if value.wrappers:
        return Unknown(f"{value.name} is wrapped by a decorator that is not known")
    if name == "__name__":
        return value.name
    if name == "__qualname__":
        return value.qualname
    if name == "__module__":
        return value.module.name
    if name == "__doc__":
        return None if isinstance(value.node, ast.Lambda) else ast.get_docstring(value.node, clean=False)
    if name == "pytestmark":
        return list(value.marks)
    return Unknown(f"{name} of a function")


def _of_mark(world: Interpreter, value: Mark, name: str) -> Value:
    if name in ("name", "args", "kwargs"):
        return getattr(value, name)
    if name == "mark":
        return value
    if name == "with_args":
        return Bound(value, name)
    raise Raised("AttributeError")


def _of_partial(world: Interpreter, value: Partial, name: str) -> Value:
    found = {"func": value.function, "args": value.args, "keywords": value.kwargs}
    if name in found:
        return found[name]
    raise Raised("AttributeError")


def _of_param(world: Interpreter, value: Param, name: str) -> Value:
    found = {"values": value.values, "marks": value.marks, "id": value.id}
    if name in found:
        return found[name]
    raise Raised("AttributeError")


def _of_fixture(world: Interpreter, value: Fixture, name: str) -> Value:
    if name in {"__doc__", "__name__"}:
        return _of_function(world, value.function, name)
    return Unknown(f"{name} of a fixture")


def _unknown(world: Interpreter, value: Value, name: str) -> Value:
    if isinstance(value, Unknown):
        return value
    return Unknown(f"{name} of something that is not followed")


_GETTERS: dict[type, Callable[..., Value]] = {
    External: _of_external,
    Module: _of_module,
    Class: _of_class,
    Instance: _of_instance,
    Member: _of_member,
    Function: _of_function,
    Mark: _of_mark,
    Partial: _of_partial,
    Param: _of_param,
    Unknown: _unknown,
    Thing: _unknown,
    Generator: _unknown,
    Fixture: _of_fixture,
    Method: _unknown,
}
