"""Which lines of a source hold a word: a cheap question asked before a costly walk of the tree."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    import ast


class Hits:
    """Line numbers in ascending order."""

    __slots__ = ("numbers",)

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers

    def within(self, node: ast.stmt) -> bool:
        """Whether one of the lines belongs to the statement."""
        place = bisect_left(self.numbers, node.lineno)
        return place < len(self.numbers) and self.numbers[place] <= (node.end_lineno or node.lineno)


class Lines:
    """The bytes of a source, by line."""

    __slots__ = ("_data", "_ends", "_found", "_lines", "_plain")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._plain = data.isascii()
        self._found: dict[bytes, list[int]] = {}
        self._lines: list[bytes] = []
        self._ends: list[int] = []

    def may_name(self, word: bytes) -> bool:
        """Whether a name may stand in the source at all. In other letters of Unicode, Python reads the same name."""
        return word in self._data or not self._plain

    def names_in(self, node: ast.stmt, words: tuple[bytes, ...]) -> bool:
        """Whether one of these names may stand on the lines of a statement."""
        self._split()
        text = b"".join(self._lines[node.lineno - 1 : node.end_lineno])
        return any(word in text for word in words) or not (self._plain or text.isascii())

    def naming(self, *words: bytes) -> Hits:
        """The lines on which one of these names may stand."""
        hits = self.holding(*words)
        if self._plain:
            return hits
        self._split()
        other = (number for number, line in enumerate(self._lines, 1) if not line.isascii())
        return Hits(sorted({*hits.numbers, *other}))

    def holding(self, *words: bytes) -> Hits:
        """The lines on which one of the words begins, also inside a longer one."""
        return Hits(sorted({line for word in words for line in self._lines_of(word)}))

    def _lines_of(self, word: bytes) -> list[int]:
        found = self._found.get(word)
        if found is None:
            found = self._found[word] = []
            place = self._data.find(word)
            while place >= 0:
                self._split()
                found.append(bisect_right(self._ends, place) + 1)
                place = self._data.find(word, place + 1)
        return found

    def _split(self) -> None:
        if not self._lines:
            # A bare CR, which ends a line for the parser too, was refused before anything was parsed.
            self._lines = self._data.splitlines(keepends=True)
            self._ends = list(accumulate(map(len, self._lines)))
