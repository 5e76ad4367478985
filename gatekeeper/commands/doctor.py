"""``gatekeeper doctor``: proves that the gate of a repository fires."""

from __future__ import annotations

from pathlib import Path

import click

from gatekeeper.installing import health, report


@click.command()
@click.argument("repositories", metavar="REPO...", nargs=-1, required=True, type=click.Path(path_type=Path))
@report.complaining("gatekeeper")
def doctor(repositories: tuple[Path, ...]) -> None:
    """Prove that the gate of bare repositories fires, down to a real push that must be refused.

    Exits with 0 when it does (warnings included), with 1 when something is wrong.
    """
    wrong = 0
    for repository in repositories:
        click.echo(str(repository))
        for check in health.examine(repository):
            wrong += check.status == "FAIL"
            mend = f"; mend: {check.fix}" if check.fix else ""
            click.echo(f"  {check.status:<4}  {check.name:<11}  {check.message}{mend}")
    click.echo(f"{wrong} wrong" if wrong else "the gate stands")
    if wrong:
        raise SystemExit(1)
