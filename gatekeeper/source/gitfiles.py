"""The files of git trees, for those who read sources: one tree, or the protected half of one over another's."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.errors import LimitExceeded
from gatekeeper.model import FILE, SYMLINK, TREE
from gatekeeper.source.files import Item

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    from gatekeeper.git.reader import Objects
    from gatekeeper.model import Entry, Oid
else:
    Protocol = object

_KIND = 0o170000
_WORDS = {TREE: b"directory", FILE & _KIND: b"file", SYMLINK: b"link"}


class Tree(Protocol):
    """What can be read of: by path, in bytes."""

    def entries(self, path: bytes) -> tuple[Entry, ...]:
        """The entries of a directory; none where there is none."""

    def read(self, path: bytes) -> bytes | None:
        """The bytes of a file or link; None for anything else, and for what is over the limit."""


class GitTree(NamedTuple):
    """One tree object."""

    objects: Objects
    oid: Oid

    def entries(self, path: bytes) -> tuple[Entry, ...]:
        """See :class:`Tree`."""
        if not path:
            return self.objects.tree(self.oid)
        entry = self.objects.find(self.oid, path)
        return self.objects.tree(entry.oid) if entry is not None and entry.mode == TREE else ()

    def read(self, path: bytes) -> bytes | None:
        """See :class:`Tree`."""
        entry = self.objects.find(self.oid, path)
        if entry is None or entry.mode & _KIND not in (FILE & _KIND, SYMLINK):
            return None
        try:
            return self.objects.blob(entry.oid)
        except LimitExceeded:  # over the policy's limit: it is never inflated, and cannot be collected either
            return None


class Graft(NamedTuple):
    """What a merge leads to: the protected entries of one tree, the writable ones of another."""

    protected: Tree
    writable: Tree
    is_protected: Callable[[bytes], bool]

    def entries(self, path: bytes) -> tuple[Entry, ...]:
        """See :class:`Tree`."""
        prefix = path + b"/" if path else b""
        found = {entry.name: entry for entry in self._of(self.writable, path, prefix, wanted=False)}
        found.update((entry.name, entry) for entry in self._of(self.protected, path, prefix, wanted=True))
        return tuple(found[name] for name in sorted(found))

    def _of(self, tree: Tree, path: bytes, prefix: bytes, *, wanted: bool) -> Iterator[Entry]:
        for entry in tree.entries(path):
            if entry.mode == TREE or self.is_protected(prefix + entry.name) is wanted:
                yield entry

    def read(self, path: bytes) -> bytes | None:
        """See :class:`Tree`."""
        return (self.protected if self.is_protected(path) else self.writable).read(path)


def listing(tree: Tree, path: bytes, is_protected: Callable[[bytes], bool]) -> bytes:
    """The entries of a directory as a worker takes them: ``kind protected oid name`` and a NUL, each."""
    prefix = path + b"/" if path else b""
    return b"".join(
        b"%s %d %s %s\0"
        % (
            _WORDS.get(entry.mode & _KIND, b"other"),
            entry.mode != TREE and is_protected(prefix + entry.name),
            entry.oid.hex().encode("ascii"),
            entry.name,
        )
        for entry in tree.entries(path)
    )


class TreeFiles:
    """A tree as :class:`gatekeeper.source.files.Files`, read in this process; ``looked`` as in a worker's.

    Nothing is parsed here: what asks wants to know which names are there.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._directories: dict[str, dict[str, Entry]] = {}
        self.looked: set[str] = set()

    def entry(self, path: str) -> Entry | None:
        """What is at ``path``, the top of the tree left out."""
        self.looked.add(path)
        above, _, name = path.rpartition("/")
        return self._entries(above).get(name)

    def kind(self, path: str) -> str | None:
        """See :class:`gatekeeper.source.files.Files`."""
        if not path:
            return "directory"
        entry = self.entry(path)
        return None if entry is None else _word(entry)

    def read(self, path: str) -> bytes | None:
        """See :class:`gatekeeper.source.files.Files`."""
        self.looked.add(path)
        return self._tree.read(_bytes(path))

    def list(self, path: str) -> tuple[Item, ...]:
        """See :class:`gatekeeper.source.files.Files`."""
        return tuple(Item(name, _word(entry)) for name, entry in sorted(self._entries(path).items()))

    def _entries(self, path: str) -> dict[str, Entry]:
        if path not in self._directories:
            there = not path or self._is_directory(path)
            found = self._tree.entries(_bytes(path)) if there else ()
            self._directories[path] = {entry.name.decode("utf-8", "surrogateescape"): entry for entry in found}
        return self._directories[path]

    def _is_directory(self, path: str) -> bool:
        above, _, name = path.rpartition("/")
        entry = self._entries(above).get(name)
        return entry is not None and entry.mode == TREE


def _word(entry: Entry) -> str:
    return _WORDS.get(entry.mode & _KIND, b"other").decode("ascii")


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
