"""The id that a value has of its own: its text where it is a kind of text or number, the name of what has one."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import fractions
import pathlib
import re
import uuid

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.escaping import escaped
from gatekeeper.source.collection.outcome import Undecided
from gatekeeper.source.evaluate.bound import Bound
from gatekeeper.source.evaluate.realnames import standard_name
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
    Thing,
    Unknown,
)
from gatekeeper.source.evaluate.wellknown import NAMED, NAMELESS

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from gatekeeper.source.collection.scope import Evaluator, Settings
    from gatekeeper.source.evaluate.values import Value

BY_INDEX = frozenset(
    {
        tuple,
        list,
        dict,
        set,
        frozenset,
        range,
        slice,
        type(...),
        type(NotImplemented),
        bytearray,
        decimal.Decimal,
        fractions.Fraction,
        dt.date,
        dt.datetime,
        dt.time,
        dt.timedelta,
        dt.timezone,
        uuid.UUID,
        pathlib.PurePosixPath,
        Mark,
        Param,
        Partial,
    }
)
"""Kinds whose values have no name and are neither text nor number."""

_UNIONS = frozenset({"typing.Union", "typing.Optional"})
_NUMBERS = frozenset({"builtins.int", "builtins.float", "builtins.complex", "builtins.bool"})
_TEXTS = frozenset({"builtins.str", "builtins.bytes"})
_ENUMS = frozenset({"enum.Enum", "enum.Flag", "enum.IntEnum", "enum.IntFlag", "enum.StrEnum", "enum.ReprEnum"})
_NAMELESS_BASES = frozenset(
    {
        "builtins.object",
        "builtins.list",
        "builtins.tuple",
        "builtins.dict",
        "builtins.set",
        "builtins.frozenset",
        "abc.ABC",
        "typing.Generic",
        "typing.Protocol",
        "typing.NamedTuple",
        "collections.UserDict",
        "collections.UserList",
        "collections.OrderedDict",
        "collections.defaultdict",
    }
)


def named(value: Value, evaluator: Evaluator, settings: Settings) -> str | None:
    """The text of ``value``; None means that pytest takes the argument's name and the index.

    Raises:
        Undecided: it is not known.
    """
    found = _BY_KIND.get(type(value), _of_real)
    return found(value, evaluator, settings)


def _of_unknown(value: Unknown, _evaluator: Evaluator, _settings: Settings) -> str | None:
    raise Undecided(value.reason)


def _of_named(value: Bound | Class | Generator | Module, _evaluator: Evaluator, _settings: Settings) -> str | None:
    return value.name


def _of_method(value: Method, evaluator: Evaluator, settings: Settings) -> str | None:
    return _of_function(value.function, evaluator, settings)


def _of_fixture(value: Fixture, _evaluator: Evaluator, settings: Settings) -> str | None:
    own = value.name if settings.pytest >= (8, 4) else None
    return own if isinstance(own, str) else value.function.name


def _of_function(function: Function, _evaluator: Evaluator, _settings: Settings) -> str | None:
    own = function.attributes.get("__name__")
    if function.flavour == "property":
        raise Undecided("the name of a property differs by version")
    if function.wrappers:
        raise Undecided(f"{function.name} is wrapped by a decorator that is not known")
    if own is not None and not isinstance(own, str):
        raise Undecided(f"the __name__ of {function.name} is not known")
    return own if isinstance(own, str) else function.name


def _of_external(value: External, _evaluator: Evaluator, settings: Settings) -> str | None:
    if value.name in _UNIONS and settings.python >= (3, 14):
        raise Undecided("what a union is called differs by version")
    if value.name in NAMED:
        return value.name.rpartition(".")[2]
    found = standard_name(value.name)
    if found is None:
        raise Undecided(f"what {value.name} is is not known")
    return found


def _of_thing(value: Thing, _evaluator: Evaluator, _settings: Settings) -> str | None:
    kind = value.kind
    if kind in _NUMBERS or kind in _TEXTS or kind.rpartition(".")[2] in {"str", "bytes", "int", "float", "bool"}:
        raise Undecided(f"the content of a {kind} is not known")
    return None


def _of_real(value: Value, _evaluator: Evaluator, settings: Settings) -> str | None:
    """A real object of a kind that is not in ``BY_INDEX``: subclasses of text and numbers, members of an Enum."""
    if isinstance(value, str | bytes):
        return escaped(value, raw=settings.raw_ids)
    if isinstance(value, float | int | complex | enum.Enum):
        return str(value)
    if isinstance(value, re.Pattern | tuple | list | dict | set | frozenset | pathlib.PurePath | dt.tzinfo):
        return None
    raise Undecided(f"the name of a {type(value).__name__} is not known")


def _of_instance(value: Instance, evaluator: Evaluator, _settings: Settings) -> str | None:
    own = value.attributes.get("__name__")
    if isinstance(own, str):
        return own
    if own is not None:
        raise Undecided("the __name__ of an instance is not known")
    for base in evaluator.mro(value.kind):
        if isinstance(base, Class):
            odd = {"__name__", "__getattr__", "__getattribute__"} & base.namespace.keys()
            if odd and f"{base.module.name}.{base.name}" not in NAMELESS:
                raise Undecided(f"{value.kind.name} decides on its own __name__")
        elif not (isinstance(base, External) and _nameless(base.name)):
            shown = base.name if isinstance(base, External) else getattr(base, "reason", "something")
            raise Undecided(f"{value.kind.name} derives from {shown}")
    return None


def _nameless(name: str) -> bool:
    return (
        name in _NAMELESS_BASES
        or name.startswith("collections.abc.")
        or (name.startswith("builtins.") and name.endswith(("Error", "Exception", "Warning")))
    )


def _of_member(member: Member, evaluator: Evaluator, settings: Settings) -> str | None:
    """Pytest asks for text first, then for numbers, then for an Enum: what ``str()`` gives depends on the bases."""
    bases = evaluator.mro(member.kind)
    names = [base.name for base in bases if isinstance(base, External)]
    if any(isinstance(base, Unknown) for base in bases):
        raise Undecided(f"the bases of {member.kind.name} are not known")
    odd = [name for name in names if name not in _ENUMS | _NUMBERS | _TEXTS | _NAMELESS_BASES]
    if odd:
        raise Undecided(f"{member.kind.name} derives from {odd[0]}")
    own = {name for base in bases if isinstance(base, Class) for name in base.namespace}
    if "enum.StrEnum" in names or _TEXTS & set(names):
        if "__new__" in own or not isinstance(member.value, str | bytes):
            raise Undecided(f"the value of {member.kind.name}.{member.name} is not known")
        return escaped(member.value, raw=settings.raw_ids)  # the text that it is, not what str() makes of it
    if "__str__" in own:
        return _called(member, evaluator)
    if {"enum.IntEnum", "enum.IntFlag", "enum.ReprEnum"} & set(names) and settings.python >= (3, 11):
        if "__new__" in own or type(member.value) is not int:
            raise Undecided(f"the value of {member.kind.name}.{member.name} is not known")
        return str(member.value)
    if "__new__" in own and _NUMBERS & set(names):
        raise Undecided(f"{member.kind.name} makes its own members")
    return f"{member.kind.name}.{member.name}"


def _called(member: Member, evaluator: Evaluator) -> str:
    found = evaluator.call(evaluator.attribute(member, "__str__"), [], {})
    if type(found) is not str:
        raise Undecided(found.reason if isinstance(found, Unknown) else f"str() of a {member.kind.name} is not known")
    return found


_BY_KIND: dict[type, Callable[[Any, Evaluator, Settings], str | None]] = {
    Unknown: _of_unknown,
    Function: _of_function,
    Bound: _of_named,
    Method: _of_method,
    Class: _of_named,
    Generator: _of_named,
    Module: _of_named,
    Fixture: _of_fixture,
    External: _of_external,
    Thing: _of_thing,
    Member: _of_member,
    Instance: _of_instance,
}
