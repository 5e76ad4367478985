"""The pure diff and the pure walk against git itself, byte for byte, over a thousand commits of real histories."""

from __future__ import annotations

import fcntl
import os
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from gatekeeper.git.diff import diff_trees, walk_tree
from gatekeeper.git.history import is_ancestor, relate
from gatekeeper.git.reader import Objects
from gatekeeper.model import GITLINK, SYMLINK
from tests.git.backends import opened
from tests.support import corpus
from tests.support.git import Git

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gatekeeper.git import ObjectStore
    from gatekeeper.model import Change

AT_LEAST = 1_000
WAYS = [("sha1", "fast"), ("sha1", "dulwich"), ("sha1", "memory"), ("sha256", "dulwich"), ("sha256", "memory")]
"""The other way into libgit2 reads the same bytes from the same store; tests/git holds it to that."""


class Corpus(NamedTuple):
    """The histories in one repository: all commits, oldest first, and their trees, as hex."""

    git: Git
    commits: list[str]
    trees: list[str]


@pytest.fixture(scope="module")
def histories(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, Corpus]:
    """The corpus in both hash formats, made once however many workers there are."""
    base = tmp_path_factory.getbasetemp()
    # Under pytest-xdist each worker has a directory of its own below a common one.
    shared = (base.parent if hasattr(request.config, "workerinput") else base) / "corpus"
    shared.mkdir(exist_ok=True)
    home = shared / "home"
    home.mkdir(exist_ok=True)
    cache = Path(os.environ.get("CORPUS_CACHE") or shared / "downloads")
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return {form: _made(shared, home, cache, form) for form in ("sha1", "sha256")}


def _made(shared: Path, home: Path, cache: Path, form: str) -> Corpus:
    git = Git(shared / f"{form}.git", home)
    listed = shared / f"{form}.commits"
    if not listed.exists():
        try:
            projects = corpus.download(cache)
        except corpus.Unavailable as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"NOT COMPARED WITH GIT: {error}")
        Git(shared, home).raw("init", "-q", "--bare", f"--object-format={form}", git.cwd)
        listed.write_text("\n".join(corpus.build(git, projects)))
    commits = listed.read_text().split()
    trees = git.out("log", "--no-walk=unsorted", "--format=%T", "--stdin", input="\n".join(commits).encode()).split()
    return Corpus(git, commits, trees)


def pairs(history: Corpus) -> list[tuple[str, str]]:
    """Every commit against its parent or, at a root, nothing; and some pairs of any two commits for large changes."""
    empty = history.git.out("hash-object", "-t", "tree", "-w", "--stdin")
    tree_of = dict(zip(history.commits, history.trees, strict=True))
    rows = history.git.out(
        "log", "--no-walk=unsorted", "--format=%H %P", "--stdin", input="\n".join(history.commits).encode()
    )
    found = [
        (tree_of[row.split()[1]] if " " in row.strip() else empty, tree_of[row.split()[0]]) for row in rows.splitlines()
    ]
    dice = random.Random(20)
    found += [(dice.choice(history.trees), dice.choice(history.trees)) for _ in range(100)]
    return [*found, (empty, history.trees[-1]), (history.trees[-1], empty)]


def raw(changes: Iterable[Change], width: int) -> bytes:
    """Changes in the form that ``git diff-tree --raw -z`` prints."""
    rows = []
    for change in changes:
        old, new = change.old_mode, change.new_mode
        status = b"A" if not old else b"D" if not new else b"T" if old >> 12 != new >> 12 else b"M"
        before, after = ((oid or bytes(width)).hex().encode() for oid in (change.old_oid, change.new_oid))
        rows.append(b":%06o %06o %s %s %s\0%s\0" % (old, new, before, after, status, change.path))
    return b"".join(rows)


def expected_diffs(history: Corpus, wanted: list[tuple[str, str]]) -> list[bytes]:
    """What git prints for each pair, from one process; each block starts with the pair."""
    asked = "".join(f"{old} {new}\n" for old, new in wanted).encode()
    options = ("-r", "--raw", "-z", "--no-renames", "--full-index", "--no-abbrev")
    printed = history.git.raw("diff-tree", "--stdin", *options, input=asked)
    blocks, at = [], 0
    for old, new in wanted:
        head = f"{old} {new}\n".encode()
        assert printed.startswith(head, at)
        at += len(head)
        start = at
        while printed.startswith(b":", at):
            at = printed.index(b"\0", printed.index(b"\0", at) + 1) + 1
        blocks.append(printed[start:at])
    assert at == len(printed)
    return blocks


