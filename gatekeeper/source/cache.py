"""Facts and surfaces that were read before, kept in ``gatekeeper/cache/surface`` of the server's own git directory.

No push can write there, and a key holds everything that a value depends on: the blob or tree, the module's name, the
schema and the interpreter. An entry that is missing, torn, damaged or of another version counts as absent and is made
again; so does every entry of a directory that is a link, or that everybody can write. Entries are written whole or not
at all, so that pushes at the same time can share the directory; the oldest go when it is over its bound.
"""

from __future__ import annotations

import os
import zlib

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.private import is_private, make_directory, remove, write_whole

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
        self._sound: bool | None = None

    def get(self, key: str) -> bytes | None:
        """The value of a key; None where there is none that can be trusted."""
        path = self._path(key)
        kept = _read(path) if self._is_sound() else b""
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
        try:
            self._make(os.path.dirname(path))
        except OSError:
            return
        if self._is_sound():
            write_whole(path, zlib.crc32(data).to_bytes(_CHECKSUM, "big") + data)

    def hold(self) -> int:
        """Wait until no other process holds the directory: two warm-ups at once would do the same work twice.

        Returns a descriptor; closing it, or the end of the process, lets the next one go on.

        Raises:
            OSError: nothing can be kept there.
        """
        from fcntl import LOCK_EX, flock

        self._make(self._directory)
        if not self._is_sound():
            raise PermissionError(f"{os.fsdecode(self._directory)} is a link, or everybody can write it")
        lock = os.path.join(self._directory, b".lock")
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
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
            remove(path)
            total -= size
            gone += 1
        return gone

    def _make(self, directory: bytes) -> None:
        make_directory(directory)
        self._sound = None

    def _is_sound(self) -> bool:
        if self._sound is None:
            self._sound = is_private(self._directory) and is_private(os.path.dirname(self._directory))
        return self._sound

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


def _read(path: bytes) -> bytes:
    """The bytes of an entry; none where it is no plain file. Opened so that a FIFO in its place makes nobody wait."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW), "rb") as file:
            return file.read(MAX_ENTRY)
    except OSError:
        return b""
