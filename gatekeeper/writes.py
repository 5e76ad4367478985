"""The write-block: what a push writes that its lane does not own, decided by equality of protected projections.

The *projection* of a tree is the set of (path, mode, oid) of its protected entries, absent ones included. No printed
diff, no rename detection and no test on the prefix of a name decides; DESIGN.md, "How a ref is judged", 3, is the
specification.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.model import AGENT, GITLINK, SYMLINK
from gatekeeper.names import worst_name
from gatekeeper.policy import STRICTNESS
from gatekeeper.policy.zones import CONFIG, CONTRACT, GIT_CONTROL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gatekeeper.context import Context
    from gatekeeper.model import Change, Commit, Oid
    from gatekeeper.trust import Trusted

TRUSTED_COMMITS_COMPARED = 2_000
"""How many trusted commits between base and tip an odd commit is compared with before it counts as written."""


class Write(NamedTuple):
    """One path that a push writes without owning it.

    ``code`` is the one write-block code that the path gets, ``commit`` the commit when it is not (only) the head's
    doing, and ``undone`` the later commit that put it back.
    """

    code: str
    change: Change
    why: str = ""
    commit: Oid | None = None
    undone: Oid | None = None


class WriteBlock(NamedTuple):
    """The outcome of the write-block.

    ``stale`` is the merge base that the head's protected files come from, when they lag behind the tip and nothing
    else is wrong with them; ``mixed`` says that some of them are the tip's and some the base's, which no graft may
    accept.
    """

    writes: tuple[Write, ...] = ()
    stale: Oid | None = None
    mixed: bool = False


def judge_writes(ctx: Context) -> WriteBlock:
    """All writes of the update that the lane does not own.

    In the human lane only commits that carry evidence of an agent are held to the write-block.
    """
    head, trusted = ctx.head, ctx.trusted
    if head is None or trusted is None:
        return WriteBlock()
    if ctx.lane != AGENT:
        return WriteBlock(tuple(_marked(ctx, trusted)))
    # the push's own changes first: they are few or refused, before anything is compared with a tip that may be far away
    base_tree = None if ctx.base is None else ctx.objects.commit(ctx.base).tree
    outside = () if base_tree is None else tuple(_classify(ctx, _unprotected(ctx, base_tree, head.tree)))
    block = _against_tip(ctx, head, trusted)
    final = (*block.writes, *outside)
    return block._replace(writes=(*final, *_in_transit(ctx, trusted, {write.change.path for write in final})))


def _against_tip(ctx: Context, head: Commit, trusted: Trusted) -> WriteBlock:
    """Compare the head's projection with the tip's; a branch that has a merge base's is stale, not tampered with."""
    differing = ctx.drift(trusted.tree.oid, head.tree)
    if not differing:
        return WriteBlock()
    bases = () if ctx.history is None else ctx.history.bases
    for base in bases:
        if not ctx.drift(ctx.objects.commit(base).tree, head.tree):
            return WriteBlock(stale=base)
    if ctx.base is not None:
        # what differs from the tip and from the base is the push's own doing; the rest only lags behind
        own = {change.path for change in differing}
        mine = [change for change in ctx.drift(ctx.objects.commit(ctx.base).tree, head.tree) if change.path in own]
        if not mine:
            return WriteBlock(stale=ctx.base, mixed=True)
        differing = tuple(mine)
    return WriteBlock(tuple(_classify(ctx, differing)))


def _unprotected(ctx: Context, old: Oid, new: Oid) -> Iterator[Change]:
    return (change for change in ctx.changes(old, new) if ctx.zone(change.path) is None)


def _classify(ctx: Context, changes: Iterable[Change]) -> Iterator[Write]:
    severities = ctx.severities
    for change in changes:
        applicable = [(code, why) for code, why in _codes(ctx, change) if severities[code] != "off"]
        if applicable:
            # switching one rule to a warning must not shadow a stricter rule that the same path breaks
            code, why = max(applicable, key=lambda row: STRICTNESS[severities[row[0]]])
            yield Write(code, change, why)


