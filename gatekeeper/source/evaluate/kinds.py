"""``isinstance``, ``issubclass``, ``callable`` and ``hasattr``: True, False, or Unknown where it cannot be told."""

from __future__ import annotations

import abc
import types

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.bound import Bound
from gatekeeper.source.evaluate.concrete import is_concrete
from gatekeeper.source.evaluate.frames import Raised
from gatekeeper.source.evaluate.realnames import standard_class
from gatekeeper.source.evaluate.standard import can_be_called, is_there
from gatekeeper.source.evaluate.values import (
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
    Unknown,
)

if TYPE_CHECKING:
    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value

_REAL = {
    Function: types.FunctionType,
    Method: types.MethodType,
    Module: types.ModuleType,
    Generator: types.GeneratorType,
    Bound: types.BuiltinMethodType,
}
"""The types of the stand-ins whose type is known."""
_OWN = (Mark, Param, Fixture, Partial)
"""Stand-ins that are of no builtin type."""
_NO = Unknown("whether it is an instance")


def is_instance(world: Interpreter, value: Value, kinds: Value) -> bool | Unknown:
    """``isinstance(value, kinds)``."""
    if isinstance(kinds, tuple):
        said = [is_instance(world, value, one) for one in kinds]
        return True if True in said else next((one for one in said if isinstance(one, Unknown)), False)
    if isinstance(kinds, Class):
        return _of_class(world, value, kinds)
    if isinstance(kinds, External):
        return _of_external(world, value, kinds.name)
    return _NO


def _of_class(world: Interpreter, value: Value, kind: Class) -> bool | Unknown:
    """A class of the tree; one with a metaclass may claim what does not derive from it."""
    if isinstance(value, Instance | Member):
        order = world.mro(value.kind)
        if kind in order:
            return True
        return _NO if _claims(world, kind) or any(isinstance(one, Unknown) for one in order) else False
    if isinstance(value, Class):
        return False if not (_claims(world, kind) or _has_metaclass(world, value)) else _NO
    known = is_concrete(value) or isinstance(value, (*_REAL, *_OWN))
    return False if known and not _claims(world, kind) else _NO


def _has_metaclass(world: Interpreter, cls: Class) -> bool:
    return any(
        isinstance(one, Unknown) or (isinstance(one, Class) and "metaclass" in one.keywords) for one in world.mro(cls)
    )


def _claims(world: Interpreter, kind: Class) -> bool:
    """Whether being an instance of ``kind`` may be decided otherwise than by its subclasses."""
    for one in world.mro(kind):
        if isinstance(one, Class):
            if "metaclass" in one.keywords:
                return True
        elif not isinstance(one, External):
            return True
        else:
            real = standard_class(one.name)
            if real is None or isinstance(real, abc.ABCMeta):
                return True
    return False


def _of_external(world: Interpreter, value: Value, name: str) -> bool | Unknown:
    real = standard_class(name)
    if real is None:
        return _NO
    if is_concrete(value):
        return isinstance(value, real)
    for kind, own in _REAL.items():
        if isinstance(value, kind):
            plain = not isinstance(value, Function) or value.flavour == "plain"
            return issubclass(own, real) if plain else _NO
    if isinstance(value, _OWN):
        return False if real.__module__ == "builtins" and real is not object else _NO
    if isinstance(value, Class):
        return True if real in {type, object} else (_NO if _has_metaclass(world, value) else isinstance(type, real))
    if isinstance(value, Instance | Member):
        return _derives(world, value.kind, real)
    if isinstance(value, External):
        theirs = standard_class(value.name)
        return _NO if theirs is None else isinstance(theirs, real)
    return _NO


def _derives(world: Interpreter, cls: Class, real: type) -> bool | Unknown:
    if real is object:
        return True
    doubt = isinstance(real, abc.ABCMeta)
    for one in world.mro(cls):
        if isinstance(one, External):
            base = standard_class(one.name)
            if base is None:
                doubt = True
            elif issubclass(base, real):
                return True
        elif isinstance(one, Unknown):
            doubt = True
    return _NO if doubt else False


def is_subclass(world: Interpreter, cls: Value, kinds: Value) -> bool | Unknown:
    """``issubclass(cls, kinds)``.

    Raises:
        Raised: ``cls`` is no class.
    """
    if isinstance(kinds, tuple):
        said = [is_subclass(world, cls, one) for one in kinds]
        return True if True in said else next((one for one in said if isinstance(one, Unknown)), False)
    if isinstance(cls, Class):
        if isinstance(kinds, Class):
            order = world.mro(cls)
            if kinds in order:
                return True
            return _NO if _claims(world, kinds) or any(isinstance(one, Unknown) for one in order) else False
        real = standard_class(kinds.name) if isinstance(kinds, External) else None
        return _NO if real is None else _derives(world, cls, real)
    if is_concrete(cls) or isinstance(cls, (*_REAL, *_OWN)):
        raise Raised("TypeError")
    if isinstance(cls, External):
        ours = standard_class(cls.name)
        if ours is None and is_there(cls.name):
            raise Raised("TypeError")
        if isinstance(kinds, Class):
            return _NO if ours is None or _claims(world, kinds) else False
        theirs = standard_class(kinds.name) if isinstance(kinds, External) else None
        return _NO if ours is None or theirs is None else issubclass(ours, theirs)
    return _NO


def is_callable(world: Interpreter, value: Value) -> bool | Unknown:
    """``callable(value)``."""
    if isinstance(value, Function):
        return value.flavour != "property"
    if isinstance(value, Class | Method | Partial | Bound | Mark):
        return True
    if is_concrete(value):
        return callable(value)
    if isinstance(value, Instance):
        if world.lookup(value.kind, "__call__") is not None:
            return True
        closed = all(isinstance(one, Class) for one in world.mro(value.kind))
        return False if closed else _NO
    if isinstance(value, External):
        said = can_be_called(value.name)
        return _NO if said is None else said
    return _NO


def has_attribute(world: Interpreter, value: Value, name: Value) -> bool | Unknown:
    """``hasattr(value, name)``."""
    if not isinstance(name, str):
        return _NO
    if is_concrete(value):
        return hasattr(value, name)
    if isinstance(value, Function):
        if name in value.attributes or hasattr(has_attribute, name):
            return True
        return bool(value.marks) if name == "pytestmark" else _NO if value.wrappers else False
    if isinstance(value, Module):
        return True if name in value.namespace else _NO
    if isinstance(value, Instance) and name in value.attributes:
        return True
    if isinstance(value, Class | Instance):
        kind = value if isinstance(value, Class) else value.kind
        return True if world.lookup(kind, name) is not None or hasattr(object, name) else _NO
    return _NO
