"""What a run report says of the named properties: believed only as far as the tree explains it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from gatekeeper.commands._worktree import WorkTree
from gatekeeper.reports.model import COLLECTION, RUN, Case, Report
from gatekeeper.runs import judge_run

if TYPE_CHECKING:
    from pathlib import Path

LIST = b"""
[[property]]
id = "a"
module = "test_a.py"
nodeid = "test_a.py::test_a"

[[property]]
id = "b"
module = "test_a.py"
nodeid = "test_a.py::test_b"
min_examples = 50
"""
FILES = {
    "test_a.py": "import pytest\n\ndef test_a(): pass\n\n@pytest.mark.parametrize('x', [1, 2])\ndef test_b(x): pass\n",
    "plug/conftest.py": "def pytest_generate_tests(metafunc):\n    metafunc.parametrize('x', open('ids').read())\n",
    "plug/test_p.py": "def test_p(x): pass\n",
}
PASSED = {"test_a.py::test_a": "passed", "test_a.py::test_b[1]": "passed", "test_a.py::test_b[2]": "passed"}
EXAMPLES = {"test_a.py::test_b[1]": 50, "test_a.py::test_b[2]": 99}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> WorkTree:
    top: Path = tmp_path_factory.mktemp("tree")
    for name, text in FILES.items():
        (top / name).parent.mkdir(exist_ok=True)
        (top / name).write_text(text)
    return WorkTree(os.fsencode(top))


def said(tree: WorkTree, report: Report, missing: tuple[str, ...] = ()) -> list[str]:
    return [fault.message for fault in judge_run(LIST, tree, report, missing, 60.0)]


def ran(outcomes: dict[str, str], examples: dict[str, int]) -> Report:
    return Report(RUN, "lines", tuple(outcomes), outcomes=outcomes, examples=examples, complete=True)


def test_what_ran_with_enough_examples(tree: WorkTree) -> None:
    assert said(tree, ran({**PASSED, "plug/test_p.py::test_p[q]": "passed"}, EXAMPLES)) == []


@pytest.mark.parametrize(
    ("report", "problem"),
    [
        (Report(COLLECTION, "text", tuple(PASSED), complete=True), "the run report says what was collected, and not"),
        (Report(RUN, "text", faults=("it has no last line",)), "the run report is not believed: it has no last line"),
        (ran({**PASSED, "test_a.py::test_b[3]": "passed"}, EXAMPLES), "the run report has test_a.py::test_b[3], which"),
        (
            ran({**PASSED, "plug/test_p.py::test_q": "passed"}, EXAMPLES),
            "the run report has plug/test_p.py::test_q, wh",
        ),
        (ran({**PASSED, "test_a.py::test_a": "xfailed"}, EXAMPLES), "a: test_a.py::test_a was expected to fail"),
        (ran(PASSED, {**EXAMPLES, "test_a.py::test_b[2]": 49}), "b: test_a.py::test_b[2] ran with 49 examples, and 50"),
        (
            Report(RUN, "junit", cases=(Case("test_a", "test_a", "", "passed"),), complete=True),
            "b: test_a.py::test_b is not",
        ),
    ],
)
def test_what_proves_nothing(tree: WorkTree, report: Report, problem: str) -> None:
    (found,) = said(tree, report)
    assert found.startswith(problem)


def test_what_is_missing_is_said_once(tree: WorkTree) -> None:
    only = ran({"test_a.py::test_a": "passed"}, {})
    assert said(tree, only, ("test_a.py::test_b",)) == []
