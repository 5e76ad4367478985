"""``gatekeeper doctor``: every way in which a hook silently does not fire is found."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.install.kit import push, snapshot

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.install.kit import World

WHO = ("--identity", "ssh", "--humans", "alice")


@pytest.fixture(params=["sha1"])
def bare(world: World, request: pytest.FixtureRequest) -> Path:
    """A guarded repository with a trusted branch."""
    path = world.bare("project.git", f"--object-format={request.param}")
    world.install(path, *WHO)
    assert push(world.clone_of(path), "main", "alice").returncode == 0
    return path


def rows(out: str) -> dict[str, str]:
    """Check name -> status, the worst of several."""
    order = ["ok", "warn", "FAIL"]
    found: dict[str, str] = {}
    for line in out.splitlines():
        status, _, rest = line.strip().partition(" ")
        if status in order:
            name = rest.strip().split("  ")[0]
            found[name] = max(found.get(name, "ok"), status, key=order.index)
    return found


@pytest.mark.parametrize("bare", ["sha1", "sha256"], indirect=True)
def test_a_sound_gate(world: World, bare: Path) -> None:
    before = {path: state for path, state in snapshot(bare).items() if "/cache" not in path}
    ran = world.gatekeeper("doctor", bare)
    assert ran.code == 0, ran.all
    assert set(rows(ran.out).values()) == {"ok"}
    assert rows(ran.out).keys() >= {
        "repository",
        "hook",
        "permissions",
        "program",
        "start",
        "policy",
        "identity",
        "trusted ref",
        "canary",
    }
    assert "refused (GK" in ran.out
    assert "the gate stands" in ran.out
    # Nothing of the canary arrives in the real repository.
    assert {path: state for path, state in snapshot(bare).items() if "/cache" not in path} == before


def test_observe_mode_is_said(world: World) -> None:
    bare = world.bare()
    world.install(bare)
    push(world.clone_of(bare), "main")
    ran = world.gatekeeper("doctor", bare)
    assert ran.code == 0, ran.all
    assert rows(ran.out)["policy"] == "warn"
    assert "let through, as observe mode says" in ran.out


def test_an_empty_repository(world: World) -> None:
    bare = world.bare()
    world.install(bare, *WHO)
    ran = world.gatekeeper("doctor", bare)
    assert ran.code == 0, ran.all
    assert rows(ran.out)["trusted ref"] == "warn"
    assert rows(ran.out)["canary"] == "ok"


def no_hook(bare: Path) -> None:
    (bare / "hooks/pre-receive").unlink()


def foreign_hook(bare: Path) -> None:
    (bare / "hooks/pre-receive").write_text("#!/bin/sh\nexit 0\n")


def not_executable(bare: Path) -> None:
    (bare / "hooks/pre-receive").chmod(0o644)


def hooks_path(bare: Path) -> None:
    with (bare / "config").open("a") as file:
        file.write("[core]\n\thooksPath = /nowhere\n")


def switched_off(bare: Path) -> None:
    with (bare / "config").open("a") as file:
        file.write('[hook "pre-receive"]\n\tenabled = false\n')


def falls_through(bare: Path) -> None:
    hook = bare / "hooks/pre-receive"
    text = hook.read_text()
    hook.write_text(text.replace("#!/bin/sh\n", "#!/bin/sh\nexit 0\n", 1))


def no_interpreter(bare: Path) -> None:
    from gatekeeper.installing import shim

    hook = bare / "hooks/pre-receive"
    bound = shim.binding(hook)
    assert bound is not None
    hook.write_text(hook.read_text().replace(bound.python, "/nowhere/python3"))


def no_package(bare: Path) -> None:
    from gatekeeper.installing import shim

    hook = bare / "hooks/pre-receive"
    bound = shim.binding(hook)
    assert bound is not None
    hook.write_text(hook.read_text().replace(os.pathsep.join(bound.sites), "/nowhere"))


def no_policy(bare: Path) -> None:
    (bare / "gatekeeper/policy.toml").unlink()


def bad_policy(bare: Path) -> None:
    (bare / "gatekeeper/policy.toml").write_text("version = 99\n")


def gitea(bare: Path) -> None:
    (bare / "hooks/pre-receive.d").mkdir()
    (bare / "hooks/pre-receive.d/gitea").write_text("")


def unreachable(bare: Path) -> None:
    """The group may push, and its accounts cannot even look into hooks/: git goes on without the gate."""
    for folder in ("refs", "objects"):
        (bare / folder).chmod(0o775)
    (bare / "hooks").chmod(0o700)


def not_executable_for_the_group(bare: Path) -> None:
    for folder in ("refs", "objects"):
        (bare / folder).chmod(0o775)
    (bare / "hooks/pre-receive").chmod(0o744)


@pytest.mark.parametrize(
    ("spoil", "check"),
    [
        (no_hook, "hook"),
        (foreign_hook, "hook"),
        (not_executable, "hook"),
        (not_executable, "canary"),
        (hooks_path, "firing"),
        (hooks_path, "canary"),
        (switched_off, "hook.*"),
        (falls_through, "canary"),
        (no_interpreter, "program"),
        (no_interpreter, "start"),
        (no_package, "program"),
        (no_package, "start"),
        (no_policy, "policy"),
        (bad_policy, "policy"),
        (gitea, "firing"),
        (unreachable, "reach"),
        (not_executable_for_the_group, "reach"),
    ],
)
def test_what_is_wrong_is_named(world: World, bare: Path, spoil: Callable[[Path], None], check: str) -> None:
    spoil(bare)
    ran = world.gatekeeper("doctor", bare)
    assert ran.code == 1, ran.all
    assert rows(ran.out)[check] == "FAIL"
    assert "wrong" in ran.out


def open_hook(bare: Path) -> None:
    (bare / "hooks/pre-receive").chmod(0o777)


def open_policy(bare: Path) -> None:
    (bare / "gatekeeper/policy.toml").chmod(0o666)


def leftover(bare: Path) -> None:
    (bare / "hooks/.pre-receive.abc.tmp").write_text("")


def other_hook(bare: Path) -> None:
    with (bare / "config").open("a") as file:
        file.write('[hook "lint"]\n\tevent = pre-receive\n\tcommand = true\n')


def lost_branch(bare: Path) -> None:
    (bare / "HEAD").write_text("ref: refs/heads/elsewhere\n")


def nobody_is_a_person(bare: Path) -> None:
    policy = bare / "gatekeeper/policy.toml"
    policy.write_text(policy.read_text().replace('human = ["alice"]', "human = []"))


def an_open_program(bare: Path) -> None:
    """The interpreter's directories stay what they are; the shim is told of one that everybody may write."""
    from gatekeeper.installing import shim

    hook = bare / "hooks/pre-receive"
    bound = shim.binding(hook)
    assert bound is not None
    sites = os.pathsep.join(bound.sites)
    (bare.parent / "open").mkdir()
    (bare.parent / "open").chmod(0o777)
    hook.write_text(hook.read_text().replace(sites, f"{sites}{os.pathsep}{bare.parent / 'open'}"))


