"""The property budget: the named properties are still collected, still themselves, and can still be imported.

Nothing here reads Python. What was found of a trusted tree is kept with the paths that it depends on, and a push that
changes none of those is judged by it; for any other one :mod:`gatekeeper.suites` asks a worker.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.judged import Judgement
from gatekeeper.model import AGENT
from gatekeeper.spans import added_tests, held, span, suspects

if TYPE_CHECKING:
    from gatekeeper.context import Context
    from gatekeeper.model import Entry, Oid
    from gatekeeper.spans import Span
    from gatekeeper.trust import Trusted


def judge_properties(ctx: Context) -> Judgement:
    """The named properties of the pushed tree: an agent's by the trusted list, a person's by the list of the push."""
    if ctx.head is None or ctx.trusted is None or (ctx.lane == AGENT and ctx.base is None):
        return Judgement(judged=False)
    found = _found(ctx, ctx.head.tree, ctx.trusted)
    if ctx.lane == AGENT:
        return found
    from gatekeeper.governed import governed

    faults = governed(ctx, ctx.head.tree)
    return found._replace(judged=found.judged or bool(faults), faults=found.faults + faults)


def _found(ctx: Context, head: Oid, trusted: Trusted) -> Judgement:
    """What became of the properties, for all updates of a push that lead from one tree to one other."""
    path = ctx.policy.locations["properties"]
    listed = trusted.tree.entry(path) if ctx.lane == AGENT else ctx.objects.find(head, path)
    if listed is None:
        return Judgement(judged=False)
    # on the trusted ref itself the base is what it was, whatever the history of the push
    base = trusted.tree.oid if ctx.on_trusted or ctx.base is None else ctx.objects.commit(ctx.base).tree
    key = ("properties", base, head, trusted.tree.oid, ctx.actor.name, ctx.lane, repr(ctx.policy.layers))
    judged = ctx.shared.judged
    if key not in judged:
        between = span(ctx, base, head)
        judged[key] = _with_run(ctx, listed, between, _judge(ctx, listed, between))
    return judged[key]  # type: ignore[return-value]


def _judge(ctx: Context, listed: Entry, between: Span) -> Judgement:
    """By what is kept of the base where that is enough; else by what a worker says."""
    added = added_tests(ctx, between)
    kept = None if added else held(ctx, listed.oid, between)
    if kept is not None and not between.touches(kept[1]) and not suspects(ctx, between):
        return Judgement(judged=True, required=kept[0], collected=kept[0])
    from gatekeeper.suites import judge_suite

    return judge_suite(ctx, listed, between, added)


def _with_run(ctx: Context, listed: Entry, between: Span, found: Judgement) -> Judgement:
    """With what a report of a run says of the properties that are there, where one was given."""
    if ctx.shared.report is None:
        return found
    from gatekeeper.runs import judge_run

    faults = judge_run(
        ctx.objects.blob(listed.oid), between.after, ctx.shared.report, found.missing, ctx.policy.deadline
    )
    return found._replace(faults=found.faults + faults)
