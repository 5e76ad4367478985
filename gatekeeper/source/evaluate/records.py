"""Classes that are made without a ``class`` statement, and objects of tuples and dataclasses by their fields."""

from __future__ import annotations

import ast
import keyword

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.concrete import ATOMS, CONTAINERS
from gatekeeper.source.evaluate.frames import Raised
from gatekeeper.source.evaluate.standard import is_class
from gatekeeper.source.evaluate.values import (
    Binding,
    Class,
    External,
    Function,
    Instance,
    Member,
    Module,
    Thing,
    Unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value

_TUPLES = frozenset({"typing.NamedTuple", "collections.namedtuple"})
FIELDS = "__gatekeeper_fields__"


def synthesized(world: Interpreter, name: str, bases: tuple[Any, ...], names: dict[str, Any]) -> Class:
    """A class without a text."""
    module = world.running or Module("builtins", "", ast.Module([], []))
    node = ast.ClassDef(name=name, bases=[], keywords=[], body=[], decorator_list=[])
    node.lineno = node.end_lineno = node.col_offset = 0
    namespace = {one: Binding(value) for one, value in names.items()}
    return Class(node, module, name, bases, {}, namespace)


def make_class(world: Interpreter, name: str, bases: tuple[Any, ...], names: dict[Any, Any]) -> Any:
    """``type(name, bases, names)``."""
    if not all(isinstance(one, str) for one in names) or any(isinstance(base, Unknown) for base in bases):
        return Unknown("a class that type() makes")
    from gatekeeper.source.evaluate.classes import is_enum

    made = synthesized(world, name, bases or (External("builtins.object"),), names)
    return Unknown("an Enum that type() makes") if is_enum(world, made) else made


def _namedtuple(world: Interpreter, args: list[Any], kwargs: dict[str, Any]) -> Any:
    name, given = args[0], args[1] if len(args) > 1 else kwargs.get("field_names")
    if isinstance(given, str):
        given = given.replace(",", " ").split()
    if not isinstance(name, str) or not isinstance(given, list | tuple) or "rename" in kwargs:
        return Unknown("a named tuple that is not known")
    if not all(isinstance(one, str) and one.isidentifier() and not keyword.iskeyword(one) for one in given):
        return Unknown("a named tuple that is not known")
    defaults = kwargs.get("defaults") or ()
    if not isinstance(defaults, list | tuple) or len(defaults) > len(given):
        return Unknown("a named tuple that is not known")
    names: dict[str, Any] = {FIELDS: tuple(given)}
    names.update(zip(given[len(given) - len(defaults) :], defaults, strict=True))
    return synthesized(world, name, (External("typing.NamedTuple"),), names)


def _enum(kind: str) -> Callable[[Interpreter, list[Any], dict[str, Any]], Any]:
    """``Enum("Color", "RED GREEN")``."""

    def run(world: Interpreter, args: list[Any], kwargs: dict[str, Any]) -> Any:
        names = args[1] if len(args) > 1 else kwargs.get("names")
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        if not args or not isinstance(args[0], str) or kwargs.keys() - {"names", "module", "qualname"}:
            return Unknown("an Enum that is not known")
        if isinstance(names, dict):
            pairs: list[tuple[Any, ...]] = list(names.items())
        elif isinstance(names, list | tuple):
            pairs = [
                one if isinstance(one, tuple) else (one, _numbered(kind, one, index)) for index, one in enumerate(names)
            ]
        else:
            return Unknown("an Enum that is not known")
        if not all(len(pair) == 2 and isinstance(pair[0], str) for pair in pairs):  # noqa: PLR2004
            return Unknown("an Enum that is not known")
        made = synthesized(world, args[0], (External(kind),), {})
        made.namespace.update({name: Binding(value) for name, value in pairs})
        return made

    return run


def _numbered(kind: str, name: Any, index: int) -> Any:
    if kind == "enum.StrEnum":
        return name.lower() if isinstance(name, str) else name
    return 1 << index if "Flag" in kind else index + 1


def tuple_fields(world: Interpreter, cls: Class) -> tuple[str, ...] | None:
    """The fields of a class of named tuples; None for another class."""
    for base in world.mro(cls):
        if isinstance(base, Class) and any(isinstance(one, External) and one.name in _TUPLES for one in base.bases):
            made = base.namespace.get(FIELDS)
            return made.value if made is not None else tuple(_annotated(base))  # type: ignore[return-value]
    return None


def _annotated(cls: Class) -> list[str]:
    return [
        one.target.id for one in cls.node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    ]


def make_tuple(world: Interpreter, cls: Class, fields: tuple[str, ...], args: list[Any], kwargs: dict[str, Any]) -> Any:
    """An object of a named tuple."""
    if len(args) > len(fields) or not kwargs.keys() <= set(fields[len(args) :]):
        raise Raised("TypeError")
    given = dict(zip(fields, args, strict=False)) | kwargs
    for name in fields:
        if name not in given:
            default = world.lookup(cls, name)
            if default is None:
                raise Raised("TypeError")
            given[name] = default.value
    return Instance(cls, {name: given[name] for name in fields})


def _type(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if len(args) == 1 and not kwargs:
        return kind_of(args[0])
    name, bases, names = (*args, None, None, None)[:3]
    if isinstance(name, str) and isinstance(bases, tuple) and isinstance(names, dict) and not kwargs:
        return make_class(world, name, bases, names)
    return Unknown("a class that type() makes")


_LOOSE = frozenset(
    ("pandas.Index", "pandas.Timestamp", "pandas.Timedelta", "pandas.Period", "_pytest.python_api.ApproxBase")
)
"""Where what is made may be of another class than the one that is known: one that derives from it, NaT."""


def kind_of(value: Value) -> Value:
    """``type(value)``."""
    if isinstance(value, Instance | Member):
        return value.kind
    if isinstance(value, (*ATOMS, *CONTAINERS)):
        return External(_full(type(value)))
    if isinstance(value, Thing):
        loose = value.kind in _LOOSE
        return Unknown(f"which kind of {value.kind} it is") if loose else External(value.kind)
    if isinstance(value, Function):
        return External("types.FunctionType")
    if isinstance(value, External):
        known = is_class(value.name)
        return Unknown("a type that is not known") if known is None else External(_full(type(known)))
    return value if isinstance(value, Unknown) else Unknown("a type that is not known")


def _full(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _new_class(world: Interpreter, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """``types.new_class(name, bases, kwds, exec_body)``."""
    given = dict(zip(("name", "bases", "kwds", "exec_body"), args, strict=False)) | kwargs
    names: dict[Any, Any] = {}
    if given.get("kwds") or not isinstance(given.get("name"), str) or not isinstance(given.get("bases", ()), tuple):
        return Unknown("a class that types.new_class() makes")
    if given.get("exec_body") is not None and isinstance(world.call(given["exec_body"], [names], {}), Unknown):
        return Unknown("a class that types.new_class() makes")
    if isinstance(world.sound(names), Unknown):
        return Unknown("a class that types.new_class() makes")
    return make_class(world, given["name"], given.get("bases", ()), names)


MAKERS: dict[str, Callable[[Interpreter, list[Any], dict[str, Any]], Any]] = {
    "collections.namedtuple": _namedtuple,
    "types.new_class": _new_class,
    "builtins.type": _type,
    **{f"enum.{kind}": _enum(f"enum.{kind}") for kind in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")},
}
"""Functions that make classes, by full dotted name."""
