"""The tree diff and the tree walk over the store in memory; tests/differential compares them with git itself."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatekeeper.errors import LimitExceeded, MalformedObject, MissingObject
from gatekeeper.git.diff import MAX_PATH, diff_trees, walk_tree
from gatekeeper.git.reader import Limits, Objects
from gatekeeper.git.tree import is_tree
from gatekeeper.model import EXECUTABLE, FILE, GITLINK, SYMLINK, TREE, Change
from tests.adapters.memory import MemoryStore

A, B, C = b"\xa0" * 20, b"\xb0" * 20, b"\xc0" * 20
Files = dict[bytes, tuple[int, bytes]]


def grow(store: MemoryStore, files: Files) -> bytes:
    """The tree of a flat table of paths."""
    top: dict[bytes, tuple[int, bytes]] = {}
    below: dict[bytes, Files] = {}
    for path, leaf in files.items():
        head, slash, rest = path.partition(b"/")
        if slash:
            below.setdefault(head, {})[rest] = leaf
        else:
            top[head] = leaf
    top.update({name: (TREE, grow(store, inner)) for name, inner in below.items()})
    rows = [(mode, name, oid) for name, (mode, oid) in top.items()]
    return store.tree(sorted(rows, key=lambda row: row[1] + b"/" * is_tree(row[0])))


def changes(old: Files, new: Files) -> list[Change]:
    """The same by brute force."""
    paths = sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))
    return [Change(path, *old.get(path, (0, b"")), *new.get(path, (0, b""))) for path in paths]


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


def test_a_change_a_deletion_an_addition_and_a_mode(store: MemoryStore) -> None:
    old = grow(store, {b"a": (FILE, A), b"d/x": (FILE, A), b"d/y": (FILE, A), b"same/s": (FILE, A)})
    new = grow(store, {b"a": (EXECUTABLE, A), b"d/x": (FILE, B), b"d/z": (SYMLINK, C), b"same/s": (FILE, A)})
    assert list(diff_trees(Objects(store), old, new)) == [
        Change(b"a", FILE, A, EXECUTABLE, A),
        Change(b"d/x", FILE, A, FILE, B),
        Change(b"d/y", FILE, A, 0, b""),
        Change(b"d/z", 0, b"", SYMLINK, C),
    ]


def test_a_rename_is_a_delete_and_an_add(store: MemoryStore) -> None:
    old, new = grow(store, {b"tests/t": (FILE, A)}), grow(store, {b"src/t": (FILE, A)})
    assert list(diff_trees(Objects(store), old, new)) == [
        Change(b"src/t", 0, b"", FILE, A),
        Change(b"tests/t", FILE, A, 0, b""),
    ]


@pytest.mark.parametrize("mode", [FILE, SYMLINK, GITLINK])
def test_a_file_and_a_directory_change_places(store: MemoryStore, mode: int) -> None:
    leaf = grow(store, {b"a": (mode, A), b"a-b": (FILE, A), b"a0": (FILE, A)})
    folder = grow(store, {b"a/x": (FILE, B), b"a-b": (FILE, A), b"a0": (FILE, A)})
    gone, came = Change(b"a", mode, A, 0, b""), Change(b"a/x", 0, b"", FILE, B)
    assert list(diff_trees(Objects(store), leaf, folder)) == [gone, came]
    assert list(diff_trees(Objects(store), folder, leaf)) == [
        Change(b"a", 0, b"", mode, A),
        Change(b"a/x", FILE, B, 0, b""),
    ]


def test_a_gitlink_is_never_read(store: MemoryStore) -> None:
    old, new = grow(store, {b"sub": (GITLINK, A)}), grow(store, {b"sub": (GITLINK, B)})
    assert list(diff_trees(Objects(store), old, new)) == [Change(b"sub", GITLINK, A, GITLINK, B)]


def test_nothing_is_the_empty_tree(store: MemoryStore) -> None:
    tree = grow(store, {b"a/b": (FILE, A)})
    objects = Objects(store)
    assert list(diff_trees(objects, None, tree)) == [Change(b"a/b", 0, b"", FILE, A)]
    assert list(diff_trees(objects, tree, None)) == [Change(b"a/b", FILE, A, 0, b"")]
    assert list(diff_trees(objects, None, None)) == []
    assert list(diff_trees(objects, store.tree([]), tree)) == [Change(b"a/b", 0, b"", FILE, A)]


def test_equal_trees_are_never_read(store: MemoryStore) -> None:
    files = {b"%d/%d/f" % (one, two): (FILE, A) for one in range(20) for two in range(20)}
    old, new = grow(store, files), grow(store, {**files, b"7/7/f": (FILE, B)})
    objects = Objects(store)
    assert list(diff_trees(objects, old, old)) == []
    assert objects.tree_reads == 0
    assert len(list(diff_trees(objects, old, new))) == 1
    assert objects.tree_reads == 6


def test_a_mode_that_git_does_not_write_is_refused_where_it_is_new(store: MemoryStore) -> None:
    clean, odd = grow(store, {b"a/f": (FILE, A)}), grow(store, {b"a/f": (0o100664, A)})
    with pytest.raises(MalformedObject, match=r"a/f.*100664"):
        list(diff_trees(Objects(store), clean, odd))
    assert list(diff_trees(Objects(store), odd, clean)) == [Change(b"a/f", 0o100664, A, FILE, A)]


def test_an_old_odd_mode_that_nobody_touched_is_let_be(store: MemoryStore) -> None:
    old = grow(store, {b"a/f": (0o100664, A), b"a/g": (FILE, A)})
    new = grow(store, {b"a/f": (0o100664, A), b"a/g": (FILE, B)})
    assert list(diff_trees(Objects(store), old, new)) == [Change(b"a/g", FILE, A, FILE, B)]


def test_an_odd_directory_mode_is_refused_where_it_is_new(store: MemoryStore) -> None:
    inner = grow(store, {b"f": (FILE, A)})
    odd, clean = store.tree([(0o40755, b"d", inner)]), store.tree([(TREE, b"d", inner)])
    with pytest.raises(MalformedObject, match="40755"):
        list(diff_trees(Objects(store), clean, odd))
    assert list(diff_trees(Objects(store), odd, clean)) == []
    assert list(walk_tree(Objects(store), odd)) == [(b"d/f", FILE, A)]


def nested(store: MemoryStore, levels: int) -> bytes:
    """A file below ``levels`` directories."""
    tree = store.tree([(FILE, b"f", A)])
    for _ in range(levels):
        tree = store.tree([(TREE, b"d", tree)])
    return tree


def test_thirty_thousand_directories_end_in_a_limit(store: MemoryStore) -> None:
    deep = nested(store, 30_000)
    for walk in (
        diff_trees(Objects(store), None, deep),
        diff_trees(Objects(store), deep, None),
        walk_tree(Objects(store), deep),
    ):
        with pytest.raises(LimitExceeded, match="limit: depth"):
            list(walk)
    objects = Objects(store, Limits(depth=40_000))
    assert len(list(walk_tree(objects, deep))) == 1


def test_the_depth_counts_directories(store: MemoryStore) -> None:
    objects = Objects(store, Limits(depth=3))
    assert [path for path, _, _ in walk_tree(objects, nested(store, 2))] == [b"d/d/f"]
    assert len(list(diff_trees(objects, None, nested(store, 2)))) == 1
    with pytest.raises(LimitExceeded):
        list(walk_tree(objects, nested(store, 3)))
    with pytest.raises(LimitExceeded):
        list(diff_trees(objects, None, nested(store, 3)))


def test_a_path_that_no_system_checks_out_ends_in_a_limit(store: MemoryStore) -> None:
    name = b"n" * 255
    tree = store.tree([(FILE, name[:-1], A)])
    for _ in range(15):
        tree = store.tree([(TREE, name, tree)])
    (change,) = diff_trees(Objects(store), None, tree)
    assert len(change.path) == MAX_PATH - 2
    longer = store.tree([(TREE, b"nnn", tree)])
    with pytest.raises(LimitExceeded, match="4098 bytes"):
        list(diff_trees(Objects(store), None, longer))
    # Getting rid of one must stay possible.
    assert len(list(diff_trees(Objects(store), longer, None))) == 1


def bomb(store: MemoryStore) -> bytes:
    """Twelve objects that name 10^10 paths and more."""
    tree = store.tree([(FILE, b"%d" % n, A) for n in range(10)])
    for _ in range(11):
        tree = store.tree([(TREE, b"%d" % n, tree) for n in range(10)])
    return tree


def test_a_tree_bomb_ends_in_a_limit(store: MemoryStore) -> None:
    tree = bomb(store)
    limits = Limits(entries=50_000)
    for walk in (diff_trees(Objects(store, limits), None, tree), walk_tree(Objects(store, limits), tree)):
        with pytest.raises(LimitExceeded, match="limit: entries"):
            for _ in walk:
                pass


def test_a_tree_bomb_can_be_left_after_any_number_of_paths(store: MemoryStore) -> None:
    tree = bomb(store)
    objects = Objects(store)
    assert len(list(itertools.islice(diff_trees(objects, None, tree), 1000))) == 1000
    assert objects.tree_reads < 200
    assert objects.limits.entries - objects.entries_left < 2000


def test_a_missing_tree_is_said_to_be_missing(store: MemoryStore) -> None:
    root = store.tree([(TREE, b"d", A)])
    with pytest.raises(MissingObject, match=A.hex()):
        list(diff_trees(Objects(store), None, root))
    with pytest.raises(MissingObject, match=A.hex()):
        list(walk_tree(Objects(store), root))


def test_a_blob_where_a_directory_should_be_is_malformed(store: MemoryStore) -> None:
    root = store.tree([(TREE, b"d", store.put("blob", b""))])
    with pytest.raises(MalformedObject, match="blob where a tree"):
        list(diff_trees(Objects(store), None, root))


def test_a_message_escapes_the_path(store: MemoryStore) -> None:
    odd = store.tree([(0o100664, b"\r\x1b\xff" * 50, A)])
    with pytest.raises(MalformedObject) as caught:
        list(diff_trees(Objects(store), None, odd))
    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()


_PATHS = st.lists(st.sampled_from([b"a", b"a-", b"a.", b"a0", b"b"]), min_size=1, max_size=4).map(b"/".join)
_LEAVES = st.tuples(st.sampled_from([FILE, EXECUTABLE, SYMLINK, GITLINK]), st.sampled_from([A, B, C]))


@st.composite
def tables(draw: st.DrawFn) -> Files:
    """Paths none of which is a directory of another."""
    files: Files = {}
    for path, leaf in draw(st.dictionaries(_PATHS, _LEAVES, max_size=12)).items():
        if not any(path.startswith(other + b"/") or other.startswith(path + b"/") for other in files):
            files[path] = leaf
    return files


@given(tables(), tables())
def test_the_diff_is_what_two_tables_differ_by(old: Files, new: Files) -> None:
    store = MemoryStore()
    objects = Objects(store)
    assert list(diff_trees(objects, grow(store, old), grow(store, new))) == changes(old, new)


@given(tables())
def test_the_walk_yields_the_table(files: Files) -> None:
    store = MemoryStore()
    expected = [(path, *leaf) for path, leaf in sorted(files.items())]
    assert list(walk_tree(Objects(store), grow(store, files))) == expected
