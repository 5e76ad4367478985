"""Bounded reading: kinds, sizes by header, budgets, tags, caches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gatekeeper.errors import LimitExceeded, MalformedObject, MissingObject
from gatekeeper.git.reader import Limits, Objects
from gatekeeper.model import FILE, GITLINK, TREE, Entry
from tests.adapters.memory import MemoryStore

if TYPE_CHECKING:
    from collections.abc import Callable

GIB = 1 << 30
BOMB = b"\xbb" * 20
AWAY = b"\xee" * 20


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


def readers(objects: Objects) -> dict[str, Callable[[bytes], object]]:
    """What reads an object of each kind."""
    return {"tree": objects.tree, "commit": objects.commit, "blob": objects.blob, "tag": objects.peel}


def tag_of(store: MemoryStore, target: bytes, kind: bytes) -> bytes:
    """An annotated tag on an object that claims to be of a kind."""
    return store.put("tag", b"object %s\ntype %s\ntag v\n\nx" % (target.hex().encode(), kind))


def test_objects_are_parsed_once(store: MemoryStore) -> None:
    tree = store.tree([])
    commit = store.commit(tree, date=5)
    objects = Objects(store)
    assert objects.commit(commit) is objects.commit(commit)
    assert objects.commit(commit).date == 5
    assert objects.tree(tree) == objects.tree(tree) == ()
    assert store.reads == [commit, tree]


def test_every_tree_asked_for_is_counted(store: MemoryStore) -> None:
    objects = Objects(store)
    tree = store.tree([])
    objects.tree(tree)
    objects.tree(tree)
    assert objects.tree_reads == 2


@pytest.mark.parametrize("kind", ["tree", "commit", "blob", "tag"])
def test_a_bomb_is_refused_by_its_header(store: MemoryStore, kind: str) -> None:
    store.bombs[BOMB] = (kind, GIB)  # type: ignore[assignment]
    objects = Objects(store)
    with pytest.raises(LimitExceeded, match=f"{BOMB.hex()} has {GIB} bytes.*limit: (object|blob)_bytes"):
        readers(objects)[kind](BOMB)


def test_an_object_of_just_the_limit_is_read(store: MemoryStore) -> None:
    blob = store.put("blob", b"x" * 10)
    assert Objects(store, Limits(blob_bytes=10)).blob(blob) == b"x" * 10
    assert Objects(store, Limits(blob_bytes=1)).blob(blob, limit=10) == b"x" * 10
    with pytest.raises(LimitExceeded):
        Objects(store, Limits(blob_bytes=9)).blob(blob)
    with pytest.raises(LimitExceeded):
        Objects(store).blob(blob, limit=9)
    with pytest.raises(LimitExceeded):
        Objects(store).blob(blob, limit=0)


@pytest.mark.parametrize("expected", ["tree", "commit", "blob"])
def test_another_kind_is_malformed(store: MemoryStore, expected: str) -> None:
    tree = store.tree([])
    kinds = {"tree": tree, "commit": store.commit(tree), "blob": store.put("blob", b"")}
    objects = Objects(store)
    read = readers(objects)[expected]
    for kind, oid in kinds.items():
        if kind != expected:
            with pytest.raises(MalformedObject, match=f"is a {kind} where a {expected} should be"):
                read(oid)


def test_a_missing_object_is_said_to_be_missing(store: MemoryStore) -> None:
    objects = Objects(store)
    for read in (objects.tree, objects.commit, objects.blob, objects.peel):
        with pytest.raises(MissingObject, match=AWAY.hex()):
            read(AWAY)


def test_a_malformed_object_is_named(store: MemoryStore) -> None:
    objects = Objects(store)
    bad = {"tree": store.put("tree", b"x"), "commit": store.put("commit", b"x"), "tag": store.put("tag", b"x")}
    for kind, read in (("tree", objects.tree), ("commit", objects.commit), ("tag", objects.peel)):
        with pytest.raises(MalformedObject, match=f"{kind} {bad[kind].hex()}: "):
            read(bad[kind])


def test_what_is_no_tag_is_its_own_end(store: MemoryStore) -> None:
    tree = store.tree([])
    assert Objects(store).peel(tree) == ("tree", tree)


def test_tags_are_followed(store: MemoryStore) -> None:
    commit = store.commit(store.tree([]))
    assert Objects(store).peel(tag_of(store, tag_of(store, commit, b"commit"), b"tag")) == ("commit", commit)


@pytest.mark.parametrize("kind", [b"tree", b"blob", b"tag"])
def test_a_tag_that_lies_about_its_target_is_malformed(store: MemoryStore, kind: bytes) -> None:
    commit = store.commit(store.tree([]))
    with pytest.raises(MalformedObject, match="its target is a commit"):
        Objects(store).peel(tag_of(store, commit, kind))


def test_a_tag_on_nothing_is_missing(store: MemoryStore) -> None:
    with pytest.raises(MissingObject, match=AWAY.hex()):
        Objects(store).peel(tag_of(store, AWAY, b"commit"))


def test_a_chain_of_sixteen_tags_is_followed_and_a_longer_one_is_not(store: MemoryStore) -> None:
    commit = oid = store.commit(store.tree([]))
    for level in range(16):
        oid = tag_of(store, oid, b"tag" if level else b"commit")
    assert Objects(store).peel(oid) == ("commit", commit)
    with pytest.raises(LimitExceeded, match="16 tags"):
        Objects(store).peel(tag_of(store, oid, b"tag"))


def test_find_reads_only_the_trees_on_the_path(store: MemoryStore) -> None:
    blob = store.put("blob", b"")
    other = store.tree([(FILE, b"x", blob)])
    deep = store.tree([(FILE, b"f", blob)])
    root = store.tree([(TREE, b"a", store.tree([(TREE, b"b", deep)])), (GITLINK, b"g", AWAY), (TREE, b"z", other)])
    objects = Objects(store)
    assert objects.find(root, b"a/b/f") == Entry(b"f", FILE, blob)
    assert other not in store.reads
    assert objects.find(root, b"a/b") == Entry(b"b", TREE, deep)
    assert objects.find(root, b"g") == Entry(b"g", GITLINK, AWAY)
    for path in (b"", b"a/", b"/a", b"a//b", b"a/b/f/x", b"a/q", b"q/f", b"g/x", b"A", b"a/b/f/"):
        assert objects.find(root, path) is None, path


def test_the_entries_budget_is_for_the_whole_judgement(store: MemoryStore) -> None:
    blob = store.put("blob", b"")
    trees = [store.tree([(FILE, b"%d" % n, blob), (FILE, b"%d-" % n, blob)]) for n in range(3)]
    objects = Objects(store, Limits(entries=5))
    objects.tree(trees[0])
    objects.tree(trees[1])
    objects.tree(trees[0])
    assert objects.entries_left == 1
    with pytest.raises(LimitExceeded, match="more than 5 tree entries"):
        objects.tree(trees[2])


def test_caches_are_bounded(store: MemoryStore) -> None:
    blob = store.put("blob", b"")
    large = store.tree([(FILE, b"%06d" % n, blob) for n in range(41_000)])
    half = [store.tree([(FILE, b"%d-%06d" % (which, n), blob) for n in range(25_000)]) for which in (0, 1)]
    long = store.commit(large, message=b"x" * (9 << 20))
    halves = [store.commit(large, message=b"%d" % n + b"x" * (5 << 20)) for n in (0, 1)]
    objects = Objects(store)
    for oid in (large, large, half[0], half[1], half[1], half[0]):
        objects.tree(oid)
    for oid in (long, long, halves[0], halves[1], halves[1], halves[0]):
        objects.commit(oid)
    assert store.reads == [large, large, half[0], half[1], half[0], long, long, halves[0], halves[1], halves[0]]
