"""Find and read the policy files, and remember what they said.

Parsing TOML costs more than judging a push, so a validated layer is kept in ``gatekeeper/cache/`` of the server's own
git directory, where no push can write. The cache holds the file's whole bytes and is used only when they are equal; a
cache that is missing, torn or from another version is rebuilt.
"""

from __future__ import annotations

import marshal
import os

from gatekeeper import __version__
from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import PolicyError
from gatekeeper.policy import Layer

if TYPE_CHECKING:
    from collections.abc import Collection

SERVER_FILE = b"gatekeeper/policy.toml"
_MAX_BYTES = 1 << 20


def read_server_file(path: bytes) -> bytes | None:
    """The bytes of a policy file on disk, or None when there is none.

    Raises:
        PolicyError: it is there and cannot be read, or is absurdly large.
    """
    try:
        with open(path, "rb") as file:
            text = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PolicyError(
            f"policy {os.fsdecode(path)} cannot be read: {error.strerror}", fix="give the hook's user read access to it"
        ) from None
    if len(text) > _MAX_BYTES:
        raise PolicyError(f"policy {os.fsdecode(path)} is larger than 1 MiB", fix="restore the file")
    return text


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
        key = (__version__, server, tuple(sorted(self._codes)), text)
        slot = None if self._cache is None else os.path.join(self._cache, b"server" if server else b"repository")
        if slot is not None and (kept := _recall(slot, key)) is not None:
            return kept
        from gatekeeper.policy.parse import parse_policy  # reads TOML: only for a policy that is new here

        layer = parse_policy(text, where, codes=self._codes, server=server)
        if slot is not None:
            _remember(slot, key, layer)
        return layer


def _recall(slot: bytes, key: tuple[object, ...]) -> Layer | None:
    try:
        with open(slot, "rb") as file:
            kept = marshal.load(file)  # noqa: S302 (the server's own file; no push can write it)
    except (OSError, EOFError, ValueError, TypeError):
        return None
    if not isinstance(kept, tuple) or len(kept) != 2 or kept[0] != key or len(kept[1]) != len(Layer._fields):  # noqa: PLR2004
        return None
    return Layer(*kept[1])


def _remember(slot: bytes, key: tuple[object, ...], layer: Layer) -> None:
    """Write the cache whole or not at all; a read-only or full disk only costs the next push some milliseconds."""
    temporary = slot + b".%d" % os.getpid()
    try:
        os.makedirs(os.path.dirname(slot), exist_ok=True)
        with open(temporary, "wb") as file:
            marshal.dump((key, tuple(layer)), file)  # type: ignore[arg-type]  # plain values all the way down
        os.replace(temporary, slot)
    except OSError:
        try:
            os.unlink(temporary)
        except OSError:
            return
