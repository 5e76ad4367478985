"""The files of a directory on disk as those of a tree, for tests and benches that have pytest beside us."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from gatekeeper.source.files import DIRECTORY, FILE, LINK, OTHER, Item

if TYPE_CHECKING:
    from pathlib import Path


class DiskFiles:
    """See :class:`gatekeeper.source.files.Files`; ``taken`` are the paths of which the bytes were asked for."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._listed: dict[str, tuple[Item, ...]] = {}
        self.taken: dict[str, bytes] = {}

    def kind(self, path: str) -> str | None:
        """See the protocol."""
        above, _, name = path.rpartition("/")
        if not name:
            return DIRECTORY
        return next((item.kind for item in self.list(above) if item.name == name), None)

    def read(self, path: str) -> bytes | None:
        """See the protocol."""
        if path in self.taken:
            return self.taken[path]
        kind, place = self.kind(path), f"{self._root}/{path}"
        if kind == LINK:
            return os.fsencode(os.readlink(place))
        if kind != FILE:
            return None
        with open(place, "rb") as file:
            self.taken[path] = file.read()
        return self.taken[path]

    def list(self, path: str) -> tuple[Item, ...]:
        """See the protocol."""
        if path not in self._listed:
            place = f"{self._root}/{path}".rstrip("/")
            kinds = {}
            # what lies behind a link is not a directory of the tree
            if stat.S_ISDIR(os.lstat(place).st_mode) if os.path.lexists(place) else False:
                with os.scandir(place) as entries:
                    kinds = {entry.name: _kind(entry) for entry in entries}
            self._listed[path] = tuple(Item(name, kind) for name, kind in sorted(kinds.items()))
        return self._listed[path]


def _kind(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return LINK
    if entry.is_dir():
        return DIRECTORY
    return FILE if entry.is_file() else OTHER
