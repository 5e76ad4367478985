"""Compare two surfaces, symbol by symbol: what moved, and how bad that is for a caller.

A symbol is looked up as a caller would reach it: through aliases, and through the bases that a class inherits from. So
a definition that moves to another file, or a method that moves into a base, is the same symbol as before, and one that
is exported under several names is reported once.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from gatekeeper.source.kinds import ABSENT, SEVERITY, Move, Note, SymbolMove, by_symbol
from gatekeeper.source.kinds_class import CONSTRUCTED, attribute_notes, class_notes, constructor
from gatekeeper.source.kinds_function import call_notes, function_notes
from gatekeeper.source.rows import row_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gatekeeper.source.rows import Row

__all__ = ["Move", "SymbolMove", "by_symbol", "compare", "symbol_hash"]

SYMBOLS = frozenset(("function", "class", "attribute", "alias"))
DYNAMIC = frozenset(("getattr", "opaque", "opaque-all", "opaque-star"))
"""Rows of what a module does at run time to its own names: GK304's."""
_CHAIN = 32
_DIGITS = 12


class Surface:
    """The rows of one side, findable by the paths that callers write."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.symbols: dict[str, list[Row]] = {}
        self.others: dict[tuple[str, str], list[Row]] = {}
        self.bases: dict[str, list[str]] = {}
        self._below: list[tuple[str, Row]] | None = None
        self._known: dict[str, tuple[str, tuple[Row, ...]] | None] = {}
        self._rows = rows
        for row in rows:
            if row.kind in SYMBOLS:
                self.symbols.setdefault(row.path, []).append(row)
            elif row.kind == "inherits":
                self.bases.setdefault(row.path, []).append(row.payload["of"])
            else:
                self.others.setdefault((row.path, row.kind), []).append(row)

    def find(self, path: str, depth: int = 0) -> tuple[str, tuple[Row, ...]] | None:
        """The canonical path and the rows of a symbol, as a caller reaches it; None when it is not public here."""
        if path not in self._known:
            self._known[path] = None  # a ring of aliases ends here
            self._known[path] = self._find(path, depth)
        return self._known[path]

    def _find(self, path: str, depth: int) -> tuple[str, tuple[Row, ...]] | None:
        if depth > _CHAIN:
            return None
        rows = self.symbols.get(path)
        if rows is not None:
            if len(rows) == 1 and rows[0].kind == "alias":
                target = self.find(rows[0].payload["of"], depth + 1)
                if target is not None:
                    return target
            return path, tuple(rows)
        parent, dot, name = path.rpartition(".")
        if not dot:
            return None
        above = self.find(parent, depth + 1)
        if above is None:
            return None
        if above[0] != parent:
            return self.find(f"{above[0]}.{name}", depth + 1)
        for base in self.bases.get(parent, ()):
            found = self.find(f"{base}.{name}", depth + 1)
            if found is not None:
                return found
        return None

    def class_at(self, path: str) -> Row | None:
        """The class row of a path, where it is one."""
        found = self.find(path)
        return next((row for row in found[1] if row.kind == "class"), None) if found is not None else None

    def hashes(self, path: str) -> frozenset[str]:
        """Every hash that a row of an allow file may name a symbol by: of its own rows, or of all below it too."""
        found = self.find(path)
        own = [rows for (where, kind), rows in self.others.items() if where == path and kind != "module"]
        named = {symbol_hash(rows) for rows in own}
        if found is not None:
            named.add(symbol_hash(found[1]))
        below = self.below(path)
        if below:
            named.add(symbol_hash(below))
        return frozenset(named or {ABSENT})

    def present(self, path: str) -> bool:
        """Whether a symbol or a module has this very path."""
        return path in self.symbols or (path, "module") in self.others

    def below(self, path: str) -> list[Row]:
        """Every row of a path and of what lies under it."""
        from bisect import bisect_left

        if self._below is None:
            self._below = sorted(((row.path, row) for row in self._rows), key=lambda pair: pair[0])
        found = []
        for prefix in (path, path + "."):
            start = bisect_left(self._below, prefix, key=lambda pair: pair[0])
            for above, row in self._below[start:]:
                if above != prefix and not (prefix.endswith(".") and above.startswith(prefix)):
                    break
                found.append(row)
        return found


def symbol_hash(rows: Iterable[Row]) -> str:
    """Twelve digits over all rows of a symbol in their order; those of the row itself when it is one."""
    hashes = [row_hash(row) for row in rows]
    if not hashes:
        return ABSENT
    whole = hashes[0] if len(hashes) == 1 else sha256("\n".join(sorted(hashes)).encode("ascii")).hexdigest()
    return whole[:_DIGITS]


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
            if before is not None and before == after:
                self._done.add((path, path))
            elif before is not None and after is not None and _same(before, after):
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
            elif before is not None and after is not None and not _same(before, after):
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
            if _same(before, after) or self._covered(path + ".", self.new if not after else self.old):
                continue
            note = _other_note(kind, bool(before), bool(after))
            if kind == "unparseable" and after:
                note = note._replace(message=f"{note.message} ({_REASONS[after[0].payload['reason']]})")
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

    def _member_note(self, path: str, rows: Sequence[Row], *, removed: bool) -> Note:
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
        if not removed and _has_flag(rows, "abstract"):
            return Note("abstract-added", "subclasses that worked can no longer be instantiated")
        if not removed and flavour == "protocol":
            return Note("protocol-member-added", "what met the protocol may no longer meet it")
        return Note(f"symbol-{_verb(removed)}", f"the member is {word}")

    def _constructor_note(self, name: str, owner: Row, rows: Sequence[Row], *, removed: bool) -> Note:
        """A constructor of its own where the class had an inherited one, or the other way round."""
        other = (self.new if removed else self.old).class_at(owner.path)
        implied = None if other is None else constructor(other.payload)
        if implied is None or rows[0].kind != "function":
            return Note("constructor-changed", f"{name} is {'gone' if removed else 'new'}: what it took is not known")
        own = rows[0].payload.get("params", ())
        old, new = (own, implied) if removed else (implied, own)
        notes = list(call_notes(owner.path.rpartition(".")[2], old, new))
        worst = [note for note in notes if SEVERITY[note.kind] in ("breaking", "silent")]
        return worst[0] if worst else Note(f"symbol-{_verb(removed)}", "every call that worked still works")

    def _notes(self, path: str, old: Sequence[Row], new: Sequence[Row]) -> Iterator[tuple[Note, Row, Row]]:
        pairs, lost, gained = _paired(old, new)
        for before, after in pairs:
            for note in self._pair_notes(path, before, after):
                yield note, before, after
        for row in lost:
            word = "an overload" if "overload" in _flags(row) else f"the variant {row.guard or 'without a condition'}"
            yield Note("overload-removed" if "overload" in _flags(row) else "symbol-removed", f"{word} is gone"), row, row
        for row in gained:
            word = "an overload" if "overload" in _flags(row) else f"the variant {row.guard or 'without a condition'}"
            yield Note("overload-added" if "overload" in _flags(row) else "symbol-added", f"{word} is new"), row, row

    def _pair_notes(self, path: str, old: Row, new: Row) -> Iterator[Note]:
        if old.guard != new.guard:
            yield _guard_note(old.guard, new.guard)
        name = path.rpartition(".")[2]
        if old.kind != new.kind:
            yield from _kind_note(old, new)
        elif old.payload == new.payload:
            return
        else:
            found = list(self._payload_notes(path, name, old, new))
            if not found and old.kind == "attribute" and self._told(path, old, new):
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
            notes = attribute_notes(old.payload, new.payload, flavour=flavour)
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
    return any(flag in _flags(row) for row in rows)


def _flags(row: Row) -> Sequence[str]:
    payload: Any = row.payload
    return payload.get("flags") or () if isinstance(payload, dict) else ()


def _same(old: Sequence[Row], new: Sequence[Row]) -> bool:
    """Whether two lists of rows of one path say the same; where they were written does not count."""
    return len(old) == len(new) and all(
        a.kind == b.kind and a.guard == b.guard and a.ordinal == b.ordinal and a.payload == b.payload
        for a, b in zip(old, new, strict=True)
    )


def _paired(
    old: Sequence[Row], new: Sequence[Row]
) -> tuple[list[tuple[Row, Row]], list[Row], list[Row]]:
    """Variants of one symbol that belong together: equal ones, then those of one condition, then those left over."""
    lost, gained = list(old), list(new)
    pairs: list[tuple[Row, Row]] = []
    for alike in (
        lambda a, b: (a.guard, a.kind) == (b.guard, b.kind) and a.payload == b.payload,
        lambda a, b: a.guard == b.guard and ("overload" in _flags(a)) == ("overload" in _flags(b)),
        lambda a, b: a.kind == b.kind and a.payload == b.payload,
        lambda a, b: a.guard == b.guard,
        lambda a, b: ("overload" in _flags(a)) == ("overload" in _flags(b)),
    ):
        for before in tuple(lost):
            after = next((row for row in gained if alike(before, row)), None)
            if after is not None:
                pairs.append((before, after))
                lost.remove(before)
                gained.remove(after)
    return pairs, lost, gained


def _guard_note(old: str, new: str) -> Note:
    if "TC" in new and "TC" not in old and "not TC" not in new:
        return Note("became-type-checking-only", "it exists for type checkers only now")
    return Note("guard-changed", f"it was defined under {old or 'no condition'}, now under {new or 'no condition'}")


def _kind_note(old: Row, new: Row) -> Iterator[Note]:
    """A function that became an attribute, an attribute that became a class, and so on."""
    if {old.kind, new.kind} == {"attribute", "alias"}:
        yield Note("const-value-changed", f"was {old.kind}, is {new.kind}")
    else:
        yield Note("kind-changed", f"was a {old.kind}, is {'an' if new.kind[0] in 'aeiou' else 'a'} {new.kind}")


_REASONS = {
    "syntax": "it does not parse here",
    "encoding": "it is not plain UTF-8 text",
    "cookie": "its coding cookie is not UTF-8",
    "too-big": "it is too large",
    "too-deep": "it nests too deeply",
    "killed": "it ended the process that read it",
    "timeout": "it took too long to read",
}
_OTHER = {
    "typed": ("marker-removed", "marker-added", "surface-changed"),
    "getattr": ("getattr-changed", "getattr-changed", "getattr-changed"),
    "missing": ("missing-removed", "missing-added", "surface-changed"),
    "unparseable": ("unparseable-removed", "became-unparseable", "unparseable-changed"),
    "too-deep": ("opaque-removed", "too-deep", "opaque-changed"),
}


def _other_note(kind: str, before: bool, after: bool) -> Note:
    removed, added, changed = _OTHER.get(kind, ("opaque-removed", "became-opaque", "opaque-changed"))
    said = {"typed": "the py.typed marker", "getattr": "__getattr__ or __dir__ of the module", "missing": "a name of __all__ that nothing binds",
            "unparseable": "source that cannot be read"}.get(kind, "what the module does to its own names at run time")
    if before and after:
        return Note(changed, f"{said} differs")
    return Note(removed, f"{said} is gone") if before else Note(added, f"{said} is new")
