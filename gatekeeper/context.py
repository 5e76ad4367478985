"""What a check may see of one ref update: computed on first use and kept, so that nothing is read unasked."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import LimitExceeded, UsageError
from gatekeeper.git.diff import diff_trees
from gatekeeper.git.history import History, between, is_ancestor, relate
from gatekeeper.model import AGENT, TREE
from gatekeeper.policy.fold import fold
from gatekeeper.policy.zones import TESTS, TWIN, Zones, build_zones
from gatekeeper.roots import import_roots
from gatekeeper.trust import PushedTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import TypeVar

    from gatekeeper.git.reader import Objects
    from gatekeeper.model import Actor, Change, Commit, Kind, Lane, Oid, RefUpdate, Severity
    from gatekeeper.policy import Policy
    from gatekeeper.reports.model import Report
    from gatekeeper.source.bounded.reader import SourceReader
    from gatekeeper.source.cache import Cache
    from gatekeeper.trust import Trusted

    Made = TypeVar("Made")


_DRIFT_FACTOR = 20
"""How many times as many paths as a push may write may lie between it and a trusted ref that has moved on."""


class Shared:
    """What the updates of one push share: the cache of surfaces, zones, and judgements by what they depend on.

    ``surfaces`` is the directory of the cache; None reads every source again. ``patience`` are the seconds that reading
    may take where no push waits for it; None for the policy's deadline. ``report`` is of a run of what is judged, which
    only a job that runs the suite itself has.
    """

    def __init__(
        self, surfaces: bytes | None = None, patience: float | None = None, report: Report | None = None
    ) -> None:
        self._surfaces = surfaces
        self.patience = patience
        self.report = report
        self.judged: dict[object, object] = {}
        self.zones: dict[object, Zones] = {}
        self._reader: SourceReader | None = None

    def reader(self, seconds: float) -> SourceReader:
        """What reads sources: one worker for all that asks, started for the first one, ended by :meth:`close`.

        Args:
            seconds: the wall time for everything that is read together.
        """
        if self._reader is None:
            from gatekeeper.source.bounded.reader import SourceReader

            self._reader = SourceReader(seconds=seconds if self.patience is None else self.patience)
        return self._reader

    def close(self) -> None:
        """End the worker, if there is one. Safe to call twice."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    @property
    def cache(self) -> Cache | None:
        """Where surfaces that were read before are kept; a push that changes no source does not import it."""
        if self._surfaces is None:
            return None
        from gatekeeper.source.cache import Cache

        return Cache(self._surfaces)


