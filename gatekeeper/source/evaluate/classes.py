"""Classes of the tree: their order of resolution, their members, their instances."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.calls import call_function
from gatekeeper.source.evaluate.concrete import is_concrete
from gatekeeper.source.evaluate.frames import Raised, Undecided
from gatekeeper.source.evaluate.records import make_tuple, tuple_fields
from gatekeeper.source.evaluate.values import Class, External, Function, Instance, Member, Unknown
from gatekeeper.source.evaluate.wellknown import made_by_its_own

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Binding, Value

_MAX_BASES = 200
_OBJECT = External("builtins.object")
_ENUMS = frozenset(f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"))
_PLAIN = frozenset(
    (
        "builtins.object",
        "abc.ABC",
        *(f"typing.{name}" for name in ("Generic", "Protocol", "NamedTuple")),
    )
)

_MAX_MERGED = 1_000
"""Classes that the bases of one class have above them; merging them takes the square of it and more."""


def mro(world: Interpreter, cls: Class, depth: int = 0) -> tuple[Value, ...]:
    """``cls.__mro__`` by the C3 rule, with External and Unknown bases as they are; ``object`` left out."""
    if depth > _MAX_BASES:
        return (cls, Unknown("a hierarchy that is too deep"))
    kept = world.orders.get(id(cls))
    if kept is not None:
        return kept[1]
    bases = [base for base in cls.bases if base != _OBJECT]
    sequences = [list(mro(world, base, depth + 1)) if isinstance(base, Class) else [base] for base in bases]
    found: tuple[Value, ...]
    if len(bases) == 1:
        found = (cls, *sequences[0])
    elif sum(map(len, sequences)) > _MAX_MERGED:
        found = (cls, Unknown("a hierarchy that is too wide"))
    else:
        found = (cls, *_merged([*sequences, bases]))
    world.orders[id(cls)] = (cls, found)
    return found


def _merged(sequences: list[list[Value]]) -> Iterator[Value]:
    sequences = [one for one in sequences if one]
    while sequences:
        for one in sequences:
            head = one[0]
            if not any(_holds(other[1:], head) for other in sequences):
                break
        else:
            yield Unknown("bases that have no consistent order")
            return
        yield head
        sequences = [rest for rest in (one[1:] if _same(one[0], head) else one for one in sequences) if rest]


def _holds(items: Sequence[Value], wanted: Value) -> bool:
    return any(_same(one, wanted) for one in items)


def _same(left: Value, right: Value) -> bool:
    return left is right or (isinstance(left, External) and left == right)


def lookup(world: Interpreter, cls: Class, name: str) -> Binding | None:
    """What ``cls.name`` is bound to over the classes of the tree; None where none binds it."""
    for one in mro(world, cls):
        if isinstance(one, Class) and name in one.namespace:
            return one.namespace[name]
    return None


def is_open(world: Interpreter, cls: Class) -> bool:
    """Whether something outside the tree that is not known may give the class more attributes."""
    return any(
        isinstance(one, Unknown) or (isinstance(one, External) and one.name not in _PLAIN | _ENUMS)
        for one in mro(world, cls)
    )


def is_enum(world: Interpreter, cls: Class) -> bool:
    """Whether a class is an enumeration."""
    return any(isinstance(one, External) and one.name in _ENUMS for one in mro(world, cls))


def members(world: Interpreter, cls: Class) -> dict[str, Member] | None:
    """The members of an enumeration by name, aliases too; None where they are not known."""
    kept = world.enums.get(id(cls))
    if kept is not None:
        return kept[1]
    found: dict[str, Member] = {}
    last = 0
    text = any(isinstance(one, External) and one.name in ("enum.StrEnum", "builtins.str") for one in mro(world, cls))
    flag = any(isinstance(one, External) and one.name in ("enum.Flag", "enum.IntFlag") for one in mro(world, cls))
    if any(name in cls.namespace for name in ("_generate_next_value_", "_missing_", "__new__", "_ignore_")):
        return None
    for name, binding in cls.namespace.items():
        value = binding.value
        if name.startswith("_") or isinstance(value, Function | Class) or name in _nested(cls):
            continue
        if binding.conditions:
            return None
        if isinstance(value, External) and value.name == "enum.auto()":
            value = name.lower() if text else 1 << last.bit_length() if flag else last + 1
        if isinstance(value, int):
            last = max(last, value) if not flag else value
        same = next((one for one in found.values() if is_concrete(value) and _equal(one.value, value)), None)
        found[name] = Member(cls, name, value) if same is None else same
    world.enums[id(cls)] = (cls, found)
    return found


def _nested(cls: Class) -> set[str]:
    return {one.name for one in cls.node.body if isinstance(one, ast.ClassDef)}


def _equal(left: Value, right: Value) -> bool:
    return type(left) is type(right) and left == right


def construct(world: Interpreter, cls: Class, args: Sequence[Value], kwargs: Mapping[str, Value]) -> Value:
    """``cls(...)``: an instance, with the attributes that its ``__init__`` or its fields give it."""
    if is_enum(world, cls):
        return _by_value(world, cls, args)
    known = made_by_its_own(cls.module.name, cls.qualname)
    if known is not None:
        return known
    order = mro(world, cls)
    if any(isinstance(one, Unknown) for one in order) or cls.wrappers:
        return (
            Instance(cls)
            if not any(isinstance(one, Unknown) for one in order)
            else Unknown("an object of a class that is not known")
        )
    made = Instance(cls)
    init = lookup(world, cls, "__init__")
    if lookup(world, cls, "__new__") is not None or "metaclass" in cls.keywords:
        return Unknown(f"an object that {cls.name} makes in its own way")
    fields = tuple_fields(world, cls)
    if fields is not None:
        return make_tuple(world, cls, fields, list(args), dict(kwargs))
    if init is not None and isinstance(init.value, Function):
        try:
            call_function(world, init.value, (made, *args), kwargs)
        except Undecided:
            made.attributes.clear()
        return made
    for name, value in zip(_fields(cls), args, strict=False):
        made.attributes[name] = value
    made.attributes.update(kwargs)
    return made


def _fields(cls: Class) -> list[str]:
    return [
        node.target.id
        for node in cls.node.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]


def _by_value(world: Interpreter, cls: Class, args: Sequence[Value]) -> Value:
    found = members(world, cls)
    if found is not None and len(args) == 1 and is_concrete(args[0]):
        for one in found.values():
            if is_concrete(one.value) and one.value == args[0]:
                return one
        raise Raised("ValueError")
    return Unknown(f"a member of {cls.name}")
