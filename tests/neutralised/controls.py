"""Harmless edits: none of them may be a finding. What the property says of the broken code stays what it was."""

# ruff: noqa: E501 (an edit reads best in one line)

from __future__ import annotations

from tests.neutralised.tree import (
    FILES,
    MACHINE,
    MERGE,
    ORDER,
    RATIO,
    SUITE,
    SYMMETRIC,
    TOTAL,
    Case,
    after,
    before,
    swap,
)

PATH, TABLE, SUITES, DEEP = (
    "tests/test_order.py",
    "tests/test_table.py",
    "tests/test_suite.py",
    "tests/deep/test_merge.py",
)
CLOSE, STACK, BASES = "tests/test_close.py", "tests/test_machine.py", "tests/base.py"
CONFTEST, LOWER, HELPERS, STRATEGIES, PYPROJECT = (
    "tests/conftest.py",
    "tests/deep/conftest.py",
    "tests/helpers.py",
    "tests/strategies.py",
    "pyproject.toml",
)


def control(name: str, nodeid: str, edits: dict[str, str | None]) -> Case:
    """An edit that changes nothing of a property."""
    return Case("control-" + name, 0, "", nodeid, edits)


CASES = (
    control("none", ORDER, {}),
    control(
        "local-renamed",
        ORDER,
        swap(
            PATH,
            (
                "    result = arrange(values)\n    assert len(result)",
                "    ordered = arrange(values)\n    assert len(ordered)",
            ),
            ("    check_sorted(result)", "    check_sorted(ordered)"),
        ),
    ),
    control("local-renamed-table", TOTAL, swap(TABLE, ("found", "price"))),
    control("local-renamed-method", MERGE, swap(BASES, ("result", "both"))),
    control(
        "local-renamed-helper",
        ORDER,
        swap(
            HELPERS,
            (
                "for low, high in zip(values, values[1:]):\n        assert low <= high",
                "for one, two in zip(values, values[1:]):\n        assert one <= two",
            ),
        ),
    ),
    control("local-named-like-global", ORDER, swap(PATH, ("result", "PAIRS"))),
    control(
        "comment",
        ORDER,
        swap(
            PATH,
            (
                "    result = arrange(values)\n    assert len(result) == len(values)",
                "    # First order them.\n    result = arrange(values)  # all\n    assert len(result) == len(values)",
            ),
        ),
    ),
    control("comment-conftest", TOTAL, before(CONFTEST, "# Shared things.")),
    control(
        "comment-type",
        TOTAL,
        swap(
            TABLE, ('    found = total(units, ledger["rate"])', '    found = total(units, ledger["rate"])  # type: int')
        ),
    ),
    control(
        "docstring-changed", ORDER, swap(PATH, ("Nothing is lost and everything is in order.", "Everything is there."))
    ),
    control("docstring-removed", ORDER, swap(PATH, ('    """Nothing is lost and everything is in order."""\n', ""))),
    control(
        "docstring-added", TOTAL, swap(TABLE, ("wanted, ledger):\n", 'wanted, ledger):\n    """What it costs."""\n'))
    ),
    control("docstring-module", ORDER, swap(PATH, ("Ordering keeps every element.", "Order."))),
    control("docstring-class", SUITE, swap(SUITES, ("The ledger adds up.", "Sums."))),
    control("docstring-fixture", TOTAL, swap(CONFTEST, ("def rate():\n", 'def rate():\n    """In cents."""\n'))),
    control("docstring-conftest", TOTAL, swap(CONFTEST, ("What every test may ask for.", "Shared."))),
    control(
        "blank-lines",
        ORDER,
        swap(PATH, ("    result = arrange(values)\n    assert", "\n    result = arrange(values)\n\n    assert")),
    ),
    control(
        "wrapped-lines",
        TOTAL,
        swap(
            TABLE,
            (
                '@pytest.mark.parametrize(("name", "units", "wanted"), CASES)',
                '@pytest.mark.parametrize(\n    ("name", "units", "wanted"),\n    CASES,\n)',
            ),
        ),
    ),
    control(
        "black-one-line",
        ORDER,
        swap(
            PATH,
            (
                "@settings(max_examples=40, deadline=None, database=None)",
                "@settings(\n    max_examples=40,\n    deadline=None,\n    database=None,\n)",
            ),
        ),
    ),
    control("trailing-comma", TOTAL, swap(TABLE, ('("one", 1, 110),', '("one", 1, 110,),'))),
    control("parentheses", TOTAL, swap(TABLE, ("assert found == wanted, name", "assert (found == wanted), (name)"))),
    control(
        "line-continuation",
        TOTAL,
        swap(TABLE, ("assert found == wanted, name", "assert found == \\\n        wanted, name")),
    ),
    control(
        "quotes", TOTAL, swap(TABLE, ('ledger["rate"]', "ledger['rate']"), ('("many", 10, 1100)', "('many', 10, 1100)"))
    ),
    control("text-joined", TOTAL, swap(TABLE, ('"many"', '"ma" "ny"'))),
    control("number-style", TOTAL, swap(TABLE, ("1100", "1_100"), ("110)", "0x6E)"))),
    control(
        "tabs",
        TOTAL,
        swap(
            TABLE,
            ("    found =", "    found ="),
        )
        | {TABLE: FILES[TABLE].replace("    ", "\t")},
    ),
    control("windows-lines", TOTAL, {TABLE: FILES[TABLE].replace("\n", "\r\n")}),
    control("coding-line", TOTAL, before(TABLE, "# -*- coding: utf-8 -*-")),
    control(
        "semicolons",
        ORDER,
        swap(
            PATH,
            (
                "    assert len(result) == len(values)\n    check_sorted(result)",
                "    assert len(result) == len(values); check_sorted(result)",
            ),
        ),
    ),
    control(
        "property-added",
        ORDER,
        after(
            PATH,
            "@given(values=amounts())",
            "def test_arranges_twice(values):",
            "    assert arrange(arrange(values)) == arrange(values)",
        ),
    ),
    control(
        "property-added-imports",
        ORDER,
        after(
            PATH,
            "from hypothesis import strategies as st",
            "",
            "",
            "@settings(max_examples=5)",
            "@given(st.integers())",
            "def test_single(value):",
            "    assert arrange([value]) == [value]",
        )
        | {},
    ),
    control(
        "property-added-table",
        TOTAL,
        after(
            TABLE,
            "@pytest.mark.parametrize('units', [1, 2])",
            "def test_total_grows(units, rate):",
            "    assert total(units, rate) > 0",
        ),
    ),
    control(
        "property-added-marked",
        TOTAL,
        after(
            TABLE,
            "@pytest.mark.slow",
            "@pytest.mark.skipif(False, reason='never')",
            "def test_total_slowly(rate):",
            "    assert total(0, rate) == 0",
        ),
    ),
    control(
        "property-added-method",
        MERGE,
        after(
            DEEP.replace("x", "x"), "    def test_right(self):", "        assert merge([], self.right) == self.right"
        ),
    ),
    control(
        "property-added-base",
        MERGE,
        after(BASES, "    def test_again(self):", "        assert self.joined() == self.joined()"),
    ),
    control(
        "property-added-unittest",
        SUITE,
        after(
            SUITES,
            "    def test_one(self):",
            "        self.ledger.add(1)",
            "        self.assertEqual(self.ledger.entries, [1])",
        ),
    ),
    control(
        "property-added-class",
        TOTAL,
        after(
            TABLE,
            "class TestMore:",
            "    units = [1, 2]",
            "",
            "    @pytest.fixture",
            "    def some(self):",
            "        return self.units",
            "",
            "    def test_some(self, some, rate):",
            "        assert total(len(some), rate) == total(2, rate)",
        ),
    ),
    control(
        "property-removed-other",
        TOTAL,
        swap(
            TABLE,
            ("\n\n@pytest.mark.property\ndef test_total_of_nothing(rate):\n    assert total(0, rate) == 0\n", "\n"),
        ),
    ),
    control("property-other-changed", ORDER, swap(PATH, ("arrange([2, 1])", "arrange([2, 5])")) | {}),
    control(
        "import-order",
        ORDER,
        swap(
            PATH,
            (
                "from calc.order import arrange\nfrom helpers import check_sorted\nfrom strategies import amounts\n",
                "from strategies import amounts\nfrom helpers import check_sorted\nfrom calc.order import arrange\n",
            ),
        ),
    ),
    control(
        "import-names-order", ORDER, swap(PATH, ("import example, given, settings", "import settings, given, example"))
    ),
    control(
        "import-split",
        ORDER,
        swap(
            PATH,
            (
                "from hypothesis import example, given, settings",
                "from hypothesis import example\nfrom hypothesis import given\nfrom hypothesis import settings",
            ),
        ),
    ),
    control("import-unused", TOTAL, before(TABLE, "import json", "import itertools as it")),
    control(
        "import-aliased",
        ORDER,
        swap(
            PATH,
            ("from calc.order import arrange", "from calc.order import arrange as ordered"),
            ("arrange(values)", "ordered(values)"),
            ("arrange([", "ordered(["),
        ),
    ),
    control(
        "import-dotted",
        ORDER,
        swap(
            PATH,
            ("from calc.order import arrange", "import calc.order"),
            (" arrange(values)", " calc.order.arrange(values)"),
            (" arrange([", " calc.order.arrange(["),
        ),
    ),
    control("import-future", TOTAL, before(TABLE, "from __future__ import annotations", "")),
    control(
        "import-type-checking",
        TOTAL,
        swap(
            TABLE,
            (
                "import pytest\n",
                "from typing import TYPE_CHECKING\n\nimport pytest\n\nif TYPE_CHECKING:\n    from collections.abc import Iterator\n",
            ),
        ),
    ),
    control(
        "functions-reordered",
        ORDER,
        {
            PATH: FILES[PATH]
            .replace(
                "\n\ndef test_arranges_pair():\n    result = arrange([2, 1])\n    assert len(result) == PAIR\n", ""
            )
            .replace(
                "\n\n@settings",
                "\n\ndef test_arranges_pair():\n    result = arrange([2, 1])\n    assert len(result) == PAIR\n\n\n@settings",
            )
        },
    ),
    control(
        "fixtures-reordered",
        TOTAL,
        swap(CONFTEST, ("@pytest.fixture\ndef rate():\n    return 110\n\n\n", ""))
        | {
            CONFTEST: FILES[CONFTEST].replace("@pytest.fixture\ndef rate():\n    return 110\n\n\n", "")
            + "\n\n@pytest.fixture\ndef rate():\n    return 110\n"
        },
    ),
    control(
        "methods-reordered",
        SYMMETRIC,
        {
            DEEP: FILES[DEEP]
            .replace("\n    def test_nothing(self):\n        assert merge([], []) == []\n", "")
            .replace(
                "    right = [2, 4, 6]\n",
                "    right = [2, 4, 6]\n\n    def test_nothing(self):\n        assert merge([], []) == []\n",
            )
        },
    ),
    control(
        "helper-moved",
        TOTAL,
        swap(HELPERS, ("\n\ndef unused(values):\n    return [value for value in values if value]\n", ""))
        | {"tests/more.py": "def unused(values):\n    return [value for value in values if value]\n"},
    ),
    control("helper-unused-changed", ORDER, swap(HELPERS, ("if value]", "if value is not None]"))),
    control("helper-unused-added", ORDER, after(HELPERS, "def last(values):", "    return values[-1]")),
    control("constant-unused-added", ORDER, swap(PATH, ("PAIR = 2\n", "PAIR = 2\nTRIPLE = 3\n"))),
    control("constant-unused-changed", ORDER, swap(PATH, ("PAIR = 2", "PAIR = 1 + 1"))),
    control("strategy-unused-changed", ORDER, swap(STRATEGIES, ('alphabet="abc"', 'alphabet="xyz"'))),
    control("strategy-unused-added", ORDER, after(STRATEGIES, "pairs = st.tuples(words, words).map(sorted)")),
    control(
        "strategy-composite-added",
        ORDER,
        after(STRATEGIES, "@st.composite", "def doubles(draw):", "    return draw(amounts()) * 2"),
    ),
    control("annotation-local", TOTAL, swap(TABLE, ("    found = total(", "    found: int = total("))),
    control("annotation-bare-local", TOTAL, swap(TABLE, ("    found = total(", "    found: int\n    found = total("))),
    control("annotation-return", TOTAL, swap(TABLE, ("wanted, ledger):", "wanted, ledger) -> None:"))),
    control(
        "annotation-arguments",
        TOTAL,
        swap(TABLE, ("(name, units, wanted, ledger)", "(name: str, units: int, wanted: int, ledger: dict[str, int])")),
    ),
    control("annotation-fixture", TOTAL, swap(CONFTEST, ("def rate():", "def rate() -> int:"))),
    control("fixture-added", TOTAL, after(CONFTEST, "@pytest.fixture", "def more():", "    return [1]")),
    control("fixture-added-module", TOTAL, after(TABLE, "@pytest.fixture", "def more():", "    return [1]")),
    control(
        "fixture-added-deep", TOTAL, after(LOWER, "@pytest.fixture(autouse=True)", "def more():", "    return [1]")
    ),
    control(
        "fixture-unused-changed", TOTAL, swap(CONFTEST, ('params=[1, 2], ids=["single", "double"]', "params=[1, 2, 3]"))
    ),
    control(
        "fixture-deep-conftest",
        TOTAL,
        {"tests/more/conftest.py": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef more():\n    return 1\n"},
    ),
    control("config-black", TOTAL, after(PYPROJECT, "[tool.black]", "line-length = 100")),
    control("config-coverage", TOTAL, {".coveragerc": "[run]\nbranch = true\n"}),
    control("config-setup-cfg", TOTAL, {"setup.cfg": "[flake8]\nmax-line-length = 100\n"}),
    control("config-tox", TOTAL, {"tox.ini": "[tox]\nenvlist = py311\n\n[testenv]\ncommands = pytest\n"}),
    control("config-marker", TOTAL, swap(PYPROJECT, ('markers = ["slow', 'markers = ["quick: fast", "slow'))),
    control(
        "config-layout",
        TOTAL,
        swap(PYPROJECT, ('addopts = ["-ra", "--strict-markers"]', 'addopts = [\n  "-ra",\n  "--strict-markers",\n]')),
    ),
    control(
        "config-comment", TOTAL, swap(PYPROJECT, ("[tool.pytest.ini_options]", "# pytest\n[tool.pytest.ini_options]"))
    ),
    control("config-verbosity", TOTAL, swap(PYPROJECT, ('"-ra"', '"-ra", "-v", "--tb=short", "--durations=3"'))),
    control(
        "test-file-added",
        TOTAL,
        {"tests/test_new.py": "from calc.words import shout\n\n\ndef test_again():\n    assert shout('b') == 'B!'\n"},
    ),
    control(
        "test-file-added-hypothesis",
        ORDER,
        {
            "tests/test_new.py": "from hypothesis import given, settings, strategies as st\n\nfrom calc.words import shout\n\n\n@settings(max_examples=5)\n@given(st.text())\ndef test_again(word):\n    assert shout(word).endswith('!')\n"
        },
    ),
    control(
        "test-file-added-monkeypatch",
        TOTAL,
        {
            "tests/test_new.py": "from calc import words\n\n\ndef test_again(monkeypatch):\n    monkeypatch.setattr(words, 'shout', str.upper)\n    assert words.shout('b') == 'B'\n"
        },
    ),
    control(
        "test-file-added-skip",
        TOTAL,
        {
            "tests/test_new.py": "import pytest\n\n\n@pytest.mark.skip(reason='later')\ndef test_again():\n    raise ValueError\n"
        },
    ),
    control("test-file-removed", TOTAL, {"tests/test_other.py": None}),
    control("test-file-changed", TOTAL, swap("tests/test_other.py", ('shout("a") == "A!"', 'shout("b") == "B!"'))),
    control("test-directory-added", TOTAL, {"tests/new/test_new.py": "def test_new():\n    assert sum([1, 2]) == 3\n"}),
    control("data-file-added", TOTAL, {"tests/data/table.json": "{}\n"}),
    control("readme", TOTAL, {"README.md": "# calc, again\n"}),
    control("source-comment", RATIO, before("src/calc/words.py", "# Words.")),
    control(
        "source-function-added", TOTAL, after("src/calc/words.py", "def whisper(word):", "    return word.lower()")
    ),
    control("source-module-added", TOTAL, {"src/calc/taxes.py": "def tax(amount):\n    return amount // 5\n"}),
    control(
        "source-refactored",
        ORDER,
        swap("src/calc/words.py", ('return word.upper() + "!"', 'return f"{word.upper()}!"')),
    ),
    control(
        "source-fixed",
        MACHINE,
        swap("src/calc/ledger.py", ("return sum(self.entries)", "return sum(entry for entry in self.entries)")),
    ),
    control(
        "source-equality",
        TOTAL,
        swap(
            "src/calc/ledger.py",
            (
                "    def add(",
                "    def __eq__(self, other):\n        return isinstance(other, Ledger) and self.entries == other.entries\n\n    __hash__ = None\n\n    def add(",
            ),
        )
        | {},
    ),
    control(
        "machine-formatted",
        MACHINE,
        swap(
            STACK,
            (
                "from hypothesis import settings, strategies as st\n",
                "from hypothesis import settings\nfrom hypothesis import strategies as st\n",
            ),
            ("stateful_step_count=10, deadline=None", "stateful_step_count=10,\n    deadline=None"),
        ),
    ),
    control("ratio-comment", RATIO, swap(CLOSE, ("    found = ratio(", "    # Three quarters.\n    found = ratio("))),
    control("loop-variable", MACHINE, before(STACK, '"""A stack against a list."""')),
    control(
        "unused-class-member",
        SYMMETRIC,
        swap(
            DEEP,
            (
                "    def test_nothing(self):\n        assert merge([], []) == []",
                "    def test_nothing(self):\n        assert merge([1], []) == [1]",
            ),
        ),
    ),
)
