"""The strict tree parser: what git writes has one reading, everything else is refused."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatekeeper.errors import MalformedObject
from gatekeeper.git.tree import CANONICAL, is_tree, parse_tree, sort_key
from gatekeeper.model import EXECUTABLE, FILE, GITLINK, SYMLINK, TREE, Entry

SIZES = (20, 32)
Row = tuple[bytes, bytes]


def encoded(rows: list[Row], oid_size: int = 20) -> bytes:
    """Tree content of (mode, name) rows, each with an oid of its own."""
    return b"".join(b"%s %s\0%s" % (mode, name, bytes([n % 255 + 1]) * oid_size) for n, (mode, name) in enumerate(rows))


@pytest.mark.parametrize("oid_size", SIZES)
def test_every_canonical_mode_is_read(oid_size: int) -> None:
    rows = [(b"100644", b"a"), (b"100755", b"b"), (b"120000", b"c"), (b"40000", b"d"), (b"160000", b"e")]
    entries = parse_tree(encoded(rows, oid_size), oid_size)
    assert [(entry.name, entry.mode) for entry in entries] == [
        (b"a", FILE), (b"b", EXECUTABLE), (b"c", SYMLINK), (b"d", TREE), (b"e", GITLINK),
    ]  # fmt: skip
    assert [entry.oid for entry in entries] == [bytes([n]) * oid_size for n in range(1, 6)]
    assert all(isinstance(entry, Entry) for entry in entries)


def test_an_empty_tree_has_no_entries() -> None:
    assert parse_tree(b"", 20) == ()


def test_a_directory_sorts_as_if_its_name_ended_with_a_slash() -> None:
    rows = [(b"100644", b"a-b"), (b"100644", b"a.b"), (b"40000", b"a"), (b"100644", b"a0")]
    assert [entry.name for entry in parse_tree(encoded(rows), 20)] == [b"a-b", b"a.b", b"a", b"a0"]


def test_names_that_another_rule_reports_are_let_through() -> None:
    rows = [(b"100644", b"."), (b"100644", b".."), (b"40000", b".git"), (b"100644", b"\xff\n\r\\")]
    assert len(parse_tree(encoded(rows), 20)) == 4


def test_a_mode_of_old_times_is_read_as_it_stands() -> None:
    (entry,) = parse_tree(encoded([(b"100664", b"a")]), 20)
    assert entry.mode == 0o100664
    assert entry.mode not in CANONICAL


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([(b"100644", b"a"), (b"100644", b"a")], "occurs twice"),
        ([(b"100644", b"a"), (b"100644", b"a.b"), (b"40000", b"a")], "occurs twice"),
        ([(b"40000", b"a"), (b"100644", b"a")], "occurs twice"),
        ([(b"100644", b"b"), (b"100644", b"a")], "out of order"),
        ([(b"40000", b"a"), (b"100644", b"a.b")], "out of order"),
        ([(b"100644", b"a0"), (b"40000", b"a")], "out of order"),
        ([(b"100644", b"")], "empty name"),
        ([(b"100644", b"../evil")], "slash"),
        ([(b"40000", b"a/")], "slash"),
        ([(b"040000", b"a")], "mode"),
        ([(b"0", b"a")], "mode"),
        ([(b"", b"a")], "mode"),
        ([(b"100648", b"a")], "mode"),
        ([(b"-10064", b"a")], "mode"),
        ([(b"+10064", b"a")], "mode"),
        ([(b"1_0644", b"a")], "mode"),
        ([(b"\xb2", b"a")], "mode"),
        ([(b"1006440", b"a")], "truncated"),
        ([(b"100644\n", b"a")], "truncated"),
    ],
)
def test_what_git_would_not_write_is_refused(rows: list[Row], said: str) -> None:
    with pytest.raises(MalformedObject, match=said):
        parse_tree(encoded(rows), 20)


def test_the_null_object_id_is_refused() -> None:
    with pytest.raises(MalformedObject, match="null"):
        parse_tree(b"100644 a\0" + bytes(20), 20)


def test_every_truncation_is_refused() -> None:
    data = encoded([(b"100644", b"a"), (b"40000", b"b")])
    boundary = data.index(b"40000 b")
    for cut in set(range(1, len(data))) - {boundary}:
        with pytest.raises(MalformedObject):
            parse_tree(data[:cut], 20)
    assert len(parse_tree(data[:boundary], 20)) == 1


def test_a_tree_read_with_the_other_hash_is_refused() -> None:
    with pytest.raises(MalformedObject):
        parse_tree(encoded([(b"100644", b"a"), (b"100644", b"b")], 20), 32)


def test_a_message_never_holds_the_raw_bytes_of_a_name() -> None:
    with pytest.raises(MalformedObject) as caught:
        parse_tree(encoded([(b"100644", b"\rremote: ok\x1b[2K\xff" + b"n" * 500)] * 2), 20)
    text = str(caught.value)
    assert text.isascii()
    assert text.isprintable()
    assert len(text) < 500


_NAMES = st.binary(min_size=1, max_size=6).map(lambda name: name.replace(b"\0", b"0").replace(b"/", b"-"))
_ENTRIES = st.dictionaries(
    _NAMES,
    st.tuples(st.sampled_from(sorted(CANONICAL | {0o100664, 0o40755})), st.binary(min_size=20, max_size=20)),
    max_size=8,
)


def _written(table: dict[bytes, tuple[int, bytes]]) -> tuple[list[Entry], bytes]:
    entries = [Entry(name, mode, b"\1" + oid[1:]) for name, (mode, oid) in table.items()]
    entries.sort(key=sort_key)
    return entries, b"".join(b"%o %s\0%s" % (entry.mode, entry.name, entry.oid) for entry in entries)


@given(_ENTRIES)
def test_what_is_written_in_order_is_read_back(table: dict[bytes, tuple[int, bytes]]) -> None:
    entries, data = _written(table)
    assert list(parse_tree(data, 20)) == entries


@given(_ENTRIES, st.data())
def test_a_mutated_tree_is_refused_or_is_what_its_bytes_say(
    table: dict[bytes, tuple[int, bytes]], draw: st.DataObject
) -> None:
    _, data = _written(table)
    at = draw.draw(st.integers(0, len(data)))
    cut = draw.draw(st.integers(0, 4))
    mutated = data[:at] + draw.draw(st.binary(max_size=4)) + data[at + cut :]
    try:
        entries = parse_tree(mutated, 20)
    except MalformedObject:
        return
    # Accepted means: there is no other way to write these entries.
    assert b"".join(b"%o %s\0%s" % (entry.mode, entry.name, entry.oid) for entry in entries) == mutated
    assert [sort_key(entry) for entry in entries] == sorted({sort_key(entry) for entry in entries})
    assert len({entry.name for entry in entries}) == len(entries)
    assert all(entry.name and b"/" not in entry.name and entry.oid.strip(b"\0") for entry in entries)


@given(st.binary(max_size=200), st.sampled_from(SIZES))
def test_noise_never_raises_anything_else(data: bytes, oid_size: int) -> None:
    with contextlib.suppress(MalformedObject):
        parse_tree(data, oid_size)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [(TREE, True), (0o40755, True), (FILE, False), (SYMLINK, False), (GITLINK, False), (0o777, False)],
)
def test_what_counts_as_a_directory(mode: int, expected: bool) -> None:
    assert is_tree(mode) is expected
