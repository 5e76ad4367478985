"""``gatekeeper properties``: the named properties of a revision, and the list that names them."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import click

from gatekeeper.checks import DESCRIBED
from gatekeeper.commands._opened import opened
from gatekeeper.commands._property_audit import audit
from gatekeeper.commands._property_edits import add, pin
from gatekeeper.commands._suite import fields, form_option, listed, options, state_text, survey
from gatekeeper.entry.guard import say
from gatekeeper.model import HUMAN
from gatekeeper.properties import judge_properties
from gatekeeper.render.escape import escape
from gatekeeper.source.gitfiles import GitTree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from gatekeeper.context import Context
    from gatekeeper.contracts.properties import Property
    from gatekeeper.judged import Fault
    from gatekeeper.source.surveying import State

_BROKEN = 1


@click.group()
def properties() -> None:
    """Read and edit the list of properties; nothing is imported or run, but by `audit --run`."""


@properties.command("list")
@click.argument("revision", default="HEAD")
@options
@form_option
def list_(revision: str, repo: Path, policy: Path | None, form: str) -> None:
    """Print each property of REVISION: id, nodeid, and what it is there."""
    with opened(repo, policy, revision) as (ctx, trees):
        tree = GitTree(ctx.objects, trees[0])
        contract = listed(ctx, tree)
        found = survey(ctx, tree, contract, [row.nodeid for row in contract.properties])
        states = [(row, found.states[row.nodeid][0]) for row in contract.properties]
    if form == "json":
        say(json.dumps({"version": 1, "properties": [_document(*one) for one in states]}, indent=2) + "\n", 1)
    else:
        say(
            "".join(
                f"{escape(row.id)}  {escape(row.nodeid)}  {escape(state_text(row, state))}\n" for row, state in states
            ),
            1,
        )


def _document(row: Property, state: State) -> dict[str, object]:
    keys = {key: value for key, value in fields(row).items() if key != "line"}
    return {**keys, "state": {**fields(state), "collected": state.collected}}


@properties.command()
@click.argument("revision", default="HEAD")
@options
@form_option
def check(revision: str, repo: Path, policy: Path | None, form: str) -> int:
    """Judge the list of REVISION against its own tree, as a person's push of it would be judged.

    Exit code: 0 when every property is collected and as it is pinned, 1 when one is not, 3 when it cannot be told.
    """
    with opened(repo, policy, revision, lane=HUMAN) as (ctx, trees):
        contract = listed(ctx, GitTree(ctx.objects, trees[0]))
        faults = [fault._replace(severity=_severity(ctx, fault)) for fault in judge_properties(ctx).faults]
    if form == "json":
        say(json.dumps({"version": 1, "findings": [_finding(fault) for fault in faults]}, indent=2) + "\n", 1)
    else:
        say("".join(_lines(faults)), 1)
        say(f"{len(contract.properties)} named, {len(faults)} {'finding' if len(faults) == 1 else 'findings'}\n", 1)
    return _BROKEN if any(fault.severity == "error" for fault in faults) else 0


def _severity(ctx: Context, fault: Fault) -> str:
    rule = next(rule for rule in DESCRIBED if rule.code == fault.code)
    return fault.severity or ctx.policy.severity(HUMAN, fault.code, rule.default(HUMAN))


def _finding(fault: Fault) -> dict[str, object]:
    return {**fields(fault), "path": None if fault.path is None else os.fsdecode(fault.path)}


def _lines(faults: Sequence[Fault]) -> Iterator[str]:
    for fault in faults:
        line = f":{fault.line}" if fault.line else ""
        place = "" if fault.path is None else f"{escape(fault.path)}{line}: "
        mark = "warning: " if fault.severity == "warn" else ""
        yield f"{place}{mark}{fault.code} {escape(fault.message)}\n"
        if fault.fix:
            yield f"    fix: {escape(fault.fix)}\n"


properties.add_command(add)
properties.add_command(pin)
properties.add_command(audit)
