from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING

import pytest

from gatekeeper.errors import LimitExceeded
from gatekeeper.source.facts.module import facts
from gatekeeper.source.link.tree import Module
from gatekeeper.source.link.whole import link
from gatekeeper.source.modules import sources
from tests.source.kit import by_path, digest_of, named, rows_of, signature, tree

if TYPE_CHECKING:
    from gatekeeper.source.rows import Row


def symbols(files: dict[str, str | bytes]) -> list[tuple[str, str]]:
    return [pair for pair in named(rows_of(files)) if pair[1] != "module"]


def test_a_private_module_shows_through_what_is_exported_from_it() -> None:
    rows = rows_of(
        {"p/__init__.py": "from ._a import f, g as h\n", "p/_a.py": "def f(x): ...\ndef g(): ...\ndef k(): ...\n"}
    )
    assert named(rows) == [("p", "module"), ("p.f", "function"), ("p.h", "function")]
    assert by_path(rows)["p.f"].file == "p/_a.py"


def test_moving_a_definition_between_private_modules_moves_no_row() -> None:
    body = "import typing as t\n_T = t.TypeVar('_T')\n_NO = object()\ndef f(x: _T = _NO) -> _T: ...\n"
    one = digest_of({"p/__init__.py": "from ._a import f\n", "p/_a.py": body})
    other = digest_of({"p/__init__.py": "from ._b import f\n", "p/_b.py": body, "p/_a.py": ""})
    assert one == other


def test_a_definition_is_written_once_and_named_elsewhere() -> None:
    rows = rows_of(
        {"p/__init__.py": "from .a import C\nfrom .a import C as D\n", "p/a.py": "class C:\n    def m(self): ...\n"}
    )
    assert named(rows) == [
        ("p", "module"),
        ("p.C", "alias"),
        ("p.D", "alias"),
        ("p.a", "module"),
        ("p.a.C", "class"),
        ("p.a.C.m", "function"),
    ]
    assert by_path(rows)["p.C"].payload == {"of": "p.a.C"}


def test_a_new_reexport_is_one_new_row() -> None:
    files: dict[str, str | bytes] = {
        "p/__init__.py": "",
        "p/a.py": "class C: ...\n",
        "p/b.py": "from .a import C\ndef f(c: C): ...\n",
    }
    before, after = (
        set(map(text, rows_of(files))),
        set(map(text, rows_of(files | {"p/__init__.py": "from .a import C\n"}))),
    )
    assert before < after
    assert len(after - before) == 1


def text(row: Row) -> str:
    return repr(row[:5])


@pytest.mark.parametrize(
    ("imports", "public"),
    [
        ("from .a import f", True),
        ("from p.a import f", True),
        ("from .a import f as f", True),
        ("from .a import *", True),
        ("import p.a", False),
        ("from q import f", False),
        ("from q import f as f", True),
        ("from .a import f as _f", False),
    ],
)
def test_which_imports_of_a_package_are_public(imports: str, *, public: bool) -> None:
    files: dict[str, str | bytes] = {"p/__init__.py": imports, "p/a.py": "def f(): ...\n", "q.py": "def f(): ...\n"}
    assert ("p.f" in by_path(rows_of(files))) is public


def test_the_rule_for_imports_is_a_setting() -> None:
    files: dict[str, str | bytes] = {
        "p/__init__.py": "from .a import f\nimport os\nfrom q import g as g\n",
        "p/a.py": "def f(): ...\n",
    }
    found = {
        rule: [row.path for row in rows_of(files, reexport=rule) if row.kind == "alias"]
        for rule in ("strict", "package", "all")
    }
    assert found == {"strict": ["p.g"], "package": ["p.f", "p.g"], "all": ["p.f", "p.g", "p.os"]}


def test_a_submodule_and_a_function_of_one_name() -> None:
    rows = rows_of({"p/__init__.py": "from .foo import foo\n", "p/foo.py": "def foo(a): ...\n"})
    assert named(rows) == [("p", "module"), ("p.foo", "alias"), ("p.foo", "module"), ("p.foo.foo", "function")]
    changed = rows_of({"p/__init__.py": "from .foo import foo\n", "p/foo.py": "def foo(b): ...\n"})
    assert rows != changed


