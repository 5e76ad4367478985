"""What pytest prints: ``--collect-only -q`` (one nodeid a line), ``--collect-only`` (a tree), ``-v`` (a line a test).

Anything that runs in pytest's process can print lines like these. So a text counts only as a whole: one closing line,
the last of all, whose numbers are those of the lines above it; what it names is then looked up in the sources.
"""

from __future__ import annotations

import re

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.reports.model import COLLECTION, MAX_NAME, MAX_TESTS, RUN, Report, Unusable
from gatekeeper.reports.printed_tree import NODE, leaves
from gatekeeper.reports.verbose import outcomes, tallied

if TYPE_CHECKING:
    from collections.abc import Sequence

_ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_RULE = re.compile(r"^(=+|-+|_+|!+) .* \1$|^(?:=+|-+|!+) .*? (?:=+|-+|!+)$")
_TIME = r" in \d+(?:\.\d+)?s(?: \([\d:]+\))?"
_COLLECTED = re.compile(
    r"(?:(?P<none>no tests)|(?:(?P<selected>\d{1,9})/)?(?P<all>\d{1,9}) tests?) collected"
    r"(?: \((?P<deselected>\d{1,9}) deselected\))?(?:, (?P<errors>\d{1,9}) errors?)?" + _TIME
)
_PART = r"\d{1,9} (?:subtests? )?[a-z]+(?: (?:passed|failed|skipped|xfailed))?"
_IDLE = re.compile(r"no tests ran|\d+ deselected(?:, \d+ warnings?)?")
_RAN = re.compile(rf"(?P<parts>no tests ran|{_PART}(?:, {_PART})*){_TIME}")
_COUNTS_ONLY = re.compile(r"^\S.*: \d+$")


class _Closing(NamedTuple):
    """The closing line: where it stands, and the match of what it says."""

    place: int
    collected: re.Match[str] | None
    ran: re.Match[str] | None


def read(data: bytes) -> Report:
    """A printed report.

    Raises:
        Unusable: when it has no closing line, or is of a form that names no tests.
    """
    lines = _lines(data)
    closings = [found for place, line in enumerate(lines) if (found := _closing(place, line)) is not None]
    if not closings and _counts_only(_paragraph(lines)):
        raise Unusable("it only counts tests (-qq, or -q in addopts as well): leave one -q away")
    if not closings:
        raise Unusable("it has no closing line, such as '3 tests collected in 0.01s': it is cut off, or no report")
    last = closings[-1]
    faults = ["it has more than one closing line"] if len(closings) > 1 else []
    if any(lines[last.place + 1 :]):
        faults.append("something is printed after its closing line")
    above = lines[: closings[0].place]
    report = _collection(above, last.collected) if last.collected is not None else _run(above, last.ran)
    faults.extend(report.faults)
    return report._replace(faults=tuple(faults), complete=not faults)


def _lines(data: bytes) -> list[str]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Unusable("it is not UTF-8") from None
    lines = [line.rstrip() for line in _ANSI.sub("", text.replace("\r\n", "\n")).split("\n")]
    if len(lines) > 4 * MAX_TESTS or any(len(line) > MAX_NAME for line in lines):
        raise Unusable("it has too many lines, or one that is too long")
    if any(_CONTROL.search(line) for line in lines):
        raise Unusable("it has control characters in it, which can hide what is printed")
    return lines


def _closing(place: int, line: str) -> _Closing | None:
    said = line.strip("= ")
    collected, ran = _COLLECTED.fullmatch(said), _RAN.fullmatch(said)
    return _Closing(place, collected, ran) if collected or ran else None


def _collection(lines: Sequence[str], closing: re.Match[str] | None) -> Report:
    assert closing is not None  # noqa: S101 (the caller looked)
    faults: list[str] = []
    if closing["errors"]:
        faults.append(f"{closing['errors']} files could not be collected")
    deselected = int(closing["deselected"] or 0)
    expected = 0 if closing["none"] else int(closing["selected"] or closing["all"])
    if any(NODE.match(line) for line in lines):
        form, nodeids = "tree", leaves(lines)
    else:
        form, nodeids = "text", _names(lines, faults)
    if len(nodeids) != expected:
        faults.append(f"it says that {expected} tests are collected, and names {len(nodeids)}")
    if len(set(nodeids)) != len(nodeids):
        faults.append("it names a test twice")
    return Report(COLLECTION, form, tuple(nodeids), deselected=deselected, faults=tuple(faults))


def _names(lines: Sequence[str], faults: list[str]) -> list[str]:
    """The first paragraph: with ``-q`` pytest prints nodeids, an empty line, and what else it has to say."""
    body = _paragraph(lines)
    if body and _RULE.match(body[0]):
        return []  # nothing was collected, and a section follows
    for line in body:
        if "::" not in line:
            faults.append(f"a line among the nodeids is none: {line[:80]}")
            break
    return [line for line in body if "::" in line]


def _paragraph(lines: Sequence[str]) -> Sequence[str]:
    """The first lines that are not empty."""
    first = next((place for place, line in enumerate(lines) if line), len(lines))
    end = next((place for place in range(first, len(lines)) if not lines[place]), len(lines))
    return lines[first:end]


def _counts_only(lines: Sequence[str]) -> bool:
    return bool(lines) and all(_COUNTS_ONLY.match(line) and "::" not in line for line in lines)


def _run(lines: Sequence[str], closing: re.Match[str] | None) -> Report:
    assert closing is not None  # noqa: S101 (the caller looked)
    found = outcomes(lines)
    if not found and not _IDLE.fullmatch(closing["parts"]):
        raise Unusable("it names no tests: run with -v, or have pytest write JUnit XML")
    deselected, faults = tallied(closing["parts"], found)
    final = dict(found)  # an error after the test stands in a line of its own, the later one
    return Report(RUN, "verbose", tuple(final), outcomes=final, deselected=deselected, faults=tuple(faults))
