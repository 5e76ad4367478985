"""``gatekeeper explain GKnnn``: the page of one rule, which is the docstring of the function that is the rule."""

from __future__ import annotations

import inspect

import click

from gatekeeper.checks import DESCRIBED
from gatekeeper.commands.rules import exit_of
from gatekeeper.errors import UsageError


@click.command()
@click.argument("code", metavar="GKnnn")
def explain(code: str) -> None:
    """Explain one rule: what it holds, why, and how to mend a push that breaks it."""
    found = next((rule for rule in DESCRIBED if rule.code == code.upper()), None)
    if found is None:
        raise UsageError(f"no rule {code!r}", fix="`gatekeeper rules` lists them all")
    click.echo(f"{found.code}  {found.title}")
    click.echo(
        f"agent lane: {found.default('agent')} · human lane: {found.default('human')} · exit {exit_of(found.code)}\n"
    )
    click.echo(inspect.cleandoc(found.page))
