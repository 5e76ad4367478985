"""``gatekeeper check`` in a CI job and at a desk, where the seeds' two scripts stood."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from jsonschema import Draft202012Validator

from tests.support.git import Git, hermetic_env
from tests.support.lab import CHECKOUT, DEFAULT_POLICY, HONEST_FIX, WEAKENED_TEST, Lab, policy
from tests.support.objects import SYMLINK

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.support.git import Arg
    from tests.support.objects import Value

MAIN, MINE = "refs/heads/main", "refs/heads/agent/fix"
STRICTER = {"tests/test_stricter.py": b""}
SEED_KEYS = {
    "properties_required",
    "properties_missing",
    "fixture_hash_ok",
    "flake_remaining",
    "contract_files_untouched",
}
SCHEMA = Draft202012Validator(json.loads((CHECKOUT / "contracts_schema/scorecard-v1.schema.json").read_text()))


class Ran(NamedTuple):
    """A finished `gatekeeper check`."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Everything that it printed, in one line: where lines break depends on the length of temporary paths."""
        return " ".join((self.out + self.err).split())

    @property
    def json(self) -> dict[str, Any]:
        """The scorecard, which holds to its schema."""
        document: dict[str, Any] = json.loads(self.out)
        SCHEMA.validate(document)
        return document

    @property
    def codes(self) -> set[str]:
        """The rules of the first update's findings."""
        return {finding["code"] for finding in self.json["updates"][0]["findings"]}


def check(lab: Lab, *arguments: Arg, cwd: Path | None = None, command: str = "check") -> Ran:
    """Run the command in the clone's work tree."""
    env = hermetic_env(lab.home, PYTHONPATH=str(CHECKOUT))
    line = [sys.executable, "-m", "gatekeeper", command, *arguments]
    done = subprocess.run(line, cwd=cwd or lab.work, env=env, capture_output=True, text=True, check=False)
    return Ran(done.returncode, done.stdout, done.stderr)


def judge(lab: Lab, *arguments: Arg, cwd: Path | None = None) -> Ran:
    """`gatekeeper check` as JSON."""
    return check(lab, *arguments, "--output-format", "json", cwd=cwd)


def head(lab: Lab, changes: Mapping[str, Value], message: str = "Change") -> str:
    """Check out a commit of the agent's."""
    oid = lab.commit(changes, message)
    lab.git("checkout", "--quiet", "--detach", oid)
    return oid


class TestWhereTheSeedsStood:
    """`gatekeeper check origin/main HEAD`, with the seeds' exit codes and keys."""

    def test_held(self, lab: Lab) -> None:
        head(lab, HONEST_FIX)
        ran = judge(lab, "origin/main", "HEAD")
        card = ran.json
        assert (ran.code, card["exit"], card["verdict"]) == (0, 0, "held")
        assert card.keys() >= SEED_KEYS
        assert card["contract_files_untouched"] is True
        assert (card["properties_required"], card["properties_missing"]) == (2, [])
        assert (card["fixture_hash_ok"], card["flake_remaining"]) == (None, None)
        assert "error" not in card
        assert "changed" not in card

    def test_a_broken_budget(self, lab: Lab) -> None:
        head(lab, WEAKENED_TEST)
        ran = judge(lab, "origin/main", "HEAD")
        assert (ran.code, ran.codes) == (1, {"GK101"})
        assert ran.json["contract_files_untouched"] is True

    def test_an_edited_contract(self, lab: Lab) -> None:
        head(lab, {**WEAKENED_TEST, "contracts/properties.toml": b"", "contracts/new": b""})
        ran = judge(lab, "origin/main", "HEAD")
        card = ran.json
        assert (ran.code, ran.codes) == (2, {"GK101", "GK102"})
        assert card["contract_files_untouched"] is False
        assert card["error"] == "agent_touched_contracts"
        assert card["changed"] == ["contracts/new", "contracts/properties.toml"]

    def test_no_verdict(self, lab: Lab) -> None:
        tip = lab.commit({"contracts/policy.toml": b"version = 7\n"})
        lab.git("update-ref", "refs/remotes/origin/main", tip)
        head(lab, HONEST_FIX)
        ran = judge(lab, "origin/main", "HEAD")
        assert (ran.code, ran.codes, ran.json["verdict"]) == (3, {"GK008"}, "no verdict")
        assert ran.json["contract_files_untouched"] is None

    def test_the_text_marks_the_row_of_the_decision_table(self, lab: Lab) -> None:
        head(lab, {"contracts/new": b""})
        ran = check(lab, "origin/main", "HEAD")
        assert ran.code == 2
        assert ran.out.isascii()
        marked = [line for line in ran.out.splitlines() if line.startswith(">")]
        assert marked == ["> 2     contract path written in the agent lane"]

    def test_base_and_head_have_defaults(self, lab: Lab) -> None:
        weak = head(lab, WEAKENED_TEST)
        whole = judge(lab, "origin/main", weak)
        assert judge(lab).out == judge(lab, "refs/remotes/origin/main").out == whole.out
        lab.git("remote", "set-head", "origin", "main")
        assert judge(lab).out == whole.out


