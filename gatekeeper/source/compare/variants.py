"""Variants of one symbol: which of two sides belong together, and what it means that one changed its nature."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.compare.kinds import Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from gatekeeper.source.rows import Row

    Alike = Callable[[Row, Row], bool]

_AND = " and "


def flags_of(row: Row) -> Sequence[str]:
    """The flags of a function row; none for others."""
    payload: Any = row.payload
    return payload.get("flags") or () if isinstance(payload, dict) else ()


def same(old: Sequence[Row], new: Sequence[Row]) -> bool:
    """Whether two lists of rows of one path say the same; where they were written does not count."""
    return len(old) == len(new) and all(
        a.kind == b.kind and a.guard == b.guard and a.ordinal == b.ordinal and a.payload == b.payload
        for a, b in zip(old, new, strict=True)
    )


def paired(old: Sequence[Row], new: Sequence[Row]) -> tuple[list[tuple[Row, Row]], list[Row], list[Row]]:
    """Variants of one symbol that belong together: equal ones, then those of one condition, then those left over."""
    lost, gained = list(old), list(new)
    pairs: list[tuple[Row, Row]] = []
    for alike in _ALIKE:
        for before in tuple(lost):
            after = next((row for row in gained if alike(before, row)), None)
            if after is not None:
                pairs.append((before, after))
                lost.remove(before)
                gained.remove(after)
    return pairs, lost, gained


_ALIKE: tuple[Alike, ...] = (
    lambda a, b: (a.guard, a.kind) == (b.guard, b.kind) and a.payload == b.payload,
    lambda a, b: a.guard == b.guard and ("overload" in flags_of(a)) == ("overload" in flags_of(b)),
    lambda a, b: a.kind == b.kind and a.payload == b.payload,
    lambda a, b: a.guard == b.guard,
    lambda a, b: ("overload" in flags_of(a)) == ("overload" in flags_of(b)),
)
"""What makes two variants a pair, the surest sign first."""


def exhaustive(rows: Sequence[Row]) -> bool:
    """Whether one of the variants holds whatever the condition: one under it and one under its opposite, and so on."""
    guards = {row.guard for row in rows}
    pending = list(guards)
    while pending:
        guard = pending.pop()
        if not guard:
            return True
        for start in _starts(guard):
            opposite = guard[:start] + ("not TC" if guard[start:] == "TC" else f"not ({guard[start:]})")
            both = guard[:start].removesuffix(_AND)
            if opposite in guards and both not in guards:
                guards.add(both)
                # what has an opposite may come from either of the two
                pending.extend(guards)
    return False


def _starts(guard: str) -> list[int]:
    """Where the last part of a condition may begin: a part may hold an " and " of its own."""
    places = [0]
    while (place := guard.find(_AND, places[-1])) >= 0:
        places.append(place + len(_AND))
    return places


def guard_note(old: str, new: str) -> Note:
    """The note about a condition that changed."""
    if "TC" in new and "TC" not in old and "not TC" not in new:
        return Note("became-type-checking-only", "it exists for type checkers only now")
    return Note("guard-changed", f"it was defined under {old or 'no condition'}, now under {new or 'no condition'}")


def kind_note(old: Row, new: Row) -> Iterator[Note]:
    """A function that became an attribute, an attribute that became a class, and so on."""
    if {old.kind, new.kind} == {"attribute", "alias"}:
        yield Note("const-value-changed", f"was {old.kind}, is {new.kind}")
    else:
        yield Note("kind-changed", f"was a {old.kind}, is {'an' if new.kind[0] in 'aeiou' else 'a'} {new.kind}")


REASONS = {
    "syntax": "it does not parse here",
    "encoding": "it is not plain UTF-8 text",
    "cookie": "its coding cookie is not UTF-8",
    "too-big": "it is too large",
    "too-deep": "it nests too deeply",
    "killed": "it ended the process that read it",
    "timeout": "it took too long to read",
}
"""Why a source cannot be read, in words."""

_OTHER = {
    "typed": ("marker-removed", "marker-added", "surface-changed"),
    "getattr": ("getattr-changed", "getattr-changed", "getattr-changed"),
    "missing": ("missing-removed", "missing-added", "surface-changed"),
    "unparseable": ("unparseable-removed", "became-unparseable", "unparseable-changed"),
    "too-deep": ("opaque-removed", "too-deep", "opaque-changed"),
}


def other_note(kind: str, *, before: bool, after: bool) -> Note:
    """The note about a row that is no symbol, by which sides have it."""
    removed, added, changed = _OTHER.get(kind, ("opaque-removed", "became-opaque", "opaque-changed"))
    said = {
        "typed": "the py.typed marker",
        "getattr": "__getattr__ or __dir__ of the module",
        "missing": "a name of __all__ that nothing binds",
        "unparseable": "source that cannot be read",
    }.get(kind, "what the module does to its own names at run time")
    if before and after:
        return Note(changed, f"{said} differs")
    return Note(removed, f"{said} is gone") if before else Note(added, f"{said} is new")