RINGS: list[dict[str, str | bytes]] = [
    {"a.py": "from b import *\ndef f(): ...\n", "b.py": "from a import *\ndef g(): ...\n"},
    {
        "p/__init__.py": "from .core import *\n",
        "p/core.py": "from .libop import *\nX = 1\n",
        "p/libop.py": "from .core import *\nfrom p import *\nY = 1\n",
    },
    {"a.py": "from b import x as x\n", "b.py": "from a import x as x\n"},
    {"a.py": "from a import x as x\n"},
    {"p/__init__.py": "from . import a as a\n", "p/a.py": "from . import a as a\nfrom .. import p as p\n"},
    {"a.py": "import b\nclass A(b.B): ...\n", "b.py": "import a\nclass B(a.A): ...\n"},
    {"a.py": "class A(A): ...\n"},
    {"a.py": "x = y\ny = x\n"},
    {"a.py": "_x = _y\n_y = _x\ndef f(a=_x): ...\n"},
    {"a.py": "class C:\n    m = n\n    n = m\n    D = C\n"},
    {
        "a.py": "from b import __all__ as c\n__all__ = c\n",
        "b.py": "from a import __all__ as d\n__all__ = [*d, 'x']\nx = 1\n",
    },
    {
        "p/__init__.py": "from ._a import b as b\n",
        "p/_a/__init__.py": "from . import _b as b\n",
        "p/_a/_b.py": "from .. import _a as a\nz = 1\n",
    },
]


@pytest.mark.parametrize("files", RINGS)
def test_rings_end_and_give_the_same_rows_in_any_order(files: dict[str, str | bytes]) -> None:
    data = tree(files)
    modules = [Module(found, partial(facts, *found[1:], data[found.path])) for found in sources(data, ("",))]
    expected = link(modules)
    shuffler = random.Random(1)
    for _ in range(6):
        shuffler.shuffle(modules)
        assert link(modules) == expected
    assert expected


def test_a_wildcard_takes_the_public_names_or_those_of_all() -> None:
    files: dict[str, str | bytes] = {
        "p/__init__.py": "from .a import *\nfrom .b import *\nfrom outside import *\n",
        "p/a.py": "def f(): ...\ndef _g(): ...\nimport os\n",
        "p/b.py": "__all__ = ['_h']\ndef _h(): ...\ndef k(): ...\n",
    }
    rows = rows_of(files)
    assert [row.path for row in rows if row.kind == "alias"] == ["p.f"]
    assert by_path(rows)["p.b._h"].kind == "function"
    assert ("p", "opaque-star") in named(rows)


def test_names_are_followed_through_wildcards() -> None:
    rows = rows_of(
        {"p/__init__.py": "", "p/a.py": "class C: ...\n", "p/b.py": "from .a import *\ndef f(c: C, n: int): ...\n"}
    )
    assert signature(by_path(rows)["p.b.f"]) == "(c: p.a.C, n: int)"


def test_import_style_and_order_do_not_matter() -> None:
    one = "import typing as t\nimport p.a\nfrom p.a import C\ndef f(c: C, d: t.Optional[int]): ...\n"
    other = "from .a import C as K\nfrom typing import Optional as O\ndef f(c: K, d: O[int]): ...\n"
    files: dict[str, str | bytes] = {"p/__init__.py": "", "p/a.py": "class C: ...\n"}
    assert digest_of(files | {"p/b.py": one}) == digest_of(files | {"p/b.py": other})


def test_a_dotted_import_with_a_name_is_the_whole_module() -> None:
    rows = rows_of(
        {"x/y/z.py": "class C: ...\n", "m.py": "import x.y.z as a\nimport x.y.z\ndef f(c: a.C, d: x.y.z.C): ...\n"}
    )
    assert signature(by_path(rows)["m.f"]) == "(c: x.y.z.C, d: x.y.z.C)"


def test_private_aliases_constants_and_type_variables_are_known_by_what_they_are() -> None:
    def shown(private: str) -> str:
        return digest_of({"m.py": f"from typing import TypeVar, Union\n{private}\ndef f(a: _A = _D) -> _A: ...\n"})

    base = shown("_A = Union[int, str]\n_D = 1")
    assert base == shown("_A = Union[str, int]\n_D = 0x1")
    assert base != shown("_A = Union[int, bytes]\n_D = 1")
    assert base != shown("_A = Union[int, str]\n_D = 2")
    assert shown("_A = TypeVar('_A')\n_D = 1") != shown("_A = TypeVar('_A', bound=int)\n_D = 1")


