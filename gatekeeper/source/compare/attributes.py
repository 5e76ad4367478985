"""What changed between two attributes of one name: of a module, of a class, a property, a member of an enumeration."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.compare.annotations import compared
from gatekeeper.source.compare.classes import elements
from gatekeeper.source.compare.functions import call_notes, flag_notes
from gatekeeper.source.compare.kinds import Note
from gatekeeper.source.show import show

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

_LONGEST = 60


def attribute_notes(name: str, old: dict[str, Any], new: dict[str, Any], *, flavour: str) -> Iterator[Note]:
    """Everything that differs between two attribute payloads of a module or of a class of some flavour."""
    if old == new:
        return
    annotations = [old.get("annotation"), new.get("annotation")]
    if flavour == "typeddict":
        wrappers, annotations = zip(*map(_unwrapped, annotations), strict=True)  # type: ignore[assignment]
        if wrappers[0] != wrappers[1]:
            yield Note("required-changed", "whether the key must be there differs")
    before, after = old.get("accessors"), new.get("accessors")
    reads = before == after == ["get"]
    for note in compared("ann-return" if reads else "ann-attr", *annotations, reads=reads):
        # what can only be read may promise more, as a function may
        kind = "ann-attr-changed" if note.kind == "ann-return-changed" else note.kind
        yield Note(kind, f"the annotation {note.message}")
    accepts = [payload.get("accepts", payload.get("annotation")) for payload in (old, new)]
    if "accepts" in old or "accepts" in new:
        for note in compared("ann-param", *accepts, reads=False):
            yield note._replace(message=f"the annotation of what can be set {note.message}")
    if before != after:
        yield from _accessors(before, after)
    if bool(old.get("final")) != bool(new.get("final")):
        yield Note("final-added" if new.get("final") else "final-removed", "Final differs")
    yield from flag_notes(frozenset(old.get("flags", ())), frozenset(new.get("flags", ())))
    if old.get("value") != new.get("value"):
        yield from _value(name, old.get("value"), new.get("value"), flavour)


def _unwrapped(annotation: Any) -> tuple[str, Any]:
    """The ``Required`` or ``NotRequired`` around the type of a key, and the type."""
    if isinstance(annotation, list) and annotation and annotation[0] == "sub":
        name = annotation[1][1]
        if name in ("typing.Required", "typing.NotRequired"):
            return name, annotation[2][0]
    return "", annotation


def _value(name: str, old: Any, new: Any, flavour: str) -> Iterator[Note]:
    before, after = _named_fields(old), _named_fields(new)
    if before is not None and after is not None:
        yield from call_notes(name, before, after)
        if [row[1] for row in before] != [row[1] for row in after][: len(before)]:
            yield Note("field-order-changed", "its fields are others, or in another order")
        return
    yield Note(
        "enum-value-changed" if flavour == "enum" else "const-value-changed", f"was {_shown(old)}, is {_shown(new)}"
    )


def _shown(value: Any) -> str:
    text = show(value) if value is not None else "without a value"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _named_fields(value: Any) -> list[list[Any]] | None:
    """The constructor's parameters of ``namedtuple("N", "a b")``, where they are written out; else None."""
    if not isinstance(value, list) or value[0] != "Call" or value[1]["func"] != ["name", "collections.namedtuple"]:
        return None
    arguments, keywords = value[1]["args"], dict(value[1]["keywords"])
    if len(arguments) != 2 or not set(keywords) <= {"module"}:  # noqa: PLR2004 (the type's name and its fields)
        return None
    written = arguments[1]
    if written[0] == "str":
        names = written[1].replace(",", " ").split()
    else:
        items = elements(written)
        if items is None or any(item[0] != "str" for item in items):
            return None
        names = [item[1] for item in items]
    return [["pok", field, None, None] for field in names]


def _accessors(old: Sequence[str] | None, new: Sequence[str] | None) -> Iterator[Note]:
    had = set(old if old is not None else ("get", "set", "del"))
    has = set(new if new is not None else ("get", "set", "del"))
    if had - has:
        yield Note("accessor-removed", f"can no longer be {_verbs(had - has)}")
    elif has - had:
        yield Note("accessor-added", f"can now be {_verbs(has - had)}")
    else:
        yield Note("kind-softened", "a property and a plain attribute are not the same to the class itself")


def _verbs(accessors: set[str]) -> str:
    words = {"get": "read", "set": "set", "del": "deleted"}
    return " or ".join(words[name] for name in sorted(accessors, key=["get", "set", "del"].index))
