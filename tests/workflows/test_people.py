"""A person's week: merge, squash, revert, backport, release, and set a repository up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.lab import HONEST_FIX, SEED_FILES, WEAKENED_TEST, Lab, policy
from tests.workflows.kit import (
    MAIN,
    MINE,
    STRICTER,
    accepted,
    advice,
    assert_only,
    commit,
    follow,
    move_main,
    push,
    refused,
)

if TYPE_CHECKING:
    from pathlib import Path

RELEASE = "refs/heads/release-1"
STRICT = b"""
[[property]]
id = "stricter"
module = "tests/test_stricter.py"
nodeid = "tests/test_stricter.py::test_stricter"
"""


def alice(lab: Lab, *refspecs: str, force: bool = False) -> None:
    """A person pushes, and it is accepted."""
    accepted(lab.push(*(["--force"] if force else []), *refspecs, url="origin", actor="alice"))


@pytest.fixture
def delivered(lab: Lab) -> Lab:
    """A lab in which an agent's branch was accepted and main has moved on; the person has fetched both."""
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, HONEST_FIX, "Fix the limit")
    accepted(push(lab))
    move_main(lab, STRICTER)
    lab.git("fetch", "--quiet", "origin")
    lab.git("checkout", "--quiet", "-B", "main", "origin/main")
    return lab


def test_a_person_merges_an_agents_branch(delivered: Lab) -> None:
    delivered.git("merge", "--quiet", "--no-ff", "--no-edit", "origin/agent/fix")
    alice(delivered, "main")
    alice(delivered, "--delete", MINE)
    assert len(delivered.server.out("rev-list", "--parents", "-1", MAIN).split()) == 3


def test_a_person_rebases_an_agents_branch_onto_main(delivered: Lab) -> None:
    delivered.git("rebase", "--quiet", "main", "origin/agent/fix")
    alice(delivered, f"HEAD:{MAIN}")


def test_a_person_squashes_an_agents_branch_and_adds_a_test(delivered: Lab) -> None:
    delivered.git("merge", "--quiet", "--squash", "origin/agent/fix")
    commit(
        delivered,
        {"tests/test_limit.py": b"def test_limit() -> None:\n    assert True\n"},
        "Fix the limit, with a test",
    )
    alice(delivered, "main")


def test_a_person_reverts_a_merge_and_a_test(delivered: Lab) -> None:
    delivered.git("merge", "--quiet", "--no-ff", "--no-edit", "origin/agent/fix")
    alice(delivered, "main")
    delivered.git("revert", "--no-edit", "-m", "1", "HEAD")
    alice(delivered, "main")
    delivered.git("revert", "--no-edit", "HEAD~1^1")
    alice(delivered, "main")
    assert delivered.server.out("diff-tree", "-r", "--name-only", str(delivered.base), MAIN) == ""


def test_a_person_backports_an_agents_commit_to_a_release_branch(delivered: Lab) -> None:
    alice(delivered, f"{delivered.base}:{RELEASE}")
    delivered.git("checkout", "--quiet", "-b", "release-1", str(delivered.base))
    delivered.git("cherry-pick", "-x", "origin/agent/fix")
    alice(delivered, "release-1")
    alice(delivered, f"release-1~1:{RELEASE}", force=True)
    assert delivered.tip(RELEASE) == delivered.base


def test_an_agent_backports_itself_where_the_policy_names_the_line(delivered: Lab) -> None:
    alice(delivered, f"{delivered.base}:{RELEASE}")
    delivered.write_policy(policy(tail=f'[[trusted]]\nfor = "refs/heads/agent/release-1/**"\nbase = "{RELEASE}"'))
    delivered.git("checkout", "--quiet", "-b", "back", str(delivered.base))
    delivered.git("cherry-pick", "origin/agent/fix")
    accepted(push(delivered, ref="refs/heads/agent/release-1/fix"))
    # main has a test by now that the release has not: against main the same commit is behind
    refused(push(delivered, ref="refs/heads/agent/back"), "GK003")


def test_contracts_tests_and_code_go_in_one_push(lab: Lab) -> None:
    properties = SEED_FILES["contracts/properties.toml"].replace(b"min_collected = 2", b"min_collected = 3") + STRICT
    together = {
        **HONEST_FIX,
        **STRICTER,
        "contracts/properties.toml": properties,
        ".github/workflows/ci.yml": b"on: push\n",
    }
    commit(lab, together)
    alice(lab, "main")
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, {"src/helper.py": b""})
    accepted(push(lab))


def test_a_person_works_on_branches_of_their_own(lab: Lab) -> None:
    lab.git("checkout", "--quiet", "-b", "wip")
    commit(lab, {**WEAKENED_TEST, "notes.txt": b""}, "Try something [skip ci]")
    alice(lab, "wip")
    lab.git("commit", "--quiet", "--amend", "-m", "Try something else")
    alice(lab, "wip", force=True)
    alice(lab, "--delete", "wip")


def test_a_person_who_pushes_to_an_agents_ref_is_judged_as_one(lab: Lab) -> None:
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, WEAKENED_TEST)
    refused(push(lab, actor="alice"), "GK101")


