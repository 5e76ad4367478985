"""The property budget: the named properties are still collected, still themselves, and can still be imported.

Nothing here reads Python. What was found of a trusted tree is kept with the paths that it depends on, and a push that
changes none of those is judged by it; for any other one :mod:`gatekeeper.suites` asks a worker.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.judged import Judgement
from gatekeeper.model import AGENT
from gatekeeper.spans import added_tests, held, span

if TYPE_CHECKING:
    from gatekeeper.context import Context
    from gatekeeper.model import Entry
    from gatekeeper.spans import Span


def judge_properties(ctx: Context) -> Judgement:
    """The named properties of the pushed tree: an agent's by the trusted list, a person's by the list of the push."""
    if ctx.head is None or ctx.trusted is None or (ctx.base is None and ctx.lane == AGENT):
        return Judgement(judged=False)
    path = ctx.policy.locations["properties"]
    listed = ctx.trusted.tree.entry(path) if ctx.lane == AGENT else ctx.objects.find(ctx.head.tree, path)
    if listed is None:
        return Judgement(judged=False)
    base = ctx.trusted.tree.oid if ctx.base is None else ctx.objects.commit(ctx.base).tree
    key = ("properties", base, ctx.head.tree, ctx.trusted.tree.oid, ctx.actor.name, ctx.lane, repr(ctx.policy.layers))
    judged = ctx.shared.judged
    if key not in judged:
        judged[key] = _judge(ctx, listed, span(ctx, base, ctx.head.tree))
    return judged[key]  # type: ignore[return-value]


def _judge(ctx: Context, listed: Entry, between: Span) -> Judgement:
    """By what is kept of the base where that is enough; else by what a worker says."""
    added = added_tests(ctx, between)
    kept = None if added else held(ctx, listed.oid, between)
    if kept is not None and not between.touches(kept[1]):
        return Judgement(judged=True, required=kept[0], collected=kept[0])
    from gatekeeper.suites import judge_suite

    return judge_suite(ctx, listed, between, added)
