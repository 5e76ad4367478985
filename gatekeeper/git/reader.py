"""Typed, bounded reading of objects: the only way in which the layers above touch an object store."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.errors import LimitExceeded, MalformedObject, MissingObject
from gatekeeper.git.objects import parse_commit, parse_tag
from gatekeeper.git.tree import is_tree, parse_tree

if TYPE_CHECKING:
    from gatekeeper.git import ObjectStore
    from gatekeeper.model import Commit, Entry, Kind, Oid

_TAG_CHAIN = 16
_CACHED_ENTRIES = 40_000
_CACHED_BYTES = 8 * 1024 * 1024


class Limits(NamedTuple):
    """What one judgement may read: ``entries`` are tree entries parsed plus paths visited, ``depth`` directories."""

    entries: int = 2_000_000
    depth: int = 256
    object_bytes: int = 64 * 1024 * 1024
    blob_bytes: int = 8 * 1024 * 1024


class Objects:
    """Parsed objects over one store, within one judgement's limits.

    Sizes are checked by header before anything is inflated, so that an object that claims a gigabyte costs nothing.
    ``tree_reads`` counts the trees asked for, from the cache or not; ``entries_left`` is what remains of
    ``limits.entries``.
    """

    def __init__(self, store: ObjectStore, limits: Limits | None = None) -> None:
        self.store = store
        self.limits = Limits() if limits is None else limits
        self.tree_reads = 0
        self.entries_left = self.limits.entries
        self._trees: dict[Oid, tuple[Entry, ...]] = {}
        self._cached_entries = 0
        self._commits: dict[Oid, Commit] = {}
        self._cached_bytes = 0

    def tree(self, oid: Oid) -> tuple[Entry, ...]:
        """The entries of a tree, in git's order.

        Raises:
            MissingObject, MalformedObject, LimitExceeded: see :class:`Limits`.
        """
        self.tree_reads += 1
        entries = self._trees.get(oid)
        if entries is None:
            data = self._content(oid, "tree", self.limits.object_bytes)
            try:
                entries = parse_tree(data, self.store.oid_size)
            except MalformedObject as error:
                raise MalformedObject(f"tree {oid.hex()}: {error}") from None
            self.charge(len(entries))
            self._keep_tree(oid, entries)
        return entries

    def commit(self, oid: Oid) -> Commit:
        """A parsed commit.

        Raises:
            MissingObject, MalformedObject, LimitExceeded: see :class:`Limits`.
        """
        commit = self._commits.get(oid)
        if commit is None:
            data = self._content(oid, "commit", self.limits.object_bytes)
            try:
                commit = parse_commit(oid, data, self.store.oid_size)
            except MalformedObject as error:
                raise MalformedObject(f"commit {oid.hex()}: {error}") from None
            cost = len(data) + 512
            if self._cached_bytes + cost > _CACHED_BYTES:
                self._commits.clear()
                self._cached_bytes = 0
            if cost <= _CACHED_BYTES:
                self._commits[oid] = commit
                self._cached_bytes += cost
        return commit

    def peel(self, oid: Oid) -> tuple[Kind, Oid]:
        """Follow annotated tags to what they name in the end, over at most 16 tags.

        Raises:
            MissingObject: the object or a tag's target is not there.
            MalformedObject: a tag cannot be read, or its target is of another kind than it claims.
            LimitExceeded: too many tags.
        """
        kind = self._header(oid)[0]
        for _ in range(_TAG_CHAIN):
            if kind != "tag":
                return kind, oid
            try:
                target, claimed = parse_tag(self._content(oid, "tag", self.limits.object_bytes), self.store.oid_size)
            except MalformedObject as error:
                raise MalformedObject(f"tag {oid.hex()}: {error}") from None
            kind = self._header(target)[0]
            if kind != claimed:
                raise MalformedObject(f"tag {oid.hex()}: its target is a {kind}, not a {claimed}")
            oid = target
        if kind != "tag":
            return kind, oid
        raise LimitExceeded(f"more than {_TAG_CHAIN} tags lead to tag {oid.hex()}")

    def blob(self, oid: Oid, limit: int | None = None) -> bytes:
        """A blob's bytes, at most ``limit`` (default ``limits.blob_bytes``).

        Raises:
            MissingObject, MalformedObject, LimitExceeded: see :class:`Limits`.
        """
        return self._content(oid, "blob", self.limits.blob_bytes if limit is None else limit)

    def find(self, tree: Oid, path: bytes) -> Entry | None:
        """The entry at a slash-separated path below a tree; reads only the trees on the path."""
        entry = None
        parts = path.split(b"/")
        for depth, part in enumerate(parts):
            if depth and (entry is None or not is_tree(entry.mode)):
                return None
            entry = next((found for found in self.tree(tree) if found[0] == part), None)
            tree = tree if entry is None else entry.oid
        return entry

    def charge(self, count: int) -> None:
        """Take ``count`` entries off the budget; a tree bomb of a dozen objects that names 10^10 paths ends here."""
        self.entries_left -= count
        if self.entries_left < 0:
            raise LimitExceeded(f"more than {self.limits.entries} tree entries to read (limit: entries)")

    def _header(self, oid: Oid) -> tuple[Kind, int]:
        header = self.store.header(oid)
        if header is None:
            raise MissingObject(f"object {oid.hex()} is missing")
        return header

    def _content(self, oid: Oid, expected: Kind, limit: int) -> bytes:
        kind, size = self._header(oid)
        if kind != expected:
            raise MalformedObject(f"object {oid.hex()} is a {kind} where a {expected} should be")
        if size > limit:
            name = "blob_bytes" if expected == "blob" else "object_bytes"
            raise LimitExceeded(f"{kind} {oid.hex()} has {size} bytes, the limit is {limit} (limit: {name})")
        return self.store.read(oid)[1]

    def _keep_tree(self, oid: Oid, entries: tuple[Entry, ...]) -> None:
        cost = len(entries) + 4
        if self._cached_entries + cost > _CACHED_ENTRIES:
            self._trees.clear()
            self._cached_entries = 0
        if cost <= _CACHED_ENTRIES:
            self._trees[oid] = entries
            self._cached_entries += cost
