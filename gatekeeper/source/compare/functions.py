"""What changed between two functions of one name: calls first, then defaults, annotations and flags."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.compare.annotations import compared
from gatekeeper.source.compare.kinds import Note
from gatekeeper.source.compare.signatures import EITHER, KEYWORD, POSITIONAL, Signature, differences, parameters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

_MOST_PARAMETERS = 400
_BINDING = frozenset(("static", "class", "property"))
_FLAGS = {
    "async": ("async-added", "async-removed"),
    "gen": ("gen-added", "gen-removed"),
    "abstract": ("abstract-added", "abstract-removed"),
    "final": ("final-added", "final-removed"),
    "cached": ("cached-added", "cached-removed"),
    "ctxmgr": ("ctxmgr-added", "ctxmgr-removed"),
    "deprecated": ("deprecated-added", "deprecated-removed"),
}


def function_notes(name: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Note]:
    """Everything that differs between two function payloads.

    Args:
        name: what calls are written with.
        old: the payload of the old row.
        new: the payload of the new row.
    """
    if old == new:
        return
    before, after = frozenset(old.get("flags", ())), frozenset(new.get("flags", ()))
    if before & _BINDING != after & _BINDING:
        yield Note("binding-changed", f"was {_binding(before)}, is {_binding(after)}")
    yield from flag_notes(before, after)
    yield from call_notes(name, old.get("params", ()), new.get("params", ()))
    for note in compared("ann-return", old.get("returns"), new.get("returns"), reads=True):
        yield note._replace(message=f"the return annotation {note.message}")
    if old.get("decorators", []) != new.get("decorators", []):
        yield Note("decorator-unknown-changed", "decorators whose effect is not known differ")
    if old.get("type_params", []) != new.get("type_params", []):
        yield Note("type-params-changed", "the type parameters differ")


def flag_notes(before: frozenset[str], after: frozenset[str]) -> Iterator[Note]:
    """What it means that a function or property gained or lost a flag."""
    for flag, (added, removed) in _FLAGS.items():
        if (flag in before) != (flag in after):
            yield Note(added if flag in after else removed, f"{flag} {'gained' if flag in after else 'lost'}")


def _binding(flags: frozenset[str]) -> str:
    return next((f"a {flag} method" for flag in ("static", "class") if flag in flags), "called on the instance")


def call_notes(name: str, old: Sequence[Sequence[Any]], new: Sequence[Sequence[Any]]) -> Iterator[Note]:
    """What differs between two parameter lists: ``[slot, name, default | None, annotation | None]`` a parameter."""
    if old == new:
        return
    if len(old) + len(new) > _MOST_PARAMETERS:
        # the calls to try grow with the cube of this: a function built for it would use up the deadline
        yield Note("surface-changed", "its parameters differ, and are too many to compare")
        return
    found = differences(Signature(parameters(old)), Signature(parameters(new)))
    for difference in found:
        witness = difference.call.text(name)
        verb = "worked" if difference.kind == "call-rejected" else "means something else"
        yield Note(difference.kind, f"{witness} {verb}; now {difference.reason}", witness)
    if not found:
        yield from _wider(old, new)
    for label, before, after in _matched(old, new):
        yield from _default(label, before, after, widens=not found)
        for note in compared("ann-param", before[3], after[3], reads=False):
            yield note._replace(message=f"the annotation of {label} {note.message}")


def _wider(old: Sequence[Sequence[Any]], new: Sequence[Sequence[Any]]) -> Iterator[Note]:
    """What more calls the new parameters accept, given that they accept all old ones."""
    named = {row[1]: row[0] for row in old if row[0] in (EITHER, KEYWORD)}
    places = [row[0] for row in old if row[0] in (POSITIONAL, EITHER)]
    later = [row for row in new if row[0] in (POSITIONAL, EITHER)]
    wider = [f"{row[1]!r} by keyword" for row in later[: len(places)] if row[0] == EITHER and row[1] not in named]
    wider += [f"{row[1]!r} by position" for row in new if row[0] == EITHER and named.get(row[1]) == KEYWORD]
    had = {row[0] for row in old}
    wider += [f"{mark}" for slot, mark in (("var", "*args"), ("kw", "**kwargs")) if slot not in had and _has(new, slot)]
    if wider:
        yield Note("param-widened", f"now also takes {', '.join(wider)}")
    added = [repr(row[1]) for row in new if row[0] == KEYWORD and row[1] not in named]
    added += [
        repr(row[1]) if row[0] == EITHER else "a positional value"
        for row in later[len(places) :]
        if row[0] == POSITIONAL or row[1] not in named
    ]
    if added:
        yield Note("param-added-optional", f"optional parameters added: {', '.join(added)}")


def _has(rows: Sequence[Sequence[Any]], slot: str) -> bool:
    return any(row[0] == slot for row in rows)


def _matched(
    old: Sequence[Sequence[Any]], new: Sequence[Sequence[Any]]
) -> Iterator[tuple[str, Sequence[Any], Sequence[Any]]]:
    """Parameters that are the same one on both sides: by name, without names by place, variadic by their kind."""
    named = {row[1]: row for row in new if row[0] in (EITHER, KEYWORD)}
    places = [row for row in new if row[0] in (POSITIONAL, EITHER)]
    index = 0
    for row in old:
        slot, name = row[0], row[1]
        if slot in (EITHER, KEYWORD) and name in named:
            yield repr(name), row, named[name]
        elif slot in (POSITIONAL, EITHER) and index < len(places) and POSITIONAL in (slot, places[index][0]):
            yield f"positional value {index + 1}", row, places[index]
        elif slot in ("var", "kw"):
            yield from (("*args" if slot == "var" else "**kwargs", row, other) for other in new if other[0] == slot)
        index += slot in (POSITIONAL, EITHER)


def _default(label: str, before: Sequence[Any], after: Sequence[Any], *, widens: bool) -> Iterator[Note]:
    if before[2] is not None and after[2] is not None and before[2] != after[2]:
        yield Note("default-changed", f"the default of {label} differs")
    elif before[2] is None and after[2] is not None and before[0] not in ("var", "kw") and widens:
        yield Note("default-added", f"{label} became optional")
