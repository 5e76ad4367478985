"""The property budget where a tree has to be read: what a worker says of both trees, against the list of properties."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.contracts.properties import Properties, read_properties
from gatekeeper.errors import PolicyError
from gatekeeper.judged import Fault, Judgement
from gatekeeper.listing import policy_key
from gatekeeper.model import AGENT
from gatekeeper.source.depends import Depends
from gatekeeper.source.importing import Importing, Starts, by_start, changed_names
from gatekeeper.source.imports.resolve import Start
from gatekeeper.source.outlines import differs
from gatekeeper.source.surveying import Side, State, Suite, first
from gatekeeper.spans import keep_held, suspects

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gatekeeper.context import Context
    from gatekeeper.contracts.properties import Property
    from gatekeeper.model import Entry
    from gatekeeper.source.imports.resolve import Unresolved
    from gatekeeper.source.surveying import Reason, Surveyed
    from gatekeeper.spans import Span

_RESTORE = "restore it as it is on the trusted ref; only a person retires a property, with a ticket"
_RESOLVE = "keep the name importable, or undo the change"
_ASK = "undo the change; a person may change what a property is made of"
_LEAVE = "undo it: what is judged, and what runs beside a property, leaves its judges alone"
_LISTED = "correct the nodeid or restore the test; to give it up, move its row to [[retired]] with a ticket"


class _Read(NamedTuple):
    """What was found of a span: states by nodeid, failing imports by the path of a property's module."""

    surveyed: Surveyed
    broken: Mapping[str, Unresolved]
    depends: Depends
    interfering: tuple[Reason, ...]


def judge_suite(ctx: Context, listed: Entry, between: Span, added: Sequence[bytes]) -> Judgement:
    """The named properties in both trees of a push, the second one's held against the first one's.

    Args:
        ctx: of the update.
        listed: where the list of properties is.
        between: the two trees.
        added: test files of the second that count as credit.

    Raises:
        PolicyError: an agent's push is judged by a list that cannot be read.
    """
    contract = read_properties(ctx.objects.blob(listed.oid))
    if contract.faults and ctx.lane != AGENT:
        return Judgement(judged=False)  # GK009 says what is wrong with it; nothing can be held to it
    if contract.faults:
        path = ctx.policy.locations["properties"].decode("utf-8", "backslashreplace")
        raise PolicyError(
            f"{path} of the trusted ref cannot be read: line {contract.faults[0].line}: {contract.faults[0].problem}",
            fix=f"a person corrects it: {contract.faults[0].fix}",
        )
    old = contract if ctx.lane == AGENT else _trusted(ctx)
    nodeids = [row.nodeid for row in contract.properties]
    found = _read(ctx, (old, contract), between, nodeids, added)
    faults = [fault for row in contract.properties for fault in _faults(ctx, row, found)]
    faults += _vacuous(old, contract, found)
    missing = tuple(row.nodeid for row in contract.properties if _is_lost(row, found))
    faults += [_interferes(reason) for reason in found.interfering]
    faults += _of_list(ctx, contract, len(nodeids) - len(missing))
    if ctx.lane == AGENT and _is_sound(contract, found):
        keep_held(ctx, listed.oid, between.name, len(nodeids), found.depends)
    return Judgement(
        True, len(nodeids), missing, len(nodeids) - len(missing), _credit(old, contract, found.surveyed), tuple(faults)
    )


def _is_sound(contract: Properties, found: _Read) -> bool:
    """Whether the first tree holds the whole list: a push that changes nothing that counts then needs no other look."""
    collected = all(states[0].collected for states in found.surveyed.states.values())
    return bool(contract.properties) and collected and contract.min_collected <= len(contract.properties)


def _trusted(ctx: Context) -> Properties:
    """The list of the trusted ref, as far as it can be read: a person's push may be what mends it."""
    assert ctx.trusted is not None  # noqa: S101 (the caller has looked)
    entry = ctx.trusted.tree.entry(ctx.policy.locations["properties"])
    return Properties() if entry is None else read_properties(ctx.objects.blob(entry.oid))


def _credit(old: Properties, new: Properties, surveyed: Surveyed) -> tuple[str, ...]:
    """What the push adds: properties that a person names, tests that an agent may add."""
    known = {row.id for row in old.properties}
    return (*(row.id for row in new.properties if row.id not in known), *surveyed.added)


def _read(
    ctx: Context,
    contracts: tuple[Properties, Properties],
    between: Span,
    nodeids: Sequence[str],
    added: Sequence[bytes],
) -> _Read:
    """The states of both trees and the imports of the second; where nothing that counts changed, only one is read."""
    cache, seconds = ctx.shared.cache, ctx.shared.patience or ctx.policy.deadline
    suite = Suite(cache, lambda path: ctx.zone(path) is not None, seconds)
    before = Side(between.before, f"{between.name}-{policy_key(ctx)}", contracts[0].invocation)
    surveyed = suite.kept(before, nodeids)
    shapes = {} if surveyed is None else surveyed.shapes[0]
    importing = Importing(cache, lambda: ctx.shared.reader(seconds), {path: one.ran for path, one in shapes.items()})
    moved = surveyed is None or bool(added) or contracts[0].invocation != contracts[1].invocation
    if surveyed is not None and not moved:
        moved = _is_moved(surveyed, between, importing, contracts[1].invocation.python)
    if moved:
        same = not between.changes and contracts[0] == contracts[1]
        sides = [before] if same else [before, Side(between.after, "", contracts[1].invocation)]
        audit = ctx.lane != AGENT
        both = suite.survey(sides, nodeids, added=changed_names(added), audit=audit)
        if surveyed is None:
            suite.keep(before, nodeids, first(both))
        surveyed = both
    assert surveyed is not None  # noqa: S101 (read above where it was not kept)
    was, now = (_starts(surveyed, place, contract) for place, contract in zip((0, -1), contracts, strict=True))
    closure = importing.closure(between.before, between.name, was)
    changed = changed_names(change.path for change in between.changes)
    broken = importing.broken(closure, between.after, between.name, was, now, changed) if changed else []
    own = surveyed.depends[0]
    looked = own.looked | frozenset(path.encode("utf-8", "surrogateescape") for path in closure.kinds)
    suspected = changed_names(suspects(ctx, between)) if nodeids else []
    interfering = suite.interference(between.before, between.after, suspected) if suspected else []
    depends = Depends(looked, own.listed)
    return _Read(surveyed, by_start(broken), depends, tuple(interfering))


