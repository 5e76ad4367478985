"""Groups 4 to 9 of the catalogue: what a body says, and which body the name means."""

# ruff: noqa: E501 (an edit reads best in one line)

from __future__ import annotations

from tests.neutralised.tree import ORDER, SUITE, SYMMETRIC, TOTAL, Case, after, before, swap

PATH, TABLE, SUITES, DEEP = (
    "tests/test_order.py",
    "tests/test_table.py",
    "tests/test_suite.py",
    "tests/deep/test_merge.py",
)
RESULT = "    result = arrange(values)\n"
LENGTH = "    assert len(result) == len(values)\n"
CHECK = "    check_sorted(result)\n\n"
FOUND = '    found = total(units, ledger["rate"])\n'
EQUAL = "    assert found == wanted, name\n"
KIND = "    assert isinstance(found, int)\n"
BALANCE = "        self.assertEqual(self.ledger.balance(), 12)\n"
FILL = "        self.fill(5, 7)\n"
SYMM = "        assert merge(self.left, spare) == merge(spare, self.left)\n"
ALL = RESULT + LENGTH + CHECK


def order(name: str, group: int, body: str, *, code: str = "GK403", top: str = "") -> Case:
    """The body of the ordering property replaced, with lines put at the top of its file."""
    edits = swap(PATH, (ALL, body + "\n"))
    text = edits[PATH] or ""
    return Case(name, group, code, ORDER, {PATH: top + text})


def table(name: str, group: int, body: str, *, code: str = "GK403", top: str = "") -> Case:
    """The body of the table property replaced."""
    edits = swap(TABLE, (FOUND + EQUAL + KIND, body))
    return Case(name, group, code, TOTAL, {TABLE: top + (edits[TABLE] or "")})


CALLS = (
    table("body-skip", 4, '    pytest.skip("later")\n' + FOUND + EQUAL),
    table("body-xfail", 4, '    pytest.xfail("later")\n' + FOUND + EQUAL),
    table("body-skip-if-wrong", 4, FOUND + "    if found != wanted:\n        pytest.skip()\n" + EQUAL),
    table("body-importorskip", 4, '    pytest.importorskip("no_such_thing")\n' + FOUND + EQUAL),
    table("body-exit", 4, '    pytest.exit("done", returncode=0)\n' + FOUND + EQUAL),
    table("body-os-exit", 4, "    os._exit(0)\n" + FOUND + EQUAL, top="import os\n"),
    table("body-os-exit-aliased", 4, "    leave(0)\n" + FOUND + EQUAL, top="from os import _exit as leave\n"),
    table("body-os-exit-dunder", 4, '    __import__("os")._exit(0)\n' + FOUND + EQUAL),
    table("body-os-exit-getattr", 4, '    getattr(os, "_" + "exit")(0)\n' + FOUND + EQUAL, top="import os\n"),
    table("body-execv", 4, '    os.execv("/bin/true", ["true"])\n' + FOUND + EQUAL, top="import os\n"),
    table("body-raise-skip-exception", 4, "    raise pytest.skip.Exception\n"),
    table("body-raise-skiptest", 4, "    raise unittest.SkipTest\n", top="import unittest\n"),
    table("body-skip-from-outcomes", 4, "    skip()\n" + EQUAL, top="from _pytest.outcomes import skip\n"),
    table("body-skip-in-assert-message", 4, FOUND + "    assert found == wanted, pytest.skip()\n"),
    table(
        "body-skip-through-helper",
        4,
        "    later()\n" + FOUND + EQUAL,
        top="import pytest\n\n\ndef later():\n    pytest.skip()\n\n\n",
    ),
    Case(
        "body-applymarker",
        4,
        "GK403",
        TOTAL,
        swap(TABLE, ("wanted, ledger):\n", "wanted, ledger, request):\n    request.applymarker(pytest.mark.xfail)\n")),
    ),
    Case(
        "body-node-add-marker",
        4,
        "GK403",
        TOTAL,
        swap(TABLE, ("wanted, ledger):\n", 'wanted, ledger, request):\n    request.node.add_marker("xfail")\n')),
    ),
    Case("body-skip-from-node", 4, "GK403", SUITE, swap(SUITES, (FILL, '        self.skipTest("later")\n' + FILL))),
    Case("body-skip-hypothesis", 4, "GK403", ORDER, swap(PATH, (RESULT, "    __import__('pytest').skip()\n" + RESULT))),
    Case(
        "body-exit-via-request",
        4,
        "GK403",
        TOTAL,
        swap(TABLE, ("wanted, ledger):\n", "wanted, ledger, request):\n    request.session.shouldstop = 'enough'\n")),
    ),
    Case(
        "body-testsfailed-reset",
        4,
        "GK403",
        TOTAL,
        swap(TABLE, ("wanted, ledger):\n", "wanted, ledger, request):\n    request.session.testsfailed = -1\n")),
    ),
)

