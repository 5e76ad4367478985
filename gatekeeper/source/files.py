"""The files of one tree, as those who read sources see them.

A path is text here, as pytest sees it: relative to the top of the tree, parts joined by ``/``, bytes that are not UTF-8
as surrogate escapes; the top itself is the empty text. Nothing is followed: a symbolic link is an entry of its own.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol
else:
    Protocol = object

FILE, DIRECTORY, LINK, OTHER = "file", "directory", "link", "other"


class Item(NamedTuple):
    """One entry of a directory; ``kind`` is one of the four words above (a gitlink is ``other``)."""

    name: str
    kind: str


class Files(Protocol):
    """Reads one tree; what it was asked for decides what an answer depends on."""

    def kind(self, path: str) -> str | None:
        """What is at ``path``, or None."""

    def read(self, path: str) -> bytes | None:
        """The bytes of the plain file, or what the link says, at ``path``; None for anything else."""

    def list(self, path: str) -> tuple[Item, ...]:
        """The entries of the directory ``path``, by name; empty where there is none."""


def watch(files: Files, path: str) -> None:
    """Say that a result depends on every name in the directory ``path``, not only on those that can be tests.

    No entry has the name that is asked for: who keeps what was looked at finds it there.
    """
    files.kind(f"{path}/{EVERY}" if path else EVERY)


EVERY = "*"


class MemoryFiles:
    """Files that are given: path to bytes; a link is given as ``Link``."""

    def __init__(self, files: Mapping[str, bytes | Link]) -> None:
        self._files = dict(files)
        self._directories: dict[str, dict[str, str]] = {"": {}}
        for path, what in self._files.items():
            kind, name = LINK if isinstance(what, Link) else FILE, path
            while name:
                above, _, last = name.rpartition("/")
                self._directories.setdefault(above, {})[last] = kind
                name, kind = above, DIRECTORY

    def kind(self, path: str) -> str | None:
        """See :class:`Files`."""
        if path in self._files:
            return LINK if isinstance(self._files[path], Link) else FILE
        return DIRECTORY if path in self._directories else None

    def read(self, path: str) -> bytes | None:
        """See :class:`Files`."""
        found = self._files.get(path)
        return found.target if isinstance(found, Link) else found

    def list(self, path: str) -> tuple[Item, ...]:
        """See :class:`Files`."""
        return tuple(Item(name, kind) for name, kind in sorted(self._directories.get(path, {}).items()))


class Link(NamedTuple):
    """A symbolic link and what it says."""

    target: bytes
