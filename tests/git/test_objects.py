"""The strict readers of commits and tags."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatekeeper.errors import MalformedObject
from gatekeeper.git.objects import MAX_DATE, parse_commit, parse_tag

OID = b"\xaa" * 20
TREE, ONE, TWO = b"1" * 40, b"2" * 40, b"3" * 40
AUTHOR = b"author A <a@x> 5 +0000"
COMMITTER = b"committer C <c@x> 7 +0200"


def content(*headers: bytes, message: bytes = b"message\n") -> bytes:
    """A commit's or tag's bytes of header lines and a message."""
    return b"\n".join(headers) + b"\n\n" + message


PLAIN = (b"tree " + TREE, AUTHOR, COMMITTER)


def test_a_commit_is_read() -> None:
    data = content(
        b"tree " + TREE, b"parent " + ONE, b"parent " + TWO, AUTHOR, COMMITTER, b"encoding latin-1", message=b"s\n\nb\n"
    )
    commit = parse_commit(OID, data, 20)
    assert commit.oid == OID
    assert commit.tree == b"\x11" * 20
    assert commit.parents == (b"\x22" * 20, b"\x33" * 20)
    assert commit.date == 7
    assert commit.message == b"s\n\nb\n"
    assert not commit.signed


def test_a_commit_of_the_other_hash_is_read() -> None:
    data = content(b"tree " + b"1" * 64, b"parent " + b"2" * 64, AUTHOR, COMMITTER)
    assert parse_commit(OID, data, 32).parents == (b"\x22" * 32,)
    with pytest.raises(MalformedObject):
        parse_commit(OID, data, 20)


@pytest.mark.parametrize("header", [b"gpgsig", b"gpgsig-sha256"])
def test_a_signature_of_several_lines_is_seen(header: bytes) -> None:
    data = content(*PLAIN, header + b" -----BEGIN SSH SIGNATURE-----", b" AAAA", b" ", b" -----END SSH SIGNATURE-----")
    assert parse_commit(OID, data, 20).signed


def test_a_mergetag_that_quotes_a_signature_is_none() -> None:
    data = content(*PLAIN, b"mergetag object " + ONE, b" type commit", b" gpgsig no", b" parent " + TWO)
    commit = parse_commit(OID, data, 20)
    assert not commit.signed
    assert commit.parents == ()


def test_a_signature_in_the_message_is_none() -> None:
    assert not parse_commit(OID, content(*PLAIN, message=b"gpgsig x\n"), 20).signed


@pytest.mark.parametrize("end", [b"\n", b"\n\n"])
def test_a_commit_without_a_message_is_read(end: bytes) -> None:
    assert parse_commit(OID, b"\n".join(PLAIN) + end, 20).message == b""


@pytest.mark.parametrize(
    ("ident", "date"),
    [
        (b"committer A <a> 0 +0000", 0),
        (b"committer  <> 12 +0000", 12),
        (b"committer A > B <a> 12 +0000", 12),
        (b"committer A <a> 12", 12),
        (b"committer A <a> -5 +0000", 0),
        (b"committer A <a> 9223372036854775807 +0000", MAX_DATE),
        (b"committer A <a> 9223372036854775808 +0000", MAX_DATE),
        (b"committer A <a> " + b"9" * 100_000 + b" +0000", MAX_DATE),
    ],
)
def test_dates_are_clamped(ident: bytes, date: int) -> None:
    assert parse_commit(OID, content(b"tree " + TREE, AUTHOR, ident), 20).date == date


@pytest.mark.parametrize(
    "headers",
    [
        (AUTHOR, COMMITTER),
        (b"tree " + TREE,),
        (b"tree " + TREE, AUTHOR),
        (b"tree " + TREE, COMMITTER, AUTHOR),
        (b"parent " + ONE, b"tree " + TREE, AUTHOR, COMMITTER),
        (b"tree " + TREE, AUTHOR, COMMITTER, b"parent " + ONE),
        (b"tree " + TREE, AUTHOR, b"parent " + ONE, COMMITTER),
        (b"tree " + TREE, b"tree " + ONE, AUTHOR, COMMITTER),
        (b"tree " + TREE, AUTHOR, COMMITTER, b"tree " + ONE),
        (b"tree " + TREE, AUTHOR, AUTHOR, COMMITTER),
        (b"tree " + TREE, AUTHOR, COMMITTER, AUTHOR),
        (b"tree " + TREE, AUTHOR, COMMITTER, COMMITTER),
        (b"tree " + TREE, AUTHOR, COMMITTER, b"encoding x", b"parent " + ONE),
        (b"tree " + TREE, AUTHOR, COMMITTER, b" continued"),
        (b"tree " + TREE[:-1], AUTHOR, COMMITTER),
        (b"tree " + TREE + b"1", AUTHOR, COMMITTER),
        (b"tree " + b"A" * 40, AUTHOR, COMMITTER),
        (b"tree " + b"g" * 40, AUTHOR, COMMITTER),
        (b"tree " + b"11 " + b"1" * 37, AUTHOR, COMMITTER),
        (b"tree  " + TREE, AUTHOR, COMMITTER),
        (b"tree " + TREE, b"parent " + ONE + b" ", AUTHOR, COMMITTER),
        (b"tree " + TREE, b"author A\0 <a> 5 +0000", COMMITTER),
        (b"tree " + TREE, AUTHOR, b"committer C <c>"),
        (b"tree " + TREE, AUTHOR, b"committer C <c> "),
        (b"tree " + TREE, AUTHOR, b"committer C <c> x +0000"),
        (b"tree " + TREE, AUTHOR, b"committer C <c> - +0000"),
        (b"tree " + TREE, AUTHOR, b"committer C <c>5 +0000"),
        (b"tree " + TREE, AUTHOR, b"committer C 5 +0000"),
        (b"tree " + TREE, AUTHOR, "committer C <c> ² +0000".encode()),
    ],
)
def test_a_commit_that_git_would_not_write_is_refused(headers: tuple[bytes, ...]) -> None:
    with pytest.raises(MalformedObject) as caught:
        parse_commit(OID, content(*headers), 20)
    assert str(caught.value).isascii()


@pytest.mark.parametrize("data", [b"", b"\n", b"\n\n", b"tree " + TREE, b"\n".join(PLAIN)])
def test_a_commit_without_an_end_is_refused(data: bytes) -> None:
    with pytest.raises(MalformedObject):
        parse_commit(OID, data, 20)


def test_a_tag_is_read() -> None:
    data = content(b"object " + ONE, b"type tree", b"tag v1", b"tagger T <t> 5 +0000")
    assert parse_tag(data, 20) == (b"\x22" * 20, "tree")


@pytest.mark.parametrize(
    "headers",
    [
        (b"object " + ONE,),
        (b"object " + ONE, b"type tree"),
        (b"type tree", b"object " + ONE, b"tag v1"),
        (b"object " + ONE, b"tag v1", b"type tree"),
        (b"object " + ONE, b"type forest", b"tag v1"),
        (b"object " + ONE[1:], b"type tree", b"tag v1"),
        (b"object " + ONE, b"type tree\0", b"tag v1"),
    ],
)
def test_a_tag_that_git_would_not_write_is_refused(headers: tuple[bytes, ...]) -> None:
    with pytest.raises(MalformedObject):
        parse_tag(content(*headers), 20)


_LINES = st.lists(
    st.one_of(
        st.sampled_from([*PLAIN, b"parent " + ONE, b"gpgsig x", b" more", b"", b"encoding y"]), st.binary(max_size=30)
    ),
    max_size=8,
)


@given(_LINES)
def test_any_bytes_are_read_or_refused(lines: list[bytes]) -> None:
    data = b"\n".join(lines)
    for parse in (lambda: parse_commit(OID, data, 20), lambda: parse_tag(data, 20)):
        with contextlib.suppress(MalformedObject):
            parse()


@given(st.lists(st.binary(min_size=20, max_size=20), max_size=3), st.integers(0, MAX_DATE), st.binary(max_size=40))
def test_what_git_writes_is_read_back(parents: list[bytes], date: int, message: bytes) -> None:
    named = [b"parent " + parent.hex().encode() for parent in parents]
    data = content(b"tree " + TREE, *named, AUTHOR, b"committer C <c> %d +0000" % date, message=message)
    commit = parse_commit(OID, data, 20)
    assert (commit.parents, commit.date, commit.message) == (tuple(parents), date, message)