EMPTIED = (
    order("empty-pass", 5, "    pass\n"),
    order("empty-ellipsis", 5, "    ...\n"),
    order("empty-docstring", 5, '    """Nothing."""\n'),
    order("empty-return", 5, "    return\n"),
    order("no-assert", 5, RESULT),
    order("bare-compare", 5, RESULT + "    len(result) == len(values)\n"),
    order("assigned-compare", 5, RESULT + "    _ = len(result) == len(values)\n"),
    order("returned-compare", 5, RESULT + "    return None if len(result) == len(values) else None\n"),
    order("printed-compare", 5, RESULT + "    print(len(result) == len(values))\n"),
    order("annotation-only", 5, RESULT + "    length: len(result) == len(values)\n"),
    order("assert-in-string", 5, RESULT + '    "assert len(result) == len(values)"\n'),
    order("lambda-assert", 5, RESULT + "    lambda: check_sorted(result)\n"),
    order("dropped-one-assert", 5, RESULT + CHECK, code="GK404"),
    table("dropped-equal", 5, FOUND + KIND, code="GK404"),
    Case("dropped-unittest-assert", 5, "GK403", SUITE, swap(SUITES, (BALANCE, "        self.ledger.balance()\n"))),
    Case("generator-body", 5, "GK403", TOTAL, swap(TABLE, (FOUND, FOUND + "    yield\n"))),
    Case("async-body", 5, "GK403", TOTAL, swap(TABLE, ("def test_total(name", "async def test_total(name"))),
    Case(
        "emptied-helper",
        5,
        "GK403",
        ORDER,
        swap(
            PATH,
            (LENGTH, "    same_length(result, values)\n"),
            ("PAIR = 2\n", "PAIR = 2\n\n\ndef same_length(one, other):\n    pass\n"),
        ),
    ),
)

