"""Real pytest over the table of rules: one process for all of them, with any of the pytests that are there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from gatekeeper.source.collection.items import EXACT
from gatekeeper.source.collection.modules import collect_module
from gatekeeper.source.collection.scope import Scope, Settings
from gatekeeper.source.evaluate.interpreter import Interpreter
from gatekeeper.source.files import MemoryFiles
from tests.source.collection.table import CONFTEST

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gatekeeper.source.evaluate.values import Module

DRIVER = r"""
import json, sys
import pytest

class Seen:
    def __init__(self):
        self.nodeids, self.errors = [], []
    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session):
        self.nodeids = [item.nodeid for item in session.items]
    def pytest_collectreport(self, report):
        if report.failed:
            self.errors.append(report.nodeid)

seen = Seen()
sys.dont_write_bytecode = True
words = "--collect-only -q -p no:cacheprovider --import-mode=importlib --continue-on-collection-errors"
pytest.main(words.split(), plugins=[seen])
said = {"nodeids": seen.nodeids, "errors": seen.errors}
said["pytest"] = [int(part) for part in pytest.__version__.split(".")[:2]]
said["python"] = list(sys.version_info[:2])
with open(sys.argv[1], "w") as out:
    json.dump(said, out)
"""


class Real(NamedTuple):
    """What one pytest said: nodeids and the nodeids of collectors that failed, by rule; and who said it."""

    nodeids: Mapping[str, list[str]]
    errors: Mapping[str, list[str]]
    pytest: tuple[int, int]
    python: tuple[int, int]


def files_of(name: str, rule: str | dict[str, str]) -> dict[str, str]:
    """The files of one rule, in a directory of its own."""
    given = {f"test_{name}.py": rule} if isinstance(rule, str) else rule
    return {f"r_{name}/{path}": text for path, text in given.items()}


def ask(executable: str, rules: Mapping[str, str | dict[str, str]], tmp_path: Path) -> Real:
    """What the pytest of the interpreter ``executable`` collects."""
    for name, rule in rules.items():
        for path, text in files_of(name, rule).items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text)
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    folders = " ".join(f"r_{name}" for name in rules)
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {folders}\n")
    done = subprocess.run(
        [executable, "-c", DRIVER, str(tmp_path / "said.json")],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (tmp_path / "said.json").exists(), done.stdout + done.stderr
    said = json.loads((tmp_path / "said.json").read_text())
    return Real(_by_rule(said["nodeids"]), _by_rule(said["errors"]), tuple(said["pytest"]), tuple(said["python"]))


def _by_rule(nodeids: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for nodeid in nodeids:
        found.setdefault(nodeid.partition("/")[0].removeprefix("r_"), []).append(nodeid)
    return found


class Ours(NamedTuple):
    """What we say of one rule: nodeids, those that we do not know, errors."""

    nodeids: list[str]
    unknown: list[str]
    errors: list[str]


def collect(name: str, rule: str | dict[str, str], pytest: tuple[int, int], python: tuple[int, int]) -> Ours:
    """What is found in the one test module of ``rule``."""
    files = files_of(name, rule)
    present = {path: text.encode() for path, text in files.items()}

    def search(dotted: str, _importer: Module | None) -> str | None:
        path = f"r_{name}/{dotted}.py"
        return path if path in present else None

    interpreter = Interpreter(MemoryFiles(present), search, python=python, platform=sys.platform, steps=1_000_000)
    conftest = f"r_{name}/{CONFTEST}"
    conftests = (interpreter.load(conftest, f"r_{name}.conftest"),) if conftest in present else ()
    path = f"r_{name}/test_{name}.py"
    module = interpreter.load(path, f"test_{name}")
    scope = Scope(interpreter, module, path, conftests, (), Settings(pytest=pytest, python=python))
    gathered = collect_module(scope)
    exact = [nodeid for found in gathered.found if found.verdict == EXACT for nodeid in found.nodeids]
    unknown = [f"{found.node}: {found.reason}" for found in gathered.found if found.verdict != EXACT]
    return Ours(exact, unknown, [trouble.reason for trouble in gathered.errors])
