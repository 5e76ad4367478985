"""Groups 1 to 3, 10 to 12: marks, unittest's machinery, module skips, decorators, parameters, Hypothesis."""

# ruff: noqa: E501 (an edit reads best in one line)

from __future__ import annotations

from tests.neutralised.tree import MACHINE, MERGE, ORDER, RATIO, SUITE, SYMMETRIC, TOTAL, Case, after, before, swap

PATH, TABLE, SUITES, DEEP = (
    "tests/test_order.py",
    "tests/test_table.py",
    "tests/test_suite.py",
    "tests/deep/test_merge.py",
)
CLOSE, STACK, BASES, HELPERS, STRATEGIES = (
    "tests/test_close.py",
    "tests/test_machine.py",
    "tests/base.py",
    "tests/helpers.py",
    "tests/strategies.py",
)
TOTAL_DEF = '@pytest.mark.parametrize(("name", "units", "wanted"), CASES)\n'
SYMM_DEF = "    def test_symmetric(self, spare):\n"
SETTINGS = "@settings(max_examples=40, deadline=None, database=None)\n"
GIVEN = "@given(values=amounts())\n"
BALANCE_DEF = "    def test_balance(self):\n"
SETUP = "        self.ledger = Ledger()\n"


def mark(name: str, line: str, *, code: str = "GK403", top: str = "") -> Case:
    """A decorator put on the table property."""
    edits = swap(TABLE, (TOTAL_DEF, line + "\n" + TOTAL_DEF))
    return Case(name, 1, code, TOTAL, {TABLE: top + (edits[TABLE] or "")})


MARKS = (
    mark("mark-skip", "@pytest.mark.skip"),
    mark("mark-skip-called", '@pytest.mark.skip(reason="flaky")'),
    mark("mark-skipif", '@pytest.mark.skipif(True, reason="flaky")'),
    mark("mark-skipif-string", """@pytest.mark.skipif("sys.platform", reason="flaky")"""),
    mark("mark-skipif-platform", '@pytest.mark.skipif(sys.platform == "linux", reason="flaky")', top="import sys\n"),
    mark("mark-xfail", "@pytest.mark.xfail"),
    mark("mark-xfail-string", """@pytest.mark.xfail("True", reason="flaky")"""),
    mark("mark-xfail-run-false", "@pytest.mark.xfail(run=False)"),
    mark("mark-xfail-raises", "@pytest.mark.xfail(raises=AssertionError, strict=False)"),
    mark("mark-aliased", "@later", top="import pytest\n\nlater = pytest.mark.skip\n"),
    mark("mark-imported", "@mark.skip", top="from pytest import mark\n"),
    mark("mark-getattr", '@getattr(pytest.mark, "sk" + "ip")'),
    mark("mark-returned", "@later()", top="import pytest\n\n\ndef later():\n    return pytest.mark.skip\n\n\n"),
    mark("mark-from-helper", "@unused", top="from marks import unused\n")._replace(
        edits=(
            mark("x", "@unused", top="from marks import unused\n").edits
            | {"tests/marks.py": "import pytest\n\nunused = pytest.mark.xfail\n"}
        )
    ),
    mark(
        "mark-usefixtures-skip",
        '@pytest.mark.usefixtures("quiet")',
        top="import pytest\n\n\n@pytest.fixture\ndef quiet():\n    pytest.skip()\n\n\n",
    ),
    Case("pytestmark", 1, "GK403", TOTAL, after(TABLE, "pytestmark = pytest.mark.skip")),
    Case("pytestmark-list", 1, "GK403", TOTAL, after(TABLE, "pytestmark = [pytest.mark.property, pytest.mark.xfail]")),
    Case("pytestmark-conditional", 1, "GK403", TOTAL, after(TABLE, "if CASES:", "    pytestmark = pytest.mark.skip")),
    Case(
        "pytestmark-imported",
        1,
        "GK403",
        TOTAL,
        after(TABLE, "from marks import pytestmark")
        | {"tests/marks.py": "import pytest\n\npytestmark = pytest.mark.skip\n"},
    ),
    Case("pytestmark-on-function", 1, "GK403", TOTAL, after(TABLE, "test_total.pytestmark = [pytest.mark.skip]")),
    Case("pytestmark-appended", 1, "GK403", TOTAL, after(TABLE, "test_total.pytestmark.append(pytest.mark.skip.mark)")),
    Case("mark-applied-later", 1, "GK403", TOTAL, after(TABLE, "test_total = pytest.mark.skip(test_total)")),
    Case("mark-applied-in-place", 1, "GK403", TOTAL, after(TABLE, "pytest.mark.skip(test_total)")),
    Case(
        "mark-on-class",
        1,
        "GK403",
        SYMMETRIC,
        before(DEEP, "import pytest")
        | swap(DEEP, ("class TestMerge", "import pytest\n\n\n@pytest.mark.skip\nclass TestMerge")),
    ),
    Case(
        "mark-on-base",
        1,
        "GK403",
        MERGE,
        swap(BASES, ("class Suite:", "import pytest\n\n\n@pytest.mark.xfail\nclass Suite:")),
    ),
    Case(
        "pytestmark-in-class",
        1,
        "GK403",
        SYMMETRIC,
        swap(DEEP, ("    left = [1, 4]\n", "    pytestmark = __import__('pytest').mark.skip\n    left = [1, 4]\n")),
    ),
    Case(
        "pytestmark-in-base",
        1,
        "GK403",
        MERGE,
        swap(
            BASES,
            ("    left = []\n", "    pytestmark = pytest.mark.skip\n    left = []\n"),
            ("from calc", "import pytest\nfrom calc"),
        ),
    ),
    Case(
        "mark-in-base-method",
        1,
        "GK403",
        MERGE,
        swap(
            BASES,
            ("    def test_keeps_all", "    @pytest.mark.skip\n    def test_keeps_all"),
            ("from calc", "import pytest\nfrom calc"),
        ),
    ),
    Case(
        "mark-on-hypothesis",
        1,
        "GK403",
        ORDER,
        swap(PATH, (SETTINGS, "@pytest.mark.skip\n" + SETTINGS), ("from calc", "import pytest\nfrom calc")),
    ),
    Case(
        "mark-on-machine",
        1,
        "GK403",
        MACHINE,
        after(STACK, "import pytest", "", "TestStack.pytestmark = [pytest.mark.skip]"),
    ),
)

