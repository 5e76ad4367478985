"""Two sources, and the kinds of moves between them: each case direct, and re-exported through a package."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from gatekeeper.source.compare.kinds import SEVERITY
from gatekeeper.source.compare.surfaces import Move, compare
from gatekeeper.source.surface import surface

FOLDER = Path(__file__).parent / "matrix"
HEAD = re.compile(r"^## (?P<name>[\w-]+):(?P<kinds>[^\[\n]*)(?P<direct>\[direct\])?$", re.MULTILINE)


class Case(NamedTuple):
    name: str
    kinds: frozenset[str]
    old: str
    new: str
    direct: bool
    """Only what a public module does to its own names: a private one has none that count."""


def read(path: Path) -> list[Case]:
    """The cases of a file: a head with the kinds that are expected, the old source, two dashes, the new source."""
    text = path.read_text(encoding="utf-8")
    heads = list(HEAD.finditer(text))
    found = []
    for number, head in enumerate(heads):
        end = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        old, _, new = text[head.end() : end].strip("\n").partition("\n--\n")
        kinds = frozenset(kind.strip() for kind in head["kinds"].split(",") if kind.strip())
        found.append(Case(f"{path.stem}/{head['name']}", kinds, old + "\n", new + "\n", bool(head["direct"])))
    return found


CASES = [case for path in sorted(FOLDER.glob("*.txt")) for case in read(path)]


def direct(source: str) -> dict[str, bytes]:
    return {"pkg/__init__.py": b"", "pkg/mod.py": source.encode()}


def reexported(source: str) -> dict[str, bytes]:
    return {"pkg/__init__.py": b"from ._mod import *\n", "pkg/_mod.py": source.encode()}


def moves(old: dict[str, bytes], new: dict[str, bytes]) -> tuple[Move, ...]:
    return compare(surface(old, [""]), surface(new, [""]))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_direct(case: Case) -> None:
    found = moves(direct(case.old), direct(case.new))
    assert {move.kind for move in found} == case.kinds, found


@pytest.mark.parametrize("case", [case for case in CASES if not case.direct], ids=lambda case: case.name)
def test_reexported(case: Case) -> None:
    found = moves(reexported(case.old), reexported(case.new))
    assert {move.kind for move in found} == case.kinds, found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nothing_moves_to_itself(case: Case) -> None:
    assert not moves(direct(case.old), direct(case.old))
    assert not moves(direct(case.new), direct(case.new))


def test_the_matrix_is_large_enough() -> None:
    worst = [{SEVERITY[kind] for kind in case.kinds} for case in CASES]
    assert len(CASES) >= 250
    assert sum(bool(kinds & {"breaking", "silent"}) for kinds in worst) >= 170
    assert sum(kinds <= {"neutral"} for kinds in worst) >= 40
    assert sum(bool(kinds) and kinds <= {"addition", "neutral"} for kinds in worst) >= 40
    assert len({case.name for case in CASES}) == len(CASES)


def test_every_kind_that_is_expected_exists() -> None:
    assert {kind for case in CASES for kind in case.kinds} <= set(SEVERITY)


def test_a_witness_comes_with_every_rejected_call() -> None:
    for case in CASES:
        for move in moves(direct(case.old), direct(case.new)):
            if move.kind in ("call-rejected", "call-rebound", "kw-captured"):
                assert move.witness is not None
                assert move.witness in move.message
