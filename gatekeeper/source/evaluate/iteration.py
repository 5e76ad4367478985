"""What iterating over a value gives, and what ``owner[key]`` is."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.concrete import MAX_ITEMS, is_concrete, is_key
from gatekeeper.source.evaluate.frames import Raised
from gatekeeper.source.evaluate.values import Class, External, Function, Generator, Instance, Method, Thing, Unknown

if TYPE_CHECKING:
    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value

_TYPES = frozenset(("list", "dict", "set", "tuple", "frozenset", "type"))


def items_of(world: Interpreter, value: Value) -> list[Value] | Unknown:  # noqa: C901, PLR0912 (one line a kind)
    """The items of a value, in order; of a set only where its order cannot matter or is known.

    Raises:
        Raised: it cannot be iterated over.
    """
    if isinstance(value, list):
        return value
    if isinstance(value, tuple | dict):
        return list(value)
    if isinstance(value, range):
        # The length of a range may be more than len() can give.
        return list(value) if not value[MAX_ITEMS:] else Unknown("a range that is too large")
    if isinstance(value, str | bytes):
        return list(value)
    if isinstance(value, set | frozenset):
        return _of_set(value)
    if isinstance(value, Generator):
        if isinstance(value.items, Unknown):
            return value.items
        found, value.items = value.items, []  # a generator gives its items once
        return found
    if isinstance(value, Unknown):
        return value
    if isinstance(value, Class):
        from gatekeeper.source.evaluate.classes import is_enum, members

        if is_enum(world, value):
            found_members = members(world, value)
            if found_members is None:
                return Unknown(f"the members of {value.name}")
            return list({id(one): one for one in found_members.values()}.values())
        return Unknown(f"iterating over {value.name}")
    if isinstance(value, Instance):
        return _of_instance(world, value)
    if isinstance(value, External | Thing):
        return Unknown("iterating over something that is not followed")
    raise Raised("TypeError")


def _of_instance(world: Interpreter, value: Instance) -> list[Value] | Unknown:
    """What an object of a named tuple holds, or what its ``__iter__`` gives."""
    from gatekeeper.source.evaluate.records import tuple_fields

    fields = tuple_fields(world, value.kind)
    if fields is not None:
        return [value.attributes.get(name, Unknown("a field")) for name in fields]
    found = world.lookup(value.kind, "__iter__")
    if found is not None and isinstance(found.value, Function):
        made = world.call(Method(found.value, value), [], {})
        if not isinstance(made, Instance):
            return items_of(world, made)
    return Unknown(f"iterating over a {value.kind.name}")


def _of_set(value: set[Value] | frozenset[Value]) -> list[Value] | Unknown:
    """Small integers come in the order of their hashes, the same everywhere; text does not."""
    if len(value) <= 1 or all(isinstance(one, int) for one in value):
        return list(value)
    return Unknown("the order of a set")


def subscript(world: Interpreter, owner: Value, key: Value) -> Value:  # noqa: C901 (one line a kind)
    """``owner[key]``.

    Raises:
        Raised: there is no such item.
    """
    if isinstance(owner, dict):
        if not is_key(key):
            return Unknown("an item by a key that is not known")
        if key in owner:
            return owner[key]
        if type(owner) is dict:
            raise Raised("KeyError")
        return Unknown("an item of a dict that makes its own")
    if isinstance(owner, list | tuple | str | bytes | range):
        if not isinstance(key, int | slice):
            return Unknown("an item by an index that is not known")
        try:
            return owner[key]
        except (IndexError, ValueError):
            raise Raised("IndexError") from None
    if isinstance(owner, External):
        if owner.name.removeprefix("builtins.") in _TYPES or owner.name.startswith(("typing.", "collections.abc.")):
            return owner  # it goes by the name of what is given arguments, and is that as a base
        return Unknown(f"an item of {owner.name}")
    if isinstance(owner, Class):
        from gatekeeper.source.evaluate.classes import is_enum, members

        if is_enum(world, owner) and is_concrete(key):
            found = members(world, owner)
            return Unknown("a member") if found is None else found.get(str(key), Unknown("no such member"))
        if world.lookup(owner, "__class_getitem__") is not None or "metaclass" in owner.keywords:
            return Unknown(f"{owner.name}[...]")
        return owner  # a generic class with its arguments: as a base it is the class
    return Unknown("an item of something that is not followed")
