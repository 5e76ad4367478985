"""Run one property in a copy of a revision, in a process group of its own with a clean environment and a time limit."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from gatekeeper.errors import UsageError
from gatekeeper.model import EXECUTABLE, FILE, SYMLINK, TREE
from gatekeeper.reports import junit
from gatekeeper.reports.model import PASSED, SKIPPED, XFAILED, Unusable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from gatekeeper.contracts.properties import Property
    from gatekeeper.source.collection.items import Invocation
    from gatekeeper.source.gitfiles import Tree

_HOOKS = ("GIT_DIR", "GIT_QUARANTINE_PATH", "GIT_EXEC_PATH", "GATEKEEPER_ACTOR")
PASSES, FAILS, OTHER = "passes", "fails", "other"
_TESTS_FAILED = 1
_SHOWN = 300


class Outcome(NamedTuple):
    """How a run ended; ``why`` is what was last said where it neither passed nor failed."""

    kind: str
    why: str = ""


def refuse_in_a_hook(environment: Mapping[str, str]) -> None:
    """A hook must never execute what was pushed.

    Raises:
        UsageError: git has started this process.
    """
    found = [name for name in _HOOKS if name in environment]
    if found:
        raise UsageError(
            f"--run executes the project's code, which no hook does ({found[0]} is set)",
            fix="run it in a job of its own, or at a desk",
        )


def copy(tree: Tree, top: Path) -> None:
    """Write a tree to an empty directory; submodules are left out."""
    for path, mode in _walk(tree, b""):
        place = top / os.fsdecode(path)
        data = tree.read(path)
        if data is None:
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if mode == SYMLINK:
            place.symlink_to(os.fsdecode(data))
        else:
            place.write_bytes(data)
            place.chmod(0o755 if mode == EXECUTABLE else 0o644)


def _walk(tree: Tree, path: bytes) -> Iterator[tuple[bytes, int]]:
    for entry in tree.entries(path):
        inner = path + b"/" + entry.name if path else entry.name
        if entry.mode == TREE:
            yield from _walk(tree, inner)
        elif entry.mode in (FILE, EXECUTABLE, SYMLINK):
            yield inner, entry.mode


class Trial:
    """Runs of single properties in a copy.

    Args:
        top: the copy; its parent takes what the runs write. python: the interpreter of the suite.
        how: how pytest is run. roots: import roots of the copy. seconds: for one run.
    """

    def __init__(self, top: Path, python: str, how: Invocation, roots: Sequence[str], seconds: float) -> None:
        self._top = top
        self._python = python
        self._how = how
        self._roots = roots
        self._seconds = seconds

    def run(self, row: Property) -> Outcome:
        """Run one property as the copy now is."""
        report = self._top.parent / "report.xml"
        report.unlink(missing_ok=True)
        command = [self._python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
        code, said = self._execute([*command, "-o", "junit_family=xunit1", *self._options(), self._address(row)])
        if code is None:
            return Outcome(FAILS, "timeout")
        if code == _TESTS_FAILED:
            return Outcome(FAILS)
        if code == 0:
            outcomes = _outcomes(report)
            if PASSED in outcomes and outcomes <= {PASSED, SKIPPED, XFAILED}:
                return Outcome(PASSES)
            return Outcome(OTHER, f"nothing passed, but {', '.join(sorted(outcomes)) or 'nothing'}")
        return Outcome(OTHER, f"pytest ended with {code}: {said.strip()[-_SHOWN:]}")

    def _execute(self, command: Sequence[str]) -> tuple[int | None, str]:
        """The exit code, None after the time limit, and the output."""
        try:
            process = subprocess.Popen(  # noqa: S603 (what --run is for, and what it says that it does)
                command,
                cwd=self._top / self._how.cwd,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise UsageError(
                f"cannot run {self._python}: {error.strerror}", fix="name the suite's interpreter: --python PATH"
            ) from None
        try:
            output, _ = process.communicate(timeout=self._seconds)
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            _end(process.pid)
            process.wait()
        return process.returncode, output.decode("utf-8", "replace")

    def _environment(self) -> dict[str, str]:
        scratch = str(self._top.parent)
        roots = os.pathsep.join(str(self._top / root) for root in self._roots)
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "SYSTEMROOT") if name in os.environ}
        return {
            **kept,
            "HOME": scratch,
            "TMPDIR": scratch,
            "PYTHONPATH": roots,  # before what is installed, which may be the project itself
            "PYTHONDONTWRITEBYTECODE": "1",  # a broken file may be as old and as long as the one before it
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self._top.parent / "examples"),
            "PYTEST_ADDOPTS": self._how.addopts,
        }

    def _options(self) -> list[str]:
        """The words of the command line that are no paths of the tree."""
        start = self._top / self._how.cwd
        return [word for word in self._how.args if not (start / word.partition("::")[0]).exists()]

    def _address(self, row: Property) -> str:
        """The property as an argument: its file as seen from where pytest is run."""
        path = os.path.relpath(self._top / row.module, self._top / self._how.cwd)
        return f"{path}::{row.nodeid.partition('::')[2]}"


def _end(pid: int) -> None:
    """End a whole process group, what a test has left behind included."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _outcomes(report: Path) -> set[str]:
    try:
        return {case.outcome for case in junit.read(report.read_bytes()).cases}
    except (OSError, Unusable):
        return set()