class Context:
    """One ref update under judgement."""

    def __init__(  # noqa: PLR0913 (one argument a source of truth)
        self,
        *,
        update: RefUpdate,
        actor: Actor,
        lane: Lane,
        policy: Policy,
        severities: Mapping[str, Severity],
        objects: Objects,
        trusted: Trusted | None,
        merge_base: Oid | None = None,
        shared: Shared | None = None,
    ) -> None:
        self.update = update
        self.actor = actor
        self.lane = lane
        self.policy = policy
        self.severities = severities
        self.objects = objects
        self.trusted = trusted
        self.shared = Shared() if shared is None else shared
        self._pinned_base = merge_base
        self._target: tuple[Kind, Oid] | None = None
        self._history: History | None = None
        self._zone_memo: dict[bytes, str | None] = {}
        self._kept: dict[object, object] = {}
        self._drifts: dict[tuple[Oid, Oid], tuple[Change, ...]] = {}

    def once(self, make: Callable[[Context], Made]) -> Made:
        """``make(self)``, computed for the first rule that asks and kept for the others."""
        if make not in self._kept:
            self._kept[make] = make(self)
        return self._kept[make]  # type: ignore[return-value]

    def made(self, make: Callable[[Context], Made]) -> Made | None:
        """What :meth:`once` has kept of ``make``; None when no rule asked for it."""
        return self._kept.get(make)  # type: ignore[return-value]

    @property
    def target(self) -> tuple[Kind, Oid] | None:
        """Kind and oid that the new value peels to; None for a deletion."""
        if self._target is None and self.update.new is not None:
            self._target = self.objects.peel(self.update.new)
        return self._target

    @property
    def head(self) -> Commit | None:
        """The pushed commit, tags peeled; None for a deletion or when the ref names something else (GK206)."""
        target = self.target
        return self.objects.commit(target[1]) if target is not None and target[0] == "commit" else None

    @property
    def pushed(self) -> PushedTree | None:
        """The tree that the new value names, when it names a commit."""
        head = self.head
        return None if head is None else PushedTree(self.objects, head.tree)

    @property
    def history(self) -> History | None:
        """Merge bases with the trusted ref and the new commits; None where either side is missing."""
        if self._history is None and self.head is not None and self.trusted is not None:
            # only an agent's commits are walked one by one by default: a person may import a whole project
            limit = self.policy.limits["commits"] if self.lane == AGENT else self.policy.limits["entries"]
            found = relate(self.objects, self.head.oid, self.trusted.commit, limit=limit)
            self._history = found if self._pinned_base is None else self._pin(found, self._pinned_base)
        return self._history

    def _pin(self, found: History, base: Oid) -> History:
        assert self.head is not None and self.trusted is not None  # noqa: S101, PT018 (the caller has looked)
        visits = self.policy.limits["entries"]
        if not all(is_ancestor(self.objects, base, tip, visits) for tip in (self.head.oid, self.trusted.commit)):
            raise UsageError(
                f"the pinned merge base {base.hex()[:12]} is not an ancestor of both sides",
                fix="pin a commit that `git merge-base --all BASE HEAD` lists",
            )
        return found._replace(bases=(base,))

    @property
    def base(self) -> Oid | None:
        """The merge base, when there is exactly one."""
        history = self.history
        return history.bases[0] if history is not None and len(history.bases) == 1 else None

    @property
    def open_to_agents(self) -> bool:
        """Whether the ref belongs to the agent lane, where deleting, forcing and rebasing are free."""
        return self.policy.agent_refs.matches(self.update.ref)

    @property
    def on_trusted(self) -> bool:
        """Whether the update moves a trusted ref itself."""
        return self.trusted is not None and self.trusted.ref == self.update.ref

    @property
    def zones(self) -> Zones:
        """The zones of the policy over the trusted tip: built once for all refs of a push that share both."""
        key = (None if self.trusted is None else self.trusted.commit, len(self.policy.layers), self.actor.name)
        built = self.shared.zones
        if key not in built:
            roots = () if self.trusted is None else tuple(import_roots(self.objects, self.trusted.tree))
            built[key] = build_zones(self.policy, roots, self.actor.name)
        return built[key]

    def zone(self, path: bytes) -> str | None:
        """The zone that protects ``path`` in this push, or None (:mod:`gatekeeper.policy.zones`)."""
        if path not in self._zone_memo:
            self._zone_memo[path] = self._zone(path)
        return self._zone_memo[path]

    def _zone(self, path: bytes) -> str | None:
        zone = self.zones.zone(path)
        if zone == TWIN and not self.is_twin(path):
            return TESTS
        if zone == TESTS and self.policy.additive and self._addable(path):
            return None
        return zone

    def is_twin(self, path: bytes) -> bool:
        """Whether ``path``, or a directory above it, is a protected name in another spelling than the trusted tree's.

        A tree that has the spelling itself (Pillow's ``Tests/``) has no twin there: the path is simply protected.
        """
        parts = path.split(b"/")
        for size in range(1, len(parts) + 1):
            prefix = b"/".join(parts[:size])
            if self.zones.zone(prefix) == TWIN:
                return self.trusted is None or self.trusted.tree.entry(prefix) is None
        return False

    def _addable(self, path: bytes) -> bool:
        """Whether an agent may add ``path`` as a new test: it matches, and neither tip nor merge base has its like."""
        if self.trusted is None or not all(patterns.matches(path) for patterns in self.policy.additive):
            return False
        bases = () if self.history is None else self.history.bases
        trees = (self.trusted.tree.oid, *(self.objects.commit(base).tree for base in bases))
        return not any(_has_like(self.objects, tree, path) for tree in trees)

    def writable(self, path: bytes) -> bool:
        """Whether an agent may write ``path``, given that no zone protects it."""
        return self.zones.writable(path) or (bool(self.policy.additive) and self._addable(path))

    def changes(self, old: Oid | None, new: Oid) -> Iterator[Change]:
        """The paths that differ between two trees, in path order.

        Raises:
            LimitExceeded: more of them than the policy lets one agent push write.
        """
        limit = self.policy.limits["paths"] if self.lane == AGENT else None
        for number, change in enumerate(diff_trees(self.objects, old, new)):
            if number == limit:
                raise LimitExceeded(
                    f"more than {limit} paths changed",
                    fix="push the change in smaller parts, or ask for a higher limits.paths",
                )
            yield change

    def drift(self, old: Oid, new: Oid) -> tuple[Change, ...]:
        """Where the protected projections of two trees differ; empty means that they are equal.

        Raises:
            LimitExceeded: it differs in more places than any honest push.
        """
        if old == new:
            return ()
        if (old, new) not in self._drifts:
            # every path costs a look at its zone: a tree bomb must end here and not at the deadline
            limit = _DRIFT_FACTOR * self.policy.limits["paths"]
            found: list[Change] = []
            for number, change in enumerate(diff_trees(self.objects, old, new)):
                if number == limit:
                    raise LimitExceeded(
                        f"more than {limit} paths differ from the trusted ref",
                        fix="start again from the trusted ref: this history does not descend from its files",
                    )
                if self.zone(change.path) is not None:
                    found.append(change)
            self._drifts[old, new] = tuple(found)
        return self._drifts[old, new]

    def trusted_between(self, base: Oid, tip: Oid) -> Iterator[Oid]:
        """Trusted commits after ``base`` up to ``tip``, newest first."""
        return between(self.objects, base, tip)


def _has_like(objects: Objects, tree: Oid, path: bytes) -> bool:
    """Whether a tree has ``path``, or a name on the way to it in another spelling.

    A new ``tests/test_A.py`` overwrites ``tests/test_a.py`` on a disk that ignores case.
    """
    for part in path.split(b"/"):
        key = fold(part)
        alike = [entry for entry in objects.tree(tree) if entry.name == part or fold(entry.name) == key]
        if not alike:
            return False
        if len(alike) > 1 or alike[0].name != part or alike[0].mode != TREE:
            return True
        tree = alike[0].oid
    return True
