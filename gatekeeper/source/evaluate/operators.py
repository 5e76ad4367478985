"""Operators on values: real ones on what is known, Unknown for the rest."""

from __future__ import annotations

import ast
import datetime as dt
import operator
import re

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.concrete import (
    IDENTITIES,
    MAX_BITS,
    MAX_ITEMS,
    MAX_TEXT,
    bounded,
    is_concrete,
    is_key,
)
from gatekeeper.source.evaluate.frames import Raised
from gatekeeper.source.evaluate.standard import is_class, same
from gatekeeper.source.evaluate.values import (
    Class,
    External,
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

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatekeeper.source.evaluate.values import Value

BINARY: dict[type[ast.operator], Callable[[object, object], object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
}
UNARY: dict[type[ast.unaryop], Callable[..., object]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}
_ORDER: dict[type[ast.cmpop], Callable[..., object]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_DIRECT: dict[type[ast.cmpop], Callable[..., object]] = {**_ORDER, ast.Eq: operator.eq, ast.NotEq: operator.ne}
PLAIN = frozenset((bool, int, float, str, bytes, type(None)))
"""Types of which every value is known through and through: most of what is compared is of one of them."""
_ALWAYS_TRUE = (Function, Module, Method, Mark, Param, Partial, Generator)
_PATH = Thing("pathlib.PosixPath")
_MOMENTS = (Thing("datetime.date"), Thing("datetime.datetime"))
_UNKNOWN = Unknown("computed from something that is not known")
_SEQUENCES = (list, tuple)


def binary(kind: type[ast.operator], left: Value, right: Value) -> Value:
    """``left <kind> right``.

    Raises:
        Raised: for real operands that do not go together.
    """
    if isinstance(left, _SEQUENCES) and isinstance(right, _SEQUENCES) and kind is ast.Add and type(left) is type(right):
        return bounded(left + right) if len(left) + len(right) <= MAX_ITEMS else _UNKNOWN  # type: ignore[operator]
    if isinstance(left, _SEQUENCES) and type(right) is int and kind is ast.Mult:
        return left * right if len(left) * right <= MAX_ITEMS else _UNKNOWN
    if kind is ast.BitOr and (_is_type(left) or _is_type(right)):
        return Thing("types.UnionType")
    if not (is_concrete(left) and is_concrete(right)):
        return _of_things(kind, left, right)
    if not _is_small(kind, left, right):
        return Unknown("a value that is too large")
    return _real(BINARY[kind], left, right)


def _of_things(kind: type[ast.operator], left: Value, right: Value) -> Value:
    """A path below one that is only known to be a path; a moment before or after one that is only known to be one."""
    if kind is ast.Div and left == _PATH and isinstance(right, str):
        return left
    if kind in (ast.Add, ast.Sub) and left in _MOMENTS and isinstance(right, dt.timedelta):
        return left
    if kind is ast.Add and right in _MOMENTS and isinstance(left, dt.timedelta):
        return right
    return _UNKNOWN


def _is_type(value: Value) -> bool:
    return isinstance(value, Class) or (isinstance(value, External) and value.name.startswith("builtins."))


def _is_small(kind: type[ast.operator], left: Value, right: Value) -> bool:
    """Whether the result stays small: ``10**10**10`` takes the memory of a machine."""
    if kind is ast.Mult:
        count, other = (left, right) if isinstance(left, int) else (right, left)
        if isinstance(count, int) and isinstance(other, str | bytes | list | tuple):
            return len(other) * count <= (MAX_TEXT if isinstance(other, str | bytes) else MAX_ITEMS)
    if isinstance(left, int) and isinstance(right, int):
        if kind is ast.Pow:
            return abs(right) * max(left.bit_length(), 1) <= MAX_BITS
        if kind is ast.LShift:
            return right <= MAX_BITS
        if kind is ast.Mult:
            return left.bit_length() + right.bit_length() <= MAX_BITS
    if kind is ast.Mod and isinstance(left, str | bytes):
        # A width in the format may ask for gigabytes.
        return len(left) < _SHORT and _WIDE.search(left if isinstance(left, str) else left.decode("latin-1")) is None
    return True


_SHORT = 1000
_WIDE = re.compile(r"%[^a-zA-Z%]*(\d{5}|\*)")


def unary(kind: type[ast.unaryop], value: Value) -> Value:
    """``<kind> value``, ``not`` left out."""
    return _real(UNARY[kind], value) if is_concrete(value) else _UNKNOWN


def _real(call: Callable[..., object], *values: Value) -> Value:
    try:
        return bounded(call(*values))
    except (ArithmeticError, TypeError, ValueError, LookupError) as error:
        raise Raised(type(error).__name__) from None


def compare(kind: type[ast.cmpop], left: Value, right: Value) -> Value:
    """``left <kind> right``: a bool, or Unknown."""
    if type(left) in PLAIN and type(right) in PLAIN and kind in _DIRECT:
        return _real(_DIRECT[kind], left, right)
    if kind in (ast.Is, ast.IsNot):
        same = is_same(left, right)
        return _UNKNOWN if same is None else same is (kind is ast.Is)
    if kind in (ast.In, ast.NotIn):
        inside = _contains(right, left)
        return _UNKNOWN if inside is None else inside is (kind is ast.In)
    if kind in (ast.Eq, ast.NotEq):
        equal = is_equal(left, right)
        return _UNKNOWN if equal is None else equal is (kind is ast.Eq)
    if is_concrete(left) and is_concrete(right):
        return _real(_ORDER[kind], left, right)
    return _UNKNOWN


def is_same(left: Value, right: Value) -> bool | None:
    """``left is right``, None where it is not known."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return None
    if isinstance(left, External) or isinstance(right, External):
        if isinstance(left, External) and isinstance(right, External):
            return True if left == right else same(left.name, right.name)  # two names may mean one object
        other = right if isinstance(left, External) else left
        external = left if isinstance(left, External) else right
        # what stands at the top of an import is a module
        known = isinstance(external, External) and (
            external.name.startswith("builtins.") or "." not in external.name or is_class(external.name) is not None
        )
        return False if known or isinstance(other, Function | Class) else None
    if left is None or right is None or isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, IDENTITIES) or isinstance(right, IDENTITIES):
        return left is right
    return None


def is_equal(left: Value, right: Value) -> bool | None:
    """``left == right``, None where it is not known."""
    if is_concrete(left) and is_concrete(right):
        return bool(left == right)
    same = is_same(left, right)
    if same is None or not same:
        # an object of the tree may define __eq__, and one from outside may be anything
        simple = all(isinstance(one, IDENTITIES) or is_concrete(one) for one in (left, right))
        mixed = isinstance(left, Member) or isinstance(right, Member)
        return None if same is None or not simple or (mixed and type(left) is not type(right)) else False
    return True


def _contains(container: Value, item: Value) -> bool | None:
    if isinstance(container, str | bytes | range) and is_concrete(item):
        return _real(operator.contains, container, item)  # type: ignore[return-value]
    if isinstance(container, dict | set | frozenset):
        if not is_key(item):
            return None
        if item in container or not isinstance(item, External):
            return item in container
        found = [is_same(one, item) for one in container if isinstance(one, External | Unknown)]
        return True if True in found else None if None in found else False
    if isinstance(container, _SEQUENCES):
        found = [is_equal(one, item) for one in container]
        return True if True in found else None if None in found else False
    return None


def truth(value: Value) -> bool | None:
    """``bool(value)``, None where it is not known."""
    if type(value) in PLAIN:
        return bool(value)
    if isinstance(value, Unknown | Thing):
        return None
    if isinstance(value, External):
        return True if value.name.startswith("builtins.") else None
    if isinstance(value, Class):
        return True
    if isinstance(value, Instance | Member):
        return None if "__bool__" in _names(value.kind) or "__len__" in _names(value.kind) else _plain_truth(value)
    if isinstance(value, _ALWAYS_TRUE):
        return True
    try:
        return bool(value)
    except (TypeError, ValueError):
        return None


def _plain_truth(value: Instance | Member) -> bool | None:
    known = isinstance(value, Instance) and all(isinstance(base, Class) for base in value.kind.bases)
    return True if known or isinstance(value, Member) else None


def _names(kind: Class) -> set[str]:
    found = set(kind.namespace)
    for base in kind.bases:
        if isinstance(base, Class):
            found |= _names(base)
    return found