CONSTANT = (
    order("assert-true", 6, RESULT + "    assert True\n"),
    order("assert-one", 6, RESULT + "    assert 1\n"),
    order("assert-text", 6, RESULT + '    assert "len(result) == len(values)"\n'),
    order("assert-tuple", 6, RESULT + '    assert (len(result) == len(values), "lost")\n'),
    order("assert-list", 6, RESULT + "    assert [len(result) == len(values)]\n"),
    order("assert-lambda", 6, RESULT + "    assert lambda: len(result) == len(values)\n"),
    order("assert-generator", 6, RESULT + "    assert (low <= 0 for low in result)\n"),
    order("assert-or-true", 6, RESULT + "    assert len(result) == len(values) or True\n"),
    order("assert-or-one", 6, RESULT + "    assert len(result) == len(values) or 1\n"),
    order("assert-or-not-false", 6, RESULT + "    assert not False or len(result) == len(values)\n"),
    order("assert-if-else-true", 6, RESULT + "    assert len(result) == len(values) if result is values else True\n"),
    order("assert-self-equal", 6, RESULT + "    assert len(result) == len(result)\n"),
    order("assert-self-equal-call", 6, "    assert arrange(values) == arrange(values)\n"),
    order("assert-excluded-middle", 6, RESULT + "    assert result or not result\n"),
    order("assert-isinstance-object", 6, RESULT + "    assert isinstance(result, object)\n"),
    order("assert-length-non-negative", 6, RESULT + "    assert len(result) >= 0\n"),
    order("assert-not-none", 6, RESULT + "    assert result is not None\n", code="GK404"),
    order("assert-weaker-compare", 6, RESULT + "    assert len(result) <= len(values)\n" + CHECK, code="GK404"),
    order("assert-any", 6, RESULT + "    assert len(result) == ANY\n", top="from unittest.mock import ANY\n"),
    order(
        "assert-any-attribute", 6, RESULT + "    assert len(result) == mock.ANY\n", top="from unittest import mock\n"
    ),
    order("assert-bool-constant-name", 6, RESULT + "    assert OK\n", top="OK = True\n"),
    order("assert-debug", 6, RESULT + "    assert __debug__\n"),
    order("assert-all-of-nothing", 6, RESULT + "    assert all(low == high for low, high in [])\n"),
    order("assert-walrus", 6, RESULT + "    assert (length := 1)\n"),
    order("assert-in-itself", 6, RESULT + "    assert result in [result]\n"),
    order("assert-copied-expectation", 6, RESULT + "    values = result\n" + LENGTH + CHECK),
    table("approx-wide", 6, FOUND + "    assert found == pytest.approx(wanted, rel=10)\n", code="GK404"),
    table("approx-abs-wide", 6, FOUND + "    assert found == pytest.approx(wanted, abs=1e9)\n", code="GK404"),
    table("approx-inf", 6, FOUND + '    assert found == pytest.approx(wanted, abs=float("inf"))\n', code="GK404"),
    table("expected-from-found", 6, FOUND + "    wanted = found\n" + EQUAL),
    table("found-from-expected", 6, FOUND + "    found = wanted\n" + EQUAL),
    table("less-or-equal", 6, FOUND + "    assert found <= wanted\n", code="GK404"),
    Case("assert-true-unittest", 6, "GK403", SUITE, swap(SUITES, (BALANCE, "        self.assertTrue(True)\n"))),
    Case(
        "assert-true-second-is-message",
        6,
        "GK403",
        SUITE,
        swap(SUITES, (BALANCE, "        self.assertTrue(12, self.ledger.balance())\n")),
    ),
    Case("assert-equal-self", 6, "GK403", SUITE, swap(SUITES, (BALANCE, "        self.assertEqual(12, 12)\n"))),
    Case(
        "assert-is-not-none",
        6,
        "GK404",
        SUITE,
        swap(SUITES, (BALANCE, "        self.assertIsNotNone(self.ledger.balance())\n")),
    ),
    Case(
        "assert-almost-wide",
        6,
        "GK404",
        SUITE,
        swap(SUITES, (BALANCE, "        self.assertAlmostEqual(self.ledger.balance(), 12, delta=100)\n")),
    ),
)

