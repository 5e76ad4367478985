"""Whether a person's push may do to the list of properties what it does: tickets, or a way back to an earlier list."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.contracts.governance import govern
from gatekeeper.contracts.properties import Properties, read_properties
from gatekeeper.judged import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.context import Context
    from gatekeeper.model import Entry, Oid

CODE = "GK408"
_PAST = 2_000
"""How many trusted commits are looked through for an earlier list that a push restores."""


def governed(ctx: Context, tree: Oid) -> tuple[Fault, ...]:
    """What the edit of the list lacks; nothing in a push that leaves it alone or restores an earlier one.

    Args:
        ctx: of a person's update.
        tree: what is pushed.
    """
    path = ctx.policy.locations["properties"]
    old, new = _old(ctx, path), ctx.objects.find(tree, path)
    if old is None or (new is not None and new.oid == old.oid):
        return ()
    after = Properties() if new is None else read_properties(ctx.objects.blob(new.oid))
    before = read_properties(ctx.objects.blob(old.oid))
    if new is not None and after.faults:
        return ()  # GK009 says what; rows that could not be read would only look deleted
    found = tuple(govern(before, after, ctx.policy.ticket))
    if found and _restores(ctx, path, new) and _has_ticket(ctx):
        return ()
    return tuple(Fault(CODE, problem, path, line or None, fix) for line, problem, fix in found)


def _old(ctx: Context, path: bytes) -> Entry | None:
    """The list that the push starts from: the trusted tip's, or for another branch that of where it left it.

    What has been added to the trusted branch after that was never this branch's to delete.
    """
    assert ctx.trusted is not None  # noqa: S101 (the caller has looked)
    if ctx.on_trusted or ctx.base is None:
        return ctx.trusted.tree.entry(path)
    return ctx.objects.find(ctx.objects.commit(ctx.base).tree, path)


def _restores(ctx: Context, path: bytes, new: Entry | None) -> bool:
    """Whether the trusted branch had exactly this list before."""
    assert ctx.trusted is not None  # noqa: S101 (the caller has looked)
    return any(ctx.objects.find(ctx.objects.commit(oid).tree, path) == new for oid in _past(ctx, ctx.trusted.commit))


def _past(ctx: Context, tip: Oid) -> Iterator[Oid]:
    """Trusted commits along first parents, newest first, as far back as is looked."""
    oid: Oid | None = tip
    for _ in range(_PAST):
        if oid is None:
            return
        yield oid
        oid = next(iter(ctx.objects.commit(oid).parents), None)


def _has_ticket(ctx: Context) -> bool:
    """Whether the message of a pushed commit names a ticket."""
    import re

    ticket = re.compile(rf"(?<![\w-])(?:{ctx.policy.ticket})(?![\w-])")
    new = () if ctx.history is None else ctx.history.new
    messages = (ctx.objects.commit(oid).message.decode("utf-8", "replace") for oid in new)
    return any(ticket.search(message) for message in messages)
