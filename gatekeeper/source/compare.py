"""Compare two surfaces, symbol by symbol: what moved, and how bad that is for a caller.

A symbol is looked up as a caller would reach it: through aliases, and through the bases that a class inherits from. So
a definition that moves to another file, or a method that moves into a base, is the same symbol as before, and one that
is exported under several names is reported once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gatekeeper.source.kinds import SEVERITY, Move, Note, SymbolMove, by_symbol
from gatekeeper.source.kinds_attribute import attribute_notes
from gatekeeper.source.kinds_class import CONSTRUCTED, class_notes, constructor, only_types
from gatekeeper.source.kinds_function import call_notes, function_notes
from gatekeeper.source.lookup import Surface, symbol_hash
from gatekeeper.source.variants import REASONS, flags_of, guard_note, kind_note, other_note, paired, same

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gatekeeper.source.rows import Row

__all__ = ["Move", "SymbolMove", "by_symbol", "compare", "symbol_hash"]

_MOST_VARIANTS = 400
DYNAMIC = frozenset(("getattr", "opaque", "opaque-all", "opaque-star"))
"""Rows of what a module does at run time to its own names: GK304's."""


def compare(old: Sequence[Row], new: Sequence[Row]) -> tuple[Move, ...]:
    """Every move between two surfaces, ordered by path.

    A symbol that appears or disappears stands for everything below it: one move for a class or a module, its hash over
    all rows below, so that a row that allows it allows exactly those.
    """
    return tuple(sorted(_Comparison(Surface(old), Surface(new)).moves(), key=lambda move: (move.path, move.kind)))


