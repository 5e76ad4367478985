"""``gatekeeper rules``: the table of all rules, from the rules themselves; the README's table is this output."""

from __future__ import annotations

import json

import click

from gatekeeper.checks import DESCRIBED
from gatekeeper.verdict import NO_VERDICT


@click.command()
@click.option(
    "--output-format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True
)
def rules(form: str) -> None:
    """List every rule with its title and its severity in each lane."""
    click.echo({"text": _text, "markdown": markdown, "json": _json}[form]())


def _rows() -> list[tuple[str, str, str, str, int]]:
    return [
        (rule.code, rule.title, rule.default("agent"), rule.default("human"), exit_of(rule.code)) for rule in DESCRIBED
    ]


def exit_of(code: str) -> int:
    """The exit code that an error of this rule asks for."""
    if code == "GK102":
        return 2
    return 3 if code in NO_VERDICT else 1


def _text() -> str:
    lines = [f"{'rule':<7}{'agent':<7}{'human':<7}{'exit':<6}title"]
    lines += [f"{code:<7}{agent:<7}{human:<7}{exit_code:<6}{title}" for code, title, agent, human, exit_code in _rows()]
    return "\n".join(lines)


def markdown() -> str:
    """The table as it stands in the README."""
    lines = ["| rule | finding | agent lane | human lane | exit |", "|---|---|---|---|---|"]
    lines += [
        f"| {code} | {title} | {agent} | {human} | {exit_code} |" for code, title, agent, human, exit_code in _rows()
    ]
    return "\n".join(lines)


def _json() -> str:
    keys = ("code", "title", "agent", "human", "exit")
    return json.dumps([dict(zip(keys, row, strict=True)) for row in _rows()], indent=2)
