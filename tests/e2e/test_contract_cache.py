"""``post-receive`` warms the cache in the background; real pushes, one after another and at the same time."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from tests.support.lab import DEFAULT_POLICY, PROPERTIES_ASIDE, Lab

if TYPE_CHECKING:
    from pathlib import Path

API = b"def encode(text, strict=False):\n    return text.encode()\n"
MOVED = b"def encode(text):\n    return text.encode()\n"


@pytest.fixture
def warmed(tmp_path: Path) -> Lab:
    lab = Lab(tmp_path, policy=DEFAULT_POLICY)
    lab.install("pre-receive", "post-receive")
    return lab


def entries(lab: Lab) -> set[Path]:
    folder = lab.bare / "gatekeeper/cache/surface"
    return {path for path in folder.rglob("*") if path.is_file() and path.suffix != ".tmp" and path.name != ".lock"}


def surfaces(lab: Lab) -> set[Path]:
    return {path for path in entries(lab) if "-surface-" in path.name}


def wait(lab: Lab, count: int = 1) -> None:
    """Wait until the background has kept the surface of so many trusted trees."""
    for _ in range(1200):
        if len(surfaces(lab)) == count:
            return
        time.sleep(0.05)
    raise AssertionError(f"not {count} surfaces in {sorted(path.name for path in entries(lab))}")


def grow(lab: Lab, source: bytes, name: str = "codec") -> str:
    tip = lab.commit({f"src/{name}.py": source}, parent=lab.tip())
    pushed = lab.push(f"{tip}:refs/heads/main", actor="alice")
    assert pushed.accepted, pushed.result.stderr
    return tip


def test_the_trusted_branch_is_read_ahead(warmed: Lab) -> None:
    grow(warmed, API)
    wait(warmed)
    facts = entries(warmed) - surfaces(warmed)
    oid = warmed.server.out("rev-parse", "main:src/codec.py")
    assert any(path.name.startswith(oid) for path in facts)


def test_the_verdict_is_the_same_cold_warm_and_damaged(warmed: Lab) -> None:
    tip = grow(warmed, API)
    wait(warmed)
    answers = []
    for state in ("warm", "damaged", "cold"):
        for path in entries(warmed):
            if state == "damaged":
                path.write_bytes(b"\0" * 40)
            elif state == "cold":
                path.unlink()
        head = warmed.commit({"src/codec.py": MOVED}, parent=tip)
        answers.append((warmed.push(f"{head}:refs/heads/agent/move").codes, state))
    assert [codes for codes, _ in answers] == [frozenset({"GK301"})] * 3, answers


def of(lab: Lab, commit: str) -> set[str]:
    """The names of what a commit brings: its trees and its source."""
    return {lab.git("rev-parse", f"{commit}{what}") for what in ("^{tree}", ":src", ":src/codec.py")}


def test_a_refused_push_leaves_nothing_of_its_own_in_the_cache(warmed: Lab) -> None:
    tip = grow(warmed, API)
    wait(warmed)
    head = warmed.commit({"src/codec.py": MOVED}, parent=tip)
    assert not warmed.push(f"{head}:refs/heads/agent/move").accepted
    assert not {path.name.partition("-")[0] for path in entries(warmed)} & (of(warmed, head) - of(warmed, tip))


def test_an_agent_s_branch_is_not_read_ahead(warmed: Lab) -> None:
    tip = grow(warmed, API)
    wait(warmed)
    head = warmed.commit({"src/codec.py": API + b"\n\ndef _more(): ...\n"}, parent=tip)
    assert warmed.push(f"{head}:refs/heads/agent/more").accepted
    grow(warmed, API + b"\n", "other")
    wait(warmed, 2)
    oid = warmed.git("rev-parse", f"{head}:src/codec.py")
    assert not any(path.name.startswith(oid) for path in entries(warmed))


def test_a_push_keeps_what_is_trusted_where_nobody_did(tmp_path: Path) -> None:
    lab = Lab(tmp_path, policy=PROPERTIES_ASIDE.replace('additions = "allow"', 'additions = "ask"'))
    tip = grow(lab, API)
    assert not entries(lab)
    head = lab.commit({"src/codec.py": MOVED}, parent=tip)
    assert lab.push(f"{head}:refs/heads/agent/move").codes == {"GK301"}
    assert not surfaces(lab)  # the whole surface is a matter of post-receive
    kept = {path.name.partition("-")[0] for path in entries(lab)}
    assert lab.server.out("rev-parse", "main:src/codec.py") in kept
    assert not kept & (of(lab, head) - of(lab, tip))


def test_pushes_at_the_same_time(warmed: Lab) -> None:
    tip = grow(warmed, API)
    wait(warmed)
    heads = [warmed.commit({"src/codec.py": API + b"# %d\n" % number}, parent=tip) for number in range(4)]
    command = ["git", "-C", str(warmed.work), "push", str(warmed.bare)]
    environment = {"HOME": str(warmed.home), "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    started = [
        subprocess.Popen(
            [*command, f"{head}:refs/heads/agent/n{number}"],
            env={**environment, "GATEKEEPER_ACTOR": "bot", "PATH": "/usr/bin:/bin"},
            stderr=subprocess.PIPE,
        )
        for number, head in enumerate(heads)
    ]
    for process in started:
        _, answer = process.communicate()
        assert process.returncode == 0, answer
