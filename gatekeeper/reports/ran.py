"""Which named properties a run proves nothing of: what GK409 says of each."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.reports.addresses import split
from gatekeeper.reports.model import ERROR, FAILED, PASSED, SKIPPED, XFAILED, XPASSED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gatekeeper.reports.crosscheck import Crosschecked

_WORDS = {
    SKIPPED: "was skipped",
    XFAILED: "was expected to fail, and did",
    FAILED: "failed",
    ERROR: "ended in an error before or after it ran",
}


class Unmet(NamedTuple):
    """A property that the run does not prove; ``kind`` is an outcome, ``missing`` or ``examples``."""

    nodeid: str
    kind: str
    why: str


def unmet(named: Mapping[str, int], run: Crosschecked) -> list[Unmet]:
    """The named properties that did not run, or with too few examples.

    Args:
        named: each property (the nodeid of a function, or of one of its parameter sets) with the least number of
            examples that it must be tried with; 0 for any.
        run: a report of a run, cross-checked.
    """
    by_node: dict[str, list[str]] = {}
    for nodeid in run.accepted:
        by_node.setdefault(split(nodeid)[0], []).append(nodeid)
    found: list[Unmet] = []
    for name, least in named.items():
        ids = [name] if split(name)[1] else by_node.get(name, [])
        found.extend(_judged(name, [nodeid for nodeid in ids if nodeid in run.outcomes], least, run))
    return found


def _judged(name: str, ids: list[str], least: int, run: Crosschecked) -> Iterator[Unmet]:
    if not ids:
        yield Unmet(name, "missing", f"{name} is not in the report: it was deselected, or did not run")
        return
    for nodeid in ids:
        outcome = run.outcomes[nodeid]
        if outcome not in {PASSED, XPASSED}:
            yield Unmet(nodeid, outcome, f"{nodeid} {_WORDS[outcome]}")
        elif least:
            number = run.examples.get(nodeid)
            if number is None:
                why = f"the report does not say with how many examples {nodeid} ran, and {least} are asked for"
                yield Unmet(nodeid, "examples", why)
            elif number < least:
                why = f"{nodeid} ran with {number} examples, and {least} are asked for"
                yield Unmet(nodeid, "examples", why)
