"""The object store port over a dictionary: the third implementation, for pure tests and for comparing backends."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from gatekeeper.errors import MalformedObject, MissingObject

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gatekeeper.model import Kind, Oid
    from tests.support.git import Git

_HASHES = {20: "sha1", 32: "sha256"}
_KINDS: dict[bytes, Kind] = {b"commit": "commit", b"tree": "tree", b"blob": "blob", b"tag": "tag"}


class MemoryStore:
    """Objects and refs in memory; ``reads`` lists the oids whose content was asked for, in order.

    ``bombs`` are headers without content: (kind, size) that :meth:`header` answers, while reading one fails the test.
    """

    def __init__(
        self, oid_size: int = 20, *, refs: Mapping[bytes, Oid] | None = None, head: bytes | None = None
    ) -> None:
        self.oid_size = oid_size
        self.objects: dict[Oid, tuple[Kind, bytes]] = {}
        self.refs: dict[bytes, Oid] = dict(refs or {})
        self.head = head
        self.symbolics: dict[bytes, bytes] = {}
        self.bombs: dict[Oid, tuple[Kind, int]] = {}
        self.cut: frozenset[Oid] = frozenset()
        self.reads: list[Oid] = []
        self.closed = False

    @classmethod
    def load(cls, git: Git, *, env: Mapping[str, str] | None = None) -> MemoryStore:
        """Everything that a real repository holds, reachable or not, in five git processes."""
        form = git.out("rev-parse", "--show-object-format", env=env)
        store = cls({"sha1": 20, "sha256": 32}[form])
        stream = git.raw("cat-file", "--batch-all-objects", "--batch", env=env)
        at = 0
        while at < len(stream):
            end = stream.index(b"\n", at)
            name, kind, size = stream[at:end].split(b" ")
            at = end + 1 + int(size)
            store.objects[bytes.fromhex(name.decode())] = (_KINDS[kind], stream[end + 1 : at])
            at += 1
        for line in git.raw("for-each-ref", "--format=%(objectname) %(refname) %(symref)", env=env).splitlines():
            name, ref, target = line.split(b" ")
            store.refs[ref] = bytes.fromhex(name.decode())
            if target:
                store.symbolics[ref] = target
        head = git.run("symbolic-ref", "-q", "HEAD", env=env)
        store.head = head.stdout.rstrip(b"\n") if head.returncode == 0 else None
        if (at_head := git.run("rev-parse", "-q", "--verify", "HEAD", env=env)).returncode == 0:
            store.refs[b"HEAD"] = bytes.fromhex(at_head.text)
        return store

    def put(self, kind: Kind, data: bytes) -> Oid:
        """Add an object, well-formed or not; returns its oid."""
        whole = b"%s %d\0%s" % (kind.encode(), len(data), data)
        oid = hashlib.new(_HASHES[self.oid_size], whole, usedforsecurity=False).digest()
        self.objects[oid] = (kind, data)
        return oid

    def tree(self, entries: Iterable[tuple[int, bytes, Oid]]) -> Oid:
        """Add a tree of (mode, name, oid) in the order given, unchecked."""
        return self.put("tree", b"".join(b"%o %s\0%s" % entry for entry in entries))

    def commit(self, tree: Oid, parents: Iterable[Oid] = (), date: int = 0, message: bytes = b"m\n") -> Oid:
        """Add a commit with one and the same author."""
        lines = [b"tree " + tree.hex().encode(), *(b"parent " + parent.hex().encode() for parent in parents)]
        lines += [
            b"author A <a@example.invalid> 0 +0000",
            b"committer A <a@example.invalid> %d +0000" % date,
            b"",
            message,
        ]
        return self.put("commit", b"\n".join(lines))

    def head_ref(self) -> bytes | None:
        """See the port."""
        return self.head

    def symbolic(self, name: bytes) -> bytes | None:
        """See the port."""
        return self.head if name == b"HEAD" else self.symbolics.get(name)

    def ref(self, name: bytes) -> Oid | None:
        """See the port."""
        return self.refs.get(name)

    def header(self, oid: Oid) -> tuple[Kind, int] | None:
        """See the port."""
        if oid in self.bombs:
            return self.bombs[oid]
        found = self.objects.get(oid)
        return None if found is None else (found[0], len(found[1]))

    def read(self, oid: Oid) -> tuple[Kind, bytes]:
        """See the port."""
        if oid in self.bombs:
            raise AssertionError(f"{oid.hex()} must not be inflated")
        self.reads.append(oid)
        if oid not in self.objects:
            raise MissingObject(f"object {oid.hex()} is missing")
        kind, data = self.objects[oid]
        whole = b"%s %d\0%s" % (kind.encode(), len(data), data)
        if hashlib.new(_HASHES[self.oid_size], whole, usedforsecurity=False).digest() != oid:
            raise MalformedObject(f"object {oid.hex()} does not hash to its name")
        return kind, data

    def shallow(self) -> frozenset[Oid]:
        """See the port."""
        return self.cut

    def close(self) -> None:
        """See the port."""
        self.closed = True
