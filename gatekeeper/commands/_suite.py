"""The list of properties of a revision or a work tree, and what a worker says of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatekeeper.contracts.properties import Properties, read_properties
from gatekeeper.errors import UsageError
from gatekeeper.render.escape import escape
from gatekeeper.source.collection.items import EXACT
from gatekeeper.source.surveying import Reason, Side, Suite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gatekeeper.context import Context
    from gatekeeper.contracts.properties import Property
    from gatekeeper.source.gitfiles import Tree
    from gatekeeper.source.surveying import State, Surveyed

    Command = Callable[..., Any]

PATIENCE = 600.0
"""Seconds, where no push waits."""


form_option = click.option(
    "--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)


def options(command: Command) -> Command:
    """The options that every subcommand takes."""
    for option in (
        click.option(
            "--policy", type=click.Path(path_type=Path), help="The server's policy file.  [default: built-in]"
        ),
        click.option("--repo", type=click.Path(path_type=Path), default=".", help="A work tree or git directory."),
    ):
        command = option(command)
    return command


def location(ctx: Context) -> str:
    """Where the list lies, relative to the top of the tree."""
    return os.fsdecode(ctx.policy.locations["properties"])


def listed(ctx: Context, tree: Tree) -> Properties:
    """The list of a tree.

    Raises:
        UsageError: there is none, or it cannot be read.
    """
    data = tree.read(ctx.policy.locations["properties"])
    if data is None:
        raise UsageError(f"there is no {location(ctx)}", fix="gatekeeper properties add ID NODEID")
    found = read_properties(data)
    if found.faults:
        line, problem, fix = found.faults[0]
        raise UsageError(f"{location(ctx)}: line {line}: {problem}", fix=fix)
    return found


def survey(ctx: Context, tree: Tree, contract: Properties, nodeids: Sequence[str], *, audit: bool = False) -> Surveyed:
    """What a worker says of nodeids in a tree."""
    suite = Suite(None, lambda path: ctx.zones.zone(path) is not None, PATIENCE)
    return suite.survey([Side(tree, "", contract.invocation)], nodeids, audit=audit)


def chosen(contract: Properties, ids: Sequence[str]) -> list[Property]:
    """The properties of some ids, or all of them.

    Raises:
        UsageError: no property has an id.
    """
    rows = {row.id: row for row in contract.properties}
    unknown = [name for name in ids if name not in rows]
    if unknown:
        raise UsageError(f"no property has the id {unknown[0]!r}", fix="`gatekeeper properties list` prints them")
    return [rows[name] for name in ids] if ids else list(contract.properties)


def state_text(row: Property, state: State) -> str:
    """What a property is in a tree, in words."""
    if not state.collected:
        return f"MISSING: {state.why}"
    several = f", {state.ids} parameter sets" if state.ids > 1 else ""
    words = (
        ["collected" + several] if state.verdict == EXACT else [f"collected, its ids are {state.verdict}: {state.why}"]
    )
    if state.conditions:
        words.append(f"provided: {', '.join(state.conditions)}")
    if row.digest:
        words.append("as pinned" if row.digest == state.digest else "NOT as pinned")
    return "; ".join(words)


def proves_little(row: Property, found: Surveyed) -> tuple[Reason, ...]:
    """What makes a property prove less than it seems to."""
    state = found.states[row.nodeid][-1]
    if not state.collected:
        return (Reason("GK401", f"it is not collected: {state.why}", state.path or row.module, state.line),)
    return found.audits[row.nodeid]


def reasons_text(row: Property, reasons: Sequence[Reason]) -> Iterator[str]:
    """A line for each reason."""
    for reason in reasons:
        line = f":{reason.line}" if reason.line else ""
        yield f"{escape(reason.path)}{line}: {reason.code} {escape(row.id)}: {escape(reason.message)}\n"


def fields(value: Any) -> dict[str, Any]:
    """A tuple with names as a dict."""
    return dict(zip(value._fields, value, strict=True))
