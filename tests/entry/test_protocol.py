"""What git feeds to hooks (githooks(5)): every form, and what is close to one; tests/fuzz has the noise."""

from __future__ import annotations

import os
import threading

import pytest

from gatekeeper.entry import protocol
from gatekeeper.entry.protocol import parse_oid, parse_push, parse_receive, parse_update, read_input
from gatekeeper.errors import UsageError
from gatekeeper.model import RefUpdate

OLD, NEW = b"\x01" * 20, b"\xab" * 20
HEX_OLD, HEX_NEW, ZERO = b"01" * 20, b"ab" * 20, b"0" * 40


def test_a_creation_a_move_and_a_deletion() -> None:
    lines = [b"%s %s refs/heads/a" % (ZERO, HEX_NEW), b"%s %s refs/heads/b" % (HEX_OLD, HEX_NEW)]
    lines += [b"%s %s refs/tags/c" % (HEX_OLD, ZERO), b"%s %s refs/heads/d" % (ZERO, ZERO)]
    assert parse_receive(b"\n".join(lines) + b"\n", 20) == (
        RefUpdate(b"refs/heads/a", None, NEW),
        RefUpdate(b"refs/heads/b", OLD, NEW),
        RefUpdate(b"refs/tags/c", OLD, None),
        RefUpdate(b"refs/heads/d", None, None),
    )


@pytest.mark.parametrize("ref", [b"refs/heads/\xff", b"refs/heads/a b", b" ", b"x" * 65_516, b"refs/heads/a\r"])
def test_the_name_of_a_ref_is_whatever_follows(ref: bytes) -> None:
    assert parse_receive(b"%s %s %s\n" % (ZERO, HEX_NEW, ref), 20) == (RefUpdate(ref, None, NEW),)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no ref updates on standard input"),
        (b"x", "ends inside a line"),
        (b"\n", "not a ref update"),
        (b"%s %s\n" % (ZERO, HEX_NEW), "not a ref update"),
        (b"%s %s \n" % (ZERO, HEX_NEW), "ref name"),
        (b"%s %s a\0b\n" % (ZERO, HEX_NEW), "ref name"),
        (b"%s %s %s\n" % (ZERO, HEX_NEW, b"x" * 65_517), "ref name"),
        (b"%s %s refs/heads/a\n" % (ZERO, b"g" * 40), "not an object id"),
        (b"%s %s refs/heads/a\n" % (ZERO, HEX_NEW.upper()), "not an object id"),
        (b"%s %s refs/heads/a\n" % (ZERO[:-1], HEX_NEW), "not an object id"),
        (b"%s %s refs/heads/a\nx\n" % (ZERO, HEX_NEW), "not a ref update"),
        (b"\xff\x1b[2J\n", r"not a ref update: '\\xff\\x1b[2J'"),
    ],
)
def test_other_forms(data: bytes, words: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_receive(data, 20)
    assert words in str(refused.value)
    assert refused.value.fix


def test_object_ids_have_the_size_of_the_repository() -> None:
    assert parse_oid(b"cd" * 32, 32) == b"\xcd" * 32
    assert parse_oid(b"0" * 64, 32) is None
    for text, size in ((b"cd" * 20, 32), (b"cd" * 32, 20), (b"", 20)):
        with pytest.raises(UsageError, match="not an object id of this repository"):
            parse_oid(text, size)


def test_the_arguments_of_the_update_hook() -> None:
    assert parse_update(b"refs/heads/a", HEX_OLD, HEX_NEW, 20) == RefUpdate(b"refs/heads/a", OLD, NEW)
    with pytest.raises(UsageError):
        parse_update(b"", HEX_OLD, HEX_NEW, 20)


def test_pre_push_names_the_local_side_first() -> None:
    lines = [b"refs/heads/x %s refs/heads/a %s" % (HEX_NEW, HEX_OLD), b"(delete) %s refs/heads/b %s" % (ZERO, HEX_OLD)]
    lines += [b"main@{1 minute ago} %s refs/heads/c %s" % (HEX_NEW, ZERO)]
    assert parse_push(b"\n".join(lines) + b"\n", 20) == (
        RefUpdate(b"refs/heads/a", OLD, NEW),
        RefUpdate(b"refs/heads/b", OLD, None),
        RefUpdate(b"refs/heads/c", None, NEW),
    )
    assert parse_push(b"", 20) == ()
    for data in (b"x\n", b"a b c\n", b"refs/heads/x %s refs/heads/a %s" % (HEX_NEW, HEX_OLD)):
        with pytest.raises(UsageError):
            parse_push(data, 20)


def fed(chunks: list[bytes]) -> bytes:
    ours, theirs = os.pipe()

    def feed() -> None:
        with open(theirs, "wb", buffering=0) as pipe:
            for chunk in chunks:
                try:
                    pipe.write(chunk)
                except BrokenPipeError:
                    return

    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        return read_input(ours)
    finally:
        os.close(ours)
        feeder.join()


@pytest.mark.parametrize("chunks", [[], [b"a"], [b"a", b"b\n", b"", b"c"], [b"x" * 300_000, b"y" * 300_000]])
def test_input_is_read_to_its_end_however_it_comes(chunks: list[bytes]) -> None:
    assert fed(chunks) == b"".join(chunks)


def test_input_has_a_limit() -> None:
    most = [b"x" * (1 << 20)] * 64
    assert len(fed(most)) == 64 << 20
    with pytest.raises(UsageError, match="larger than 64 MiB"):
        fed([*most, b"x"])


def test_the_limits_are_those_of_the_protocol() -> None:
    assert protocol._MAX_REF == 65_520 - 4  # gitprotocol-common(5): LARGE_PACKET_MAX without its length
