"""What a report says, whatever its form."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

COLLECTION, RUN = "collection", "run"
"""The kinds: what would run, and what did."""

PASSED, FAILED, ERROR = "passed", "failed", "error"
SKIPPED, XFAILED, XPASSED = "skipped", "xfailed", "xpassed"
OUTCOMES = (PASSED, FAILED, ERROR, SKIPPED, XFAILED, XPASSED)

MAX_BYTES = 128 << 20
MAX_TESTS = 2_000_000
MAX_NAME = 1 << 16
"""Bounds of a report, in bytes; of the tests in it; of one nodeid, in characters."""


class Case(NamedTuple):
    """A test of a JUnit report: it has no nodeid, only the dotted path of what the test is in, and its name."""

    classname: str
    name: str
    file: str
    outcome: str


class Report(NamedTuple):
    """One report.

    ``form`` is how it is written. ``collected`` are the nodeids in their order; a JUnit report has ``cases`` instead.
    ``outcomes`` and ``examples`` (cases that Hypothesis passed) are by nodeid; ``deselected`` is a count, 0 where the
    report says none. ``complete`` says that it was closed as pytest closes one, and that its own counts agree with it;
    ``faults`` why not, each a sentence.
    """

    kind: str
    form: str
    collected: tuple[str, ...] = ()
    cases: tuple[Case, ...] = ()
    outcomes: Mapping[str, str] = {}
    examples: Mapping[str, int] = {}
    deselected: int = 0
    complete: bool = False
    faults: tuple[str, ...] = ()


class Unusable(Exception):
    """A report that cannot be read any further; the text says why."""


def worst(first: str | None, second: str) -> str:
    """The outcome of a test that several parts of a report speak of: a failure of any is one of the whole."""
    if first is None:
        return second
    return min(first, second, key=_ORDER.index)


_ORDER = (ERROR, FAILED, SKIPPED, XFAILED, XPASSED, PASSED)
