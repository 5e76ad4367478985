"""Pushed objects are read in one way only, or refused: no bytes make a reader crash, and none have two readings."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatekeeper.errors import GatekeeperError, LimitExceeded, MalformedObject, MissingObject
from gatekeeper.git.diff import MAX_PATH, diff_trees
from gatekeeper.git.reader import Limits, Objects
from gatekeeper.model import FILE, GITLINK, SYMLINK, TREE, Commit
from tests.adapters.memory import MemoryStore
from tests.fuzz.effort import WANTED, effort
from tests.support.git import Git
from tests.support.objects import ObjectWriter

if TYPE_CHECKING:
    from pathlib import Path

    from gatekeeper.model import Change, Entry

SIZES = st.sampled_from([20, 32])
NAMES = st.sampled_from(
    [b"a", b"b", b"a.b", b"a-b", b"a0", b"tests", b".git", b"", b"a/b", b"\xff", b"a\nb", b"..", b"a b"]
)
MODES = st.sampled_from(
    [b"40000", b"100644", b"100755", b"120000", b"160000", b"100664", b"040000", b"0", b"", b"7777777", b"8"]
)
IDENT = b"A <a@example.invalid> 1700000000 +0000"
LINES = [b"tree %s", b"parent %s", b"parent %s", b"author " + IDENT, b"committer " + IDENT, b"encoding UTF-8", b" more"]
LINES += [b"object %s", b"type commit", b"type tree", b"type x", b"tag v1", b"tagger " + IDENT, b"", b"\0", b"author"]
LINES += [b"committer A <a> " + b"9" * 6000 + b" +0000", b"committer A <a> -5 +0000", b"committer A <a@>> 1", b"tree"]
HEADERS = st.sampled_from([*LINES, b"gpgsig x", b"committer >", b"x" * 90])


def reader(size: int, **limits: int) -> Objects:
    return Objects(MemoryStore(size), Limits(**limits))


def held(store: Objects) -> MemoryStore:
    assert isinstance(store.store, MemoryStore)
    return store.store


@st.composite
def trees(draw: st.DrawFn, size: int) -> bytes:
    rows = draw(st.lists(st.tuples(MODES, NAMES, st.binary(min_size=size, max_size=size)), max_size=5))
    data = b"".join(b"%s %s\0%s" % row for row in rows)
    return data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data


@st.composite
def texts(draw: st.DrawFn, size: int) -> bytes:
    """Header lines in any order with a message, or the ones that git writes with a line more or less."""
    oid = draw(
        st.sampled_from([b"1" * 2 * size, b"A" * 2 * size, b"0" * 2 * size, b"1" * 39, b" " + b"1" * (2 * size - 1)])
    )
    good = [b"tree %s", b"parent %s", b"author " + IDENT, b"committer " + IDENT]
    lines = draw(st.lists(HEADERS, max_size=6) | st.permutations([*good, draw(HEADERS)]))
    whole = b"\n".join(line.replace(b"%s", oid) for line in lines) + draw(
        st.sampled_from([b"\n\nmessage\n", b"\n", b"", b"\n\n"])
    )
    return whole[: draw(st.integers(0, len(whole)))] if draw(st.booleans()) else whole


@effort(400)
@given(st.data(), SIZES)
def test_a_tree_that_is_read_has_one_reading(data: st.DataObject, size: int) -> None:
    """What is accepted can be written back byte for byte, sorted as git sorts it, every name once."""
    objects = reader(size)
    text = data.draw(trees(size) | st.binary(max_size=90))
    oid = held(objects).put("tree", text)
    try:
        entries = objects.tree(oid)
    except MalformedObject as fault:
        assert str(fault).isprintable()  # noqa: PT017 (one of two good outcomes)
        return
    assert b"".join(b"%o %s\0%s" % (entry.mode, entry.name, entry.oid) for entry in entries) == text
    assert len({entry.name for entry in entries}) == len(entries)
    assert not any(not entry.name or b"/" in entry.name for entry in entries)
    keys = [entry.name + b"/" * (entry.mode == TREE) for entry in entries]
    assert keys == sorted(keys)


@effort(400)
@given(st.data(), SIZES)
def test_a_commit_that_is_read_says_what_its_lines_say(data: st.DataObject, size: int) -> None:
    objects = reader(size)
    text = data.draw(texts(size) | st.binary(max_size=120))
    oid = held(objects).put("commit", text)
    try:
        commit = objects.commit(oid)
    except MalformedObject as fault:
        assert str(fault).isprintable()  # noqa: PT017 (one of two good outcomes)
        return
    assert type(commit) is Commit
    lines = text.split(b"\n")
    assert lines[0] == b"tree " + commit.tree.hex().encode()
    parents = [line for line in text.partition(b"\n\n")[0].split(b"\n") if line.startswith(b"parent ")]
    assert parents == [b"parent " + parent.hex().encode() for parent in commit.parents]
    assert text.endswith(commit.message)
    assert 0 <= commit.date < 1 << 63


@effort(300)
@given(st.data(), SIZES)
def test_a_chain_of_tags_ends_somewhere(data: st.DataObject, size: int) -> None:
    objects = reader(size)
    store = held(objects)
    at = store.put("blob", b"x")
    kind = "blob"
    for _ in range(data.draw(st.integers(0, 20))):
        claimed = data.draw(st.sampled_from([kind, kind, kind, "commit"]))
        at, kind = store.put("tag", b"object %s\ntype %s\ntag v\n\nm\n" % (at.hex().encode(), claimed.encode())), "tag"
    found: tuple[str, bytes] | None = None
    try:
        found = objects.peel(at)
    except (MalformedObject, LimitExceeded) as fault:
        assert str(fault).isprintable()  # noqa: PT017 (one of two good outcomes)
    if found is not None:
        assert found == ("blob", store.put("blob", b"x"))
    noise = store.put("tag", data.draw(texts(size) | st.binary(max_size=120)))
    try:
        objects.peel(noise)
    except (MalformedObject, MissingObject) as fault:
        assert str(fault).isprintable()  # noqa: PT017 (one of two good outcomes)


@st.composite
def forests(draw: st.DrawFn) -> tuple[MemoryStore, bytes, bytes]:
    """Two roots over a few trees that name one another, missing objects and blobs where trees should be included."""
    store = MemoryStore()
    known: dict[int, list[bytes]] = {
        TREE: [store.tree([]), store.put("blob", b"no tree"), b"\x01" * 20],
        FILE: [store.put("blob", b"a"), store.put("blob", b"b")],
    }
    for _ in range(draw(st.integers(1, 6))):
        names = sorted(draw(st.sets(st.sampled_from([b"a", b"b", b"c.py", b"d" * 3000]), max_size=3)))
        rows = []
        for name in names:
            mode = draw(st.sampled_from([TREE, TREE, FILE, SYMLINK, GITLINK, 0o100664]))
            rows.append((mode, name, draw(st.sampled_from(known[TREE if mode == TREE else FILE]))))
        rows.sort(key=lambda row: row[1] + b"/" * (row[0] == TREE))
        known[TREE].append(store.tree(rows))
    return store, draw(st.sampled_from(known[TREE])), draw(st.sampled_from(known[TREE]))


def flattened(store: MemoryStore, tree: bytes, prefix: bytes = b"") -> dict[bytes, tuple[int, bytes]]:
    """The paths of a tree by plain recursion."""
    found: dict[bytes, tuple[int, bytes]] = {}
    entry: Entry
    for entry in Objects(store).tree(tree):
        below = flattened(store, entry.oid, prefix + entry.name + b"/") if entry.mode == TREE else None
        found.update({prefix + entry.name: (entry.mode, entry.oid)} if below is None else below)
    return found


@effort(400)
@given(forests(), st.sampled_from([None, 12]))
def test_a_diff_is_the_difference_of_two_path_tables_or_a_refusal(
    forest: tuple[MemoryStore, bytes, bytes], entries: int | None
) -> None:
    store, old, new = forest
    objects = Objects(store, Limits() if entries is None else Limits(entries=entries, depth=3))
    try:
        changes: list[Change] = list(diff_trees(objects, old, new))
    except GatekeeperError as fault:
        assert type(fault) in {MalformedObject, MissingObject, LimitExceeded}  # noqa: PT017 (one of two good outcomes)
        return
    assert all(len(change.path) <= MAX_PATH for change in changes if change.new_mode)
    assert [change.path for change in changes] == sorted(change.path for change in changes)
    try:
        before, after = flattened(store, old), flattened(store, new)
    except GatekeeperError:
        return  # a shared subtree that the diff had no reason to read
    told = {change.path: (change.old_mode, change.old_oid, change.new_mode, change.new_oid) for change in changes}
    gone = (0, b"")
    both = before.keys() | after.keys()
    assert told == {
        path: (*before.get(path, gone), *after.get(path, gone))
        for path in both
        if before.get(path, gone) != after.get(path, gone)
    }


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_git_reads_every_accepted_tree_alike(tmp_path: Path, form: str) -> None:
    """Damaged trees that the parser takes have the entries that ``git ls-tree`` prints."""
    chance = random.Random(7)
    git = Git(tmp_path, tmp_path)
    git.out("init", "--quiet", "--bare", "--template=", f"--object-format={form}")
    writer = ObjectWriter(tmp_path / "objects", form)
    size = 20 if form == "sha1" else 32
    accepted = 0
    for _ in range(WANTED or 150):
        rows = []
        for name in chance.sample([b"a", b"a.b", b"a-b", b"b", b"tests", b"\xff", b"a b"], chance.randint(1, 4)):
            mode = chance.choice([b"40000", b"100644", b"100755", b"120000", b"160000", b"100664"])
            rows.append((mode, name, chance.randbytes(size)))
        rows.sort(key=lambda row: row[1] + b"/" * (row[0] == b"40000"))
        text = bytearray(b"".join(b"%s %s\0%s" % row for row in rows))
        for _ in range(chance.choice([0, 0, 1])):
            text[chance.randrange(len(text))] = chance.choice(b"\0 /40a")
        objects = reader(size)
        try:
            entries = objects.tree(held(objects).put("tree", bytes(text)))
        except MalformedObject:
            continue
        accepted += 1
        listed = git.raw("ls-tree", "-z", writer.raw("tree", bytes(text)))
        shown = [line.partition(b"\t") for line in listed.split(b"\0")[:-1]]
        oids = [(head.split(b" ")[2].decode(), name) for head, _, name in shown]
        assert oids == [(entry.oid.hex(), entry.name) for entry in entries]
    assert accepted > 20
