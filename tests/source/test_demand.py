"""Linking on demand gives what linking everything gives: the same moves, the same hashes, the same places."""

from __future__ import annotations

import random
from functools import partial
from hashlib import sha1
from typing import TYPE_CHECKING

import pytest

from gatekeeper.source.compare.lookup import Surface
from gatekeeper.source.compare.surfaces import by_symbol, compare
from gatekeeper.source.demand.corpus import Corpus
from gatekeeper.source.demand.moved import moved_rows, rows_at
from gatekeeper.source.demand.side import Side
from gatekeeper.source.demand.words import Index, normal, written
from gatekeeper.source.facts.module import facts
from gatekeeper.source.link.budget import Budget, TooMany
from gatekeeper.source.link.tree import Module, Tree
from gatekeeper.source.link.whole import MAX_ROWS
from gatekeeper.source.modules import is_partial, sources, typed_packages
from gatekeeper.source.surface import surface
from tests.source.test_matrix import CASES, direct, reexported

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gatekeeper.source.rows import Row
    from tests.source.test_matrix import Case

    Files = Mapping[str, bytes]

AROUND = {
    "pkg/_derived.py": b"from pkg.mod import *\nfrom pkg import mod as m\n\n\nclass _Base(C): ...\n\n\nalias = f\n",
    "pkg/derived.py": b"from ._derived import _Base\nfrom .mod import C\nclass D(_Base): ...\nclass E(C): ...\n",
    "pkg/uses.py": b"import pkg.mod as q\nfrom pkg.mod import f as g\n\nh = g\nmethod = q.C.f\n\n\n"
    b"def use(a: q.C, b: 'q.C' = None) -> q.X: ...\n",
    "pkg/all.py": b"from pkg.mod import *\nfrom pkg._derived import alias\n\n__all__ = ['C', 'f', 'alias', 'gone']\n",
    "pkg/deep/__init__.py": b"from .. import mod\nfrom . import _inner as inner\n",
    "pkg/deep/_inner.py": b"from ..mod import C, f\n\n\nclass Inner(C):\n    g = f\n    X = C\n",
}
"""Modules that read others in every way that the link step follows."""


def side(files: Files, corpus: Corpus) -> Side:
    modules = [Module(one, partial(facts, *one[1:], files[one.path])) for one in sources(files, ("",))]
    return Side(Tree(modules, Budget(MAX_ROWS)), {path: oid(data) for path, data in files.items()}, corpus)


def oid(data: bytes) -> bytes:
    return sha1(data, usedforsecurity=False).digest()


def on_demand(old: Files, new: Files, *, kept: bool = False) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """The rows that can have moved; if ``kept``, with the words of the old tree at hand."""
    blobs = {oid(data): data for files in (old, new) for data in files.values()}
    index = Index(written({oid(data): normal(data) for data in old.values()})) if kept else None
    corpus = Corpus(blobs, blobs.get, index)
    changed = [path for path in {**old, **new} if old.get(path) != new.get(path)]
    typed = [{name: is_partial(files[path]) for path, name in typed_packages(files, ("",))} for files in (old, new)]
    modules = {one.module for one in sources(changed, ("",))}
    return moved_rows(side(old, corpus), side(new, corpus), modules, (typed[0], typed[1]))


def said(old: tuple[Row, ...], new: tuple[Row, ...]) -> list[object]:
    return [
        (*symbol[:5], [(*move[:4], move.message, move.witness, move.old, move.new) for move in symbol.moves])
        for symbol in by_symbol(compare(old, new))
    ]


def agree(old: Files, new: Files) -> None:
    whole = said(surface(old), surface(new))
    assert said(*on_demand(old, new)) == whole
    assert said(*on_demand(old, new, kept=True)) == whole


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_of_every_case(case: Case) -> None:
    for around in ({}, AROUND):
        agree({**around, **direct(case.old)}, {**around, **direct(case.new)})
        agree({**around, **reexported(case.old)}, {**around, **reexported(case.new)})