UNITTEST = (
    Case(
        "unittest-skip", 2, "GK403", SUITE, swap(SUITES, (BALANCE_DEF, '    @unittest.skip("later")\n' + BALANCE_DEF))
    ),
    Case(
        "unittest-skip-if",
        2,
        "GK403",
        SUITE,
        swap(SUITES, (BALANCE_DEF, '    @unittest.skipIf(True, "later")\n' + BALANCE_DEF)),
    ),
    Case(
        "unittest-skip-unless",
        2,
        "GK403",
        SUITE,
        swap(SUITES, (BALANCE_DEF, '    @unittest.skipUnless(0, "later")\n' + BALANCE_DEF)),
    ),
    Case(
        "unittest-expected-failure",
        2,
        "GK403",
        SUITE,
        swap(SUITES, (BALANCE_DEF, "    @unittest.expectedFailure\n" + BALANCE_DEF)),
    ),
    Case(
        "unittest-skip-class",
        2,
        "GK403",
        SUITE,
        swap(SUITES, ("class LedgerTest", '@unittest.skip("later")\nclass LedgerTest')),
    ),
    Case(
        "unittest-skip-plain-function",
        2,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (TOTAL_DEF, '@unittest.skip("later")\n' + TOTAL_DEF),
            ("import pytest\n", "import unittest\n\nimport pytest\n"),
        ),
    ),
    Case(
        "unittest-skip-attribute", 2, "GK403", SUITE, after(SUITES, "LedgerTest.test_balance.__unittest_skip__ = True")
    ),
    Case(
        "unittest-skip-attribute-class",
        2,
        "GK403",
        SUITE,
        swap(SUITES, ("    def setUp", "    __unittest_skip__ = True\n\n    def setUp")),
    ),
    Case(
        "unittest-expecting-attribute",
        2,
        "GK403",
        SUITE,
        after(SUITES, "LedgerTest.test_balance.__unittest_expecting_failure__ = True"),
    ),
    Case(
        "unittest-setup-skips",
        2,
        "GK403",
        SUITE,
        swap(SUITES, (SETUP, SETUP + '        raise unittest.SkipTest("later")\n')),
    ),
    Case(
        "unittest-setup-skiptest", 2, "GK403", SUITE, swap(SUITES, (SETUP, SETUP + '        self.skipTest("later")\n'))
    ),
    Case(
        "unittest-setup-class-skips",
        2,
        "GK403",
        SUITE,
        swap(
            SUITES,
            (
                "    def setUp",
                "    @classmethod\n    def setUpClass(cls):\n        raise unittest.SkipTest\n\n    def setUp",
            ),
        ),
    ),
    Case(
        "unittest-setup-module-skips",
        2,
        "GK403",
        SUITE,
        after(SUITES, "def setUpModule():", "    raise unittest.SkipTest"),
    ),
    Case(
        "unittest-failure-exception",
        2,
        "GK403",
        SUITE,
        swap(SUITES, ("    def setUp", "    failureException = unittest.SkipTest\n\n    def setUp")),
    ),
    Case(
        "unittest-own-run",
        2,
        "GK403",
        SUITE,
        swap(
            SUITES,
            ("    def setUp", "    def run(self, result=None):\n        result.addSuccess(self)\n\n    def setUp"),
        ),
    ),
    Case(
        "unittest-own-call",
        2,
        "GK403",
        SUITE,
        swap(
            SUITES,
            ("    def setUp", "    def __call__(self, result=None):\n        result.addSuccess(self)\n\n    def setUp"),
        ),
    ),
    Case(
        "unittest-own-assert",
        2,
        "GK403",
        SUITE,
        swap(
            SUITES,
            ("    def setUp", "    def assertEqual(self, first, second, msg=None):\n        pass\n\n    def setUp"),
        ),
    ),
    Case(
        "unittest-own-assert-lambda",
        2,
        "GK403",
        SUITE,
        swap(SUITES, ("    def setUp", "    assertEqual = lambda *words: None\n\n    def setUp")),
    ),
    Case(
        "unittest-call-test-method",
        2,
        "GK403",
        SUITE,
        swap(SUITES, ("    def setUp", "    def _callTestMethod(self, method):\n        pass\n\n    def setUp")),
    ),
    Case(
        "unittest-init-swaps",
        2,
        "GK403",
        SUITE,
        swap(
            SUITES,
            (
                "    def setUp",
                "    def __init__(self, method='runTest'):\n        super().__init__(method)\n        setattr(self, method, lambda: None)\n\n    def setUp",
            ),
        ),
    ),
    Case(
        "unittest-getattribute",
        2,
        "GK403",
        SUITE,
        swap(
            SUITES,
            (
                "    def setUp",
                "    def __getattribute__(self, name):\n        if name == 'assertEqual':\n            return print\n        return super().__getattribute__(name)\n\n    def setUp",
            ),
        ),
    ),
    Case(
        "unittest-setup-swaps", 2, "GK403", SUITE, swap(SUITES, (SETUP, SETUP + "        self.assertEqual = print\n"))
    ),
    Case(
        "unittest-mixin",
        2,
        "GK403",
        SUITE,
        swap(
            SUITES,
            (
                "class LedgerTest(unittest.TestCase)",
                "class Mild:\n    def assertEqual(self, *words):\n        pass\n\n\nclass LedgerTest(Mild, unittest.TestCase)",
            ),
        ),
    ),
    Case(
        "unittest-mixin-elsewhere",
        2,
        "GK403",
        SUITE,
        swap(
            SUITES,
            ("class LedgerTest(unittest.TestCase)", "class LedgerTest(Mild, unittest.TestCase)"),
            ("from calc", "from mild import Mild\nfrom calc"),
        )
        | {"tests/mild.py": "class Mild:\n    def assertEqual(self, *words):\n        pass\n"},
    ),
    Case(
        "unittest-metaclass",
        2,
        "GK403",
        SUITE,
        swap(
            SUITES,
            (
                "class LedgerTest(unittest.TestCase)",
                "class Meta(type):\n    def __new__(kind, name, bases, space):\n        space['test_balance'] = lambda self: None\n        return super().__new__(kind, name, bases, space)\n\n\nclass LedgerTest(unittest.TestCase, metaclass=Meta)",
            ),
        ),
    ),
    Case(
        "unittest-test-case-patched",
        2,
        "GK403",
        SUITE,
        after(SUITES, "unittest.TestCase.assertEqual = lambda *words: None"),
    ),
    Case(
        "unittest-base-swapped",
        2,
        "GK403",
        SUITE,
        swap(
            SUITES,
            (
                "class LedgerTest(unittest.TestCase)",
                "class Cases(unittest.TestCase):\n    def assertEqual(self, *words, **more):\n        return None\n\n\nclass LedgerTest(Cases)",
            ),
        ),
    ),
    Case(
        "unittest-async-case",
        2,
        "GK403",
        SUITE,
        swap(SUITES, ("    def test_balance(self):", "    async def test_balance(self):")),
    ),
    Case(
        "class-setup-method-skips",
        2,
        "GK403",
        SYMMETRIC,
        swap(DEEP, (SYMM_DEF, "    def setup_method(self):\n        __import__('pytest').skip()\n\n" + SYMM_DEF)),
    ),
    Case(
        "class-setup-class-skips",
        2,
        "GK403",
        MERGE,
        swap(
            BASES,
            (
                "    left = []\n",
                "    @classmethod\n    def setup_class(cls):\n        import pytest\n        pytest.skip()\n\n    left = []\n",
            ),
        ),
    ),
    Case(
        "class-setup-method-swaps",
        2,
        "GK403",
        SYMMETRIC,
        swap(
            DEEP,
            (
                SYMM_DEF,
                "    def setup_method(self, method):\n        self.test_symmetric = lambda **names: None\n        type(self).left = []\n\n"
                + SYMM_DEF,
            ),
        ),
    ),
    Case(
        "class-inherited-data-emptied", 2, "GK404", MERGE, swap(DEEP, ("    right = [2, 4, 6]", "    right = [2, 6]"))
    ),
    Case(
        "class-helper-emptied",
        2,
        "GK403",
        MERGE,
        swap(BASES, ("return merge(self.left, self.right)", "return self.left + self.right")),
    ),
    Case(
        "class-helper-overridden",
        2,
        "GK403",
        MERGE,
        swap(DEEP, (SYMM_DEF, "    def joined(self):\n        return self.left + self.right\n\n" + SYMM_DEF)),
    ),
    Case(
        "class-test-overridden",
        2,
        "GK403",
        MERGE,
        swap(DEEP, (SYMM_DEF, "    def test_keeps_all(self):\n        pass\n\n" + SYMM_DEF)),
    ),
    Case(
        "class-base-dropped",
        2,
        "GK403",
        MERGE,
        swap(DEEP, ("class TestMerge(Suite):", "class TestMerge:\n    def test_keeps_all(self):\n        pass\n")),
    ),
    Case(
        "base-test-emptied",
        2,
        "GK403",
        MERGE,
        swap(
            BASES,
            (
                "        assert sorted(result) == sorted(self.left + self.right)\n        assert len(result) == len(self.left) + len(self.right)\n",
                "",
            ),
        ),
    ),
    Case("base-attribute-assigned", 2, "GK403", MERGE, after(BASES, "Suite.test_keeps_all = lambda self: None")),
    Case(
        "init-subclass",
        2,
        "GK403",
        MERGE,
        swap(
            BASES,
            (
                "    left = []\n",
                "    def __init_subclass__(cls):\n        cls.test_keeps_all = lambda self: None\n\n    left = []\n",
            ),
        ),
    ),
)

