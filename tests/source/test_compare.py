"""Moves across files: a symbol is what a caller reaches, and one definition is reported once."""

from __future__ import annotations

import pytest

from gatekeeper.source.compare.kinds import ABSENT, RANK, SEVERITY, by_symbol, symbol_hash
from gatekeeper.source.compare.lookup import Surface
from gatekeeper.source.compare.surfaces import compare
from gatekeeper.source.rows import short_hash
from gatekeeper.source.surface import surface

F, G = b"def f(a): ...\n", b"def f(): ...\n"
INIT, MOD = "pkg/__init__.py", "pkg/mod.py"


def moves(old: dict[str, bytes], new: dict[str, bytes]) -> list[str]:
    rows = compare(surface({INIT: b"", **old}), surface({INIT: b"", **new}))
    return [f"{move.kind} {move.path}" for move in rows]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # a private home may change
        ({INIT: b"from ._a import f", "pkg/_a.py": F}, {INIT: b"from ._b import f", "pkg/_b.py": F}, []),
        ({MOD: b"from pkg._a import f as f", "pkg/_a.py": F}, {MOD: F}, []),
        # a public one may not, but for what stays reachable
        ({MOD: F}, {MOD: b"from .b import f as f", "pkg/b.py": F}, ["module-added pkg.b"]),
        ({MOD: F}, {MOD: b"from .b import f", "pkg/b.py": F}, ["module-added pkg.b", "symbol-removed pkg.mod.f"]),
        ({MOD: F}, {"pkg/_mod.py": F}, ["module-removed pkg.mod"]),
        ({MOD: F}, {"pkg/mod/__init__.py": F}, ["module-file-changed pkg.mod"]),
        # one definition, several names
        ({INIT: b"from .mod import f", MOD: F}, {INIT: b"from .mod import f", MOD: G}, ["call-rejected pkg.mod.f"]),
        ({INIT: b"from .mod import f", MOD: F}, {INIT: b"", MOD: F}, ["symbol-removed pkg.f"]),
        ({INIT: b"", MOD: F}, {INIT: b"from .mod import f", MOD: F}, ["symbol-added pkg.f"]),
        (
            {INIT: b"from .mod import f", MOD: F + b"def g(a, b=1): ...\n"},
            {INIT: b"from .mod import g as f", MOD: F + b"def g(a, b=1): ...\n"},
            ["alias-target-changed pkg.f"],
        ),
        (
            {INIT: b"from .mod import f", MOD: F + b"def g(): ...\n"},
            {INIT: b"from .mod import g as f", MOD: F + b"def g(): ...\n"},
            ["call-rejected pkg.f"],
        ),
        # members are found through bases
        (
            {MOD: b"class B: ...\nclass C(B):\n    def m(self, x): ...\n"},
            {MOD: b"class B:\n    def m(self, x): ...\nclass C(B): ...\n"},
            ["symbol-added pkg.mod.B.m"],
        ),
        (
            {MOD: b"class B:\n    def m(self, x): ...\nclass C(B): ...\n"},
            {MOD: b"class B:\n    def m(self): ...\nclass C(B): ...\n"},
            ["call-rejected pkg.mod.B.m"],
        ),
        ({MOD: b"class _B:\n    def m(self): ...\nclass C(_B): ...\n"}, {MOD: b"class C:\n    def m(self): ...\n"}, []),
        # markers and stubs
        ({"pkg/py.typed": b""}, {}, ["marker-removed pkg"]),
        ({}, {"pkg/py.typed": b""}, ["marker-added pkg"]),
        (
            {MOD: F, "pkg/mod.pyi": b"def f(a: int) -> int: ...\n"},
            {MOD: F, "pkg/mod.pyi": b"def f(a: str) -> int: ...\n"},
            ["ann-param-changed pyi:pkg.mod.f"],
        ),
        # rings end
        (
            {MOD: b"from .b import *\n" + F, "pkg/b.py": b"from .mod import *\n"},
            {MOD: b"from .b import *\n" + G, "pkg/b.py": b"from .mod import *\n"},
            ["call-rejected pkg.mod.f"],
        ),
        ({"ns/a.py": F}, {"ns/a.py": G}, ["call-rejected ns.a.f"]),
    ],
)
def test_moves_across_files(old: dict[str, bytes], new: dict[str, bytes], expected: list[str]) -> None:
    assert moves(old, new) == expected


def test_what_goes_takes_everything_below_it_along() -> None:
    source = b"class C:\n    def m(self): ...\n    class D:\n        x = 1\n"
    assert moves({MOD: source}, {MOD: b""}) == ["symbol-removed pkg.mod.C"]
    assert moves({MOD: b""}, {MOD: source}) == ["symbol-added pkg.mod.C"]


def test_the_hash_of_what_comes_binds_everything_below_it() -> None:
    old = surface({INIT: b"", MOD: b""})
    one, other = (surface({INIT: b"", MOD: b"class C:\n    def m(self%s): ...\n" % more}) for more in (b"", b", a"))
    (first,), (second,) = compare(old, one), compare(old, other)
    assert first.old_hash == second.old_hash == ABSENT
    assert first.new_hash != second.new_hash
    assert first.new_hash in Surface(one).hashes("pkg.mod.C")
    assert first.new_hash not in Surface(other).hashes("pkg.mod.C")


def test_the_hash_of_one_row_is_that_of_the_row() -> None:
    (move,) = compare(surface({MOD: F}), surface({MOD: G}))
    assert move.old is not None
    assert move.old_hash == short_hash(move.old) == symbol_hash([move.old])


def test_a_symbol_speaks_with_its_worst_move() -> None:
    old, new = b"def f(a: int, b=1) -> int: ...\n", b"async def f(a: str) -> int: ...\n"
    (symbol,) = by_symbol(compare(surface({MOD: old}), surface({MOD: new})))
    assert {move.kind for move in symbol.moves} == {"async-added", "call-rejected", "ann-param-changed"}
    assert symbol.severity == "breaking"
    assert symbol.needs_row


def test_severities_are_ranked_and_kinds_have_one() -> None:
    assert set(SEVERITY.values()) == set(RANK)


def test_the_order_of_rows_does_not_matter() -> None:
    old, new = surface({INIT: b"from .mod import f", MOD: F}), surface({INIT: b"from .mod import f", MOD: G})
    assert compare(old, new) == compare(old[::-1], new[::-1])


def test_what_is_built_to_take_long_is_opaque() -> None:
    many = b"def f(%s): ...\n"
    old, new = (many % b", ".join(b"a%d" % n for n in range(count)) for count in (3000, 2999))
    assert moves({MOD: old}, {MOD: new}) == ["surface-changed pkg.mod.f"]
    head = b"from typing import overload\n"
    variants = [b"@overload\ndef f(a%d): ...\n" % number for number in range(3000)]
    old, new = (head + b"".join(variants[:count]) + F for count in (3000, 2999))
    assert moves({MOD: old}, {MOD: new}) == ["surface-changed pkg.mod.f"]
