"""A work tree as the readers of suites see trees: whatever is on disk, committed or not."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from gatekeeper.errors import UsageError
from gatekeeper.model import FILE, SYMLINK, TREE, Entry

if TYPE_CHECKING:
    from pathlib import Path

_MODES = {stat.S_IFREG: FILE, stat.S_IFLNK: SYMLINK, stat.S_IFDIR: TREE}


class WorkTree(NamedTuple):
    """The files below ``top``; git's own directory is not among them."""

    top: bytes

    def entries(self, path: bytes) -> tuple[Entry, ...]:
        """See :class:`gatekeeper.source.gitfiles.Tree`; an oid here names a path, not what is in it."""
        try:
            with os.scandir(os.path.join(self.top, path)) as found:
                names = sorted(item.name for item in found if path or item.name != b".git")
        except OSError:
            return ()
        return tuple(entry for name in names if (entry := self._entry(os.path.join(path, name), name)) is not None)

    def _entry(self, path: bytes, name: bytes) -> Entry | None:
        try:
            kind = stat.S_IFMT(os.lstat(os.path.join(self.top, path)).st_mode)
        except OSError:
            return None
        mode = _MODES.get(kind)
        return None if mode is None else Entry(name, mode, sha256(path).digest()[:20])

    def read(self, path: bytes) -> bytes | None:
        """See :class:`gatekeeper.source.gitfiles.Tree`."""
        place = os.path.join(self.top, path)
        try:
            if os.path.islink(place):
                return os.readlink(place)
            if not os.path.isfile(place):
                return None
            with open(place, "rb") as file:
                return file.read()
        except OSError:
            return None


def top_of(directory: bytes, repo: Path) -> bytes:
    """The work tree of a repository.

    Raises:
        UsageError: it is a bare one.
    """
    if not os.path.lexists(os.path.join(directory, b".git")):
        raise UsageError(f"{repo} has no work tree", fix="edit the list in a clone, and push it")
    return directory
