"""Real pushes: a pre-receive hook opens the store while git still holds the pushed objects in quarantine."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from gatekeeper.git import open_store
from tests.support.git import Git

CHECKOUT = Path(__file__).resolve().parents[2]

HOOK = """#!{python}
import sys
sys.path[:0] = {path!r}
import json, os
from gatekeeper.git import open_store
from gatekeeper.git.diff import diff_trees
from gatekeeper.git.history import relate
from gatekeeper.git.reader import Objects
{before}
old, new, ref = (field for field in sys.stdin.buffer.read().split())
head = bytes.fromhex(new.decode())
outside = open_store(b".", {{}}, {backend!r})
store = open_store(b".", os.environ, {backend!r})
objects = Objects(store)
trusted = store.ref(store.head_ref())
history = relate(objects, head, trusted, limit=1000)
changes = diff_trees(objects, objects.commit(history.bases[0]).tree, objects.commit(head).tree)
seen = {{
    "store": type(store).__name__,
    "quarantine": sorted(name for name in os.environ if name in ("GIT_QUARANTINE_PATH", "GIT_OBJECT_DIRECTORY")),
    "outside": outside.header(head),
    "new": [oid.hex() for oid in history.new],
    "base": history.bases[0].hex(),
    "messages": [objects.commit(oid).message.decode() for oid in history.new],
    "changes": {{change.path.decode(): objects.blob(change.new_oid).decode() for change in changes}},
}}
store.close()
outside.close()
with open({report!r}, "w") as file:
    json.dump(seen, file)
"""


class Server:
    """A bare repository with a hook that reports, and a clone of it with one commit on main."""

    def __init__(self, tmp_path: Path, object_format: str = "sha1") -> None:
        home = tmp_path / "home"
        home.mkdir()
        git = Git(tmp_path, home)
        self.report = tmp_path / "report.json"
        git.raw("init", "-q", "--bare", "--initial-branch=main", f"--object-format={object_format}", "bare.git")
        git.raw("init", "-q", "--initial-branch=main", f"--object-format={object_format}", "clone")
        self.bare, self.clone = Git(tmp_path / "bare.git", home), Git(tmp_path / "clone", home)
        self.base = self.commit("base", {"a": "1\n", "dir/b": "1\n"})
        self.clone.raw("push", "-q", self.bare.cwd, "main")

    def commit(self, message: str, files: dict[str, str]) -> str:
        for name, content in files.items():
            path = self.clone.cwd / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(content)
        self.clone.raw("add", "-A")
        self.clone.raw("commit", "-q", "-m", message)
        return self.clone.out("rev-parse", "HEAD")

    def install(self, backend: str, before: str = "", where: Git | None = None) -> None:
        paths = [str(CHECKOUT), *(path for path in sys.path if path)]
        hook = (where or self.bare).cwd / "hooks/pre-receive"
        hook.parent.mkdir(exist_ok=True)
        fields = {
            "python": sys.executable,
            "path": paths,
            "backend": backend,
            "before": before,
            "report": str(self.report),
        }
        hook.write_text(HOOK.format(**fields))
        hook.chmod(0o755)

    def push(self, where: Git | None = None) -> dict[str, Any]:
        """Push two commits as agent/x; what the hook saw."""
        one = self.commit("one", {"a": "2\n"})
        two = self.commit("two", {"dir/c": "3\n"})
        result = self.clone.push((where or self.bare).cwd, "HEAD:refs/heads/agent/x")
        assert result.returncode == 0, result.stderr
        # Nothing of ours may reach the pusher: no warning of a finalizer, no traceback.
        assert result.remote == ()
        seen: dict[str, Any] = json.loads(self.report.read_text())
        assert seen["new"] == [two, one]
        assert seen["base"] == self.base
        assert seen["messages"] == ["two\n", "one\n"]
        assert seen["changes"] == {"a": "2\n", "dir/c": "3\n"}
        return seen


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path)


BACKENDS = {"pygit2": "Pygit2Store", "dulwich": "DulwichStore"}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("unpack_limit", [100, 1], ids=["loose", "packed"])
def test_a_hook_reads_what_is_in_quarantine(server: Server, backend: str, unpack_limit: int) -> None:
    server.bare.raw("config", "receive.unpackLimit", str(unpack_limit))
    server.install(backend)
    seen = server.push()
    assert seen["store"] == BACKENDS[backend]
    assert seen["quarantine"] == ["GIT_OBJECT_DIRECTORY", "GIT_QUARANTINE_PATH"]
    assert seen["outside"] is None


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_host_may_leave_the_quarantine_path_out(server: Server, backend: str) -> None:
    server.install(backend, before="del os.environ['GIT_QUARANTINE_PATH']")
    seen = server.push()
    assert seen["quarantine"] == ["GIT_OBJECT_DIRECTORY"]
    assert seen["outside"] is None


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_push_to_a_fork_whose_history_is_in_its_pool(server: Server, tmp_path: Path, backend: str) -> None:
    server.bare.raw("clone", "-q", "--bare", "--shared", server.bare.cwd, tmp_path / "fork.git")
    fork = Git(tmp_path / "fork.git", server.bare.home)
    assert not [path for path in (fork.cwd / "objects").rglob("*") if path.is_file() and path.parent.name != "info"]
    server.install(backend, where=fork)
    assert server.push(fork)["outside"] is None


@pytest.mark.parametrize("backend", ["auto", "dulwich"])
def test_a_push_in_sha256(tmp_path: Path, backend: str) -> None:
    server = Server(tmp_path, "sha256")
    server.install(backend)
    seen = server.push()
    assert seen["store"] == "DulwichStore"
    assert seen["outside"] is None


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_hook_in_a_process_that_was_started_afterwards(server: Server, backend: str) -> None:
    """The variables are read from the mapping: a worker may be handed them while its own environment has none."""
    drop = (
        "given = dict(os.environ)\n"
        "for name in given:\n    name.startswith('GIT_') and os.environ.pop(name)\n"
        "os.environ = given"
    )
    server.install(backend, before=drop)
    assert server.push()["outside"] is None


def test_the_objects_are_in_the_main_store_afterwards(server: Server) -> None:
    server.install("auto")
    seen = server.push()
    store = open_store(os.fsencode(server.bare.cwd), {})
    assert [store.read(bytes.fromhex(oid))[0] for oid in seen["new"]] == ["commit", "commit"]
    store.close()