SAME: dict[str, Mapping[str, Value]] = {
    "honest": HONEST_FIX,
    "kinds": {**HONEST_FIX, **WEAKENED_TEST, "src/link": (SYMLINK, b"x"), "README.md": b"", ".gitattributes": b""},
    "contract": {"contracts/flake_budget.json": b""},
    "nothing-honest": WEAKENED_TEST,
}


@pytest.mark.parametrize("kind", SAME)
def test_it_says_what_the_server_says_of_the_same_commits(lab: Lab, kind: str) -> None:
    work = head(lab, SAME[kind])
    pushed = lab.push(f"{work}:{MINE}")
    ran = check(lab, "origin/main", work, "--policy", lab.bare / "gatekeeper/policy.toml")
    said, _, _ = ran.out.partition("\n\n")
    assert said.splitlines()[1:] == list(pushed.remote[1:])
    assert ran.code == pushed.exit


def test_what_it_advises_on_a_stale_branch_works(lab: Lab) -> None:
    moved = lab.commit(STRICTER)
    assert lab.push(f"{moved}:{MAIN}", actor="alice").accepted
    lab.git("fetch", "--quiet", "origin")
    lab.git("checkout", "--quiet", "-b", "fix", lab.commit(HONEST_FIX))
    for base, mend in {
        "origin/main": [f"git fetch origin {MAIN}", "git rebase FETCH_HEAD"],
        moved: [f"git rebase {moved[:12]}"],
    }.items():
        ran = judge(lab, base, "fix")
        assert (ran.code, ran.codes) == (1, {"GK003"})
        assert ran.json["updates"][0]["mend"] == mend
        lab.git("branch", "--force", "before")
        for command in mend:
            lab.git(*command.split()[1:])
        assert judge(lab, base, "fix").code == 0
        lab.git("reset", "--quiet", "--hard", "before")