def _codes(ctx: Context, change: Change) -> Iterator[tuple[str, str]]:
    """Every write-block code that applies to a change, in order of precedence."""
    zone = ctx.zone(change.path)
    if zone == CONTRACT:
        yield "GK102", ""
    elif zone == GIT_CONTROL:
        yield "GK107", ""
    elif zone == CONFIG:
        yield "GK109", ""
    if change.new_mode in (SYMLINK, GITLINK):
        yield "GK105", "symbolic link" if change.new_mode == SYMLINK else "submodule"
    if zone is not None and change.old_mode and change.new_mode and change.old_mode != change.new_mode:
        yield "GK106", f"{change.old_mode:06o} -> {change.new_mode:06o}"
    if zone is not None and ctx.is_twin(change.path):
        yield "GK104", ""
    if change.new_mode and not change.old_mode and (why := worst_name(change.path, strict=True)):
        yield "GK110", why
    if zone is not None:
        yield "GK101", ""
    elif not ctx.writable(change.path):
        yield "GK103", ""


def _in_transit(ctx: Context, trusted: Trusted, final: set[bytes]) -> Iterator[Write]:
    """Protected paths that a new commit changes and the head does not show: written and undone, or lost in a merge."""
    written: dict[bytes, Write] = {}
    for oid in reversed(ctx.history.new if ctx.history is not None else ()):  # parents first
        commit = ctx.objects.commit(oid)
        drift = _own_drift(ctx, trusted, commit)
        restores = bool(drift) and any(not ctx.drift(tree, commit.tree) for tree in _trusted_trees(ctx, trusted))
        for change in drift:
            earlier = written.get(change.path)
            if earlier is not None:
                written[change.path] = earlier._replace(undone=earlier.undone or oid)
            elif not restores:
                code = "GK102" if ctx.zone(change.path) == CONTRACT else "GK108"
                written[change.path] = Write(code, change, commit=oid)
    yield from (
        write for path, write in sorted(written.items()) if path not in final and ctx.severities[write.code] != "off"
    )


def _own_drift(ctx: Context, trusted: Trusted, commit: Commit) -> tuple[Change, ...]:
    """The protected paths in which ``commit`` differs from its nearest parent; empty when it equals one of them.

    A root commit has no parent to equal: it is compared with the trusted tip, or an orphan merged in could hide a lot.
    What a merge brings in from the trusted tip is not held against it, as long as something else is.
    """
    parents = [ctx.objects.commit(parent).tree for parent in commit.parents] or [trusted.tree.oid]
    drifts = [ctx.drift(tree, commit.tree) for tree in parents]
    if not all(drifts):
        return ()
    ahead = {change.path for change in ctx.drift(trusted.tree.oid, commit.tree)}
    own = [tuple(change for change in drift if change.path in ahead) for drift in drifts]
    return min(filter(None, own), key=len, default=min(drifts, key=len))


def _trusted_trees(ctx: Context, trusted: Trusted) -> Iterator[Oid]:
    """Trees of the tip, the merge bases and the trusted commits between them, bounded."""
    bases = () if ctx.history is None else ctx.history.bases
    yield trusted.tree.oid
    for base in bases:
        yield ctx.objects.commit(base).tree
    for base in bases:
        for number, oid in enumerate(ctx.trusted_between(base, trusted.commit)):
            if number == TRUSTED_COMMITS_COMPARED:
                break
            yield ctx.objects.commit(oid).tree


def _marked(ctx: Context, trusted: Trusted) -> Iterator[Write]:
    """What marked commits write, whoever pushes them: evidence of an agent demotes the commit, not the push."""
    if not ctx.policy.marks or ctx.history is None:
        return
    for oid in ctx.history.new:
        commit = ctx.objects.commit(oid)
        if not is_marked(ctx, commit):
            continue
        single = commit.parents[0] if len(commit.parents) == 1 else None
        outside = () if single is None else _unprotected(ctx, ctx.objects.commit(single).tree, commit.tree)
        for write in _classify(ctx, (*_own_drift(ctx, trusted, commit), *outside)):
            yield write._replace(commit=oid)


def is_marked(ctx: Context, commit: Commit) -> bool:
    """Whether the policy's evidence says that an agent made this commit."""
    if ctx.policy.unsigned and not commit.signed:
        return True
    wanted = tuple(trailer.lower() for trailer in ctx.policy.trailers)
    return bool(wanted) and any(line.lower().startswith(wanted) for line in commit.message.splitlines())
