"""Commit graphs in memory, with brute force answers about them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from gatekeeper.git.history import History, relate
from gatekeeper.git.objects import MAX_DATE
from gatekeeper.git.reader import Objects
from tests.adapters.memory import MemoryStore

if TYPE_CHECKING:
    from collections.abc import Iterable

EMPTY = b"\x01" * 20


class Repo:
    """A commit graph in memory, with brute force answers about it."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.parents: dict[bytes, tuple[bytes, ...]] = {}
        self._count = itertools.count()

    def commit(self, *parents: bytes, date: int = 0) -> bytes:
        """A new commit, unlike any other."""
        oid = self.store.commit(EMPTY, parents, date, b"%d" % next(self._count))
        self.parents[oid] = parents
        return oid

    def line(self, start: Iterable[bytes], count: int, date: int) -> list[bytes]:
        """``count`` commits in a row, oldest first, the first one on ``start``, dated from ``date`` on."""
        made = [self.commit(*start, date=date)]
        while len(made) < count:
            made.append(self.commit(made[-1], date=date + len(made)))
        return made

    def relate(self, head: bytes, trusted: bytes, *, limit: int = 10**6, visit_limit: int = 10**6) -> History:
        """Ask through a fresh reader; ``store.reads`` then lists what it cost."""
        self.store.reads.clear()
        return relate(Objects(self.store), head, trusted, limit=limit, visit_limit=visit_limit)

    def behind(self, oid: bytes) -> set[bytes]:
        """A commit and all its ancestors."""
        seen, todo = {oid}, [oid]
        while todo:
            fresh = [parent for parent in self.parents[todo.pop()] if parent not in seen]
            seen.update(fresh)
            todo.extend(fresh)
        return seen

    def best(self, one: bytes, two: bytes) -> set[bytes]:
        """The common ancestors that no other one descends from."""
        common = self.behind(one) & self.behind(two)
        return common - {worse for oid in common for worse in self.behind(oid) - {oid}}


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Repo, list[bytes]]:
    """Up to 16 commits with up to three parents and dates that are honest, equal, reversed or anything."""
    repo = Repo()
    made: list[bytes] = []
    size = draw(st.integers(1, 16))
    dates = draw(
        st.one_of(
            st.just(list(range(size))),
            st.just([5] * size),
            st.just(list(range(size, 0, -1))),
            st.lists(st.one_of(st.integers(0, 20), st.sampled_from([0, MAX_DATE])), min_size=size, max_size=size),
        )
    )
    for index in range(size):
        parents = draw(st.lists(st.integers(max(0, index - 6), index - 1), max_size=3, unique=True)) if index else []
        made.append(repo.commit(*(made[parent] for parent in parents), date=dates[index]))
    return repo, made
