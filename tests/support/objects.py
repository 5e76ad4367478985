"""Write git objects without git: any object can be made, also those that git itself refuses to write.

Loose objects are written straight into an object directory, which spares a process for each of the thousands that the
tests need and leaves no checks in the way: duplicate, unsorted or slashed tree entries, odd modes, broken headers.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

FILE, EXECUTABLE, SYMLINK, GITLINK, TREE = 0o100644, 0o100755, 0o120000, 0o160000, 0o040000


class Node(NamedTuple):
    """What a path leads to: a mode and a hex object id."""

    mode: int
    oid: str


Value = bytes | tuple[int, bytes] | None
"""A file's bytes; or (mode, bytes) where bytes are the hex oid for GITLINK and TREE; or None to delete the path."""


class ObjectWriter:
    """Writes loose objects into one object directory, in SHA-1 or SHA-256."""

    def __init__(self, objects: Path, object_format: str) -> None:
        self.objects = objects
        self.object_format = object_format

    def raw(self, kind: str, data: bytes) -> str:
        """Store ``data`` as an object of ``kind``, unchecked; returns its hex oid."""
        whole = b"%s %d\0%s" % (kind.encode(), len(data), data)
        oid = hashlib.new(self.object_format, whole, usedforsecurity=False).hexdigest()
        folder = self.objects / oid[:2]
        path = folder / oid[2:]
        if not path.exists():
            folder.mkdir(exist_ok=True)
            path.write_bytes(zlib.compress(whole, 1))
        return oid

    def blob(self, data: bytes) -> str:
        """Store a blob; returns its hex oid."""
        return self.raw("blob", data)

    def raw_tree(self, entries: Iterable[tuple[int | bytes, bytes, str]]) -> str:
        """Store a tree of (mode, name, hex oid) in the given order, unchecked; a mode in bytes is written as it is."""
        return self.raw(
            "tree",
            b"".join(
                b"%s %s\0%s" % (mode if isinstance(mode, bytes) else b"%o" % mode, name, bytes.fromhex(oid))
                for mode, name, oid in entries
            ),
        )

    def tree(self, files: Mapping[bytes, Node]) -> str:
        """Store the trees of a flat path -> node table in git's order; returns the root's hex oid."""
        folders: dict[bytes, dict[bytes, Node]] = {}
        top: dict[bytes, Node] = {}
        for path, node in files.items():
            head, slash, rest = path.partition(b"/")
            if slash:
                folders.setdefault(head, {})[rest] = node
            else:
                top[head] = node
        top.update({name: Node(TREE, self.tree(below)) for name, below in folders.items()})
        # Git sorts a directory as if its name ended with a slash.
        order = sorted(top.items(), key=lambda item: item[0] + (b"/" if item[1].mode == TREE else b""))
        return self.raw_tree((node.mode, name, node.oid) for name, node in order)

    def commit(self, tree: str, parents: Iterable[str], message: bytes, author: bytes, committer: bytes) -> str:
        """Store a commit; ``author`` and ``committer`` are whole idents with their dates; returns its hex oid."""
        lines = [b"tree " + tree.encode(), *(b"parent " + parent.encode() for parent in parents)]
        lines += [b"author " + author, b"committer " + committer, b"", message]
        return self.raw("commit", b"\n".join(lines))

    def tag(self, oid: str, kind: str, name: bytes, message: bytes, tagger: bytes) -> str:
        """Store an annotated tag on an object; returns its hex oid."""
        head = b"object %s\ntype %s\ntag %s\ntagger %s\n\n" % (oid.encode(), kind.encode(), name, tagger)
        return self.raw("tag", head + message)

    def apply(
        self, files: Mapping[bytes, Node], changes: Mapping[str, Value] | Mapping[bytes, Value]
    ) -> dict[bytes, Node]:
        """Make the path table after ``changes``: what is in a new path's way goes, a deletion takes all below."""
        table = dict(files)
        folders = {above for path in table for above in _parents(path)}
        for where, value in changes.items():
            path = os.fsencode(where)
            if path in folders:
                for old in [old for old in table if old.startswith(path + b"/")]:
                    del table[old]
            table.pop(path, None)
            if value is None:
                continue
            for above in _parents(path):
                table.pop(above, None)
                folders.add(above)
            mode, data = value if isinstance(value, tuple) else (FILE, value)
            table[path] = Node(mode, data.decode() if mode in (GITLINK, TREE) else self.blob(data))
        return table


def _parents(path: bytes) -> list[bytes]:
    parts = path.split(b"/")
    return [b"/".join(parts[:depth]) for depth in range(1, len(parts))]
