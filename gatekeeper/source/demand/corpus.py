"""Which sources of a tree hold a word: what need not be parsed to know that it says nothing about a name.

A source can only say something about a definition if it spells the name, or takes in everything of a module by
wildcard. Both are looked for in the bytes, so that a push is judged without parsing the tree that it lands in. What is
found is too much, never too little: identifiers are compared as the parser normalises them (NFKC), and a quoted
annotation is one only where it is written plainly (:mod:`gatekeeper.source.facts.serial`).
"""

from __future__ import annotations

import re

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.demand.words import WORD, normal, renames, spelling, takes_all
from gatekeeper.source.link.budget import TooMany

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from gatekeeper.model import Oid
    from gatekeeper.source.demand.words import Index

_MEMBER = re.compile(rb"[\s\\]*[.#]")
_LEADING = b" \t\\._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" + bytes(range(0x80, 0x100))
_BACK = 200
_FEW = 8
_MOST = 256


class Corpus:
    """The texts of a number of blobs.

    Args:
        oids: the blobs.
        blob: reads one; what it cannot read has no words.
        index: the words of some of them, which then are read only where more than their words is asked for.
    """

    def __init__(self, oids: Iterable[Oid], blob: Callable[[Oid], bytes | None], index: Index | None = None) -> None:
        self._index = index
        self._live = [oid for oid in dict.fromkeys(oids) if index is None or oid not in index]
        self._blob = blob
        self._texts: dict[Oid, bytes] = {}
        self._holding: dict[str, frozenset[Oid]] = {}
        self._words: dict[Oid, frozenset[bytes]] = {}
        self._asked: dict[Oid, int] = {}
        self._renames: dict[str, set[str]] | None = None
        self._starred: frozenset[Oid] | None = None

    def holding(self, word: str) -> frozenset[Oid]:
        """The blobs that spell a word."""
        found = self._holding.get(word)
        if found is None:
            text = spelling(word)
            every = {oid for oid in self._live if any(_places(self._text(oid), text))}
            every.update(() if self._index is None else self._index.holding(text))
            found = self._holding[word] = frozenset(every)
        return found

    def member_of(self, word: str) -> frozenset[Oid]:
        """The blobs in which something under a name may be a value: ``other = word.member``."""
        text = spelling(word)
        return frozenset(oid for oid in self.holding(word) if _has_member_as_value(self._text(oid), text))

    def spells(self, oid: Oid, words: Collection[str]) -> bool:
        """Whether a blob spells one of the words."""
        if self._index is not None and oid in self._index:
            return any(self._index.spells(oid, spelling(word)) for word in words)
        known = self._words.get(oid)
        if known is None:
            data = self._text(oid)
            asked = self._asked[oid] = self._asked.get(oid, 0) + len(words)
            if asked <= _FEW:
                return any(any(_places(data, spelling(word))) for word in words)
            # all words of a text cost about as much as a few searches of it
            known = self._words[oid] = frozenset(WORD.findall(data))
        return any(spelling(word) in known for word in words)

    def starred(self) -> frozenset[Oid]:
        """The blobs that take in everything of some module."""
        if self._starred is None:
            live = frozenset(oid for oid in self._live if takes_all(self._text(oid)))
            self._starred = live if self._index is None else live | self._index.starred
        return self._starred

    def renamed(self, word: str) -> frozenset[str]:
        """Every other word that something of this name is imported as, somewhere, and what that is imported as.

        Raises:
            TooMany: when there are hundreds; each of them is looked for in every source.
        """
        every: set[str] = set()
        pending = [word]
        while pending:
            fresh = self._once_renamed(pending.pop()) - every - {word}
            every |= fresh
            pending.extend(fresh)
            if len(every) > _MOST:
                raise TooMany("a name has too many other names", fix="link all of it")
        return frozenset(every)

    def _once_renamed(self, word: str) -> set[str]:
        if self._renames is None:
            kept = {} if self._index is None else self._index.renames
            self._renames = {name: {*others} for name, others in kept.items()}
            for oid in self._live:
                for name, other in renames(self._text(oid)):
                    self._renames.setdefault(name, set()).add(other)
        return self._renames.get(spelling(word).decode("utf-8", "surrogateescape"), set())

    def _text(self, oid: Oid) -> bytes:
        found = self._texts.get(oid)
        if found is None:
            found = self._texts[oid] = normal(self._blob(oid) or b"")
        return found


def _places(data: bytes, text: bytes) -> Iterator[int]:
    """Where each whole word of this text ends."""
    start = data.find(text)
    while start >= 0:
        end = start + len(text)
        if not (start and WORD.match(data, start - 1, start)) and not WORD.match(data, end, end + 1):
            yield end
        start = data.find(text, end)


def _has_member_as_value(data: bytes, text: bytes) -> bool:
    for end in _places(data, text):
        if _MEMBER.match(data, end):
            # a short look back: a long one, for each of many in one line, would cost the square of the line
            before = data[max(0, end - len(text) - _BACK) : end - len(text)]
            line = before[max(before.rfind(b"\n"), before.rfind(b"\r")) + 1 :].rstrip(_LEADING)
            if not line or line[-1:] in {b"=", b",", b"(", b"["}:
                return True
    return False
