"""Compare two surfaces, symbol by symbol: what moved, and how bad that is for a caller.

A symbol is looked up as a caller would reach it: through aliases, and through the bases that a class inherits from. So
a definition that moves to another file, or a method that moves into a base, is the same symbol as before, and one that
is exported under several names is reported once.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.compare.kinds import SEVERITY, Move, Note, SymbolMove, by_symbol, symbol_hash
from gatekeeper.source.compare.lookup import Surface
from gatekeeper.source.compare.members import Appearance
from gatekeeper.source.compare.symbols import Symbols
from gatekeeper.source.compare.variants import REASONS, other_note, same
from gatekeeper.source.uncollected import Uncollected

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gatekeeper.source.rows import Row

__all__ = ["Move", "SymbolMove", "by_symbol", "compare", "symbol_hash"]

DYNAMIC = frozenset(("getattr", "opaque", "opaque-all", "opaque-star"))
"""Rows of what a module does at run time to its own names: GK304's."""


def compare(old: Sequence[Row], new: Sequence[Row]) -> tuple[Move, ...]:
    """Every move between two surfaces, ordered by path.

    A symbol that appears or disappears stands for everything below it: one move for a class or a module, its hash over
    all rows below, so that a row that allows it allows exactly those.
    """
    with Uncollected():
        return tuple(sorted(_Comparison(Surface(old), Surface(new)).moves(), key=lambda move: (move.path, move.kind)))


class _Comparison:
    def __init__(self, old: Surface, new: Surface) -> None:
        self.old = old
        self.new = new
        self._done: set[tuple[str, str]] = set()
        self._symbols = Symbols(old, new)

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
            if here.class_at(parent) is not None and self._no_class(parent, other):
                return True  # it is another kind of thing now, members and all
            if (parent, "unparseable") in other.others and (parent, "unparseable") not in here.others:
                return True
            parent = parent.rpartition(".")[0]
        return False

    @staticmethod
    def _no_class(path: str, side: Surface) -> bool:
        return side.find(path) is not None and side.class_at(path) is None

    def _gone(self, kind: str, path: str, side: Surface, message: str) -> Move:
        rows = side.below(path)
        if side is self.old:
            return self._row(Note(kind, message), path, rows[0], None, before=rows)
        return self._row(Note(kind, message), path, None, rows[0], after=rows)

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
        notes = list(self._symbols.notes(path, before[1], after[1]))
        renamed = self._alias(path) and not any(SEVERITY[note.kind] == "breaking" for note, *_ in notes)
        if renamed and (notes or self._retargeted(path, *pair)):
            notes = [(Note("alias-target-changed", f"now names {after[0]}"), before[1][0], after[1][0])]
        rows = before[1], after[1]
        if pair == (path, path) and any(note.kind == "kind-changed" for note, *_ in notes):
            rows = tuple(self.old.below(path)), tuple(self.new.below(path))  # it speaks for its members too
        for note, old, new in notes:
            yield self._row(note, path, old, new, *rows)

    def _retargeted(self, path: str, before: str, after: str) -> bool:
        """Whether a name that was one of two things is the other: not so where one of them was only renamed."""
        if before == after or not (self.old.aliased(path) and self.new.aliased(path)):
            return False
        still, was = self.new.find(before), self.old.find(after)
        return still is not None and still[0] != after and (was is None or was[0] != before)

    def _one_sided(self, path: str) -> Iterator[Move]:
        side, other = (self.old, self.new) if path in self.old.symbols else (self.new, self.old)
        if self._covered(path, other):
            return
        rows = side.symbols[path]
        if self._symbols.told(path, *rows) or _dynamic(path, side):
            return
        removed = side is self.old
        note = Appearance(self.old, self.new, path, rows, removed=removed).note()
        yield self._gone(note.kind, path, side, note.message)._replace(witness=note.witness)

    def _move(self, note: Note, path: str, before: Sequence[Row], after: Sequence[Row]) -> Move:
        rows = before[0] if before else None, after[0] if after else None
        return self._row(note, path, *rows, before, after)

    @staticmethod
    def _row(
        note: Note,
        path: str,
        old: Row | None,
        new: Row | None,
        before: Sequence[Row] = (),
        after: Sequence[Row] = (),
    ) -> Move:
        row = new if old is None else old
        guard = "" if row is None else row.guard
        kind, severity = note.kind, SEVERITY[note.kind]
        return Move(kind, severity, path, guard, old, new, note.witness, note.message, before, after)


def _dynamic(path: str, side: Surface) -> bool:
    """Whether a function is a module's own ``__getattr__``, which has a row that says so."""
    parent, _, name = path.rpartition(".")
    return name in ("__getattr__", "__dir__") and (parent, "getattr") in side.others
