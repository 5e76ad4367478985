"""Facts and surfaces that were read before, kept in ``gatekeeper/cache/surface`` of the server's own git directory.

No push can write there, and a key holds everything that a value depends on: the blob or tree, the module's name, the
schema and the interpreter. An entry that is missing, torn, damaged or of another version counts as absent and is made
again. Entries are written whole or not at all, so that pushes at the same time can share the directory; the oldest go
when it is over its bound.
"""

from __future__ import annotations

import os
import zlib

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 256 << 20
"""All entries together, checked by :meth:`Cache.prune`."""
MAX_ENTRY = 64 << 20
_CHECKSUM = 4
_KEY = 2
_SAFE = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._-")


class Cache:
    """A directory of entries by key; ``directory`` need not exist. A key is text of letters, digits and ``._-``."""

    def __init__(self, directory: bytes) -> None:
        self._directory = directory

    def get(self, key: str) -> bytes | None:
        """The value of a key; None where there is none that can be trusted."""
        try:
            descriptor = os.open(self._path(key), os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        except OSError:
            return None
        try:
            with open(descriptor, "rb") as file:
                kept = file.read(MAX_ENTRY)
        except OSError:
            return None
        # a torn or damaged entry ends here, and one that a copy left under another name
        if zlib.crc32(kept[_CHECKSUM:]).to_bytes(_CHECKSUM, "big") != kept[:_CHECKSUM]:
            return None
        size = int.from_bytes(kept[_CHECKSUM : _CHECKSUM + _KEY], "big")
        start = _CHECKSUM + _KEY + size
        if kept[_CHECKSUM + _KEY : start] != key.encode("ascii"):
            return None
        try:
            return zlib.decompress(kept[start:])
        except zlib.error:
            return None

    def put(self, key: str, value: bytes) -> None:
        """Keep a value; a read-only or full disk only costs the next push some time."""
        name = key.encode("ascii")
        data = len(name).to_bytes(_KEY, "big") + name + zlib.compress(value, 1)
        path = self._path(key)
        temporary = path + b".%s.tmp" % os.urandom(8).hex().encode("ascii")
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(temporary, "wb") as file:
                file.write(zlib.crc32(data).to_bytes(_CHECKSUM, "big") + data)
            os.replace(temporary, path)
        except OSError:
            _remove(temporary)

    def hold(self) -> int:
        """Wait until no other process holds the directory: two warm-ups at once would do the same work twice.

        Returns a descriptor; closing it, or the end of the process, lets the next one go on.
        """
        from fcntl import LOCK_EX, flock

        os.makedirs(self._directory, exist_ok=True)
        descriptor = os.open(os.path.join(self._directory, b".lock"), os.O_RDWR | os.O_CREAT, 0o666)
        flock(descriptor, LOCK_EX)
        return descriptor

    def prune(self, limit: int = MAX_BYTES) -> int:
        """Remove the entries that were written longest ago until the rest fits; returns how many went."""
        entries = sorted(self._entries())
        total = sum(size for _, size, _ in entries)
        gone = 0
        for _, size, path in entries:
            if total <= limit:
                break
            _remove(path)
            total -= size
            gone += 1
        return gone

    def _entries(self) -> Iterator[tuple[float, int, bytes]]:
        for folder, _, names in os.walk(self._directory):
            for name in names:
                if name == b".lock":
                    continue
                path = os.path.join(folder, name)
                try:
                    status = os.lstat(path)
                except OSError:
                    continue  # another process pruned it
                yield status.st_mtime, status.st_size, path

    def _path(self, key: str) -> bytes:
        if not _SAFE.issuperset(key) or key.startswith("."):
            raise ValueError(f"no key: {key!r}")
        return os.path.join(self._directory, key[:2].encode("ascii"), key.encode("ascii"))


def _remove(path: bytes) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
