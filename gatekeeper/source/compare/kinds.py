"""What can happen to a public symbol, how bad each of it is, and what one such move looks like."""

from __future__ import annotations

from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.rows import row_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gatekeeper.source.rows import Row

BREAKING, SILENT, OPAQUE, ADDITION, NEUTRAL = "breaking", "silent", "opaque", "addition", "neutral"

RANK = {NEUTRAL: 0, ADDITION: 1, OPAQUE: 2, SILENT: 3, BREAKING: 4}
"""How bad; the worst of a symbol's moves speaks for it."""

_BREAKING = """
    symbol-removed module-removed overload-removed kind-changed call-rejected async-added async-removed gen-added
    gen-removed binding-changed accessor-removed abstract-added final-added protocol-member-added base-removed
    base-replaced mro-changed metaclass-changed flavour-changed field-order-changed field-added-required field-removed
    frozen-added order-removed eq-changed kw-only-changed slots-changed enum-member-removed td-key-removed
    td-key-added-required td-total-changed required-changed const-removed match-args-changed marker-removed
    missing-added ctxmgr-added ctxmgr-removed became-type-checking-only type-params-changed hash-removed
    tuple-length-changed
"""
_SILENT = """
    call-rebound kw-captured default-changed ann-param-changed ann-return-changed ann-attr-changed ann-removed
    enum-value-changed enum-auto-reordered const-value-changed alias-target-changed kind-softened cached-removed
    constructor-changed field-option-changed base-arguments-changed overload-reordered
"""
_OPAQUE = """
    decorator-unknown-changed guard-changed became-unparseable unparseable-changed unparseable-removed became-opaque
    opaque-changed opaque-removed too-deep getattr-changed class-keyword-changed surface-changed
"""
_ADDITION = """
    symbol-added module-added overload-added param-added-optional param-widened default-added ann-added
    ann-param-widened ann-return-narrowed accessor-added abstract-removed final-removed base-added enum-member-added
    td-key-added field-added-optional deprecated-added marker-added missing-removed cached-added frozen-removed
    order-added match-args-extended slots-extended
"""
_NEUTRAL = "deprecated-removed private-base-changed module-file-changed constructor-implicit"

SEVERITY: dict[str, str] = {
    kind: severity
    for severity, kinds in (
        (BREAKING, _BREAKING),
        (SILENT, _SILENT),
        (OPAQUE, _OPAQUE),
        (ADDITION, _ADDITION),
        (NEUTRAL, _NEUTRAL),
    )
    for kind in kinds.split()
}
"""Every kind and its severity. Ids are stable: allow rows name them."""

ABSENT = "none"
"""Stands for the rows of a symbol that one side does not have."""

_DIGITS = 12


class Move(NamedTuple):
    """One thing that happened to one symbol between two surfaces.

    ``witness`` is a call that worked and no longer does, or now means something else. ``before`` and ``after`` are all
    rows of the symbol on each side; their hashes are made when somebody asks for them.
    """

    kind: str
    severity: str
    path: str
    guard: str
    old: Row | None
    new: Row | None
    witness: str | None
    message: str
    before: Sequence[Row] = ()
    after: Sequence[Row] = ()

    @property
    def old_hash(self) -> str:
        """:func:`symbol_hash` of the old side."""
        return symbol_hash(self.before)

    @property
    def new_hash(self) -> str:
        """:func:`symbol_hash` of the new side."""
        return symbol_hash(self.after)


class Note(NamedTuple):
    """A move before it is known whose it is: the kind, and what is different."""

    kind: str
    message: str
    witness: str | None = None


class SymbolMove(NamedTuple):
    """All moves of one symbol; ``kind`` and ``severity`` are those of the worst, the first where several are as bad."""

    kind: str
    severity: str
    path: str
    moves: tuple[Move, ...]

    @property
    def old_hash(self) -> str:
        """By what an allow row names the old side."""
        return self.moves[0].old_hash

    @property
    def new_hash(self) -> str:
        """By what an allow row names the new side."""
        return self.moves[0].new_hash

    @property
    def needs_row(self) -> bool:
        """Whether a person must allow it whatever the policy says of additions."""
        return RANK[self.severity] > RANK[ADDITION]


def by_symbol(moves: Iterable[Move]) -> tuple[SymbolMove, ...]:
    """Moves gathered by symbol, in the order of their paths."""
    found: dict[tuple[str, int, int], list[Move]] = {}
    for move in moves:
        # all that is said of one symbol holds the same two lists of rows
        found.setdefault((move.path, id(move.before), id(move.after)), []).append(move)
    rows: dict[str, list[SymbolMove]] = {}
    for (path, _, _), group in found.items():
        worst = max(group, key=lambda move: RANK[move.severity])
        rows.setdefault(path, []).append(SymbolMove(worst.kind, worst.severity, path, tuple(group)))
    return tuple(symbol for path in sorted(rows) for symbol in _ordered(rows[path]))


def _ordered(symbols: list[SymbolMove]) -> list[SymbolMove]:
    if len(symbols) == 1:
        return symbols
    return sorted(symbols, key=lambda symbol: (symbol.old_hash, symbol.new_hash))


def symbol_hash(rows: Iterable[Row]) -> str:
    """Twelve digits over all rows of a symbol in their order; those of the row itself when it is one."""
    hashes = [row_hash(row) for row in rows]
    if not hashes:
        return ABSENT
    whole = hashes[0] if len(hashes) == 1 else sha256("\n".join(sorted(hashes)).encode("ascii")).hexdigest()
    return whole[:_DIGITS]
