"""What a hook is fed becomes ref updates or a usage error, whatever the bytes are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatekeeper.entry.protocol import parse_push, parse_receive, parse_update
from gatekeeper.errors import UsageError
from gatekeeper.model import RefUpdate
from tests.fuzz.effort import effort

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = st.sampled_from([20, 32])
REFS = st.binary(min_size=1, max_size=40).filter(lambda ref: not {0, 10}.intersection(ref))
PIECES = st.sampled_from(
    [b" ", b"\n", b"\0", b"0", b"a", b"F", b"0" * 40, b"1" * 40, b"e" * 64, b"refs/heads/x", b"\r", b"\xff"]
)
NOISE = st.binary(max_size=200) | st.lists(PIECES, max_size=12).map(b"".join)


def oids(size: int) -> st.SearchStrategy[bytes | None]:
    return st.none() | st.binary(min_size=size, max_size=size).filter(any)


def hexed(oid: bytes | None, size: int) -> bytes:
    return (bytes(size) if oid is None else oid).hex().encode()


def attempt(parse: Callable[[], tuple[RefUpdate, ...]]) -> tuple[RefUpdate, ...] | UsageError:
    try:
        return parse()
    except UsageError as fault:
        return fault


def must_be_updates_or_usage(parse: Callable[[], tuple[RefUpdate, ...]], size: int) -> None:
    result = attempt(parse)
    if isinstance(result, UsageError):
        assert str(result)
        assert str(result).isprintable()
        assert result.fix
        return
    for update in result:
        assert type(update) is RefUpdate
        assert update.ref
        assert not {0, 10}.intersection(update.ref)
        assert all(oid is None or (len(oid) == size and any(oid)) for oid in (update.old, update.new))


@effort(400)
@given(NOISE, SIZES)
def test_noise(data: bytes, size: int) -> None:
    must_be_updates_or_usage(lambda: parse_receive(data, size), size)
    must_be_updates_or_usage(lambda: parse_push(data, size), size)


@effort(200)
@given(NOISE, NOISE, NOISE, SIZES)
def test_noise_as_arguments(ref: bytes, old: bytes, new: bytes, size: int) -> None:
    if b"\n" not in ref:
        must_be_updates_or_usage(lambda: (parse_update(ref, old, new, size),), size)


@effort(300)
@given(st.data(), SIZES)
def test_a_damaged_list_is_never_read_as_another(data: st.DataObject, size: int) -> None:
    """One byte more, less or other: refused, or every line is still one update of what it says."""
    updates = data.draw(st.lists(st.builds(RefUpdate, REFS, oids(size), oids(size)), min_size=1, max_size=3))
    text = b"".join(b"%s %s %s\n" % (hexed(u.old, size), hexed(u.new, size), u.ref) for u in updates)
    assert parse_receive(text, size) == tuple(updates)
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = data.draw(
        st.sampled_from(
            [text[:at], text[:at] + text[at + 1 :], text[:at] + b" " + text[at:], text[:at] + b"\0" + text[at + 1 :]]
        )
    )
    must_be_updates_or_usage(lambda: parse_receive(damaged, size), size)
    read = attempt(lambda: parse_receive(damaged, size))
    if not isinstance(read, UsageError):
        assert b"".join(b"%s %s %s\n" % (hexed(u.old, size), hexed(u.new, size), u.ref) for u in read) == damaged


@effort(200)
@given(st.data(), SIZES)
def test_pre_push_lines_come_back(data: st.DataObject, size: int) -> None:
    """The local name may hold spaces, so the line is read from its end."""
    local = data.draw(st.text("refs/heads main@{1 minute ago}", min_size=1, max_size=20)).encode()
    remote = data.draw(st.from_regex(r"refs/heads/[a-z/]{1,10}", fullmatch=True)).encode()
    old, new = data.draw(oids(size)), data.draw(oids(size))
    line = b"%s %s %s %s\n" % (local, hexed(new, size), remote, hexed(old, size))
    assert parse_push(line, size) == (RefUpdate(remote, old, new),)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b" ",
        b"0" * 40 + b" " + b"1" * 40 + b"\n",
        b"0" * 40 + b" " + b"1" * 40 + b" \n",
        b"0" * 40 + b"  " + b"1" * 40 + b" refs/heads/x\n",
        b" " + b"0" * 40 + b" " + b"1" * 40 + b" refs/heads/x\n",
        b"0" * 40 + b" " + b"A" * 40 + b" refs/heads/x\n",
        b"0" * 64 + b" " + b"1" * 64 + b" refs/heads/x\n",
        b"0" * 39 + b" " + b"1" * 40 + b" refs/heads/x\n",
        b"0" * 40 + b" " + b"1" * 40 + b" refs/heads/x",
        b"0" * 40 + b" " + b"1" * 40 + b" refs/heads/x\0y\n",
        b"0" * 40 + b"\t" + b"1" * 40 + b"\trefs/heads/x\n",
        b"0" * 40 + b" " + b"1" * 38 + "１".encode() + b" refs/heads/x\n",
    ],
)
def test_forms_that_git_does_not_send(line: bytes) -> None:
    with pytest.raises(UsageError):
        parse_receive(line, 20)
