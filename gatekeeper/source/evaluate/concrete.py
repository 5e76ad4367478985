"""Which values are known through and through, and how large they may grow."""

from __future__ import annotations

import datetime as dt
import decimal
import fractions
import pathlib
import re
import uuid

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.values import Class, External, Function, Member, Module, Unknown

if TYPE_CHECKING:
    from gatekeeper.source.evaluate.values import Value

ATOMS = (
    *(int, str, bytes, float, complex, type(None), type(...), range, re.Pattern),
    *(decimal.Decimal, fractions.Fraction, dt.date, dt.time, dt.timedelta, dt.timezone),
    *(uuid.UUID, pathlib.PurePosixPath, slice),
)
CONTAINERS = (list, tuple, dict, set, frozenset)
MUTABLE = (list, dict, set, bytearray)
IDENTITIES = (Function, Class, External, Member, Module)
"""Stand-ins that are equal to nothing but themselves: they can be keys."""
MAX_ITEMS = 400_000
MAX_TEXT = 1 << 20
MAX_BITS = 1 << 14
_DEPTH = 40


def is_concrete(value: Value, depth: int = 0) -> bool:
    """Whether a value is a real object through and through."""
    if isinstance(value, ATOMS):
        return True
    if depth > _DEPTH:
        return False
    if isinstance(value, dict):
        return all(is_concrete(key, depth + 1) and is_concrete(one, depth + 1) for key, one in value.items())
    if isinstance(value, CONTAINERS):
        return all(is_concrete(one, depth + 1) for one in value)
    return False


def is_key(value: Value) -> bool:
    """Whether a value can be compared with others and hashed."""
    if isinstance(value, IDENTITIES):
        return True
    if isinstance(value, tuple | frozenset):
        return all(is_key(one) for one in value)
    return isinstance(value, ATOMS) and not isinstance(value, slice)


def is_bounded(value: Value) -> bool:
    """Whether a result is of a size that a source may build."""
    if isinstance(value, int):
        return value.bit_length() <= MAX_BITS
    if isinstance(value, str | bytes | bytearray):
        return len(value) <= MAX_TEXT
    if isinstance(value, CONTAINERS):
        return len(value) <= MAX_ITEMS
    return True


def bounded(value: Value) -> Value:
    """The value, or Unknown where it is too large."""
    return value if is_bounded(value) else Unknown("a value that is too large")
