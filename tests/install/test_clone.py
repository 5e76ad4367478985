"""``gatekeeper install --clone``: advice before the push."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.install.kit import agent_commit, push, snapshot
from tests.support.git import Git

if TYPE_CHECKING:
    from tests.install.kit import World

POLICY = 'version = 1\n[identity]\nsource = "ssh"\n[lanes]\nhuman = ["alice"]\n'


def guarded_clone(world: World) -> Git:
    """A clone of a repository without the gate, whose main is pushed and known as origin/main."""
    clone = world.clone_of(world.bare())
    assert push(clone, "main").returncode == 0
    clone.out("remote", "set-head", "origin", "main")
    return clone


def test_a_cheating_push_is_advised_against_and_an_honest_one_is_not(world: World) -> None:
    clone = guarded_clone(world)
    ran = world.install("--clone", clone.cwd)
    assert "the server decides" in ran.out
    clone.out("config", "gatekeeper.lane", "agent")
    honest = agent_commit(clone, "src/_other.py")
    accepted = push(clone, f"{honest}:refs/heads/agent/honest")
    assert accepted.returncode == 0, accepted.stderr
    cheat = agent_commit(clone, "tests/test_pkg.py")
    refused = push(clone, f"{cheat}:refs/heads/agent/cheat")
    assert refused.returncode != 0
    assert "GK101" in refused.stderr


def test_uninstall_leaves_the_clone_as_it_was(world: World) -> None:
    clone = guarded_clone(world)
    before = snapshot(clone.cwd)
    published = world.root / "published.toml"
    published.write_text(POLICY)
    world.install("--clone", clone.cwd, "--policy", published)
    assert (clone.cwd / ".git/gatekeeper/policy.toml").read_text() == POLICY
    assert world.gatekeeper("uninstall", "--clone", clone.cwd).code == 0
    assert snapshot(clone.cwd) == before


def test_a_newer_published_policy_replaces_the_older(world: World) -> None:
    clone = guarded_clone(world)
    published = world.root / "published.toml"
    published.write_text(POLICY)
    world.install("--clone", clone.cwd, "--policy", published)
    published.write_text(POLICY.replace("alice", "carol"))
    world.install("--clone", clone.cwd, "--policy", published)
    assert "carol" in (clone.cwd / ".git/gatekeeper/policy.toml").read_text()
    # Without --policy the one that is there stays.
    world.install("--clone", clone.cwd)
    assert "carol" in (clone.cwd / ".git/gatekeeper/policy.toml").read_text()


def test_an_invalid_policy_is_refused(world: World) -> None:
    clone = guarded_clone(world)
    before = snapshot(clone.cwd)
    (world.root / "bad.toml").write_text("version = 1\nmdoe = 'observe'\n")
    ran = world.gatekeeper("install", "--clone", clone.cwd, "--policy", world.root / "bad.toml")
    assert ran.code == 3
    assert "mdoe" in ran.err
    assert snapshot(clone.cwd) == before


def test_an_existing_hook_is_chained(world: World) -> None:
    clone = guarded_clone(world)
    world.hook(clone.cwd / ".git/hooks/pre-push", '#!/bin/sh\necho "chained: $1" >&2\ncat >&2\n')
    world.install("--clone", clone.cwd)
    honest = agent_commit(clone, "src/_other.py")
    accepted = push(clone, f"{honest}:refs/heads/agent/honest")
    assert accepted.returncode == 0, accepted.stderr
    assert "chained: origin" in accepted.stderr
    assert f"{honest} refs/heads/agent/honest {'0' * 40}" in accepted.stderr


def test_a_worktree_shares_its_clones_hooks(world: World) -> None:
    clone = guarded_clone(world)
    clone.out("worktree", "add", "--quiet", "-b", "side", world.root / "side")
    ran = world.install("--clone", world.root / "side")
    assert str(clone.cwd / ".git/hooks/pre-push") in ran.out
    side = Git(world.root / "side", world.home)
    side.out("config", "gatekeeper.lane", "agent")
    refused = push(side, f"{agent_commit(clone, 'tests/test_pkg.py')}:refs/heads/agent/x")
    assert refused.returncode != 0
    assert "GK101" in refused.stderr


@pytest.mark.parametrize("value", [".husky/_", "/srv/hooks"])
def test_hooks_path_elsewhere_is_refused(world: World, value: str) -> None:
    clone = guarded_clone(world)
    clone.out("config", "core.hooksPath", value)
    before = snapshot(clone.cwd)
    ran = world.gatekeeper("install", "--clone", clone.cwd)
    assert ran.code == 3
    assert value in ran.err
    assert "never run" in ran.err
    assert "--unset core.hooksPath" in ran.err
    assert snapshot(clone.cwd) == before


def test_hooks_path_relative_to_the_work_tree(world: World) -> None:
    clone = guarded_clone(world)
    clone.out("config", "core.hooksPath", ".git/hooks")
    world.install("--clone", clone.cwd)


def test_a_bare_repository_is_no_clone(world: World) -> None:
    ran = world.gatekeeper("install", "--clone", world.bare())
    assert ran.code == 3
    assert "bare repository" in ran.err


def test_a_directory_of_a_clone_is_no_clone(world: World) -> None:
    clone = guarded_clone(world)
    ran = world.gatekeeper("install", "--clone", clone.cwd / "src")
    assert ran.code == 3
    assert "not the top of a git clone" in ran.err