class TestRevisions:
    """Full names and oids; what a pushed tag is called chooses nothing."""

    def test_a_tag_shadows_no_branch(self, lab: Lab) -> None:
        weak = head(lab, WEAKENED_TEST)
        whole = judge(lab, "origin/main", "HEAD")
        lab.git("tag", "origin/main", weak)
        lab.git("tag", "main", weak)
        lab.git("branch", "origin/main", weak)
        assert judge(lab, "origin/main", "HEAD").out == whole.out
        assert judge(lab, "main", "HEAD").codes == {"GK101"}

    def test_branches_tags_and_oids(self, lab: Lab) -> None:
        weak = head(lab, WEAKENED_TEST)
        lab.git("tag", "-a", "-m", "One", "v1", "main")
        lab.git("tag", "-a", "-m", "Two", "v2", weak)
        lab.git("branch", "feature", weak)
        assert judge(lab, "main", "v2").codes == {"GK101"}
        for tree in (lab.git("rev-parse", "main^{tree}"), lab.git("rev-parse", "main:README.md")):
            assert check(lab, tree, "feature").code == 3
            assert check(lab, "main", tree).code != 0
        for base in ("main", MAIN, "v1", "refs/tags/v1", str(lab.base)):
            ran = judge(lab, base, "feature")
            assert (ran.code, ran.codes) == (1, {"GK101"}), base

    @pytest.mark.parametrize(
        "name", ["absent", "HEAD~1", "0" * 40, "origin/main^", "refs/heads/absent", "a\r\x1b[2J", "v1:x"]
    )
    def test_what_is_no_revision_is_no_verdict(self, lab: Lab, name: str) -> None:
        for arguments in (("origin/main", name), (name, "HEAD"), ("origin/main", "HEAD", "--merge-base", name)):
            ran = check(lab, *arguments)
            assert ran.code == 3, ran
            assert "> 0" not in ran.out
            assert (ran.out + ran.err).replace("\n", "").isprintable()

    def test_a_base_that_was_not_fetched(self, lab: Lab) -> None:
        lab.git("update-ref", "-d", "refs/remotes/origin/main")
        ran = check(lab, "origin/main", "HEAD")
        assert ran.code == 3
        assert "git fetch origin" in ran.said
        assert "git remote set-head origin -a" in check(lab).said


class TestHistories:
    """Shallow, unrelated and criss-cross histories."""

    def test_a_shallow_ci_checkout(self, lab: Lab) -> None:
        tip = lab.commit({"src/_newer.py": b""}, parent=lab.commit(STRICTER))
        work = lab.commit(HONEST_FIX, parent=lab.commit({"src/_new.py": b""}))
        assert lab.push(f"{tip}:{MAIN}", f"{work}:refs/heads/feature", actor="alice").accepted
        here = lab.bare.parent / "ci"
        options = ("--quiet", "--depth=1", "--no-single-branch", "--branch=feature")
        Git(lab.home, lab.home).out("clone", *options, f"file://{lab.bare}", here)
        for form in ("json", "text"):
            ran = check(lab, "origin/main", "HEAD", "--output-format", form, cwd=here)
            assert ran.code == 3
            assert "GK006" in ran.out
            assert "fetch-depth" in ran.out
        Git(here, lab.home).out("fetch", "--quiet", "--unshallow")
        assert judge(lab, "origin/main", "HEAD", cwd=here).codes == {"GK003"}

    def test_a_merge_base_can_be_pinned(self, lab: Lab) -> None:
        left, right = lab.commit(HONEST_FIX), lab.commit(STRICTER)
        ours = lab.commit(STRICTER, parent=[left, right])
        theirs = lab.commit(HONEST_FIX, parent=[right, left])
        lab.git("update-ref", "refs/remotes/origin/main", theirs)
        work = lab.commit({"src/_new.py": b""}, parent=ours)
        assert judge(lab, "origin/main", work).codes == {"GK004"}
        lab.git("tag", "-a", "-m", "Left", "left", left)
        for name, pin in {left: left, right: right, "left": left}.items():
            ran = judge(lab, "origin/main", work, "--merge-base", name)
            assert (ran.code, ran.codes) == (0, set())
            assert ran.json["updates"][0]["base"] == pin
        outside = lab.commit({"README.md": b""}, parent=work)
        assert judge(lab, "origin/main", outside, "--merge-base", left).codes == {"GK103"}
        stranger = lab.commit({"src/x.py": b""})
        ran = check(lab, "origin/main", work, "--merge-base", stranger)
        assert ran.code == 3
        assert "is not an ancestor of both sides" in ran.said

    def test_an_unrelated_history(self, lab: Lab) -> None:
        orphan = lab.commit(HONEST_FIX, parent=None)
        ran = judge(lab, "origin/main", orphan)
        assert ran.code == 2
        assert {"GK004", "GK102"} <= ran.codes


