"""What the installation's tests share: bare repositories, snapshots of them, the commands as a person runs them."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.support.git import Git, hermetic_env
from tests.support.lab import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.git import Result

SCRIPT = CHECKOUT / "install.sh"

POWERLESS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
"""Before a command: modes stop it as they stop everybody. Without these two capabilities root is not let through."""

FILES = {
    "src/pkg.py": b"X = 1\n",
    "tests/test_pkg.py": b"def test_x():\n    assert True\n",
}


@dataclass(frozen=True, slots=True)
class Ran:
    """A finished command; ``out`` and ``err`` are what it printed."""

    code: int
    out: str
    err: str

    @property
    def all(self) -> str:
        """Everything that it printed."""
        return self.out + self.err


@dataclass(frozen=True, slots=True)
class World:
    """A directory for one test, with a home of its own."""

    root: Path

    @property
    def home(self) -> Path:
        """HOME of everything that is run."""
        path = self.root / "home"
        path.mkdir(exist_ok=True)
        return path

    def env(self, **more: str) -> dict[str, str]:
        """A hermetic environment in which our package can be imported from the checkout."""
        return hermetic_env(self.home, PYTHONPATH=str(CHECKOUT), **more)

    def bare(self, name: str = "project.git", *options: str) -> Path:
        """A bare repository without a commit."""
        path = self.root / name
        Git(self.root, self.home).out(
            "init", "--quiet", "--bare", "--template=", "--initial-branch=main", *options, path
        )
        return path

    def clone_of(self, bare: Path, name: str = "clone") -> Git:
        """A clone of ``bare`` with one commit on ``main``, not pushed."""
        path = self.root / name
        # Not `git clone`: of an empty repository it takes the object format only since git 2.41.
        form = Git(bare, self.home).out("rev-parse", "--show-object-format")
        Git(self.root, self.home).out(
            "init", "--quiet", "--template=", f"--object-format={form}", "--initial-branch=main", path
        )
        clone = Git(path, self.home)
        clone.out("config", "gc.auto", "0")
        clone.out("remote", "add", "origin", bare)
        for file, content in FILES.items():
            (path / file).parent.mkdir(exist_ok=True)
            (path / file).write_bytes(content)
        clone.out("add", "--all")
        clone.out("commit", "--quiet", "--message", "Import")
        return clone

    def run(self, *words: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> Ran:
        """Run a command to its end."""
        done = subprocess.run(
            [str(word) for word in words],
            cwd=cwd or self.root,
            env=self.env() if env is None else env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def gatekeeper(self, *words: str | Path, env: dict[str, str] | None = None) -> Ran:
        """``gatekeeper WORDS``."""
        return self.run(sys.executable, "-m", "gatekeeper", *words, env=env)

    def install(self, *words: str | Path) -> Ran:
        """``gatekeeper install WORDS``, which must succeed."""
        ran = self.gatekeeper("install", *words)
        assert ran.code == 0, ran.all
        return ran

    def script(self, *words: str | Path, **env: str) -> Ran:
        """``./install.sh WORDS`` with an environment made beforehand, so that nothing is built."""
        ready = {"GATEKEEPER_ENV": str(self.ready()), "PYTHON": sys.executable}
        return self.run("sh", SCRIPT, *words, env=hermetic_env(self.home, **{**ready, **env}))

    def ready(self) -> Path:
        """An environment with our command in it, as a distribution or an image would have it."""
        command = self.root / "ready/bin/gatekeeper"
        if not command.exists():
            command.parent.mkdir(parents=True)
            code = (
                f"import sys; sys.path.insert(0, {str(CHECKOUT)!r}); from gatekeeper.commands.main import main; main()"
            )
            command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(code)} "$@"\n')
            command.chmod(0o755)
        return command.parents[1]

    def hook(self, path: Path, text: str, mode: int = 0o755) -> Path:
        """Write a hook of somebody's."""
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path


def push(clone: Git, refspec: str, actor: str = "bot") -> Result:
    """Push to origin as ``actor``; what ``post-receive`` starts has ended, too, when this returns."""
    return clone.push("origin", refspec, env={"GATEKEEPER_ACTOR": actor, "GATEKEEPER_FOREGROUND": "1"})


def agent_commit(clone: Git, path: str, content: bytes = b"Y = 2\n") -> str:
    """Commit one file on top of the trusted branch; returns the commit's id."""
    clone.out("checkout", "--quiet", "--force", "-B", "work", "main")
    (clone.cwd / path).parent.mkdir(parents=True, exist_ok=True)
    (clone.cwd / path).write_bytes(content)
    clone.out("add", "--all")
    clone.out("commit", "--quiet", "--message", f"Write {path}")
    return clone.out("rev-parse", "HEAD")


def snapshot(directory: Path) -> dict[str, tuple[int, bytes]]:
    """Every file, link and directory below ``directory`` with its mode and content."""
    found: dict[str, tuple[int, bytes]] = {}
    for path in sorted(directory.rglob("*")):
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            content = os.fsencode(path.readlink())
        else:
            content = path.read_bytes() if stat.S_ISREG(mode) else b""
        found[str(path.relative_to(directory))] = (mode, content)
    return found