@pytest.mark.parametrize("seed", range(200))
def test_of_trees_put_together_at_random(seed: int) -> None:
    """Many cases as modules of one package that import each other, of which some change, come or go."""
    rnd = random.Random(seed)
    chosen = rnd.sample(CASES, 12)
    names = [f"{'_' if rnd.random() < 0.4 else ''}m{number}" for number in range(len(chosen))]
    old: dict[str, bytes] = {"pkg/__init__.py": _imports(rnd, names).encode(), "pkg/py.typed": b""}
    for name, case in zip(names, chosen, strict=True):
        path = f"pkg/{name}.py" if rnd.random() < 0.7 else f"pkg/{rnd.choice(names)}_/{name}.py"
        old[path] = (_imports(rnd, names) + case.old).encode()
        if rnd.random() < 0.1:
            old[path + "i"] = (_imports(rnd, names) + case.new).encode()
    new = dict(old)
    for path in rnd.sample(sorted(old), rnd.choice([1, 2, 4])):
        what = rnd.random()
        if what < 0.15:
            del new[path]
        elif what < 0.3 and not path.endswith("typed"):
            new[path.replace(".py", "x.py")] = new.pop(path)
        elif not path.endswith("typed"):
            new[path] = (_imports(rnd, names) + rnd.choice(chosen).new).encode()
    try:
        agree(old, new)
    except TooMany:
        pytest.fail("a small tree is never too much")


def _imports(rnd: random.Random, names: list[str]) -> str:
    lines = []
    for _ in range(rnd.choice([0, 1, 2, 4])):
        module, name = rnd.choice(names), rnd.choice(["f", "C", "X", "g", "D", "CONST"])
        lines.append(
            rnd.choice([
                f"from pkg.{module} import *",
                f"from pkg.{module} import {name}",
                f"from pkg.{module} import {name} as {name}",
                f"from pkg.{module} import {name} as _{name}",
                f"from pkg.{module} import ({name} # as x\n  as\\\n {name}2)",
                f"from pkg import {module} as {module.strip('_')}p",
                f"import pkg.{module} as z\n{name}3 = z.{name}",
                f"from pkg.{module} import __all__",
            ])
        )  # fmt: skip
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("case", CASES[::8], ids=lambda case: case.name)
def test_the_hashes_of_single_symbols(case: Case) -> None:
    """What an allow row can name a symbol by, in a tree that was linked whole and in one that was not."""
    for files in ({**AROUND, **direct(case.old)}, {**AROUND, **reexported(case.old)}):
        whole = Surface(surface(files))
        paths = {row.path for row in surface(files)}
        for path in sorted(paths | {path + ".x" for path in paths} | {"pkg.gone", "other.f", "pkg.deep.inner.Inner.g"}):
            rows = rows_at(side(files, Corpus({oid(data): data for data in files.values()}, _blobs(files))), [path], {})
            assert Surface(rows).hashes(path) == whole.hashes(path), path


def _blobs(files: Files) -> Callable[[bytes], bytes | None]:
    return {oid(data): data for data in files.values()}.get


def test_only_what_could_read_the_change_is_parsed() -> None:
    """A signature that moves in a public module is a matter of that module; the rest of the tree is not even read."""
    read: list[bytes] = []
    files = {f"pkg/m{number}.py": b"def g(a): ...\n" for number in range(40)} | {"pkg/__init__.py": b""}
    old, new = {**files, "pkg/mod.py": b"def f(a): ...\n"}, {**files, "pkg/mod.py": b"def f(a, b): ...\n"}

    def noted(module: str, is_package: bool, stub: bool, data: bytes) -> dict[str, object]:
        read.append(data)
        return facts(module, is_package, stub, data)

    sides = [
        Side(
            Tree([Module(one, partial(noted, *one[1:], tree[one.path])) for one in sources(tree, ("",))], Budget(1000)),
            {path: oid(data) for path, data in tree.items()},
            Corpus([], lambda _: pytest.fail("nothing is searched")),
        )
        for tree in (old, new)
    ]
    moved_rows(sides[0], sides[1], ["pkg.mod"])
    assert set(read) == {old["pkg/mod.py"], new["pkg/mod.py"], b""}
