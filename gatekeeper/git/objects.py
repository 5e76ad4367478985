"""Strict readers of commit and tag objects.

Tools disagree about commits that repeat a header, reorder headers or hide bytes behind a NUL, so that what one of them
shows is not what another one checks out. Anything but the order that git writes is malformed.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import MalformedObject
from gatekeeper.model import Commit

if TYPE_CHECKING:
    from gatekeeper.model import Kind, Oid

MAX_DATE = (1 << 63) - 1
"""The largest date that is told apart: seconds since the epoch; what a commit claims beyond it is clamped."""

_DATE_DIGITS = len(str(MAX_DATE))
MAX_HEADER_LINES = 100_000
"""Lines before the message: an octopus has dozens, a signature some hundreds; eight million take minutes to read."""

_STRUCTURAL = frozenset({b"tree", b"parent", b"author", b"committer"})
_SIGNATURES = frozenset({b"gpgsig", b"gpgsig-sha256"})
_KINDS: dict[bytes, Kind] = {b"commit": "commit", b"tree": "tree", b"blob": "blob", b"tag": "tag"}


def parse_commit(oid: Oid, data: bytes, oid_size: int) -> Commit:
    """Read a commit object's content. ``date`` is the committer's, clamped to 0..:data:`MAX_DATE`.

    Raises:
        MalformedObject: a header is missing, repeated or out of order, an object id is not one, the date is missing,
            or the headers hold a NUL.
    """
    lines, message = _headers(data)
    tree = _oid_field(lines[0], b"tree ", oid_size)
    at = 1
    while at < len(lines) and lines[at].startswith(b"parent "):
        at += 1
    parents = tuple(_oid_field(line, b"parent ", oid_size) for line in lines[1:at])
    if len(lines) < at + 2 or not lines[at].startswith(b"author ") or not lines[at + 1].startswith(b"committer "):
        raise MalformedObject("the author and committer headers are missing or out of order")
    signed, encoding = False, b""
    rest = lines[at + 2 :]
    if rest and rest[0].startswith(b" "):
        raise MalformedObject("the committer header runs over several lines")
    for line in rest:
        # A second tree or parent header is read by some tools and skipped by others.
        name = line.partition(b" ")[0]
        if name in _STRUCTURAL:
            raise MalformedObject(f"the header {name.decode()!r} is repeated or out of order")
        signed = signed or name in _SIGNATURES
        encoding = line.partition(b" ")[2] if name == b"encoding" else encoding
    return Commit(oid, tree, parents, _date(lines[at + 1]), message, signed, encoding)


def parse_tag(data: bytes, oid_size: int) -> tuple[Oid, Kind]:
    """The object that an annotated tag names, and the kind that it claims for it.

    Raises:
        MalformedObject: the first three headers are not ``object``, ``type`` and ``tag``, or hold nonsense.
    """
    lines, _ = _headers(data)
    if [line.partition(b" ")[0] for line in lines[:3]] != [b"object", b"type", b"tag"]:
        raise MalformedObject("the object, type and tag headers are missing or out of order")
    target = _oid_field(lines[0], b"object ", oid_size)
    kind = _KINDS.get(lines[1][5:])
    if kind is None:
        raise MalformedObject("the tag names an unknown kind of object")
    return target, kind


def _headers(data: bytes) -> tuple[list[bytes], bytes]:
    """The header lines, at least one, and the message."""
    end = data.find(b"\n\n")
    if end < 0:
        # An object without a message ends with its last header's newline.
        if not data.endswith(b"\n"):
            raise MalformedObject("the headers are not terminated")
        end = len(data) - 1
    head = data[:end]
    if b"\0" in head:
        raise MalformedObject("the headers hold a NUL")
    if head.count(b"\n") >= MAX_HEADER_LINES:
        raise MalformedObject(f"there are more than {MAX_HEADER_LINES} header lines")
    return head.split(b"\n"), data[end + 2 :]


def _oid_field(line: bytes, name: bytes, oid_size: int) -> Oid:
    value = line[len(name) :]
    # fromhex() skips blanks and takes capitals, git does neither.
    if line.startswith(name) and len(value) == 2 * oid_size and not value.strip(b"0123456789abcdef"):
        return bytes.fromhex(value.decode("ascii"))
    raise MalformedObject(f"the header {name.decode().strip()!r} is missing, out of order or not an object id")


def _date(line: bytes) -> int:
    fields = line.rpartition(b">")[2].split(b" ")
    text = fields[1] if len(fields) > 1 and fields[0] == b"" else b""
    digits = text[1:] if text[:1] == b"-" else text
    if not digits.isdigit():
        raise MalformedObject("the committer header has no date")
    if text is not digits:
        return 0
    # int() of a long text takes quadratic time, and beyond 4,300 digits it raises.
    return MAX_DATE if len(digits) > _DATE_DIGITS else min(int(digits), MAX_DATE)
