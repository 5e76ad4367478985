"""Ways that the catalogue does not have: through packages, other tests of the file, and what looks harmless."""

# ruff: noqa: E501 (an edit reads best in one line)

from __future__ import annotations

from tests.neutralised.tree import MACHINE, MERGE, ORDER, RATIO, SUITE, SYMMETRIC, TOTAL, Case, after, before, swap

PATH, TABLE, SUITES, DEEP = (
    "tests/test_order.py",
    "tests/test_table.py",
    "tests/test_suite.py",
    "tests/deep/test_merge.py",
)
CONFTEST, HELPERS, BASES, PYPROJECT, STACK = (
    "tests/conftest.py",
    "tests/helpers.py",
    "tests/base.py",
    "pyproject.toml",
    "tests/test_machine.py",
)
RESULT = "    result = arrange(values)\n"
LENGTH = "    assert len(result) == len(values)\n"
FOUND = '    found = total(units, ledger["rate"])\n'
EQUAL = "    assert found == wanted, name\n"
FIX = "lambda units, rate: units * rate"

PACKAGES = (
    Case("package-exits", 3, "GK403", ORDER, {"tests/__init__.py": "import os\n\nos._exit(0)\n"}),
    Case(
        "package-patches", 14, "GK403", TOTAL, {"tests/__init__.py": f"import calc.price\n\ncalc.price.total = {FIX}\n"}
    ),
    Case(
        "package-deep-patches",
        14,
        "GK403",
        SYMMETRIC,
        {"tests/deep/__init__.py": "import calc.merge\n\ncalc.merge.merge = lambda left, right: []\n"},
    ),
    Case(
        "package-in-place-of-helper",
        17,
        "GK403",
        ORDER,
        swap(PATH, (LENGTH, "")) | {"tests/helpers/__init__.py": "def check_sorted(values):\n    pass\n"},
    ),
    Case(
        "package-in-place-of-strategies",
        12,
        "GK404",
        ORDER,
        {
            "tests/strategies/__init__.py": "from hypothesis import strategies as st\n\n\ndef amounts():\n    return st.just([1])\n"
        },
    ),
    Case(
        "conftest-imports-judged-for-effect",
        14,
        "GK403",
        TOTAL,
        after(CONFTEST, "import calc.fast") | {"src/calc/fast.py": f"from calc import price\n\nprice.total = {FIX}\n"},
    ),
    Case(
        "helper-imports-judged-for-effect",
        14,
        "GK403",
        ORDER,
        before(HELPERS, "import calc.fast")
        | {"src/calc/fast.py": "from calc import order\n\norder.arrange = sorted\n"}
        | swap(
            PATH,
            (
                "from calc.order import arrange\nfrom helpers import check_sorted\n",
                "from helpers import check_sorted\nfrom calc.order import arrange\n",
            ),
        ),
    ),
    Case(
        "plugin-in-judged",
        14,
        "GK403",
        TOTAL,
        {
            "conftest.py": "pytest_plugins = ['calc.testing']\n",
            "src/calc/testing.py": "def pytest_pyfunc_call(pyfuncitem):\n    return True\n",
        },
    ),
    Case(
        "property-moved-to-judged",
        9,
        "GK403",
        ORDER,
        swap(
            PATH,
            ("PAIR = 2\n", "from calc.checks import test_arranges\n\nPAIR = 2\n"),
            ("def test_arranges(values)", "def arranges(values)"),
        )
        | {"src/calc/checks.py": "def test_arranges():\n    pass\n"},
    ),
    Case(
        "base-moved-to-judged",
        2,
        "GK403",
        MERGE,
        swap(DEEP, ("from base import Suite", "from calc.suite import Suite"))
        | {"src/calc/suite.py": "class Suite:\n    left = right = []\n\n    def test_keeps_all(self):\n        pass\n"},
    ),
    Case(
        "helper-moved-to-judged",
        5,
        "GK404",
        ORDER,
        swap(PATH, ("from helpers import check_sorted", "from calc.checks import check_sorted"), (LENGTH, ""))
        | {"src/calc/checks.py": "def check_sorted(values):\n    pass\n"},
    ),
)

