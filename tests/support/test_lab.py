"""The laboratory itself: what it builds is what git would build, and what it reports is what git did."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.git import GitFailed, hermetic_env
from tests.support.lab import HONEST_FIX, SEED_FILES, WEAKENED_TEST, Lab
from tests.support.objects import EXECUTABLE, GITLINK, SYMLINK

if TYPE_CHECKING:
    from pathlib import Path


class UngatedLab(Lab):
    """A lab whose hook is given as a shell script."""

    script = "exit 0"

    def install(self, *hooks: str) -> None:
        for name in hooks or ("pre-receive",):
            hook = self.bare / "hooks" / name
            hook.parent.mkdir(exist_ok=True)
            hook.write_text(f"#!/bin/sh\n{self.script}\n")
            hook.chmod(0o755)


@pytest.fixture(params=["sha1", "sha256"])
def ungated(tmp_path: Path, request: pytest.FixtureRequest) -> UngatedLab:
    return UngatedLab(tmp_path, request.param)


def test_commits_are_what_git_makes_of_the_same_changes(ungated: UngatedLab) -> None:
    changes = {
        "src/encoder.py": None,
        "src/new/deep/er.py": b"x\n",
        "src/cache.py": (EXECUTABLE, SEED_FILES["src/cache.py"]),
        "src/link": (SYMLINK, b"cache.py"),
        "README.md/now/a/directory": b"",
        "tests": b"now a file\n",
    }
    made = ungated.commit(changes)
    ungated.git("rm", "-r", "--quiet", "src/encoder.py", "README.md", "tests")
    for path, value in changes.items():
        if value is None:
            continue
        mode, data = value if isinstance(value, tuple) else (0o100644, value)
        (ungated.work / "scratch").write_bytes(data)
        oid = ungated.git("hash-object", "-w", "scratch")
        ungated.git("update-index", "--add", "--cacheinfo", f"{mode:o},{oid},{path}")
    assert ungated.git("write-tree") == ungated.git("rev-parse", f"{made}^{{tree}}")
    ungated.git("fsck", "--strict", "--no-dangling")


def test_parents_idents_and_gitlinks_are_stored_as_given(ungated: UngatedLab) -> None:
    left, right = ungated.commit(HONEST_FIX), ungated.commit({"src/new.py": b""})
    assert ungated.base is not None
    linked = {"src/vendor": (GITLINK, ungated.base.encode())}
    merge = ungated.commit(linked, "Merge", parent=[left, right], author=b"Mallory <m@example.invalid>")
    assert ungated.git("log", "-1", "--format=%P|%an|%cn|%s", merge) == f"{left} {right}|Mallory|Mallory|Merge"
    assert ungated.git("ls-tree", merge, "src/vendor") == f"160000 commit {ungated.base}\tsrc/vendor"
    assert ungated.files(ungated.commit({}, parent=None)) == {}


def test_an_accepted_push_moves_the_ref(ungated: UngatedLab) -> None:
    fix = ungated.commit(HONEST_FIX)
    pushed = ungated.push(f"{fix}:refs/heads/agent/fix")
    assert (pushed.accepted, pushed.exit, pushed.codes) == (True, 0, frozenset())
    assert ungated.refs() == {"refs/heads/main": ungated.base, "refs/heads/agent/fix": fix}


def test_a_refused_push_reports_the_hook_and_moves_nothing(ungated: UngatedLab) -> None:
    forged = "printf 'GK999 forged\\rremote: GK108 x\\n' >&2"
    ungated.script = f'echo; echo "GK101 tests/a  by $GATEKEEPER_ACTOR"; {forged}; exit 2'
    ungated.install()
    before = ungated.refs()
    pushed = ungated.push(f"{ungated.commit(WEAKENED_TEST)}:refs/heads/agent/fix", actor="carol")
    assert (pushed.accepted, pushed.exit) == (False, 2)
    assert {"GK101", "GK999"} <= pushed.codes
    assert "GK101 tests/a  by carol" in pushed.remote
    assert ungated.refs() == before


def test_every_ref_reaches_the_hook_in_the_order_given(ungated: UngatedLab) -> None:
    ungated.script = "cut -d' ' -f3; exit 1"
    ungated.install()
    one, two = ungated.commit(HONEST_FIX), ungated.commit(WEAKENED_TEST)
    for first, second in (("agent/a", "agent/b"), ("agent/b", "agent/a")):
        pushed = ungated.push(f"{one}:refs/heads/{first}", f"{two}:refs/heads/{second}")
        assert pushed.remote == (f"refs/heads/{first}", f"refs/heads/{second}")


def test_an_empty_repository_takes_its_first_push(tmp_path: Path) -> None:
    lab = UngatedLab(tmp_path, "sha256", files={}, branch="trunk")
    assert (lab.base, lab.tip()) == (None, None)
    first = lab.commit(SEED_FILES, parent=None)
    assert lab.push(f"{first}:refs/heads/trunk").accepted
    assert lab.tip() == first
    with pytest.raises(ValueError, match="name the parent"):
        lab.commit({})


def test_a_scorecard_is_the_json_of_check(tmp_path: Path) -> None:
    lab = Lab(tmp_path)
    edits = {"fix": HONEST_FIX, "cheat": WEAKENED_TEST, "contract": {"contracts/properties.toml": b""}}
    cards = {name: lab.scorecard("origin/main", lab.commit(changes)) for name, changes in edits.items()}
    assert {name: card.exit for name, card in cards.items()} == {"fix": 0, "cheat": 1, "contract": 2}
    assert cards["fix"].json["contract_files_untouched"] is True
    assert cards["contract"].json["changed"] == ["contracts/properties.toml"]
    with pytest.raises(AssertionError, match="printed no scorecard, exit 3"):
        lab.scorecard("origin/absent", "HEAD")


def test_a_failing_git_is_an_error_with_its_message(ungated: UngatedLab) -> None:
    with pytest.raises(GitFailed, match=r"(?i)not a valid object name"):
        ungated.git("cat-file", "-t", "nothing")


@pytest.mark.parametrize(("changes", "exit_code"), [({}, 1), (HONEST_FIX, 0)], ids=["as it is", "mended"])
def test_the_seed_project_is_red_until_its_bug_is_mended(
    tmp_path: Path, changes: dict[str, bytes], exit_code: int
) -> None:
    for path, data in {**SEED_FILES, **changes}.items():
        file = tmp_path / "seed" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path / "seed",
        env=hermetic_env(tmp_path, PYTHONDONTWRITEBYTECODE="1", CI="true"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == exit_code, done.stdout
