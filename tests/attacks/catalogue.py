"""The form of a row: what is pushed, by whom, and what must come out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from tests.attacks.workshop import Edits, Point, Workshop

if TYPE_CHECKING:
    from tests.attacks.seed import Seed

AGENT = "build-bot"
"""The name that no policy lists: an agent."""

HUMAN = "alice"
"""A name that the server's policy lists as human."""

BRANCH = b"refs/heads/agent/fix"


class Update(NamedTuple):
    """One ref; ``new`` is None for a deletion. ``claimed`` is what a lying client says that the server has."""

    ref: bytes
    new: str | None
    claimed: str = ""


class Attempt(NamedTuple):
    """One push. ``server`` are refs that the server has besides the seed's; ``held_back`` are objects not sent.

    ``via`` is ``push`` for git's own client, and ``wire`` where that client refuses: an attacker's does not.
    """

    updates: tuple[Update, ...]
    actor: str | None = AGENT
    via: Literal["push", "wire"] = "push"
    server: Mapping[bytes, str] = {}
    held_back: Collection[str] = ()
    env: Mapping[str, str] = {}


class Bench(NamedTuple):
    """What a recipe works with: the seed's commits and a workshop for its own."""

    seed: Seed
    shop: Workshop

    def edit(self, edits: Edits, *, on: Point | None = None, message: bytes = b"Mend it\n") -> Point:
        """An agent's commit on the trusted tip, or on another commit."""
        base = on or self.seed.tip
        return self.shop.point(self.shop.edited(base.files, edits), (base.oid,), message)

    def merge(self, first: Point, *others: Point, edits: Edits | None = None, message: bytes = b"Merge\n") -> Point:
        """A merge commit that keeps the first parent's files (``-s ours``) but for ``edits``."""
        parents = (first.oid, *(other.oid for other in others))
        return self.shop.point(self.shop.edited(first.files, edits or {}), parents, message)

    def offer(self, edits: Edits) -> Attempt:
        """One agent's commit on the tip, pushed to a new branch of the agent's."""
        return send(self.edit(edits))


def send(head: Point | str | None, ref: bytes = BRANCH, **more: Any) -> Attempt:
    """Push one thing to one ref; ``more`` are further fields of the attempt."""
    oid = head.oid if isinstance(head, Point) else head
    return Attempt((Update(ref, oid),))._replace(**more)


Build = Callable[[Bench], Attempt]


class Row(NamedTuple):
    """A row of the catalogue; ``codes`` are exactly the rules that the whole push breaks (none for a control)."""

    id: str
    title: str
    build: Build
    codes: frozenset[str]
    exit: int


def attack(row: str, *, codes: Collection[str], title: str) -> Callable[[Build], Row]:
    """Make a recipe a row; the exit code follows from the codes: 2 wins over 3 wins over 1 (DESIGN.md)."""
    named = frozenset(codes)
    status = 2 if "GK102" in named else 3 if named & {"GK001", "GK002", "GK006", "GK008"} else 1
    return lambda build: Row(row, title, build, named, status)


def control(row: str, *, title: str) -> Callable[[Build], Row]:
    """Make an honest change a row: it must pass without a finding."""
    return lambda build: Row(row, title, build, frozenset(), 0)


def rows(namespace: Mapping[str, object]) -> tuple[Row, ...]:
    """The rows that a module defines, in the order in which it does."""
    return tuple(value for value in namespace.values() if isinstance(value, Row))


def one_path(row: str, code: str, path: bytes, content: bytes = b"x = 1\n") -> Row:
    """The commonest row: one new file under a name that matters."""
    return attack(row, codes={code}, title=f"new file {path!r}")(lambda bench: bench.offer({path: content}))
