"""A world for one test: a bare repository with the gate installed, and a developer's clone of it.

::

    lab = Lab(tmp_path)
    fix = lab.commit(HONEST_FIX)
    assert lab.push(f"{fix}:refs/heads/agent/fix").accepted
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gatekeeper
from gatekeeper.checks import CODES
from tests.support.git import DATE, Git, Result, hermetic_env
from tests.support.objects import TREE, Node, ObjectWriter
from tests.support.seed import HONEST_FIX, SEED_FILES, WEAKENED_TEST

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.support.git import Arg
    from tests.support.objects import Value

__all__ = [
    "CHECKOUT",
    "DEFAULT_POLICY",
    "HONEST_FIX",
    "PROPERTIES_ASIDE",
    "SEED_FILES",
    "SITE",
    "WEAKENED_TEST",
    "WRITES_ONLY",
    "Lab",
    "Pushed",
    "policy",
]

CHECKOUT = Path(__file__).resolve().parents[2]

SITE = tuple(
    dict.fromkeys(
        [str(Path(gatekeeper.__file__).resolve().parents[1]), *map(sysconfig.get_path, ("purelib", "platlib"))]
    )
)
"""Directories that the hook imports from: the one that holds ``gatekeeper``, then its dependencies'."""

ALICE = b"Alice <alice@example.invalid>"


def policy(source: str = "ssh", more: str = "", tail: str = "") -> str:
    """Write the smallest useful server policy; ``more`` is TOML for the top-level keys, ``tail`` for further tables.

    Additions to the public API need no row, so that a test about paths can add what modules it likes.
    """
    head = f'version = 1\nmode = "enforce"\nadditions = "allow"\n{more}\n'
    text = f'{head}[identity]\nsource = "{source}"\n\n[lanes]\nhuman = ["alice"]\n'
    return f"{text}\n{tail}\n"


DEFAULT_POLICY = policy()

_ASIDE = "".join(f'{code} = "off"\n' for code in sorted(CODES) if code.startswith("GK4"))
PROPERTIES_ASIDE = policy(tail=f"[severity.agent]\n{_ASIDE}[severity.human]\n{_ASIDE}")
"""Without the properties: for pushes that are about something else, which then cost no second worker."""
_READ = "".join(f'{code} = "off"\n' for code in sorted(CODES) if code.startswith(("GK3", "GK4")))
WRITES_ONLY = policy(tail=f"[severity.agent]\n{_READ}")
"""Without the public API and the properties: for pushes whose sources mean nothing."""


@dataclass(frozen=True, slots=True)
class Pushed:
    """How a push ended."""

    result: Result
    exit: int | None
    """Exit code of the hook that refused, or of the last that ran; None when none ran or the client cannot see it."""

    @property
    def accepted(self) -> bool:
        """Whether every ref was updated."""
        return self.result.returncode == 0

    @property
    def remote(self) -> tuple[str, ...]:
        """The server's lines, see :attr:`tests.support.git.Result.remote`."""
        return self.result.remote

    @property
    def codes(self) -> frozenset[str]:
        """The rule codes in the server's lines."""
        return self.result.codes


@dataclass(frozen=True, slots=True)
class Scorecard:
    """What ``gatekeeper check --output-format json`` answered."""

    exit: int
    json: dict[str, Any]
    stderr: str