NEIGHBOURS = (
    Case(
        "neighbour-sets-global",
        17,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (
                "@pytest.fixture\ndef ledger",
                f"def test_first():\n    global total\n    total = {FIX}\n\n\n@pytest.fixture\ndef ledger",
            ),
        ),
    ),
    Case(
        "neighbour-sets-globals",
        17,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (
                "@pytest.fixture\ndef ledger",
                f"def test_first():\n    globals()['total'] = {FIX}\n\n\n@pytest.fixture\ndef ledger",
            ),
        ),
    ),
    Case(
        "neighbour-patches-module",
        17,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (
                "@pytest.fixture\ndef ledger",
                f"def test_first():\n    import sys\n    sys.modules[__name__].total = {FIX}\n\n\n@pytest.fixture\ndef ledger",
            ),
        ),
    ),
    Case(
        "neighbour-exits",
        17,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (
                "@pytest.fixture\ndef ledger",
                "def test_first():\n    __import__('os')._exit(0)\n\n\n@pytest.fixture\ndef ledger",
            ),
        ),
    ),
    Case(
        "neighbour-empties-list-of-class",
        17,
        "GK403",
        MERGE,
        swap(
            DEEP,
            ("    def test_symmetric", "    def test_a(self):\n        self.left.clear()\n\n    def test_symmetric"),
        )
        | swap(
            BASES,
            (
                "    def test_keeps_all",
                "    def test_aaa(self):\n        self.right.clear()\n        self.left.clear()\n\n    def test_keeps_all",
            ),
        ),
    ),
    Case(
        "neighbour-sets-class",
        17,
        "GK403",
        SYMMETRIC,
        swap(
            DEEP,
            (
                "    def test_symmetric",
                "    def test_a(self):\n        type(self).test_symmetric = lambda self: None\n        type(self).left = []\n\n    def test_symmetric",
            ),
        ),
    ),
    Case(
        "neighbour-module-fixture-patches",
        17,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (
                "@pytest.fixture\ndef ledger",
                f"@pytest.fixture(scope='module')\ndef patched():\n    import test_table\n    test_table.total = {FIX}\n\n\ndef test_first(patched):\n    pass\n\n\n@pytest.fixture\ndef ledger",
            ),
        ),
    ),
    Case(
        "neighbour-monkeypatch-context",
        17,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (
                "@pytest.fixture\ndef ledger",
                f"def test_first():\n    pytest.MonkeyPatch().setattr('test_table.total', {FIX})\n\n\n@pytest.fixture\ndef ledger",
            ),
        ),
    ),
    Case(
        "neighbour-patch-start",
        17,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (
                "@pytest.fixture\ndef ledger",
                f"def test_first():\n    from unittest import mock\n    mock.patch('test_table.total', {FIX}).start()\n\n\n@pytest.fixture\ndef ledger",
            ),
        ),
    ),
    Case(
        "neighbour-class-body",
        17,
        "GK403",
        TOTAL,
        after(TABLE, "class TestMore:", f"    from sys import modules; modules[__name__].total = {FIX}"),
    ),
    Case(
        "neighbour-profile",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            (
                "@settings(max",
                "def test_first():\n    settings.register_profile('x', phases=[])\n    settings.load_profile('x')\n\n\n@settings(max",
            ),
        ),
    ),
)

