"""Breakages are text that parses, and differ from the original in one place."""

from __future__ import annotations

import ast

import pytest

from gatekeeper.auditing.mutants import definition, mutants

SOURCE = '''\
"""Größe."""
LIMIT = 10

if True:
    def f(a, b):  # é
        """Doc."""
        größe = a if a < b else 2
        return größe  # what is left

class C:
    x = 1

    @staticmethod
    def g(): return 1 in [1]

    async def h(self):
        @staticmethod
        def inner(): pass
        return inner

def f(a): ...
'''


def what(name: str, source: str = SOURCE, most: int = 99) -> list[str]:
    return [one.what for one in mutants(source.encode(), name, most)]


def test_what_is_broken() -> None:
    assert what("LIMIT") == ["10 is 11"]
    assert what("f") == ["f raises", "f returns None"]
    assert what("C.g") == ["g raises", "g returns None", "1 in [1] is not in", "1 is 2", "1 is 2"]
    assert what("C")[:4] == ["g raises", "h raises", "g returns None", "h returns None"]
    assert what("C", most=1) == ["g raises"]


@pytest.mark.parametrize("name", ["gone", "C.gone", "f.x", "LIMIT.x"])
def test_what_is_not_defined(name: str) -> None:
    assert what(name) == []


@pytest.mark.parametrize("source", ["def f(", "\0", "(" * 300 + ")" * 300])
def test_what_does_not_parse(source: str) -> None:
    assert definition(source.encode(), "f") is None


def test_each_is_a_file_that_parses_and_keeps_its_other_lines() -> None:
    first = SOURCE.replace("def f(a): ...\n", "")
    for name in ("LIMIT", "f", "C"):
        for one in mutants(first.encode(), name, 99):
            ast.parse(one.source)
            before, after = first.splitlines(), one.source.decode().splitlines()
            assert before[: one.line - 1] == after[: one.line - 1]
            assert one.source != first.encode()


def test_a_body_keeps_what_is_around_it() -> None:
    first, second, *rest = mutants(SOURCE.replace("def f(a): ...\n", "").encode(), "f", 99)
    assert b'"""Doc."""\n        raise AssertionError(\'broken on purpose\')  # what is left\n' in first.source
    assert b'"""Doc."""\n        return None  # what is left\n' in second.source
    assert [one.what for one in rest] == ["a < b is >=", "a < b is <=", "2 is 3"]
    assert "größe = a if ((a) >= (b)) else 2\n".encode() in rest[0].source


def test_a_decorated_first_statement_goes_whole() -> None:
    (found,) = mutants(SOURCE.encode(), "C.h", 1)
    assert b"async def h(self):\n        raise AssertionError('broken on purpose')\n\ndef f" in found.source
