"""Moves of the public API that the seeds' digest does not see, and sources made to be misread: each a real push."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from tests.support.lab import DEFAULT_POLICY, Lab

if TYPE_CHECKING:
    from pathlib import Path

API = dedent('''
    import typing as t

    LIMIT = 10


    def encode(text, *, strict=False, **options):
        """Words."""
        return text


    def decode(data: bytes, size: int = 0) -> str:
        return ""


    def each(items):
        return list(items)


    class Codec:
        name = "utf-8"

        def __init__(self, name: str = "utf-8") -> None:
            self.name = name
            self.errors = "strict"

        @classmethod
        def default(cls): return cls()

        @property
        def size(self): return 1

        def encode(self, text: str, errors: t.Optional[str] = None) -> bytes:
            return text.encode()


    def _helper(a): return a
''').lstrip()

MOVES = {
    "a keyword-only parameter becomes required": ("strict=False", "strict"),
    "a default that changes": ("size: int = 0", "size: int = 1"),
    "**options lost": (", **options", ""),
    "a parameter renamed": ("def decode(data", "def decode(blob"),
    "a parameter made positional only": ("size: int = 0", "size: int = 0, /"),
    "async": ("def each", "async def each"),
    "a generator, by its body": ("return list(items)", "yield from items"),
    "a class method no longer": ("@classmethod\n    def default(cls)", "def default(self)"),
    "a property no longer": ("@property\n    def size", "def size"),
    "a decorator of unknown effect": ("def each", "@_helper\ndef each"),
    "a public attribute no longer set": ('self.errors = "strict"', 'self._errors = "strict"'),
    "a constant": ("LIMIT = 10", "LIMIT = 11"),
    "an annotation": ("-> bytes", "-> str"),
    "a method gone": ("def encode(self, text: str", "def _encode(self, text: str"),
    "a base lost on the way": ("class Codec:", "class Codec(dict):"),
    "removed by a guard": (
        "def each(items):\n    return list(items)\n", "if LIMIT > 10:\n    def each(items):\n        return items\n",
    ),
    "replaced by an alias": ("def each(items):\n    return list(items)\n", "each = _helper\n"),
    "hidden by __all__": ("LIMIT = 10", "LIMIT = 10\n__all__ = ['encode', 'Codec', 'LIMIT', 'decode']"),
    "deleted at the end": ("def _helper(a): return a\n", "del each\n"),
    "replaced at the end": ("def _helper(a): return a\n", "each = lambda: None\n"),
    "set by globals()": ("def _helper(a): return a\n", "globals()['each'] = None\n"),
    "a module __getattr__": ("def _helper(a): return a\n", "def __getattr__(name): return None\n"),
    "a function that assigns to it": (
        "def _helper(a): return a\n", "def _helper():\n    global each\n    each = 1\n_helper()\n",
    ),
    "shadowed by an import": ("def _helper(a): return a\n", "from os import walk as each\n"),
    "an addition": ("def _helper(a): return a\n", "def helper(a): return a\n"),
}  # fmt: skip

MISREAD = {
    "a cookie that turns a comment into code": b"# coding: raw_unicode_escape\n"
    + API.encode()
    + b"# \\u000adel each\n",
    "utf-7": b"# coding: utf-7\n" + API.encode() + b"+AGQ-el each\n",
    "a bare carriage return": API.encode() + b"# words\rdel each\n",
    "a NUL": API.encode() + b"\0",
    "a syntax error": API.encode() + b"def (:\n",
    "not UTF-8": API.encode() + b"# \xff\n",
    "too deep": API.encode() + b"x = " + b"-" * 100_000 + b"1\n",
    "too dotted": API.encode() + b"import " + b".".join([b"a"] * 60_000) + b"\n",
    "a return at the top": API.encode() + b"return\n",
    "too large": API.encode() + b"#" * (1 << 20),
}

HONEST = {
    "a body": ("return list(items)", "return [*items]"),
    "a comment and a blank line": ("LIMIT = 10", "# more\n\n\nLIMIT = 10"),
    "a docstring": ('"""Words."""', '"""Other words."""'),
    "a private helper renamed": ("_helper", "_other"),
    "an annotation spelled otherwise": ("t.Optional[str]", "'str | None'"),
    "an import in another form": ("import typing as t", "from typing import Optional; import typing as t"),
    "a keyword's place": ("strict=False, **options", "strict = False,\n           **options"),
}  # fmt: skip


@pytest.fixture(scope="module")
def coded(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    lab = Lab(tmp_path_factory.mktemp("lab"), policy=DEFAULT_POLICY.replace('additions = "allow"', 'additions = "ask"'))
    tip = lab.commit({"src/pkg/__init__.py": b"from ._codec import *\n", "src/pkg/codec.py": API.encode(),
                      "src/pkg/_codec.py": API.encode()}, parent=lab.tip())  # fmt: skip
    assert lab.push(f"{tip}:refs/heads/main", actor="alice").accepted
    return lab


@pytest.mark.parametrize(
    ("move", "place"),
    [
        (move, place)
        for move in MOVES
        for place in ("codec", "_codec")
        if (move, place) != ("a module __getattr__", "_codec")
    ],
)
def test_a_move_is_refused(coded: Lab, move: str, place: str) -> None:
    old, new = MOVES[move]
    assert API.count(old) >= 1
    head = coded.commit({f"src/pkg/{place}.py": API.replace(old, new).encode()}, parent=coded.tip())
    pushed = coded.push(f"{head}:refs/heads/agent/{head}")
    assert not pushed.accepted, pushed.result.stderr
    assert pushed.codes in ({"GK301"}, {"GK304"}, {"GK301", "GK304"}), pushed.result.stderr


@pytest.mark.parametrize("case", MISREAD)
def test_a_source_that_cannot_be_read_is_refused(coded: Lab, case: str) -> None:
    for path in ("src/pkg/codec.py", "src/pkg/_new.py"):
        head = coded.commit({path: MISREAD[case]}, parent=coded.tip())
        pushed = coded.push(f"{head}:refs/heads/agent/{head}")
        assert (pushed.accepted, pushed.codes) == (False, frozenset({"GK303"})), pushed.result.stderr


@pytest.mark.parametrize("case", HONEST)
def test_an_honest_change_passes(coded: Lab, case: str, tmp_path: Path) -> None:
    old, new = HONEST[case]
    assert API.count(old) >= 1
    head = coded.commit({"src/pkg/codec.py": API.replace(old, new).encode()}, parent=coded.tip())
    pushed = coded.push(f"{head}:refs/heads/agent/{tmp_path.name}")
    assert pushed.accepted, pushed.result.stderr


def test_the_seed_s_allow_file_of_the_push_allows_nothing(coded: Lab) -> None:
    """C03: an agent that allows its own move edits a contract file."""
    moved = API.replace("size: int = 0", "size: int = 1").encode()
    head = coded.commit({"src/pkg/codec.py": moved, "contracts/contract.allow": b"0" * 64 + b"\n"}, parent=coded.tip())
    pushed = coded.push(f"{head}:refs/heads/agent/self")
    assert not pushed.accepted
    assert {"GK102", "GK301"} <= pushed.codes
