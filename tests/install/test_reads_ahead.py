"""The hook that reads the trusted branch ahead, and the directory that it keeps what it has read in."""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from typing import TYPE_CHECKING

import pytest

from gatekeeper.source.cache import Cache
from gatekeeper.source.facts.module import facts
from tests.install.kit import POWERLESS, World, agent_commit, push
from tests.install.test_install import WHO

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.git import Git

API = b"def encode(text, strict=False): ...\n"
MOVED = b"def encode(text): ...\n"
OLD = "#!/bin/sh\necho the old hook ran >&2\n"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def born(world: World, *options: str) -> tuple[Path, Git]:
    """A bare repository whose trusted branch has an API, and a clone of it; no gate yet."""
    bare = world.bare("project.git", *options)
    clone = world.clone_of(bare)
    (clone.cwd / "src/codec.py").write_bytes(API)
    clone.out("add", "--all")
    clone.out("commit", "--quiet", "--amend", "--no-edit")
    assert push(clone, "main", "alice").returncode == 0
    return bare, clone


def entries(bare: Path) -> set[str]:
    return {path.name for path in (bare / "gatekeeper/cache/surface").rglob("*-*")}


def holds(bare: Path, blob: str) -> bool:
    return any(name.startswith(blob) for name in entries(bare))


def blob_of(git: Git, revision: str) -> str:
    return git.out("rev-parse", revision)


def refused(clone: Git, name: str) -> None:
    """A push that moves the API is refused for that, whatever became of the cache; one that does not move it passes."""
    agent_commit(clone, "src/codec.py", MOVED + f"# {name}\n".encode())
    pushed = push(clone, f"work:refs/heads/agent/{name}")
    assert pushed.returncode == 1
    assert pushed.codes == {"GK301"}, pushed.stderr
    agent_commit(clone, "src/codec.py", API + f"# {name}\n".encode())
    pushed = push(clone, f"work:refs/heads/agent/{name}-fine")
    assert pushed.returncode == 0, pushed.stderr


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_an_installation_warms_the_cache(world: World, form: str) -> None:
    bare, clone = born(world, f"--object-format={form}")
    ran = world.install(bare, *WHO)
    assert "cache   warm: refs/heads/main read ahead" in ran.out
    assert f"ahead   {bare}/hooks/post-receive: installed" in ran.out
    assert holds(bare, blob_of(clone, "main:src/codec.py"))
    refused(clone, "warm")
    assert "ahead   " in world.install(bare, *WHO).out


def test_an_empty_repository_has_nothing_to_read(world: World) -> None:
    assert "cache   cold: no trusted branch yet" in world.install(world.bare(), *WHO).out


@pytest.mark.parametrize("umask", ["0", "077"])
def test_nobody_else_can_write_it(world: World, umask: str) -> None:
    bare, clone = born(world)
    ran = world.run(
        "sh", "-c", f'umask {umask}; exec "$@"', "sh", sys.executable, "-m", "gatekeeper", "install", bare, *WHO
    )
    assert ran.code == 0, ran.all
    refused(clone, "mode")
    found = [path.lstat().st_mode for path in (bare / "gatekeeper").rglob("*")]
    assert len(found) > 3
    assert not any(mode & (stat.S_IWGRP | stat.S_IWOTH) for mode in found)


def test_the_hook_that_was_there_still_runs_and_comes_back(world: World) -> None:
    bare, clone = born(world)
    hook = world.hook(bare / "hooks/post-receive", OLD)
    ran = world.install(bare, *WHO)
    assert "post-receive.chained and runs after" in ran.out
    agent_commit(clone, "src/_new.py")
    pushed = push(clone, "work:refs/heads/agent/x")
    assert "the old hook ran" in pushed.remote
    for path in (bare / "hooks/post-receive", bare / "hooks/post-receive.chained"):
        assert path.stat().st_mode & 0o111
    assert world.gatekeeper("uninstall", bare).code == 0
    assert hook.read_text() == OLD
    assert {path.name for path in (bare / "hooks").iterdir()} == {"post-receive"}
    assert not (bare / "gatekeeper").exists()


def test_two_hooks_to_chain_change_nothing(world: World) -> None:
    bare = world.bare()
    world.hook(bare / "hooks/post-receive", OLD)
    world.hook(bare / "hooks/post-receive.chained", OLD)
    ran = world.gatekeeper("install", bare, *WHO)
    assert ran.code == 3
    assert "two hooks to chain" in ran.err
    assert sorted(path.name for path in (bare / "hooks").iterdir()) == ["post-receive", "post-receive.chained"]
    assert not (bare / "gatekeeper").exists()


def test_what_a_push_brings_to_the_trusted_branch_is_read(world: World) -> None:
    bare, clone = born(world)
    world.install(bare, *WHO)
    agent_commit(clone, "src/codec.py", MOVED)
    assert push(clone, "work:main", "alice").returncode == 0
    wanted = blob_of(clone, "work:src/codec.py")
    for _ in range(1200):
        if holds(bare, wanted):
            return
        time.sleep(0.05)
    raise AssertionError(sorted(entries(bare)))


def deleted(bare: Path) -> None:
    for path in (bare / "gatekeeper/cache/surface").rglob("*-*"):
        path.unlink()