UNREACHABLE = (
    order("return-first", 7, "    return\n" + ALL),
    order("return-after-call", 7, RESULT + "    return\n" + LENGTH + CHECK),
    order("return-if-true", 7, RESULT + "    if True:\n        return\n" + LENGTH + CHECK),
    order("return-if-wrong", 7, RESULT + "    if len(result) != len(values):\n        return\n" + LENGTH + CHECK),
    order("return-if-values", 7, RESULT + "    if values:\n        return\n" + LENGTH + CHECK),
    order("only-if-right", 7, RESULT + "    if len(result) == len(values):\n        check_sorted(result)\n"),
    order(
        "finally-return",
        7,
        RESULT + "    try:\n        assert len(result) == len(values)\n    finally:\n        return\n",
    ),
    order(
        "finally-break",
        7,
        RESULT
        + "    for _ in values:\n        try:\n            assert len(result) == len(values)\n        finally:\n            break\n",
    ),
    order("if-false", 7, RESULT + "    if False:\n        assert len(result) == len(values)\n"),
    order("if-zero", 7, RESULT + "    if 0:\n        assert len(result) == len(values)\n"),
    order("if-not-debug", 7, RESULT + "    if not __debug__:\n        assert len(result) == len(values)\n"),
    order(
        "if-type-checking",
        7,
        RESULT + "    if TYPE_CHECKING:\n        assert len(result) == len(values)\n",
        top="from typing import TYPE_CHECKING\n",
    ),
    order("while-false", 7, RESULT + "    while False:\n        assert len(result) == len(values)\n"),
    order("for-nothing", 7, RESULT + "    for _ in ():\n        assert len(result) == len(values)\n"),
    order("for-range-zero", 7, RESULT + "    for _ in range(0):\n        assert len(result) == len(values)\n"),
    order("nested-def", 7, RESULT + "    def inner():\n        assert len(result) == len(values)\n"),
    order(
        "nested-class",
        7,
        RESULT + "    class Inner:\n        def check(self):\n            assert len(result) == len(values)\n",
    ),
    order(
        "nested-generator",
        7,
        RESULT + "    def inner():\n        assert len(result) == len(values)\n        yield\n    inner()\n",
    ),
    order(
        "nested-async",
        7,
        RESULT + "    async def inner():\n        assert len(result) == len(values)\n    inner().close()\n",
    ),
    order(
        "break-first", 7, RESULT + "    for _ in values:\n        break\n        assert len(result) == len(values)\n"
    ),
    order(
        "continue-first",
        7,
        RESULT + "    for _ in values:\n        continue\n        assert len(result) == len(values)\n",
    ),
    order(
        "else-of-match", 7, RESULT + "    match 1:\n        case 2:\n            assert len(result) == len(values)\n"
    ),
    order("short-circuit", 7, RESULT + "    False and check_sorted([1, 0])\n"),
    order(
        "assume-right",
        7,
        RESULT + "    assume(len(result) == len(values))\n" + LENGTH,
        top="from hypothesis import assume\n",
        code="GK404",
    ),
    order(
        "reject-wrong",
        7,
        RESULT + "    if len(result) != len(values):\n        reject()\n" + LENGTH,
        top="from hypothesis import reject\n",
        code="GK404",
    ),
)

