"""Gatekeeper's own report: JSON Lines with counts before and after, so that what is lost or added on the way shows.

The first line opens the report: ``{"gatekeeper": "report", "version": 1, "kind": "run", "pytest": "9.2.0", "python":
"3.11.7", "args": ["tests"], "rootdir": ".", "collected": 12, "selected": 10}``. ``kind`` is ``run`` or ``collection``;
``collected`` counts the items as pytest's own collection made them, ``selected`` those left after every hook.

Then comes a line for each item, in the order in which they ran: ``{"nodeid": "tests/test_a.py::test_b[1]", "outcome":
"passed", "when": "call", "duration": 0.01, "examples": 100}``. ``outcome`` is ``passed``, ``failed``, ``error``,
``skipped``, ``xfailed`` or ``xpassed``, and ``when`` the phase that decided it; a collection has neither. ``examples``
are the cases that Hypothesis passed, only there for a Hypothesis test. Items that hooks took out have ``"outcome":
"deselected"``.

The last line closes it: ``{"end": true, "collected": 12, "selected": 10, "lines": 12, "exit": 0}``, with the counts
taken again when the session ends.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.reports.model import COLLECTION, MAX_NAME, MAX_TESTS, OUTCOMES, RUN, Report, Unusable
from gatekeeper.reports.strictjson import count, records, text

if TYPE_CHECKING:
    from typing import Any

VERSION = 1
_DESELECTED = "deselected"
_FINE = (0, 1)


def read(data: bytes) -> Report:
    """A report of Gatekeeper's own form.

    Raises:
        Unusable: when it is none.
    """
    lines = records(data)
    head = next(lines, {})
    if head.get("gatekeeper") != "report" or head.get("version") != VERSION:
        raise Unusable(f"its first line does not open a report of version {VERSION}")
    kind = text(head, "kind")
    if kind not in {COLLECTION, RUN}:
        raise Unusable(f"{kind} is no kind of report")
    body = _Body(kind)
    end: dict[str, Any] | None = None
    for record in lines:
        if end is not None:
            raise Unusable("a line stands after the last one")
        if record.get("end") is True:
            end = record
        else:
            body.take(record)
    return body.report(head, end)


class _Body:
    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._seen: dict[str, str] = {}
        self._examples: dict[str, int] = {}

    def take(self, record: dict[str, Any]) -> None:
        """The line of one item."""
        nodeid = text(record, "nodeid")
        if nodeid in self._seen:
            raise Unusable(f"{nodeid} has two lines")
        if len(nodeid) > MAX_NAME or len(self._seen) > MAX_TESTS:
            raise Unusable("it names too much")
        outcome = text(record, "outcome") if self._kind == RUN or "outcome" in record else ""
        if outcome not in (*OUTCOMES, _DESELECTED) and (self._kind == RUN or outcome):
            raise Unusable(f"{outcome} is no outcome")
        self._seen[nodeid] = outcome
        if "examples" in record:
            self._examples[nodeid] = count(record, "examples")

    def report(self, head: dict[str, Any], end: dict[str, Any] | None) -> Report:
        """What all lines say."""
        kept = tuple(nodeid for nodeid, outcome in self._seen.items() if outcome != _DESELECTED)
        deselected = len(self._seen) - len(kept)
        faults = ["it has no last line"] if end is None else list(self._differences(head, end, len(kept)))
        return Report(
            self._kind,
            "lines",
            kept,
            outcomes={nodeid: self._seen[nodeid] for nodeid in kept if self._kind == RUN},
            examples=self._examples,
            deselected=deselected,
            complete=not faults,
            faults=tuple(faults),
        )

    def _differences(self, head: dict[str, Any], end: dict[str, Any], kept: int) -> list[str]:
        found = []
        for key, lines in (("collected", len(self._seen)), ("selected", kept)):
            before, after = count(head, key), count(end, key)
            if not before == after == lines:
                found.append(
                    f"{before} tests were {key} before the run, {after} after it, and {lines} are in the report"
                )
        if count(end, "lines") != len(self._seen):
            found.append(f"its last line counts {count(end, 'lines')} lines, and it has {len(self._seen)}")
        if count(end, "exit") not in _FINE:
            found.append(f"pytest ended with status {count(end, 'exit')}")
        return found
