"""What the bench of collection needs on a machine that has nothing: releases, environments, and what pytest says."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.bench.collection_projects import PEERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.bench.collection_projects import Project

PLUGIN = '''
"""Writes every collected item as JSON: its node without parameters, then its whole nodeid."""
import json, os


def pytest_collection_finish(session):
    rows = []
    for item in session.items:
        name = getattr(item, "originalname", None)
        node = f"{item.parent.nodeid}::{name}" if name and "[" in item.name else item.nodeid
        rows.append((node, item.nodeid))
    with open(os.environ["NODEIDS"], "w", encoding="utf-8", errors="surrogatepass") as file:
        json.dump(rows, file)
'''


class Spent(NamedTuple):
    """What a process and its children took: CPU seconds, what it printed, its exit code."""

    cpu: float
    said: str
    code: int


def spend(command: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> Spent:
    """Run a command to its end."""
    before = os.times()
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, check=False)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Spent(cpu, (done.stdout + done.stderr).decode(errors="replace"), done.returncode)


def pip(*words: str) -> None:
    """Let this interpreter's pip do something, from wherever it is set up to look."""
    subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check", *words], check=True)


def environment(place: Path, needs: Sequence[str]) -> str:
    """The interpreter of an environment that has ``needs``, made where there is none."""
    python = place / "bin/python"
    ready = place / "ready"
    if not ready.exists():
        venv.create(place, clear=True, with_pip=False, symlinks=True)
        pip("--python", str(python), "install", "--quiet", "--no-compile", *needs)
        ready.write_text("\n".join(needs))
    return str(python)


def sources(project: Project, cache: Path) -> Path:
    """The top of the release's tree, with its tests."""
    place = cache / project.name / "tree"
    if not place.exists():
        boxes, partial = cache / project.name / "archive", cache / project.name / "partial"
        kind = "--only-binary" if project.wheel else "--no-binary"
        pip("download", "--quiet", "--no-deps", kind, project.name, "--dest", str(boxes), project.release)
        shutil.rmtree(partial, ignore_errors=True)
        (box,) = boxes.iterdir()
        if project.wheel:
            with zipfile.ZipFile(box) as opened:
                opened.extractall(partial)
            partial.rename(place)
        else:
            with tarfile.open(box) as archive:
                archive.extractall(partial, filter="data")
            next(partial.iterdir()).rename(place)
            partial.rmdir()
    return place


class Real:
    """pytest itself on one release: the oracle."""

    def __init__(self, project: Project, cache: Path) -> None:
        self.project, self.tree = project, sources(project, cache)
        self._home = cache / project.name
        self._python = environment(self._home / "env", (f"pytest=={project.pytest}", project.release, *project.needs))
        (self._home / "plugin").mkdir(exist_ok=True)
        (self._home / "plugin/nodeids_as_json.py").write_text(PLUGIN)

    def run(self) -> Spent:
        """Collect once."""
        plugins = [word for name in self.project.plugins for word in ("-p", name)]
        script = str(
            Path(self._python).with_name("pytest")
        )  # ``python -m`` would put the working directory on the path
        command = [script, *plugins, "-p", "nodeids_as_json", "-p", "no:cacheprovider"]
        words = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON", "COV_"))},
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(self._home / "plugin"),
            "NODEIDS": str(self._home / "nodeids.json"),
        }
        spent = spend([*command, "--collect-only", "-q", *self.project.args], self.tree, words)
        (self._home / "pytest.log").write_text(f"{spent.cpu}\n{spent.code}\n{spent.said}")
        return spent

    def kept(self) -> Spent:
        """What the last run took, of which the nodeids are kept; run now where there was none."""
        log = self._home / "pytest.log"
        if not log.exists():
            return self.run()
        cpu, code, said = log.read_text().split("\n", 2)
        return Spent(float(cpu), said, int(code))

    def nodeids(self) -> list[tuple[str, str]]:
        """Node without parameters and whole nodeid of every item, in order; collected now if that was never done."""
        kept = self._home / "nodeids.json"
        if not kept.exists():
            spent = self.run()
            if not kept.exists():
                raise RuntimeError(f"{self.project.name}: pytest collects nothing:\n{spent.said[-4000:]}")
        return [(node, nodeid) for node, nodeid in json.loads(kept.read_text(errors="surrogatepass"))]


def peers(cache: Path) -> Path:
    """Where the programs of the other static collectors are."""
    return Path(environment(cache / "peers", PEERS)).parent
