"""Trees that are made to hold a collection up: right or honest, and over soon."""

from __future__ import annotations

import pytest

from gatekeeper.source.collection.items import Invocation
from gatekeeper.source.collection.session import Session, collect
from gatekeeper.source.files import Link, MemoryFiles

TEST = "def test_a(): pass\n"


def tree(files: dict[str, str | Link]) -> MemoryFiles:
    return MemoryFiles({path: what if isinstance(what, Link) else what.encode() for path, what in files.items()})


def test_links_that_multiply_are_said_to_be_too_many() -> None:
    collected = collect(tree({"a/x": Link(b".."), "a/y": Link(b".."), "a/test_a.py": TEST}), Invocation())
    assert collected.found[0].node == "a/test_a.py::test_a"
    assert "by links to directories" in collected.opaque[0].reason


def test_links_out_of_the_tree_are_not_guessed() -> None:
    files = tree({"test_a.py": TEST, "out": Link(b"../x"), "test_b.py": Link(b"/x/test_b.py"), "doc.md": Link(b"/x")})
    collected = collect(files, Invocation())
    assert [found.node for found in collected.found] == ["test_a.py::test_a"]
    assert {trouble.path for trouble in collected.opaque} == {"out", "test_b.py"}


def test_deep_directories_are_walked() -> None:
    path = "/".join(["d"] * 1_500)
    collected = collect(tree({f"{path}/test_a.py": TEST, f"{path}/conftest.py": ""}), Invocation())
    assert [found.node for found in collected.found] == [f"{path}/test_a.py::test_a"]


@pytest.mark.parametrize(
    "bomb",
    [
        "x = 0\nwhile True: x += 1\n",
        "for i in range(9000):\n for j in range(9000):\n  pass\n",
        "import pytest\npytestmark = [i for i in range(3000) for j in range(3000) for k in range(3000)]\n",
    ],
)
def test_a_bomb_in_one_file_leaves_the_others_alone(bomb: str) -> None:
    session = Session(tree({"test_b.py": bomb + TEST, "test_c.py": TEST}), Invocation())
    found = {item.node: item.verdict for item in session.collect().found}
    assert found["test_c.py::test_a"] == "exact"
    assert found["test_b.py::test_a"] != "exact"


def test_a_line_of_a_thousand_classes_is_followed() -> None:
    classes = "".join(f"class T{n}(T{n - 1}): pass\n" for n in range(1, 1_000))
    source = f"class T0:\n def test_a(self): pass\n{classes}class TestX(T999): pass\n"
    assert [item.node for item in collect(tree({"test_x.py": source}), Invocation()).found] == [
        "test_x.py::TestX::test_a"
    ]


@pytest.mark.parametrize("source", [f"x = a{'.b' * 50_000}\n", "x = (" * 300, "\0", "\ufeffx ="])
def test_what_the_parser_gives_up_on_is_an_error_of_its_file(source: str) -> None:
    collected = collect(tree({"test_a.py": source, "test_b.py": TEST}), Invocation())
    assert [trouble.path for trouble in collected.errors] == ["test_a.py"]
    assert [item.node for item in collected.found] == ["test_b.py::test_a"]