def test_aliases_that_double_at_every_step_stay_small() -> None:
    lines = ["_a0 = dict[int, str]", *(f"_a{n + 1} = dict[_a{n}, _a{n}]" for n in range(60)), "def f(x: _a59): ..."]
    rows = rows_of({"m.py": "\n".join(lines) + "\n"})
    assert len(repr(rows)) < 20_000


def test_a_public_name_of_a_private_function_or_class() -> None:
    rows = rows_of({"m.py": "def _f(a): ...\nclass _C:\n    def n(self): ...\nf = _f\nC = _C\n"})
    assert named(rows) == [("m", "module"), ("m.C", "class"), ("m.C.n", "function"), ("m.f", "function")]


def test_a_private_module_under_a_public_name() -> None:
    rows = rows_of({"p/__init__.py": "from . import _impl as impl\n", "p/_impl.py": "def f(): ...\n"})
    assert named(rows) == [("p", "module"), ("p.impl", "module"), ("p.impl.f", "function")]


INHERIT = """
class {base}:
    def m(self, a): ...
    x = 1
class C({base}):
    def n(self): ...
"""


def test_members_of_a_private_base_are_those_of_the_class() -> None:
    rows = rows_of({"m.py": INHERIT.format(base="_B")})
    assert named(rows) == [
        ("m", "module"),
        ("m.C", "class"),
        ("m.C.m", "function"),
        ("m.C.n", "function"),
        ("m.C.x", "attribute"),
    ]
    flat = "class C:\n    def m(self, a): ...\n    x = 1\n    def n(self): ...\n"
    assert digest_of({"m.py": INHERIT.format(base="_B")}) == digest_of({"m.py": flat})


def test_a_public_base_is_named_once() -> None:
    rows = rows_of({"m.py": INHERIT.format(base="B")})
    assert [(row.path, row.payload) for row in rows if row.kind == "inherits"] == [("m.C", {"of": "m.B"})]
    assert ("m.C.m", "function") not in named(rows)


def test_the_order_of_bases_is_that_of_python() -> None:
    source = "class A: ...\nclass B(A): ...\nclass C(A): ...\nclass D(B, C): ...\n"
    assert by_path(rows_of({"m.py": source}))["m.D"].payload["mro"] == ["m.B", "m.C", "m.A"]
    swapped = source.replace("(B, C)", "(C, B)")
    assert by_path(rows_of({"m.py": swapped}))["m.D"].payload["mro"] == ["m.C", "m.B", "m.A"]


def test_an_impossible_order_of_bases_is_still_an_order() -> None:
    rows = rows_of({"m.py": "class A: ...\nclass B(A): ...\nclass C(A, B): ...\n"})
    assert by_path(rows)["m.C"].payload["mro"] == ["m.A", "m.B"]


def test_a_thousand_bases_in_a_row() -> None:
    lines = ["class C0: ...", *(f"class C{n + 1}(C{n}): ..." for n in range(1_000))]
    rows = rows_of({"m.py": "\n".join(lines) + "\n"})
    assert sum(row.kind == "class" for row in rows) == 1_001


def test_a_private_base_out_of_the_tree_is_external() -> None:
    row = by_path(rows_of({"m.py": "import abc\nclass _B(abc.ABC): ...\nclass C(_B): ...\n"}))["m.C"]
    assert row.payload["external"] == [["name", "abc.ABC"]]
    assert row.payload["bases"] == []


def test_sources_and_stubs_are_two_contracts() -> None:
    rows = rows_of(
        {"p/__init__.py": "", "p/a.py": "def f(x): ...\n", "p/a.pyi": "def f(x: int) -> str: ...\n", "p/py.typed": ""}
    )
    assert signature(by_path(rows)["p.a.f"]) == "(x)"
    assert signature(by_path(rows)["pyi:p.a.f"]) == "(x: int) -> str"
    assert by_path(rows)["p"].kind in {"module", "typed"}
    assert ("p", "typed") in named(rows)


