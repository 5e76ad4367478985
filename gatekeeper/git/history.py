"""What a head adds to a trusted history: merge bases and new commits, exact whatever the committer dates say.

git's own walk stops when dates say that nothing more can come, so that a pusher who picks dates picks the merge base.
Here a walk stops only where the shape of the graph proves the answer; the cost grows with the change, not with the
history behind it.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.errors import LimitExceeded
from gatekeeper.git._graph import Agenda, Graph

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from gatekeeper.git.reader import Objects
    from gatekeeper.model import Oid

VISIT_LIMIT = 500_000

_BATCH = 512
"""Sources of one proof: they become bits of a number for each commit, and a head may have 100,000 orphan roots."""

_HEAD, _TRUSTED, _BOTH = 1, 2, 3


class History(NamedTuple):
    """``bases``: all best common ancestors, sorted by oid. ``new``: what only the head reaches, children first."""

    bases: tuple[Oid, ...]
    new: tuple[Oid, ...]


def relate(objects: Objects, head: Oid, trusted: Oid, *, limit: int, visit_limit: int = VISIT_LIMIT) -> History:
    """Compare a head with a trusted commit.

    Raises:
        LimitExceeded: more than ``limit`` new commits, or more than ``visit_limit`` commits visited.
        MissingObject: the history that the answer needs is not here (shallow clone, shallow push).
        MalformedObject: a commit on the way cannot be read.
    """
    graph = Graph(objects, visit_limit)
    flags, frontier = _paint(graph, head, trusted)
    if flags[head] == _BOTH:
        return History((head,), ())
    new = {oid for oid, flag in flags.items() if flag == _HEAD}
    graph.demand(new)
    contained = flags[trusted] == _BOTH
    if not contained:
        graph.demand(oid for oid, flag in flags.items() if flag == _TRUSTED)
    _settle(graph, new, frontier)
    if len(new) > limit:
        raise LimitExceeded(f"{len(new)} new commits, the limit is {limit} (limit: commits)")
    bases = {trusted} if contained else _bases(graph, new, flags)
    return History(tuple(sorted(bases)), _children_first(graph, new))


def is_ancestor(objects: Objects, ancestor: Oid, descendant: Oid, visit_limit: int = VISIT_LIMIT) -> bool:
    """Whether ``descendant`` is ``ancestor`` or descends from it.

    Raises:
        LimitExceeded, MissingObject, MalformedObject: as :func:`relate`.
    """
    if ancestor == descendant:
        return True
    graph = Graph(objects, visit_limit)
    return bool(graph.reached((ancestor,), (descendant,), {ancestor}, first=True))


def between(objects: Objects, base: Oid, tip: Oid, *, limit: int = VISIT_LIMIT) -> Iterator[Oid]:
    """The commits that ``tip`` reaches and ``base`` does not, children before parents, newer ones first.

    Raises:
        LimitExceeded, MissingObject, MalformedObject: as :func:`relate`.
    """
    return iter(relate(objects, tip, base, limit=limit, visit_limit=limit).new)


def _paint(graph: Graph, head: Oid, trusted: Oid) -> tuple[dict[Oid, int], list[Oid]]:
    """Mark commits by which of the two reaches them, until only commits that both reach wait to be expanded.

    Returns the marks and the commits whose ancestors were not seen. What is marked for both sides or for the trusted
    one is so for certain; a commit marked for the head alone may still turn out to be an ancestor of one of those.
    """
    flags = {head: _HEAD}
    flags[trusted] = flags.get(trusted, 0) | _TRUSTED
    agenda = Agenda(4)
    for oid, flag in flags.items():
        agenda.put(oid, graph.date(oid), flag)
    expanded: set[Oid] = set()
    # Once the head contains the trusted commit, everything of the trusted side is common.
    while agenda.waiting[_HEAD] or (agenda.waiting[_TRUSTED] and flags[trusted] != _BOTH):
        oid = agenda.take()
        if oid in expanded:
            graph.again()
        expanded.add(oid)
        flag = flags[oid]
        for parent in graph.parents(oid):
            known = flags.get(parent, 0)
            if known | flag != known:
                flags[parent] = known | flag
                agenda.put(parent, graph.date(parent), known | flag)
        if flags[head] == _BOTH:
            break
    # What lies behind the edge of a shallow history was not seen, although its commits were expanded.
    return flags, [*agenda.lane, *graph.at_edge(flags)]


def _settle(graph: Graph, new: set[Oid], frontier: Collection[Oid]) -> None:
    """Take out of ``new`` what the trusted history reaches by ways that the painting did not see.

    That happens only where dates lie. Each round is a proof that no commit is left, or it shrinks the set.
    """
    known = True
    while known:
        lowest = sorted(oid for oid in new if not any(parent in new for parent in graph.parents(oid)))
        known = False
        for start in range(0, len(lowest), _BATCH):
            reached = list(graph.reached(lowest[start : start + _BATCH], frontier, new))
            known = known or bool(reached)
            while reached:
                oid = reached.pop()
                if oid in new:
                    new.discard(oid)
                    reached.extend(graph.parents(oid))


def _bases(graph: Graph, new: Collection[Oid], flags: dict[Oid, int]) -> set[Oid]:
    """The common ancestors that no other common ancestor descends from: the ones directly below the new commits."""
    below = {parent for oid in new for parent in graph.parents(oid) if parent not in new}
    if len(below) > 1:
        # A candidate with a common child is not the best; most of them show already where the painting went.
        for oid, flag in flags.items():
            if flag == _BOTH:
                below.difference_update(graph.parents(oid))
    while len(below) > 1:
        worse = graph.reached(sorted(below), (), below)
        if not worse:
            break
        below -= worse
    return below


def _children_first(graph: Graph, new: Collection[Oid]) -> tuple[Oid, ...]:
    """Topological order, newer dates and then smaller oids first: one order for one set."""
    children = _count(parent for oid in new for parent in graph.parents(oid) if parent in new)
    ready = [(-graph.date(oid), oid) for oid in new if oid not in children]
    heapify(ready)
    order: list[Oid] = []
    while ready:
        oid = heappop(ready)[1]
        order.append(oid)
        for parent in graph.parents(oid):
            if parent in children:
                children[parent] -= 1
                if not children[parent]:
                    heappush(ready, (-graph.date(parent), parent))
    return tuple(order)


def _count(oids: Iterable[Oid]) -> dict[Oid, int]:
    counts: dict[Oid, int] = {}
    for oid in oids:
        counts[oid] = counts.get(oid, 0) + 1
    return counts
