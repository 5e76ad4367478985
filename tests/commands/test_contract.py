"""``gatekeeper contract``: what it prints is what the gate takes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.git import hermetic_env
from tests.support.lab import CHECKOUT, Lab

if TYPE_CHECKING:
    from pathlib import Path

API = b"def f(a: int, b: int = 1) -> int:\n    return a\n\n\nclass C(ValueError):\n    x = 1\n"
MOVED = API.replace(b", b: int = 1", b"").replace(b"x = 1", b"x = 1\n    y = 2")


@pytest.fixture
def revisions(lab: Lab) -> tuple[Lab, str, str]:
    base = lab.commit({"src/codec.py": API})
    return lab, base, lab.commit({"src/codec.py": MOVED}, parent=base)


def run(lab: Lab, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gatekeeper", "contract", *arguments, "--repo", str(lab.work)],
        env=hermetic_env(lab.home, PYTHONPATH=str(CHECKOUT)),
        cwd=lab.home,
        capture_output=True,
        text=True,
        check=False,
    )


def test_digest(revisions: tuple[Lab, str, str]) -> None:
    lab, base, head = revisions
    old, new = (run(lab, "digest", oid).stdout.strip() for oid in (base, head))
    assert old != new
    assert {len(old), len(new)} == {64}
    document = json.loads(run(lab, "digest", base, "--output-format", "json").stdout)
    assert document["digest"] == old
    assert any(name.endswith("codec") for name in document["modules"])
    assert old in run(lab, "digest", base, "--output-format", "markdown").stdout


def test_show_is_one_symbol_a_line(revisions: tuple[Lab, str, str]) -> None:
    lab, base, _ = revisions
    first, *lines = run(lab, "show", base).stdout.splitlines()
    assert first.startswith("gatekeeper-contract-v1 ")
    (function,) = [line for line in lines if line.endswith("codec.f(a: int, b: int=1) -> int")]
    assert len(function.split()[0]) == 12
    paths = [line.split()[2].partition("(")[0] for line in lines]
    rows = json.loads(run(lab, "show", base, "--output-format", "json").stdout)["rows"]
    assert len(rows) == len(paths)
    assert run(lab, "show", base).stdout == run(lab, "show", base).stdout


def test_diff_says_what_broke_and_ends_with_1(revisions: tuple[Lab, str, str]) -> None:
    lab, base, head = revisions
    done = run(lab, "diff", base, head)
    assert done.returncode == 1
    assert "breaking call-rejected" in done.stdout
    assert "f(a=1, b=2) worked" in done.stdout
    moves = json.loads(run(lab, "diff", base, head, "--output-format", "json").stdout)["moves"]
    assert [move["kind"] for move in moves] == ["symbol-added", "call-rejected"]
    assert "| breaking | call-rejected |" in run(lab, "diff", base, head, "--output-format", "markdown").stdout


def test_diff_of_additions_ends_with_0(revisions: tuple[Lab, str, str]) -> None:
    lab, base, _ = revisions
    head = lab.commit({"src/codec.py": API + b"\n\ndef g(): ...\n"}, parent=base)
    done = run(lab, "diff", base, head)
    assert done.returncode == 0
    assert "addition symbol-added" in done.stdout
    assert run(lab, "diff", base, base).stdout.startswith("nothing moved")


def test_the_lines_of_allow_let_the_push_pass(revisions: tuple[Lab, str, str]) -> None:
    lab, base, head = revisions
    rows = run(lab, "allow", base, head).stdout.replace("TICKET why", "API-1 agreed with the callers")
    assert len(rows.splitlines()) == 2
    assert lab.push(f"{base}:refs/heads/main", actor="alice").accepted
    assert not lab.push(f"{head}:refs/heads/agent/move").accepted
    trusted = lab.commit({"contracts/contract.allow": rows.encode()}, parent=base)
    assert lab.push(f"{trusted}:refs/heads/main", actor="alice").accepted
    again = lab.commit({"src/codec.py": MOVED}, parent=trusted)
    pushed = lab.push(f"{again}:refs/heads/agent/move")
    assert pushed.accepted, pushed.result.stderr


def test_a_root_of_its_own(lab: Lab) -> None:
    head = lab.commit({"other/place/mod.py": b"def f(): ...\n"})
    lines = run(lab, "show", head, "--root", "other/place").stdout.splitlines()
    assert [line.split(" ", 1)[1] for line in lines[1:]] == ['module mod {"package": false}', "function mod.f()"]


def test_usage_ends_with_3(lab: Lab, tmp_path: Path) -> None:
    assert run(lab, "digest", "nowhere").returncode == 3
    assert run(lab, "diff", "HEAD", "HEAD", "--policy", str(tmp_path / "none")).returncode == 3


def test_ancestors_as_git_writes_them(revisions: tuple[Lab, str, str]) -> None:
    lab, base, head = revisions
    older = run(lab, "digest", base).stdout
    assert run(lab, "digest", f"{head}~1").stdout == run(lab, "digest", f"{head}^").stdout == older
    assert run(lab, "digest", f"{head}~0").stdout == run(lab, "digest", head).stdout
    for wrong, said in ((f"{base}~9", "has no parent"), (f"{head}^2", "first parent"), (f"{head}~x", "first parent")):
        refused = run(lab, "digest", wrong)
        assert (refused.returncode, said in refused.stderr) == (3, True), refused.stderr


def test_a_root_without_sources_is_said(lab: Lab) -> None:
    refused = run(lab, "digest", lab.commit({"src/codec.py": API}), "--root", "nowhere")
    assert (refused.returncode, "no Python source lies below nowhere" in refused.stderr) == (3, True)
