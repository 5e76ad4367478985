"""A push without a change of source costs no import of what reads sources."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.lab import SITE, Lab

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = ("ast", "json", "re", "typing", "dataclasses", "collections", "functools", "subprocess", "inspect", "hashlib")
TRACE = """
import sys
sys.path[:0] = {site!r}
from gatekeeper.entry.pre_receive import main
code = main(["hook"])
ours = ("gatekeeper.source", "gatekeeper.contracts")
print(*sorted(set({heavy!r}) & set(sys.modules)), *(name for name in sys.modules if name.startswith(ours)))
sys.stdout.flush()
import os
os._exit(code)
"""


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """A repository whose hooks are not installed: the objects arrive unjudged, and a process of ours judges them."""
    made = Lab(tmp_path, files={"src/mod.py": b"x = 1\n", "src/data.txt": b""})
    (made.bare / "hooks/pre-receive").unlink()
    return made


def imported(lab: Lab, changes: dict[str, bytes]) -> set[str]:
    head = lab.commit(changes)
    assert lab.push(f"{head}:refs/heads/agent/x").accepted
    command = [sys.executable, "-I", "-S", "-c", TRACE.format(site=list(SITE), heavy=HEAVY)]
    line = f"{'0' * 40} {head} refs/heads/agent/y\n".encode()
    environment = {"GIT_DIR": ".", "GATEKEEPER_ACTOR": "bot"}
    for _ in range(2):  # the first one reads the policy's TOML and remembers what it said
        done = subprocess.run(command, input=line, cwd=lab.bare, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.decode().split())


def test_nothing_is_read_without_a_change_of_source(lab: Lab) -> None:
    kept = {f"gatekeeper.source.{name}" for name in ("depends", "files", "gitfiles", "telltale")}
    assert imported(lab, {"src/data.txt": b"more\n"}) <= {"gatekeeper.source", *kept}  # what is kept is all there is


def test_a_change_of_source_never_parses_here(lab: Lab) -> None:
    found = imported(lab, {"src/mod.py": b"x = 1  # why\n"})
    assert "gatekeeper.source.link.whole" in found
    assert "ast" not in found
    assert "gatekeeper.source.facts.module" not in found
