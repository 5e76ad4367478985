"""What differs between the rows of one symbol that both sides have: its variants, one pair after another."""

from __future__ import annotations

from itertools import pairwise

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.compare.attributes import attribute_notes
from gatekeeper.source.compare.classes import class_notes
from gatekeeper.source.compare.fields import CONSTRUCTED, hashable, only_types
from gatekeeper.source.compare.functions import function_notes
from gatekeeper.source.compare.kinds import Note
from gatekeeper.source.compare.variants import exhaustive, flags_of, guard_note, kind_note, paired, same

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gatekeeper.source.compare.lookup import Surface
    from gatekeeper.source.rows import Row

    Found = Iterator[tuple[Note, Row, Row]]

_MOST_VARIANTS = 400
_OWN = ("__init__", "__new__")


class Symbols:
    """Compares the symbols of two surfaces, each by the path that it has on both."""

    def __init__(self, old: Surface, new: Surface) -> None:
        self._old = old
        self._new = new

    def notes(self, path: str, old: Sequence[Row], new: Sequence[Row]) -> Found:
        """Every difference, with the two rows that it is between."""
        if len(old) + len(new) > _MOST_VARIANTS:
            # pairing them is quadratic: a name built to have thousands would use up the deadline
            if not same(old, new):
                yield Note("surface-changed", "its variants differ, and are too many to compare"), old[0], new[0]
        elif _everywhere(old, new) or _everywhere(new, old):
            yield from self._whole(path, old, new)
        else:
            yield from self._variants(path, old, new)

    def _whole(self, path: str, old: Sequence[Row], new: Sequence[Row]) -> Found:
        """One definition without a condition on one side, one for every condition on the other."""
        for before in old:
            for after in new:
                yield from (
                    (note, before, after) for note in self._pair(path, before, after._replace(guard=before.guard))
                )

    def _variants(self, path: str, old: Sequence[Row], new: Sequence[Row]) -> Found:
        pairs, lost, gained = paired(old, new)
        for before, after in pairs:
            for note in self._pair(path, before, after):
                yield note, before, after
        if _reordered(pairs):
            yield (
                Note("overload-reordered", "a type checker takes the first that fits, and the order differs"),
                *pairs[0],
            )
        always = _unconditional(new)
        for row in lost:
            if always is not None and row.guard and row.kind == always.kind:
                # what held under a condition is now what holds without one
                yield from ((note, row, always) for note in self._pair(path, row._replace(guard=""), always))
            else:
                yield Note(_kind(row, "removed"), f"{_variant(row)} is gone"), row, row
        always = _unconditional(old)
        for row in gained:
            if always is not None and row.guard and row.kind == always.kind:
                yield from ((note, always, row) for note in self._pair(path, always, row))
            elif always is not None and row.guard and "alias" in (row.kind, always.kind):
                yield Note("guard-changed", f"it is something else under {row.guard} now"), always, row
            elif always is not None and row.guard:
                # what stands beside it under a condition replaces it there
                yield from ((note, always, row) for note in kind_note(always, row))
            else:
                yield Note(_kind(row, "added"), f"{_variant(row)} is new"), row, row

    def told(self, path: str, *rows: Row) -> bool:
        """Whether rows of a member are those of a field whose class says in its own row what became of it."""
        parent, _, name = path.rpartition(".")
        owners = (self._old.class_at(parent), self._new.class_at(parent))
        if any(owner is None or owner.payload["flavour"] not in CONSTRUCTED for owner in owners):
            return False
        fields = {field[0] for owner in owners if owner is not None for field in owner.payload["fields"]}
        return name in fields and all(row.kind == "attribute" for row in rows)

    def _pair(self, path: str, old: Row, new: Row) -> Iterator[Note]:
        if old.guard != new.guard:
            yield guard_note(old.guard, new.guard)
        if old.kind != new.kind:
            yield from kind_note(old, new)
        elif old.payload != new.payload:
            found = list(self._payloads(path, old, new))
            if not found and _alone(old) == _alone(new):
                return  # it became one of several, or the only one: the others are told for themselves
            if not found and old.kind == "attribute" and self.told(path, old, new):
                return
            if not found and old.kind == "class" and only_types(old.payload, new.payload):
                return
            # a payload that moved without a kind is a hole in the kinds, never a pass
            yield from found or [Note("surface-changed", "it differs in a way that has no name")]

    def _payloads(self, path: str, old: Row, new: Row) -> Iterator[Note]:
        parent, _, name = path.rpartition(".")
        if old.kind == "function":
            called = parent.rpartition(".")[2] if name in _OWN else name
            yield from function_notes(called, old.payload, new.payload)
        elif old.kind == "class":
            yield from self._classes(path, name, old, new)
        elif old.kind == "attribute":
            owner = self._old.class_at(parent)
            flavour = "" if owner is None else str(owner.payload.get("flavour"))
            told = self.told(path, old, new)
            notes = attribute_notes(name, old.payload, new.payload, flavour=flavour)
            yield from (note for note in notes if not told or note.kind != "const-value-changed")
        else:
            yield Note("alias-target-changed", f"now names {new.payload.get('of')}")

    def _classes(self, path: str, name: str, old: Row, new: Row) -> Iterator[Note]:
        sides = ((self._old, old), (self._new, new))
        # a constructor that is written out takes the place of the one that fields make
        written = any(f"{path}.{own}" in side.symbols for side, _ in sides for own in _OWN)
        notes = list(class_notes(name, old.payload, new.payload, written=written))
        yield from notes
        before, after = (f"{path}.__hash__" in side.symbols or hashable(row.payload) for side, row in sides)
        if before and not after and all(note.kind != "hash-removed" for note in notes):
            yield Note("hash-removed", "instances could be hashed, and no longer can")


def _alone(row: Row) -> object:
    """A function as if it had no overloads."""
    if row.kind != "function":
        return row
    return {**row.payload, "flags": [flag for flag in row.payload["flags"] if flag != "overload"]}


def _reordered(pairs: Sequence[tuple[Row, Row]]) -> bool:
    """Whether overloads that stayed as they were come in another order."""
    kept = sorted(
        (old.ordinal, new.ordinal) for old, new in pairs if old.payload == new.payload and "overload" in flags_of(old)
    )
    return any(one[1] > other[1] for one, other in pairwise(kept))


def _everywhere(one: Sequence[Row], other: Sequence[Row]) -> bool:
    return (
        len(one) == 1
        and not one[0].guard
        and len(other) > 1
        and not any("overload" in flags_of(row) for row in (*one, *other))
        and all(row.guard for row in other)
        and exhaustive(other)
    )


def _unconditional(rows: Sequence[Row]) -> Row | None:
    return next((row for row in rows if not row.guard and "overload" not in flags_of(row)), None)


def _kind(row: Row, verb: str) -> str:
    return f"overload-{verb}" if "overload" in flags_of(row) else f"symbol-{verb}"


def _variant(row: Row) -> str:
    return "an overload" if "overload" in flags_of(row) else f"the variant {row.guard or 'without a condition'}"
