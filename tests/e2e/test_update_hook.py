"""The update hook: one ref at a time, for hosts that offer no pre-receive."""

from __future__ import annotations

import subprocess

import pytest

from tests.support.git import hermetic_env
from tests.support.lab import HONEST_FIX, WEAKENED_TEST, Lab

MAIN = "refs/heads/main"
ZERO = "0" * 40


@pytest.fixture
def updated(lab: Lab) -> Lab:
    """A lab whose server has the update hook only."""
    (lab.bare / "hooks/pre-receive").unlink()
    lab.install("update")
    return lab


def call(lab: Lab, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Call the hook as something other than git might."""
    command = [str(lab.bare / "hooks/update"), *arguments]
    env = hermetic_env(lab.home, GIT_DIR=".")
    return subprocess.run(command, cwd=lab.bare, env=env, capture_output=True, text=True, check=False)


def test_it_refuses_its_own_ref_and_no_other(updated: Lab) -> None:
    fix, weak = updated.commit(HONEST_FIX), updated.commit(WEAKENED_TEST)
    pushed = updated.push(f"{fix}:refs/heads/agent/a", f"{weak}:refs/heads/agent/b", f"{fix}:refs/heads/agent/c")
    assert not pushed.accepted
    assert pushed.codes == {"GK101"}
    assert set(updated.refs()) == {MAIN, "refs/heads/agent/a", "refs/heads/agent/c"}
    assert "hook declined" in pushed.result.stderr


def test_it_gives_the_words_that_pre_receive_gives(lab: Lab) -> None:
    weak = lab.commit({**WEAKENED_TEST, "README.md": b"", "contracts/properties.toml": b""})
    first = lab.push(f"{weak}:refs/heads/agent/a")
    (lab.bare / "hooks/pre-receive").unlink()
    lab.install("update")
    second = lab.push(f"{weak}:refs/heads/agent/a")
    ours = [line for line in second.remote if not line.startswith("error: hook declined")]
    assert ours == list(first.remote)
    assert second.exit == first.exit == 2


def test_people_deletions_and_tags(updated: Lab) -> None:
    fix = updated.commit(HONEST_FIX)
    updated.git("tag", "-a", "-m", "One", "v1", fix)
    assert updated.push(f"{fix}:{MAIN}", "v1", actor="alice").accepted
    assert updated.push("--delete", "v1", actor="bot").codes == {"GK202"}
    assert updated.push(f"{fix}:refs/tags/v2", actor="bot").codes == {"GK201"}
    assert updated.push("--delete", "v1", actor="alice").accepted
    assert updated.push(f"{fix}:refs/notes/x", actor="alice").codes == {"GK205"}


def test_an_agents_push_before_there_is_a_trusted_branch(updated: Lab) -> None:
    updated.server.out("symbolic-ref", "HEAD", "refs/heads/none")
    pushed = updated.push(f"{updated.commit(HONEST_FIX)}:refs/heads/agent/a")
    assert pushed.codes == {"GK008"}
    assert pushed.exit == 3


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        (MAIN,),
        (MAIN, ZERO),
        (MAIN, ZERO, ZERO, "more"),
        (MAIN, ZERO, "nonsense"),
        (MAIN, ZERO, ""),
        (MAIN, "0" * 64, ZERO),
        (MAIN, ZERO, "A" * 40),
        ("", ZERO, ZERO),
    ],
)
def test_arguments_that_git_never_gives_are_no_verdict(updated: Lab, arguments: tuple[str, ...]) -> None:
    done = call(updated, *arguments)
    assert done.returncode == 3
    assert "githooks(5)" in done.stderr


def test_an_object_that_is_not_there_is_no_verdict(updated: Lab) -> None:
    done = call(updated, "refs/heads/agent/a", ZERO, "1" * 40)
    assert done.returncode == 3
    assert "GK006" in done.stderr


def test_a_chained_hook_gets_the_arguments_and_the_last_word(updated: Lab) -> None:
    chained = updated.bare / "hooks/update.chained"
    chained.write_text('#!/bin/sh\necho "$@" >> seen\ntest "$1" != refs/heads/agent/b\n')
    chained.chmod(0o755)
    fix, weak = updated.commit(HONEST_FIX), updated.commit(WEAKENED_TEST)
    refs = [f"{fix}:refs/heads/agent/a", f"{fix}:refs/heads/agent/b", f"{weak}:refs/heads/agent/c"]
    assert not updated.push(*refs).accepted
    assert set(updated.refs()) == {MAIN, "refs/heads/agent/a"}
    seen = (updated.bare / "seen").read_text().splitlines()
    assert seen == [f"refs/heads/agent/{name} {ZERO} {fix}" for name in "ab"]
