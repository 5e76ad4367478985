"""Where objects come from: quarantine, alternates, worktrees, submodules, and never this process's environment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gatekeeper.errors import MissingObject
from tests.git.backends import ON_DISK, opened
from tests.git.repos import bare, blob, clone_with_commit
from tests.support.git import Git


def has(way: str, git: Git, oid: bytes, env: dict[str, str] | None = None) -> bool:
    with opened(way, git, env) as store:
        try:
            return store.read(oid)[0] == "blob"
        except MissingObject:
            assert store.header(oid) is None
            return False


@pytest.mark.parametrize("way", ON_DISK)
def test_the_quarantine_is_read_from_the_mapping_given(home: Path, way: str) -> None:
    git = bare(home, "a.git")
    old, new = blob(git, b"old"), blob(git, b"new", "objects/incoming-xyz")
    env = {
        "GIT_OBJECT_DIRECTORY": str(git.cwd / "objects/incoming-xyz"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(git.cwd / "objects"),
    }
    assert has(way, git, old, env)
    assert has(way, git, new, env)
    assert has(way, git, old)
    assert not has(way, git, new)


@pytest.mark.parametrize("way", ON_DISK)
def test_relative_directories_count_from_the_working_directory(
    home: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = bare(home, "a.git")
    new = blob(git, b"new", "objects/incoming-xyz")
    monkeypatch.chdir(git.cwd)
    assert has(way, git, new, {"GIT_OBJECT_DIRECTORY": "./objects/incoming-xyz"})


@pytest.mark.parametrize("way", ON_DISK)
def test_a_list_of_alternates_may_quote_its_items(home: Path, way: str) -> None:
    git = bare(home, "a.git")
    names = ["pl ain", 'qu"ote', "co:lon", "new\nline", "caf\u00e9", "back\\slash", "#hash"]
    oids = {name: blob(git, name.encode(), f"pool/{name}") for name in names}
    quoted = {
        "pl ain": "{}/pl ain", 'qu"ote': '{}/qu"ote', "co:lon": '"{}/co:lon"', "new\nline": '"{}/new\\nline"',
        "caf\u00e9": '"{}/caf\\303\\251"', "back\\slash": '"{}/back\\\\slash"', "#hash": "{}/#hash",
    }  # fmt: skip
    pool = str(git.cwd / "pool")
    listed = os.pathsep.join(text.replace("{}", pool) for text in quoted.values())
    env = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": f"#comment:{listed}:/nowhere::"}
    for name, oid in oids.items():
        assert has(way, git, oid, env), name
    for broken in ('"', '"\\', '"\\9"', '"\\777"', '"abc'):
        assert not has(way, git, oids["co:lon"], {"GIT_ALTERNATE_OBJECT_DIRECTORIES": broken})


@pytest.mark.parametrize("way", ON_DISK)
def test_git_reads_the_same_alternates(home: Path, way: str) -> None:
    """What the mapping opens for us is what it opens for git: neither more nor less."""
    git = bare(home, "a.git")
    oids = [blob(git, b"%d" % n, f"pool/{n}") for n in range(3)]
    pool = git.cwd / "pool"
    for env in (
        {"GIT_ALTERNATE_OBJECT_DIRECTORIES": f'{pool}/0:"{pool}/1"'},
        {"GIT_ALTERNATE_OBJECT_DIRECTORIES": f'"{pool}/1:{pool}/2'},
        {"GIT_ALTERNATE_OBJECT_DIRECTORIES": f"#{pool}/0:{pool}/2:"},
        {"GIT_ALTERNATE_OBJECT_DIRECTORIES": ""},
    ):
        for oid in oids:
            seen = git.run("cat-file", "-e", oid.hex(), env=env).returncode == 0
            assert has(way, git, oid, env) is seen, env


@pytest.mark.parametrize("way", ON_DISK)
def test_a_fork_reads_its_pool(home: Path, way: str) -> None:
    pool, fork, leaf = bare(home, "pool.git"), bare(home, "fork.git"), bare(home, "leaf.git")
    oid = blob(pool, b"shared")
    (fork.cwd / "objects/info/alternates").write_text(f"# a comment\n{pool.cwd}/objects\n")
    (leaf.cwd / "objects/info/alternates").write_text("../../fork.git/objects\n")
    assert has(way, fork, oid)
    assert has(way, leaf, oid)
    # A quarantine whose main store is a fork: git-receive-pack(1) names the main store, not the pool behind it.
    new = blob(leaf, b"new", "objects/incoming-xyz")
    env = {
        "GIT_OBJECT_DIRECTORY": str(leaf.cwd / "objects/incoming-xyz"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(fork.cwd / "objects"),
    }
    assert has(way, leaf, new, env)
    other = bare(home, "other.git")
    assert has(way, other, oid, env)


@pytest.mark.parametrize("way", ON_DISK)
def test_alternates_in_a_circle_end(home: Path, way: str) -> None:
    one, two = bare(home, "one.git"), bare(home, "two.git")
    (one.cwd / "objects/info/alternates").write_text(f"{two.cwd}/objects\n")
    (two.cwd / "objects/info/alternates").write_text(f"{one.cwd}/objects\n")
    assert has(way, one, blob(two, b"x"))


@pytest.mark.parametrize("way", ON_DISK)
def test_no_git_variable_of_the_process_has_an_effect(home: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    git, other = bare(home, "a.git"), bare(home, "b.git")
    mine, foreign = blob(git, b"mine"), blob(other, b"foreign")
    bad = home / "bad.config"
    bad.write_text("[core]\n\trepositoryformatversion = 99\n")
    for name, value in {
        "GIT_DIR": other.cwd, "GIT_COMMON_DIR": other.cwd, "GIT_WORK_TREE": home, "GIT_INDEX_FILE": home / "index",
        "GIT_OBJECT_DIRECTORY": other.cwd / "objects", "GIT_ALTERNATE_OBJECT_DIRECTORIES": other.cwd / "objects",
        "GIT_QUARANTINE_PATH": other.cwd / "objects", "GIT_CONFIG": bad, "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.repositoryformatversion", "GIT_CONFIG_VALUE_0": "99", "GIT_NAMESPACE": "x",
        "GIT_CEILING_DIRECTORIES": home.parent, "GIT_DEFAULT_HASH": "sha256",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, str(value))
    with opened(way, git) as store:
        assert store.head_ref() == b"refs/heads/main"
        assert store.read(mine) == ("blob", b"mine")
        assert store.header(foreign) is None


@pytest.mark.parametrize("way", ON_DISK)
def test_a_worktree_has_its_own_head_and_shares_the_rest(home: Path, way: str) -> None:
    main, first = clone_with_commit(home)
    work = Git(home.parent / "work", home)
    main.raw("worktree", "add", "-q", "-b", "side", work.cwd)
    work.raw("commit", "-q", "--allow-empty", "-m", "two")
    second = work.out("rev-parse", "HEAD")
    work.raw("update-ref", "refs/worktree/mine", first)
    main.raw("pack-refs", "--all")
    for place in (work.cwd, work.cwd / ".git", Path(work.out("rev-parse", "--absolute-git-dir"))):
        with opened(way, Git(place, home)) as store:
            assert store.head_ref() == b"refs/heads/side"
            assert store.ref(b"HEAD") == bytes.fromhex(second)
            assert store.ref(b"refs/heads/main") == bytes.fromhex(first)
            assert store.ref(b"refs/worktree/mine") == bytes.fromhex(first)
            assert store.read(bytes.fromhex(second))[0] == "commit"
    for place in (main.cwd, main.cwd / ".git"):
        with opened(way, Git(place, home)) as store:
            assert store.head_ref() == b"refs/heads/main"
            assert store.ref(b"refs/heads/side") == bytes.fromhex(second)
            assert store.ref(b"refs/worktree/mine") is None


@pytest.mark.parametrize("way", ON_DISK)
def test_a_submodule_is_opened_by_its_link(home: Path, way: str) -> None:
    inner, first = clone_with_commit(home)
    outer = home.parent / "outer"
    Git(home, home).raw("init", "-q", outer)
    git = Git(outer, home)
    git.raw("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.cwd, "sub")
    for place in (outer / "sub", outer / "sub/.git"):
        with opened(way, Git(place, home)) as store:
            assert store.ref(b"HEAD") == bytes.fromhex(first)
