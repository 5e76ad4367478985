"""What a static collection is worth beside what pytest collects: recall, false positives, wrong ids."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from gatekeeper.source.collection.items import EXACT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gatekeeper.source.collection.items import Found


class Score(NamedTuple):
    """Counts beside pytest, and the functions or ids that are to be explained.

    ``known`` counts the functions that pytest has too and whose ids are said to be known; ``right`` the ids of those
    that pytest has, ``wrong`` those that it does not; ``short`` the ids that pytest has of functions said to be exact.
    ``false`` are functions without a condition that pytest does not have, ``conditional`` those that carry one.
    """

    ids: int
    functions: int
    known: int
    right: int
    missing: tuple[str, ...]
    false: tuple[str, ...]
    conditional: tuple[str, ...]
    wrong: tuple[str, ...]
    short: tuple[str, ...]
    ordered: bool

    @property
    def recall(self) -> float:
        """Share of pytest's functions that were found."""
        return 1 - len(self.missing) / self.functions if self.functions else 1.0

    @property
    def exact(self) -> float:
        """Share of pytest's ids that were given exactly."""
        return self.right / self.ids if self.ids else 1.0


def score(real: Sequence[tuple[str, str]], found: Iterable[Found]) -> Score:
    """Compare rows of pytest (node without parameters, whole nodeid) with ours.

    Nodeids are compared as multisets: pytest may give one twice (an imported base class, old duplicate suffixes).
    """
    ours = list(found)
    theirs: dict[str, Counter[str]] = {}
    for node, nodeid in real:
        theirs.setdefault(node, Counter())[nodeid] += 1
    conditional = {item.node for item in ours if item.conditions}
    exact: dict[str, Counter[str]] = {}
    uncertain = {item.node for item in ours if item.verdict != EXACT}
    for item in ours:
        if item.verdict == EXACT and item.node not in uncertain:
            exact.setdefault(item.node, Counter()).update(item.nodeids)
    names = {item.node for item in ours}
    present = {node: ids for node, ids in exact.items() if node in theirs}
    right = sum((ids & theirs[node]).total() for node, ids in present.items())
    wrong = [nodeid for node, ids in present.items() for nodeid in ids - theirs[node]]
    short = [nodeid for node, ids in present.items() for nodeid in theirs[node] - ids]
    order = [nodeid for node, nodeid in real if node in present]
    return Score(
        ids=len(real),
        functions=len(theirs),
        known=len(present),
        right=right,
        missing=tuple(node for node in theirs if node not in names),
        false=tuple(sorted(names - set(theirs) - conditional)),
        conditional=tuple(sorted((names & conditional) - set(theirs))),
        wrong=tuple(wrong),
        short=tuple(short),
        ordered=order == [nodeid for item in ours if item.node in present for nodeid in item.nodeids],
    )


def score_lines(real: Sequence[tuple[str, str]], lines: Iterable[str]) -> tuple[float, float, int]:
    """Function recall, exact-id recall and wrong ids of a collector that only prints nodeids.

    A line with a bracket, or of a function that pytest does not parametrize, is a whole id; other bare lines are
    functions whose ids are not given.
    """
    ids, functions = {nodeid for _, nodeid in real}, {node for node, _ in real}
    said = {line for line in lines if "::" in line}
    heads = {head(line) for line in said}
    wrong = {line for line in said - ids if line != head(line) and head(line) in functions}
    return len(functions & heads) / len(functions), len(ids & said) / len(ids), len(wrong)


def head(nodeid: str) -> str:
    """A nodeid without its parameters: they start at the first bracket after the file."""
    path, colons, rest = nodeid.partition("::")
    return path + colons + rest.partition("[")[0]
