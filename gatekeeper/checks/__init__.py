"""All rules, as one explicit tuple in the order in which they are asked. Nothing registers itself."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.checks import contract, gate, paths, properties, refs

if TYPE_CHECKING:
    from gatekeeper.checks._rule import Described, FaultRule, Rule

REFS: tuple[Rule, ...] = (
    refs.not_open,
    refs.deletion,
    refs.not_fast_forward,
    refs.tag_moved,
    refs.hidden,
    refs.no_commit,
    refs.steers_ci,
)
"""Asked first, and also without a trusted ref."""

TREES: tuple[Rule, ...] = (
    gate.merge_base,
    gate.stale,
    gate.invalid,
    paths.contract,
    paths.git_control,
    paths.configuration,
    paths.link,
    paths.mode,
    paths.twin,
    paths.bad_name,
    paths.protected,
    paths.outside,
    paths.undone,
    contract.moved,
    contract.other_rows,
    contract.unreadable,
    contract.dynamic,
    contract.malformed,
    properties.missing,
    properties.unresolved,
    properties.neutralised,
    properties.weakened,
    properties.rewritten,
    properties.too_few,
    properties.empty,
    properties.ungoverned,
    properties.not_run,
)
"""Asked of what the ref names."""

ALL: tuple[Rule, ...] = (*REFS, *TREES)

FAULTS: tuple[FaultRule, ...] = (
    gate.check_failed,
    gate.deadline,
    gate.malformed,
    gate.missing,
    gate.limits,
    gate.unreadable,
)
"""Asked about the exception when a judgement could not be finished."""

DESCRIBED: tuple[Described, ...] = tuple(sorted((*ALL, *FAULTS), key=lambda rule: rule.code))
"""Every rule by code, for the table and the explanations."""

CODES: frozenset[str] = frozenset(rule.code for rule in DESCRIBED)