class Lab:
    """A bare repository with the gate, a clone, and what it takes to attack the one from the other.

    ``files`` is the first commit of ``branch``; an empty mapping leaves the repository empty. ``policy=None`` writes no
    policy. ``python`` runs the hooks, and ``site`` is where it finds what they import.
    """

    def __init__(
        self,
        tmp: Path,
        object_format: str = "sha1",
        policy: str | None = DEFAULT_POLICY,
        files: Mapping[str, bytes] = SEED_FILES,
        branch: str = "main",
        site: Sequence[str] = SITE,
        python: str = sys.executable,
    ) -> None:
        self._site, self._python = os.pathsep.join(site), python
        self.bare, self.work, self.home = tmp / "project.git", tmp / "work", tmp / "home"
        self.branch = branch
        self.home.mkdir(parents=True)
        self._traces = 0
        self._clock = DATE
        self._tables: dict[str, dict[bytes, Node]] = {}
        init = ("init", "--quiet", "--template=", f"--object-format={object_format}", f"--initial-branch={branch}")
        Git(tmp, self.home).out(*init, "--bare", self.bare)
        Git(tmp, self.home).out(*init, self.work)
        self.server = Git(self.bare, self.home)
        """Git in the bare repository."""
        self._clone = Git(self.work, self.home)
        # Maintenance would run in the background while the test's directory is being removed.
        config = "[gc]\n\tauto = 0\n[receive]\n\tautogc = false\n[http]\n\treceivepack = true\n"
        with (self.bare / "config").open("a") as file:
            file.write(config)
        with (self.work / ".git/config").open("a") as file:
            file.write("[gc]\n\tauto = 0\n")
            file.write(f'[remote "origin"]\n\turl = {self.bare}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n')
        self.objects = ObjectWriter(self.work / ".git/objects", object_format)
        """Writes objects into the clone, malformed ones included."""
        self.base: str | None = None
        """Hex oid of the first commit; None in a repository that was left empty."""
        if files:
            self.base = self.commit(files, "Import the project", parent=None)
            self._clone.out("push", "--quiet", "origin", f"{self.base}:refs/heads/{branch}")
            self._clone.out("fetch", "--quiet", "origin")
            self._clone.out("checkout", "--quiet", "-B", branch, "--track", f"origin/{branch}")
        if policy is not None:
            self.write_policy(policy)
        self.install()

    def install(self, *hooks: str) -> None:
        """Install ``hooks/`` templates (``pre-receive`` when none is named) into the bare repository."""
        (self.bare / "hooks").mkdir(exist_ok=True)
        for name in hooks or ("pre-receive",):
            text = (CHECKOUT / "hooks" / name).read_text()
            if "COVERAGE_PROCESS_CONFIG" in os.environ:
                text = text.replace(" -I -S ", " -I ")  # coverage starts from site
            hook = self.bare / "hooks" / name
            hook.write_text(text.replace("@PYTHON@", self._python).replace("@SITE@", self._site))
            hook.chmod(0o755)

    def write_policy(self, text: str) -> None:
        """Replace the server's policy."""
        path = self.bare / "gatekeeper/policy.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def git(self, *args: Arg) -> str:
        """Output of a git command in the clone, which must succeed."""
        return self._clone.out(*args)

    def refs(self) -> dict[str, str]:
        """Every ref of the server: full name -> hex oid."""
        rows = self.server.raw("for-each-ref", "--format=%(objectname) %(refname)").decode(errors="surrogateescape")
        return {name: oid for oid, name in (line.split(" ", 1) for line in rows.splitlines())}

    def tip(self, ref: str | None = None) -> str | None:
        """Look a full ref name of the server up (the trusted branch, when none is given); None when it is absent."""
        return self.refs().get(ref or f"refs/heads/{self.branch}")

    def files(self, commit: str) -> dict[bytes, Node]:
        """Path table of a commit of the clone."""
        if commit not in self._tables:
            table = {}
            for row in self._clone.raw("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")[:-1]:
                head, path = row.split(b"\t", 1)
                mode, _, oid = head.split(b" ")
                table[path] = Node(int(mode, 8), oid.decode())
            self._tables[commit] = table
        return self._tables[commit]

    def commit(
        self,
        changes: Mapping[str, Value] | Mapping[bytes, Value],
        message: str | bytes = "Change",
        *,
        parent: str | Sequence[str] | None = "",
        tree: str | None = None,
        author: bytes = ALICE,
        committer: bytes | None = None,
    ) -> str:
        """Store a commit in the clone's object store, its work tree untouched; returns its hex oid.

        ``changes`` apply to the (first) parent's files: bytes; (mode, bytes); or None to delete. ``parent`` is an oid,
        several for a merge, None for a root; left out, it is the first commit. ``tree`` takes a tree as it is instead.
        Every commit is a minute younger than the one before it.
        """
        if parent == "":
            parent = self.base
            if parent is None:
                raise ValueError("the lab was left empty: name the parent")
        parents = [parent] if isinstance(parent, str) else list(parent or ())
        table = None
        if tree is None:
            table = self.objects.apply(self.files(parents[0]) if parents else {}, changes)
            tree = self.objects.tree(table)
        self._clock += 60
        date = b" %d +0000" % self._clock
        text = message.encode() if isinstance(message, str) else message
        by = (author + date, (committer or author) + date)
        oid = self.objects.commit(tree, parents, text if text.endswith(b"\n") else text + b"\n", *by)
        if table is not None and all(node.mode != TREE for node in table.values()):
            self._tables[oid] = table
        return oid

    def push(
        self,
        *refspecs: Arg,
        actor: str | None = "bot",
        url: Arg | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Pushed:
        """Push from the clone; ``actor`` goes where our forced command puts it, which counts over a local path only."""
        self._traces += 1
        trace = self.home / f"trace-{self._traces}"
        by = {"GATEKEEPER_ACTOR": actor} if actor is not None else {}
        environment = {**by, "GIT_TRACE2_EVENT": str(trace), **(env or {})}
        result = self._clone.push(url or self.bare, *refspecs, env=environment)
        return Pushed(result, _hook_exit(trace))

    def original(self, path: str) -> bytes:
        """A file's bytes in the first commit."""
        return self.server.raw("cat-file", "blob", f"{self.base}:{path}")

    def fast_import(self, stream: bytes) -> None:
        """Feed the clone a git fast-import stream."""
        self._clone.out("fast-import", "--quiet", "--force", input=stream)

    def lose(self, revision: str) -> None:
        """Remove one loose object from the server."""
        oid = self.server.out("rev-parse", revision)
        (self.bare / "objects" / oid[:2] / oid[2:]).unlink()

    def scorecard(self, base: str, head: str, *options: Arg, repo: Path | None = None) -> Scorecard:
        """``gatekeeper check BASE HEAD`` in the clone (or ``repo``) under the server's policy, as JSON."""
        done = self.check(base, head, "--output-format", "json", *options, repo=repo)
        if not done.stdout:
            raise AssertionError(f"gatekeeper check printed no scorecard, exit {done.returncode}\n{done.stderr}")
        return Scorecard(done.returncode, json.loads(done.stdout), done.stderr)

    def check(self, base: str, head: str, *options: Arg, repo: Path | None = None) -> subprocess.CompletedProcess[str]:
        """``gatekeeper check BASE HEAD`` in the clone (or ``repo``) under the server's policy."""
        command: list[Arg] = [sys.executable, "-m", "gatekeeper", "check", base, head, "--repo", repo or self.work]
        server = self.bare / "gatekeeper/policy.toml"
        if server.exists():
            command += ["--policy", server]
        return subprocess.run(
            [*command, *options],
            cwd=self.home,
            env=hermetic_env(self.home, PYTHONPATH=self._site),
            capture_output=True,
            text=True,
            check=False,
        )


def _hook_exit(trace: Path) -> int | None:
    """Read from git's own event trace how the hooks of a receive-pack in the same environment ended."""
    if not trace.exists():
        return None
    events = [json.loads(line) for line in trace.read_text(errors="backslashreplace").splitlines()]
    starts = [e for e in events if e["event"] == "child_start" and e.get("child_class") == "hook"]
    hooks = {(e["sid"], e["child_id"]) for e in starts}
    exits = [e["code"] for e in events if e["event"] == "child_exit" and (e["sid"], e["child_id"]) in hooks]
    return next((code for code in exits if code), exits[-1] if exits else None)
