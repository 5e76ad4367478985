"""``gatekeeper select``: the properties that a change can affect, and what it changes beside all of them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from gatekeeper.affected import select as choose
from gatekeeper.commands._opened import opened
from gatekeeper.commands.select import named, question
from gatekeeper.source.imports.outline import outline_source
from tests.support.git import hermetic_env
from tests.support.lab import CHECKOUT, Lab

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gatekeeper.affected import Selection

CODEC = b"""\
from .low import pack
def encode(x):
    return pack(x)
def decode(x):
    return x
def _inner(): pass
"""
LOW = b"def pack(x):\n    return x\n\n\ndef unpack(x):\n    return x\n"
SHAPES = b"class Box:\n    def area(self):\n        return 1\n\n    def name(self):\n        return 'box'\n"
CONTRACT = b"""\
[collect]
args = ["tests"]

[[property]]
id = "codec.encode"
module = "tests/test_codec.py"
nodeid = "tests/test_codec.py::test_encode"

[[property]]
id = "shapes.area"
module = "tests/test_shapes.py"
nodeid = "tests/test_shapes.py::TestBox::test_area"
guards = ["lib.shapes.Box.area", "lib.low.unpack"]
"""
BASE = {
    "contracts/properties.toml": CONTRACT,
    "src/lib/__init__.py": b"from .codec import encode\n",
    "src/lib/codec.py": CODEC,
    "src/lib/low.py": LOW,
    "src/lib/shapes.py": SHAPES,
    "src/lib/alone.py": b"def lonely():\n    return 1\n",
    "tests/conftest.py": b"import pytest\nfrom lib.shapes import Box\n\n@pytest.fixture\ndef box(): return Box()\n",
    "tests/test_codec.py": b"import lib\n\n\ndef test_encode():\n    assert lib.encode(1) == 1\n",
    "tests/test_shapes.py": b"class TestBox:\n    def test_area(self, box):\n        assert box.area() == 1\n",
    "README.md": b"# Lib\n",
}
ENCODE, AREA = "tests/test_codec.py::test_encode", "tests/test_shapes.py::TestBox::test_area"


def run(lab: Lab, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gatekeeper", "select", *arguments, "--repo", str(lab.work)],
        env=hermetic_env(lab.home, PYTHONPATH=str(CHECKOUT)),
        cwd=lab.home,
        capture_output=True,
        text=True,
        check=False,
    )


class Here:
    """Reads outlines in this process, as the worker does in its own."""

    def parts(self, blob: bytes) -> dict[str, Any] | None:
        return outline_source(blob)


def chosen(lab: Lab, changes: Mapping[str, bytes | None]) -> Selection:
    base = lab.commit(BASE, parent=None)
    head = lab.commit(changes, parent=base)
    with opened(lab.work, None, base, head) as (ctx, trees):
        return choose(question(ctx, trees, named(ctx, trees)), Here())


@pytest.mark.parametrize(
    ("changes", "selected", "unguarded"),
    [
        ({"src/lib/low.py": LOW.replace(b"return x", b"return x + 0", 1)}, {ENCODE: "lib.low.pack reaches"}, []),
        ({"src/lib/low.py": LOW.replace(b"unpack(x)", b"unpack(x, y=1)")}, {AREA: "lib.low.unpack guards"}, []),
        ({"src/lib/shapes.py": SHAPES.replace(b"return 1", b"return 2")}, {AREA: "lib.shapes.Box.area guards"}, []),
        ({"src/lib/shapes.py": SHAPES.replace(b"'box'", b"'b'")}, {}, ["lib.shapes.Box.name"]),
        ({"src/lib/codec.py": CODEC.replace(b"return x\n", b"return 2 * x\n")}, {}, ["lib.codec.decode"]),
        ({"src/lib/codec.py": CODEC.replace(b"_inner(): pass", b"_inner(): return 1")}, {}, []),
        ({"src/lib/codec.py": CODEC.replace(b"def", b"# why\n\ndef")}, {}, []),
        ({"src/lib/alone.py": None}, {}, ["lib.alone.lonely"]),
        ({"src/lib/new.py": b"def fresh(): pass\nLIMIT = 3\n"}, {}, ["lib.new.LIMIT", "lib.new.fresh"]),
        ({"src/lib/__init__.py": b"from .low import pack as encode\n"}, {ENCODE: "lib.encode reaches"}, []),
        ({"src/lib/low.py": LOW + b"print(1)\n"}, {ENCODE: "lib.low reaches", AREA: "lib.low reaches"}, []),
        ({"src/lib/low.py": b"def f(:\n"}, {ENCODE: "lib.low unreadable", AREA: "lib.low unreadable"}, []),
        (
            {"tests/conftest.py": BASE["tests/conftest.py"].replace(b"Box()", b"Box")},
            {AREA: "tests.conftest.box reaches"},
            [],
        ),
        ({"tests/test_codec.py": None}, {ENCODE: "tests.test_codec.test_encode reaches"}, []),
        ({"README.md": b"# The library\n"}, {}, []),
    ],
)
def test_a_change(lab: Lab, changes: dict[str, bytes | None], selected: dict[str, str], unguarded: list[str]) -> None:
    found = chosen(lab, changes)
    by = {one.nodeid: [f"{hit.symbol} {hit.how}" for hit in one.by] for one in found.selected}
    assert set(by) == set(selected)
    for nodeid, hit in selected.items():
        assert hit in by[nodeid]
    assert [one.symbol for one in found.unguarded] == unguarded
    assert list(found.others) == [path for path in changes if path.endswith(".md")]


def test_text(lab: Lab) -> None:
    base = lab.commit(BASE, parent=None)
    low = LOW.replace(b"return x", b"return x + 0", 1)
    shapes = SHAPES.replace(b"'box'", b"'b'")
    head = lab.commit({"src/lib/low.py": low, "src/lib/shapes.py": shapes, "README.md": b""}, parent=base)
    assert run(lab, base, head).stdout.splitlines() == [
        "1 of 2 properties can be affected by 2 changed symbols",
        ENCODE,
        "    lib.low.pack (reaches)",
        "1 changed public symbols are reached by no property",
        "    src/lib/shapes.py:5: lib.shapes.Box.name",
        "1 other files changed, of which nothing is said",
        "    README.md",
    ]
    assert run(lab, base, head, "--format", "nodeids").stdout == f"{ENCODE}\n"
    document = json.loads(run(lab, base, head, "--format", "json").stdout)
    assert document["selected"] == [
        {"id": "codec.encode", "nodeid": ENCODE, "by": [{"symbol": "lib.low.pack", "how": "reaches"}]}
    ]
    box = {"symbol": "lib.shapes.Box.name", "kind": "function", "path": "src/lib/shapes.py", "line": 5, "public": True}
    assert document["unguarded"] == [box]
    assert document["changed"][1:] == [box]


def test_without_properties(lab: Lab) -> None:
    base = lab.commit({"src/lib/low.py": LOW}, parent=None)
    done = run(lab, base, base)
    assert done.returncode == 3
    assert "neither revision has a contracts/properties.toml" in done.stderr


def test_a_list_that_cannot_be_read(lab: Lab) -> None:
    base = lab.commit({**BASE, "contracts/properties.toml": b"[[property]]\nid = 3\n"}, parent=None)
    done = run(lab, base, base)
    assert done.returncode == 3
    assert "contracts/properties.toml: line 1" in done.stderr
