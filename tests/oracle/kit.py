"""Small trees as text, what real pytest collects of them, and what we do.

A file of cases holds ``## NAME`` for each; lines ``% KEY: VALUE`` say how it is collected, ``@@ PATH`` starts a file
and ``@@ PATH -> TARGET`` is a symbolic link. Keys: ``args`` and ``cwd``; ``addopts`` for PYTEST_ADDOPTS; ``pytest`` and
``python`` the least version. What may stay open is named: ``unknown`` are functions of which the ids, and so whether
they stop the collection, may be unknown, ``conditional`` those whose presence may depend on something; ``opaque``
allows a scope to be not static. Nothing allows a wrong id.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gatekeeper.source.collection.items import EXACT, NOT_STATIC, Collected, Invocation
from gatekeeper.source.collection.session import collect
from gatekeeper.source.files import Link, MemoryFiles

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER = Path(__file__).parent / "cases"
DRIVER = Path(__file__).parent / "driver.py"
PART = re.compile(r"^@@ (.+)$", re.MULTILINE)
WORD = re.compile(r"^% *(\w+): *(.*)$", re.MULTILINE)


class Case(NamedTuple):
    """One tree, how it is collected, and what may stay open."""

    name: str
    files: dict[str, bytes | Link]
    args: tuple[str, ...] = ()
    cwd: str = ""
    addopts: str = ""
    pytest: tuple[int, int] = (0, 0)
    python: tuple[int, int] = (0, 0)
    unknown: frozenset[str] = frozenset()
    conditional: frozenset[str] = frozenset()
    opaque: bool = False


class Real(NamedTuple):
    """What pytest made of one case; paths and nodeids as it says them."""

    code: int
    log: str
    rows: Sequence[Sequence[str]] = ()
    errors: Sequence[str] = ()
    skipped: Sequence[str] = ()
    rootdir: str | None = None
    config: str | None = None


class Run(NamedTuple):
    """What one interpreter's pytest made of some cases."""

    pytest: tuple[int, int]
    python: tuple[int, int]
    real: list[Real | None]


def version(text: str) -> tuple[int, int]:
    major, minor = text.split(".")
    return int(major), int(minor)


def read(path: Path) -> list[Case]:
    """The cases of one file."""
    cases = []
    for block in re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, *parts = PART.split(block)
        words = dict(WORD.findall(head))
        files: dict[str, bytes | Link] = {}
        for name, body in zip(parts[::2], parts[1::2], strict=True):
            place, arrow, target = name.partition(" -> ")
            files[place] = Link(target.encode()) if arrow else body.removeprefix("\n").encode()
        cases.append(
            Case(
                name=head.split()[0],
                files=files,
                args=tuple(shlex.split(words.get("args", ""))),
                cwd=words.get("cwd", ""),
                addopts=words.get("addopts", ""),
                pytest=version(words.get("pytest", "0.0")),
                python=version(words.get("python", "0.0")),
                unknown=frozenset(words.get("unknown", "").split()),
                conditional=frozenset(words.get("conditional", "").split()),
                opaque="opaque" in words,
            )
        )
    return cases


def write(root: Path, files: dict[str, bytes | Link]) -> None:
    """Put a tree on disk."""
    for path, what in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(what, Link):
            place.symlink_to(os.fsdecode(what.target))
        else:
            place.write_bytes(what)


def versions(python: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Of pytest and of the interpreter."""
    code = "import sys, importlib.metadata as m; print(*m.version('pytest').split('.')[:2], *sys.version_info[:2])"
    said = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    return (int(said[0]), int(said[1])), (int(said[2]), int(said[3]))


def run(python: str, cases: list[Case], place: Path) -> Run:
    """Have the pytest of an interpreter collect the cases that its version can; None for the others."""
    pytest, interpreter = versions(python)
    able = [pytest >= case.pytest and interpreter >= case.python for case in cases]
    jobs = []
    for case, can in zip(cases, able, strict=True):
        if can:
            root = place / case.name
            root.mkdir(parents=True)
            write(root, case.files)
            jobs.append({"root": str(root), "cwd": case.cwd, "args": [*case.args], "addopts": case.addopts})
    (place / "jobs").write_text(json.dumps(jobs))
    words = {"PATH": os.environ.get("PATH", ""), "HOME": str(place), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [python, str(DRIVER), str(place / "jobs"), str(place / "answers")]
    done = subprocess.run(command, env=words, cwd=place, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    answers = iter(json.loads((place / "answers").read_text()))
    return Run(pytest, interpreter, [Real(**next(answers)) if can else None for can in able])


def ours(case: Case, pytest: tuple[int, int], python: tuple[int, int]) -> Collected:
    """What we make of a case."""
    how = Invocation(
        cwd=case.cwd, args=case.args, pytest=pytest, python=python, addopts=case.addopts, plugins=("hypothesis",)
    )
    return collect(MemoryFiles(case.files), how)


def differences(case: Case, real: Real, got: Collected) -> list[str]:
    """What is wrong with ``got``: nothing where it is right or, as far as the case allows, honest."""
    theirs: dict[str, list[str]] = {}
    for node, nodeid in real.rows:
        theirs.setdefault(node, []).append(nodeid)
    wrong: list[str] = []
    found: dict[str, list[str]] = {}
    for item in got.found:
        label = item.node.rpartition("::")[2]
        found.setdefault(item.node, []).extend(item.nodeids if item.verdict == EXACT else [])
        if item.verdict != EXACT and label not in case.unknown and not case.opaque:
            wrong.append(f"{item.node}: {item.verdict}: {item.reason}")
        if item.conditions and label not in case.conditional:
            wrong.append(f"{item.node}: conditional: {item.conditions}")
        if item.node not in theirs and not (item.conditions or case.opaque or label in case.unknown):
            wrong.append(f"{item.node}: not collected by pytest")
        elif item.node in theirs and item.verdict == EXACT and sorted(item.nodeids) != sorted(theirs[item.node]):
            wrong.append(f"{item.node}: pytest {theirs[item.node]}, ours {item.nodeids}")
    open_ = {item.node.rpartition("::")[0] for item in got.found if item.verdict == NOT_STATIC}
    wrong += [
        f"{node}: missing"
        for node in theirs
        if node not in found and not (case.opaque and (got.opaque or node.rpartition("::")[0] in open_))
    ]
    return wrong + failures(case, real, got)


def failures(case: Case, real: Real, got: Collected) -> list[str]:
    """Differences in what fails to collect, and in what the collection starts from."""
    wrong = []
    if real.rootdir is not None and not case.opaque:
        rootdir, config = "." if got.rootdir == "" else got.rootdir, got.config
        if (rootdir, config) != (real.rootdir, real.config):
            wrong.append(f"rootdir {real.rootdir}, ours {rootdir}; config {real.config}, ours {config}")
    loose = {item.path for item in got.found if item.node.rpartition("::")[2] in case.unknown}
    failed = {os.path.basename(nodeid.partition("::")[0]) for nodeid in real.errors} - {*map(os.path.basename, loose)}
    said = {os.path.basename(trouble.path) for trouble in got.errors}
    passed = {os.path.basename(nodeid) for nodeid in real.skipped}
    if not (failed <= said <= failed | passed or case.opaque):
        wrong.append(f"errors in {sorted(failed)}, ours {[tuple(one) for one in got.errors]}\n{real.log[-600:]}")
    if got.opaque and not case.opaque:
        wrong.append(f"not static: {[tuple(one) for one in got.opaque]}")
    return wrong
