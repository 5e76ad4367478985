"""Every printed mend is followed literally: what it leads to is accepted, and the honest part of the work is in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.support.lab import HONEST_FIX, SEED_FILES, WEAKENED_TEST, policy
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
    record,
    refused,
    write,
)

if TYPE_CHECKING:
    from tests.support.lab import Lab

Work = Mapping[str, bytes | None]
Scene = Callable[["Lab"], Work]
"""Does work in the clone, some of it honest, and returns that."""

HELPER = {"src/helper.py": b"def _help() -> None:\n    pass\n"}
BEFORE = {"docs/a b.md": b"", "docs/it's.md": b"", "docs/$HOME.md": b"", "docs/*.md": b"", "docs/x.md": b"x\n"}


class Case(NamedTuple):
    """A scene and the rules that refuse it."""

    scene: Scene
    codes: tuple[str, ...]
    exit: int = 1


def stale(lab: Lab) -> Work:
    """A person adds a test while the agent works."""
    commit(lab, HONEST_FIX)
    commit(lab, HELPER)
    move_main(lab, STRICTER)
    return {**HONEST_FIX, **HELPER}


def stale_with_source(lab: Lab) -> Work:
    """The trusted branch moves in tests and source."""
    commit(lab, HONEST_FIX)
    move_main(lab, {**STRICTER, "src/cache.py": SEED_FILES["src/cache.py"] + b"\n\n# rewritten\n"})
    return HONEST_FIX


def edited_test(lab: Lab) -> Work:
    """A test is weakened in the commit that holds the fix."""
    commit(lab, {**HONEST_FIX, **WEAKENED_TEST})
    return HONEST_FIX


def edited_test_elsewhere(lab: Lab) -> Work:
    """A test is weakened in a commit of its own between two honest ones."""
    commit(lab, HONEST_FIX)
    commit(lab, WEAKENED_TEST)
    commit(lab, HELPER)
    return {**HONEST_FIX, **HELPER}


def written_and_undone(lab: Lab) -> Work:
    """A test is weakened, and the weakening reverted by a further commit."""
    commit(lab, WEAKENED_TEST)
    commit(lab, HONEST_FIX)
    lab.git("revert", "--no-edit", "HEAD~1")
    return HONEST_FIX


def nothing_but_undone(lab: Lab) -> Work:
    """A test is weakened and restored, and that is all."""
    commit(lab, WEAKENED_TEST)
    lab.git("revert", "--no-edit", "HEAD")
    return {}


def nothing_honest(lab: Lab) -> Work:
    """There is nothing but the weakened test."""
    commit(lab, WEAKENED_TEST)
    return {}


def added_conftest(lab: Lab) -> Work:
    """A conftest.py appears beside the fix, inside the writable set and outside it."""
    commit(lab, {**HONEST_FIX, "conftest.py": b"", "src/conftest.py": b""})
    return HONEST_FIX


def deleted_test(lab: Lab) -> Work:
    """The red test goes."""
    commit(lab, {**HONEST_FIX, "tests/test_encoder.py": None})
    return HONEST_FIX


def link_for_tests(lab: Lab) -> Work:
    """The test tree is moved away and a link to a weak copy takes its place."""
    lab.git("mv", "tests", "attic")
    (lab.work / "tests").symlink_to("attic")
    commit(lab, HONEST_FIX)
    return HONEST_FIX


def renamed_out_of_tests(lab: Lab) -> Work:
    """A test moves into the source tree, without what runs it, by a name that no runner collects: there it may stay."""
    kept = (lab.work / "tests/test_encoder.py").read_bytes().partition(b"@pytest")[0].replace(b"import pytest\n", b"")
    lab.git("mv", "tests/test_encoder.py", "src/checks.py")
    commit(lab, {**HONEST_FIX, "src/checks.py": kept})
    return {**HONEST_FIX, "src/checks.py": kept}


def many_kinds(lab: Lab) -> Work:
    """A path of every kind, at several places."""
    kinds = (".gitattributes", ".github/workflows/ci.yml", "Makefile", "README.md", "src/test_own.py", "tests/new.py")
    commit(lab, {**HONEST_FIX, **dict.fromkeys(kinds, b"all: ;\n"), "pyproject.toml": None})
    return HONEST_FIX


def contract_file(lab: Lab) -> Work:
    """A contract is edited beside the fix."""
    commit(lab, {**HONEST_FIX, "contracts/flake_budget.json": b'{"capacity": 50, "entries": []}\n'})
    return HONEST_FIX


def awkward_names(lab: Lab) -> Work:
    """Files whose names a shell or git would read as syntax are edited, and one that only resembles them is kept."""
    move_main(lab, BEFORE)
    lab.git("pull", "--quiet", "origin", "main")
    commit(lab, {**HONEST_FIX, **dict.fromkeys(BEFORE, b"edited\n"), "docs/new [x].md": b""})
    return HONEST_FIX


def glob_beside_honest(lab: Lab) -> Work:
    """A file that is named like a pattern is removed; what the pattern would match is honest work."""
    commit(lab, {**HONEST_FIX, "src/*.pyc": b"x", "src/a.pyi": b""})
    return {**HONEST_FIX, "src/a.pyi": b""}


def looks_like_magic(lab: Lab) -> Work:
    """A new file has a name that git reads as pathspec magic."""
    commit(lab, {**HONEST_FIX, ":!src": b"", "-x": b"", "_y": b"", ".z": b"", "a/**": b""})
    return HONEST_FIX


def file_becomes_directory(lab: Lab) -> Work:
    """Files and directories change places."""
    lab.git("rm", "--quiet", "-r", "README.md", "tests", "contracts/fixtures.lock")
    commit(
        lab, {**HONEST_FIX, "README.md/a/b": b"", "tests": b"", "contracts/fixtures.lock/c": b"", "src/new/x.py": b""}
    )
    return {**HONEST_FIX, "src/new/x.py": b""}


def without_a_message(lab: Lab) -> Work:
    """The newest commit says nothing, so there is no message to take over."""
    write(lab.work, {**HONEST_FIX, **WEAKENED_TEST})
    lab.git("commit", "--quiet", "--all", "--allow-empty-message", "-m", "")
    return HONEST_FIX


def executable_test(lab: Lab) -> Work:
    """Only the mode of a test changes."""
    (lab.work / "tests/test_encoder.py").chmod(0o755)
    commit(lab, HONEST_FIX)
    return HONEST_FIX


def skips_ci(lab: Lab) -> Work:
    """A commit message tells CI to skip."""
    commit(lab, HONEST_FIX, "Fix the limit [skip ci]")
    commit(lab, HELPER)
    return {**HONEST_FIX, **HELPER}


def skips_ci_and_stale(lab: Lab) -> Work:
    """The same on a branch that is behind."""
    commit(lab, HONEST_FIX, "Fix the limit\n\n[ci skip]")
    move_main(lab, STRICTER)
    return HONEST_FIX


def tampered_and_stale(lab: Lab) -> Work:
    """A weakened test on a branch that is behind in another test."""
    commit(lab, {**HONEST_FIX, **WEAKENED_TEST})
    move_main(lab, STRICTER)
    return HONEST_FIX


def undone_and_stale(lab: Lab) -> Work:
    """A test was weakened and restored on a branch that is behind."""
    work = written_and_undone(lab)
    move_main(lab, STRICTER)
    return work


def same_test_on_both_sides(lab: Lab) -> Work:
    """The agent weakens the very test that a person makes stricter."""
    commit(lab, {**HONEST_FIX, **WEAKENED_TEST})
    move_main(lab, {"tests/test_encoder.py": b"def test_strict() -> None:\n    assert not []\n"})
    return HONEST_FIX


def evil_merge(lab: Lab) -> Work:
    """A merge of the trusted branch carries an edit that no parent has."""
    commit(lab, HONEST_FIX)
    move_main(lab, STRICTER)
    lab.git("fetch", "--quiet", "origin")
    lab.git("merge", "--quiet", "--no-commit", "origin/main")
    write(lab.work, WEAKENED_TEST)
    record(lab, "Merge main")
    return HONEST_FIX


def evil_merge_undone(lab: Lab) -> Work:
    """The same, put right in the next commit."""
    before = (lab.work / "tests/test_encoder.py").read_bytes()
    work = evil_merge(lab)
    commit(lab, {"tests/test_encoder.py": before})
    return work


def link_in_source(lab: Lab) -> Work:
    """A symbolic link inside the writable set."""
    (lab.work / "src/data.py").symlink_to("../tests/test_encoder.py")
    commit(lab, HONEST_FIX)
    return HONEST_FIX


def submodule(lab: Lab) -> Work:
    """A submodule, with its control file."""
    url = str(lab.bare)
    lab.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", url, "src/vendor")
    commit(lab, HONEST_FIX)
    return HONEST_FIX


def twin(lab: Lab) -> Work:
    """A file that overwrites a test on a disk that ignores case."""
    commit(lab, {**HONEST_FIX, "Tests/test_encoder.py": b""})
    return HONEST_FIX


def long_name(lab: Lab) -> Work:
    """Names that do not fit a line."""
    long = "docs/" + "very-long-name" * 9
    commit(lab, {**HONEST_FIX, f"{long}.md": b"", f"{long} with spaces.md": b""})
    return HONEST_FIX


SCENES: tuple[Case, ...] = (
    Case(stale, ("GK003",)),
    Case(stale_with_source, ("GK003",)),
    Case(edited_test, ("GK101",)),
    Case(edited_test_elsewhere, ("GK101",)),
    Case(written_and_undone, ("GK108",)),
    Case(nothing_but_undone, ("GK108",)),
    Case(nothing_honest, ("GK101",)),
    Case(added_conftest, ("GK109",)),
    Case(deleted_test, ("GK101",)),
    Case(link_for_tests, ("GK101", "GK105")),
    Case(renamed_out_of_tests, ("GK101",)),
    Case(many_kinds, ("GK101", "GK103", "GK107", "GK109")),
    Case(contract_file, ("GK102",), exit=2),
    Case(awkward_names, ("GK103",)),
    Case(glob_beside_honest, ("GK110",)),
    Case(looks_like_magic, ("GK103", "GK110")),
    Case(file_becomes_directory, ("GK101", "GK102", "GK103"), exit=2),
    Case(without_a_message, ("GK101",)),
    Case(executable_test, ("GK106",)),
    Case(skips_ci, ("GK207",)),
    Case(skips_ci_and_stale, ("GK003", "GK207")),
    Case(tampered_and_stale, ("GK101",)),
    Case(undone_and_stale, ("GK003", "GK108")),
    Case(same_test_on_both_sides, ("GK101",)),
    Case(evil_merge, ("GK101",)),
    Case(evil_merge_undone, ("GK108",)),
    Case(link_in_source, ("GK105",)),
    Case(submodule, ("GK105", "GK107")),
    Case(twin, ("GK104",)),
    Case(long_name, ("GK103",)),
)


@pytest.mark.parametrize("case", SCENES, ids=lambda case: case.scene.__name__)
def test_what_a_refusal_advises_is_accepted(lab: Lab, case: Case) -> None:
    lab.git("checkout", "--quiet", "-b", "fix")
    work = case.scene(lab)
    answer = refused(push(lab), *case.codes, exit=case.exit)
    assert lab.tip(MINE) is None
    follow(lab, answer)
    accepted(push(lab, "--force"))
    assert_only(lab, MINE, work)
    assert lab.git("status", "--porcelain", "--untracked-files=no") == ""


def test_the_commands_mean_the_same_in_a_subdirectory(lab: Lab) -> None:
    lab.git("checkout", "--quiet", "-b", "fix")
    work = many_kinds(lab)
    answer = refused(push(lab), "GK101", "GK103", "GK107", "GK109")
    follow(lab, answer, lab.work / "src")
    accepted(push(lab))
    assert_only(lab, MINE, work)


def criss_cross(lab: Lab) -> None:
    """A person merged the branch while the branch merged the trusted one: two merge bases."""
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, HONEST_FIX)
    first = lab.git("rev-parse", "HEAD")
    accepted(push(lab))
    moved = move_main(lab, STRICTER)
    lab.git("fetch", "--quiet", "origin")
    lab.git("merge", "--quiet", "--no-edit", "origin/main")
    merge = lab.commit(HONEST_FIX, "Merge the fix", parent=[moved, first])
    accepted(lab.push(f"{merge}:{MAIN}", actor="alice"))


def test_a_criss_cross_history_is_flattened(lab: Lab) -> None:
    criss_cross(lab)
    commit(lab, HELPER)
    answer = refused(push(lab), "GK004")
    assert follow(lab, answer) == "git fetch origin refs/heads/main && git rebase FETCH_HEAD"
    accepted(push(lab, "--force"))
    assert_only(lab, MINE, HELPER)


def test_a_criss_cross_history_that_writes_tests_is_flattened_and_squashed(lab: Lab) -> None:
    criss_cross(lab)
    commit(lab, {**HELPER, **WEAKENED_TEST})
    answer = refused(push(lab), "GK004", "GK101")
    follow(lab, answer)
    accepted(push(lab, "--force"))
    assert_only(lab, MINE, HELPER)


def test_a_criss_cross_history_of_nothing_else_is_reset(lab: Lab) -> None:
    criss_cross(lab)
    commit(lab, WEAKENED_TEST)
    answer = refused(push(lab), "GK004", "GK101")
    follow(lab, answer)
    accepted(push(lab, "--force"))
    assert_only(lab, MINE, {})


def test_the_mend_names_the_ref_that_the_branch_is_judged_against(lab: Lab) -> None:
    lab.write_policy(policy(tail='[[trusted]]\nfor = ["refs/heads/agent/rel/**"]\nbase = "refs/heads/rel"'))
    release = lab.commit(STRICTER)
    accepted(lab.push(f"{release}:refs/heads/rel", actor="alice"))
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, HONEST_FIX)
    answer = refused(push(lab, ref="refs/heads/agent/rel/fix"), "GK003")
    assert follow(lab, answer) == "git fetch origin refs/heads/rel && git rebase FETCH_HEAD"
    accepted(push(lab, ref="refs/heads/agent/rel/fix"))
    assert lab.server.out("diff-tree", "-r", "--name-only", "rel", "agent/rel/fix") == "src/encoder.py"


@pytest.mark.parametrize(
    ("more", "tail", "honest"),
    [
        ('tests = "additive"', "", {"tests/test_added.py": b""}),
        ("", '[paths]\nsandbox = ["tests/snapshots/**"]', {"tests/snapshots/a.txt": b""}),
        (
            "",
            '[paths]\nprotected = ["!/tests/scratch"]\nwritable = ["src/**", "tests/scratch/**"]',
            {"tests/scratch/a.py": b""},
        ),
    ],
    ids=["additive", "sandbox", "carved"],
)
def test_work_that_the_policy_opens_below_a_protected_directory_is_kept(
    lab: Lab, more: str, tail: str, honest: dict[str, bytes]
) -> None:
    lab.write_policy(policy(more=more, tail=tail))
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, {**honest, **WEAKENED_TEST, "tests/properties/new.py": b""})
    follow(lab, refused(push(lab), "GK101"))
    accepted(push(lab))
    assert_only(lab, MINE, honest)


NO_COMMAND: dict[str, tuple[Work, str]] = {
    "not-ascii": ({"docs/caf\u00e9.md": b""}, "GK103"),
    "control-character": ({"docs/a\rb.md": b""}, "GK110"),
    "many-directories": ({f"d{number}/x": b"" for number in range(13)}, "GK103"),
}


@pytest.mark.parametrize("kind", NO_COMMAND)
def test_where_no_command_can_mend_the_fix_is_said(lab: Lab, kind: str) -> None:
    files, code = NO_COMMAND[kind]
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, {**HONEST_FIX, **files})
    answer = refused(push(lab), code)
    assert advice(answer) is None
    assert any(line.startswith("fix: ") for line in answer.remote), answer.remote


def test_an_unrelated_history_and_a_closed_ref_have_no_mend(lab: Lab) -> None:
    lab.git("checkout", "--quiet", "--orphan", "fix")
    record(lab, "Begin anew")
    answer = refused(push(lab), "GK004")
    assert advice(answer) is None
    assert "fix: rebase the work onto the trusted ref" in answer.remote
    lab.git("checkout", "--quiet", "main")
    commit(lab, {**HONEST_FIX, **WEAKENED_TEST})
    answer = refused(push(lab, ref=MAIN), "GK101", "GK201")
    assert advice(answer) is None
    assert "fix: push to refs/heads/agent/NAME instead" in answer.remote