def test_a_forced_push_to_main_is_noted_and_makes_what_was_built_on_it_fail(lab: Lab) -> None:
    moved = move_main(lab, STRICTER)
    lab.git("fetch", "--quiet", "origin")
    lab.git("checkout", "--quiet", "-b", "fix", moved)
    commit(lab, HONEST_FIX)
    accepted(push(lab))
    answer = accepted(lab.push("--force", f"{lab.base}:{MAIN}", actor="alice"))
    assert answer.codes == {"GK203"}
    assert "held, with warnings" in answer.remote
    commit(lab, {"src/helper.py": b""})
    # the dropped test is not on the trusted branch any more: on this branch it is now an addition of the agent's
    follow(lab, refused(push(lab), "GK101"))
    accepted(push(lab, "--force"))
    assert_only(lab, MINE, {**HONEST_FIX, "src/helper.py": b""})


def test_a_first_push_to_an_empty_repository_by_a_person(tmp_path: Path) -> None:
    lab = Lab(tmp_path, files={})
    first = lab.commit(SEED_FILES, parent=None)
    feature = lab.commit({**STRICTER, **HONEST_FIX}, parent=first)
    lab.git("tag", "-a", "-m", "First release", "v1", first)
    lab.git("tag", "v1-light", first)
    refs = [f"{first}:{MAIN}", f"{feature}:refs/heads/feature", "refs/tags/v1", "refs/tags/v1-light"]
    accepted(lab.push(*refs, actor="alice"))
    assert set(lab.refs()) == {MAIN, "refs/heads/feature", "refs/tags/v1", "refs/tags/v1-light"}
    fix = lab.commit(HONEST_FIX, parent=first)
    accepted(lab.push(f"{fix}:{MINE}"))


def test_an_agent_cannot_begin_a_repository(tmp_path: Path) -> None:
    lab = Lab(tmp_path, files={})
    first = lab.commit(SEED_FILES, parent=None)
    refused(lab.push(f"{first}:{MINE}"), "GK008", exit=3)
    refused(lab.push(f"{first}:{MAIN}"), "GK008", "GK201", exit=3)
    answer = refused(lab.push(f"{first}:{MAIN}", f"{first}:{MINE}"), "GK008", "GK201", exit=3)
    assert any("a person creates it with a first push" in line for line in answer.remote), answer.remote
    assert lab.refs() == {}


def test_a_first_import_of_a_large_project(tmp_path: Path) -> None:
    """More files and more commits than one agent may push."""
    lab = Lab(tmp_path, files={})
    begin = b"commit refs/heads/import\ncommitter A <a@example.invalid> %d +0000\ndata 1\nx\n"
    files = [b"M 100644 inline src/d%d/m%d.py\ndata 0\n\n" % (number % 100, number) for number in range(10_100)]
    lab.fast_import(b"".join((begin % 10**9, *files, *(begin % (10**9 + n) for n in range(1, 10_100)))))
    accepted(lab.push(f"refs/heads/import:{MAIN}", actor="alice"))
    assert lab.server.out("rev-list", "--count", MAIN) == "10100"
    parent = lab.tip()
    accepted(lab.push(f"{lab.commit({'src/d0/m0.py': b'x = 1'}, parent=parent)}:{MINE}"))


def test_a_renamed_default_branch(lab: Lab) -> None:
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, HONEST_FIX)
    accepted(push(lab))
    trunk = lab.commit(STRICTER)
    alice(lab, f"{trunk}:refs/heads/trunk")
    lab.server.out("symbolic-ref", "HEAD", "refs/heads/trunk")
    alice(lab, "--delete", MAIN)
    commit(lab, {"src/helper.py": b""})
    answer = refused(push(lab), "GK003")
    assert follow(lab, answer) == "git fetch origin refs/heads/trunk && git rebase FETCH_HEAD"
    accepted(push(lab, "--force"))
    refused(push(lab, ref="refs/heads/trunk"), "GK201")


def test_a_default_branch_that_is_gone_stops_agents_and_not_people(lab: Lab) -> None:
    fix = lab.commit(HONEST_FIX)
    lab.server.out("config", "receive.denyDeleteCurrent", "ignore")
    answer = accepted(lab.push("--delete", MAIN, actor="alice"))
    assert answer.codes == {"GK202"}
    refused(lab.push(f"{fix}:{MINE}"), "GK008", exit=3)
    alice(lab, f"{lab.base}:{MAIN}")
    accepted(lab.push(f"{fix}:{MINE}"))


def test_release_tags(delivered: Lab) -> None:
    delivered.git("tag", "-a", "-m", "Version 1", "v1", "main")
    delivered.git("tag", "v1-rc", "main")
    delivered.git("tag", "-a", "-m", "Not merged", "v1-fix", "origin/agent/fix")
    alice(delivered, "v1", "v1-rc", "v1-fix", "main")
    delivered.git("tag", "--force", "v1-rc", str(delivered.base))
    answer = accepted(delivered.push("--force", "v1-rc", url="origin", actor="alice"))
    assert answer.codes == {"GK204"}
    answer = refused(delivered.push("--force", "main:refs/tags/v1", url="origin"), "GK201", "GK204")
    assert advice(answer) is None
    refused(delivered.push("main:refs/tags/v2", url="origin"), "GK201")
    refused(delivered.push("--delete", "refs/tags/v1", url="origin"), "GK202")
    alice(delivered, "--delete", "refs/tags/v1-fix")
