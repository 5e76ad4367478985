"""``gatekeeper select``: the properties that a change can affect, and the public symbols that none of them guards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gatekeeper.affected import Question
from gatekeeper.affected import select as choose
from gatekeeper.commands._opened import opened
from gatekeeper.contracts.properties import read_properties
from gatekeeper.entry.guard import say
from gatekeeper.errors import UsageError
from gatekeeper.git.diff import diff_trees
from gatekeeper.listing import roots
from gatekeeper.source.bounded.reader import SourceReader
from gatekeeper.source.gitfiles import GitTree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.affected import Moved, Selection
    from gatekeeper.context import Context
    from gatekeeper.contracts.properties import Property
    from gatekeeper.model import Oid

_PATIENCE = 600.0
"""Seconds for reading two trees, where no push waits for it."""


@click.command()
@click.argument("base", required=False)
@click.argument("head", default="HEAD")
@click.option(
    "--output-format", "--format", "form", type=click.Choice(["text", "json", "nodeids"]), default="text",
    show_default=True, help="`nodeids` prints the nodeids alone, for pytest.",
)  # fmt: skip
@click.option("--policy", type=click.Path(path_type=Path), help="The server's policy file.  [default: built-in]")
@click.option("--repo", type=click.Path(path_type=Path), default=".", help="A work tree or git directory.")
def select(base: str | None, head: str, repo: Path, policy: Path | None, form: str) -> None:
    """Print the named properties that the change from the merge base of BASE and HEAD to HEAD can affect.

    A property is selected when it guards a changed symbol, or when something that it runs may use one: names are
    followed through imports, attributes by word. Changed public symbols that no property reaches are listed after them.
    """
    with opened(repo, policy, base, head) as (ctx, trees):
        rows = named(ctx, trees)
        with SourceReader(seconds=_PATIENCE) as reader:
            found = choose(question(ctx, trees, rows), reader)
    if form == "json":
        click.echo(json.dumps(_document(found, len(rows)), indent=2))
    elif form == "nodeids":
        say("".join(f"{one.nodeid}\n" for one in found.selected), 1)
    else:
        say("".join(f"{line}\n" for line in _text(found, len(rows))), 1)


def question(ctx: Context, trees: list[Oid], rows: tuple[Property, ...]) -> Question:
    """What is asked of two trees: everything that differs, by the roots and zones of a context."""
    before, after = trees
    changes = list(diff_trees(ctx.objects, before, after))
    sides = GitTree(ctx.objects, before), GitTree(ctx.objects, after)
    return Question(*sides, changes, rows, roots(ctx), ctx.zones.is_source)


def named(ctx: Context, trees: list[Oid]) -> tuple[Property, ...]:
    """The named properties of the head, or of the base where the head has none."""
    path = ctx.policy.locations["properties"]
    for tree in reversed(trees):
        entry = ctx.objects.find(tree, path)
        if entry is not None:
            found = read_properties(ctx.objects.blob(entry.oid))
            if found.faults:
                fault = found.faults[0]
                raise UsageError(f"{path.decode()}: line {fault.line}: {fault.problem}", fix=fault.fix)
            return found.properties
    raise UsageError(f"neither revision has a {path.decode()}", fix="gatekeeper properties add ID NODEID")


def _text(found: Selection, named: int) -> Iterator[str]:
    yield f"{len(found.selected)} of {named} properties can be affected by {len(found.changed)} changed symbols"
    for one in found.selected:
        yield f"{one.nodeid}"
        yield from (f"    {hit.symbol} ({hit.how})" for hit in one.by)
    if found.unguarded:
        yield f"{len(found.unguarded)} changed public symbols are reached by no property"
        yield from (f"    {one.path}:{one.line}: {one.symbol}" for one in found.unguarded)
    if found.others:
        yield f"{len(found.others)} other files changed, of which nothing is said"
        yield from (f"    {path}" for path in found.others)


def _document(found: Selection, named: int) -> dict[str, object]:
    return {
        "version": 1,
        "properties": named,
        "selected": [
            {"id": one.id, "nodeid": one.nodeid, "by": [{"symbol": hit.symbol, "how": hit.how} for hit in one.by]}
            for one in found.selected
        ],
        "changed": [_moved(one) for one in found.changed],
        "unguarded": [_moved(one) for one in found.unguarded],
        "others": list(found.others),
    }


def _moved(one: Moved) -> dict[str, object]:
    return dict(zip(one._fields, one, strict=True))
