"""Whether a property notices when what it guards is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gatekeeper.auditing.mutants import mutants
from gatekeeper.auditing.trial import FAILS, PASSES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from gatekeeper.auditing.symbols import Sources, Symbol
    from gatekeeper.auditing.trial import Outcome
    from gatekeeper.contracts.properties import Property

PROVES, VACUOUS, NOT_JUDGED = "proves", "vacuous", "not judged"
_BROKEN = b"raise AssertionError('broken on purpose')\n"


class Judged(NamedTuple):
    """What became of one property: ``killed`` of ``tried`` breakages were noticed, ``survivors`` were not."""

    verdict: str
    why: str
    tried: int = 0
    killed: int = 0
    survivors: tuple[str, ...] = ()


def judge(row: Property, sources: Sources, run: Callable[[Property], Outcome], top: Path, most: int) -> Judged:
    """Break what a property guards, one thing at a time, and run it each time.

    Args:
        row: the property.
        sources: of the product.
        run: runs the property in the copy.
        top: the copy.
        most: breakages of one symbol.
    """
    first = run(row)
    if first.kind != PASSES:
        return Judged(NOT_JUDGED, f"it does not pass as it is: {first.why or 'it fails'}")
    symbols, unknown = guarded(row, sources)
    if unknown:
        return Judged(NOT_JUDGED, f"{unknown[0]} is not defined in the product")
    tried, survivors = 0, []
    for symbol in symbols:
        original = sources.read(symbol.path) or b""
        for mutant in mutants(original, symbol.name, most):
            outcome = _broken(row, run, top / symbol.path, mutant.source, original)
            # what cannot even be collected was noticed by the import, not by the property
            if outcome.kind in (PASSES, FAILS):
                tried += 1
            if outcome.kind == PASSES:
                survivors.append(f"{symbol.path}:{mutant.line}: {mutant.what}")
    if not tried:
        return Judged(NOT_JUDGED, "nothing that it guards can be broken: name symbols in its `guards`")
    killed = tried - len(survivors)
    if not killed and not _reads(row, run, top, sources, symbols):
        return Judged(NOT_JUDGED, f"the run does not import {symbols[0].path} of the copy", tried)
    if not killed:
        return Judged(VACUOUS, f"it passes whatever is broken: {tried} of {tried}", tried, 0, tuple(survivors))
    return Judged(PROVES, f"notices {killed} of {tried}", tried, killed, tuple(survivors))


def guarded(row: Property, sources: Sources) -> tuple[list[Symbol], list[str]]:
    """The definitions that a property guards, and the names in its row that none was found for."""
    if row.guards:
        found = {name: sources.find(name) for name in row.guards}
        unknown = [name for name, symbol in found.items() if symbol is None]
        return list(dict.fromkeys(symbol for symbol in found.values() if symbol is not None)), unknown
    return list(dict.fromkeys(sources.imported(sources.test(row.module) or b""))), []


def _broken(row: Property, run: Callable[[Property], Outcome], place: Path, source: bytes, original: bytes) -> Outcome:
    place.write_bytes(source)
    try:
        return run(row)
    finally:
        place.write_bytes(original)


def _reads(
    row: Property, run: Callable[[Property], Outcome], top: Path, sources: Sources, symbols: Sequence[Symbol]
) -> bool:
    """Whether a run imports the files of the copy at all, and not those of an installed project."""
    for path in {symbol.path: None for symbol in symbols}:
        if _broken(row, run, top / path, _BROKEN, sources.read(path) or b"").kind != PASSES:
            return True
    return False
