"""Kind and size of a packed object without inflating it; dulwich itself has no such question."""

from __future__ import annotations

import zlib

from dulwich.objects import RawObjectID

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import BinaryIO

    from dulwich.pack import Pack

    from gatekeeper.model import Kind, Oid

KINDS: dict[int, Kind] = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
_OFS_DELTA, _REF_DELTA = 6, 7
_DELTA_HEADER = 64


def packed_header(pack: Pack, oid: Oid) -> tuple[Kind, int]:
    """The kind is that of the delta chain's base, the size is written in the object's own first bytes.

    Raises:
        ValueError, IndexError, KeyError, zlib.error, OSError: the pack is damaged.
    """
    size: int | None = None
    offset = pack.index.object_offset(RawObjectID(oid))
    with open(pack.data.path, "rb") as file:
        # No honest chain is longer than its pack; a loop of REF_DELTAs in a hostile one would never end.
        for _ in range(len(pack.data)):
            file.seek(offset)
            number, claimed = _object_header(file)
            if number in KINDS:
                return KINDS[number], claimed if size is None else size
            if number == _OFS_DELTA:
                base = offset - _distance(file)
            elif number == _REF_DELTA:
                base = pack.index.object_offset(RawObjectID(file.read(pack.object_format.oid_length)))
            else:
                raise ValueError("it has an unknown type in its pack")
            if size is None:
                size = _result_size(zlib.decompressobj().decompress(file.read(_DELTA_HEADER), _DELTA_HEADER))
            offset = base
    raise ValueError("its delta chain does not end")


def _object_header(file: BinaryIO) -> tuple[int, int]:
    byte = file.read(1)[0]
    number, size, shift = byte >> 4 & 7, byte & 15, 4
    while byte & 0x80:
        byte = file.read(1)[0]
        size |= (byte & 0x7F) << shift
        shift += 7
    return number, size


def _distance(file: BinaryIO) -> int:
    byte = file.read(1)[0]
    distance = byte & 0x7F
    while byte & 0x80:
        byte = file.read(1)[0]
        distance = (distance + 1 << 7) | (byte & 0x7F)
    return distance


def _result_size(delta: bytes) -> int:
    """The second of the two numbers that a delta starts with; the first is the base's size."""
    at = 0
    while delta[at] & 0x80:
        at += 1
    size, shift = 0, 0
    while True:
        at += 1
        size |= (delta[at] & 0x7F) << shift
        shift += 7
        if not delta[at] & 0x80:
            return size