MODULES = (
    Case(
        "module-skip",
        3,
        "GK403",
        TOTAL,
        before(TABLE, "import pytest", 'pytest.skip("later", allow_module_level=True)'),
    ),
    Case(
        "module-skip-under-if",
        3,
        "GK403",
        TOTAL,
        before(
            TABLE,
            "import sys",
            "import pytest",
            "if sys.platform:",
            '    pytest.skip("later", allow_module_level=True)',
        ),
    ),
    Case(
        "module-importorskip", 3, "GK403", TOTAL, before(TABLE, "import pytest", 'pytest.importorskip("no_such_thing")')
    ),
    Case(
        "module-importorskip-version",
        3,
        "GK403",
        TOTAL,
        before(TABLE, "import pytest", 'pytest.importorskip("hypothesis", minversion="999")'),
    ),
    Case("module-raise-skip", 3, "GK403", TOTAL, before(TABLE, "import unittest", "raise unittest.SkipTest")),
    Case(
        "module-raise-skip-exception",
        3,
        "GK403",
        TOTAL,
        before(TABLE, "import pytest", "raise pytest.skip.Exception('later', allow_module_level=True)"),
    ),
    Case("module-exit", 3, "GK403", TOTAL, before(TABLE, "import pytest", "pytest.exit('done', returncode=0)")),
    Case("module-os-exit", 3, "GK403", TOTAL, before(TABLE, "import os", "os._exit(0)")),
    Case("module-sys-exit", 3, "GK403", TOTAL, before(TABLE, "import sys", "sys.exit(0)")),
    Case("module-atexit", 3, "GK403", TOTAL, before(TABLE, "import atexit, os", "atexit.register(os._exit, 0)")),
    Case(
        "module-helper-skips",
        3,
        "GK403",
        ORDER,
        before(HELPERS, "import pytest", "pytest.skip(allow_module_level=True)"),
    ),
    Case("module-helper-os-exit", 3, "GK403", ORDER, before(HELPERS, "import os", "os._exit(0)")),
    Case(
        "module-try-import",
        3,
        "GK403",
        TOTAL,
        before(
            TABLE,
            "import pytest",
            "try:",
            "    import no_such_thing",
            "except ImportError:",
            "    pytest.skip(allow_module_level=True)",
        ),
    ),
    Case("module-setup-module-skips", 3, "GK403", TOTAL, after(TABLE, "def setup_module():", "    pytest.skip()")),
    Case(
        "module-setup-function-skips",
        3,
        "GK403",
        TOTAL,
        after(TABLE, "def setup_function(function):", "    pytest.skip()"),
    ),
    Case("module-file-removed", 3, "GK403", TOTAL, {TABLE: None}),
    Case("module-file-renamed", 3, "GK403", TOTAL, swap(TABLE) | {TABLE: None, "tests/table.py": swap(TABLE)[TABLE]}),
    Case(
        "module-generate-tests",
        3,
        "GK403",
        TOTAL,
        after(TABLE, "def pytest_generate_tests(metafunc):", "    metafunc.definition.add_marker(pytest.mark.skip)"),
    ),
)

