"""``gatekeeper properties add`` and ``pin``: edits of the list in a work tree, of what is collected there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from gatekeeper.commands._opened import opened
from gatekeeper.commands._suite import (
    chosen,
    listed,
    location,
    options,
    proves_little,
    reasons_text,
    state_text,
    survey,
)
from gatekeeper.commands._worktree import WorkTree, top_of
from gatekeeper.commands.check import git_directory
from gatekeeper.contracts.edit import add as added
from gatekeeper.contracts.edit import assign
from gatekeeper.contracts.properties import Property, read_properties
from gatekeeper.entry.guard import say
from gatekeeper.errors import UsageError
from gatekeeper.render.escape import escape

if TYPE_CHECKING:
    from pathlib import Path

    from gatekeeper.context import Context


@click.command()
@click.argument("id_", metavar="ID")
@click.argument("nodeid")
@click.option("--guards", multiple=True, metavar="SYMBOL", help="A dotted name that the property guards.")
@click.option("--min-examples", type=click.IntRange(min=1), metavar="N", help="What a run report must show at least.")
@options
def add(
    id_: str, nodeid: str, guards: tuple[str, ...], min_examples: int | None, repo: Path, policy: Path | None
) -> None:
    """Name NODEID a property: append it to the list in the work tree.

    It must be collected there, committed or not; what makes it prove little is printed.
    """
    with opened(repo, policy, "HEAD") as (ctx, _):
        tree = WorkTree(top_of(git_directory(repo), repo))
        data = tree.read(ctx.policy.locations["properties"])
        contract = read_properties(data or b"")
        found = survey(ctx, tree, contract, [nodeid], audit=True)
        state = found.states[nodeid][0]
        if not state.collected:
            raise UsageError(f"{nodeid} is not collected: {state.why}", fix="`gatekeeper collect` prints what is")
        row = Property(id_, state.modules[-1][1], nodeid, guards, min_examples)
        _write(ctx, tree, added(data, row))
        say(f"added {escape(id_)} to {location(ctx)}: {escape(state_text(row, state))}\n", 1)
        say("".join(reasons_text(row, proves_little(row, found))), 1)


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--ticket", default="", help="The ticket that the new fingerprint is for; it replaces the row's.")
@options
def pin(ids: tuple[str, ...], ticket: str, repo: Path, policy: Path | None) -> None:
    """Write what the properties are made of now into the list in the work tree: a person's change needs a ticket then.

    Look at the difference first. A digest that was pinned before can only be replaced with a new ticket.
    """
    with opened(repo, policy, "HEAD") as (ctx, _):
        tree = WorkTree(top_of(git_directory(repo), repo))
        contract = listed(ctx, tree)
        rows = chosen(contract, ids)
        found = survey(ctx, tree, contract, [row.nodeid for row in rows])
        changes: dict[str, dict[str, str]] = {}
        for row in rows:
            state = found.states[row.nodeid][0]
            if not state.digest:
                raise UsageError(f"{row.id} has no fingerprint: {state.why or 'it cannot be told'}", fix="restore it")
            if row.digest not in ("", state.digest) and ticket in ("", row.ticket):
                raise UsageError(
                    f"{row.id} is pinned to another fingerprint", fix="give the change a --ticket of its own"
                )
            if row.digest != state.digest:
                changes[row.id] = {"digest": state.digest, **({"ticket": ticket} if ticket else {})}
        data = tree.read(ctx.policy.locations["properties"]) or b""
        _write(ctx, tree, assign(data, changes))
        for row in rows:
            said = f"pinned to {changes[row.id]['digest'][:12]}" if row.id in changes else "was pinned to that already"
            say(f"{escape(row.id)} {said}\n", 1)


def _write(ctx: Context, tree: WorkTree, data: bytes) -> None:
    place = os.path.join(tree.top, ctx.policy.locations["properties"])
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(data)
    except OSError as error:
        raise UsageError(f"cannot write {location(ctx)}: {error.strerror}", fix="make it writable") from None
