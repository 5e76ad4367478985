"""Timed pushes: one clone, several hooks in turn, so that a drift of the machine meets all of them alike."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from typing import TYPE_CHECKING

import gatekeeper

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CHECKOUT = Path(__file__).resolve().parents[2]
SITE = os.pathsep.join([str(Path(gatekeeper.__file__).parents[1]), sysconfig.get_path("purelib")])
SCRIPT = '#!/bin/sh\nexec {python} -I -c "{code}"\n'
HOOKS: Mapping[str, str | None] = {
    "no hook": None,
    "empty": SCRIPT.format(python=sys.executable, code="import sys; sys.stdin.read()"),
    "pygit2": SCRIPT.format(python=sys.executable, code="import pygit2, sys; sys.stdin.read()"),
    "gate": (CHECKOUT / "hooks/pre-receive").read_text().replace("@PYTHON@", sys.executable).replace("@SITE@", SITE),
}
POLICY = 'version = 1\nmode = "enforce"\n[identity]\nsource = "ssh"\n[lanes]\nhuman = ["alice"]\n'
ENV = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GATEKEEPER_ACTOR": "bot",
    **{
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "B"), ("EMAIL", "b@x"))
    },
}


def git(place: Path, *arguments: str, stdin: bytes = b"") -> str:
    """Output of a git command that must succeed."""
    done = subprocess.run(["git", "-C", str(place), *arguments], input=stdin, env=ENV, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace')}")
    return done.stdout.decode(errors="replace").strip()


class Bench:
    """A bare repository under measurement and the clone that pushes to it."""

    def __init__(self, bare: Path, work: Path, base: str) -> None:
        self.bare, self.work, self.base = bare, work, base
        (bare / "gatekeeper").mkdir()
        (bare / "gatekeeper/policy.toml").write_text(POLICY)
        git(bare, "config", "receive.autogc", "false")
        subprocess.run(["git", "clone", "--quiet", "--bare", "--shared", str(bare), str(work)], check=True, env=ENV)
        self._number = 0

    def patch(self, paths: list[str], commits: int = 1) -> str:
        """A branch of ``commits`` new commits; each writes every one of ``paths`` anew."""
        lines = [b"reset refs/heads/patch\nfrom %s\n" % self.base.encode()]
        for _ in range(commits):
            self._number += 1
            stamp = b"B <b@example.invalid> %d +0000" % (1_700_000_000 + self._number)
            lines.append(b"commit refs/heads/patch\ncommitter %s\ndata 1\nx\n" % stamp)
            for path in paths:
                text = b"VALUE = %d\n" % self._number
                lines.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(text), text))
        git(self.work, "fast-import", "--quiet", "--force", stdin=b"".join(lines))
        return git(self.work, "rev-parse", "refs/heads/patch")

    def hook(self, text: str | None) -> None:
        """Install a hook, or none."""
        path = self.bare / "hooks/pre-receive"
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        if text is not None:
            path.write_text(text)
            path.chmod(0o755)

    def push(self, head: str) -> float:
        """Seconds that pushing ``head`` to a fresh agent branch took."""
        self._number += 1
        start = time.perf_counter()
        git(self.work, "push", "--quiet", str(self.bare), f"{head}:refs/heads/agent/b{self._number}")
        taken = time.perf_counter() - start
        git(self.bare, "update-ref", "-d", f"refs/heads/agent/b{self._number}")
        return taken


def compare(runs: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Every run once a round, in an order that turns, after one round that is not counted."""
    taken: dict[str, list[float]] = {name: [] for name in runs}
    names = list(runs)
    for number in range(rounds + 1):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            seconds = runs[name]()
            if number:
                taken[name].append(seconds)
    return taken


def ratio(taken: Mapping[str, list[float]], left: str, right: str) -> float:
    """Median of the ratios, pair by pair."""
    return statistics.median(a / b for a, b in zip(taken[left], taken[right], strict=True))


def show(title: str, taken: Mapping[str, list[float]]) -> None:
    """Print medians and minima in milliseconds."""
    for name, seconds in taken.items():
        low, middle = min(seconds) * 1e3, statistics.median(seconds) * 1e3
        print(f"{title:<28} {name:<12} median {middle:8.1f} ms   min {low:8.1f} ms")


def peak_memory(bare: Path, head: str) -> int:
    """Peak resident set of the gate's own process in MiB, judging one new ref of a repository that has the objects.

    Read from the process itself: what a parent is told of a child includes the parent's own size before the exec.
    """
    line = f"{'0' * len(head)} {head} refs/heads/agent/memory\n".encode()
    code = (
        "import os, sys; sys.path[0:0] = sys.argv[1].split(':'); from gatekeeper.entry.pre_receive import main;"
        "code = main(['none']); print(code, open('/proc/self/status').read(), flush=True)"
    )
    command = [sys.executable, "-I", "-S", "-c", code, SITE]
    done = subprocess.run(command, input=line, cwd=bare, env={**ENV, "GIT_DIR": "."}, capture_output=True, check=True)
    status = dict(row.split(":", 1) for row in done.stdout.decode().splitlines() if ":" in row)
    return int(status["VmHWM"].split()[0]) // 1024
