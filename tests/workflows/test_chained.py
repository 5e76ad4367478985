"""The hook that was there before the gate: it sees what it always saw, and can refuse a push but never save one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.lab import HONEST_FIX, WEAKENED_TEST
from tests.workflows.kit import MAIN, accepted, refused

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.lab import Lab

ZERO = "0" * 40


def chain(lab: Lab, body: str, *, mode: int = 0o755) -> Path:
    """Put a hook where the installer moves the one that it finds; returns the file that it may write to."""
    hook = lab.bare / "hooks/pre-receive.chained"
    hook.write_text(f"#!/bin/sh\n{body}\n")
    hook.chmod(mode)
    return lab.bare / "seen"


def test_it_gets_the_same_input_and_sees_the_quarantined_objects(lab: Lab) -> None:
    fix, other = lab.commit(HONEST_FIX), lab.commit({"src/new.py": b""})
    seen = chain(lab, f'cat > seen; echo "args $#"; git cat-file -t {fix}; pwd -P > where')
    answer = accepted(lab.push(f"{fix}:refs/heads/agent/a", f"{other}:refs/heads/agent/b"))
    lines = [f"{ZERO} {fix} refs/heads/agent/a", f"{ZERO} {other} refs/heads/agent/b"]
    assert sorted(seen.read_text().splitlines()) == lines
    assert "args 0" in answer.remote
    assert "commit" in answer.remote
    assert (lab.bare / "where").read_text().strip() == str(lab.bare.resolve())


def test_it_can_refuse_what_the_gate_passes(lab: Lab) -> None:
    chain(lab, 'echo "not today"; exit 7')
    answer = lab.push(f"{lab.commit(HONEST_FIX)}:refs/heads/agent/a")
    assert not answer.accepted
    assert answer.exit not in (0, None)
    assert "not today" in answer.remote
    assert set(lab.refs()) == {MAIN}


@pytest.mark.parametrize("end", ["exit 0", "exit 3", "kill -9 $$"])
def test_it_never_runs_after_a_refusal(lab: Lab, end: str) -> None:
    seen = chain(lab, f"touch seen; {end}")
    refused(lab.push(f"{lab.commit(WEAKENED_TEST)}:refs/heads/agent/a"), "GK101")
    assert not seen.exists()


def test_one_that_is_killed_refuses(lab: Lab) -> None:
    chain(lab, "kill -9 $$")
    assert not lab.push(f"{lab.commit(HONEST_FIX)}:refs/heads/agent/a").accepted


def test_one_that_cannot_be_run_refuses_and_one_without_the_mode_is_none(lab: Lab) -> None:
    fix = lab.commit(HONEST_FIX)
    hook = lab.bare / "hooks/pre-receive.chained"
    hook.write_text("#!/no/such/interpreter\n")
    hook.chmod(0o755)
    answer = lab.push(f"{fix}:refs/heads/agent/a")
    assert not answer.accepted
    assert "chained hook" in " ".join(answer.remote)
    hook.chmod(0o644)
    accepted(lab.push(f"{fix}:refs/heads/agent/a"))


def test_a_long_list_of_refs_reaches_it_whole(lab: Lab) -> None:
    seen = chain(lab, "cat > seen")
    fix = lab.commit(HONEST_FIX)
    name = "n" * 150
    accepted(lab.push(*(f"{fix}:refs/heads/agent/{name}-{number}" for number in range(400))))
    assert len(seen.read_text().splitlines()) == 400
