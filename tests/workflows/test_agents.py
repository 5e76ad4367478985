"""An agent at its own branch: it rebases, forces, merges, deletes and goes on, and nobody is in its way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.git import Git
from tests.support.lab import HONEST_FIX, SEED_FILES, WEAKENED_TEST
from tests.workflows.kit import (
    MAIN,
    MINE,
    STRICTER,
    accepted,
    assert_only,
    commit,
    move_main,
    push,
    record,
    refused,
    write,
)

if TYPE_CHECKING:
    from tests.support.lab import Lab

FIXED = HONEST_FIX["src/encoder.py"]
SOURCE_ONLY = {"src/cache.py": SEED_FILES["src/cache.py"].replace(b"A cache", b"The cache")}


def test_an_agent_rebases_and_forces_its_own_branch(lab: Lab) -> None:
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, HONEST_FIX, "Fix it")
    accepted(push(lab))
    move_main(lab, STRICTER)
    lab.git("fetch", "--quiet", "origin")
    lab.git("rebase", "--quiet", "origin/main")
    assert not lab.push("HEAD:" + MINE, url="origin").accepted, "git itself refuses this without --force"
    accepted(push(lab, "--force-with-lease"))
    lab.git("commit", "--quiet", "--amend", "-m", "Fix the limit")
    accepted(push(lab, "--force"))
    assert_only(lab, MINE, HONEST_FIX)
    accepted(lab.push("--delete", MINE, url="origin"))
    assert lab.tip(MINE) is None


def test_an_agent_goes_on_where_it_stopped(lab: Lab) -> None:
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, HONEST_FIX)
    accepted(push(lab))
    commit(lab, {"src/helper.py": b""})
    accepted(push(lab))
    commit(lab, {"src/helper.py": None, "src/deep/er/module.py": b""})
    accepted(push(lab))
    # what was accepted before gives a later commit no rights
    commit(lab, WEAKENED_TEST)
    refused(push(lab), "GK101")
    assert_only(lab, MINE, {**HONEST_FIX, "src/deep/er/module.py": b""})


def test_a_trusted_branch_that_moves_in_source_alone_makes_nothing_stale(lab: Lab) -> None:
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, HONEST_FIX)
    move_main(lab, SOURCE_ONLY)
    accepted(push(lab))


def test_a_merge_of_the_trusted_branch_brings_a_stale_one_up_to_date(lab: Lab) -> None:
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, HONEST_FIX)
    accepted(push(lab))
    move_main(lab, {**STRICTER, "tests/test_encoder.py": b"def test_new() -> None:\n    assert [1]\n"})
    commit(lab, {"src/helper.py": b""})
    refused(push(lab), "GK003")
    lab.git("fetch", "--quiet", "origin")
    lab.git("merge", "--quiet", "--no-edit", "origin/main")
    accepted(push(lab))
    assert_only(lab, MINE, {**HONEST_FIX, "src/helper.py": b""})


def test_a_conflict_resolved_in_source_is_no_evil_merge(lab: Lab) -> None:
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, HONEST_FIX)
    move_main(lab, {**STRICTER, "src/encoder.py": FIXED + b"\n# rewritten by a person\n"})
    lab.git("fetch", "--quiet", "origin")
    lab.git("merge", "--quiet", "--no-commit", "-s", "ours", "origin/main")
    lab.git("restore", "--source=origin/main", "--staged", "--worktree", "tests")
    write(lab.work, {"src/encoder.py": FIXED + b"\n# both\n"})
    record(lab, "Merge main")
    accepted(push(lab))
    assert_only(lab, MINE, {"src/encoder.py": FIXED + b"\n# both\n"})


def test_two_agents_build_on_each_other(lab: Lab) -> None:
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, HONEST_FIX)
    accepted(push(lab, actor="bot"))
    lab.git("checkout", "--quiet", "-b", "other", "main")
    commit(lab, SOURCE_ONLY)
    lab.git("merge", "--quiet", "--no-edit", "fix")
    accepted(push(lab, ref="refs/heads/agent/other", actor="second-bot"))
    accepted(push(lab, ref=MINE, actor="second-bot"))


def test_a_clone_of_its_own_with_a_push_default_of_its_own(lab: Lab) -> None:
    """What an agent in a fresh sandbox types: clone, switch, commit, push -u."""
    here = lab.home.parent / "sandbox"
    Git(lab.home, lab.home).out("clone", "--quiet", lab.bare, here)
    sandbox = Git(here, lab.home, {"GATEKEEPER_ACTOR": "bot"})
    sandbox.out("switch", "--quiet", "-c", "agent/fix-12")
    write(here, HONEST_FIX)
    sandbox.out("commit", "--quiet", "-am", "Fix the limit")
    sandbox.out("push", "--quiet", "-u", "origin", "HEAD")
    assert_only(lab, "refs/heads/agent/fix-12", HONEST_FIX)
    assert lab.tip() == lab.base


def test_a_branch_without_a_commit_of_its_own(lab: Lab) -> None:
    lab.git("checkout", "--quiet", "-b", "fix")
    accepted(push(lab))
    assert lab.tip(MINE) == lab.base


def test_several_branches_in_one_push(lab: Lab) -> None:
    clean, other, dirty = lab.commit(HONEST_FIX), lab.commit(SOURCE_ONLY), lab.commit(WEAKENED_TEST)
    refs = [f"refs/heads/agent/{n}" for n in range(3)]
    answer = refused(lab.push(*map("{}:{}".format, (clean, dirty, other), refs)), "GK101")
    assert any("2 refs of this push would pass" in line for line in answer.remote), answer.remote
    assert set(lab.refs()) == {MAIN}
    many = [f"{dirty}:refs/heads/agent/dirty-{n}" for n in range(30)]
    answer = refused(lab.push(*many), "GK101")
    assert any("more refs refused" in line for line in answer.remote), answer.remote
    accepted(lab.push(*(f"{clean}:refs/heads/agent/clean-{n}" for n in range(30))))


def test_the_worst_that_one_push_can_be_is_told_in_twenty_lines(lab: Lab) -> None:
    """Closed refs with endless names, stale and tampered, with long paths: verdict, reason and advice stay."""
    old = lab.commit({**WEAKENED_TEST, **{f"docs/{'long-' * 30}{n}/x.md": b"" for n in range(9)}}, "Do [skip ci]")
    move_main(lab, STRICTER)
    for count in (1, 2, 3, 4, 9):
        refs = [f"{old}:refs/heads/{'name-' * 30}{n}" for n in range(count)]
        answer = lab.push(*refs)
        refused(answer, *(answer.codes | {"GK201"}))
