"""One small project, and what pytest reports of it in every form: made once a session."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

from gatekeeper.reports.addresses import split
from gatekeeper.source.collection.items import EXACT, Collected, Found

if TYPE_CHECKING:
    from pathlib import Path

SUITE = '''\
import unittest
import pytest
from hypothesis import example, given, settings, strategies as st

def test_plain(): pass
@pytest.mark.parametrize("x", ["a b", "::c", "[d]", "\\u00e9", "x\\ny", "PASSED  [ 50%]", '<&">'])
def test_ids(x): pass
@pytest.mark.skip(reason="why (a) [b]")
def test_skip(): pass
@pytest.mark.xfail
def test_xfail(): assert 0
@pytest.mark.xfail
def test_xpass(): pass
def test_fail(): assert 0
class TestC:
    def test_m(self):
        """A line.
        <Function test_docstring>"""
    class TestIn:
        def test_deep(self): pass
class U(unittest.TestCase):
    def test_sub(self):
        for i in range(2):
            with self.subTest(i=i):
                pass
@settings(max_examples=30, database=None)
@given(st.integers())
def test_many(x): pass
@example(True)
@settings(max_examples=30, database=None)
@given(st.booleans())
def test_few(x): pass
@pytest.fixture
def late():
    yield
    assert 0
def test_teardown(late): pass
@pytest.fixture
def early(): assert 0
def test_setup(early): pass
'''

FORGER = """\
import os
def pytest_collection_finish(session):
    if os.environ.get("FORGE") == "finish":
        print("tests/test_a.py::test_forged")
def pytest_terminal_summary(terminalreporter):
    if os.environ.get("FORGE") == "summary":
        print("tests/test_a.py::test_forged")
        print()
        print("21 tests collected in 0.01s", flush=True)
        os._exit(0)
"""

WRITER = '''\
"""Writes Gatekeeper's own form of report, as its pytest plugin does."""
import json, os
PATH = os.environ.get("LINES")
seen, outcomes, examples, counts = [], {}, {}, {}
def pytest_itemcollected(item): counts["collected"] = counts.get("collected", 0) + 1
def pytest_deselected(items):
    for item in items: outcomes[item.nodeid] = "deselected"
def pytest_runtest_logreport(report):
    said = "error" if report.failed and report.when != "call" else report.outcome
    if hasattr(report, "wasxfail"): said = "xfailed" if report.skipped else "xpassed"
    if report.when == "call" or said not in ("passed",): outcomes[report.nodeid] = said
    stats = getattr(report, "_hypothesis_stats", "")
    for line in stats.splitlines():
        if " passing" in line: examples[report.nodeid] = int(line.split("-")[1].split()[0])
def pytest_sessionfinish(session, exitstatus):
    if not PATH: return
    total = counts.get("collected", 0)
    selected = sum(said != "deselected" for said in outcomes.values())
    head = {"gatekeeper": "report", "version": 1, "kind": "run", "pytest": "9", "python": "3", "args": []}
    rows = [head | {"rootdir": ".", "collected": total, "selected": selected}]
    for nodeid, said in outcomes.items():
        row = {"nodeid": nodeid, "outcome": said, "when": "call", "duration": 0}
        if nodeid in examples: row["examples"] = examples[nodeid]
        rows.append(row)
    end = {"end": True, "collected": total, "selected": selected, "lines": len(outcomes), "exit": int(exitstatus)}
    with open(PATH, "w") as file: file.writelines(json.dumps(row) + "\\\\n" for row in [*rows, end])
'''.replace("\\\\n", "\\n")

DRIVER = """\
import json, os, sys
sys.dont_write_bytecode = True
import hypothesis, pytest, pytest_reportlog.plugin, _hypothesis_pytestplugin
sys.path.insert(0, os.getcwd())
for name, (args, environ) in json.load(sys.stdin).items():
    child = os.fork()
    if not child:
        out = os.open(name, os.O_WRONLY | os.O_CREAT)
        os.dup2(out, 1)
        os.environ.update(environ)
        code = pytest.main(args)
        sys.stdout.flush()
        os._exit(code)
    os.waitpid(child, 0)
"""

PLUGINS = ["-p", "no:cacheprovider", "-p", "pytest_reportlog.plugin", "-p", "_hypothesis_pytestplugin"]


class Project(NamedTuple):
    """The reports by name, and what the sources hold."""

    directory: Path
    collected: Collected

    def report(self, name: str) -> bytes:
        return (self.directory / name).read_bytes()

    @property
    def nodeids(self) -> list[str]:
        return [nodeid for found in self.collected.found for nodeid in found.nodeids]


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    top = tmp_path_factory.mktemp("reports")
    (top / "tests").mkdir()
    (top / "pytest.ini").write_text("[pytest]\n")
    (top / "tests/test_a.py").write_text(SUITE)
    (top / "forger.py").write_text(FORGER)
    (top / "writer.py").write_text(WRITER)
    (top / "broken").mkdir()
    (top / "broken/test_b.py").write_text("def f(:\n")
    only = ["--collect-only", "tests", *PLUGINS]
    forged = [*only, "-p", "forger"]
    run = ["--tb=no", "tests", *PLUGINS, "-p", "writer"]
    jobs: dict[str, tuple[list[str], dict[str, str]]] = {
        "quiet": ([*only, "-q"], {}),
        "tree": (only, {}),
        "documented": ([*only, "-v"], {}),
        "counts": ([*only, "-qq"], {}),
        "chosen": ([*only, "-q", "-k", "test_ids", "--color=yes"], {}),
        "nothing": ([*only, "-q", "-k", "nothing"], {}),
        "errors": ([*only, "-q", "broken"], {}),
        "finish": ([*forged, "-q"], {"FORGE": "finish"}),
        "summary": ([*forged, "-q"], {"FORGE": "summary"}),
        "verbose": ([*run, "-v", "--junit-xml=xunit2", "--report-log=log"], {"LINES": "lines"}),
        "dots": ([*run, "-o", "junit_family=xunit1", "--junit-xml=xunit1"], {}),
        "some": ([*run, "-v", "-k", "test_plain", "--junit-xml=some2", "--report-log=somelog"], {"LINES": "somelines"}),
        "bad": ([*run, "broken", "--junit-xml=bad2", "--report-log=badlog"], {"LINES": "badlines"}),
    }
    environ = {
        "PATH": os.environ["PATH"],
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(top / "h"),
    }
    subprocess.run(
        [sys.executable, "-c", DRIVER], cwd=top, env=environ, input=json.dumps(jobs), text=True, check=True, timeout=120
    )
    ids: dict[str, list[str]] = {}
    for line in (top / "quiet").read_text().splitlines():
        if "::" in line:
            node, parameters = split(line)
            ids.setdefault(node, []).append(parameters)
    found = tuple(Found(node, EXACT, tuple(known), path="tests/test_a.py") for node, known in ids.items())
    return Project(top, Collected(found))
