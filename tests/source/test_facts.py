from __future__ import annotations

import pytest

from tests.source.kit import by_path, module_rows, named, rows_of, signature


def paths(source: str) -> list[str]:
    return [row.path.removeprefix("m.") for row in module_rows(source)]


def guards(source: str, name: str) -> list[str]:
    return [row.guard for row in module_rows(source) if row.path == f"m.{name}"]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("a = 1\n_b = 2\n__c__ = 3\n", ["__c__", "a"]),
        ("a, (b, *c) = x\n", ["a", "b", "c"]),
        ("for a in x:\n    b = 1\n", ["a", "b"]),
        ("with x as (a, b): pass\n", ["a", "b"]),
        ("if (a := 1): pass\n", ["a"]),
        ("f(a := 1)\n", ["a"]),
        ("a += 1\n", ["a"]),
        ("a: int\n", ["a"]),
        ("a = 1\ndel a\n", []),
        ("try:\n    pass\nexcept E as e:\n    a = 1\n", ["a"]),
        (
            "match x:\n    case {'k': a, **b}:\n        c = 1\n    case [d, *e] as f: pass\n",
            ["a", "b", "c", "d", "e", "f"],
        ),
        ("import os\nfrom sys import path\nfrom sys import argv as argv\nimport re as re\n", ["argv", "re"]),
        ("if False:\n    a = 1\nelse:\n    b = 1\n", ["b"]),
        ("if __name__ == '__main__':\n    a = 1\n", []),
        ("def f(): a = 1\n", ["f"]),
        ("(lambda: (a := 1))\n", []),
        ("while x:\n    a = 1\nelse:\n    b = 1\n", ["a", "b"]),
        ("async def f(): pass\n", ["f"]),
    ],
)
def test_names_that_a_module_binds(source: str, names: list[str]) -> None:
    assert sorted(set(paths(source))) == names


@pytest.mark.parametrize(
    ("source", "listed"),
    [
        ("__all__ = ['a', '_b']\n", ["_b", "a"]),
        ("__all__: list[str] = ['a']\n", ["a"]),
        ("__all__ = ('a',) + ('_b',)\n", ["_b", "a"]),
        ("__all__ = ['a']\n__all__ += ['_b']\n", ["_b", "a"]),
        ("__all__ = ['a']\n__all__.append('_b')\n", ["_b", "a"]),
        ("__all__ = []\n__all__.extend(('a', '_b'))\n", ["_b", "a"]),
        ("__all__ = ['a', 'c']\n__all__.remove('c')\n", ["a"]),
        ("_names = ['a']\n__all__ = [*_names, '_b']\n", ["_b", "a"]),
        ("__all__ = list({'a'})\n", ["a"]),
        ("__all__ = ['c']\n__all__ = ['a']\n", ["a"]),
        ("__all__ = ['a']\n__all__ = __all__ + ['_b']\n", ["_b", "a"]),
        ("__all__ = ['c']\nif x:\n    __all__ += ['a']\n", ["a", "c"]),
        ("__all__ = []\n", []),
        ("__\uff41ll__ = ['_b']\n", ["_b"]),  # a full-width letter: the same name to Python
    ],
)
def test_static_forms_of_all(source: str, listed: list[str]) -> None:
    rows = module_rows(f"def a(): ...\ndef _b(): ...\ndef c(): ...\n{source}")
    assert named(rows) == [(f"m.{name}", "function") for name in listed]


@pytest.mark.parametrize(
    "source",
    [
        "__all__ = [n for n in dir()]\n",
        "__all__ = f()\n",
        "__all__ = ['a']\n__all__ += f()\n",
        "__all__[0] = 'x'\n",
        "__all__ = ['a']\n__all__.insert(0, x)\n",
        "(__all__, y) = z\n",
    ],
)
def test_a_computed_all_is_opaque_and_keeps_the_rule_for_names(source: str) -> None:
    rows = module_rows(f"def a(): ...\ndef _b(): ...\n{source}")
    assert ("m", "opaque-all") in named(rows)
    assert ("m.a", "function") in named(rows)
    assert ("m._b", "function") not in named(rows)


def test_deleting_all_is_having_none() -> None:
    assert paths("__all__ = ['_b']\ndel __all__\na = 1\n_b = 2\n") == ["a"]


