"""What changed between two classes of one name, apart from their members, which have rows of their own."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.compare.fields import field_notes, on
from gatekeeper.source.compare.kinds import Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

_OPTIONS = {
    "frozen": ("frozen-added", "frozen-removed"),
    "order": ("order-added", "order-removed"),
    "eq": ("eq-changed", "eq-changed"),
    "kw_only": ("kw-only-changed", "kw-only-changed"),
    "slots": ("slots-changed", "slots-changed"),
    "weakref_slot": ("slots-changed", "slots-changed"),
    "unsafe_hash": ("field-option-changed", "hash-removed"),
    "total": ("td-total-changed", "td-total-changed"),
}
"""Keywords of a class or of what makes it, as (gained, lost); where an option is not written, its default counts."""

_GENERIC = frozenset(("typing.Generic", "typing.Protocol"))
_DEPRECATED = {
    "warnings.deprecated": ("deprecated-added", "deprecated-removed"),
    "typing.deprecated": ("deprecated-added", "deprecated-removed"),
}


def class_notes(name: str, old: dict[str, Any], new: dict[str, Any], *, written: bool = False) -> Iterator[Note]:
    """Everything that differs between two class payloads.

    Args:
        name: what calls are written with.
        old: the payload of the old row.
        new: the payload of the new row.
        written: the class has a constructor of its own, so that fields make none.
    """
    if old == new:
        return
    if old.get("flavour") != new.get("flavour"):
        yield Note("flavour-changed", f"was a {old.get('flavour')} class, is a {new.get('flavour')} class")
    yield from _ancestors(old, new)
    yield from _keywords(_all_keywords(old), _all_keywords(new))
    if old.get("decorators", []) != new.get("decorators", []):
        yield from _decorators(old.get("decorators", []), new.get("decorators", []))
    needed = [set(row.get("abstract", ())) for row in (old, new)]
    if needed[1] - needed[0]:
        yield Note("abstract-added", f"subclasses must define {', '.join(sorted(needed[1] - needed[0]))}")
    elif needed[0] != needed[1]:
        yield Note("abstract-removed", "subclasses must define less")
    if old.get("type_params", []) != new.get("type_params", []):
        yield Note("type-params-changed", "the type parameters differ")
    yield from _slots(old.get("slots"), new.get("slots"))
    yield from _match_args(old, new)
    yield from field_notes(name, old, new, written=written)


def _ancestors(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Note]:
    before, after = ([_head(base) for base in _public(payload)] for payload in (old, new))
    lost = [base for base in before if base not in after]
    gained = [base for base in after if base not in before]
    typed = [{str(_head(base)): base for base in _direct(payload)} for payload in (old, new)]
    if lost:
        yield Note(
            "base-replaced" if gained else "base-removed", f"no longer derives from {', '.join(map(_text, lost))}"
        )
    elif gained:
        yield Note("base-added", f"now derives from {', '.join(map(_text, gained))}")
    elif before != after:
        yield Note("mro-changed", "its bases are searched in another order")
    elif any(typed[1].get(head, base) != base for head, base in typed[0].items()):
        yield _arguments(old, new)
    elif any(old.get(key) != new.get(key) for key in ("bases", "mro", "external")):
        yield Note("private-base-changed", "bases are written differently, with nothing gained or lost")


def _arguments(old: dict[str, Any], new: dict[str, Any]) -> Note:
    numbers = [
        [len(base[2]) for base in payload.get("external", ()) if base[0] == "sub" and _head(base) in _GENERIC]
        for payload in (old, new)
    ]
    if numbers[0] != numbers[1]:
        return Note("type-params-changed", "it takes another number of type arguments")
    return Note("base-arguments-changed", "the type arguments of its bases differ")


def _head(base: Any) -> Any:
    """A base without its type arguments, as a name where it is one."""
    head = base[1] if isinstance(base, list) and len(base) > 1 and base[0] == "sub" else base
    return head[1] if isinstance(head, list) and len(head) == 2 and head[0] == "name" else head  # noqa: PLR2004


def _public(payload: dict[str, Any]) -> list[Any]:
    """Public ancestors: the in-tree linearisation, then what comes from elsewhere."""
    own = [base for base in payload.get("mro") or payload.get("bases", ()) if not _private(base)]
    return own + list(payload.get("external", ()))


def _direct(payload: dict[str, Any]) -> list[Any]:
    return [*payload.get("bases", ()), *payload.get("external", ())]


def _private(base: object) -> bool:
    """Whether a base has a name that callers are told to leave alone, so that nobody can depend on deriving from it."""
    return isinstance(base, str) and any(
        part.startswith("_") and not part.endswith("__") for part in base.removeprefix("pyi:").split(".")
    )


def _text(base: object) -> str:
    return base if isinstance(base, str) else "a base that is computed"


def _all_keywords(payload: dict[str, Any]) -> dict[str, Any]:
    """The keywords of a class, with the metaclass that ``abc.ABC`` stands for."""
    implied = {"metaclass": ["name", "abc.ABCMeta"]} if ["name", "abc.ABC"] in payload.get("external", ()) else {}
    return implied | (payload.get("keywords") or {})


def _keywords(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Note]:
    for written in dict.fromkeys((*old, *new)):
        before, after = old.get(written), new.get(written)
        if before == after:
            continue
        key = written.removeprefix("@")
        if key == "metaclass":
            yield Note("metaclass-changed", "the metaclass differs")
        elif key in _OPTIONS:
            was, now = on(key, before), on(key, after)
            if was != now:
                yield Note(_OPTIONS[key][0 if now else 1], f"{key} is {'on' if now else 'off'} now")
        elif key == "final":
            yield Note("final-added" if after else "final-removed", f"final {'gained' if after else 'lost'}")
        else:
            yield Note("class-keyword-changed", f"the class keyword {key!r} differs")


def _decorators(old: Sequence[Any], new: Sequence[Any]) -> Iterator[Note]:
    known = {"typing.final": ("final-added", "final-removed"), **_DEPRECATED}
    before, after = ({_decorator(row) for row in rows} for rows in (old, new))
    for path, (added, removed) in known.items():
        if (path in before) != (path in after):
            yield Note(added if path in after else removed, f"{path} {'gained' if path in after else 'lost'}")
    if [row for row in old if _decorator(row) not in known] != [row for row in new if _decorator(row) not in known]:
        yield Note("decorator-unknown-changed", "decorators whose effect is not known differ")


def _decorator(value: Any) -> str:
    """The dotted name of a decorator, called or not."""
    if isinstance(value, list) and value and value[0] == "Call":
        value = value[1]["func"]
    return str(value[1]) if isinstance(value, list) and value and value[0] == "name" else ""


def elements(value: Any) -> list[Any] | None:
    """The items of a canonical tuple or list."""
    if value in ("Tuple", "List"):
        return []
    if isinstance(value, list) and value[0] in ("Tuple", "List"):
        items: list[Any] = value[1]["elts"]
        return items
    return None


def _slots(old: Any, new: Any) -> Iterator[Note]:
    if old == new:
        return
    # the first name of a class without one changes its layout, which rules out some second bases
    if isinstance(old, list) and isinstance(new, list) and old and set(map(str, old)) < set(map(str, new)):
        yield Note("slots-extended", "__slots__ has more names")
    else:
        yield Note("slots-changed", "__slots__ differ")


def _match_args(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Note]:
    if old.get("match_args") == new.get("match_args"):
        return
    before, after = elements(old.get("match_args")), elements(new.get("match_args"))
    if old.get("match_args") is None and old.get("flavour") == "plain" and not _public(old):
        before = []  # no pattern with places matched such a class
    if before is not None and after is not None and after[: len(before)] == before:
        yield Note("match-args-extended", "__match_args__ has more names at its end")
    else:
        yield Note("match-args-changed", "__match_args__ differs")
