"""Running git for the installer: one function, no inherited repository, messages in one language."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from gatekeeper.errors import RepositoryError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

KEPT = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"})
"""What of the caller's ``GIT_*`` stays: where configuration lives. The rest would point git at another repository."""

TIMEOUT = 120.0
"""Seconds after which a git process is given up."""


def clean_env(env: Mapping[str, str], **extra: str) -> dict[str, str]:
    """``env`` without the variables that redirect git, in the C locale, with ``extra`` on top."""
    kept = {name: value for name, value in env.items() if not name.startswith("GIT_") or name in KEPT}
    return {**kept, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", **extra}


class Git:
    """Git commands against one git directory.

    ``git_dir`` is passed outright: git's own discovery would walk up and take a parent's repository for the one that
    was named.
    """

    def __init__(self, git_dir: Path, env: Mapping[str, str] | None = None) -> None:
        self.git_dir = git_dir
        self.here = git_dir if git_dir.is_dir() else git_dir.parent
        self.env = clean_env(os.environ if env is None else env)

    def run(
        self, *words: str, stdin: bytes = b"", cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run ``git WORDS``; never raises for an exit code.

        Raises:
            RepositoryError: there is no git, or it does not end.
        """
        command = ["git", f"--git-dir={self.git_dir}", *words]
        return run(command, stdin=stdin, cwd=cwd or self.here, env={**self.env, **(env or {})})

    def text(self, *words: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
        """The stripped output of a command that must succeed.

        Raises:
            RepositoryError: it did not; the message is git's own.
        """
        done = self.run(*words, stdin=stdin, env=env)
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip() or f"exit code {done.returncode}"
            raise RepositoryError(f"git {words[0]} failed in {self.git_dir}: {said}")
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def config(self, *words: str) -> str | None:
        """The stripped output of ``git config WORDS``; None when nothing is set.

        Raises:
            RepositoryError: the configuration cannot be read.
        """
        done = self.run("config", *words)
        if done.returncode == 1:
            return None
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip()
            raise RepositoryError(f"git cannot read the configuration of {self.git_dir}: {said}")
        return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")


def run(
    command: Sequence[str], *, stdin: bytes, cwd: Path, env: Mapping[str, str], timeout: float = TIMEOUT
) -> subprocess.CompletedProcess[bytes]:
    """Run ``command`` to its end with its output kept.

    Raises:
        RepositoryError: the program is missing or runs longer than ``timeout`` seconds.
    """
    try:
        return subprocess.run(  # noqa: S603 (a list of words, no shell)
            command, input=stdin, cwd=cwd, env=dict(env), timeout=timeout, check=False, capture_output=True
        )
    except FileNotFoundError as error:
        if command[0] != "git":
            raise
        raise RepositoryError("git is not on PATH", fix="apt install git") from error
    except subprocess.TimeoutExpired as error:
        raise RepositoryError(f"{command[0]} did not end within {timeout:.0f} s in {cwd}") from error
