"""The lines of ``pytest -v``: a nodeid, what became of it, how far the run is."""

from __future__ import annotations

import re
from collections import Counter

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.reports.model import ERROR, FAILED, PASSED, SKIPPED, XFAILED, XPASSED

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORDS = {
    "PASSED": PASSED, "FAILED": FAILED, "ERROR": ERROR, "SKIPPED": SKIPPED, "XFAIL": XFAILED, "XPASS": XPASSED,
}  # fmt: skip
_WORD = "|".join(_WORDS)
_PROGRESS = r"\[ *\d+(?:%|/\d+)\]"
_LINE = re.compile(rf"(?P<nodeid>\S.*::.*) (?P<word>{_WORD})(?: \(.*\))? +{_PROGRESS}")
_WORKER = re.compile(rf"\[gw\d+\] {_PROGRESS} (?P<word>{_WORD}) (?P<nodeid>\S.*::.*)")
_SECTION = re.compile(r"=+ (?!test session starts).* =+")
_COUNTED = re.compile(r"(\d+) ([a-z]+)(?=,|$)")
_NAMES = {"errors": ERROR, "error": ERROR}


def outcomes(lines: Iterable[str]) -> list[tuple[str, str]]:
    """Each test with what became of it, up to the first section of the report; a test may have two lines."""
    found = []
    for line in lines:
        if _SECTION.fullmatch(line):
            break
        match = _LINE.fullmatch(line) or _WORKER.fullmatch(line)
        if match is not None:
            found.append((match["nodeid"], _WORDS[match["word"]]))
    return found


def tallied(parts: str, found: Iterable[tuple[str, str]]) -> tuple[int, list[str]]:
    """The number of deselected tests in the closing line, and where its other numbers are not those of the lines."""
    said: Counter[str] = Counter()
    deselected = 0
    for number, word in _COUNTED.findall(parts):
        name = _NAMES.get(word, word)
        if name == "deselected":
            deselected = int(number)
        elif name in _WORDS.values():
            said[name] += int(number)
    seen = Counter(outcome for _, outcome in found)
    faults = [
        f"it says {said[name]} {name}, and {seen[name]} lines say so"
        for name in _WORDS.values()
        if said[name] != seen[name]
    ]
    return deselected, faults
