"""Runs real pytest on every case and writes the verdicts: ``python -m tests.neutralised.run [NAME ...]``."""

from __future__ import annotations

import concurrent.futures
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.neutralised.corpus import CASES, CONTROLS, VERDICTS, Verdict
from tests.neutralised.tree import Case, edited

if TYPE_CHECKING:
    from collections.abc import Iterable

_WAIT = 120
_SEEDS = ("--hypothesis-seed=4", "-p", "_hypothesis_pytestplugin")


def judge(case: Case) -> Verdict:
    """Lay the edited project out, run pytest there as a process of its own, and read what it says."""
    with tempfile.TemporaryDirectory() as top:
        for path, text in edited(case).items():
            file = Path(top, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        code, said = _run(top, "-rA", *case.args)
        outcome, listed = _outcome(said, case.nodeid), case.nodeid in said
        if code == 0 and not listed:
            _, said = _run(top, "--collect-only", "-q", *case.args)
            listed = case.nodeid in said
        return Verdict(code, outcome, listed)


def _run(top: str, *words: str) -> tuple[int, str]:
    kept = ("PATH", "LANG", "LD_LIBRARY_PATH", "SYSTEMROOT")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1", "HOME": top}
    command = [sys.executable, "-m", "pytest", *_SEEDS, *words]
    done = subprocess.run(command, cwd=top, env=environment, capture_output=True, timeout=_WAIT, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def _outcome(said: str, nodeid: str) -> str:
    """The worst word of the summary for the property or one of its parameters."""
    words = set(re.findall(rf"^(?:SUB)?([A-Z]+) {re.escape(nodeid)}(?:\[| |$)", said, re.MULTILINE))
    if not words and re.search(rf"^SKIPPED \[\d+\] {re.escape(nodeid.partition('::')[0])}", said, re.MULTILINE):
        words = {"SKIPPED"}
    order = ("ERROR", "FAILED", "XPASS", "PASSED", "XFAIL", "SKIPPED")
    return next((word.lower() for word in order if word in words), "none")


def judged(cases: Iterable[Case]) -> dict[str, Verdict]:
    """The verdict on each case, two at a time."""
    todo = list(cases)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return dict(zip((case.name for case in todo), pool.map(judge, todo), strict=True))


def main(names: list[str]) -> None:
    """Judge the cases that are named, or all, and keep what was found."""
    every = (*CASES, *CONTROLS)
    found = judged(case for case in every if not names or case.name in names)
    known = json.loads(VERDICTS.read_text("utf-8"))["verdicts"] if VERDICTS.exists() else {}
    known |= {name: list(verdict) for name, verdict in found.items()}
    tools = {name: importlib.metadata.version(name) for name in ("pytest", "hypothesis")}
    tools["python"] = ".".join(map(str, sys.version_info[:2]))
    rows = {case.name: known[case.name] for case in every if case.name in known}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    VERDICTS.write_text(f'{{"tools": {json.dumps(tools)}, "verdicts": {{\n{lines}\n}}}}\n', "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
