"""Directories in which a hook keeps what it has read before: real ones, that not everybody can write.

What lies there is believed. So a link in the place of such a directory, or one that anybody may write, is as good as
none: nothing is read from it, and nothing written to it.
"""

from __future__ import annotations

import os
from _stat import S_ISDIR, S_IWOTH

_DIRECTORY, _FILE = 0o755, 0o644


def is_private(directory: bytes) -> bool:
    """Whether a directory is none of everybody's: a real one, that only accounts can write which we trust anyhow.

    These are this account, root, and whoever owns the directory that it lies in.
    """
    try:
        found, above = os.lstat(directory), os.lstat(os.path.dirname(directory) or b".")
    except OSError:
        return False
    ours = found.st_uid in (0, above.st_uid, os.geteuid())
    return S_ISDIR(found.st_mode) and not found.st_mode & S_IWOTH and ours


def make_directory(directory: bytes) -> None:
    """Make a directory, and those above it, that only its owner can write, whatever the umask.

    Raises:
        OSError: it cannot be made, or something else is in its place.
    """
    above = os.path.dirname(directory)
    if above and not os.path.isdir(above):
        make_directory(above)
    try:
        os.mkdir(directory, _DIRECTORY)
    except FileExistsError:  # also of another hook that makes it at the same time
        if not os.path.isdir(directory):
            raise


def write_whole(path: bytes, data: bytes) -> None:
    """Write a file whole or not at all: pushes at the same time share the directory.

    A read-only or full disk only costs the next push some time.
    """
    temporary = path + b".%s.tmp" % os.urandom(8).hex().encode("ascii")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, _FILE)
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        remove(temporary)


def remove(path: bytes) -> None:
    """Remove a file, if it is there and we may."""
    try:
        os.unlink(path)
    except OSError:
        return
