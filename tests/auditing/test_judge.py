"""A property is vacuous when it passes whatever is broken; what cannot be told is said, never guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gatekeeper.auditing.judge import NOT_JUDGED, PROVES, VACUOUS, Judged, judge
from gatekeeper.auditing.symbols import Sources, Symbol
from gatekeeper.auditing.trial import FAILS, OTHER, PASSES, Outcome, refuse_in_a_hook
from gatekeeper.contracts.properties import Property
from gatekeeper.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PRODUCT = {
    "src/pkg/__init__.py": b"from .inner import f as g\nfrom .inner import *\nfrom pkg.lost import h\n",
    "src/pkg/inner.py": b"def f(a):\n    return a < 2\n",
    "src/other.py": b"import pkg.inner\n",
}
TEST = b"""import pkg.inner as inner
import json
from pkg import g
from pkg import inner as again
from tests.helpers import x

def test_f():
    assert inner.f(1) and again.f and json.dumps
"""
ROW = Property("a", "tests/test_f.py", "tests/test_f.py::test_f", ("pkg.g",))
SOURCES = Sources(PRODUCT.get, {**PRODUCT, "tests/test_f.py": TEST}.get, ("", "src"))
INNER = Symbol("src/pkg/inner.py", "f")


def test_definitions_are_found_through_re_exports() -> None:
    assert SOURCES.find("pkg.g") == INNER
    assert SOURCES.find("src.pkg.inner.f") == INNER
    assert SOURCES.find("other.pkg") is None
    assert SOURCES.find("pkg.h") is None
    assert SOURCES.find("gone.f") is None


def test_a_circle_of_re_exports_ends() -> None:
    circle = {"a.py": b"from b import f\n", "b.py": b"from a import f\n"}
    assert Sources(circle.get, circle.get, ("",)).find("a.f") is None


def test_what_a_module_imports_from_the_product() -> None:
    assert dict.fromkeys(SOURCES.imported(TEST)) == {INNER: None}


def told(tmp_path: Path, row: Property, run: Callable[[bytes], str]) -> Judged:
    """Judge with a run that looks at the broken file."""
    for path, source in PRODUCT.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(source)
    place = tmp_path / INNER.path
    try:
        return judge(row, SOURCES, lambda _row: Outcome(run(place.read_bytes())), tmp_path, 5)
    finally:
        assert place.read_bytes() == PRODUCT[INNER.path]


def test_a_property_that_notices_something_proves_something(tmp_path: Path) -> None:
    found = told(tmp_path, ROW, lambda source: FAILS if b"raise" in source or b">=" in source else PASSES)
    assert (found.verdict, found.tried, found.killed) == (PROVES, 5, 2)
    assert found.survivors[0] == "src/pkg/inner.py:2: f returns None"


@pytest.mark.parametrize("row", [ROW, ROW._replace(guards=())])
def test_a_property_that_notices_nothing_is_vacuous(tmp_path: Path, row: Property) -> None:
    found = told(tmp_path, row, lambda source: OTHER if source.startswith(b"raise") else PASSES)
    assert (found.verdict, found.tried, found.killed) == (VACUOUS, 5, 0)


@pytest.mark.parametrize(
    ("row", "run", "why"),
    [
        (ROW, lambda _: FAILS, "it does not pass as it is: it fails"),
        (ROW, lambda _: PASSES, "the run does not import src/pkg/inner.py of the copy"),
        (ROW._replace(guards=("pkg.gone",)), lambda _: PASSES, "pkg.gone is not defined in the product"),
        (ROW._replace(guards=("other.pkg",)), lambda _: PASSES, "other.pkg is not defined in the product"),
        (ROW._replace(module="gone.py", guards=()), lambda _: PASSES, "nothing that it guards can be broken"),
        (ROW, lambda source: PASSES if source == PRODUCT[INNER.path] else OTHER, "nothing that it guards can be"),
    ],
)
def test_what_cannot_be_told(tmp_path: Path, row: Property, run: Callable[[bytes], str], why: str) -> None:
    found = told(tmp_path, row, run)
    assert found.verdict == NOT_JUDGED
    assert found.why.startswith(why)


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_QUARANTINE_PATH", "GIT_EXEC_PATH", "GATEKEEPER_ACTOR"])
def test_no_hook_runs_anything(name: str) -> None:
    with pytest.raises(UsageError, match=name):
        refuse_in_a_hook({name: "x"})
    refuse_in_a_hook({"PATH": "x"})