DECORATORS = (
    Case(
        "decorator-noop",
        10,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (TOTAL_DEF, TOTAL_DEF + "@quiet\n"),
            (
                "CASES = [",
                "def quiet(function):\n    def inner(name, units, wanted, ledger):\n        pass\n    return inner\n\n\nCASES = [",
            ),
        ),
    ),
    Case(
        "decorator-noop-wraps",
        10,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (TOTAL_DEF, TOTAL_DEF + "@quiet\n"),
            (
                "CASES = [",
                "import functools\n\n\ndef quiet(function):\n    @functools.wraps(function)\n    def inner(*args, **kwargs):\n        pass\n    return inner\n\n\nCASES = [",
            ),
        ),
    ),
    Case(
        "decorator-swallows",
        10,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (TOTAL_DEF, TOTAL_DEF + "@quiet\n"),
            (
                "CASES = [",
                "import functools\n\n\ndef quiet(function):\n    @functools.wraps(function)\n    def inner(*args, **kwargs):\n        try:\n            function(*args, **kwargs)\n        except AssertionError:\n            pass\n    return inner\n\n\nCASES = [",
            ),
        ),
    ),
    Case(
        "decorator-suppress",
        10,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (TOTAL_DEF, TOTAL_DEF + "@suppress(AssertionError)\n"),
            ("CASES = [", "from contextlib import suppress\n\nCASES = ["),
        ),
    ),
    Case(
        "decorator-from-helper",
        10,
        "GK403",
        TOTAL,
        swap(
            TABLE, (TOTAL_DEF, TOTAL_DEF + "@quiet\n"), ("import pytest\n", "import pytest\nfrom quiet import quiet\n")
        )
        | {
            "tests/quiet.py": "import functools\n\n\ndef quiet(function):\n    @functools.wraps(function)\n    def inner(*args, **kwargs):\n        pass\n    return inner\n"
        },
    ),
    Case("decorator-non-function", 10, "GK403", TOTAL, swap(TABLE, (TOTAL_DEF, "@str\n" + TOTAL_DEF))),
    Case(
        "decorator-lambda",
        10,
        "GK403",
        TOTAL,
        swap(TABLE, (TOTAL_DEF, TOTAL_DEF + "@(lambda f: lambda name, units, wanted, ledger: None)\n")),
    ),
    Case(
        "decorator-patch",
        10,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (TOTAL_DEF, TOTAL_DEF + "@patch('test_table.total', lambda units, rate: units * rate)\n"),
            ("import pytest\n", "from unittest.mock import patch\n\nimport pytest\n"),
        ),
    ),
    Case(
        "decorator-patch-any",
        10,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (TOTAL_DEF, TOTAL_DEF + "@patch('test_table.total', new=lambda units, rate: units * rate)\n"),
            ("import pytest\n", "from unittest.mock import patch\n\nimport pytest\n"),
        ),
    ),
    Case("decorator-fixture", 10, "GK403", TOTAL, swap(TABLE, (TOTAL_DEF, "@pytest.fixture\n"))),
    Case("decorator-property", 10, "GK403", SYMMETRIC, swap(DEEP, (SYMM_DEF, "    @property\n" + SYMM_DEF))),
    Case(
        "decorator-lru-cache",
        10,
        "GK403",
        SYMMETRIC,
        swap(DEEP, (SYMM_DEF, "    @__import__('contextlib').contextmanager\n" + SYMM_DEF)),
    ),
    Case(
        "decorator-contextmanager",
        10,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (TOTAL_DEF, TOTAL_DEF + "@contextlib.contextmanager\n"),
            ("import pytest\n", "import contextlib\n\nimport pytest\n"),
        ),
    ),
    Case(
        "decorator-class-noop",
        10,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (TOTAL_DEF, TOTAL_DEF + "@Quiet\n"),
            (
                "CASES = [",
                "class Quiet:\n    def __new__(cls, function):\n        return lambda name, units, wanted, ledger: None\n\n\nCASES = [",
            ),
        ),
    ),
)