SWALLOWED = (
    order(
        "except-assertion",
        8,
        RESULT + "    try:\n        assert len(result) == len(values)\n    except AssertionError:\n        pass\n",
    ),
    order(
        "except-bare", 8, RESULT + "    try:\n        assert len(result) == len(values)\n    except:\n        pass\n"
    ),
    order(
        "except-exception",
        8,
        RESULT
        + "    try:\n        assert len(result) == len(values)\n    except Exception as error:\n        print(error)\n",
    ),
    order(
        "except-base-tuple",
        8,
        RESULT
        + "    try:\n        assert len(result) == len(values)\n    except (ValueError, BaseException):\n        pass\n",
    ),
    order(
        "except-alias",
        8,
        RESULT + "    try:\n        assert len(result) == len(values)\n    except Wrong:\n        pass\n",
        top="Wrong = AssertionError\n",
    ),
    order(
        "except-star",
        8,
        RESULT + "    try:\n        assert len(result) == len(values)\n    except* AssertionError:\n        pass\n",
    ),
    order(
        "except-whole-body",
        8,
        "    try:\n        result = arrange(values)\n        assert len(result) == len(values)\n    except AssertionError:\n        return\n",
    ),
    order(
        "suppress",
        8,
        RESULT + "    with suppress(AssertionError):\n        assert len(result) == len(values)\n",
        top="from contextlib import suppress\n",
    ),
    order(
        "suppress-dotted",
        8,
        RESULT + "    with contextlib.suppress(Exception):\n        assert len(result) == len(values)\n",
        top="import contextlib\n",
    ),
    order(
        "raises-assertion",
        8,
        RESULT
        + "    with pytest.raises((AssertionError, ZeroDivisionError)):\n        assert len(result) == len(values)\n        assert len(result) < 0\n",
        top="import pytest\n",
    ),
    order(
        "own-context-manager",
        8,
        RESULT + "    with quiet():\n        assert len(result) == len(values)\n",
        top="import contextlib\n\n\n@contextlib.contextmanager\ndef quiet():\n    try:\n        yield\n    except AssertionError:\n        pass\n\n\n",
    ),
    order(
        "own-context-class",
        8,
        RESULT + "    with Quiet():\n        assert len(result) == len(values)\n",
        top="class Quiet:\n    def __enter__(self):\n        return self\n\n    def __exit__(self, *error):\n        return True\n\n\n",
    ),
    order(
        "exit-stack",
        8,
        RESULT
        + "    with ExitStack() as stack:\n        stack.push(lambda *error: True)\n        assert len(result) == len(values)\n",
        top="from contextlib import ExitStack\n",
    ),
    order(
        "thread",
        8,
        RESULT
        + "    work = threading.Thread(target=check_sorted, args=([2, 1],))\n    threading.excepthook = lambda error: None\n    work.start()\n    work.join()\n",
        top="import threading\n",
    ),
    Case(
        "assert-raises-unittest",
        8,
        "GK403",
        SUITE,
        swap(
            SUITES,
            (
                BALANCE,
                "        with self.assertRaises(AssertionError):\n            self.assertEqual(self.ledger.balance(), 12)\n",
            ),
        ),
    ),
    Case(
        "swallowing-helper",
        8,
        "GK403",
        ORDER,
        swap(
            PATH,
            (LENGTH, "    quietly(lambda: check_sorted([len(values), len(result)]))\n"),
            (
                "PAIR = 2\n",
                "PAIR = 2\n\n\ndef quietly(check):\n    try:\n        check()\n    except AssertionError:\n        return False\n",
            ),
        ),
    ),
)

