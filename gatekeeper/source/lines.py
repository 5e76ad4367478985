"""Which lines of a source hold a word: a cheap question asked before a costly walk of the tree."""

from __future__ import annotations

import re
from bisect import bisect_left

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

# The parser ends a line at a bare CR too; a form feed does not end one.
_END = re.compile(rb"\r\n|\r|\n")


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

    __slots__ = ("_data", "_starts")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._starts: list[int] | None = None

    def holding(self, *words: bytes) -> Hits:
        """The lines on which one of the words begins, also inside a longer one."""
        data, places = self._data, set()
        for word in words:
            place = data.find(word)
            while place >= 0:
                places.add(place)
                place = data.find(word, place + 1)
        if not places:
            return Hits([])
        if self._starts is None:
            self._starts = [found.end() for found in _END.finditer(data)]
        starts = self._starts
        return Hits(sorted({bisect_left(starts, place + 1) + 1 for place in places}))
