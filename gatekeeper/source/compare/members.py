"""What it means that one name of a module or of a class appeared or disappeared."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.compare.fields import constructor
from gatekeeper.source.compare.functions import call_notes
from gatekeeper.source.compare.kinds import SEVERITY, Note
from gatekeeper.source.compare.variants import flags_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from gatekeeper.source.compare.lookup import Surface
    from gatekeeper.source.rows import Row

_CONSTRUCTORS = ("__init__", "__new__")


class Appearance:
    """One name that only one of two surfaces has."""

    def __init__(self, old: Surface, new: Surface, path: str, rows: Sequence[Row], *, removed: bool) -> None:
        self._here, self._there = (old, new) if removed else (new, old)
        self._rows = rows
        self._removed = removed
        self._verb = "removed" if removed else "added"
        self._path = path
        self._parent, _, self._name = path.rpartition(".")

    def note(self) -> Note:
        """The one thing to say about it."""
        owner = self._here.class_at(self._parent)
        return self._of_module() if owner is None else self._of_class(owner, str(owner.payload.get("flavour")))

    def _of_module(self) -> Note:
        word = "gone" if self._removed else "new"
        if not self._removed and (self._path, "module") in self._there.others:
            return Note("kind-changed", "the name was that of a submodule only, and hides it in its package now")
        if self._removed and self._rows[0].kind == "attribute":
            return Note("const-removed", f"the name is {word}")
        return Note(f"symbol-{self._verb}", f"the name is {word}")

    def _of_class(self, owner: Row, flavour: str) -> Note:  # noqa: PLR0911 (one line a rule)
        word, field = "gone" if self._removed else "new", self._rows[0].kind == "attribute"
        if self._name in _CONSTRUCTORS and not (flavour == "enum" and self._name == "__init__"):
            return self._constructor(owner)
        if self._name == "__init_subclass__" and not self._removed:
            # what every class has takes no keywords
            return self._worst(self._name, "symbol-added", [])
        if field and flavour == "enum":
            return Note(f"enum-member-{self._verb}", f"the member is {word}")
        if field and flavour == "typeddict":
            return Note("td-key-removed", "the key is gone") if self._removed else _key_note(owner, self._rows[0])
        if not self._removed and self._unhashable():
            return Note("hash-removed", "instances could be hashed, and no longer can")
        if not self._removed and any("abstract" in flags_of(row) for row in self._rows):
            return Note("abstract-added", "subclasses that worked can no longer be instantiated")
        if not self._removed and flavour == "protocol":
            return Note("protocol-member-added", "what met the protocol may no longer meet it")
        return Note(f"symbol-{self._verb}", f"the member is {word}")

    def _unhashable(self) -> bool:
        """Whether a new member takes ``__hash__`` away: Python does so for a class that only defines ``__eq__``."""
        if self._name == "__hash__":
            return self._rows[0].kind == "attribute" and self._rows[0].payload["value"] == ["none"]
        return (
            self._name == "__eq__"
            and f"{self._parent}.__hash__" not in self._here.symbols
            and self._there.find(f"{self._parent}.__eq__") is None
        )

    def _constructor(self, owner: Row) -> Note:
        """A constructor of its own where the class had an inherited one, or the other way round."""
        other = self._there.class_at(owner.path)
        implied = None if other is None else constructor(other.payload)
        twin = self._there.find(f"{owner.path}.{'__new__' if self._name == '__init__' else '__init__'}")
        if twin is not None and twin[1][0].kind == "function":
            implied = twin[1][0].payload["params"]
        otherwise = "constructor-implicit" if self._removed else "symbol-added"
        return self._worst(owner.path.rpartition(".")[2], otherwise, implied)

    def _worst(self, name: str, otherwise: str, implied: Sequence[Any] | None) -> Note:
        """The worst that a function of its own does to calls of what held without it; None where that is not known."""
        function = self._rows[0].kind == "function"
        own = self._rows[0].payload.get("params", ()) if function else ()
        if function and not self._removed and {param[0] for param in own} == {"var", "kw"}:
            return Note("symbol-added", "it takes whatever worked")
        if function and implied is not None:
            notes = call_notes(name, *((own, implied) if self._removed else (implied, own)))
            worst = [note for note in notes if SEVERITY[note.kind] in ("breaking", "silent")]
            return worst[0] if worst else Note(otherwise, "every call that worked still works")
        verb = "gone" if self._removed else "new"
        return Note("constructor-changed", f"{self._name} is {verb}: what it took is not known")


def _key_note(owner: Row, row: Row) -> Note:
    """A new key of a TypedDict: required ones break whoever builds the dictionary."""
    total = (owner.payload.get("keywords") or {}).get("total") != ["bool", False]
    required = {"typing.Required": True, "typing.NotRequired": False}.get(_wrapper(row.payload["annotation"]), total)
    return Note("td-key-added-required" if required else "td-key-added", "the key is new")


def _wrapper(annotation: Any) -> str:
    """The name around an annotation, such as that of ``NotRequired[int]``."""
    if isinstance(annotation, list) and annotation and annotation[0] == "sub" and annotation[1][0] == "name":
        return str(annotation[1][1])
    return ""
