"""What collection rests on: conditions, marks, decorators, classes, enumerations, imports, bounds."""

from __future__ import annotations

import ast

import pytest

from gatekeeper.source.evaluate.values import (
    Class,
    External,
    Fixture,
    Function,
    Instance,
    Mark,
    Member,
    Param,
    Partial,
    Thing,
    Unknown,
)
from tests.source.evaluate.world import executed, values, world


def test_both_branches_run_where_a_test_is_not_known() -> None:
    module = executed(
        "import somebody\nif somebody.x:\n    def test_a(): pass\n    y = 1\nelse:\n    def test_b(): pass\n    y = 2\n"
    )
    names = module.namespace
    assert isinstance(names["test_a"].value, Function)
    assert names["test_a"].conditions
    assert names["test_b"].conditions
    assert isinstance(names["y"].value, Unknown)
    assert module.conditions == ("import somebody",)


@pytest.mark.parametrize(
    ("test", "known"),
    [
        ("sys.version_info >= (3, 8)", True),
        ("sys.version_info[0] == 2", False),
        ("sys.platform == 'win32'", False),
        ("typing.TYPE_CHECKING", False),
        ("sys.maxsize > 2 ** 32", True),
        ("os.name == 'nt'", False),
    ],
)
def test_what_is_decided(test: str, known: bool) -> None:
    found = values(f"import sys, typing, os\nif {test}:\n    x = True\nelse:\n    x = False\n")
    assert found["x"] is known


def test_a_third_party_import_may_fail() -> None:
    names = executed(
        "try:\n    import uvloop\n    HAS = True\n    def f(): pass\nexcept ImportError:\n    HAS = False\n"
        "try:\n    import json\n    GOOD = True\nexcept ImportError:\n    GOOD = False\n"
    ).namespace
    assert isinstance(names["HAS"].value, Unknown)
    assert names["f"].conditions
    assert names["GOOD"].value is True


def test_what_is_changed_under_a_condition_is_not_known() -> None:
    found = values(
        "import pytest, somebody\nrows = [1, 2]\nmark = pytest.mark.parametrize('a', rows)\n"
        "if somebody.x:\n    rows.append(3)\n"
    )
    mark = found["mark"]
    assert isinstance(mark, Mark)
    held = mark.args[1]
    assert isinstance(held, list)
    assert isinstance(held[0], Unknown), "the mark holds the list itself"


def test_what_a_call_changes_under_a_condition_is_not_known() -> None:
    found = values(
        "import somebody\nrows, kept, table = [1], [1], {}\nclass Box:\n    def __init__(self):\n        self.x = 1\n"
        "box = Box()\ndef fill():\n    own = []\n    own.append(2)\n    rows.append(3)\n    table['k'] = own\n"
        "    box.x = 2\n    return own\n"
        "if somebody.x:\n    def test(made=fill()): pass\ny = box.x\n"
    )
    rows, table, test = found["rows"], found["table"], found["test"]
    assert isinstance(rows, list)
    assert isinstance(rows[0], Unknown)
    assert isinstance(table, dict)
    assert isinstance(next(iter(table)), Unknown)
    assert isinstance(found["y"], Unknown)
    assert found["kept"] == [1]
    assert isinstance(test, Function)
    assert test.defaults == ([2],)


def test_what_is_handed_to_something_unknown_is_not_known() -> None:
    found = values("import somebody, random\na = [1]\nb = [2, 3]\nsomebody.change(a)\nrandom.shuffle(b)\nc = len(a)\n")
    assert isinstance(found["a"], list)
    assert isinstance(found["a"][0], Unknown)
    assert isinstance(found["b"], list)
    assert isinstance(found["b"][0], Unknown)
    assert isinstance(found["c"], Unknown)


def test_marks_come_nearest_first() -> None:
    found = values(
        "import pytest\nslow = pytest.mark.slow\ndef both(f):\n    return pytest.mark.one(pytest.mark.two(1)(f))\n"
        "@slow\n@both\n@pytest.mark.parametrize('x', [1])\ndef test(x): pass\n"
        "@slow\nclass TestIt: pass\n"
        "def test_late(): pass\ntest_late.pytestmark = [slow, pytest.mark.fast(2)]\n"
    )
    test = found["test"]
    assert isinstance(test, Function)
    assert [mark.name for mark in test.marks] == ["parametrize", "two", "one", "slow"]
    assert not test.wrappers
    cls = found["TestIt"]
    assert isinstance(cls, Class)
    assert [mark.name for mark in cls.marks] == ["slow"]
    late = found["test_late"]
    assert isinstance(late, Function)
    assert [mark.name for mark in late.marks] == ["slow", "fast"]