def test_all_of_other_modules() -> None:
    rows = rows_of(
        {
            "p/__init__.py": """
                from . import a
                from .b import __all__ as b_all
                from .a import *
                from .b import *
                __all__ = [*a.__all__, *b_all, 'own']
                __all__ += ['gone']
                own = 1
            """,
            "p/a.py": "__all__ = ['_x']\ndef _x(): ...\n",
            "p/b.py": "__all__ = ['y']\ndef y(): ...\n",
        }
    )
    assert ("p._x", "alias") in named(rows)
    assert ("p.y", "alias") in named(rows)
    assert ("p.own", "attribute") in named(rows)
    assert ("p.gone", "missing") in named(rows)
    assert ("p.b_all", "alias") not in named(rows)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("if TYPE_CHECKING:\n    def f(): ...\nelse:\n    def f(a): ...\n", ["TC", "not TC"]),
        ("if sys.version_info >= (3, 12):\n    def f(): ...\n", ["sys.version_info >= (3, 12)"]),
        ("if not sys.flags:\n    def f(): ...\n", ["not (sys.flags)"]),
        ("if a: pass\nelif b:\n    def f(): ...\n", ["not (a) and b"]),
        ("try:\n    from x import f as f\nexcept ImportError:\n    def f(): ...\n", ["except ImportError", "try"]),
        ("try:\n    def f(): ...\nfinally: pass\n", [""]),
        ("for i in x:\n    def f(): ...\n", ["loop"]),
        ("with x:\n    def f(): ...\n", [""]),
        ("def f(): ...\ndef f(a): ...\n", [""]),
        ("def f(): ...\nif a:\n    def f(b): ...\n", ["", "a"]),
        ("if a:\n    def f(b): ...\ndef f(): ...\n", [""]),
        ("if True:\n    def f(): ...\n", [""]),
        ("if a:\n    if b:\n        def f(): ...\n", ["a and b"]),
    ],
)
def test_every_branch_is_a_row_with_its_condition(source: str, expected: list[str]) -> None:
    head = "import sys\nfrom typing import TYPE_CHECKING\na: bool\nb: bool\n"
    shown = [guard.replace("m.", "") for guard in guards(head + source, "f")]
    assert shown == expected


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("def f(a, b=1, *, c, d=2): ...", "(a, b=1, kwo c, kwo d=2)"),
        ("def f(a, /, b): ...", "(pos _, b)"),
        ("def f(__a, b): ...", "(pos _, b)"),
        ("def f(__a__, b): ...", "(__a__, b)"),
        ("def f(b, __a): ...", "(b, __a)"),
        ("def f(*args, **kwargs): ...", "(*_, **_)"),
        ("def f(*args: int, **kw: str) -> None: ...", "(*_: int, **_: str) -> None"),
        ("def f(*, z, a): ...", "(kwo a, kwo z)"),
        ("def f(a: 'int | None' = None): ...", "(a: None | int=None)"),
        ("f = lambda a, *b: 0", "(a, *_)"),
        ("def f(a=-1, b=(), c='x'): ...", '(a=-1, b=(), c="x")'),
    ],
)
def test_parameters(source: str, shown: str) -> None:
    (row,) = module_rows(source + "\n")
    assert signature(row).replace("int | None", "None | int") == shown


@pytest.mark.parametrize(
    ("source", "flags"),
    [
        ("async def f(): ...", ["async"]),
        ("def f(): yield", ["gen"]),
        ("async def f(): yield 1", ["async", "gen"]),
        ("def f():\n    def g(): yield\n", []),
        ("def f():\n    g = lambda: (yield)\n", []),
        ("def f():\n    if x:\n        a = yield from y\n", ["gen"]),
        ("def f(): return 'yield'", []),
        ("def f():\n    def g(a=(yield)): ...\n", ["gen"]),
        ("import functools\n@functools.lru_cache(maxsize=None)\ndef f(): ...", ["cached"]),
        ("from contextlib import contextmanager as cm\n@cm\ndef f(): yield", ["ctxmgr", "gen"]),
        ("from typing_extensions import deprecated\n@deprecated('x')\ndef f(): ...", ["deprecated"]),
    ],
)
def test_flags(source: str, flags: list[str]) -> None:
    row = by_path(module_rows(source + "\n"))["m.f"]
    assert row.payload["flags"] == flags
    assert row.payload["decorators"] == []


def test_unknown_decorators_are_kept_in_order() -> None:
    one = by_path(module_rows("@a(1)\n@b\ndef f(): ...\n"))["m.f"].payload["decorators"]
    other = by_path(module_rows("@b\n@a(1)\ndef f(): ...\n"))["m.f"].payload["decorators"]
    assert len(one) == 2
    assert one == other[::-1]


def test_overloads_and_their_implementation_have_ordinals() -> None:
    rows = module_rows(
        "from typing import overload\n@overload\ndef f(a: int): ...\n@overload\ndef f(a: str): ...\ndef f(a): ...\n"
    )
    assert [(row.ordinal, signature(row)) for row in rows] == [(0, "(a: int)"), (1, "(a: str)"), (2, "(a)")]


