"""What is kept of a trusted tree spares reading it again, and never changes a verdict."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from gatekeeper.checks import CODES
from gatekeeper.gate import Gate, ServerRefs
from gatekeeper.model import Actor, Push, RefUpdate
from gatekeeper.policy.load import Layers
from gatekeeper.source.bounded.survey import Survey
from tests.judging.world import ASKED, World

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from gatekeeper.model import Oid
    from gatekeeper.verdict import Verdict

CODEC = b"""import json

LIMITS = (1, 2)


def encode(text: str, limit: int) -> bytes:
    return text.encode()[:limit]


def limits():
    return [number + 1 for number in LIMITS]


class Frame:
    size = 3

    def grow(self):
        return self.size + 1
"""
TESTS = b"""import pytest
from hypothesis import given, strategies as st

from codec import LIMITS, Frame, encode, limits


@given(st.text())
def test_bounds(text):
    assert len(encode(text, limit=3)) <= 3


@pytest.mark.parametrize("limit", [*LIMITS, *limits(), Frame.size])
def test_limits(limit):
    assert len(encode("abcdef", limit)) == limit
"""
CONTRACT = b"""[budget]
min_collected = 2

[collect]
args = ["tests"]

[[property]]
id = "bounds"
module = "tests/test_codec.py"
nodeid = "tests/test_codec.py::test_bounds"

[[property]]
id = "limits"
module = "tests/test_codec.py"
nodeid = "tests/test_codec.py::test_limits"
"""
FILES = {
    "src/codec.py": CODEC,
    "src/other.py": b"def other():\n    return 1\n",
    "tests/test_codec.py": TESTS,
    "tests/conftest.py": b"",
    "pyproject.toml": b"[tool.pytest.ini_options]\n",
    "contracts/properties.toml": CONTRACT,
}
EDITS: Mapping[str, tuple[Mapping[str, bytes | None], bool]] = {
    # what is changed, and whether the suite has to be read again for it
    "data": ({"src/data.txt": b"x"}, False),
    "another source": ({"src/other.py": b"def other():\n    return 2\n"}, False),
    "another source that notices": ({"src/other.py": b"import sys\nX = 'pytest' in sys.modules\n"}, False),
    "a new source": ({"src/pkg/more.py": b"X = 1\n"}, False),
    "a body that nobody runs": ({"src/codec.py": CODEC.replace(b"[:limit]", b"[0:limit]")}, False),
    "a new function": ({"src/codec.py": CODEC + b"\n\ndef _more():\n    return 1\n"}, False),
    "a method's body": ({"src/codec.py": CODEC.replace(b"size + 1", b"size + 2")}, False),
    "a value of parameters": ({"src/codec.py": CODEC.replace(b"(1, 2)", b"(1,)")}, True),
    "a body that makes parameters": ({"src/codec.py": CODEC.replace(b"number + 1", b"number + 2")}, True),
    "an attribute of a class": ({"src/codec.py": CODEC.replace(b"size = 3", b"size = 4")}, True),
    "a function that is gone": ({"src/codec.py": CODEC.replace(b"def encode", b"def decode")}, True),
    "the source is gone": ({"src/codec.py": None}, True),
    "a package in its place": ({"src/codec/__init__.py": CODEC}, True),
    "in place of a library": ({"src/hypothesis/__init__.py": b""}, True),
    "a source that does not parse": ({"src/codec.py": b"def (\n"}, True),
    "the test": ({"tests/test_codec.py": TESTS.replace(b"<= 3", b"<= 4")}, True),
    "a conftest": ({"tests/conftest.py": b"collect_ignore = ['test_codec.py']\n"}, True),
    "a configuration": ({"pytest.ini": b"[pytest]\naddopts = -k nothing\n"}, True),
    "a twin of a test file": ({"tests/a/test_codec.py": b"def test_x():\n    assert 1 == 1\n"}, True),
}


@pytest.fixture(scope="module")
def world() -> World:
    return World(FILES, server=ASKED)


def judge(world: World, head: Oid, cache: Path | None, *, actor: str = "bot") -> Verdict:
    directory = None if cache is None else os.fsencode(cache)
    gate = Gate(
        world.store, refs=ServerRefs(world.store), server=world.server, layers=Layers(CODES), surfaces=directory
    )
    ref = b"refs/heads/main" if actor == "alice" else b"refs/heads/agent/x"
    old = world.base if actor == "alice" else None
    (verdict,) = gate.judge(Push((RefUpdate(ref, old, head),), Actor(actor, "ssh"))).verdicts
    return verdict


@pytest.fixture(scope="module")
def warmed(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache in which the trusted tree is known."""
    cache = tmp_path_factory.mktemp("cache") / "surface"
    assert judge(world, world.commit({"src/data.txt": b"first"}), cache).budgets["properties"] == "held"
    return cache


@pytest.mark.parametrize(
    ("name", "actor"),
    [*((name, "bot") for name in EDITS), *((name, "alice") for name in ("a new function", "the test", "a conftest"))],
)
def test_a_verdict_is_the_same_with_what_is_kept_and_without(world: World, warmed: Path, name: str, actor: str) -> None:
    head = world.commit(EDITS[name][0])
    cold, warm = judge(world, head, None, actor=actor), judge(world, head, warmed, actor=actor)
    assert warm.findings == cold.findings
    assert (warm.budgets, warm.suite) == (cold.budgets, cold.suite)


@pytest.fixture
def surveys(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    begun: list[object] = []
    real = Survey.ask

    def ask(self: Survey, task: Mapping[str, object]) -> Iterator[object]:
        begun.append(task["task"])
        return real(self, task)

    monkeypatch.setattr(Survey, "ask", ask)
    return begun


@pytest.mark.parametrize("name", EDITS)
def test_the_suite_is_read_again_only_for_what_it_depends_on(
    world: World, warmed: Path, surveys: list[object], name: str
) -> None:
    edits, again = EDITS[name]
    judge(world, world.commit(edits), warmed)
    assert ("properties" in surveys) is again
