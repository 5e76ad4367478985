"""What a report of a run says of the named properties, as far as the sources of the same tree explain it.

No hook reads a report: whoever pushes could have written it. ``gatekeeper check --run-report`` is for the job that runs
the suite where the pushed code cannot reach the file.
"""

from __future__ import annotations

import re

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.collecting import collected
from gatekeeper.contracts.properties import read_properties
from gatekeeper.judged import Fault
from gatekeeper.reports.crosscheck import cross_check
from gatekeeper.reports.model import RUN
from gatekeeper.reports.ran import unmet
from gatekeeper.source.collection.items import Collected

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from gatekeeper.contracts.properties import Properties
    from gatekeeper.reports.crosscheck import Crosschecked
    from gatekeeper.reports.model import Report
    from gatekeeper.source.collection.items import Invocation
    from gatekeeper.source.gitfiles import Tree

CODE = "GK409"
_AGAIN = "run the whole suite at this commit, and hand in the report of that run"
_DEFINED = re.compile(rb"\b(?:def|class)\s+(\w+)")
_MUST = "the property must run and pass, with the examples that the list asks for"


def judge_run(listed: bytes, tree: Tree, report: Report, missing: Collection[str], seconds: float) -> tuple[Fault, ...]:
    """Which named properties a run proves nothing of.

    Args:
        listed: the list of properties.
        tree: the sources that were run.
        report: of the run.
        missing: nodeids that are not collected, of which nothing more needs to be said.
        seconds: the wall time for reading the tree's suite.

    Raises:
        DeadlineExceeded, LimitExceeded, GatekeeperError: as :func:`gatekeeper.collecting.collected`.
    """
    contract = read_properties(listed)
    if report.kind != RUN:
        return (Fault(CODE, "the run report says what was collected, and not what ran", None, None, _AGAIN),)
    run = cross_check(report, _static(tree, contract.invocation, seconds), lambda path: _defined(tree, path))
    if run.faults:
        return tuple(
            Fault(CODE, f"the run report is not believed: {fault}", None, None, _AGAIN) for fault in run.faults
        )
    return (*_forged(run), *_unmet(contract, missing, run))


def _forged(run: Crosschecked) -> Iterator[Fault]:
    if run.forged:
        first, more = run.forged[0], len(run.forged) - 1
        also = f", and {more} more like it" if more else ""
        said = f"the run report has {first.said}, which cannot be of this tree: {first.why}{also}"
        yield Fault(CODE, said, None, None, _AGAIN)


def _unmet(contract: Properties, missing: Collection[str], run: Crosschecked) -> Iterator[Fault]:
    for row in contract.properties:
        for one in unmet({row.nodeid: row.min_examples or 0}, run) if row.nodeid not in missing else ():
            path = row.module.encode("utf-8", "surrogateescape")
            yield Fault(CODE, f"{row.id}: {one.why}", path, None, _MUST)


def _static(tree: Tree, invocation: Invocation, seconds: float) -> Collected:
    """All that pytest collects from the tree."""
    parts = list(collected(tree, invocation, seconds=seconds))
    return Collected(
        tuple(found for part in parts for found in part.found),
        tuple(one for part in parts for one in part.errors),
        tuple(one for part in parts for one in part.opaque),
    )


def _defined(tree: Tree, path: str) -> frozenset[str] | None:
    """The names that look defined in a file: nothing is parsed here, and more of them than there are do no harm."""
    data = tree.read(path.encode("utf-8", "surrogateescape"))
    return None if data is None else frozenset(name.decode("utf-8", "replace") for name in _DEFINED.findall(data))