@pytest.mark.parametrize(
    "statement",
    [
        "exec('x')",
        "globals()['a'] = 1",
        "globals().update(a=1)",
        "for n in 'ab':\n    globals()[n] = 1",
        "import sys\ndel sys.modules[__name__].x1",
        "vars()['a'] = 1",
        "import sys\nsys.modules[__name__] = object()",
        "import sys\nsys.modules[__name__].x = 1",
        "import sys\ndef f():\n    sys.modules[__name__].x = 1",
        "setattr(a, 'b', 1)",
        "import other\nother.name = 1",
        "class K: ...\nK.extra = 1",
        "__path__ = []",
        "def f(): globals()['a'] = 1",
        "\uff47lobals()['a'] = 1",
        "def f():\n    '\u00e9'\n    \uff47lobals()['a'] = 1",
        "from sys import modules\nimport sys\nx = setattr(sys.modules['m'], 'a', 1)",
    ],
)
def test_what_changes_names_out_of_sight_is_opaque(statement: str) -> None:
    rows = module_rows(f"a = 1\n{statement}\n")
    changed = statement
    for before, after in (("1", "2"), ("exec(", "eval("), ("object", "list"), ("[]", "[9]")):
        changed = changed.replace(before, after)
    other = module_rows(f"a = 1\n{changed}\n")
    assert ("m", "opaque") in named(rows)
    assert [row for row in rows if row.kind == "opaque"] != [row for row in other if row.kind == "opaque"]


@pytest.mark.parametrize(
    "source",
    ["def f(): return globals()['a']\n", "def f(): exec('1')\n", "def f(x): x.y = 1\n", "x = {}\nx['a'] = 1\n"],
)
def test_what_is_not_opaque(source: str) -> None:
    assert ("m", "opaque") not in named(module_rows(source))


def test_a_module_getattr_is_a_row_that_moves_with_its_body() -> None:
    one = [row for row in module_rows("def __getattr__(name): return 1\n") if row.kind == "getattr"]
    other = [row for row in module_rows("def __getattr__(name): return 2\n") if row.kind == "getattr"]
    assert len(one) == len(other) == 1
    assert one != other


@pytest.mark.parametrize(
    ("source", "same"),
    [
        (("X = 1", "X = 2"), False),
        (("X = 'a'", "X = 'b'"), False),
        (("X = f(1)", "X = f(2)"), True),
        (("X = f(1)", "X = g(1)"), False),
        (("X = 60 * 60", "X = 60 * 61"), False),
        (("__version__ = '1'", "__version__ = '2'"), True),
        (("X: int = 1", "X: str = 1"), False),
        (("X = [n for n in y]", "X = [k for k in z]"), True),
        (("X = 1 if y else 2", "X = 3 if z else 4"), True),
        (("X: int", "X: int = 1"), False),
    ],
)
def test_which_values_are_surface(source: tuple[str, str], *, same: bool) -> None:
    one, other = (module_rows(text + "\n") for text in source)
    assert (one == other) is same


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b"def f(:\n", "syntax"),
        (b"x = '\0'\n", "encoding"),
        (b"# coding: utf-7\n", "cookie"),
        (b"x = 1\n# coding: utf-7\n", None),
        (b"#!/x\n# -*- coding: latin-1 -*-\n", "cookie"),
        (b"# coding: utf-8\n", None),
        (b"# vim: set fileencoding=UTF-8 :\n", None),
        (b"\xef\xbb\xbfx = 1\n", None),
        (b"x = '\xe9'\n", "encoding"),
        (b"# c\rdef g(): ...\n", "encoding"),
        (b"x = 1\r\n", None),
        (b"def f(a, a): ...\n", "syntax"),
        (b"return\n", "syntax"),
        (b"x = 1\nfrom __future__ import annotations\n", "syntax"),
        (b"'doc'\nfrom __future__ import annotations\nx = 1\n", None),
        (b"import a" + b".a" * 1_001, "too-deep"),
        (b"import a" + b".a" * 900, None),
        (b"import a" + b".\\\na" * 1_001, "too-deep"),
        (b"from a" + b" . a" * 1_001 + b" import x", "too-deep"),
        (b"#" * ((1 << 20) + 1), "too-big"),
        (b"\xff\xfex\0", "encoding"),
        (b"class C:\n    return\n", "syntax"),
    ],
)
def test_sources_that_cannot_be_read_are_one_row(source: bytes, reason: str | None) -> None:
    unparseable = [row for row in rows_of({"m.py": source}) if row.kind == "unparseable"]
    assert [row.payload["reason"] for row in unparseable] == ([] if reason is None else [reason])
    if reason is not None:
        other = [row for row in rows_of({"m.py": source + b" "}) if row.kind == "unparseable"]
        assert other[0].payload != unparseable[0].payload


def test_positions_are_no_part_of_a_row() -> None:
    one, other = module_rows("x = 1\ndef f(): ...\n"), module_rows("\n\nx = 1\n\n\ndef f(): ...\n")
    assert [row[:5] for row in one] == [row[:5] for row in other]
    assert [row.line for row in one] != [row.line for row in other]