def test_a_package_wins_over_the_module_beside_it() -> None:
    rows = rows_of({"foo.py": "def f(): ...\n", "foo/__init__.py": "def g(): ...\n"})
    assert named(rows) == [("foo", "module"), ("foo.g", "function")]
    assert by_path(rows)["foo"].payload == {"package": True, "shadows": ["foo.py"]}


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("p/__init__.py", ("p", True, False)),
        ("p/a.py", ("p.a", False, False)),
        ("ns/p/a.pyi", ("ns.p.a", False, True)),
        ("p-stubs/a.pyi", ("p.a", False, True)),
        ("a.py", ("a", False, False)),
        ("p/0001_x.py", ("p.0001_x", False, False)),
        ("p/__main__.py", ("p.__main__", False, False)),
    ],
)
def test_the_name_of_a_module(path: str, module: tuple[str, bool, bool]) -> None:
    assert [found[1:] for found in sources([path], ("",))] == [module]
    assert [found[1:] for found in sources(["src/" + path], ("src",))] == [module]


@pytest.mark.parametrize("path", ["a.txt", "p/.py", "py.typed", "other/a.py"])
def test_what_is_no_module(path: str) -> None:
    assert list(sources([path], ("src",))) == []
    assert [found for found in sources([path], ("",)) if path != "other/a.py"] == []


def test_a_name_in_all_that_nothing_binds() -> None:
    assert symbols({"m.py": "__all__ = ['a']\n"}) == [("m.a", "missing")]
    assert ("m.a", "missing") not in symbols({"m.py": "__all__ = ['a']\ndef __getattr__(n): ...\n"})
    assert symbols({"p/__init__.py": "__all__ = ['a']\n", "p/a.py": ""}) == []


def test_what_cannot_be_read_is_a_row_in_private_modules_too() -> None:
    assert symbols({"p/_a.py": "def f(:\n"}) == [("p._a", "unparseable")]


def test_too_many_rows_are_refused() -> None:
    names = "".join(f"x{n} = 1\n" for n in range(200))
    texts: dict[str, str | bytes] = {f"m{n}.py": "from base import *\n" for n in range(50)}
    files = tree(texts | {"base.py": names})
    modules = [Module(found, partial(facts, *found[1:], files[found.path])) for found in sources(files, ("",))]
    with pytest.raises(LimitExceeded, match="5000 rows"):
        link(modules, max_rows=5_000)


def test_a_conditional_import_keeps_both_of_its_targets() -> None:
    rows = rows_of(
        {
            "p/__init__.py": "try:\n    from ._fast import f\nexcept ImportError:\n    from ._slow import f\n",
            "p/_fast.py": "def f(a): ...\n",
            "p/_slow.py": "def f(b): ...\n",
        }
    )
    assert [(row.guard, signature(row)) for row in rows if row.path == "p.f"] == [
        ("except ImportError", "(b)"),
        ("try", "(a)"),
    ]


DEEP = "1" + "+1" * 300


@pytest.mark.parametrize(
    "source",
    [
        f"_D = {DEEP}\ndef f(a=_D): ...\n",
        f"D = {DEEP}\n",
        f"class C:\n    x = {DEEP}\n    y = x\n",
        f"import dataclasses as d\n@d.dataclass(frozen={DEEP})\nclass C:\n    x: int = d.field(init={DEEP})\n",
        f"import dataclasses as d\n@d.dataclass\nclass C:\n    x: int = d.field(default={DEEP}, alias={DEEP})\n",
        f"class C(f({DEEP}), metaclass={DEEP}):\n    __slots__ = {DEEP}\n    __match_args__ = {DEEP}\n",
        f"from typing import Final\nx: Final[{DEEP}] = {DEEP}\n",
        f"import enum\nclass C(enum.Enum):\n    A = {DEEP}\n    B = enum.auto()\n",
        f"@f({DEEP})\ndef g(a: {DEEP} = {DEEP}) -> {DEEP}: ...\n",
        f"if {DEEP}:\n    x = 1\n",
        f"try: pass\nexcept {DEEP}:\n    x = 1\n",
        f"class C(B[{DEEP}]): ...\n",
        f"x = property({DEEP})\ny = property(None, {DEEP})\n",
        f"__all__ = [{DEEP}]\n",
    ],
)
def test_what_is_too_deep_is_opaque_wherever_it_stands(source: str) -> None:
    one, other = digest_of({"m.py": source}), digest_of({"m.py": source.replace(DEEP, DEEP + "+2")})
    assert one != other
    assert not [row for row in rows_of({"m.py": source}) if row.kind == "unparseable"]