PARAMETERS = (
    Case("parametrize-empty", 11, "GK403", TOTAL, swap(TABLE, ("CASES)", "[])"))),
    Case(
        "parametrize-empty-list", 11, "GK403", TOTAL, swap(TABLE, (", CASES)", ", [case for case in CASES if False])"))
    ),
    Case(
        "parametrize-cases-cleared",
        11,
        "GK403",
        TOTAL,
        swap(TABLE, ("@pytest.fixture\ndef ledger", "CASES.clear()\n\n\n@pytest.fixture\ndef ledger")),
    ),
    Case("parametrize-shrunk", 11, "GK404", TOTAL, swap(TABLE, ('    ("many", 10, 1100),\n', ""))),
    Case("parametrize-sliced", 11, "GK404", TOTAL, swap(TABLE, ("CASES)", "CASES[:2])"))),
    Case(
        "parametrize-popped",
        11,
        "GK404",
        TOTAL,
        swap(TABLE, ("@pytest.fixture\ndef ledger", "CASES.pop()\n\n\n@pytest.fixture\ndef ledger")),
    ),
    Case(
        "parametrize-rebound",
        11,
        "GK404",
        TOTAL,
        swap(TABLE, ("@pytest.fixture\ndef ledger", "CASES = CASES[:1]\n\n\n@pytest.fixture\ndef ledger")),
    ),
    Case(
        "parametrize-skipped-param",
        11,
        "GK403",
        TOTAL,
        swap(TABLE, ('    ("many", 10, 1100),\n', '    pytest.param("many", 10, 1100, marks=pytest.mark.skip),\n')),
    ),
    Case(
        "parametrize-xfail-param",
        11,
        "GK403",
        TOTAL,
        swap(TABLE, ('    ("many", 10, 1100),\n', '    pytest.param("many", 10, 1100, marks=[pytest.mark.xfail]),\n')),
    ),
    Case("parametrize-value-changed", 11, "GK404", TOTAL, swap(TABLE, ('("many", 10, 1100)', '("many", 5, 550)'))),
    Case("parametrize-wanted-changed", 11, "GK404", TOTAL, swap(TABLE, ('("many", 10, 1100)', '("many", 10, 550)'))),
    Case(
        "parametrize-removed",
        11,
        "GK404",
        TOTAL,
        swap(
            TABLE,
            (TOTAL_DEF, ""),
            ("def test_total(name, units, wanted, ledger)", "def test_total(ledger, name='one', units=1, wanted=110)"),
        ),
    ),
    Case("parametrize-scale-shrunk", 11, "GK404", RATIO, swap(CLOSE, ("[1, 10, 1000]", "[1, 10]"))),
    Case("parametrize-wide-tolerance", 11, "GK404", RATIO, swap(CLOSE, ("rel=1e-6", "rel=0.5"))),
    Case("parametrize-absolute-tolerance", 11, "GK404", RATIO, swap(CLOSE, ("rel=1e-6", "abs=0.5"))),
    Case(
        "parametrize-isclose",
        11,
        "GK404",
        RATIO,
        swap(CLOSE, ("found == pytest.approx(0.75, rel=1e-6)", "abs(found - 0.75) < 1")),
    ),
    Case(
        "parametrize-indirect",
        11,
        "GK403",
        RATIO,
        swap(
            CLOSE,
            ("[1, 10, 1000])", "[1, 10, 1000], indirect=True)"),
            ("@pytest.mark", "@pytest.fixture\ndef scale(request):\n    return 1\n\n\n@pytest.mark"),
        ),
    ),
    Case(
        "parametrize-from-helper-shrunk",
        11,
        "GK403",
        TOTAL,
        swap(TABLE, ("CASES = [", "from cases import none\n\nCASES = none or ["), ("CASES)", "none)"))
        | {"tests/cases.py": "none = []\n"},
    ),
)