class TestOptions:
    """Lane, policy, output."""

    def test_the_human_lane(self, lab: Lab) -> None:
        head(lab, {**WEAKENED_TEST, "contracts/new": b""})
        assert judge(lab, "origin/main", "--lane", "human").code == 0
        head(lab, {"contracts/properties.toml": b"[["})
        assert judge(lab, "origin/main", "--lane", "human").codes == {"GK009"}

    @pytest.mark.parametrize("by", ["origin/main", "oid"])
    def test_a_persons_repair_of_a_broken_policy(self, lab: Lab, by: str) -> None:
        broken = lab.commit({"contracts/policy.toml": b"version = 7\n"})
        lab.git("update-ref", "refs/remotes/origin/main", broken)
        repaired = lab.commit({"contracts/policy.toml": b"version = 1\n"}, parent=broken)
        ran = judge(lab, broken if by == "oid" else by, repaired, "--lane", "human")
        assert (ran.code, ran.codes) == (0, {"GK008"})
        assert judge(lab, broken if by == "oid" else by, repaired).code == 3

    def test_a_policy_file(self, lab: Lab, tmp_path: Path) -> None:
        head(lab, {"docs/a.md": b""})
        assert judge(lab, "origin/main").codes == {"GK103"}
        file = tmp_path / "policy.toml"
        file.write_text(policy(tail='[paths]\nwritable = ["docs/**"]'))
        assert judge(lab, "origin/main", "--policy", file).code == 0
        file.write_text(DEFAULT_POLICY.replace('"enforce"', '"observe"'))
        assert judge(lab, "origin/main", "--policy", file).code == 1, "whoever asks wants to know"
        for text, word in {"version = 1\nmdoe = 'x'\n": "mdoe", "version = ": "not TOML", "": "version"}.items():
            file.write_text(text)
            ran = check(lab, "origin/main", "--policy", file)
            assert ran.code == 3
            assert "GK008" in ran.said
            assert word in ran.said
        for missing in (tmp_path / "none.toml", tmp_path):
            ran = check(lab, "origin/main", "--policy", missing)
            assert (ran.code, "GK008" in ran.said) == (3, True)

    def test_an_output_file(self, lab: Lab, tmp_path: Path) -> None:
        head(lab, WEAKENED_TEST)
        file = tmp_path / "scorecard.json"
        file.write_text("old")
        ran = judge(lab, "origin/main", "-o", file)
        assert (ran.code, ran.out, ran.err) == (1, "", "")
        assert file.read_text() == judge(lab, "origin/main").out

    @pytest.mark.parametrize("where", ["none/scorecard.json", ".", "/dev/full"])
    def test_an_output_file_that_cannot_be_written(self, lab: Lab, tmp_path: Path, where: str) -> None:
        head(lab, HONEST_FIX)
        ran = check(lab, "origin/main", "-o", tmp_path / where)
        assert ran.code == 3
        assert "cannot write" in ran.said

    @pytest.mark.parametrize(
        "arguments",
        [
            ("a", "b", "c"),
            ("--nope",),
            ("--lane", "robot"),
            ("--output-format", "xml"),
            ("--policy",),
            ("--repo",),
        ],
    )
    def test_a_usage_error_is_3_and_not_2(self, lab: Lab, arguments: tuple[str, ...]) -> None:
        ran = check(lab, *arguments)
        assert ran.code == 3
        assert "--help" in ran.said
        assert ran.out == ""

    def test_an_unknown_command_is_3_too(self, lab: Lab) -> None:
        assert check(lab, command="nope").code == 3
        assert check(lab, "--help").code == 0