class _Comparison:
    def __init__(self, old: Surface, new: Surface) -> None:
        self.old = old
        self.new = new
        self._done: set[tuple[str, str]] = set()
        self._whole: dict[str, str] = {}

    def moves(self) -> Iterator[Move]:
        yield from self._modules()
        yield from self._others()
        names = dict.fromkeys((*self.old.symbols, *self.new.symbols))
        definitions = [path for path in names if not self._alias(path)]
        for path in (*definitions, *(path for path in names if self._alias(path))):
            before, after = self.old.symbols.get(path), self.new.symbols.get(path)
            if before is not None and after is not None and same(before, after):
                self._done.add((path, path))
            else:
                yield from self._symbol(path)

    def _alias(self, path: str) -> bool:
        rows = self.old.symbols.get(path) or self.new.symbols.get(path) or []
        return all(row.kind == "alias" for row in rows)

    def _modules(self) -> Iterator[Move]:
        for path in dict.fromkeys(path for path, kind in (*self.old.others, *self.new.others) if kind == "module"):
            before, after = self.old.others.get((path, "module")), self.new.others.get((path, "module"))
            if before is None and not self._covered(path, self.old):
                yield self._gone("module-added", path, self.new, "the module is new")
            elif after is None and not self._covered(path, self.new) and (path, "unparseable") not in self.new.others:
                yield self._gone("module-removed", path, self.old, "the module is gone")
            elif before is not None and after is not None and not same(before, after):
                note = Note("module-file-changed", "it is made of other files")
                yield self._move(note, path, before, after)

    def _covered(self, path: str, other: Surface) -> bool:
        """Whether something above ``path`` is missing on the other side too, and speaks for it."""
        parent = path.rpartition(".")[0]
        here = self.new if other is self.old else self.old
        while parent:
            if here.present(parent) and not other.present(parent) and other.find(parent) is None:
                return True
            if (parent, "unparseable") in other.others and (parent, "unparseable") not in here.others:
                return True
            parent = parent.rpartition(".")[0]
        return False

    def _gone(self, kind: str, path: str, side: Surface, message: str) -> Move:
        rows = side.below(path)
        digest = symbol_hash(rows)
        if side is self.old:
            return self._row(Note(kind, message), path, rows[0], None)._replace(old_hash=digest)
        return self._row(Note(kind, message), path, None, rows[0])._replace(new_hash=digest)

    def _others(self) -> Iterator[Move]:
        for path, kind in dict.fromkeys((*self.old.others, *self.new.others)):
            if kind == "module":
                continue
            before, after = self.old.others.get((path, kind), []), self.new.others.get((path, kind), [])
            if same(before, after) or self._covered(path + ".", self.new if not after else self.old):
                continue
            note = other_note(kind, before=bool(before), after=bool(after))
            if kind == "unparseable" and after:
                note = note._replace(message=f"{note.message} ({REASONS[after[0].payload['reason']]})")
            yield self._move(note, path, before, after)

    def _symbol(self, path: str) -> Iterator[Move]:
        before, after = self.old.find(path), self.new.find(path)
        if before is None or after is None:
            yield from self._one_sided(path)
            return
        pair = (before[0], after[0])
        if pair in self._done:
            return
        self._done.add(pair)
        notes = list(self._notes(path, before[1], after[1]))
        renamed = self._alias(path) and not any(SEVERITY[note.kind] == "breaking" for note, *_ in notes)
        if notes and renamed:
            notes = [(Note("alias-target-changed", f"now names {after[0]}"), before[1][0], after[1][0])]
        for note, old, new in notes:
            move = self._row(note, path, old, new)
            yield move._replace(old_hash=symbol_hash(before[1]), new_hash=symbol_hash(after[1]))

    def _one_sided(self, path: str) -> Iterator[Move]:
        side, other = (self.old, self.new) if path in self.old.symbols else (self.new, self.old)
        if self._covered(path, other):
            return
        rows = side.symbols[path]
        if self._told(path, *rows) or self._dynamic(path, side):
            return
        removed = side is self.old
        note = self._member_note(path, rows, removed=removed)
        yield self._gone(note.kind, path, side, note.message)._replace(witness=note.witness)

    def _member_note(self, path: str, rows: Sequence[Row], *, removed: bool) -> Note:  # noqa: PLR0911 (one line a rule)
        """What it means that one name of a module or class appeared or disappeared."""
        parent, _, name = path.rpartition(".")
        owner = (self.old if removed else self.new).class_at(parent)
        word = "gone" if removed else "new"
        if owner is None:
            kind = "const-removed" if removed and rows[0].kind == "attribute" else f"symbol-{_verb(removed)}"
            return Note(kind, f"the name is {word}")
        flavour = str(owner.payload.get("flavour"))
        if name in ("__init__", "__new__"):
            return self._constructor_note(name, owner, rows, removed=removed)
        if rows[0].kind == "attribute" and flavour == "enum":
            return Note(f"enum-member-{_verb(removed)}", f"the member is {word}")
        if rows[0].kind == "attribute" and flavour == "typeddict":
            return Note("td-key-removed", "the key is gone") if removed else _key_note(owner, rows[0])
        if not removed and self._unhashable(name, parent, rows):
            return Note("hash-removed", "instances could be hashed, and no longer can")
        if not removed and _has_flag(rows, "abstract"):
            return Note("abstract-added", "subclasses that worked can no longer be instantiated")
        if not removed and flavour == "protocol":
            return Note("protocol-member-added", "what met the protocol may no longer meet it")
        return Note(f"symbol-{_verb(removed)}", f"the member is {word}")

    def _unhashable(self, name: str, parent: str, rows: Sequence[Row]) -> bool:
        """Whether a new member takes ``__hash__`` away: Python does so for a class that only defines ``__eq__``."""
        if name == "__hash__":
            return rows[0].kind == "attribute" and rows[0].payload["value"] == ["none"]
        return (
            name == "__eq__"
            and f"{parent}.__hash__" not in self.new.symbols
            and self.old.find(f"{parent}.__eq__") is None
        )

    def _constructor_note(self, name: str, owner: Row, rows: Sequence[Row], *, removed: bool) -> Note:
        """A constructor of its own where the class had an inherited one, or the other way round."""
        side = self.new if removed else self.old
        other = side.class_at(owner.path)
        implied = None if other is None else constructor(other.payload)
        twin = side.find(f"{owner.path}.{'__new__' if name == '__init__' else '__init__'}")
        if twin is not None and twin[1][0].kind == "function":
            implied = twin[1][0].payload["params"]
        if implied is None or rows[0].kind != "function":
            return Note("constructor-changed", f"{name} is {'gone' if removed else 'new'}: what it took is not known")
        own = rows[0].payload.get("params", ())
        old, new = (own, implied) if removed else (implied, own)
        notes = list(call_notes(owner.path.rpartition(".")[2], old, new))
        worst = [note for note in notes if SEVERITY[note.kind] in ("breaking", "silent")]
        kind = "constructor-implicit" if removed else "symbol-added"
        return worst[0] if worst else Note(kind, "every call that worked still works")

    def _notes(self, path: str, old: Sequence[Row], new: Sequence[Row]) -> Iterator[tuple[Note, Row, Row]]:
        if len(old) + len(new) > _MOST_VARIANTS:
            # pairing them is quadratic: a name built to have thousands would use up the deadline
            if not same(old, new):
                yield Note("surface-changed", "its variants differ, and are too many to compare"), old[0], new[0]
            return
        pairs, lost, gained = paired(old, new)
        for before, after in pairs:
            for note in self._pair_notes(path, before, after):
                yield note, before, after
        always = next((row for row in new if not row.guard and "overload" not in flags_of(row)), None)
        for row in lost:
            if always is not None and row.guard and row.kind == always.kind:
                # what held under a condition is now what holds without one
                yield from ((note, row, always) for note in self._pair_notes(path, row._replace(guard=""), always))
                continue
            word = "an overload" if "overload" in flags_of(row) else f"the variant {row.guard or 'without a condition'}"
            yield (
                Note("overload-removed" if "overload" in flags_of(row) else "symbol-removed", f"{word} is gone"),
                row,
                row,
            )
        before_all = next((row for row in old if not row.guard and "overload" not in flags_of(row)), None)
        for row in gained:
            if before_all is not None and row.guard and row.kind == before_all.kind:
                yield from ((note, before_all, row) for note in self._pair_notes(path, before_all, row))
                continue
            word = "an overload" if "overload" in flags_of(row) else f"the variant {row.guard or 'without a condition'}"
            yield Note("overload-added" if "overload" in flags_of(row) else "symbol-added", f"{word} is new"), row, row

    def _pair_notes(self, path: str, old: Row, new: Row) -> Iterator[Note]:
        if old.guard != new.guard:
            yield guard_note(old.guard, new.guard)
        name = path.rpartition(".")[2]
        if old.kind != new.kind:
            yield from kind_note(old, new)
        elif old.payload == new.payload:
            return
        else:
            found = list(self._payload_notes(path, name, old, new))
            if not found and old.kind == "attribute" and self._told(path, old, new):
                return
            if not found and old.kind == "class" and only_types(old.payload, new.payload):
                return
            # a payload that moved without a kind is a hole in the kinds, never a pass
            yield from found or [Note("surface-changed", "it differs in a way that has no name")]

    @staticmethod
    def _dynamic(path: str, side: Surface) -> bool:
        """Whether a function is a module's own ``__getattr__``, which has a row that says so."""
        parent, _, name = path.rpartition(".")
        return name in ("__getattr__", "__dir__") and (parent, "getattr") in side.others

    def _told(self, path: str, *rows: Row) -> bool:
        """Whether rows of a member are those of a field whose class says in its own row what became of it."""
        parent, _, name = path.rpartition(".")
        owners = (self.old.class_at(parent), self.new.class_at(parent))
        if any(owner is None or owner.payload["flavour"] not in CONSTRUCTED for owner in owners):
            return False
        fields = {field[0] for owner in owners if owner is not None for field in owner.payload["fields"]}
        return name in fields and all(row.kind == "attribute" for row in rows)

    def _payload_notes(self, path: str, name: str, old: Row, new: Row) -> Iterator[Note]:
        if old.kind == "function":
            parent = path.rpartition(".")[0]
            if name in ("__init__", "__new__"):
                name = parent.rpartition(".")[2]
            yield from function_notes(name, old.payload, new.payload)
        elif old.kind == "class":
            yield from class_notes(name, old.payload, new.payload)
        elif old.kind == "attribute":
            owner = self.old.class_at(path.rpartition(".")[0])
            flavour = "" if owner is None else str(owner.payload.get("flavour"))
            told = self._told(path, old, new)
            notes = attribute_notes(name, old.payload, new.payload, flavour=flavour)
            yield from (note for note in notes if not told or note.kind != "const-value-changed")
        else:
            yield Note("alias-target-changed", f"now names {new.payload.get('of')}")

    def _move(self, note: Note, path: str, before: Sequence[Row], after: Sequence[Row]) -> Move:
        move = self._row(note, path, before[0] if before else None, after[0] if after else None)
        return move._replace(old_hash=symbol_hash(before), new_hash=symbol_hash(after))

    @staticmethod
    def _row(note: Note, path: str, old: Row | None, new: Row | None) -> Move:
        row = new if old is None else old
        guard = "" if row is None else row.guard
        return Move(note.kind, SEVERITY[note.kind], path, guard, old, new, note.witness, note.message)


def _verb(removed: bool) -> str:
    return "removed" if removed else "added"


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


def _has_flag(rows: Sequence[Row], flag: str) -> bool:
    return any(flag in flags_of(row) for row in rows)
