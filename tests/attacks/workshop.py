"""Commits and trees to order: well formed or not, from flat tables of whole paths.

An attacker is not bound to what ``git commit`` writes, and ``git mktree`` refuses half of the catalogue. So a recipe
says which paths a tree holds, and the objects are written without git. Nothing here is parsed, and nothing of the gate
is used.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from tests.support.objects import EXECUTABLE, GITLINK, SYMLINK, TREE, Node, ObjectWriter, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

AGENT_NAME = b"Agent <agent@example.invalid>"
FIRST_DATE = 1_767_225_600  # 2026-01-01T00:00:00Z

Files = dict[bytes, Node]
Edits = dict[bytes, Value | Node]
"""Path -> new content; a Node is kept as it is, None deletes the path and all below it."""


class Point(NamedTuple):
    """A commit and the paths that its tree holds."""

    oid: str
    files: Files


def script(content: bytes) -> Value:
    """An executable file."""
    return EXECUTABLE, content


def link(target: bytes) -> Value:
    """A symbolic link."""
    return SYMLINK, target


def gitlink(name: str) -> Value:
    """A submodule at a commit that this repository does not have; ``name`` tells one such commit from another."""
    return GITLINK, hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest().encode()


def subtree(oid: str) -> Value:
    """A directory that was made beforehand, perhaps a malformed one."""
    return TREE, oid.encode()


def copied(files: Files, prefix: bytes, to: bytes) -> Edits:
    """The edits that copy everything below ``prefix``, byte for byte."""
    return {to + path[len(prefix) :]: node for path, node in files.items() if path.startswith(prefix)}


def moved(files: Files, prefix: bytes, to: bytes) -> Edits:
    """The edits that rename everything below ``prefix``."""
    return {prefix.rstrip(b"/"): None, **copied(files, prefix, to)}


class Workshop(ObjectWriter):
    """An object writer that remembers what it made (oid -> (kind, data)) and gives each commit its own minute."""

    def __init__(self, objects: Path) -> None:
        super().__init__(objects, "sha1")
        self.made: dict[str, tuple[str, bytes]] = {}
        self._clock = FIRST_DATE

    def raw(self, kind: str, data: bytes) -> str:
        oid = super().raw(kind, data)
        self.made[oid] = (kind, data)
        return oid

    def edited(self, files: Mapping[bytes, Node], edits: Edits) -> Files:
        """``files`` after ``edits``; to delete what is not there is a mistake in a recipe."""
        for path, value in edits.items():
            assert value is not None or any((old + b"/").startswith(path + b"/") for old in files), path
        nodes: Files = {}
        values: dict[bytes, Value] = {}
        for path, value in edits.items():
            if isinstance(value, Node):
                nodes[path] = value
            else:
                values[path] = value
        return {**self.apply(files, values), **nodes}

    def point(
        self, files: Files, parents: Iterable[str] = (), message: bytes = b"Mend it\n", who: bytes = AGENT_NAME
    ) -> Point:
        """Store a commit of ``files``."""
        return Point(self.commit_tree(self.tree(files), parents, message, who), files)

    def commit_tree(
        self, tree: str, parents: Iterable[str], message: bytes = b"Mend it\n", who: bytes = AGENT_NAME
    ) -> str:
        """Store a commit of a tree that may be no tree at all; its date is a minute after the last one's."""
        self._clock += 60
        ident = who + b" %d +0000" % self._clock
        return self.commit(tree, parents, message, ident, ident)

    def release(self, oid: str, kind: str = "commit", name: bytes = b"v9") -> str:
        """Store an annotated tag that says that ``oid`` is a ``kind``."""
        return self.tag(oid, kind, name, b"Release\n", AGENT_NAME + b" %d +0000" % self._clock)
