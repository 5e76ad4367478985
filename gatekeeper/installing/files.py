"""Writing so that whoever looks, and whatever dies, finds either the old file or the whole new one."""

from __future__ import annotations

import contextlib
import os
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def sync_directory(directory: Path) -> None:
    """Make the names in ``directory`` survive a power cut; a rename is not on disk before its directory is."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def beside(path: Path, content: bytes, mode: int) -> Iterator[Path]:
    """A synced temporary file next to ``path``; it is gone on exit unless it was renamed to somewhere."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    temporary = path.parent / name
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def write(path: Path, content: bytes, mode: int) -> None:
    """Replace ``path`` by ``content`` in one step."""
    with beside(path, content, mode) as temporary:
        temporary.replace(path)
    sync_directory(path.parent)


def add_name(path: Path, name: Path) -> None:
    """Give the file at ``path`` the second name ``name`` (which must be free), so that no moment is without the first.

    A hard link: content, owner, mode and labels stay what they are. A symbolic link is carried as the link it is.
    """
    os.link(path, name, follow_symlinks=False)
    sync_directory(name.parent)


def same(one: Path, other: Path) -> bool:
    """Whether two names stand for one file: what :func:`add_name` leaves when its process is killed after it."""
    return os.path.lexists(one) and os.path.lexists(other) and os.path.samestat(one.lstat(), other.lstat())


def sweep(path: Path) -> None:
    """Remove what :func:`beside` leaves next to ``path`` when it is killed. Only under the installer's lock."""
    for left in leftovers(path):
        left.unlink()


def leftovers(path: Path) -> list[Path]:
    """The temporary files next to ``path``, sorted."""
    return sorted(path.parent.glob(f".{path.name}.*.tmp"))
