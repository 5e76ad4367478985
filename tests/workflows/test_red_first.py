"""Red tests first: a person pushes failing tests to a branch, and agents implement them against that branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.lab import HONEST_FIX, Lab, policy
from tests.workflows.kit import MAIN, accepted, commit, follow, push, refused

if TYPE_CHECKING:
    from pathlib import Path

FEATURE, WORK = "refs/heads/feature-x", "refs/heads/agent/feature-x/impl"
RED = {"tests/test_feature.py": b"from src.feature import answer\n\n\ndef test_answer():\n    assert answer() == 42\n"}
GREEN = {"src/feature.py": b"def answer() -> int:\n    return 42\n"}


@pytest.fixture
def red(tmp_path: Path) -> Lab:
    """A lab in which a person has pushed red tests to a feature branch, and the agent has checked it out."""
    rule = f'[[trusted]]\nfor = "refs/heads/agent/feature-x/**"\nbase = "{FEATURE}"'
    lab = Lab(tmp_path, policy=policy(tail=rule))
    accepted(lab.push(f"{lab.commit(RED)}:{FEATURE}", actor="alice"))
    lab.git("fetch", "--quiet", "origin")
    lab.git("checkout", "--quiet", "-b", "impl", "origin/feature-x")
    return lab


def test_an_agent_implements_the_tests_of_a_branch(red: Lab) -> None:
    commit(red, GREEN)
    accepted(push(red, ref=WORK))
    # against main, the same branch would bring a test that main does not have
    refused(push(red, ref="refs/heads/agent/impl"), "GK101")
    red.git("checkout", "--quiet", "-b", "feature-x", "origin/feature-x")
    red.git("merge", "--quiet", "--no-ff", "--no-edit", "impl")
    accepted(red.push("feature-x", url="origin", actor="alice"))
    red.git("checkout", "--quiet", "main")
    red.git("merge", "--quiet", "--no-ff", "--no-edit", "feature-x")
    accepted(red.push("main", url="origin", actor="alice"))
    red.git("checkout", "--quiet", "impl")
    # and once a person has merged both, it does not any more
    red.git("rebase", "--quiet", "main")
    commit(red, HONEST_FIX)
    accepted(push(red, ref="refs/heads/agent/impl"))


def test_the_red_tests_are_as_protected_as_any(red: Lab) -> None:
    commit(red, {**GREEN, "tests/test_feature.py": b""})
    follow(red, refused(push(red, ref=WORK), "GK101"))
    accepted(push(red, ref=WORK))
    assert red.server.out("diff-tree", "-r", "--name-only", FEATURE, WORK) == "src/feature.py"


def test_the_feature_branch_itself_is_closed_to_agents(red: Lab) -> None:
    commit(red, GREEN)
    refused(push(red, ref=FEATURE), "GK201")


def test_a_person_changes_the_red_tests_and_the_agent_follows(red: Lab) -> None:
    commit(red, GREEN)
    accepted(push(red, ref=WORK))
    more = red.commit({"tests/test_feature_2.py": b""}, parent=red.tip(FEATURE))
    accepted(red.push(f"{more}:{FEATURE}", actor="alice"))
    commit(red, HONEST_FIX)
    assert follow(red, refused(push(red, ref=WORK), "GK003")) == f"git fetch origin {FEATURE} && git rebase FETCH_HEAD"
    accepted(push(red, "--force", ref=WORK))


def test_an_agent_on_a_line_whose_branch_does_not_exist_gets_no_verdict(red: Lab) -> None:
    accepted(red.push("--delete", FEATURE, url="origin", actor="alice"))
    commit(red, GREEN)
    refused(push(red, ref=WORK), "GK008", exit=3)
    assert red.tip(MAIN) == red.base
