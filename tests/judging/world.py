"""A repository in memory and a push to it: the whole judgement in microseconds, for tables and for mutation runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from gatekeeper.checks import CODES
from gatekeeper.gate import Gate, ServerRefs
from gatekeeper.model import Actor, Push, RefUpdate
from gatekeeper.policy import Layer
from gatekeeper.policy.load import Layers
from tests.adapters.memory import MemoryStore

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gatekeeper.model import Oid, Severity
    from gatekeeper.verdict import Scorecard, Verdict

Content: TypeAlias = "bytes | tuple[int, bytes] | None"
FILES: Mapping[str, Content] = {
    "src/encoder.py": b"def encode():\n    return 1\n",
    "src/pkg/__init__.py": b"",
    "src/pkg/tests/test_inner.py": b"def test_inner():\n    assert True\n",
    "tests/test_encoder.py": b"def test_encode():\n    assert True\n",
    "tests/data/a.bin": b"\0",
    "contracts/fixtures.lock": b"",
    "pyproject.toml": b"[project]\n",
    "README.md": b"# Project\n",
}
ASKED = Layer(mode="enforce", identity="ssh", humans=("alice",))
"""All rules as they are by default."""

UNASKED: dict[str, Severity] = dict.fromkeys([code for code in CODES if code.startswith(("GK3", "GK4"))], "off")
UNUSED = 0
POLICY = ASKED._replace(severity={"agent": UNASKED, "human": UNASKED})
"""Without the public API and the properties, so that a test about paths can write what source it likes."""
FIX: Mapping[str, Content] = {"src/encoder.py": b"def encode():\n    return 2\n"}
WEAK: Mapping[str, Content] = {"tests/test_encoder.py": b""}


class World:
    """Commits as path tables; ``base`` is the first commit of the trusted branch."""

    def __init__(self, files: Mapping[str, Content] = FILES, *, server: Layer = POLICY, oid_size: int = 20) -> None:
        self.store = MemoryStore(oid_size, head=b"refs/heads/main")
        self.server = server
        self._tables: dict[Oid, dict[bytes, tuple[int, Oid]]] = {}
        self._date = 1_700_000_000
        self.base = self.commit(files, parents=())
        self.store.refs[b"refs/heads/main"] = self.base

    def commit(
        self,
        changes: Mapping[str, Content] | Mapping[bytes, Content],
        parents: Iterable[Oid] | None = None,
        message: bytes = b"Change\n",
    ) -> Oid:
        """Commit ``changes`` on the first parent's files (the base, when no parents are named)."""
        chosen = (self.base,) if parents is None else tuple(parents)
        table = dict(self._tables[chosen[0]]) if chosen else {}
        for name, content in changes.items():
            path = name.encode("utf-8", "surrogateescape") if isinstance(name, str) else name
            if content is None:
                del table[path]
                continue
            mode, data = content if isinstance(content, tuple) else (0o100644, content)
            table[path] = (mode, data if mode == 0o160000 else self.store.put("blob", data))
        self._date += 60
        oid = self.store.commit(self._tree(table), chosen, self._date, message)
        self._tables[oid] = table
        return oid

    def _tree(self, table: Mapping[bytes, tuple[int, Oid]]) -> Oid:
        below: dict[bytes, dict[bytes, tuple[int, Oid]]] = {}
        entries: list[tuple[bytes, int, bytes, Oid]] = []
        for path, (mode, oid) in table.items():
            name, slash, rest = path.partition(b"/")
            if slash:
                below.setdefault(name, {})[rest] = (mode, oid)
            else:
                entries.append((name, mode, name, oid))
        entries += [(name + b"/", 0o040000, name, self._tree(rows)) for name, rows in below.items()]
        return self.store.tree((mode, name, oid) for _, mode, name, oid in sorted(entries))

    def trust(self, oid: Oid, ref: bytes = b"refs/heads/main") -> None:
        """Move a branch of the server, as an earlier push would have."""
        self.store.refs[ref] = oid

    def judge(
        self, new: Oid | None, *, ref: bytes = b"refs/heads/agent/x", actor: str | None = "bot", old: Oid | None = None
    ) -> Verdict:
        """The verdict of one update."""
        (verdict,) = self.push([RefUpdate(ref, old, new)], actor=actor).verdicts
        return verdict

    def push(self, updates: Iterable[RefUpdate], *, actor: str | None = "bot") -> Scorecard:
        """The scorecard of a push."""
        gate = Gate(self.store, refs=ServerRefs(self.store), server=self.server, layers=Layers(CODES))
        return gate.judge(Push(tuple(updates), Actor(actor, "ssh")))


def found(verdict: Verdict) -> list[str]:
    """``CODE path`` for every finding, in order; the path is left out where there is none."""
    rows = []
    for finding in verdict.findings:
        path = "" if finding.path is None else " " + finding.path.decode("utf-8", "backslashreplace")
        mark = "" if finding.severity == "error" else " (warn)"
        rows.append(f"{finding.code}{path}{mark}")
    return rows
