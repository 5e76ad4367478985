"""Real pytest over small trees, as the oracle: many trees a process, since starting pytest is what costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from gatekeeper.source.files import Link, MemoryFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

Tree = dict[str, str | Link]

NEWEST = (9, 2)
DRIVER = r"""
import json, os, sys, traceback
import pytest, _pytest.python, _pytest.doctest, _pytest.unittest
sys.dont_write_bytecode = True

class Seen:
    def __init__(self):
        self.said = {"nodeids": [], "errors": [], "deselected": 0}
    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session):
        self.said["nodeids"] = [item.nodeid for item in session.items]
    def pytest_deselected(self, items):
        self.said["deselected"] += len(items)
    def pytest_collectreport(self, report):
        if report.failed:
            self.said["errors"].append(report.nodeid)
    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session):
        config = session.config
        self.said["rootdir"] = str(config.rootpath)
        self.said["file"] = str(config.inipath) if config.inipath else None
        self.said["args"] = list(config.args)

def one(case):
    os.chdir(case["cwd"])
    os.environ["PYTEST_ADDOPTS"] = case["addopts"]
    sys.path[:] = [path for path in sys.path if path not in ("", os.getcwd())]
    seen = Seen()
    code = pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", *case["args"]], plugins=[seen])
    return {**seen.said, "code": int(code)}

for line in sys.stdin:
    case = json.loads(line)
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        try:
            said = one(case)
        except BaseException:
            said = {"nodeids": [], "errors": [], "deselected": 0, "code": 4, "crashed": traceback.format_exc()}
        with open(write, "w") as out:
            json.dump(said, out)
        os._exit(0)
    os.close(write)
    with open(read) as answer:
        print(answer.read(), flush=True)
    os.waitpid(child, 0)
"""


class Case(NamedTuple):
    """A tree and how pytest is run over it."""

    files: Mapping[str, str | Link]
    args: Sequence[str] = ()
    cwd: str = ""
    addopts: str = ""


class Said(NamedTuple):
    """What pytest says, with paths from the top of the tree; ``code`` is its exit code, 4 also where it crashes."""

    nodeids: list[str]
    errors: list[str]
    deselected: int
    rootdir: str | None
    file: str | None
    code: int
    crashed: str = ""

    @property
    def collected(self) -> list[str]:
        """What would be run, each once: nothing after a usage error."""
        return [] if self.code == 4 else list(dict.fromkeys(self.nodeids))


def memory(files: Mapping[str, str | Link]) -> MemoryFiles:
    return MemoryFiles({path: what if isinstance(what, Link) else what.encode() for path, what in files.items()})


def write(files: Mapping[str, str | Link], top: Path) -> None:
    for path, what in files.items():
        place = top / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(what, Link):
            place.symlink_to(os.fsdecode(what.target))
        else:
            place.write_text(what, encoding="utf-8", newline="")


def pytests() -> list[str]:
    """This interpreter and those of which the environment gives more."""
    return [sys.executable, *filter(None, os.environ.get("GATEKEEPER_TEST_PYTESTS", "").split(os.pathsep))]


def ask(cases: Mapping[str, Case], top: Path, python: str = sys.executable) -> dict[str, Said]:
    """What pytest collects in each case."""
    lines = []
    for name, case in cases.items():
        write(case.files, top / name)
        lines.append(json.dumps({"cwd": str(top / name / case.cwd), "args": list(case.args), "addopts": case.addopts}))
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV", "PYTHON"))
    }
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    run = subprocess.run(
        [python, "-c", DRIVER],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=top,
    )
    answers = run.stdout.splitlines()
    return {name: _said(json.loads(answer), top / name) for name, answer in zip(cases, answers, strict=True)}


def _said(answer: dict[str, object], top: Path) -> Said:
    def inside(path: object) -> str | None:
        if not isinstance(path, str):
            return None
        text = os.path.relpath(path, top)
        return "" if text == "." else text

    return Said(
        nodeids=[str(name) for name in answer["nodeids"]],  # type: ignore[attr-defined]
        errors=[str(name) for name in answer["errors"]],  # type: ignore[attr-defined]
        deselected=int(str(answer["deselected"])),
        rootdir=inside(answer.get("rootdir")),
        file=inside(answer.get("file")),
        code=int(str(answer["code"])),
        crashed=str(answer.get("crashed", "")),
    )


def version_of(python: str, top: Path) -> tuple[int, int]:
    """The version of pytest beside this interpreter."""
    asked = [python, "-c", "import pytest; print(pytest.__version__)"]
    major, minor = subprocess.run(asked, capture_output=True, text=True, check=True, cwd=top).stdout.split(".")[:2]
    return int(major), int(minor)


def varying(
    cases: Mapping[str, Case], version: tuple[int, int], answer: Callable[[Case, tuple[int, int]], object]
) -> dict[str, Case]:
    """The cases that are worth their time, all where the environment has ``GATEKEEPER_TEST_ALL``.

    Of the newest version that is every second one, of an older one those whose answer differs from the newest's.
    """
    if os.environ.get("GATEKEEPER_TEST_ALL"):
        return dict(cases)
    if version >= NEWEST:
        return {name: case for index, (name, case) in enumerate(cases.items()) if not index % 2}
    always = list(cases)[:2]
    return {
        name: case for name, case in cases.items() if name in always or answer(case, version) != answer(case, NEWEST)
    }