def dead_chain(bare: Path) -> None:
    (bare / "hooks/pre-receive.chained").write_text("")
    (bare / "hooks/pre-receive.chained").chmod(0o644)


@pytest.mark.parametrize(
    ("spoil", "check"),
    [
        (open_hook, "permissions"),
        (open_policy, "permissions"),
        (leftover, "leftover"),
        (other_hook, "hook.*"),
        (lost_branch, "trusted ref"),
        (nobody_is_a_person, "identity"),
        (an_open_program, "permissions"),
        (dead_chain, "chained"),
    ],
)
def test_what_is_doubtful_is_named(world: World, bare: Path, spoil: Callable[[Path], None], check: str) -> None:
    spoil(bare)
    ran = world.gatekeeper("doctor", bare)
    assert ran.code == 0, ran.all
    assert rows(ran.out)[check] == "warn"


def test_the_chained_hook_does_not_see_the_canary(world: World, bare: Path) -> None:
    mark = world.root / "ran"
    world.hook(bare / "hooks/pre-receive.chained", f"#!/bin/sh\ntouch {mark}.$(basename $PWD)\ncat >/dev/null\n")
    ran = world.gatekeeper("doctor", bare)
    assert ran.code == 0, ran.all
    assert rows(ran.out)["chained"] == "ok"
    assert not list(world.root.glob("ran.server*"))


def test_a_refusal_for_another_reason_is_no_proof(world: World, bare: Path) -> None:
    """A hook that refuses everything refuses the canary too, and is broken all the same."""
    hook = bare / "hooks/pre-receive"
    hook.write_text(hook.read_text().replace("#!/bin/sh\n", '#!/bin/sh\n[ -n "$(cat)" ] && exit 1; exit 0\n', 1))
    ran = world.gatekeeper("doctor", bare)
    assert ran.code == 1
    assert "refused for another reason" in ran.out


def test_what_is_no_bare_repository_cannot_be_examined(world: World) -> None:
    ran = world.gatekeeper("doctor", world.root)
    assert ran.code == 3
    assert "not a git repository" in ran.err


def test_several(world: World, bare: Path) -> None:
    other = world.root / "other.git"
    shutil.copytree(bare, other)
    not_executable(other)
    ran = world.gatekeeper("doctor", bare, other)
    assert ran.code == 1
    assert ran.out.count("refused (GK") == 1
