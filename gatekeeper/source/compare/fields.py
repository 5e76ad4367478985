"""Classes made of fields: the constructor, the order and the hash that follow from them."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.compare.functions import call_notes
from gatekeeper.source.compare.kinds import Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

CONSTRUCTED = frozenset(("dataclass", "attrs", "namedtuple"))
"""Flavours whose constructor comes from their fields."""

_ON_BY_DEFAULT = frozenset(("eq", "total", "match_args", "init", "repr"))


def on(key: str, value: object) -> bool:
    """Whether an option is on, given its canonical value; None where it is not written, so that its default counts."""
    if value is None:
        return key in _ON_BY_DEFAULT
    return bool(value == ["bool", True])


def field_notes(name: str, old: dict[str, Any], new: dict[str, Any], *, written: bool) -> Iterator[Note]:
    """What differs between the fields of two class payloads; ``written``: the class has a constructor of its own."""
    before = {row[0]: row for row in old.get("fields") or ()}
    after = {row[0]: row for row in new.get("fields") or ()}
    if list(before.values()) == list(after.values()) or old.get("flavour") != new.get("flavour"):
        return
    flavour = str(old.get("flavour"))
    kept = [field for field in before if field in after]
    if flavour in CONSTRUCTED:
        yield from _constructor(name, old, new, written=written)
    if flavour == "enum":
        # automatic values are counted from the top: what comes or goes above a member moves it
        places = [{field: place for place, field in enumerate(fields)} for fields in (before, after)]
        if any(places[0][field] != places[1][field] for field in kept):
            yield Note("enum-auto-reordered", "members have other automatic values")
        return
    if kept != [field for field in after if field in before]:
        yield Note("field-order-changed", "fields are in another order")
    elif flavour == "namedtuple" and [*after][: len(before)] != [*before] and kept == [*before]:
        yield Note("field-order-changed", "a field came between others")
    elif flavour == "namedtuple" and _appended(before, after):
        yield Note("tuple-length-changed", "it unpacks into more values")
    for field in kept:
        options_before, options_after = (_rest(row[field][3]) for row in (before, after))
        if options_before != options_after:
            yield Note("field-option-changed", f"the options of {field!r} differ")


def _appended(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether optional fields came after all others; a required one is told by the constructor."""
    added = [row for field, row in after.items() if field not in before]
    return bool(added) and before.keys() <= after.keys() and not any(map(_required, added))


def _rest(options: dict[str, Any] | None) -> dict[str, Any]:
    """The options of a field that its place in the constructor does not say already."""
    return {key: value for key, value in (options or {}).items() if key not in ("init", "kw_only", "alias")}


def _constructor(name: str, old: dict[str, Any], new: dict[str, Any], *, written: bool) -> Iterator[Note]:
    made = not written and all(on("init", (row.get("keywords") or {}).get("@init")) for row in (old, new))
    notes = list(call_notes(name, _signature(old), _signature(new))) if made else []
    kinds = {note.kind for note in notes}
    before = {row[0] for row in old.get("fields") or ()}
    added = [row for row in new.get("fields") or () if row[0] not in before]
    for note in notes:
        if note.kind == "call-rejected" and any(_required(row) for row in added):
            yield note._replace(kind="field-added-required")
        elif note.kind == "param-added-optional":
            yield note._replace(kind="field-added-optional")
        elif not note.kind.startswith("ann-"):  # fields are attributes too, and their rows say it
            yield note
    lost = before - {row[0] for row in new.get("fields") or ()}
    if lost and "call-rejected" not in kinds:
        yield Note("field-removed", f"fields removed: {', '.join(sorted(lost))}")
    if added and not kinds & {"call-rejected", "param-added-optional"}:
        yield Note("field-added-optional", f"fields added: {', '.join(row[0] for row in added)}")


def _required(row: Sequence[Any]) -> bool:
    return row[2] is None and (row[3] or {}).get("init", True) is not False


def _signature(payload: dict[str, Any]) -> list[list[Any]]:
    """The parameters of the constructor that a class gets from its fields."""
    both: list[list[Any]] = []
    only: list[list[Any]] = []
    for field, annotation, default, options in payload.get("fields") or ():
        chosen = options or {}
        if chosen.get("init", True) is False:
            continue
        keyword = chosen.get("kw_only", False)
        name = chosen.get("alias") or field
        (only if keyword else both).append(["kwo" if keyword else "pok", name, default, annotation])
    return both + sorted(only, key=lambda row: str(row[1]))


def only_types(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether two class payloads differ in nothing but what the rows of their members say: types, new enum members."""
    if old.get("flavour") == "enum":
        return {**old, "fields": []} == {**new, "fields": []}
    before, after = ([[row[0], row[2], row[3]] for row in payload.get("fields") or ()] for payload in (old, new))
    return {**old, "fields": before} == {**new, "fields": after}


def hashable(payload: dict[str, Any]) -> bool:
    """Whether instances can be hashed: a class made of fields compares by value, and only a frozen one has both."""
    if payload.get("flavour") not in ("dataclass", "attrs"):
        return True
    options = payload.get("keywords") or {}
    given = {key.removeprefix("@"): value for key, value in options.items()}
    chosen = [key for key in ("frozen", "unsafe_hash", "hash") if on(key, given.get(key))]
    return bool(chosen) or not on("eq", given.get("eq"))


def constructor(payload: dict[str, Any]) -> list[list[Any]] | None:
    """The parameters of a class's constructor where no ``__init__`` says them; None where they cannot be known."""
    if payload.get("flavour") in CONSTRUCTED:
        return _signature(payload)
    if payload.get("external") or payload.get("flavour") != "plain" or (payload.get("keywords") or {}).get("metaclass"):
        return None
    return []
