"""A suite read by the bounded worker: the same answer as in this process, and an honest end where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gatekeeper.collecting import collected
from gatekeeper.errors import DeadlineExceeded, GatekeeperError, LimitExceeded
from gatekeeper.git.reader import Objects
from gatekeeper.source.bounded.survey import Survey
from gatekeeper.source.collection.items import Found, Invocation
from gatekeeper.source.collection.session import collect
from gatekeeper.source.files import MemoryFiles
from gatekeeper.source.gitfiles import GitTree
from tests.judging.world import World

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gatekeeper.collecting import Part

SUITE = {
    "pyproject.toml": b"[tool.pytest.ini_options]\naddopts = ['--doctest-modules']\n",
    "conftest.py": b"import pytest\n@pytest.fixture(params=['a', 'b'])\ndef letter(): pass\n",
    "src/lib.py": b"def f():\n    '''\n    >>> f()\n    1\n    '''\n    return 1\n",
    "tests/test_many.py": b"import pytest\n\n@pytest.mark.parametrize('n', range(9000))\ndef test_many(n):\n    pass\n",
    "tests/test_letters.py": b"def test_letter(letter): pass\n\nclass TestIn:\n    def test_in(self): pass\n",
    "tests/test_bytes.py": b"""import pytest

@pytest.mark.parametrize('b', [b'\\xff', '\\u20ac', 'a b'])
def test_b(b):
    pass
""",
    "tests/test_broken.py": b"def (\n",
    "tests/\udcff/test_named.py": b"def test_x():\n    pass\n",
}


def tree(files: Mapping[str, bytes]) -> GitTree:
    world = World(files)
    objects = Objects(world.store)
    return GitTree(objects, objects.commit(world.base).tree)


def joined(parts: list[Part]) -> list[Found]:
    """Functions whose ids came in several parts are one again."""
    found: list[Found] = []
    for one in (one for part in parts for one in part.found):
        if found and found[-1].node == one.node and one.verdict == "exact":
            found[-1] = found[-1]._replace(ids=found[-1].ids + one.ids)
        else:
            found.append(one)
    return found


def test_the_worker_says_what_this_process_would() -> None:
    parts = list(collected(tree(SUITE), Invocation()))
    here = collect(MemoryFiles(SUITE), Invocation())
    assert joined(parts) == list(here.found)
    assert {one.node for one in here.found} >= {"src/lib.py::lib.f", "tests/test_letters.py::TestIn::test_in"}
    assert [one for part in parts for one in part.errors] == list(here.errors)
    assert parts[-1].rootdir == here.rootdir
    assert parts[-1].config == here.config


@pytest.mark.parametrize(
    "source",
    [
        b"X = " + b"[" * 90 + b"]" * 90 + b"\n",
        b"X = " + b"(" * 5000 + b")" * 5000 + b"\n",
        b"X = [[[[x for a in range(9999)] for b in range(9999)] for c in range(9999)] for x in range(9999)]\n",
        b"X = ['x' * 10**9 for _ in range(10**6)]\n",
        b"X = 9 ** 9 ** 9 ** 9\n",
        b"def f(n):\n    return f(n + 1)\n\nX = f(0)\n",
        b"X = [1]\nfor x in X:\n    X.append(x)\n",
        b"while True:\n    pass\n",
        b"class A: pass\n" + b"".join(b"class A%d(A): pass\nA = A%d\n" % (n, n) for n in range(600)),
        b"import test_hostile as me\nX = me.X\n",
    ],
    ids=["nested", "deep", "loops", "texts", "powers", "recursion", "growing", "for ever", "hierarchy", "itself"],
)
def test_a_source_that_computes_without_end_does_not_keep_the_rest_from_being_read(source: bytes) -> None:
    files = {"test_hostile.py": source + b"\ndef test_after(): pass\n", "test_plain.py": b"def test_plain(): pass\n"}
    parts = list(collected(tree(files), Invocation(), seconds=60, memory=384 << 20))
    assert "test_plain.py::test_plain" in {one.node for part in parts for one in part.found}


@pytest.mark.parametrize("source", [b"a=1\n" * 900_000, b"x = " + b"-" * 50_000 + b"1\n"], ids=["memory", "depth"])
def test_what_the_parser_cannot_take_is_said(source: bytes) -> None:
    files = {"test_a.py": source, "test_b.py": b"def test_b(): pass\n"}
    try:
        parts = list(collected(tree(files), Invocation(), seconds=60, memory=300 << 20))
    except LimitExceeded:
        return
    assert [one.path for part in parts for one in part.errors] == ["test_a.py"]


def test_the_clock_ends_a_survey() -> None:
    with pytest.raises(DeadlineExceeded):
        list(collected(tree({"test_a.py": b"a = 1\n" * 900_000}), Invocation(), seconds=0.5))


def test_a_worker_that_does_not_start_is_said() -> None:
    with pytest.raises(GatekeeperError), Survey([tree(SUITE)], bool, seconds=5, executable="/nonexistent"):
        pass
