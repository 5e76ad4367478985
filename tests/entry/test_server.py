"""The hooks of a server as processes: which repository, policy, deadline and mode they judge by, and what follows."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.hostile.kit import ZERO, run_hook, update
from tests.support.lab import HONEST_FIX, WEAKENED_TEST, Lab, policy

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """One repository for all; each test writes the policy that it needs."""
    made = Lab(tmp_path_factory.mktemp("lab"))
    made.install("pre-receive", "update")
    return made


def test_the_repository_is_where_git_says(lab: Lab) -> None:
    lab.write_policy(policy())
    fix, weak = update(lab.commit(HONEST_FIX)), update(lab.commit(WEAKENED_TEST))
    for env in ({"GIT_DIR": "."}, {"GIT_DIR": str(lab.bare)}, {"GIT_DIR": f"{lab.bare}/objects/.."}):
        assert run_hook(lab, fix, env=env).code == 0
        assert run_hook(lab, weak, env=env).code == 1


def test_no_policy_is_the_strictest_one(lab: Lab) -> None:
    (lab.bare / "gatekeeper/policy.toml").unlink()
    assert run_hook(lab, update(lab.commit(HONEST_FIX))).code == 0
    ended = run_hook(lab, update(lab.commit(HONEST_FIX), "refs/heads/topic"), actor="alice")
    assert ended.code == 1
    assert "none: nobody" in ended.said
    assert "GK201" in ended.said


def test_observing_says_everything_and_refuses_nothing(lab: Lab) -> None:
    lab.write_policy(policy().replace('"enforce"', '"observe"'))
    ended = run_hook(lab, update(lab.commit(WEAKENED_TEST)))
    assert ended.code == 0
    assert "GK101" in ended.said
    assert "observe only, would be refused" in ended.said
    assert run_hook(lab, update("1" * 40)).code == 0
    assert run_hook(lab, b"garbage\n").code == 3


def test_the_deadline_is_the_policy_s(lab: Lab) -> None:
    many = b"".join(update(str(lab.base), f"refs/heads/agent/{number}") for number in range(30_000))
    lab.write_policy(policy(more="deadline = 1"))
    assert "no verdict within 1 s" in run_hook(lab, many).said
    lab.write_policy(policy(more="deadline = 2"))
    assert "no verdict within 2 s" in run_hook(lab, many).said


def test_the_update_hook_judges_its_own_ref(lab: Lab) -> None:
    lab.write_policy(policy())
    for ref, changes, code in (
        ("refs/heads/agent/x", HONEST_FIX, 0),
        ("refs/heads/agent/x", WEAKENED_TEST, 1),
        ("refs/heads/agent/x", {"contracts/properties.toml": b""}, 2),
        ("refs/heads/topic", HONEST_FIX, 1),
    ):
        assert run_hook(lab, b"", ref, ZERO, lab.commit(changes), hook="update").code == code
    assert run_hook(lab, b"", "refs/heads/agent/x", ZERO, "1" * 40, hook="update").code == 3


@pytest.mark.parametrize("size", [1, 1_000])
def test_the_chained_hook_gets_the_same_input(lab: Lab, tmp_path: Path, size: int) -> None:
    lab.write_policy(policy())
    stdin = b"".join(update(str(lab.base), f"refs/tags/{number:>060}".replace(" ", "0")) for number in range(size))
    chained = lab.bare / "hooks/pre-receive.chained"
    chained.write_text(f'#!/bin/sh\ncat >"{tmp_path}/stdin"; echo "$#" >"{tmp_path}/count"; pwd >"{tmp_path}/pwd"\n')
    chained.chmod(0o755)
    try:
        assert run_hook(lab, stdin, actor="alice").code == 0
    finally:
        chained.unlink()
    assert (tmp_path / "stdin").read_bytes() == stdin
    assert (tmp_path / "count").read_text() == "0\n"
    assert os.path.samefile((tmp_path / "pwd").read_text().strip(), lab.bare)


def test_the_chained_update_hook_gets_the_same_arguments(lab: Lab, tmp_path: Path) -> None:
    lab.write_policy(policy())
    chained = lab.bare / "hooks/update.chained"
    chained.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >"{tmp_path}/arguments"\nexit 5\n')
    chained.chmod(0o755)
    fix = lab.commit(HONEST_FIX)
    try:
        ended = run_hook(lab, b"", "refs/heads/agent/x", ZERO, fix, hook="update")
    finally:
        chained.unlink()
    assert ended.code == 5
    assert "held, but hooks/update.chained ended with code 5" in ended.said
    assert (tmp_path / "arguments").read_text() == f"refs/heads/agent/x\n{ZERO}\n{fix}\n"


@pytest.mark.parametrize("kind", ["absent", "not executable", "directory"])
def test_what_git_would_not_run_is_not_chained(lab: Lab, kind: str) -> None:
    lab.write_policy(policy())
    chained = lab.bare / "hooks/pre-receive.chained"
    if kind == "directory":
        chained.mkdir()
    elif kind == "not executable":
        chained.write_text("#!/bin/sh\nexit 1\n")
    try:
        assert run_hook(lab, update(lab.commit(HONEST_FIX))).code == 0
    finally:
        if kind == "directory":
            chained.rmdir()
        chained.unlink(missing_ok=True)


@pytest.mark.parametrize("text", ["#!/nowhere/interpreter\n", "#!/bin/sh/sh\n"])
def test_a_chained_hook_that_cannot_start_is_no_verdict(lab: Lab, text: str) -> None:
    lab.write_policy(policy())
    chained = lab.bare / "hooks/pre-receive.chained"
    chained.write_text(text)
    chained.chmod(0o755)
    try:
        ended = run_hook(lab, update(lab.commit(HONEST_FIX)))
    finally:
        chained.unlink()
    assert ended.code == 3
    assert "cannot be run" in ended.said