def garbage(bare: Path) -> None:
    for path in (bare / "gatekeeper/cache/surface").rglob("*-*"):
        path.write_bytes(b"garbage")


def torn(bare: Path) -> None:
    for path in (bare / "gatekeeper/cache/surface").rglob("*-*"):
        path.write_bytes(path.read_bytes()[:-3])


def swapped(bare: Path) -> None:
    paths = sorted((bare / "gatekeeper/cache/surface").rglob("*-*"))
    data = [path.read_bytes() for path in paths]
    for path, other in zip(paths, reversed(data), strict=True):
        path.write_bytes(other)


def a_file(bare: Path) -> None:
    (bare / "gatekeeper/cache").rename(bare / "gatekeeper/away")
    (bare / "gatekeeper/cache").write_bytes(b"")


def fifos(bare: Path) -> None:
    for path in (bare / "gatekeeper/cache/surface").rglob("*-*"):
        path.unlink()
        os.mkfifo(path)


@pytest.mark.parametrize("damage", [deleted, garbage, torn, swapped, a_file, fifos])
def test_a_damaged_cache_changes_no_verdict(world: World, damage: Callable[[Path], None]) -> None:
    bare, clone = born(world)
    world.install(bare, *WHO)
    damage(bare)
    refused(clone, "damaged")


def test_a_cache_that_cannot_be_written_changes_no_verdict(world: World) -> None:
    bare, clone = born(world)
    world.install(bare, *WHO)
    deleted(bare)
    folders = [path for path in (bare / "gatekeeper").rglob("*") if path.is_dir()]
    for path in folders:
        path.chmod(0o555)
    agent_commit(clone, "src/codec.py", MOVED)
    try:
        command = [*POWERLESS, "git", "-C", clone.cwd, "push", "origin", "work:refs/heads/agent/x"]
        ran = world.run(*command, env=world.env(GATEKEEPER_ACTOR="bot"))
    finally:
        for path in folders:
            path.chmod(0o755)
    assert "GK301" in ran.err
    assert not entries(bare)


def poison(bare: Path, blob: str) -> None:
    """Make what is kept of the trusted source claim another API."""
    folder = bare / "gatekeeper/cache/surface"
    (path,) = [path for path in folder.rglob("*-*") if path.name.startswith(blob)]
    value = json.dumps(facts("codec", False, False, MOVED)).encode()
    Cache(os.fsencode(folder)).put(path.name, value)


def open_to_all(bare: Path) -> Path:
    folder = bare / "gatekeeper/cache/surface"
    folder.chmod(0o777)
    return folder


def all_open_to_all(bare: Path) -> Path:
    folder = bare / "gatekeeper/cache"
    folder.chmod(0o777)
    return folder


def linked(bare: Path) -> Path:
    folder = bare / "gatekeeper/cache"
    folder.rename(bare.parent / "elsewhere")
    folder.symlink_to(bare.parent / "elsewhere")
    return folder


@pytest.mark.parametrize("expose", [open_to_all, all_open_to_all, linked])
def test_what_others_could_have_written_is_not_believed(world: World, expose: Callable[[Path], Path]) -> None:
    bare, clone = born(world)
    world.install(bare, *WHO)
    poison(bare, blob_of(clone, "main:src/codec.py"))
    agent_commit(clone, "src/codec.py", MOVED)
    assert push(clone, "work:refs/heads/agent/believed").returncode == 0  # it would be, where only we can write
    folder = expose(bare)
    before = {path: path.read_bytes() for path in sorted(folder.rglob("*-*"))}
    refused(clone, "exposed")
    assert {path: path.read_bytes() for path in sorted(folder.rglob("*-*"))} == before
    ran = world.gatekeeper("doctor", bare)
    assert ran.code == 0, ran.all
    assert f"warn  cache        {folder} is a link, or others can write it" in ran.out
    assert world.gatekeeper("uninstall", bare).code == 0
    assert not (bare / "gatekeeper").exists()
    assert (bare.parent / "elsewhere").exists() == (expose is linked)


def gone(hook: Path) -> None:
    hook.unlink()


def foreign(hook: Path) -> None:
    hook.write_text(OLD)


def not_executable(hook: Path) -> None:
    hook.chmod(0o644)


def broken(hook: Path) -> None:
    hook.write_text(hook.read_text().replace("from gatekeeper.entry.post_receive", "from gatekeeper.entry.nothing"))


@pytest.mark.parametrize("damage", [gone, foreign, not_executable, broken])
def test_doctor_tells_when_nothing_is_read_ahead(world: World, damage: Callable[[Path], None]) -> None:
    bare, _ = born(world)
    world.install(bare, *WHO)
    sound = world.gatekeeper("doctor", bare)
    assert f"ok    ahead        {bare}/hooks/post-receive reads the trusted branch" in sound.out
    assert "ok    cache        " in sound.out
    assert "entries, " in sound.out
    damage(bare / "hooks/post-receive")
    ran = world.gatekeeper("doctor", bare)
    assert ran.code == 0, ran.all  # no verdict depends on it
    assert "warn  ahead        " in ran.out
    assert "the cache stays cold" in ran.out
