from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.support.git import Result
from tests.support.lab import HONEST_FIX, Pushed

if TYPE_CHECKING:
    from tests.support.lab import Lab

RAN = {
    "tests/properties/test_encoder_bounds.py::test_no_silent_truncation": "passed",
    "tests/properties/test_cache_ttl.py::test_ttl_monotonic": "passed",
}


def _checked(lab: Lab, outcomes: dict[str, str]) -> Pushed:
    """No hook reads a report: this is what a CI job hears, as if a server had said it."""
    count = {"collected": len(outcomes), "selected": len(outcomes)}
    records = [
        {"gatekeeper": "report", "version": 1, "kind": "run", "rootdir": ".", **count},
        *({"nodeid": nodeid, "outcome": outcome, "when": "call"} for nodeid, outcome in outcomes.items()),
        {"end": True, "lines": len(outcomes), "exit": 0, **count},
    ]
    report = lab.home / "report.jsonl"
    report.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    done = lab.check(str(lab.base), lab.commit(HONEST_FIX), "--run-report", report)
    said = "".join(f"remote: {line}\n" for line in done.stdout.partition("exit  observed")[0].splitlines())
    return Pushed(Result(("check",), done.returncode, b"", said), done.returncode)


def failing(lab: Lab) -> Pushed:
    """One of the properties was skipped in the run."""
    return _checked(lab, {**RAN, next(iter(RAN)): "skipped"})


def passing(lab: Lab) -> Pushed:
    """Both ran, and passed."""
    return _checked(lab, RAN)
