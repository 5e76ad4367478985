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
    from typing import Any

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


def is_concrete(value: Value) -> bool:
    """Whether a value is a real object through and through, and is so small when it is written out.

    Sixty lines of ``X = [X, X]`` make a list that nobody can print, compare or hash.
    """
    return isinstance(value, ATOMS) or (isinstance(value, CONTAINERS) and _weight(value, ATOMS, {}, 0) > 0)


def is_key(value: Value) -> bool:
    """Whether a value can be compared with others and hashed."""
    if isinstance(value, tuple | frozenset):
        return _weight(value, _KEYS, {}, 0) > 0
    return isinstance(value, _KEYS) and not isinstance(value, slice)


def _weight(value: Any, atoms: tuple[type, ...], known: dict[int, int], depth: int) -> int:
    """How many values a container holds, those in what it holds as well; 0 where one is of another kind, or too many.

    What holds itself is counted as 0.
    """
    key = id(value)
    if key in known:
        return known[key]
    known[key] = 0
    if depth > _DEPTH:
        return 0
    total = 1 + len(value)
    for one in (*value, *value.values()) if isinstance(value, dict) else value:
        if not isinstance(one, atoms):
            inner = _weight(one, atoms, known, depth + 1) if isinstance(one, _inner(atoms)) else 0
            if not inner:
                return 0
            total += inner
    known[key] = total if total <= MAX_WEIGHT else 0
    return known[key]


def _inner(atoms: tuple[type, ...]) -> tuple[type, ...]:
    """The containers that may be in a container: those that can be hashed in one that is."""
    return (tuple, frozenset) if atoms is _KEYS else CONTAINERS


_KEYS = (*ATOMS, *IDENTITIES)
MAX_WEIGHT = 4_000_000


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
