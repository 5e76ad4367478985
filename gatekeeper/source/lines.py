"""Which lines of a source hold a word: a cheap question asked before a costly walk of the tree."""

from __future__ import annotations

from bisect import bisect_left

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    import ast


class Hits:
    """Line numbers in ascending order."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: list[int]) -> None:
        self._numbers = numbers

    def within(self, node: ast.stmt) -> bool:
        """Whether one of the lines belongs to the statement."""
        place = bisect_left(self._numbers, node.lineno)
        return place < len(self._numbers) and self._numbers[place] <= (node.end_lineno or node.lineno)


class Lines:
    """The bytes of a source, by line."""

    __slots__ = ("_data", "_lines")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._lines: list[bytes] | None = None

    def of(self, node: ast.stmt) -> bytes:
        """The lines that a statement stands on."""
        if self._lines is None:
            # A bare CR, which ends a line for the parser too, was refused before anything was parsed.
            self._lines = self._data.split(b"\n")
        return b"\n".join(self._lines[node.lineno - 1 : node.end_lineno])

    def holding(self, *words: bytes) -> Hits:
        """The lines on which one of the words begins, also inside a longer one."""
        data, places = self._data, set()
        for word in words:
            place = data.find(word)
            while place >= 0:
                places.add(place)
                place = data.find(word, place + 1)
        numbers: list[int] = []
        line, seen = 1, 0
        for place in sorted(places):
            line += data.count(b"\n", seen, place)
            seen = place
            numbers.append(line)
        return Hits(numbers)
