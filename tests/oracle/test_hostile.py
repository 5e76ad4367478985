"""Trees that are too much: what computes for ever, nests too deep or is very wide is right or honest, and ends."""

from __future__ import annotations

import sys

import pytest

from gatekeeper.source.collection.items import EXACT, Collected, Invocation
from gatekeeper.source.collection.session import collect
from gatekeeper.source.files import MemoryFiles
from tests.oracle.kit import Case, differences, ours, run

BOMBS = {
    "comprehension": "[x for x in range(10 ** 12)]",
    "product": "list(__import__('itertools').product(range(1000), repeat=5))",
    "nested": "[a for a in range(10**5) for b in range(10**5) for c in range(10**5)]",
    "power": "[10 ** 10 ** 10]",
    "shift": "[1 << 10 ** 12]",
    "text": "['a' * 10 ** 12]",
    "list": "[0] * 10 ** 12",
    "join": "[''.join(str(n) for n in range(10 ** 9))]",
    "format": "[f'{1:{10 ** 9}}']",
    "percent": "['%1000000000d' % 1]",
    "replace": "['a' * 10000 .__int__()]",
    "doubling": "(lambda f: f(f, [0]))(lambda f, v: f(f, v + v))",
    "recursion": "(lambda f: f(f))(lambda f: f(f))",
    "cycle": "list(__import__('itertools').cycle([1]))",
    "count": "[*__import__('itertools').count()]",
    "factorial": "[__import__('math').factorial(10 ** 7)]",
    "permutations": "list(__import__('itertools').permutations(range(50)))",
    "digits": "[10 ** 5000]",
    "sum": "[sum(range(10 ** 12))]",
    "sorted": "sorted(range(10 ** 9), reverse=True)",
    "fromkeys": "dict.fromkeys(range(10 ** 12))",
    "bytes": "[bytes(range(10 ** 12))]",
    "max": "[max(range(10 ** 12))]",
    "starred": "[*range(10 ** 12)]",
    "set": "sorted({*range(10 ** 12)})",
    "zeros": "[bytes(10 ** 12)]",
    "int": "[int('9' * 10 ** 6)]",
}
FOREVER = """
import pytest


def again(n):
    return again(n + 1)


def loop():
    while True:
        pass


ENDLESS = loop()
DEEP = again(0)
while True:
    N = 1
"""


def collected(source: str) -> Collected:
    files = {"pytest.ini": b"[pytest]\n", "test_bomb.py": source.encode(), "test_beside.py": b"def test_it(): ...\n"}
    return collect(MemoryFiles(files), Invocation())


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_bombs(bomb: str) -> None:
    mark = f"@pytest.mark.parametrize('x', {bomb})\n"
    got = collected(f"import pytest\n\n\n{mark}def test_it(x): ...\n\n\ndef test_plain(): ...\n")
    found = {item.node: item for item in got.found}
    assert found["test_beside.py::test_it"].verdict == EXACT
    if not got.errors:
        plain, grid = found["test_bomb.py::test_plain"], found["test_bomb.py::test_it"]
        assert plain.verdict != EXACT or plain.ids == ("",)
        assert grid.verdict != EXACT or len(grid.ids) == 1


def test_what_never_ends_leaves_the_other_files() -> None:
    got = collected(FOREVER + "\n\ndef test_never(): ...\n")
    found = {item.node: item for item in got.found}
    assert found["test_beside.py::test_it"].verdict == EXACT
    never = found.get("test_bomb.py::test_never")
    assert never is None or never.conditions or got.errors or got.opaque or never.verdict != EXACT or never.ids == ("",)


def wide_and_deep() -> list[Case]:
    chain = "class C0:\n    def test_base(self): ...\n" + "".join(f"class C{n}(C{n - 1}): ...\n" for n in range(1, 300))
    nested = "\n".join(f"{'    ' * n}class Test{n}:" for n in range(15)) + f"\n{'    ' * 15}def test_in(self): ...\n"
    many = "".join(f"def test_{n}(): ...\n" for n in range(3000))
    fixtures = "import pytest\n" + "".join(
        f"@pytest.fixture\ndef f{n}({'' if n == 0 else f'f{n - 1}'}): ...\n" for n in range(150)
    )
    imports = {f"m{n}.py": f"from m{n + 1} import VALUE\n".encode() for n in range(60)}
    return [
        Case("chain", {"test_chain.py": f"{chain}class TestLast(C299): ...\n".encode()}),
        Case("nested", {"test_nested.py": nested.encode()}),
        Case("many", {"test_many.py": many.encode()}),
        Case("fixtures", {"test_fixtures.py": f"{fixtures}def test_last(f149): ...\n".encode()}),
        Case("imports", {**imports, "m60.py": b"VALUE = [1, 2]\n", "test_imports.py": GRID}),
        Case(
            "sum",
            {"test_sum.py": ("import pytest\n@pytest.mark.parametrize('x', [" + "1+" * 400 + "1])\n").encode() + USE},
        ),
    ]


USE = b"def test_it(x): ...\n"
GRID = b"import pytest\nfrom m0 import VALUE\n\n\n@pytest.mark.parametrize('x', VALUE)\n" + USE


def test_wide_and_deep_as_pytest(tmp_path_factory: pytest.TempPathFactory) -> None:
    cases = [case._replace(files={**case.files, "pytest.ini": b"[pytest]\n"}) for case in wide_and_deep()]
    done = run(sys.executable, cases, tmp_path_factory.mktemp("wide"))
    wrong = []
    for case, real in zip(cases, done.real, strict=True):
        assert real is not None
        wrong += [f"{case.name}: {text}" for text in differences(case, real, ours(case, done.pytest, done.python))]
    assert not wrong, "\n".join(wrong)[:4000]


def test_diamonds_on_diamonds() -> None:
    # pytest itself looks at every path through the bases, and does not end
    source = "class D0:\n    def test_base(self): ...\n" + "".join(
        f"class L{n}(D{n - 1}): ...\nclass R{n}(D{n - 1}): ...\nclass D{n}(L{n}, R{n}): ...\n" for n in range(1, 40)
    )
    got = collected(f"{source}class TestLast(D39): ...\n")
    assert [one for item in got.found for one in item.nodeids if "bomb" in one] == ["test_bomb.py::TestLast::test_base"]


TOO_DEEP = {
    "parentheses": "(" * 5000 + ")" * 5000,
    "attributes": "a" + ".b" * 20_000,
    "calls": "f" + "()" * 20_000,
    "sum": "+".join(["1"] * 20_000),
    "lists": "[" * 150 + "]" * 150,
    "lambda": "lambda: " * 150 + "1",
}


@pytest.mark.parametrize("text", TOO_DEEP.values(), ids=TOO_DEEP)
def test_too_deep_to_read(text: str) -> None:
    got = collected(f"def test_it(): ...\n\n\nVALUE = {text}\n")
    assert [item.node for item in got.found if item.path == "test_beside.py"] == ["test_beside.py::test_it"]
    assert got.errors or "test_bomb.py::test_it" in {item.node for item in got.found}