HYPOTHESIS = (
    Case(
        "given-removed-default",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            (SETTINGS + GIVEN + "@example(values=[3, 1, 2])\n", ""),
            ("test_arranges(values)", "test_arranges(values=(1, 2))"),
        ),
    ),
    Case(
        "given-removed-fixture",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            (SETTINGS + GIVEN + "@example(values=[3, 1, 2])\n", ""),
            ("PAIR = 2\n", "PAIR = 2\n\n\n@pytest.fixture\ndef values():\n    return [1, 2]\n"),
            ("from calc", "import pytest\nfrom calc"),
        ),
    ),
    Case(
        "given-replaced-by-parametrize",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            (SETTINGS + GIVEN + "@example(values=[3, 1, 2])\n", "@pytest.mark.parametrize('values', [[1, 2]])\n"),
            ("from calc", "import pytest\nfrom calc"),
        ),
    ),
    Case(
        "given-just",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            ("values=amounts()", "values=st.just([1])"),
            ("from calc", "from hypothesis import strategies as st\nfrom calc"),
        ),
    ),
    Case(
        "given-sampled-one",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            ("values=amounts()", "values=st.sampled_from([[1]])"),
            ("from calc", "from hypothesis import strategies as st\nfrom calc"),
        ),
    ),
    Case(
        "given-none",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            ("values=amounts()", "values=st.builds(list)"),
            ("from calc", "from hypothesis import strategies as st\nfrom calc"),
        ),
    ),
    Case(
        "given-mapped-to-constant",
        12,
        "GK404",
        ORDER,
        swap(PATH, ("values=amounts()", "values=amounts().map(lambda values: [1])")),
    ),
    Case(
        "given-filtered",
        12,
        "GK404",
        ORDER,
        swap(PATH, ("values=amounts()", "values=amounts(3).filter(lambda values: max(values) <= 3)")),
    ),
    Case("given-narrower-argument", 12, "GK404", ORDER, swap(PATH, ("amounts()", "amounts(3)"))),
    Case("strategy-module-narrowed", 12, "GK404", ORDER, swap(STRATEGIES, ("HIGHEST = 100", "HIGHEST = 3"))),
    Case("strategy-module-rebound", 12, "GK404", ORDER, after(STRATEGIES, "amounts = lambda: st.just([])")),
    Case(
        "strategy-function-narrowed",
        12,
        "GK404",
        ORDER,
        swap(STRATEGIES, ("st.integers(0, highest)", "st.integers(0, 2)")),
    ),
    Case("strategy-function-max-size", 12, "GK404", ORDER, swap(STRATEGIES, ("min_size=1, max_size=6", "max_size=0"))),
    Case(
        "strategy-import-changed",
        12,
        "GK404",
        ORDER,
        swap(PATH, ("from strategies import amounts", "from mild import amounts"))
        | {"tests/mild.py": "from hypothesis import strategies as st\n\n\ndef amounts():\n    return st.just([1])\n"},
    ),
    Case(
        "strategy-shadowed-locally",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            ("PAIR = 2\n", "PAIR = 2\n\n\ndef amounts():\n    return st.just([])\n"),
            ("from calc", "from hypothesis import strategies as st\nfrom calc"),
        ),
    ),
    Case("settings-one-example", 12, "GK404", ORDER, swap(PATH, ("max_examples=40", "max_examples=1"))),
    Case("settings-two-examples", 12, "GK404", ORDER, swap(PATH, ("max_examples=40", "max_examples=1 + 0"))),
    Case("settings-phases-empty", 12, "GK404", ORDER, swap(PATH, ("max_examples=40", "max_examples=40, phases=[]"))),
    Case(
        "settings-phases-explicit",
        12,
        "GK404",
        ORDER,
        swap(PATH, ("max_examples=40", "phases=[Phase.explicit]"), ("import example", "import Phase, example")),
    ),
    Case(
        "settings-phases-reuse",
        12,
        "GK404",
        ORDER,
        swap(PATH, ("max_examples=40", "phases=(Phase.reuse,)"), ("import example", "import Phase, example")),
    ),
    Case(
        "settings-named-elsewhere",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            (SETTINGS, "@QUICK\n"),
            ("PAIR = 2\n", "PAIR = 2\nQUICK = settings(max_examples=1, deadline=None, database=None)\n"),
        ),
    ),
    Case(
        "settings-stacked-later",
        12,
        "GK404",
        ORDER,
        after(PATH, "test_arranges = settings(max_examples=1)(test_arranges)"),
    ),
    Case(
        "settings-profile-module",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            (SETTINGS, ""),
            (
                "PAIR = 2\n",
                "PAIR = 2\nsettings.register_profile('quick', max_examples=1)\nsettings.load_profile('quick')\n",
            ),
        ),
    ),
    Case(
        "settings-profile-conftest",
        12,
        "GK404",
        ORDER,
        swap(PATH, ("max_examples=40, ", ""))
        | after(
            "tests/conftest.py",
            "from hypothesis import settings",
            "",
            "settings.register_profile('quick', max_examples=1)",
            "settings.load_profile('quick')",
        ),
    ),
    Case(
        "settings-phases-profile-conftest",
        12,
        "GK404",
        ORDER,
        after(
            "tests/conftest.py",
            "from hypothesis import settings",
            "",
            "settings.register_profile('quick', phases=[])",
            "settings.load_profile('quick')",
        ),
    ),
    Case(
        "settings-profile-in-hook",
        12,
        "GK404",
        ORDER,
        after(
            "tests/conftest.py",
            "def pytest_configure(config):",
            "    from hypothesis import settings",
            "    settings.register_profile('quick', phases=())",
            "    settings.load_profile('quick')",
        ),
    ),
    Case(
        "settings-suppress-and-assume",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            ("max_examples=40", "max_examples=40, suppress_health_check=list(HealthCheck)"),
            ("    result =", "    assume(max(values) <= 3)\n    result ="),
            ("import example", "import HealthCheck, assume, example"),
        ),
    ),
    Case("inner-test-replaced", 12, "GK403", ORDER, after(PATH, "test_arranges.hypothesis.inner_test = print")),
    Case(
        "given-patched-in-conftest",
        12,
        "GK403",
        ORDER,
        after(
            "tests/conftest.py",
            "import hypothesis",
            "",
            "hypothesis.given = lambda *a, **k: lambda function: lambda: None",
        ),
    ),
    Case(
        "strategies-patched-in-conftest",
        12,
        "GK403",
        ORDER,
        after(
            "tests/conftest.py",
            "from hypothesis import strategies",
            "",
            "strategies.integers = lambda *a, **k: strategies.just(1)",
        ),
    ),
    Case(
        "given-stub-local",
        12,
        "GK403",
        ORDER,
        swap(
            PATH,
            ("PAIR = 2\n", "PAIR = 2\n\n\ndef given(**names):\n    return lambda function: lambda: None\n"),
            (SETTINGS, ""),
            ("@example(values=[3, 1, 2])\n", ""),
        ),
    ),
    Case(
        "example-removed-and-phases",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            ("@example(values=[3, 1, 2])\n", ""),
            ("max_examples=40", "phases=[Phase.explicit]"),
            ("import example", "import Phase, example"),
        ),
    ),
    Case(
        "example-only",
        12,
        "GK404",
        ORDER,
        swap(
            PATH,
            (GIVEN, "@given(values=st.nothing() | st.just([1]))\n"),
            ("from calc", "from hypothesis import strategies as st\nfrom calc"),
        ),
    ),
    Case("machine-few-steps", 12, "GK404", MACHINE, swap(STACK, ("stateful_step_count=10", "stateful_step_count=1"))),
    Case(
        "machine-one-example",
        12,
        "GK404",
        MACHINE,
        swap(STACK, ("max_examples=30, stateful_step_count=10", "max_examples=1, stateful_step_count=2")),
    ),
    Case(
        "machine-rule-dropped",
        12,
        "GK404",
        MACHINE,
        swap(STACK, ("    @rule()\n    def pop(self):", "    def pop(self):")),
    ),
    Case(
        "machine-assert-dropped",
        12,
        "GK404",
        MACHINE,
        swap(
            STACK,
            (
                "            assert self.stack.pop() == self.model.pop()",
                "            self.stack.pop()\n            self.model.pop()",
            ),
        ),
    ),
    Case(
        "machine-precondition",
        12,
        "GK404",
        MACHINE,
        swap(
            STACK,
            ("    @rule()\n", "    @precondition(lambda self: not self.model)\n    @rule()\n"),
            ("invariant, rule", "invariant, precondition, rule"),
        ),
    ),
    Case("machine-narrowed", 12, "GK404", MACHINE, swap(STACK, ("st.integers(0, 9)", "st.just(0)"))),
    Case("machine-run-test", 12, "GK403", MACHINE, after(STACK, "TestStack.runTest = lambda self: None")),
    Case(
        "machine-rebound",
        12,
        "GK403",
        MACHINE,
        swap(
            STACK,
            (
                "TestStack = StackMachine.TestCase",
                "class TestStack(StackMachine.TestCase):\n    def runTest(self):\n        pass\n\n",
            ),
        ),
    ),
    Case(
        "machine-other",
        12,
        "GK403",
        MACHINE,
        swap(
            STACK,
            (
                "TestStack = StackMachine.TestCase",
                "class Empty(RuleBasedStateMachine):\n    @rule()\n    def nothing(self):\n        pass\n\n\nTestStack = Empty.TestCase",
            ),
        ),
    ),
)

CASES = (*MARKS, *UNITTEST, *MODULES, *DECORATORS, *PARAMETERS, *HYPOTHESIS)
