"""``gatekeeper install`` and ``uninstall`` on bare repositories, as a person runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tomllib
from typing import TYPE_CHECKING

import pytest

from tests.install.kit import agent_commit, push, snapshot

if TYPE_CHECKING:
    from pathlib import Path

    from tests.install.kit import World

WHO = ("--identity", "ssh", "--humans", "alice,bob")


def policy_of(bare: Path) -> dict[str, object]:
    return tomllib.loads((bare / "gatekeeper/policy.toml").read_text())


def test_a_fresh_repository_is_guarded(world: World) -> None:
    bare = world.bare()
    ran = world.install(bare, *WHO)
    hook = bare / "hooks/pre-receive"
    assert hook.stat().st_mode & 0o7777 == 0o755
    assert policy_of(bare) == {
        "version": 1,
        "mode": "enforce",
        "identity": {"source": "ssh"},
        "lanes": {"human": ["alice", "bob"]},
    }
    assert "OBSERVE" not in ran.out
    assert f"uninstall {bare}" in ran.out
    assert "serve NAME" in ran.out
    assert "canary  an agent's push of a contract file was refused (GK" in ran.out
    clone = world.clone_of(bare)
    assert push(clone, "main", "alice").returncode == 0
    honest = agent_commit(clone, "src/_other.py")
    assert push(clone, f"{honest}:refs/heads/agent/honest").returncode == 0
    cheat = agent_commit(clone, "tests/test_pkg.py")
    refused = push(clone, f"{cheat}:refs/heads/agent/cheat")
    assert refused.returncode != 0
    assert "GK101" in refused.codes


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_uninstall_leaves_the_repository_as_it_was(world: World, object_format: str) -> None:
    bare = world.bare("project.git", f"--object-format={object_format}")
    before = snapshot(bare)
    world.install(bare, *WHO)
    clone = world.clone_of(bare)
    # A push makes the hook write its caches, which must go too; this one is refused and leaves no ref.
    assert push(clone, "main:refs/heads/agent/x").returncode != 0
    assert world.gatekeeper("uninstall", bare).code == 0
    assert snapshot(bare) == before


def test_uninstall_of_nothing_is_no_error(world: World) -> None:
    bare = world.bare()
    before = snapshot(bare)
    ran = world.gatekeeper("uninstall", bare)
    assert ran.code == 0
    assert "there was no hook" in ran.out
    assert snapshot(bare) == before


CHAINED = '#!/bin/sh\nprintf "chained saw: " >&2\ncat >&2\necho "args: $#" >&2\nexit "$(cat exit-code)"\n'


def test_an_existing_hook_runs_after_a_pass_with_the_same_input(world: World) -> None:
    bare = world.bare()
    old = world.hook(bare / "hooks/pre-receive", CHAINED)
    (bare / "exit-code").write_text("0")
    ran = world.install(bare, *WHO)
    assert "pre-receive.chained" in ran.out
    assert old.with_name("pre-receive.chained").read_text() == CHAINED
    clone = world.clone_of(bare)
    tip = clone.out("rev-parse", "main")
    accepted = push(clone, "main", "alice")
    assert accepted.returncode == 0, accepted.stderr
    assert f"chained saw: {'0' * 40} {tip} refs/heads/main" in accepted.remote
    assert "args: 0" in accepted.remote


def test_the_chained_hook_can_still_refuse(world: World) -> None:
    bare = world.bare()
    world.hook(bare / "hooks/pre-receive", CHAINED)
    (bare / "exit-code").write_text("7")
    world.install(bare, *WHO)
    clone = world.clone_of(bare)
    refused = push(clone, "main", "alice")
    assert refused.returncode != 0
    assert any("chained saw" in line for line in refused.remote)


def test_the_chained_hook_does_not_run_after_a_refusal(world: World) -> None:
    bare = world.bare()
    world.hook(bare / "hooks/pre-receive", CHAINED)
    (bare / "exit-code").write_text("0")
    world.install(bare, *WHO)
    clone = world.clone_of(bare)
    assert push(clone, "main", "alice").returncode == 0
    refused = push(clone, f"{agent_commit(clone, 'conftest.py')}:refs/heads/agent/x")
    assert refused.returncode != 0
    assert not any("chained saw" in line for line in refused.remote)


def test_a_hook_that_git_would_not_run_is_kept_and_not_run(world: World) -> None:
    bare = world.bare()
    world.hook(bare / "hooks/pre-receive", CHAINED, mode=0o644)
    before = snapshot(bare)
    ran = world.install(bare, *WHO)
    assert "not executable" in ran.out
    accepted = push(world.clone_of(bare), "main", "alice")
    assert accepted.returncode == 0
    assert not any("chained saw" in line for line in accepted.remote)
    world.run("git", f"--git-dir={bare}", "update-ref", "-d", "refs/heads/main")
    assert world.gatekeeper("uninstall", bare).code == 0
    after = snapshot(bare)
    assert after["hooks/pre-receive"] == before["hooks/pre-receive"]
    assert "hooks/pre-receive.chained" not in after


def test_a_linked_hook_stays_a_link(world: World) -> None:
    bare = world.bare()
    shared = world.hook(world.root / "shared-hook", "#!/bin/sh\necho shared ran >&2\n")
    (bare / "hooks").mkdir()
    (bare / "hooks/pre-receive").symlink_to(shared)
    before = snapshot(bare)
    world.install(bare, *WHO)
    assert shared.read_text() == "#!/bin/sh\necho shared ran >&2\n"
    assert "shared ran" in push(world.clone_of(bare), "main:refs/heads/main", "alice").remote
    world.run("git", f"--git-dir={bare}", "update-ref", "-d", "refs/heads/main")
    world.gatekeeper("uninstall", bare)
    assert snapshot(bare)["hooks/pre-receive"] == before["hooks/pre-receive"]


def test_other_hooks_are_untouched(world: World) -> None:
    bare = world.bare()
    world.hook(bare / "hooks/update", "#!/bin/sh\nexit 0\n")
    world.hook(bare / "hooks/post-update", "#!/bin/sh\nexit 0\n")
    before = snapshot(bare)
    world.install(bare, *WHO)
    after = snapshot(bare)
    assert {path: after[path] for path in before} == before


def test_twice_is_once(world: World) -> None:
    bare = world.bare()
    world.hook(bare / "hooks/pre-receive", CHAINED)
    world.install(bare, *WHO)
    once = snapshot(bare)
    ran = world.install(bare, *WHO)
    assert "unchanged" in ran.out
    assert snapshot(bare) == once
    world.install(bare)
    assert snapshot(bare) == once


def test_an_older_shim_is_upgraded_and_its_mode_mended(world: World) -> None:
    bare = world.bare()
    world.install(bare, *WHO)
    hook = bare / "hooks/pre-receive"
    now = hook.read_bytes()
    hook.write_bytes(now + b"# of an older version\n")
    hook.chmod(0o644)
    assert "upgraded" in world.install(bare).out
    assert hook.read_bytes() == now
    assert hook.stat().st_mode & 0o7777 == 0o755
    assert not (bare / "hooks/pre-receive.chained").exists()


def test_two_hooks_to_chain_are_a_refusal(world: World) -> None:
    bare = world.bare()
    world.hook(bare / "hooks/pre-receive", "#!/bin/sh\n# one\n")
    world.hook(bare / "hooks/pre-receive.chained", "#!/bin/sh\n# two\n")
    before = snapshot(bare)
    ran = world.gatekeeper("install", bare, *WHO)
    assert ran.code == 3
    assert "two hooks to chain" in ran.err
    assert snapshot(bare) == before


def test_an_edited_policy_is_never_overwritten(world: World) -> None:
    bare = world.bare()
    world.install(bare, *WHO)
    path = bare / "gatekeeper/policy.toml"
    path.write_text(path.read_text() + "# ours\n")
    mine = path.read_bytes()
    ran = world.install(bare, "--identity", "http", "--humans", "carol")
    assert "NOT changed" in ran.out
    assert path.read_bytes() == mine
    ran = world.gatekeeper("uninstall", bare)
    assert "left" in ran.out
    assert path.read_bytes() == mine
    assert not (bare / "gatekeeper/install.json").exists()


def test_an_admins_own_policy_is_used_as_it_is(world: World) -> None:
    bare = world.bare()
    path = bare / "gatekeeper/policy.toml"
    path.parent.mkdir()
    path.write_text('version = 1\n[identity]\nsource = "ssh"\n[lanes]\nhuman = ["zoe"]\n')
    mine = path.read_bytes()
    world.install(bare, *WHO)
    assert path.read_bytes() == mine
    clone = world.clone_of(bare)
    assert push(clone, "main", "alice").returncode != 0
    assert push(clone, "main", "zoe").returncode == 0


@pytest.mark.parametrize(
    ("options", "missing"),
    [
        ((), "--identity and --humans"),
        (("--identity", "ssh"), "--humans"),
        (("--humans", "alice"), "--identity"),
        (("--observe", *WHO), ""),
    ],
)
def test_without_a_way_to_the_trusted_branch_it_observes_and_says_so(
    world: World, options: tuple[str, ...], missing: str
) -> None:
    bare = world.bare()
    ran = world.install(bare, *options)
    assert "OBSERVE MODE" in ran.out
    assert "to enforce:" in ran.out
    assert (f"{missing} not given" in ran.out) == bool(missing)
    assert policy_of(bare)["mode"] == "observe"
    clone = world.clone_of(bare)
    assert push(clone, "main", "nobody").returncode == 0
    cheat = push(clone, f"{agent_commit(clone, 'conftest.py')}:refs/heads/agent/x")
    assert cheat.returncode == 0
    assert "GK109" in cheat.codes


def test_an_untouched_policy_follows_the_options_from_observe_to_enforce(world: World) -> None:
    bare = world.bare()
    before = snapshot(bare)
    world.install(bare)
    ran = world.install(bare, *WHO)
    assert "written anew" in ran.out
    assert policy_of(bare)["mode"] == "enforce"
    world.gatekeeper("uninstall", bare)
    assert snapshot(bare) == before


def test_names_are_written_as_they_are(world: World) -> None:
    bare = world.bare()
    world.install(bare, "--identity", "http", "--humans", " zoë@EXAMPLE.ORG , DOM\\bob,zoë@EXAMPLE.ORG ")
    assert policy_of(bare)["lanes"] == {"human": ["zoë@EXAMPLE.ORG", "DOM\\bob"]}


@pytest.mark.parametrize("humans", ["alice,,bob", "two words", 'a"b', "new\nline", "a,"])
def test_what_is_no_name_is_a_refusal(world: World, humans: str) -> None:
    bare = world.bare()
    before = snapshot(bare)
    ran = world.gatekeeper("install", bare, "--identity", "ssh", "--humans", humans)
    assert ran.code == 3
    assert "--humans" in ran.err
    assert snapshot(bare) == before


def test_several_repositories_at_once_or_none(world: World) -> None:
    one, two = world.bare("one.git"), world.bare("two.git")
    before = snapshot(one)
    ran = world.gatekeeper("install", one, world.root / "three.git", *WHO)
    assert ran.code == 3
    assert "three.git does not exist" in ran.err
    assert snapshot(one) == before
    world.install(one, two, *WHO)
    assert (one / "hooks/pre-receive").exists()
    assert (two / "hooks/pre-receive").exists()


def test_a_policy_that_would_refuse_every_push_is_said_now(world: World) -> None:
    bare = world.bare()
    world.hook(bare / "hooks/pre-receive", "#!/bin/sh\nexit 0\n")
    (bare / "gatekeeper").mkdir()
    (bare / "gatekeeper/policy.toml").write_text("version = 99\n")
    before = snapshot(bare)
    ran = world.gatekeeper("install", bare, *WHO)
    assert ran.code == 3
    assert "version" in ran.err
    assert snapshot(bare) == before


def test_the_record_says_what_was_written(world: World) -> None:
    bare = world.bare()
    world.install(bare, *WHO)
    record = json.loads((bare / "gatekeeper/install.json").read_text())
    assert record["made_hooks"] is True
    assert len(record["policies"]) == 1
    (bare / "gatekeeper/install.json").write_text("[]")
    ran = world.gatekeeper("install", bare)
    assert ran.code == 3
    assert "not a record" in ran.err


def test_a_strict_umask_does_not_hide_the_hook(world: World) -> None:
    """Git silently skips a hook that the pushing account cannot reach."""
    bare = world.bare()
    ran = world.run("sh", "-c", 'umask 077; exec "$@"', "sh", sys.executable, "-m", "gatekeeper", "install", bare, *WHO)
    assert ran.code == 0, ran.all
    for path in ("hooks", "hooks/pre-receive", "gatekeeper"):
        assert (bare / path).stat().st_mode & 0o777 == 0o755
    assert (bare / "gatekeeper/policy.toml").stat().st_mode & 0o777 == 0o644


def test_an_upgrade_leaves_a_running_push_alone(world: World) -> None:
    bare = world.bare()
    wait = 'touch running; n=0; while [ ! -e go ] && [ "$n" -lt 600 ]; do sleep 0.1; n=$((n+1)); done; rm go'
    world.hook(bare / "hooks/pre-receive", f"#!/bin/sh\n{wait}\n")
    world.install(bare, *WHO)
    hook = bare / "hooks/pre-receive"
    now = hook.read_bytes()
    hook.write_bytes(now + b"# of an older version\n")
    clone = world.clone_of(bare)
    pushing = subprocess.Popen(
        ["git", "push", "--quiet", "origin", "main"],
        cwd=clone.cwd,
        env=world.env(GATEKEEPER_ACTOR="alice"),
        stderr=subprocess.PIPE,
    )
    while pushing.poll() is None and not (bare / "running").exists():
        time.sleep(0.02)
    assert "upgraded" in world.install(bare).out
    assert hook.read_bytes() == now
    (bare / "go").touch()
    _, said = pushing.communicate(timeout=60)
    assert pushing.returncode == 0, said
    assert not (bare / "go").exists()


def test_a_second_installer_waits_its_turn(world: World) -> None:
    import fcntl

    bare = world.bare()
    handle = os.open(bare, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        ran = world.gatekeeper("install", bare, *WHO)
    finally:
        os.close(handle)
    assert ran.code == 3
    assert "another installation" in ran.err
    world.install(bare, *WHO)