REBOUND = (
    Case("later-def", 9, "GK403", ORDER, after(PATH, "", "def test_arranges():", "    pass")),
    Case("later-def-in-if", 9, "GK403", ORDER, after(PATH, "if PAIR:", "    def test_arranges():", "        pass")),
    Case(
        "later-def-in-try",
        9,
        "GK403",
        ORDER,
        after(PATH, "try:", "    def test_arranges():", "        pass", "except ValueError:", "    raise"),
    ),
    Case("later-def-in-loop", 9, "GK403", ORDER, after(PATH, "for test_arranges in [lambda: None]:", "    pass")),
    Case(
        "later-def-in-with",
        9,
        "GK403",
        ORDER,
        after(PATH, "import contextlib", "with contextlib.nullcontext(lambda: None) as test_arranges:", "    pass"),
    ),
    Case("later-lambda", 9, "GK403", ORDER, after(PATH, "test_arranges = lambda: None")),
    Case("later-import", 9, "GK403", ORDER, after(PATH, "from strategies import amounts as test_arranges")),
    Case("later-alias", 9, "GK403", ORDER, after(PATH, "test_arranges = test_arranges_pair")),
    Case("later-tuple", 9, "GK403", ORDER, after(PATH, "test_arranges, other = test_arranges_pair, None")),
    Case("later-walrus", 9, "GK403", ORDER, after(PATH, "print(test_arranges := test_arranges_pair)")),
    Case(
        "later-star-import",
        9,
        "GK403",
        ORDER,
        after(PATH, "from extra import *") | {"tests/extra.py": "def test_arranges():\n    pass\n"},
    ),
    Case("later-globals", 9, "GK403", ORDER, after(PATH, 'globals()["test_arranges"] = test_arranges_pair')),
    Case("later-globals-update", 9, "GK403", ORDER, after(PATH, "globals().update(test_arranges=test_arranges_pair)")),
    Case("later-exec", 9, "GK403", ORDER, after(PATH, 'exec("def test_arranges(): pass")')),
    Case(
        "later-setattr",
        9,
        "GK403",
        ORDER,
        after(PATH, "import sys", 'setattr(sys.modules[__name__], "test_arranges", test_arranges_pair)'),
    ),
    Case("later-dict-setitem", 9, "GK403", ORDER, after(PATH, 'vars()["test_arranges"] = test_arranges_pair')),
    Case(
        "code-swap",
        9,
        "GK403",
        SYMMETRIC,
        after(DEEP, "TestMerge.test_symmetric.__code__ = (lambda self, spare: None).__code__"),
    ),
    Case(
        "code-swap-plain",
        9,
        "GK403",
        TOTAL,
        after(TABLE, "test_total.__code__ = (lambda name, units, wanted, ledger: None).__code__"),
    ),
    Case("wrapped-swap", 9, "GK403", ORDER, after(PATH, "test_arranges.hypothesis.inner_test = lambda values: None")),
    Case("delete-name", 9, "GK403", ORDER, after(PATH, "del test_arranges")),
    Case("rename-property", 9, "GK403", ORDER, swap(PATH, ("def test_arranges(values)", "def arranges(values)"))),
    Case("name-to-none", 9, "GK403", ORDER, after(PATH, "test_arranges = None")),
    Case("dunder-test", 9, "GK403", ORDER, after(PATH, "test_arranges.__test__ = False")),
    Case("module-dunder-test", 9, "GK403", ORDER, before(PATH, "__test__ = False")),
    Case("class-attribute-later", 9, "GK403", SYMMETRIC, after(DEEP, "TestMerge.test_symmetric = lambda self: None")),
    Case(
        "method-later-in-class",
        9,
        "GK403",
        SYMMETRIC,
        swap(
            DEEP,
            (
                "    def test_nothing(self):",
                "    def test_symmetric(self):\n        pass\n\n    def test_nothing(self):",
            ),
        ),
    ),
    Case(
        "method-none",
        9,
        "GK403",
        SYMMETRIC,
        swap(DEEP, ("    def test_nothing(self):", "    test_symmetric = None\n\n    def test_nothing(self):")),
    ),
    Case(
        "class-later",
        9,
        "GK403",
        SYMMETRIC,
        after(DEEP, "class TestMerge(Suite):", "    def test_symmetric(self):", "        pass"),
    ),
    Case(
        "class-decorated-away",
        9,
        "GK403",
        SYMMETRIC,
        swap(
            DEEP,
            (
                "class TestMerge(Suite):",
                "def strip(kind):\n    kind.test_symmetric = lambda self: None\n    return kind\n\n\n@strip\nclass TestMerge(Suite):",
            ),
        ),
    ),
    Case(
        "class-dunder-test",
        9,
        "GK403",
        SYMMETRIC,
        swap(DEEP, ("    left = [1, 4]\n", "    __test__ = False\n    left = [1, 4]\n")),
    ),
    Case(
        "class-init",
        9,
        "GK403",
        SYMMETRIC,
        swap(DEEP, ("    left = [1, 4]\n", "    def __init__(self):\n        pass\n\n    left = [1, 4]\n")),
    ),
    Case(
        "decorator-of-another-rebinds",
        9,
        "GK403",
        ORDER,
        swap(
            PATH,
            (
                "def test_arranges_pair():",
                "@lambda f: globals().update(test_arranges=f) or f\ndef test_arranges_pair():",
            ),
        ),
    ),
    Case(
        "default-of-another-rebinds",
        9,
        "GK403",
        ORDER,
        after(PATH, "def other(_=globals().update(test_arranges=test_arranges_pair)):", "    pass"),
    ),
    Case(
        "module-getattr-class",
        9,
        "GK403",
        ORDER,
        after(PATH, "class Quiet:", "    globals()['test_arranges'] = test_arranges_pair"),
    ),
)

CASES = (*CALLS, *EMPTIED, *CONSTANT, *UNREACHABLE, *SWALLOWED, *REBOUND)