HIDDEN = (
    Case("hides-len", 6, "GK403", ORDER, swap(PATH, (RESULT, RESULT + "    len = lambda values: 0\n"))),
    Case(
        "hides-len-module",
        6,
        "GK403",
        ORDER,
        swap(PATH, ("PAIR = 2\n", "PAIR = 2\n\n\ndef len(values):\n    return 2\n")),
    ),
    Case("hides-judged-in-body", 17, "GK403", ORDER, swap(PATH, (RESULT, "    arrange = sorted\n" + RESULT))),
    Case(
        "hides-judged-by-inner-def",
        17,
        "GK403",
        ORDER,
        swap(PATH, (RESULT, "    def arrange(values):\n        return sorted(values)\n\n" + RESULT)),
    ),
    Case(
        "hides-judged-by-import",
        17,
        "GK403",
        ORDER,
        swap(PATH, (RESULT, "    from builtins import sorted as arrange\n" + RESULT)),
    ),
    Case(
        "expects-what-it-finds",
        6,
        "GK403",
        TOTAL,
        swap(TABLE, (EQUAL, '    wanted = total(units, ledger["rate"])\n' + EQUAL)),
    ),
    Case(
        "expects-what-it-finds-by-walrus",
        6,
        "GK403",
        TOTAL,
        swap(TABLE, (EQUAL, "    assert found == (wanted := found)\n")),
    ),
    Case(
        "raises-any-exception",
        8,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (
                FOUND + EQUAL,
                FOUND
                + "    with pytest.raises(Exception):\n        assert found == wanted\n        raise ValueError\n",
            ),
        ),
    ),
    Case(
        "assert-any-instead-of-all",
        6,
        "GK404",
        ORDER,
        swap(PATH, (LENGTH, "    assert any(value in result for value in [*values, *result]) or not result\n")),
    ),
    Case("assert-set", 6, "GK404", ORDER, swap(PATH, (LENGTH, "    assert set(result) <= set(values)\n"))),
    Case(
        "assert-slice",
        6,
        "GK404",
        TOTAL,
        swap(TABLE, ("assert found == wanted, name", "assert str(found)[:0] == str(wanted)[:0], name")),
    ),
    Case(
        "assert-type",
        6,
        "GK404",
        TOTAL,
        swap(TABLE, ("assert found == wanted, name", "assert type(found) == type(wanted), name")),
    ),
    Case(
        "assert-bool",
        6,
        "GK404",
        TOTAL,
        swap(TABLE, ("assert found == wanted, name", "assert bool(found) == bool(wanted), name")),
    ),
    Case(
        "assert-not-negative",
        6,
        "GK404",
        TOTAL,
        swap(TABLE, ("assert found == wanted, name", "assert found >= 0, name")),
    ),
    Case(
        "assert-modulo",
        6,
        "GK405",
        TOTAL,
        swap(TABLE, ("assert found == wanted, name", "assert found % 10 == wanted % 10, name")),
    ),
    Case(
        "assert-min",
        6,
        "GK404",
        TOTAL,
        swap(TABLE, ("assert found == wanted, name", "assert min(found, 500) == min(wanted, 500), name")),
    ),
    Case(
        "returns-early-in-loop",
        7,
        "GK403",
        ORDER,
        swap(PATH, (RESULT, "    for _ in values:\n        return\n" + RESULT)),
    ),
    Case(
        "returns-in-with",
        7,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (
                FOUND,
                FOUND
                + "    with pytest.warns():\n        import warnings\n        warnings.warn('x')\n        return\n",
            ),
        ),
    ),
    Case(
        "returns-in-try",
        7,
        "GK403",
        TOTAL,
        swap(TABLE, (FOUND, FOUND + "    try:\n        return\n    finally:\n        pass\n")),
    ),
    Case(
        "raises-stop-iteration",
        8,
        "GK403",
        TOTAL,
        swap(TABLE, (EQUAL, "    for _ in map(lambda x: x, []):\n        assert found == wanted\n")),
    ),
    Case(
        "zip-with-nothing",
        7,
        "GK404",
        ORDER,
        swap(PATH, (LENGTH, "    for one, other in zip(result, sorted(values)):\n        assert one == other\n")),
    ),
    Case(
        "asserts-in-subprocess",
        8,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (EQUAL, "    import os\n    if os.fork() == 0:\n        os._exit(int(found != wanted))\n    os.wait()\n"),
        ),
    ),
    Case(
        "mark-flaky-param-skip",
        11,
        "GK403",
        RATIO,
        swap(
            "tests/test_close.py",
            ("[1, 10, 1000]", "[1, 10, pytest.param(1000, marks=[pytest.mark.skipif(True, reason='slow')])]"),
        ),
    ),
    Case(
        "usefixtures-on-class",
        13,
        "GK403",
        SYMMETRIC,
        swap(
            DEEP,
            (
                "class TestMerge",
                "@pytest.fixture\ndef quiet():\n    pytest.skip()\n\n\n@pytest.mark.usefixtures('quiet')\nclass TestMerge",
            ),
            ("from base", "import pytest\nfrom base"),
        ),
    ),
    Case(
        "dynamic-fixture",
        13,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (
                '    return {"rate": rate, "floor": 1}',
                '    request = __import__("inspect").currentframe()\n    return {"rate": rate, "floor": pytest.skip()}',
            ),
        ),
    ),
    Case(
        "fixture-yields-after-patch",
        13,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (
                '    return {"rate": rate, "floor": 1}',
                f'    import test_table\n    kept, test_table.total = test_table.total, {FIX}\n    yield {{"rate": rate, "floor": 1}}\n    test_table.total = kept',
            ),
        ),
    ),
    Case(
        "abstract-class",
        2,
        "GK403",
        SYMMETRIC,
        swap(
            DEEP,
            (
                "class TestMerge(Suite):",
                "from abc import ABC, abstractmethod\n\n\nclass TestMerge(ABC, Suite):\n    @abstractmethod\n    def later(self):\n        pass\n",
            ),
        ),
    ),
    Case("class-renamed", 9, "GK403", SYMMETRIC, swap(DEEP, ("class TestMerge", "class Merge"))),
    Case("class-nested-away", 9, "GK403", SYMMETRIC, after(DEEP, "del TestMerge")),
    Case(
        "decorated-by-suite",
        10,
        "GK403",
        SUITE,
        swap(
            SUITES,
            ("    def test_balance", "    @staticmethod\n    def test_balance"),
            (
                "(self):\n        self.fill(5, 7)\n        self.assertEqual(self.ledger.balance(), 12)",
                "():\n        pass",
            ),
        ),
    ),
    Case(
        "subtest-swallows",
        8,
        "GK403",
        SUITE,
        swap(
            SUITES,
            (
                "        self.assertEqual(self.ledger.balance(), 12)\n",
                "        try:\n            self.assertEqual(self.ledger.balance(), 12)\n        except self.failureException:\n            pass\n",
            ),
        ),
    ),
    Case(
        "machine-invariant-removed",
        12,
        "GK404",
        MACHINE,
        swap(
            STACK,
            (
                "            assert self.stack.pop() == self.model.pop()",
                "            self.stack.pop(), self.model.pop()",
            ),
        ),
    ),
    Case(
        "machine-pop-precondition",
        12,
        "GK404",
        MACHINE,
        swap(STACK, ("        if self.model:\n", "        if not self.model and self.stack:\n")),
    ),
    Case(
        "machine-teardown-exits",
        12,
        "GK403",
        MACHINE,
        swap(
            STACK,
            ("    @invariant()", "    def teardown(self):\n        __import__('os')._exit(0)\n\n    @invariant()"),
        ),
    ),
    Case(
        "given-on-inner",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            (
                "@settings(max_examples=40, deadline=None, database=None)\n@given(values=amounts())\n@example(values=[3, 1, 2])\ndef test_arranges(values):",
                "def test_arranges():\n    inner([1])\n\n\ndef inner(values):",
            ),
        ),
    ),
    Case(
        "given-data-drawn-small",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            ("values=amounts()", "values=st.lists(st.integers(0, 3), min_size=1)"),
            ("from calc", "from hypothesis import strategies as st\nfrom calc"),
        ),
    ),
    Case(
        "composite-narrowed",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            ("values=amounts()", "values=few()"),
            ("PAIR = 2\n", "PAIR = 2\n\n\n@st.composite\ndef few(draw):\n    return draw(amounts())[:0]\n"),
            ("from calc", "from hypothesis import strategies as st\nfrom calc"),
        ),
    ),
    Case(
        "health-checks-and-filter",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            ("values=amounts()", "values=amounts().filter(lambda values: max(values) < 4)"),
            ("max_examples=40", "max_examples=5, suppress_health_check=list(HealthCheck)"),
            ("import example", "import HealthCheck, example"),
        ),
    ),
    Case(
        "target-database-replay-only",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            ("max_examples=40", "phases=[Phase.explicit, Phase.reuse, Phase.target]"),
            ("import example", "import Phase, example"),
        ),
    ),
    Case(
        "ini-filterwarnings-only",
        16,
        "GK404",
        TOTAL,
        swap(PYPROJECT, ("testpaths", 'filterwarnings = ["ignore"]\ntestpaths')),
    ),
    Case(
        "config-addopts-file",
        15,
        "GK403",
        TOTAL,
        swap(PYPROJECT, ('addopts = ["-ra", "--strict-markers"]', 'addopts = ["-ra", "@args.txt"]'))
        | {"args.txt": "--co\n"},
    ),
)

CASES = (*PACKAGES, *NEIGHBOURS, *HIDDEN)
