"""Which sources of a tree hold a word: what need not be parsed to know that it says nothing about a name.

A source can only say something about a definition if it spells the name, or takes in everything of a module by
wildcard. Both are looked for in the bytes, so that a push is judged without parsing the tree that it lands in. What is
found is too much, never too little: identifiers are compared as the parser normalises them (NFKC), and a quoted
annotation is one only where it is written plainly (:mod:`gatekeeper.source.facts.serial`).

The bytes may be hostile: every search takes time in proportion to them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import normalize

from gatekeeper.source.link.budget import TooMany

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from gatekeeper.model import Oid

_WORD = re.compile(rb"[\w\x80-\xff]+")
_STAR = re.compile(rb"import[\s\\]*\*")
_IMPORT = re.compile(rb"import\b(?:[^\n\r(#;\\]|\\\r?\n|\\.)*(?:\((?:[^)#]|#[^\n\r]*)*\))?")
_COMMENT = re.compile(rb"#[^\n\r]*")
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
    """

    def __init__(self, oids: Iterable[Oid], blob: Callable[[Oid], bytes | None]) -> None:
        self._oids = tuple(dict.fromkeys(oids))
        self._blob = blob
        self._texts: dict[Oid, bytes] | None = None
        self._holding: dict[str, frozenset[Oid]] = {}
        self._words: dict[Oid, frozenset[bytes]] = {}
        self._asked: dict[Oid, int] = {}
        self._renames: dict[str, frozenset[str]] | None = None
        self._starred: frozenset[Oid] | None = None

    def holding(self, word: str) -> frozenset[Oid]:
        """The blobs that spell a word."""
        found = self._holding.get(word)
        if found is None:
            text = _bytes(word)
            found = frozenset(oid for oid, data in self._all().items() if any(_places(data, text)))
            self._holding[word] = found
        return found

    def member_of(self, word: str) -> frozenset[Oid]:
        """The blobs in which something under a name may be a value: ``other = word.member``."""
        text, texts = _bytes(word), self._all()
        return frozenset(oid for oid in self.holding(word) if _has_member_as_value(texts[oid], text))

    def spells(self, oid: Oid, words: Collection[str]) -> bool:
        """Whether a blob spells one of the words."""
        known = self._words.get(oid)
        if known is None:
            data = self._all().get(oid, b"")
            asked = self._asked[oid] = self._asked.get(oid, 0) + len(words)
            if asked <= _FEW:
                return any(any(_places(data, _bytes(word))) for word in words)
            # all words of a text cost about as much as a few searches of it
            known = self._words[oid] = frozenset(_WORD.findall(data))
        return any(_bytes(word) in known for word in words)

    def starred(self) -> frozenset[Oid]:
        """The blobs that take in everything of some module."""
        if self._starred is None:
            self._starred = frozenset(oid for oid, data in self._all().items() if b"*" in data and _STAR.search(data))
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

    def _once_renamed(self, word: str) -> frozenset[str]:
        if self._renames is None:
            found: dict[str, set[str]] = {}
            for data in self._all().values():
                for statement in _IMPORT.findall(data):
                    if b"as" in statement:
                        words = _WORD.findall(_COMMENT.sub(b"", statement))
                        for before, between, after in zip(words, words[1:], words[2:], strict=False):
                            if between == b"as":
                                found.setdefault(_text(before), set()).add(_text(after))
            self._renames = {name: frozenset(others) for name, others in found.items()}
        return self._renames.get(_text(_bytes(word)), frozenset())

    def _all(self) -> dict[Oid, bytes]:
        if self._texts is None:
            texts = ((oid, self._blob(oid)) for oid in self._oids)
            self._texts = {oid: _normal(data) for oid, data in texts if data is not None}
        return self._texts


def _places(data: bytes, text: bytes) -> Iterator[int]:
    """Where each whole word of this text ends."""
    start = data.find(text)
    while start >= 0:
        end = start + len(text)
        if not (start and _WORD.match(data, start - 1, start)) and not _WORD.match(data, end, end + 1):
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


def _bytes(word: str) -> bytes:
    return _normal(word.encode("utf-8", "surrogatepass"))


def _text(word: bytes) -> str:
    return word.decode("utf-8", "surrogateescape")


def _normal(data: bytes) -> bytes:
    """The bytes with identifiers as the parser sees them."""
    if data.isascii():
        return data
    return normalize("NFKC", data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
