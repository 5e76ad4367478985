"""``gatekeeper properties audit``: which properties prove less than they seem to, by reading and by breaking things."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import click

from gatekeeper.auditing.judge import PROVES, Judged, judge
from gatekeeper.auditing.symbols import Sources
from gatekeeper.auditing.trial import Trial, copy, refuse_in_a_hook
from gatekeeper.commands._opened import opened
from gatekeeper.commands._suite import (
    chosen,
    fields,
    form_option,
    listed,
    options,
    proves_little,
    reasons_text,
    survey,
)
from gatekeeper.entry.guard import STDERR, say
from gatekeeper.listing import roots as import_roots
from gatekeeper.render.escape import escape
from gatekeeper.source.gitfiles import GitTree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gatekeeper.context import Context
    from gatekeeper.contracts.properties import Property
    from gatekeeper.source.collection.items import Invocation
    from gatekeeper.source.surveying import Reason, Surveyed

_FOUND = 1
_SHOWN = 3


class _Running(NamedTuple):
    """How the properties are run."""

    python: str
    seconds: float
    mutants: int


@click.command()
@click.argument("revision", default="HEAD")
@click.option("--id", "ids", multiple=True, metavar="ID", help="Only this property.")
@click.option("--run", is_flag=True, help="EXECUTE the project's code: break what a property guards, and run it.")
@click.option("--python", default=sys.executable, metavar="PATH", help="The suite's interpreter.  [default: this one]")
@click.option("--timeout", default=60.0, show_default=True, metavar="SECONDS", help="For one run of one property.")
@click.option("--mutants", default=8, show_default=True, type=click.IntRange(1, 100), help="Of one guarded symbol.")
@options
@form_option
def audit(  # noqa: PLR0913, PLR0917 (one argument an option)
    revision: str,
    ids: tuple[str, ...],
    run: bool,
    python: str,
    timeout: float,
    mutants: int,
    repo: Path,
    policy: Path | None,
    form: str,
) -> int:
    """Print what makes properties of REVISION prove less than they seem to.

    With --run each property is also run in a copy of the revision, as it is and with what it guards broken, one thing
    at a time: its `guards`, or what its module imports from the product. One that passes whatever is broken is vacuous.
    That executes the project's code: use it where the suite itself is run, never in a hook.

    Exit code: 0 when nothing was found, 1 when something was.
    """
    if run:
        refuse_in_a_hook(os.environ)
    with opened(repo, policy, revision) as (ctx, trees):
        tree = GitTree(ctx.objects, trees[0])
        contract = listed(ctx, tree)
        rows = chosen(contract, ids)
        found = survey(ctx, tree, contract, [row.nodeid for row in rows], audit=True)
        reasons = [(row, reason) for row in rows for reason in proves_little(row, found)]
        there = [row for row in rows if found.states[row.nodeid][0].collected]
        how = _Running(os.path.abspath(python) if os.sep in python else python, timeout, mutants)
        judged = list(_run(ctx, tree, contract.invocation, there, found, how)) if run else []
    (_print_json if form == "json" else _print_text)(rows, reasons, judged, run=run)
    return _FOUND if reasons or any(one.verdict != PROVES for _, one in judged) else 0


def _run(
    ctx: Context, tree: GitTree, invocation: Invocation, rows: Sequence[Property], found: Surveyed, how: _Running
) -> Iterator[tuple[Property, Judged]]:
    """Judge properties one after the other, in one copy."""
    roots = tuple(dict.fromkeys((*found.roots[0], *import_roots(ctx))))

    def read(path: str) -> bytes | None:
        return tree.read(os.fsencode(path))

    def product(path: str) -> bytes | None:
        return read(path) if ctx.zones.zone(os.fsencode(path)) is None else None

    with TemporaryDirectory(prefix="gatekeeper-audit-") as scratch:
        top = Path(scratch, "copy")
        top.mkdir()
        copy(tree, top)
        say(f"running {len(rows)} of the project's tests with {escape(how.python)} in {scratch}\n", STDERR)
        trial = Trial(top, how.python, invocation, roots, how.seconds)
        for row in rows:
            yield row, judge(row, Sources(product, read, roots), trial.run, top, how.mutants)


def _print_json(
    rows: Sequence[Property],
    reasons: Sequence[tuple[Property, Reason]],
    judged: Sequence[tuple[Property, Judged]],
    *,
    run: bool,
) -> None:
    document: dict[str, object] = {
        "version": 1,
        "audited": [row.id for row in rows],
        "findings": [{"id": row.id, "nodeid": row.nodeid, **fields(reason)} for row, reason in reasons],
    }
    if run:
        document["runs"] = [{"id": row.id, "nodeid": row.nodeid, **fields(one)} for row, one in judged]
    say(json.dumps(document, indent=2) + "\n", 1)


def _print_text(
    rows: Sequence[Property],
    reasons: Sequence[tuple[Property, Reason]],
    judged: Sequence[tuple[Property, Judged]],
    *,
    run: bool,
) -> None:
    say("".join(line for row, reason in reasons for line in reasons_text(row, [reason])), 1)
    for row, one in judged:
        say(f"{escape(row.id)}: {one.verdict}: {escape(one.why)}\n", 1)
        more = len(one.survivors) - _SHOWN
        shown = [f"  not noticed: {escape(each)}\n" for each in one.survivors[:_SHOWN]]
        say("".join(shown) + (f"  and {more} more\n" if more > 0 else ""), 1)
    weak = {row.id for row, _ in reasons} | {row.id for row, one in judged if one.verdict != PROVES}
    how = "audited and run" if run else "audited"
    say(f"{len(rows)} {how}, {len(weak)} of them prove little\n", 1)
