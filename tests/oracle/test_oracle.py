"""Real pytest beside ours, id by id: the pytest that runs this, and those that GATEKEEPER_TEST_PYTESTS names."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from tests.oracle.kit import FOLDER, differences, ours, read, run

if TYPE_CHECKING:
    from pathlib import Path

PYTESTS = [sys.executable, *filter(None, os.environ.get("GATEKEEPER_TEST_PYTESTS", "").split(os.pathsep))]
"""Interpreters, each with a pytest."""
CASES = [
    case._replace(name=f"{path.stem}/{case.name}") for path in sorted(FOLDER.glob("*.cases")) for case in read(path)
]


@pytest.mark.parametrize("python", PYTESTS)
def test_as_pytest(python: str, tmp_path: Path) -> None:
    done = run(python, CASES, tmp_path)
    wrong = []
    for case, real in zip(CASES, done.real, strict=True):
        if real is not None:
            found = differences(case, real, ours(case, done.pytest, done.python))
            wrong += [f"{case.name}: {text}" for text in found]
    assert not wrong, f"pytest {done.pytest}, Python {done.python}:\n" + "\n".join(wrong)


def test_cases_have_names_of_their_own() -> None:
    names = [case.name for case in CASES]
    assert len(names) == len(set(names)) > 50