class TestRepositories:
    """Whatever kind of checkout a job stands in."""

    def test_not_a_repository(self, lab: Lab) -> None:
        ran = check(lab, "origin/main", cwd=lab.home)
        assert ran.code == 3
        assert "no git repository" in ran.said
        assert check(lab, "main", "--repo", lab.home / "none").code == 3

    def test_a_subdirectory_a_worktree_a_bare_repository_and_a_git_directory(self, lab: Lab) -> None:
        weak = head(lab, WEAKENED_TEST)
        side = lab.bare.parent / "side"
        lab.git("worktree", "add", "--quiet", "--detach", str(side), weak)
        whole = judge(lab, "origin/main", "HEAD")
        assert whole.codes == {"GK101"}
        for place in (lab.work / "src", side, side / "src", lab.work / ".git"):
            assert judge(lab, "origin/main", "HEAD", cwd=place).out == whole.out, place
            assert judge(lab, "origin/main", "HEAD", "--repo", place, cwd=lab.home).out == whole.out, place
        lab.push(f"{weak}:refs/heads/weak", actor="alice")
        assert judge(lab, MAIN, "refs/heads/weak", cwd=lab.bare).codes == {"GK101"}

    def test_a_submodule(self, lab: Lab) -> None:
        outer = lab.bare.parent / "outer"
        git = Git(lab.home, lab.home)
        git.out("init", "--quiet", "--template=", outer)
        inner = Git(outer, lab.home)
        inner.out("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lab.bare, "vendor")
        (outer / "vendor/tests/test_encoder.py").write_bytes(b"")
        Git(outer / "vendor", lab.home).out("commit", "--quiet", "-am", "Weaken")
        assert (outer / "vendor/.git").is_file()
        ran = judge(lab, "origin/main", "HEAD", cwd=outer / "vendor")
        assert (ran.code, ran.codes) == (1, {"GK101"})

    @pytest.mark.parametrize("name", [b"a b'c", b"caf\xe9", b"new\nline"])
    def test_a_checkout_at_an_odd_path(self, lab: Lab, name: bytes) -> None:
        head(lab, WEAKENED_TEST)
        here = lab.bare.parent / os.fsdecode(name)
        lab.work.rename(here)
        assert judge(lab, "origin/main", "HEAD", cwd=here).codes == {"GK101"}

    @pytest.mark.parametrize("variable", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_NAMESPACE"])
    def test_gits_own_variables_do_not_choose_the_repository(self, lab: Lab, variable: str) -> None:
        head(lab, WEAKENED_TEST)
        env = hermetic_env(lab.home, PYTHONPATH=str(CHECKOUT), **{variable: "/nowhere"})
        line = [sys.executable, "-m", "gatekeeper", "check", "origin/main", "HEAD"]
        done = subprocess.run(line, cwd=lab.work, env=env, capture_output=True, check=False)
        assert done.returncode == 1


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_every_reader_and_every_run_give_the_same_bytes(tmp_path: Path, form: str) -> None:
    lab = Lab(tmp_path, form)
    moved = lab.commit(STRICTER)
    assert lab.push(f"{moved}:{MAIN}", actor="alice").accepted
    lab.git("fetch", "--quiet", "origin")
    weak = lab.commit({**WEAKENED_TEST, "src/caf\xe9.py": b"", "src/a\nb": b"", "contracts/new": b""})
    head(lab, {"tests/x.py": b""})
    work = lab.commit(HONEST_FIX, parent=weak)
    backends = ("auto", "dulwich") if form == "sha256" else ("auto", "pygit2", "dulwich")
    outputs = [judge(lab, "origin/main", work, "--backend", backend) for backend in (*backends, "auto")]
    assert outputs[0].codes == {"GK101", "GK102", "GK110", "GK301"}  # café.py is a new public module
    assert {ran.out for ran in outputs} == {outputs[0].out}
    assert {ran.code for ran in outputs} == {2}
