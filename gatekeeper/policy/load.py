"""Find and read the policy files, and remember what they said.

Parsing TOML costs more than judging a push, so a validated layer is kept in ``gatekeeper/cache/`` of the server's own
git directory, where no push can write. The cache holds the file's whole bytes and is used only when they are equal; a
cache that is missing, torn, damaged or from another version is rebuilt.
"""

from __future__ import annotations

import errno
import marshal
import os
import zlib
from _stat import S_ISREG

from gatekeeper import __version__
from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import PolicyError
from gatekeeper.policy import Layer
from gatekeeper.private import is_private, make_directory, write_whole

if TYPE_CHECKING:
    from collections.abc import Collection

SERVER_FILE = b"gatekeeper/policy.toml"
_MAX_BYTES = 1 << 20
_MAX_KEPT = 8 << 20
_CHECKSUM = 4


def read_server_file(path: bytes) -> bytes | None:
    """The bytes of a policy file on disk, or None when there is none.

    Raises:
        PolicyError: it is there and cannot be read, or is absurdly large.
    """
    try:
        text = _read(path, _MAX_BYTES + 1)
    except FileNotFoundError:
        if os.path.islink(path):  # somebody meant a policy: the built-in defaults may be laxer than theirs
            raise PolicyError(
                f"policy {os.fsdecode(path)} is a link to nothing", fix="restore what it points to, or remove the link"
            ) from None
        return None
    except OSError as error:
        raise PolicyError(
            f"policy {os.fsdecode(path)} cannot be read: {error.strerror}", fix="give the hook's user read access to it"
        ) from None
    if len(text) > _MAX_BYTES:
        raise PolicyError(f"policy {os.fsdecode(path)} is larger than 1 MiB", fix="restore the file")
    return text


def _read(path: bytes, limit: int) -> bytes:
    """The first ``limit`` bytes of a plain file; opened so that a FIFO in its place cannot make the hook wait."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        if not S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a plain file")
        return file.read(limit)


class Layers:
    """Parses policy text, through a cache directory where there is one."""

    def __init__(self, codes: Collection[str], cache: bytes | None = None) -> None:
        self._codes = codes
        self._cache = cache

    def server(self, text: bytes | None, where: str) -> Layer:
        """The server's layer; without a file, the defaults in enforce mode."""
        return Layer() if text is None else self._layer(text, where, server=True)

    def repository(self, text: bytes, where: str) -> Layer:
        """The repository's layer, which may only tighten."""
        return self._layer(text, where, server=False)

    def _layer(self, text: bytes, where: str, *, server: bool) -> Layer:
        key = (__version__, Layer._fields, server, tuple(sorted(self._codes)), text)
        slot = None if self._cache is None else os.path.join(self._cache, b"server" if server else b"repository")
        if slot is not None and (kept := _recall(slot, key)) is not None:
            return kept
        from gatekeeper.policy.parse import parse_policy  # reads TOML: only for a policy that is new here

        layer = parse_policy(text, where, codes=self._codes, server=server)
        if slot is not None:
            _remember(slot, key, layer)
        return layer


def _recall(slot: bytes, key: tuple[object, ...]) -> Layer | None:
    if not is_private(os.path.dirname(slot)):
        return None  # whoever can write there could make a policy of anything
    try:
        kept = _read(slot, _MAX_KEPT)
        # a torn or damaged file ends here: marshal would take it for anything, a crash included
        if zlib.crc32(kept[_CHECKSUM:]).to_bytes(_CHECKSUM, "big") != kept[:_CHECKSUM]:
            return None
        found, values = marshal.loads(kept[_CHECKSUM:])  # noqa: S302 (the server's own file; no push can write it)
    except (OSError, EOFError, ValueError, TypeError, MemoryError):
        return None
    return Layer(*values) if found == key else None


def _remember(slot: bytes, key: tuple[object, ...], layer: Layer) -> None:
    directory = os.path.dirname(slot)
    try:
        make_directory(directory)
    except OSError:
        return  # a read-only or full disk only costs the next push some milliseconds
    if is_private(directory):
        data = marshal.dumps((key, tuple(layer)))  # type: ignore[arg-type]  # plain values all the way down
        write_whole(slot, zlib.crc32(data).to_bytes(_CHECKSUM, "big") + data)
