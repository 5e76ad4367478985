"""A report beside what the sources hold: only what a blob of the tree explains is believed.

Whoever ran pytest could have written every line of a report. Static collection could not: it reads the blobs. So an id
whose function is in no blob is forged, and so is a parameter set that the function does not have. Where the sources do
not tell (ids unknown, a scope that a plugin rewrites), a line is believed if a function of that name explains it.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.reports.addresses import dotted, split
from gatekeeper.reports.model import Case, Report, worst
from gatekeeper.source.collection.items import EXACT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from gatekeeper.source.collection.items import Collected, Found

    Defines = Callable[[str], Collection[str] | None]


class Forged(NamedTuple):
    """A line that nothing explains, and why not."""

    said: str
    why: str


class Crosschecked(NamedTuple):
    """What is left of a report.

    ``accepted`` are the nodeids that the sources explain, and of them ``unknown`` those whose parameters could not be
    checked. ``forged`` are the lines that nothing explains. ``missing`` are exact ids of the sources that the report
    lacks, ``conditional`` those that it may lack (``importorskip``, a condition). ``outcomes`` and ``examples`` are of
    accepted ids only. ``faults`` are those of the report: with any, nothing is accepted.
    """

    accepted: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    forged: tuple[Forged, ...] = ()
    missing: tuple[str, ...] = ()
    conditional: tuple[str, ...] = ()
    outcomes: Mapping[str, str] = {}
    examples: Mapping[str, int] = {}
    faults: tuple[str, ...] = ()


def cross_check(report: Report, static: Collected, defines: Defines | None = None) -> Crosschecked:
    """Compare a report with the static collection of the tree that it is said to be of.

    Args:
        report: as it was read.
        static: what the sources hold, for the same invocation.
        defines: the names of the functions and classes of a file of the tree, None where there is no such file; needed
            for scopes that are not static.
    """
    if report.faults or not report.complete:
        return Crosschecked(faults=report.faults or ("it is not complete",))
    sources = _Sources(static, defines)
    named, forged = _named(report, sources)
    accepted, unknown = [], []
    outcomes = {}
    for nodeid, outcome in named.items():
        why = sources.objection(nodeid)
        if why:
            forged.append(Forged(nodeid, why))
            continue
        accepted.append(nodeid)
        if not sources.is_exact(nodeid):
            unknown.append(nodeid)
        if outcome:
            outcomes[nodeid] = outcome
    examples = {nodeid: report.examples[nodeid] for nodeid in accepted if nodeid in report.examples}
    missing, conditional = sources.lacking(accepted)
    return Crosschecked(tuple(accepted), tuple(unknown), tuple(forged), missing, conditional, outcomes, examples)


def _named(report: Report, sources: _Sources) -> tuple[dict[str, str], list[Forged]]:
    """The nodeids of a report with their outcomes, and the JUnit cases that are no nodeid's."""
    named = {nodeid: report.outcomes.get(nodeid, "") for nodeid in report.collected}
    forged = []
    for case in report.cases:
        found = sources.of_case(case)
        if len(found) == 1:
            named[found[0]] = worst(named.get(found[0]), case.outcome)
        else:
            said = f"{case.classname}.{case.name}"
            forged.append(Forged(said, f"it may be {' or '.join(found)}" if found else "no function of the tree is it"))
    return named, forged


class _Sources:
    """The static collection, by nodeid and by what JUnit calls it."""

    def __init__(self, static: Collected, defines: Defines | None) -> None:
        self._found: dict[str, list[Found]] = {}
        self._dotted: dict[tuple[str, str], list[str]] = {}
        for found in static.found:
            self._found.setdefault(found.node, []).append(found)
        for node in self._found:
            self._dotted.setdefault(dotted(node), []).append(node)
        self._opaque = {trouble.path: trouble.reason for trouble in static.opaque}
        self._defines = defines

    def of_case(self, case: Case) -> list[str]:
        """The nodeids that a JUnit case can be."""
        name, bracket, rest = case.name.partition("[")
        nodes = self._dotted.get((case.classname, name), [])
        if len(nodes) > 1 and case.file:
            nodes = [node for node in nodes if node.partition("::")[0] == case.file] or nodes
        if not nodes:
            nodes = list(self._opaque_nodes(case, name))
        return [node + bracket + rest for node in nodes]

    def _opaque_nodes(self, case: Case, name: str) -> Iterator[str]:
        """What a case can be in a file of which something else than the sources decides."""
        files = [case.file] if case.file and self._is_opaque(case.file) else [*self._opaque]
        for path in files:
            module = path.removesuffix(".py").replace("/", ".")
            if path.endswith(".py") and f"{case.classname}.".startswith(f"{module}."):
                inner = case.classname[len(module) + 1 :].split(".")
                yield "::".join([path, *filter(None, inner), name])

    def objection(self, nodeid: str) -> str:
        """Why a nodeid cannot be of this tree; empty where it can."""
        node, parameters = split(nodeid)
        found = self._found.get(node)
        if found is None:
            return self._unexplained(nodeid)
        if any(one.verdict != EXACT or parameters in one.ids for one in found):
            return "" if not parameters or parameters.endswith("]") else "its brackets are not closed"
        return f"{node} has no parameters {parameters or '(none)'}"

    def _unexplained(self, nodeid: str) -> str:
        path, *names = split(nodeid)[0].split("::")
        if not self._is_opaque(path):
            return f"the tree has no {split(nodeid)[0]} that pytest collects"
        defined = None if self._defines is None else self._defines(path)
        if defined is None:
            return f"the tree has no file {path}"
        if not names or names[-1] not in defined:
            return f"no function of {path} is called {names[-1] if names else path}"
        return ""

    def _is_opaque(self, path: str) -> bool:
        """Whether something else than the sources decides what is collected of a file."""
        while path:
            if path in self._opaque:
                return True
            path = path.rpartition("/")[0]
        return "" in self._opaque

    def is_exact(self, nodeid: str) -> bool:
        """Whether the sources know the parameters of a nodeid."""
        return any(one.verdict == EXACT for one in self._found.get(split(nodeid)[0], ()))

    def lacking(self, accepted: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The nodeids that the sources hold and a report does not: those that must be there, and those that may."""
        given = set(accepted)
        nodes = {split(nodeid)[0] for nodeid in given}
        must: list[str] = []
        may: list[str] = []
        for found in (one for several in self._found.values() for one in several):
            ids = found.nodeids if found.verdict == EXACT else [] if found.node in nodes else [found.node]
            lacking = [nodeid for nodeid in ids if nodeid not in given]
            (may if found.conditions else must).extend(lacking)
        return tuple(must), tuple(may)
