"""The small project that the cases edit: six properties, each over a function of its own that can be broken."""

from __future__ import annotations

from typing import NamedTuple

ORDER = "tests/test_order.py::test_arranges"
TOTAL = "tests/test_table.py::test_total"
SUITE = "tests/test_suite.py::LedgerTest::test_balance"
MERGE = "tests/deep/test_merge.py::TestMerge::test_keeps_all"
SYMMETRIC = "tests/deep/test_merge.py::TestMerge::test_symmetric"
RATIO = "tests/test_close.py::test_ratio"
MACHINE = "tests/test_machine.py::TestStack::runTest"

PYPROJECT = """\
[project]
name = "calc"
version = "1.0"

[tool.pytest.ini_options]
pythonpath = ["src"]
testpaths = ["tests"]
addopts = ["-ra", "--strict-markers"]
markers = ["slow: takes a while", "property: holds for every input"]
"""

CONFTEST = '''\
"""What every test may ask for."""

import pytest


@pytest.fixture
def rate():
    return 110


@pytest.fixture(params=[1, 2], ids=["single", "double"])
def copies(request):
    return request.param
'''

DEEP_CONFTEST = """\
import pytest


@pytest.fixture
def spare():
    return [7, 8, 9]
"""

HELPERS = '''\
"""Checks that several tests share."""


def check_sorted(values):
    for low, high in zip(values, values[1:]):
        assert low <= high


def check_close(found, wanted, tolerance=1e-6):
    assert abs(found - wanted) <= tolerance * abs(wanted)


def unused(values):
    return [value for value in values if value]
'''

STRATEGIES = """\
from hypothesis import strategies as st

HIGHEST = 100


def amounts(highest=HIGHEST):
    return st.lists(st.integers(0, highest), min_size=1, max_size=6)


words = st.text(alphabet="abc", max_size=4)
"""

BASE = '''\
"""Suites that concrete classes complete."""

from calc.merge import merge


class Suite:
    left = []
    right = []

    def joined(self):
        return merge(self.left, self.right)

    def test_keeps_all(self):
        result = self.joined()
        assert sorted(result) == sorted(self.left + self.right)
        assert len(result) == len(self.left) + len(self.right)
'''

TEST_ORDER = '''\
"""Ordering keeps every element."""

from hypothesis import example, given, settings

from calc.order import arrange
from helpers import check_sorted
from strategies import amounts

PAIR = 2


@settings(max_examples=40, deadline=None, database=None)
@given(values=amounts())
@example(values=[3, 1, 2])
def test_arranges(values):
    """Nothing is lost and everything is in order."""
    result = arrange(values)
    assert len(result) == len(values)
    check_sorted(result)


def test_arranges_pair():
    result = arrange([2, 1])
    assert len(result) == PAIR
'''

TEST_TABLE = """\
import pytest

from calc.price import total

CASES = [
    ("none", 0, 0),
    ("one", 1, 110),
    ("many", 10, 1100),
]


@pytest.fixture
def ledger(rate):
    return {"rate": rate, "floor": 1}


@pytest.mark.parametrize(("name", "units", "wanted"), CASES)
def test_total(name, units, wanted, ledger):
    found = total(units, ledger["rate"])
    assert found == wanted, name
    assert isinstance(found, int)


@pytest.mark.property
def test_total_of_nothing(rate):
    assert total(0, rate) == 0
"""

TEST_SUITE = '''\
import unittest

from calc.ledger import Ledger


class LedgerTest(unittest.TestCase):
    """The ledger adds up."""

    def setUp(self):
        self.ledger = Ledger()

    def fill(self, *amounts):
        for amount in amounts:
            self.ledger.add(amount)

    def test_balance(self):
        self.fill(5, 7)
        self.assertEqual(self.ledger.balance(), 12)

    def test_empty(self):
        self.assertEqual(Ledger().entries, [])
'''

TEST_MERGE = """\
from base import Suite
from calc.merge import merge


class TestMerge(Suite):
    left = [1, 4]
    right = [2, 4, 6]

    def test_symmetric(self, spare):
        assert merge(self.left, spare) == merge(spare, self.left)

    def test_nothing(self):
        assert merge([], []) == []
"""

TEST_CLOSE = """\
import pytest

from calc.ratio import ratio


@pytest.mark.parametrize("scale", [1, 10, 1000])
def test_ratio(scale, copies):
    found = ratio(3 * scale * copies, 4 * scale * copies)
    assert found == pytest.approx(0.75, rel=1e-6)
"""

TEST_MACHINE = """\
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from calc.stack import Stack


class StackMachine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.stack = Stack()
        self.model = []

    @rule(value=st.integers(0, 9))
    def push(self, value):
        self.stack.push(value)
        self.model.append(value)

    @rule()
    def pop(self):
        if self.model:
            assert self.stack.pop() == self.model.pop()

    @invariant()
    def same_size(self):
        assert len(self.stack) == len(self.model)


TestStack = StackMachine.TestCase
TestStack.settings = settings(max_examples=30, stateful_step_count=10, deadline=None, database=None)
"""

