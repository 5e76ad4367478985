"""Exploring the commit graph in an order that is good with honest dates and right with any.

Committer dates are written by whoever makes a commit. They only ever choose what is looked at next; no answer depends
on them.
"""

from __future__ import annotations

from heapq import heappop, heappush

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import LimitExceeded, MissingObject

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from gatekeeper.git.reader import Objects
    from gatekeeper.model import Oid

_ROTATE = 4


class Agenda:
    """Commits that wait to be expanded, each in one lane; the newest goes first.

    Every fourth pick goes to the lanes in turn: a commit dated 1970 or 2106 would else starve its lane and turn a walk
    over three commits into one over the whole history.
    """

    def __init__(self, lanes: int) -> None:
        self.waiting = [0] * lanes
        self.lane: dict[Oid, int] = {}
        self._heaps: list[list[tuple[int, Oid]]] = [[] for _ in range(lanes)]
        self._picks = 0

    def put(self, oid: Oid, date: int, lane: int) -> None:
        """Add a commit, or move it to another lane."""
        previous = self.lane.get(oid)
        if previous == lane:
            return
        if previous is not None:
            self.waiting[previous] -= 1
        self.lane[oid] = lane
        self.waiting[lane] += 1
        heappush(self._heaps[lane], (-date, oid))

    def take(self) -> Oid:
        """The commit to expand next; there must be one."""
        lanes = [lane for lane, count in enumerate(self.waiting) if count]
        for lane in lanes:
            self._drop_moved(lane)
        self._picks += 1
        if self._picks % _ROTATE:
            lane = min(lanes, key=lambda each: self._heaps[each][0])
        else:
            lane = lanes[self._picks // _ROTATE % len(lanes)]
        oid = heappop(self._heaps[lane])[1]
        del self.lane[oid]
        self.waiting[lane] -= 1
        return oid

    def _drop_moved(self, lane: int) -> None:
        heap = self._heaps[lane]
        while self.lane.get(heap[0][1]) != lane:
            heappop(heap)


class Graph:
    """Parents and dates of commits, each read once, with a bound on how many are visited (again counts again)."""

    def __init__(self, objects: Objects, visit_limit: int) -> None:
        self._objects = objects
        self._limit = self._left = visit_limit
        self._shallow = objects.store.shallow()
        self._parents: dict[Oid, tuple[Oid, ...]] = {}
        self._dates: dict[Oid, int] = {}
        self._cut: dict[Oid, MissingObject] = {}

    def parents(self, oid: Oid) -> tuple[Oid, ...]:
        """The parents of a commit; none for one at the edge of what this repository has (see :meth:`demand`)."""
        known = self._parents.get(oid)
        return self._read(oid) if known is None else known

    def date(self, oid: Oid) -> int:
        """The committer date, 0 for a commit that is not here."""
        if oid not in self._dates:
            self._read(oid)
        return self._dates[oid]

    def again(self) -> None:
        """Count one more look at a commit that was read before."""
        self._left -= 1
        if self._left < 0:
            raise LimitExceeded(f"more than {self._limit} commits to visit (limit: visits)")

    def demand(self, oids: Iterable[Oid]) -> None:
        """Refuse to answer when the history behind one of these commits is not here.

        Raises:
            MissingObject: one of them is at the edge of a shallow clone, or missing itself.
        """
        edge = self.at_edge(oids)
        if edge:
            raise self._cut[min(edge)]

    def at_edge(self, oids: Iterable[Oid]) -> list[Oid]:
        """Those of the commits, read before, that are missing or whose parents this repository does not have."""
        return [oid for oid in oids if oid in self._cut] if self._cut else []

    def reached(
        self, sources: Collection[Oid], frontier: Iterable[Oid], watched: Collection[Oid], *, first: bool = False
    ) -> set[Oid]:
        """Find ``watched`` commits among ``frontier`` and its ancestors and among the proper ancestors of ``sources``.

        Every source is watched. An empty answer proves that none of the sources is reached: a commit that all sources
        descend from cannot lead to a source, since there are no cycles, and that is where a walk may stop and still be
        exact, whatever the dates say. With ``first`` the walk ends at the first watched commit.

        Raises:
            MissingObject: nothing was reached and the history that would prove it is not here.
            LimitExceeded: too many visits.
        """
        everything = (1 << len(sources)) - 1
        below = dict.fromkeys(frontier, 0)
        for index, source in enumerate(sources):
            for parent in self.parents(source):
                below[parent] = below.get(parent, 0) | 1 << index
        agenda = Agenda(2)
        for oid, mask in below.items():
            agenda.put(oid, self.date(oid), mask == everything)
        hits = {oid for oid in below if oid in watched}
        while agenda.waiting[0] and not (first and hits):
            oid = agenda.take()
            self.again()
            mask = below[oid]
            for parent in self.parents(oid):
                if parent in watched:
                    hits.add(parent)
                known = below.get(parent)
                if known is None or known | mask != known:
                    below[parent] = mask | (known or 0)
                    agenda.put(parent, self.date(parent), below[parent] == everything)
        if not hits:
            self.demand(oid for oid, mask in below.items() if mask != everything)
            # A source cannot reach itself; whether it reaches another one is open when its parents are not here.
            self.demand(sources if len(sources) > 1 else ())
        return hits

    def _read(self, oid: Oid) -> tuple[Oid, ...]:
        self.again()
        try:
            commit = self._objects.commit(oid)
        except MissingObject:
            self._cut[oid] = _shallow(f"commit {oid.hex()} is missing: shallow or partial history")
            self._parents[oid], self._dates[oid] = (), 0
            return ()
        if oid in self._shallow:
            self._cut[oid] = _shallow(f"shallow: the history ends at commit {oid.hex()}, before an answer is certain")
        self._parents[oid] = parents = () if oid in self._shallow else commit.parents
        self._dates[oid] = commit.date
        return parents


def _shallow(message: str) -> MissingObject:
    return MissingObject(message, fix="git fetch --unshallow (in CI: fetch-depth: 0)")
