"""A hermetic git: every test sees the same configuration, the same person and the same clock, on any machine."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Arg = str | bytes | os.PathLike[str]

DATE = 1_700_000_000
"""Seconds since the epoch: when everything that carries a date in a test happened."""


def hermetic_env(home: Path, **more: str) -> dict[str, str]:
    """Make a whole environment for a git process: nothing of the host's but PATH and what measures the tests."""
    measuring = {name: value for name, value in os.environ.items() if name.startswith(("COVERAGE_", "MUTANT_"))}
    return {
        **measuring,
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LC_ALL": "C",
        "TZ": "UTC",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": "Alice",
        "GIT_AUTHOR_EMAIL": "alice@example.invalid",
        "GIT_AUTHOR_DATE": f"{DATE} +0000",
        "GIT_COMMITTER_NAME": "Alice",
        "GIT_COMMITTER_EMAIL": "alice@example.invalid",
        "GIT_COMMITTER_DATE": f"{DATE} +0000",
        **more,
    }


@dataclass(frozen=True, slots=True)
class Result:
    """What a finished process left: ``stdout`` in bytes (paths are bytes), ``stderr`` as text with the rest escaped."""

    args: tuple[Arg, ...]
    returncode: int
    stdout: bytes
    stderr: str

    @property
    def text(self) -> str:
        """Standard output as text, without the last newline."""
        return self.stdout.decode(errors="backslashreplace").removesuffix("\n")

    @property
    def remote(self) -> tuple[str, ...]:
        """The lines that the server sent, without the ``remote: `` prefix and git's trailing padding.

        Split at newlines only: a carriage return that reached the pusher stays visible in its line.
        """
        lines = self.stderr.split("\n")
        return tuple(line.removeprefix("remote: ").rstrip(" ") for line in lines if line.startswith("remote: "))

    @property
    def codes(self) -> frozenset[str]:
        """The rule codes in what the server sent."""
        return frozenset(code for line in self.remote for code in re.findall(r"\bGK\d{3}\b", line))


class GitFailed(AssertionError):
    """A git process that a test relied upon ended with a non-zero status."""

    def __init__(self, result: Result) -> None:
        super().__init__(f"{result.args!r} ended with {result.returncode}\n{result.stderr}{result.text}")


@dataclass(frozen=True, slots=True)
class Git:
    """Git processes in one directory (a work tree or a git directory) with a hermetic environment."""

    cwd: Path
    home: Path
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables on top of :func:`hermetic_env`."""

    def run(self, *args: Arg, input: bytes = b"", env: Mapping[str, str] | None = None) -> Result:  # noqa: A002
        """Run ``git ARGS`` to its end, whatever the end is."""
        done = subprocess.run(
            ["git", *args],
            cwd=self.cwd,
            env=hermetic_env(self.home, **{**self.env, **(env or {})}),
            input=input,
            capture_output=True,
            check=False,
        )
        return Result(args, done.returncode, done.stdout, done.stderr.decode(errors="backslashreplace"))

    def raw(self, *args: Arg, input: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:  # noqa: A002
        """Give the standard output of a git process.

        Raises:
            GitFailed: it ended with a non-zero status.
        """
        result = self.run(*args, input=input, env=env)
        if result.returncode:
            raise GitFailed(result)
        return result.stdout

    def out(self, *args: Arg, input: bytes = b"", env: Mapping[str, str] | None = None) -> str:  # noqa: A002
        """Give the standard output as text, stripped; raises like :meth:`raw`."""
        return self.raw(*args, input=input, env=env).decode(errors="backslashreplace").strip()

    def push(self, url: Arg, *refspecs: Arg, env: Mapping[str, str] | None = None) -> Result:
        """``git push URL REFSPECS`` (options may stand among the refspecs), accepted or not."""
        return self.run("push", url, *refspecs, env=env)