def _is_moved(surveyed: Surveyed, between: Span, importing: Importing, python: tuple[int, int]) -> bool:
    """Whether the push changes what the states depend on: of a source that only makes values, more than bodies."""
    rewritten = surveyed.depends[0].rewritten(between.changes, between.before, between.after)
    if rewritten is None:
        return True
    for name in changed_names(rewritten):
        was = surveyed.shapes[0][name]
        if differs(was.skeleton, importing.skeleton(between.after, name, python), was.missed):
            return True
    return False


def _starts(surveyed: Surveyed, place: int, contract: Properties) -> Starts:
    modules = {module: None for states in surveyed.states.values() for module in states[place].modules}
    return Starts(tuple(Start(*one) for one in modules), surveyed.roots[place], contract.invocation.python)


def _broken(state: State, found: _Read) -> Unresolved | None:
    return next((found.broken[path] for _, path in state.modules if path in found.broken), None)


def _is_lost(row: Property, found: _Read) -> bool:
    state = found.surveyed.states[row.nodeid][-1]
    return not state.collected or _broken(state, found) is not None


def _faults(ctx: Context, row: Property, found: _Read) -> Iterator[Fault]:
    """What is wrong with one property at the head."""
    before, after = found.surveyed.states[row.nodeid][0], found.surveyed.states[row.nodeid][-1]
    if not after.collected:
        path, line = _place(after.path or row.module, after.line)
        fix = _RESTORE if ctx.lane == AGENT else _LISTED
        yield Fault("GK401", f"{row.id}: {row.nodeid} is not collected: {after.why}", path, line, fix)
        return
    broken = _broken(after, found)
    if broken is not None:
        path, line = _place(broken.path, broken.line)
        yield Fault("GK402", f"{row.id}: {row.module} cannot be imported: {broken.why}", path, line, _RESOLVE)
    if before.digest and after.digest != before.digest:
        yield from _moved(ctx, row, found)
    if ctx.lane != AGENT:
        yield from _pinned(row, after)


def _moved(ctx: Context, row: Property, found: _Read) -> Iterator[Fault]:
    """Why the fingerprint moved: an agent may not move it, a person is told what looks like a hollowed-out property."""
    reasons = found.surveyed.reasons[row.nodeid]
    if ctx.lane != AGENT:
        yield from (_reason(row, reason, "") for reason in reasons if reason.code != _REWRITTEN)
        return
    yield from (_reason(row, reason, _ASK) for reason in reasons)
    if not reasons:  # a difference that nothing explains is one all the same
        path, line = _place(row.module, 0)
        yield Fault(_REWRITTEN, f"{row.id}: what it is made of is not what it was", path, line, _ASK)


def _reason(row: Property, reason: Reason, fix: str) -> Fault:
    path, line = _place(reason.path or row.module, reason.line)
    return Fault(reason.code, f"{row.id}: {reason.message}", path, line, fix)


_REWRITTEN = "GK405"


def _interferes(reason: Reason) -> Fault:
    path, line = _place(reason.path, reason.line)
    return Fault(reason.code, reason.message, path, line, _LEAVE)


def _vacuous(old: Properties, new: Properties, found: _Read) -> Iterator[Fault]:
    """What makes a property prove little that a person names now; an agent's push names none."""
    known = {row.id for row in old.properties}
    for row in new.properties:
        if row.id not in known:
            yield from (
                _reason(row, reason, "")._replace(severity="warn") for reason in found.surveyed.audits[row.nodeid]
            )


def _pinned(row: Property, after: State) -> Iterator[Fault]:
    if row.digest and after.digest != row.digest:
        path, line = _place(after.path or row.module, after.line)
        said = f"{row.id}: its fingerprint is {after.digest[:12]}, and {row.digest[:12]} is pinned"
        yield Fault(
            _REWRITTEN, said, path, line, f"look at it, then: gatekeeper properties pin {row.id} --ticket TICKET"
        )


def _of_list(ctx: Context, contract: Properties, collected: int) -> Iterator[Fault]:
    """What is wrong with the list as a whole."""
    path = ctx.policy.locations["properties"]
    if not contract.properties:
        yield Fault("GK407", "no property is named: the property budget holds vacuously", path, None, _NAME)
    if collected < contract.min_collected:
        of = len(contract.properties)
        said = f"{collected} of {of} named properties are collected, and min_collected is {contract.min_collected}"
        fix = _MORE if contract.min_collected > of else _RESTORE if ctx.lane == AGENT else _LISTED
        yield Fault("GK406", said, path, None, fix)


_MORE = "a person names more properties, or lowers min_collected"
_NAME = "gatekeeper properties add ID NODEID"


def _place(path: str, line: int) -> tuple[bytes, int | None]:
    return path.encode("utf-8", "surrogateescape"), line or None
