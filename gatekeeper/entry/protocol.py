"""The lines that git feeds to hooks (githooks(5)), parsed strictly as bytes."""

from __future__ import annotations

import os

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import UsageError
from gatekeeper.model import RefUpdate
from gatekeeper.render.escape import escape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.model import Oid

_MAX_INPUT = 64 << 20
_MAX_REF = 65_516
"""Bytes in a pkt-line (gitprotocol-common(5)): no client can send a longer name."""
_CHUNK = 1 << 20
_HEX = frozenset(b"0123456789abcdef")


def read_input(descriptor: int = 0) -> bytes:
    """All of standard input.

    Raises:
        UsageError: more than 64 MiB of it: git sends about a hundred bytes for each ref.
    """
    parts, size = [], 0
    while chunk := os.read(descriptor, _CHUNK):
        size += len(chunk)
        if size > _MAX_INPUT:
            raise UsageError("the list of ref updates is larger than 64 MiB", fix="push fewer refs at once")
        parts.append(chunk)
    return b"".join(parts)


def parse_oid(text: bytes, oid_size: int) -> Oid | None:
    """An oid in hexadecimal; None for the zero oid.

    Raises:
        UsageError: it is not ``2 * oid_size`` lower-case hexadecimal digits.
    """
    if len(text) != 2 * oid_size or not _HEX.issuperset(text):
        raise UsageError(
            f"not an object id of this repository: {escape(text[:80])!r}", fix="let git call the hook; see githooks(5)"
        )
    oid = bytes.fromhex(text.decode("ascii"))
    return oid if any(oid) else None


def parse_receive(data: bytes, oid_size: int) -> tuple[RefUpdate, ...]:
    """``old SP new SP ref LF`` lines, as pre-receive and post-receive get them.

    Raises:
        UsageError: a line has another form, or there is none: git never calls pre-receive without an update.
    """
    updates = tuple(_receive_line(line, oid_size) for line in _lines(data))
    if not updates:
        raise UsageError("no ref updates on standard input", fix="let git call the hook; see githooks(5), pre-receive")
    return updates


def _lines(data: bytes) -> Iterator[bytes]:
    if data and not data.endswith(b"\n"):
        raise UsageError(
            "the list of ref updates ends inside a line", fix="push again; the connection may have been cut"
        )
    start = 0
    while start < len(data):  # one at a time: the first bad line ends it, however many follow
        end = data.index(b"\n", start)
        yield data[start:end]
        start = end + 1


def _receive_line(line: bytes, oid_size: int) -> RefUpdate:
    parts = line.split(b" ", 2)
    if len(parts) != 3:  # noqa: PLR2004
        raise UsageError(
            f"not a ref update: {escape(line[:80])!r}", fix="let git call the hook; see githooks(5), pre-receive"
        )
    return parse_update(parts[2], parts[0], parts[1], oid_size)


def parse_update(ref: bytes, old: bytes, new: bytes, oid_size: int) -> RefUpdate:
    """One update from its three fields, in the order in which the update hook gets them.

    Raises:
        UsageError: a field is malformed.
    """
    if not ref or len(ref) > _MAX_REF or b"\0" in ref:
        raise UsageError("a ref update without a ref name of git's form", fix="let git call the hook; see githooks(5)")
    return RefUpdate(ref, parse_oid(old, oid_size), parse_oid(new, oid_size))


def parse_push(data: bytes, oid_size: int) -> tuple[RefUpdate, ...]:
    """``local-ref SP local-oid SP remote-ref SP remote-oid LF`` lines of pre-push, as updates of the remote refs.

    The local name may hold spaces (``main@{1 minute ago}``), so the line is split from the right.

    Raises:
        UsageError: a line has another form.
    """
    updates = []
    for line in _lines(data):
        parts = line.rsplit(b" ", 3)
        if len(parts) != 4:  # noqa: PLR2004
            raise UsageError(
                f"not a ref to push: {escape(line[:80])!r}", fix="let git call the hook; see githooks(5), pre-push"
            )
        updates.append(parse_update(parts[2], parts[3], parts[1], oid_size))
    return tuple(updates)
