"""What a result depends on: while no change touches it, every answer that it was made of is the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from gatekeeper.git.diff import diff_trees
from gatekeeper.git.reader import Objects
from gatekeeper.source.depends import Depends, parsed
from gatekeeper.source.files import EVERY
from gatekeeper.source.gitfiles import GitTree, Graft, TreeFiles
from tests.judging.world import World

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gatekeeper.model import Oid

NAMES = ("a", "b", "c.py")
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join)
CONTENT = st.sampled_from([b"x", b"y"]) | st.sampled_from([(0o120000, b"a"), (0o120000, b"b/c.py")])


def free(files: Mapping[str, object]) -> bool:
    """Whether no file is a directory as well."""
    return not any(other.startswith(f"{path}/") for path in files for other in files)


TREES = st.dictionaries(PATHS, CONTENT, max_size=6).filter(free)


def tree_of(world: World, files: Mapping[str, bytes | tuple[int, bytes]]) -> Oid:
    return Objects(world.store).commit(world.commit(files, parents=())).tree


@given(TREES, TREES, st.sets(PATHS, max_size=4), st.sets(PATHS | st.just(""), max_size=3))
def test_what_no_change_touches_is_read_the_same(
    old: dict[str, bytes], new: dict[str, bytes], looked: set[str], listed: set[str]
) -> None:
    world = World()
    objects = Objects(world.store)
    before, after = (GitTree(objects, tree_of(world, files)) for files in (old, new))
    every = {f"{path}/{EVERY}" if path else EVERY for path in listed}
    depends = Depends(frozenset(path.encode() for path in looked | every), frozenset(path.encode() for path in listed))
    assert parsed(depends.written()) == depends

    def answers(tree: GitTree) -> object:
        files = TreeFiles(tree)
        return [(files.kind(path), files.read(path)) for path in sorted(looked)], [files.list(path) for path in listed]

    if not depends.touched(list(diff_trees(objects, before.oid, after.oid)), before, after):
        assert answers(before) == answers(after)


def test_a_change_of_what_was_looked_at_touches() -> None:
    world = World()
    objects = Objects(world.store)
    old, new, gone = (tree_of(world, files) for files in ({"a": b"x"}, {"a": b"y"}, {"b/c.py": b"x"}))
    before = GitTree(objects, old)
    for looked, listed, tree, expected in (
        ({b"a"}, set(), new, True),
        ({b"b"}, set(), new, False),
        (set(), {b""}, new, False),  # rewritten: the listing is what it was
        ({b"*"}, {b""}, gone, True),
        (set(), {b""}, gone, False),  # no name that could be a test
        ({b"tests/c.py"}, {b""}, gone, True),  # a twin of what was looked at
        ({b"b/c.py"}, set(), gone, True),  # was absent
        ({b"a/c.py"}, set(), gone, True),  # what is above it is no longer a file
    ):
        depends = Depends(frozenset(looked), frozenset(listed))
        changes = list(diff_trees(objects, old, tree))
        assert depends.touched(changes, before, GitTree(objects, tree)) is expected, (looked, listed)


def test_a_form_of_another_version_is_not_read() -> None:
    assert parsed(b"depends 0\0" + b"1\0a") is None


def test_a_graft_has_the_protected_half_of_one_tree_and_the_writable_half_of_the_other() -> None:
    world = World()
    objects = Objects(world.store)
    tip = GitTree(objects, tree_of(world, {"tests/t.py": b"new", "src/m.py": b"old", "tests/more.py": b"m"}))
    head = GitTree(objects, tree_of(world, {"tests/t.py": b"old", "src/m.py": b"new", "src/n.py": b"n"}))
    graft = TreeFiles(Graft(tip, head, lambda path: path.startswith(b"tests/")))
    assert graft.read("tests/t.py") == b"new"
    assert graft.read("src/m.py") == b"new"
    assert [item.name for item in graft.list("tests")] == ["more.py", "t.py"]
    assert [item.name for item in graft.list("src")] == ["m.py", "n.py"]
    assert (graft.kind("src/n.py"), graft.kind("tests"), graft.kind("no")) == ("file", "directory", None)