def test_decorators_that_keep_and_those_that_do_not() -> None:
    found = values(
        "import functools, somebody, unittest\n"
        "from hypothesis import given, strategies as st\nfrom unittest import mock\n"
        "def same(f):\n    return f\n"
        "def wrapping(f):\n    @functools.wraps(f)\n    def inner(*a, **k):\n"
        "        return f(*a, **k)\n    return inner\n"
        "@same\ndef a(x): pass\n"
        "@wrapping\ndef b(x): pass\n"
        "@somebody.change\ndef c(x): pass\n"
        "@given(st.integers())\ndef d(x): pass\n"
        "@mock.patch('x.y')\n@unittest.skip('no')\ndef e(x): pass\n"
    )
    kept = {name: found[name] for name in "abcde"}
    assert all(isinstance(one, Function) for one in kept.values())
    wrapped = {name for name, one in kept.items() if isinstance(one, Function) and one.wrappers}
    assert wrapped == {"c"}
    assert [one.name for one in kept.values() if isinstance(one, Function)] == list("abcde")


def test_fixtures_and_parameter_sets() -> None:
    found = values(
        "import pytest\n@pytest.fixture\ndef one(): pass\n"
        "@pytest.fixture(params=[1, pytest.param(2, id='two', marks=pytest.mark.slow)], scope='module', name='other')\n"
        "def two(request): pass\nmake = pytest.fixture(autouse=True)\n@make\ndef three(): pass\n"
    )
    one, two, three = found["one"], found["two"], found["three"]
    assert isinstance(one, Fixture)
    assert one.params is None
    assert isinstance(two, Fixture)
    assert (two.scope, two.name) == ("module", "other")
    assert isinstance(two.params, list)
    assert isinstance(two.params[1], Param)
    assert two.params[1].id == "two"
    assert isinstance(three, Fixture)
    assert three.autouse is True


def test_enumerations() -> None:
    found = values(
        "import enum\nclass Color(enum.Enum):\n    RED = 1\n"
        "    CRIMSON = 1\n    BLUE = enum.auto()\n    ODD = object()\n"
        "    @property\n    def low(self):\n        return self.name.lower()\n"
        "a = [c.name for c in Color]\nb = Color.CRIMSON is Color.RED\nc = Color(1)\nd = Color['BLUE'].value\n"
        "e = [c.low for c in Color]\nf = Color.RED in {Color.RED}\n"
        "class Bits(enum.Flag):\n    X = enum.auto()\n    Y = enum.auto()\ng = [one.value for one in Bits]\n"
        "Made = enum.Enum('Made', 'p q')\nh = [one.name for one in Made]\n"
    )
    assert found["a"] == ["RED", "BLUE", "ODD"]
    assert found["b"] is True
    assert isinstance(found["c"], Member)
    assert found["d"] == 2
    assert found["e"] == ["red", "blue", "odd"]
    assert found["f"] is True
    assert found["g"] == [1, 2]
    assert found["h"] == ["p", "q"]


def test_named_tuples() -> None:
    found = values(
        "import collections, typing\nP = collections.namedtuple('P', 'x y')\n"
        "class Q(typing.NamedTuple):\n    a: int\n    b: str = 'z'\n"
        "p = P(1, y=2)\nq = Q(3)\nr = [*p, q.b, q.a]\nx, y = p\ns = tuple(q)\n"
    )
    assert isinstance(found["p"], Instance)
    assert found["r"] == [1, 2, "z", 3]
    assert (found["x"], found["y"], found["s"]) == (1, 2, (3, "z"))


def test_what_is_known_by_its_kind_only() -> None:
    found = values(
        "import io, pytest, pathlib, datetime, functools\n"
        "a = object()\nb = io.StringIO()\nc = pytest.raises(ValueError)\n"
        "d = pathlib.Path.cwd() / 'x'\ne = datetime.datetime.now() + datetime.timedelta(1)\n"
        "f = functools.partial(print, 1)\n"
        "g = ValueError('x')\nh = int('z', 36)\n"
    )
    assert all(isinstance(found[name], Thing) for name in "abcdeg")
    assert isinstance(found["f"], Partial)
    assert found["h"] == 35


