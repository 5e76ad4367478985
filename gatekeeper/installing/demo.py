"""The demo's stage: a bare repository with the gate in it, a clone, and real pushes from the one to the other."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gatekeeper.errors import RepositoryError
from gatekeeper.installing import apply, policytext, target
from gatekeeper.installing.demo_project import FILES
from gatekeeper.installing.gitcmd import clean_env, run

if TYPE_CHECKING:
    from pathlib import Path

    from gatekeeper.installing.demo_project import Attempt

PERSON, AGENT = "alice", "build-bot"


@dataclass(frozen=True, slots=True)
class Shown:
    """How one push ended: what was typed, the server's lines as they came, and the exit code of its hook."""

    command: str
    lines: tuple[str, ...]
    accepted: bool
    codes: tuple[str, ...]
    exit: int | None

    def as_wanted(self, attempt: Attempt) -> bool:
        """Whether the gate did what it must: the right verdict, for the right reason, with the right exit code."""
        if attempt.rule is None:
            return self.accepted and self.exit == 0
        return not self.accepted and attempt.rule in self.codes and self.exit == attempt.exit


class Stage:
    """``root/project.git`` with the gate, installed by the code that installs it for good, and ``root/clone``."""

    def __init__(self, root: Path) -> None:
        self.bare, self.clone, self.home = root / "project.git", root / "clone", root / "home"
        self.home.mkdir()
        self._pushes = 0
        self._env = clean_env(
            os.environ,
            HOME=str(self.home),
            GIT_CONFIG_GLOBAL=os.devnull,
            GIT_CONFIG_NOSYSTEM="1",
            GIT_AUTHOR_NAME="Build Bot",
            GIT_AUTHOR_EMAIL="build-bot@example.invalid",
            GIT_COMMITTER_NAME="Build Bot",
            GIT_COMMITTER_EMAIL="build-bot@example.invalid",
        )
        self._must(root, "init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(self.bare))
        place = target.bare(self.bare)
        choice = policytext.Choice("ssh", (PERSON,))
        apply.install(place, policytext.text(choice, str(self.bare)), replace_policy=False)
        self._must(root, "clone", "--quiet", "--template=", str(self.bare), str(self.clone))
        self._must(self.clone, "config", "gc.auto", "0")
        for path, text in FILES.items():
            self.write(path, text)
        self.git("checkout", "--quiet", "-B", "main")
        self.commit("Import the project")

    def git(self, *words: str) -> None:
        """Run git in the clone.

        Raises:
            RepositoryError: it failed.
        """
        self._must(self.clone, *words)

    def write(self, path: str, text: str) -> None:
        """Write a file of the clone's work tree."""
        file = self.clone / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def link(self, path: str, to: str) -> None:
        """Make a symbolic link in the clone's work tree."""
        (self.clone / path).symlink_to(to)

    def commit(self, message: str) -> None:
        """Commit everything in the clone's work tree."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def play(self, attempt: Attempt) -> Shown:
        """Start ``attempt`` from what the person imported, let it do its edits and push them as the agent."""
        self.git("checkout", "--quiet", "--force", "-B", attempt.branch, "main")
        attempt.act(self)
        spec = f"{attempt.branch}:{attempt.target}" if attempt.target else attempt.branch
        return self.push(AGENT, spec)

    def push(self, actor: str, spec: str) -> Shown:
        """``git push origin SPEC`` as ``actor``.

        Over a local path our own environment says who that is; over ssh a forced command does.
        """
        self._pushes += 1
        trace = self.home / f"trace-{self._pushes}"
        env = {**self._env, "GATEKEEPER_ACTOR": actor, "GIT_TRACE2_EVENT": str(trace)}
        done = run(["git", "push", "origin", spec], stdin=b"", cwd=self.clone, env=env)
        said = done.stderr.decode("utf-8", "backslashreplace").split("\n")
        lines = tuple(line.removeprefix("remote: ").rstrip() for line in said if line.startswith("remote: "))
        codes = tuple(dict.fromkeys(code for line in lines for code in re.findall(r"\bGK\d{3}\b", line)))
        return Shown(f"git push origin {spec}", lines, done.returncode == 0, codes, hook_exit(trace))

    def _must(self, cwd: Path, *words: str) -> None:
        done = run(["git", *words], stdin=b"", cwd=cwd, env=self._env)
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip()
            raise RepositoryError(f"git {words[0]} failed in {cwd}: {said}")


def hook_exit(trace: Path) -> int | None:
    """The exit code of the hook in git's own event trace; None when no hook ran. The client is only told yes or no."""
    events = [json.loads(line) for line in trace.read_text("utf-8", "replace").splitlines()] if trace.exists() else []
    hooks = {
        (event["sid"], event["child_id"])
        for event in events
        if event["event"] == "child_start" and event.get("child_class") == "hook"
    }
    codes = [e["code"] for e in events if e["event"] == "child_exit" and (e["sid"], e["child_id"]) in hooks]
    return codes[-1] if codes else None
