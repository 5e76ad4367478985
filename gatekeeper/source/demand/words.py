"""The words of a source, as far as a search for names needs them; and those of a whole tree in one text to keep.

The bytes may be hostile: everything here takes time in proportion to them.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from unicodedata import normalize

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gatekeeper.model import Oid

WORD = re.compile(rb"[\w\x80-\xff]+")
_STAR = re.compile(rb"import[\s\\]*\*")
_IMPORT = re.compile(rb"import\b(?:[^\n\r(#;\\]|\\\r?\n|\\.)*(?:\((?:[^)#]|#[^\n\r]*)*\))?")
_COMMENT = re.compile(rb"#[^\n\r]*")
FORM = 1


def normal(data: bytes) -> bytes:
    """The bytes with identifiers as the parser sees them."""
    if data.isascii():
        return data
    return normalize("NFKC", data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def spelling(name: str) -> bytes:
    """How a name is spelled in such bytes."""
    return normal(name.encode("utf-8", "surrogatepass"))


def takes_all(data: bytes) -> bool:
    """Whether a source may take in everything of some module."""
    return b"*" in data and _STAR.search(data) is not None


def renames(data: bytes) -> Iterator[tuple[str, str]]:
    """Every ``name as other`` in the import statements of a source."""
    for statement in _IMPORT.findall(data):
        if b"as" in statement:
            words = WORD.findall(_COMMENT.sub(b"", statement))
            for before, between, after in zip(words, words[1:], words[2:], strict=False):
                if between == b"as":
                    yield _text(before), _text(after)


def _text(word: bytes) -> str:
    return word.decode("utf-8", "surrogateescape")


def written(texts: Mapping[Oid, bytes]) -> bytes:
    """The words of many sources (normal bytes by oid), as :class:`Index` reads them."""
    body, ends, stars = bytearray(), [], []
    others: dict[str, set[str]] = {}
    for place, data in enumerate(texts.values()):
        body += b"\n%s\n" % b"\n".join(sorted(set(WORD.findall(data))))
        ends.append(len(body))
        if takes_all(data):
            stars.append(place)
        for name, other in renames(data):
            others.setdefault(name, set()).add(other)
    table = {name: sorted(found) for name, found in sorted(others.items())}
    head = {"form": FORM, "oids": [oid.hex() for oid in texts], "ends": ends, "stars": stars, "renames": table}
    return json.dumps(head).encode("ascii") + b"\n" + bytes(body)


class Index:
    """The words of the sources of a trusted tree, kept so that none of them need be read to look for one."""

    def __init__(self, data: bytes) -> None:
        head, _, self._body = data.partition(b"\n")
        said = json.loads(head)
        self._oids = [bytes.fromhex(oid) for oid in said["oids"]]
        self._ends: list[int] = said["ends"]
        self._places = {oid: place for place, oid in enumerate(self._oids)}
        self.starred = frozenset(self._oids[place] for place in said["stars"])
        self.renames: dict[str, list[str]] = said["renames"]

    def __contains__(self, oid: Oid) -> bool:
        return oid in self._places

    def holding(self, word: bytes) -> Iterator[Oid]:
        """The sources that spell a word."""
        wanted = b"\n%s\n" % word
        start = self._body.find(wanted)
        while start >= 0:
            place = bisect_right(self._ends, start)
            yield self._oids[place]
            start = self._body.find(wanted, self._ends[place])

    def spells(self, oid: Oid, word: bytes) -> bool:
        """Whether one of them does."""
        place = self._places[oid]
        start = self._ends[place - 1] if place else 0
        return self._body.find(b"\n%s\n" % word, start, self._ends[place]) >= 0