def test_the_order_of_a_set_is_not_guessed() -> None:
    found = values(
        "s = {'a', 'b'}\na = list(s)\nb = sorted(s)\nc = str(s)\nd = [x for x in s]\ne = len(s)\nf = list({3})\n"
        "g = f'{s}'\nh = max(s)\ni = ','.join(s)\nj = s | {'c'}\n"
    )
    assert all(isinstance(found[name], Unknown) for name in "acdgi")
    assert (found["b"], found["e"], found["f"], found["h"]) == (["a", "b"], 2, [3], "b")
    assert found["j"] == {"a", "b", "c"}


def test_imports_within_the_tree() -> None:
    found = world(
        {
            "m": "from p.a import x, make\nfrom p import b\nimport p.c as c\n"
            "from p.star import *\ny = make(x)\nz = b.k + c.k\n",
            "p__a": "from .b import k\nx = [k]\ndef make(v):\n    return [*v, k + 1]\n",
            "p__b": "from . import a\nk = 1\n",
            "p__c": "k = 10\n",
            "p__star": "__all__ = ['shown']\nshown = 1\nhidden = 2\n",
        }
    ).load("m.py", "m")
    names = {name: binding.value for name, binding in found.namespace.items()}
    assert (names["y"], names["z"], names["shown"]) == ([1, 2], 11, 1)
    assert "hidden" not in names
    assert found.error is None


def test_a_module_that_skips_itself_or_does_not_parse() -> None:
    assert executed("import pytest\npytest.skip('no', allow_module_level=True)\n").error
    assert executed("def f(:\n").error
    skips = executed("import pytest\nnumpy = pytest.importorskip('numpy')\ndef test(): pass\n")
    assert skips.error is None
    assert skips.conditions == ("importorskip numpy",)


def test_what_is_made_while_it_runs() -> None:
    names = executed(
        "for n in ('a', 'b'):\n    globals()['test_' + n] = lambda: None\nsetattr(__import__('sys'), 'x', 1)\n"
    ).namespace
    assert {"test_a", "test_b"} <= names.keys()
    assert executed("exec('x = 1')\n").wildcards
    assert executed("from somebody import *\n").wildcards == ("somebody",)


@pytest.mark.parametrize(
    "text",
    [
        "x = 10 ** 10 ** 10",
        "x = 'a' * 10 ** 10",
        "x = list(range(10 ** 12))",
        "x = [a for a in range(10 ** 9) for b in range(10 ** 9)]",
        "x = '{:>99999999999}'.format(1)",
        "x = '%99999999999d' % 1",
        "x = f'{1:>99999999999}'",
        "x = 1 << 10 ** 10",
        "x = bytes(10 ** 11)",
        "x = list(range(1 << 1000))",
        "x = len(range(1 << 1000))",
        "x = 5 in range(1 << 1000), range(1 << 1000)[1 << 900]",
        "import itertools\nx = list(itertools.product(range(1000), repeat=9))",
        "import itertools\nx = list(itertools.permutations(range(100)))",
        "import math\nx = math.factorial(10 ** 7)",
        "import fractions\nx = fractions.Fraction('1e999999999')",
        "import decimal\nx = int(decimal.Decimal('1e999999999'))",
        "def f():\n    return f()\nx = f()",
        "def f(n):\n    return f(n + 1) + f(n + 1)\nx = f(0)",
        "x = 0\nwhile True:\n    x += 1",
        "def f():\n    while True:\n        yield 1\nx = list(f())",
        "x = 'ab'\nfor i in range(100):\n    x = x + x",
        "x = []\nx.append(x)\ny = x == [x]\nz = str(x)",
        "x = 'a'.ljust(10 ** 12)",
        "x = 'a'.replace('a', 'b' * 1000).replace('b', 'c' * 1000).replace('c', 'd' * 1000)",
        "x = 2 ** -(10 ** 10)",
        "class A(A): pass\nx = A",
    ],
)
def test_bombs(text: str) -> None:
    made = world({"m": text}, steps=60_000)
    module = made.load("m.py", "m")
    assert isinstance(module.tree, ast.Module)
    assert "x" in module.namespace or module.error


def test_deep_nesting_is_refused_or_unknown() -> None:
    found = executed(
        "x = " + "(" * 80 + "1" + ")" * 80 + "\ny = " + "-" * 3000 + "1\nz = " + "+".join("1" * 3000) + "\n"
    )
    assert found.error is not None or isinstance(found.namespace["y"].value, Unknown | int)


def test_nothing_outside_is_asked() -> None:
    """A name of a third party stays a name; nothing of it is imported."""
    found = values("import antigravity, somebody\nx = somebody.sub.name\n")
    assert found["x"] == External("somebody.sub.name")
