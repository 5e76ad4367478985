"""Sources that would make too much, or that hold themselves: an honest reason within bounds."""

from __future__ import annotations

from gatekeeper.source.collection.items import EXACT, UNKNOWN
from gatekeeper.source.collection.modules import collect_module
from gatekeeper.source.collection.scope import Gathered, Scope
from gatekeeper.source.collection.targets import target
from gatekeeper.source.evaluate.interpreter import Interpreter
from gatekeeper.source.files import MemoryFiles


def scope_of(text: str) -> Scope:
    interpreter = Interpreter(MemoryFiles({"test_m.py": text.encode()}), lambda _name, _importer: None)
    return Scope(interpreter, interpreter.load("test_m.py", "test_m"), "test_m.py")


def gather(text: str) -> Gathered:
    return collect_module(scope_of(text))


def test_a_grid_of_a_hundred_million_is_not_made() -> None:
    found = gather("""
import pytest
@pytest.mark.parametrize("x", range(10_000))
@pytest.mark.parametrize("y", range(10_000))
def test_grid(x, y): ...
def test_beside(): ...
""").found
    assert [(one.verdict, one.reason) for one in found] == [
        (UNKNOWN, "100,000,000 combinations of parameters"),
        (EXACT, ""),
    ]


def test_classes_that_hold_one_another_many_times_over_are_given_up() -> None:
    levels = "\n".join(f"class Test{n}:\n    TestA = TestB = TestC = Test{n - 1}" for n in range(1, 14))
    gathered = gather(f"class Test0:\n    def test_a(self): ...\n{levels}")
    assert len(gathered.found) < 10_000
    assert "more than 10,000 classes" in gathered.errors[-1].reason


def test_a_class_that_holds_itself_is_an_error_of_that_class() -> None:
    gathered = gather("class TestA:\n    def test_a(self): ...\nTestA.TestB = TestA\ndef test_b(): ...")
    assert [trouble.reason for trouble in gathered.errors] == ["test_m.py::TestA: TestA holds itself"]
    assert [found.node for found in gathered.found] == ["test_m.py::test_b"]


def test_deep_inheritance_is_followed() -> None:
    levels = "\n".join(f"class Base{n}(Base{n - 1}):\n    pass" for n in range(1, 150))
    gathered = gather(f"class Base0:\n    def test_a(self): ...\n{levels}\nclass TestDeep(Base149):\n    pass")
    assert [found.node for found in gathered.found] == ["test_m.py::TestDeep::test_a"]


def test_a_target_has_what_decides_on_it() -> None:
    scope = scope_of("""
import pytest
@pytest.fixture
def base(): ...
@pytest.fixture
def fix(base): ...
@pytest.fixture(autouse=True)
def always(): ...
@pytest.mark.outer
class TestA:
    @pytest.mark.parametrize("x", [1, 2])
    def test_a(self, x, fix): ...
""")
    found = target(scope, "test_m.py::TestA::test_a[2]")
    assert found is not None
    assert found.function is not None
    assert (found.function.name, [cls.name for cls in found.classes]) == ("test_a", ["TestA"])
    assert [fixture.function.name for fixture in found.fixtures] == ["always", "fix", "base"]
    assert [mark.name for mark in found.marks] == ["parametrize", "outer"]
    assert target(scope, "test_m.py::TestA::test_a[3]") is None
    assert target(scope, "test_m.py::TestA::test_b") is None
