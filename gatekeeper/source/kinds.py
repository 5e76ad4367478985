"""What can happen to a public symbol, how bad each of it is, and what one such move looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    constructor-changed field-option-changed
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


class Move(NamedTuple):
    """One thing that happened to one symbol between two surfaces.

    ``witness`` is a call that worked and no longer does, or now means something else. ``old_hash`` and ``new_hash`` are
    the first twelve digits of the hash over all rows of the symbol on each side (``none`` where it has none).
    """

    kind: str
    severity: str
    path: str
    guard: str
    old: Row | None
    new: Row | None
    witness: str | None
    message: str
    old_hash: str = ABSENT
    new_hash: str = ABSENT


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
    old_hash: str
    new_hash: str
    moves: tuple[Move, ...]

    @property
    def needs_row(self) -> bool:
        """Whether a person must allow it whatever the policy says of additions."""
        return RANK[self.severity] > RANK[ADDITION]


def by_symbol(moves: Iterable[Move]) -> tuple[SymbolMove, ...]:
    """Moves gathered by symbol, in the order of their paths."""
    found: dict[tuple[str, str, str], list[Move]] = {}
    for move in moves:
        found.setdefault((move.path, move.old_hash, move.new_hash), []).append(move)
    rows = []
    for (path, old, new), group in sorted(found.items()):
        worst = max(group, key=lambda move: RANK[move.severity])
        rows.append(SymbolMove(worst.kind, worst.severity, path, old, new, tuple(group)))
    return tuple(rows)
