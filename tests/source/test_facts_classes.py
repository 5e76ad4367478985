from __future__ import annotations

import pytest

from tests.source.kit import by_path, module_rows, signature

DATA = "from typing import ClassVar\nfrom dataclasses import KW_ONLY, dataclass, field\n"
CLASS = """
import functools, abc
from typing import overload
class C:
    x: int = 1
    _y = 2
    def __init__(this, a, *, b=1):
        this.a = a
        this.b: str = b
        this._c = 1
        self.no = 1
    def m(self, q): ...
    @staticmethod
    def s(a): ...
    @classmethod
    def c(cls, a): ...
    @property
    def p(self) -> int: ...
    @p.setter
    def p(self, v: int): ...
    @p.deleter
    def p(self): ...
    @functools.cached_property
    def cp(self) -> str: ...
    @abc.abstractmethod
    def ab(self): ...
    class Inner:
        def deep(self, z): ...
    alias = m
    lam = lambda self, w: 0
    old = property(None, m)
    def __eq__(self, other): ...
    def __private(self): ...
"""


def test_members_of_a_class() -> None:
    rows = by_path(module_rows(CLASS))
    names = sorted(path.removeprefix("m.C.") for path in rows if path.startswith("m.C."))
    assert names == [
        "Inner",
        "Inner.deep",
        "__eq__",
        "__init__",
        "a",
        "ab",
        "alias",
        "b",
        "c",
        "cp",
        "lam",
        "m",
        "old",
        "p",
        "s",
        "x",
    ]
    assert signature(rows["m.C.__init__"]) == "(a, kwo b=1)"
    assert signature(rows["m.C.m"]) == "(q)"
    assert signature(rows["m.C.s"]) == "(a)"
    assert signature(rows["m.C.c"]) == "(a)"
    assert signature(rows["m.C.lam"]) == "(w)"
    assert rows["m.C.p"].payload["accessors"] == ["get", "set", "del"]
    assert rows["m.C.p"].payload["annotation"] == ["name", "int"]
    assert rows["m.C.cp"].payload["flags"] == ["cached"]
    assert rows["m.C.old"].payload["accessors"] == ["set"]
    assert rows["m.C.ab"].payload["flags"] == ["abstract"]
    assert rows["m.C.b"].payload["annotation"] == ["name", "str"]
    assert rows["m.C.a"].payload["value"] is None
    assert rows["m.C.alias"].payload == {"of": "m.C.m"}
    assert rows["m.C.Inner.deep"].line == 28


@pytest.mark.parametrize(
    "body",
    [
        "self.x = 1",
        "self.x, y = 1, 2",
        "[self.x, y] = 1, 2",
        "y, (self.x, *z) = a",
        "for self.x in y: pass",
        "with y as self.x: pass",
        "if y:\n            self.x = 1",
        "try:\n            pass\n        finally:\n            self.x = 1",
        "def g():\n            self.x = 1",
        "y = self.x = 1",
        "match y:\n            case 1:\n                self.x = 1",
        "self.x: int",
    ],
)
def test_attributes_set_on_the_instance(body: str) -> None:
    rows = by_path(module_rows(f"class C:\n    def m(self):\n        {body}\n"))
    assert rows["m.C.x"].kind == "attribute"


@pytest.mark.parametrize(
    "body", ["x = 1", "other.x = 1", "self.y.x = 1", "self.x", "self.x += 1", "self._x = 1", "self.x()"]
)
def test_what_sets_no_public_attribute(body: str) -> None:
    assert "m.C.x" not in by_path(module_rows(f"class C:\n    def m(self):\n        {body}\n"))