TEST_OTHER = '''\
"""Nothing that a named property needs."""

from calc.words import shout


def test_shout():
    assert shout("a") == "A!"
'''

ORDER_SOURCE = '''\
"""Ordering."""


def arrange(values):
    return sorted(values)
'''
PRICE_SOURCE = '''\
"""Prices in cents."""


def total(units, rate):
    return units * rate
'''
LEDGER_SOURCE = """\
class Ledger:
    def __init__(self):
        self.entries = []

    def add(self, amount):
        self.entries.append(amount)

    def balance(self):
        return sum(self.entries)
"""
MERGE_SOURCE = """\
def merge(left, right):
    return sorted([*left, *right])
"""
RATIO_SOURCE = """\
def ratio(part, whole):
    return part / whole
"""
STACK_SOURCE = """\
class Stack:
    def __init__(self):
        self.items = []

    def push(self, value):
        self.items.append(value)

    def pop(self):
        return self.items.pop()

    def __len__(self):
        return len(self.items)
"""

FILES: dict[str, str] = {
    "pyproject.toml": PYPROJECT,
    "README.md": "# calc\n",
    "src/calc/__init__.py": "",
    "src/calc/order.py": ORDER_SOURCE,
    "src/calc/price.py": PRICE_SOURCE,
    "src/calc/ledger.py": LEDGER_SOURCE,
    "src/calc/merge.py": MERGE_SOURCE,
    "src/calc/ratio.py": RATIO_SOURCE,
    "src/calc/stack.py": STACK_SOURCE,
    "src/calc/words.py": 'def shout(word):\n    return word.upper() + "!"\n',
    "tests/conftest.py": CONFTEST,
    "tests/helpers.py": HELPERS,
    "tests/strategies.py": STRATEGIES,
    "tests/base.py": BASE,
    "tests/test_order.py": TEST_ORDER,
    "tests/test_table.py": TEST_TABLE,
    "tests/test_suite.py": TEST_SUITE,
    "tests/deep/conftest.py": DEEP_CONFTEST,
    "tests/deep/test_merge.py": TEST_MERGE,
    "tests/test_close.py": TEST_CLOSE,
    "tests/test_machine.py": TEST_MACHINE,
    "tests/test_other.py": TEST_OTHER,
}
"""Path to text: the project as it is healthy."""

BROKEN: dict[str, tuple[str, str, str]] = {
    ORDER: ("src/calc/order.py", "return sorted(values)", "return sorted(value for value in values if value <= 3)"),
    TOTAL: ("src/calc/price.py", "return units * rate", "return min(units, 5) * rate"),
    SUITE: ("src/calc/ledger.py", "return sum(self.entries)", "return sum(self.entries[:1])"),
    MERGE: ("src/calc/merge.py", "sorted([*left, *right])", "sorted({*left, *right})"),
    SYMMETRIC: (
        "src/calc/merge.py",
        "sorted([*left, *right])",
        "sorted(left) + (sorted(right) if right != [2, 4, 6] else [2, 4, 6])",
    ),
    RATIO: ("src/calc/ratio.py", "return part / whole", "return part / whole * (0.99 if part > 100 else 1)"),
    MACHINE: ("src/calc/stack.py", "return self.items.pop()", "return self.items.pop(0)"),
}
"""For each property the file, what it says, and what makes that property fail, and no other."""


class Case(NamedTuple):
    """One edit of the project.

    ``code`` is the reason that fits where the property stays green; ``edits`` path to new text, None for a removed
    file; ``args`` the words after ``python -m pytest``.
    """

    name: str
    group: int
    code: str
    nodeid: str
    edits: dict[str, str | None]
    args: tuple[str, ...] = ()


def swap(path: str, *pairs: tuple[str, str]) -> dict[str, str | None]:
    """The edit that replaces parts of one file, each of which must be there once or more."""
    text = FILES[path]
    for old, new in pairs:
        if old not in text:
            raise KeyError(f"{path} does not say {old!r}")
        text = text.replace(old, new)
    return {path: text}


def before(path: str, *lines: str) -> dict[str, str | None]:
    """The edit that puts lines at the top of a file."""
    return {path: "\n".join(lines) + "\n" + FILES[path]}


def after(path: str, *lines: str) -> dict[str, str | None]:
    """The edit that puts lines at the end of a file."""
    return {path: FILES[path] + "\n" + "\n".join(lines) + "\n"}


def broken(nodeid: str) -> dict[str, str]:
    """The project with what the property judges broken."""
    path, old, new = BROKEN[nodeid]
    return FILES | {path: FILES[path].replace(old, new)}


def edited(case: Case) -> dict[str, str]:
    """The broken project after the edit."""
    files: dict[str, str | None] = {**broken(case.nodeid), **case.edits}
    return {path: text for path, text in files.items() if text is not None}