@pytest.mark.parametrize(("form", "way"), WAYS)
def test_the_diff_is_that_of_git(histories: dict[str, Corpus], form: str, way: str) -> None:
    history = histories[form]
    wanted = [pair for pair in pairs(history) if pair[0] != pair[1]]
    assert len(wanted) > AT_LEAST
    blocks = expected_diffs(history, wanted)
    with opened(way, history.git) as store:
        for (old, new), block in zip(wanted, blocks, strict=True):
            changes = diff_trees(_objects(store), bytes.fromhex(old), bytes.fromhex(new))
            assert raw(changes, store.oid_size) == block, f"{old} {new}"


@pytest.mark.parametrize(("form", "way"), WAYS)
def test_the_walk_is_that_of_git(histories: dict[str, Corpus], form: str, way: str) -> None:
    history = histories[form]
    trees = list(dict.fromkeys(history.trees))
    if form == "sha1":
        assert len(history.trees) > AT_LEAST
    else:
        trees = trees[::10]
    with ThreadPoolExecutor(2) as pool, opened(way, history.git) as store:
        listings = pool.map(lambda tree: history.git.raw("ls-tree", "-r", "-z", tree), trees)
        for tree, listing in zip(trees, listings, strict=True):
            rows = []
            for path, mode, oid in walk_tree(_objects(store), bytes.fromhex(tree)):
                kind = b"commit" if mode == GITLINK else b"blob"
                rows.append(b"%06o %s %s\t%s\0" % (mode, kind, oid.hex().encode(), path))
            assert b"".join(rows) == listing, tree


def test_the_corpus_holds_the_odd_cases(histories: dict[str, Corpus]) -> None:
    """An agreement over tame histories would prove little."""
    history = histories["sha1"]
    seen: set[str] = set()
    with opened("fast", history.git) as store:
        for old, new in pairs(history):
            changes = list(diff_trees(_objects(store), bytes.fromhex(old), bytes.fromhex(new)))
            gone = {change.path for change in changes if not change.new_mode}
            for change in changes:
                if GITLINK in {change.old_mode, change.new_mode}:
                    seen.add(f"gitlink {bool(change.old_mode):d}{bool(change.new_mode):d}")
                if SYMLINK in {change.old_mode, change.new_mode}:
                    seen.add(f"symlink {bool(change.old_mode):d}{bool(change.new_mode):d}")
                if {change.old_mode, change.new_mode} == {0o100644, 0o100755}:
                    seen.add("mode")
                above = {change.path[:at] for at, char in enumerate(change.path) if char == ord("/")}
                if not change.old_mode and above & gone:
                    seen.add("file to directory")
                if not change.new_mode and any(other.path in above and other.new_mode for other in changes):
                    seen.add("directory to file")
                if not change.path.isascii():
                    seen.add("non-ASCII")
    states = ("01", "10", "11")
    wanted = {f"{kind} {state}" for kind in ("gitlink", "symlink") for state in states}
    assert wanted | {"mode", "file to directory", "directory to file", "non-ASCII"} <= seen


def test_history_is_that_of_git(histories: dict[str, Corpus]) -> None:
    """Merge bases, new commits and ancestry on the same commits, with merges across the branches added."""
    history = histories["sha1"]
    dice = random.Random(7)
    made = list(history.commits)
    merges = []
    for _ in range(40):
        parents = list(dict.fromkeys(dice.choice(made) for _ in range(dice.choice([2, 2, 3]))))
        options = [option for parent in parents for option in ("-p", parent)]
        date = {"GIT_COMMITTER_DATE": f"@{dice.choice([0, 1_600_000_000, 1_700_000_500, 4_000_000_000])} +0000"}
        merges.append(history.git.out("commit-tree", *options, "-m", "merge", history.trees[0], env=date))
        made.append(merges[-1])
    # With the generation numbers of a commit graph git, too, is right about dates that lie.
    history.git.raw("commit-graph", "write", "--stdin-commits", input="\n".join(made).encode())
    with opened("fast", history.git) as store:
        for _ in range(150):
            head, trusted = dice.choice(merges), dice.choice(made)
            found = relate(_objects(store), bytes.fromhex(head), bytes.fromhex(trusted), limit=10_000)
            bases = history.git.run("merge-base", "--all", head, trusted)
            assert sorted(bases.text.split()) == [oid.hex() for oid in found.bases]
            new = history.git.out("rev-list", head, f"^{trusted}").split()
            assert sorted(new) == sorted(oid.hex() for oid in found.new)
            contains = history.git.run("merge-base", "--is-ancestor", trusted, head).returncode == 0
            assert is_ancestor(_objects(store), bytes.fromhex(trusted), bytes.fromhex(head)) is contains


def _objects(store: ObjectStore) -> Objects:
    """A judgement of its own for each question, as in production."""
    return Objects(store)