@pytest.mark.parametrize(
    ("source", "fields"),
    [
        (
            DATA + "@dataclass\nclass C:\n    b: int\n    a: int = field(default=1, init=False)\n",
            [["b", None, {}], ["a", ["int", "1"], {"init": False}]],
        ),
        (
            DATA + "@dataclass\nclass C:\n    a: int\n    _: KW_ONLY\n    c: int\n    b: int\n",
            [["a", None, {}], ["b", None, {"kw_only": True}], ["c", None, {"kw_only": True}]],
        ),
        (
            DATA
            + "@dataclass\nclass B:\n    x: int\n    n: ClassVar[int] = 1\n"
            + "@dataclass\nclass C(B):\n    y: int\n",
            [["x", None, {}], ["y", None, {}]],
        ),
        (
            "import attr\n@attr.s\nclass C:\n    _a = attr.ib(factory=list)\n    n = 3\n",
            [["_a", ["factory", ["name", "list"]], {"alias": "a"}]],
        ),
        (
            "from typing import NamedTuple\nclass C(NamedTuple):\n    b: int\n    a: int = 2\n",
            [["b", None, {}], ["a", ["int", "2"], {}]],
        ),
        (
            "import enum\nclass C(enum.Enum):\n    B = enum.auto()\n    A = 3\n",
            [["B", ["Call", {"func": ["name", "enum.auto"], "args": [], "keywords": {}}], {}], ["A", ["int", "3"], {}]],
        ),
        ("import enum\nclass C(enum.Enum):\n    B = 1\n    A = 3\n", []),
        ("class C(dict):\n    b: int\n    a: int\n", []),
    ],
)
def test_ordered_fields(source: str, fields: list[object]) -> None:
    row = by_path(module_rows(source))["m.C"]
    assert [[name, default, options] for name, _, default, options in row.payload["fields"]] == fields


def test_a_sentinel_for_keywords_does_not_leak_into_a_subclass() -> None:
    source = """
from dataclasses import dataclass, KW_ONLY
@dataclass
class B:
    _: KW_ONLY
    a: int
@dataclass
class C(B):
    b: int
"""
    row = by_path(module_rows(source))["m.C"]
    assert [(name, options) for name, _, _, options in row.payload["fields"]] == [("b", {}), ("a", {"kw_only": True})]


@pytest.mark.parametrize(
    ("source", "flavour"),
    [
        ("from enum import IntEnum as E\nclass C(E): A = 1\n", "enum"),
        ("from enum import Enum\nclass B(Enum):\n    def f(self): ...\nclass C(B): A = 1\n", "enum"),
        ("from typing_extensions import TypedDict\nclass C(TypedDict, total=False): a: int\n", "typeddict"),
        ("import typing\nclass C(typing.Protocol[int]): ...\n", "protocol"),
        ("from attrs import define\n@define\nclass C: ...\n", "attrs"),
        ("import dataclasses as d\n@d.dataclass(frozen=True)\nclass C: ...\n", "dataclass"),
        ("class C: ...\n", "plain"),
    ],
)
def test_flavours(source: str, flavour: str) -> None:
    assert by_path(module_rows(source))["m.C"].payload["flavour"] == flavour


def test_options_of_a_dataclass_count_only_where_they_differ_from_the_default() -> None:
    def keywords(text: str) -> object:
        source = f"from dataclasses import dataclass\n@dataclass{text}\nclass C: ...\n"
        return by_path(module_rows(source))["m.C"].payload["keywords"]

    assert keywords("") == keywords("()") == keywords("(frozen=False, eq=True)") == {}
    assert keywords("(frozen=True)") == {"@frozen": ["bool", True]}


@pytest.mark.parametrize(
    ("slots", "shown"),
    [
        ("", None),
        ("__slots__ = ()", []),
        ("__slots__ = ('b', 'a', '_c', '__dict__')", ["__dict__", "a", "b"]),
        ("__slots__ = 'a'", ["a"]),
    ],
)
def test_slots(slots: str, shown: object) -> None:
    assert by_path(module_rows(f"class C:\n    x: int\n    {slots}\n"))["m.C"].payload["slots"] == shown
