"""``gatekeeper properties audit --run``, for real: what nothing breaks is vacuous."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.git import hermetic_env
from tests.support.lab import CHECKOUT, Lab

if TYPE_CHECKING:
    from pathlib import Path

PRODUCT = b"def double(n):\n    return n * 2\n"
TESTS = b"""import time

from src.product import double


def test_proves():
    assert double(3) == 6


def test_vacuous():
    try:
        assert double(3) == 6
    except (AssertionError, TypeError):
        pass


def test_red():
    assert double(3) == 7


def test_hangs():
    time.sleep(double(30))
"""


def listed(*names: str) -> bytes:
    rows = (
        f'[[property]]\nid = "{name}"\nmodule = "tests/test_p.py"\nnodeid = "tests/test_p.py::test_{name}"\n'
        for name in names
    )
    return "\n".join(['[collect]\naddopts = "-p no:hypothesispytest -p no:xdist -p no:cov"\n', *rows]).encode()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    files = {
        "contracts/properties.toml": listed("proves", "vacuous", "red", "hangs"),
        "src/__init__.py": b"",
        "src/product.py": PRODUCT,
        "tests/test_p.py": TESTS,
    }
    return Lab(tmp_path_factory.mktemp("audit"), files=files)


def run(lab: Lab, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gatekeeper", "properties", "audit", *arguments, "--repo", str(lab.work)],
        env=hermetic_env(lab.home, PYTHONPATH=str(CHECKOUT), **env),
        cwd=lab.home,
        capture_output=True,
        text=True,
        check=False,
    )


def chosen(*names: str) -> list[str]:
    return [word for name in names for word in ("--id", name)]


def test_what_nothing_breaks_is_vacuous(lab: Lab, tmp_path: Path) -> None:
    arguments = [*chosen("proves", "vacuous", "red"), "--mutants", "1", "--output-format", "json"]
    done = run(lab, "--run", *arguments, TMPDIR=str(tmp_path))
    runs: dict[str, dict[str, Any]] = {one["id"]: one for one in json.loads(done.stdout)["runs"]}
    assert {name: one["verdict"] for name, one in runs.items()} == {
        "proves": "proves",
        "vacuous": "vacuous",
        "red": "not judged",
    }
    assert runs["vacuous"]["survivors"] == ["src/product.py:2: double raises"]
    assert runs["red"]["why"] == "it does not pass as it is: it fails"
    assert done.returncode == 1
    assert "running 3 of the project's tests" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_run_that_hangs_is_ended(lab: Lab) -> None:
    done = run(lab, "--run", *chosen("hangs"), "--timeout", "2")
    assert "hangs: not judged: it does not pass as it is: timeout" in done.stdout


def test_the_interpreter_is_named(lab: Lab) -> None:
    done = run(lab, "--run", *chosen("proves"), "--python", "/nowhere/python")
    assert done.returncode == 3
    assert "cannot run /nowhere/python" in done.stderr


def test_no_hook_runs_it(lab: Lab) -> None:
    done = run(lab, "--run", GIT_DIR=str(lab.bare))
    assert done.returncode == 3
    assert "which no hook does" in " ".join(done.stderr.split())
