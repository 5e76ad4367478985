"""Where a comparison of released packages showed another tool to see a removal or rejected call that is none, or not to
see what is one.

One row a class of disagreement, with sources of our own.
"""

from __future__ import annotations

import pytest

from gatekeeper.source.compare.surfaces import compare
from gatekeeper.source.surface import surface

INIT, MOD = "pkg/__init__.py", "pkg/mod.py"
Tree = dict[str, str]

NOT_BREAKS: dict[str, tuple[Tree, Tree, set[str]]] = {
    "members moved to a base in a directory without __init__": (
        {MOD: "class App:\n    def run(self, host): ...\n    def stop(self): ...\n"},
        {
            MOD: "from .core.app import App as Base\nclass App(Base):\n    def run(self, host): ...\n",
            "pkg/core/app.py": "class App:\n    def stop(self): ...\n",
        },
        {"module-added pkg.core.app", "base-added pkg.mod.App"},
    ),
    "two underscores written as a slash": (
        {MOD: "class C:\n    def invoke(__self, __callback, *args): ...\n"},
        {MOD: "class C:\n    def invoke(self, callback, /, *args): ...\n"},
        set(),
    ),
    "self became positional only": (
        {MOD: "class C:\n    def url(self, endpoint): ...\n"},
        {MOD: "class C:\n    def url(self, /, endpoint): ...\n"},
        set(),
    ),
    "annotations that only the stub has": (
        {MOD: "def f(x): ...\n", MOD + "i": "def f(x: int) -> str: ...\n"},
        {MOD: "def f(x):\n    return x\n", MOD + "i": "def f(x: int) -> str: ...\n"},
        set(),
    ),
    "object is no base": ({MOD: "class C(object): ...\n"}, {MOD: "class C: ...\n"}, set()),
    "constants unpacked from an enumeration": (
        {MOD: "A = 1\nB = 2\n"},
        {MOD: "import enum\nclass _E(enum.IntFlag):\n    A = 1\n    B = 2\nA, B = _E\n"},
        {"const-value-changed pkg.mod.A", "const-value-changed pkg.mod.B"},
    ),
    "variadic parameters renamed": (
        {MOD: "def f(*columns, **kwargs): ...\n"},
        {MOD: "def f(*entities, **kw): ...\n"},
        set(),
    ),
    "a tuple of names became a class": (
        {MOD: "from collections import namedtuple\nSpec = namedtuple('Spec', 'args varargs')\n"},
        {MOD: "from typing import NamedTuple\nclass Spec(NamedTuple):\n    args: list\n    varargs: str\n"},
        {"ann-added pkg.mod.Spec.args", "ann-added pkg.mod.Spec.varargs"},
    ),
    "a class that keeps its old name as an alias": (
        {MOD: "class Event:\n    def __init__(self, op): ...\n"},
        {MOD: "class Token:\n    def __init__(self, op): ...\nEvent = Token\n"},
        {"symbol-added pkg.mod.Token"},
    ),
    "a base that is reached through another base": (
        {MOD: "class Ops: ...\nclass Base: ...\nclass C(Base, Ops): ...\n"},
        {MOD: "class Ops: ...\nclass Base(Ops): ...\nclass C(Base): ...\n"},
        {"base-added pkg.mod.Base", "private-base-changed pkg.mod.C"},
    ),
    "a private base moved into another private base": (
        {MOD: "class _A:\n    def m(self): ...\nclass _B: ...\nclass C(_A, _B): ...\n"},
        {MOD: "class _A:\n    def m(self): ...\nclass _B(_A): ...\nclass C(_B): ...\n"},
        set(),
    ),
    "an attribute that is declared and set": (
        {MOD: "class C:\n    def __init__(self): self.api = None\n"},
        {MOD: "class C:\n    api = None\n    def __init__(self): self.api = None\n"},
        {"const-value-changed pkg.mod.C.api"},
    ),
}

BREAKS: dict[str, tuple[Tree, Tree, set[str]]] = {
    "in a private module, by its public path": (
        {
            INIT: "from ._core import connect\n__all__ = ['connect']\n",
            "pkg/_core.py": "def connect(url, timeout): ...\n",
        },
        {INIT: "from ._core import connect\n__all__ = ['connect']\n", "pkg/_core.py": "def connect(url): ...\n"},
        {"call-rejected pkg.connect"},
    ),
    "in a private base, by each public class": (
        {MOD: "class _Create:\n    def __init__(self, element, bind=None): ...\nclass Table(_Create): ...\n"},
        {MOD: "class _Create:\n    def __init__(self, element): ...\nclass Table(_Create): ...\n"},
        {"call-rejected pkg.mod.Table.__init__"},
    ),
    "inherited members, in one row of the class": (
        {MOD: "class Mixin:\n    def a(self): ...\n    def b(self): ...\nclass C(Mixin): ...\n"},
        {MOD: "class Mixin:\n    def a(self): ...\n    def b(self): ...\nclass C: ...\n"},
        {"base-removed pkg.mod.C"},
    ),
    "a module that answers for any name no longer does": (
        {MOD: "def __getattr__(name): ...\n"},
        {MOD: ""},
        {"getattr-changed pkg.mod"},
    ),
    "async, generators and defaults": (
        {MOD: "def a(): ...\ndef g(): yield 1\ndef d(x=1): ...\n"},
        {MOD: "async def a(): ...\ndef g(): return [1]\ndef d(x=2): ...\n"},
        {"async-added pkg.mod.a", "gen-removed pkg.mod.g", "default-changed pkg.mod.d"},
    ),
    "a name that only type checkers see": (
        {MOD: "class C: ...\n"},
        {MOD: "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    class C: ...\n"},
        {"became-type-checking-only pkg.mod.C"},
    ),
}


def found(old: Tree, new: Tree) -> set[str]:
    sides = ({INIT: "", **side} for side in (old, new))
    before, after = (surface({path: text.encode() for path, text in side.items()}) for side in sides)
    return {f"{move.kind} {move.path}" for move in compare(before, after)}


@pytest.mark.parametrize(("old", "new", "expected"), NOT_BREAKS.values(), ids=NOT_BREAKS)
def test_no_break(old: Tree, new: Tree, expected: set[str]) -> None:
    assert found(old, new) == expected


@pytest.mark.parametrize(("old", "new", "expected"), BREAKS.values(), ids=BREAKS)
def test_break(old: Tree, new: Tree, expected: set[str]) -> None:
    assert found(old, new) == expected
