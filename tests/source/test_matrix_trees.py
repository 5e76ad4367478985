"""The matrix once more: over several files, re-exported name by name, and in the syntax of later Pythons.

The expected answers of ``blind_*`` were written before any of them was run, from the definition and the taxonomy alone.
"""

from __future__ import annotations

import re
import sys

import pytest

from gatekeeper.source.compare.lookup import SYMBOLS
from gatekeeper.source.surface import surface
from tests.source.test_matrix import CASES, FOLDER, HEAD, Case, direct, moves, read, reexported

OPEN = frozenset({"blind_modules/all-comprehension", "blind_modules/star-external"})
"""What a wildcard takes in unseen: names that are written out do not."""
BLIND = [case for case in CASES if case.name.startswith("blind_") and not case.direct and case.name not in OPEN]
LATER = read(FOLDER / "blind_python312.cases")
FILE = re.compile(r"^@@ (\S+)$", re.MULTILINE)


def files(text: str) -> dict[str, bytes]:
    parts = FILE.split(text)
    return {path: body.lstrip("\n").encode() for path, body in zip(parts[1::2], parts[2::2], strict=True)}


def public(source: str) -> list[str]:
    """The names that a module binds for others, as a person would list them."""
    rows = surface(direct(source))
    names = {row.path.split(".")[2] for row in rows if row.kind in SYMBOLS and row.path.startswith("pkg.mod.")}
    return sorted(name for name in names if not name.startswith("_"))


def by_name(source: str) -> dict[str, bytes]:
    names = public(source)
    text = f"from ._mod import {', '.join(names)}\n" if names else ""
    return {"pkg/__init__.py": text.encode(), "pkg/_mod.py": source.encode()}


def listed(source: str) -> dict[str, bytes]:
    text = f"from ._mod import *\n__all__ = {public(source)!r}\n"
    return {"pkg/__init__.py": text.encode(), "pkg/_mod.py": source.encode()}


@pytest.mark.parametrize("case", read(FOLDER / "blind_trees.cases"), ids=lambda case: case.name)
def test_trees(case: Case) -> None:
    found = moves(files(case.old), files(case.new))
    assert {move.kind for move in found} == case.kinds, found


@pytest.mark.parametrize("case", BLIND, ids=lambda case: case.name)
def test_reexported_by_name(case: Case) -> None:
    found = moves(by_name(case.old), by_name(case.new))
    assert {move.kind for move in found} == case.kinds, found


@pytest.mark.parametrize("case", BLIND, ids=lambda case: case.name)
def test_reexported_and_listed(case: Case) -> None:
    found = moves(listed(case.old), listed(case.new))
    assert {move.kind for move in found} == case.kinds, found


@pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 695")
@pytest.mark.parametrize("case", LATER, ids=lambda case: case.name)
def test_later_syntax(case: Case) -> None:
    for made in (direct, reexported):
        found = moves(made(case.old), made(case.new))
        assert {move.kind for move in found} == case.kinds, found


def test_every_case_was_read() -> None:
    for path in FOLDER.glob("blind_*"):
        assert len(read(path)) == len(HEAD.findall(path.read_text(encoding="utf-8"))) > 0
