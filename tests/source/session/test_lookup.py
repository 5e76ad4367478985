from __future__ import annotations

import pytest

from gatekeeper.source.collection.items import Invocation
from gatekeeper.source.collection.session import Session
from gatekeeper.source.files import MemoryFiles

FILES = {
    "pytest.ini": "[pytest]\nnorecursedirs = no\naddopts = -k 'not slow' --deselect tests/test_b.py::test_b\n",
    "conftest.py": "collect_ignore = ['tests/test_ignored.py']\n",
    "tests/test_a.py": """
import pytest

def test_a(): pass

@pytest.mark.parametrize("x", [1, 2])
def test_ids(x): pass

def test_slow(): pass

class TestA:
    def test_m(self): pass

class TestInit:
    def __init__(self): pass
    def test_m(self): pass

class TestOff:
    __test__ = False
    def test_m(self): pass

test_value = 3

def test_off(): pass
test_off.__test__ = False
""",
    "tests/test_b.py": "def test_b(): pass\n",
    "tests/test_ignored.py": "def test_i(): pass\n",
    "tests/no/test_n.py": "def test_n(): pass\n",
    "tests/other.py": "def test_o(): pass\n",
    "tests/test_broken.py": "x(\n",
    "tests/below/conftest.py": "raise ValueError\n",
    "tests/below/test_c.py": "def test_c(): pass\n",
    "tests/x/test_twice.py": "def test_1(): pass\n",
    "tests/y/test_twice.py": "def test_2(): pass\n",
    "elsewhere/test_e.py": "def test_e(): pass\n",
    "tests/test_x.txt": ">>> 1\n1\n",
    "tests/test_none.txt": "nothing\n",
}
INVOCATION = Invocation(args=("tests",))

REASONS = {
    "tests/test_a.py::test_a": "",
    "tests/test_a.py::test_ids": "",
    "tests/test_a.py::test_ids[2]": "",
    "tests/test_a.py::TestA::test_m": "",
    "tests/test_x.txt::test_x.txt": "",
    "tests/x/test_twice.py::test_1": "",
    "tests/test_a.py::test_ids[3]": "it has no parameters [3]",
    "tests/test_a.py::test_slow": "deselected by -k 'not slow', --deselect 'tests/test_b.py::test_b'",
    "tests/test_b.py::test_b": "deselected by -k 'not slow', --deselect 'tests/test_b.py::test_b'",
    "tests/test_a.py::test_none": "the module does not define test_none",
    "tests/test_a.py::TestA::test_none": "class TestA does not define test_none",
    "tests/test_a.py::TestInit::test_m": "class TestInit has __init__: pytest does not collect it",
    "tests/test_a.py::TestOff::test_m": "class TestOff has a false __test__",
    "tests/test_a.py::test_value": "the last binding of test_value is a value of type int, no function",
    "tests/test_a.py::test_value::test_m": "test_value is a value of type int, no class",
    "tests/test_gone.py::test_a": "there is no such file in the tree",
    "tests/test_ignored.py::test_i": "tests/test_ignored.py is ignored: collect_ignore names it",
    "tests/no/test_n.py::test_n": "tests/no is ignored: norecursedirs has no",
    "tests/other.py::test_o": "no pattern of python_files (test_*.py *_test.py) matches its name",
    "elsewhere/test_e.py::test_e": "no argument of the invocation holds the file",
    "tests/y/test_twice.py::test_2": (
        "import file mismatch: test_twice is tests/x/test_twice.py already, and neither is in a package"
    ),
    "tests/test_none.txt::test_none.txt": "the file holds no example",
}


class Watched(MemoryFiles):
    """Remembers which files were read."""

    def __init__(self, files: dict[str, str]) -> None:
        super().__init__({path: text.encode() for path, text in files.items()})
        self.seen: set[str] = set()

    def read(self, path: str) -> bytes | None:
        self.seen.add(path)
        return super().read(path)


@pytest.mark.parametrize("node", REASONS)
def test_says_why_a_nodeid_is_not_collected(node: str) -> None:
    session = Session(Watched(FILES), INVOCATION)
    assert session.explain(node).reason == REASONS[node]
    assert (session.target(node) is None) is (REASONS[node] != "" or node.endswith(".txt"))


@pytest.mark.parametrize(
    ("node", "start"),
    [
        ("tests/test_broken.py::test_a", "line 1: "),
        ("tests/below/test_c.py::test_c", "tests/below/conftest.py cannot be imported: "),
    ],
)
def test_says_what_cannot_be_imported(node: str, start: str) -> None:
    session = Session(Watched(FILES), INVOCATION)
    assert session.explain(node).reason.startswith(start)
    assert session.target(node) is None


def test_says_the_same_as_a_whole_collection() -> None:
    session = Session(Watched(FILES), INVOCATION)
    found = {node for item in session.collect().found for node in (item.node, *item.nodeids)}
    assert {node for node, reason in REASONS.items() if not reason} <= found
    assert found.isdisjoint(node for node, reason in REASONS.items() if reason)


def test_a_target_reads_its_module_and_what_is_above_it() -> None:
    files = Watched(FILES)
    target = Session(files, INVOCATION).target("tests/test_a.py::test_a")
    assert target is not None
    assert target.function is not None
    assert target.found.node == "tests/test_a.py::test_a"
    assert [module.path for module in target.conftests] == ["conftest.py"]
    assert target.config["norecursedirs"] == "no"
    # Of other conftest.py files only the bytes are looked at, for hooks that get hold of the items of all.
    assert {path for path in files.seen if path.endswith(".py")} == {
        "conftest.py",
        "tests/below/conftest.py",
        "tests/test_a.py",
    }


def test_a_refused_configuration_collects_nothing_and_says_so() -> None:
    session = Session(Watched({"setup.cfg": "[pytest]\n", "test_a.py": "def test_a(): pass\n"}), Invocation())
    assert session.refused is not None
    assert session.collect().errors == (session.refused,)
    assert session.target("test_a.py::test_a") is None
    assert session.explain("test_a.py::test_a") == session.refused
