"""The JSON lines of pytest-reportlog."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.reports.hypothesis_stats import passing
from gatekeeper.reports.model import (
    ERROR,
    FAILED,
    MAX_NAME,
    MAX_TESTS,
    PASSED,
    RUN,
    SKIPPED,
    XFAILED,
    XPASSED,
    Report,
    Unusable,
    worst,
)
from gatekeeper.reports.strictjson import count, records, text

if TYPE_CHECKING:
    from typing import Any

_STATISTICS = ("_hypothesis_stats", "_hypothesis_statistics", "__hypothesis_stats")
_FINE = (0, 1)
"""Exit statuses of a session that ran to its end: all passed, some failed."""


def read(data: bytes) -> Report:
    """A report of a run; pytest-reportlog says of a collection only which directories and modules there were.

    Raises:
        Unusable: when it is no such report.
    """
    log = _Log()
    for record in records(data):
        log.take(record)
    return log.report()


class _Log:
    def __init__(self) -> None:
        self._started = 0
        self._ended: list[int] = []
        self._phases: dict[str, set[str]] = {}
        self._outcomes: dict[str, str] = {}
        self._examples: dict[str, int] = {}
        self._faults: list[str] = []

    def take(self, record: dict[str, Any]) -> None:
        """One line."""
        kind = text(record, "$report_type")
        if kind == "WarningMessage":
            return
        if kind == "SessionStart":
            self._started += 1
        elif self._started != 1 or self._ended:
            raise Unusable("a line stands outside its one session")
        elif kind == "SessionFinish":
            self._ended.append(count(record, "exitstatus"))
        elif kind == "CollectReport" and text(record, "outcome") == "failed":
            self._faults.append(f"{text(record, 'nodeid') or 'the session'} could not be collected")
        elif kind == "TestReport":
            self._test(record)

    def _test(self, record: dict[str, Any]) -> None:
        nodeid, when = text(record, "nodeid"), text(record, "when")
        if len(nodeid) > MAX_NAME or len(self._phases) > MAX_TESTS:
            raise Unusable("it names too much")
        self._phases.setdefault(nodeid, set()).add(when)
        self._outcomes[nodeid] = worst(self._outcomes.get(nodeid), _outcome(record, when))
        for key in _STATISTICS:
            said = record.get(key)
            number = passing(said) if isinstance(said, str) else None
            if number is not None:
                self._examples[nodeid] = number

    def report(self) -> Report:
        """What all lines say."""
        if self._started != 1 or not self._ended:
            self._faults.append("the session does not start and end in it")
        elif self._ended[0] not in _FINE:
            self._faults.append(f"pytest ended with status {self._ended[0]}")
        for nodeid, phases in self._phases.items():
            if not {"setup", "teardown"} <= phases or (self._outcomes[nodeid] == PASSED and "call" not in phases):
                self._faults.append(f"{nodeid} did not go through setup, call and teardown")
        nodeids = tuple(self._phases)
        found = Report(RUN, "reportlog", nodeids, outcomes=self._outcomes, examples=self._examples)
        return found._replace(faults=tuple(self._faults), complete=not self._faults)


def _outcome(record: dict[str, Any], when: str) -> str:
    said = text(record, "outcome")
    expected = record.get("wasxfail") is not None
    if said == "passed":
        return XPASSED if expected and when == "call" else PASSED
    if said == "skipped":
        return XFAILED if expected else SKIPPED
    if said == "failed":
        return FAILED if when == "call" else ERROR
    raise Unusable(f"{said} is no outcome")
