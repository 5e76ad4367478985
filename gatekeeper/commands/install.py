"""``gatekeeper install`` and ``gatekeeper uninstall``: the gate into bare repositories, the advice hook into clones."""

from __future__ import annotations

import os
import shlex
import sys
from functools import partial
from pathlib import Path

import click

from gatekeeper.entry.post_receive import read_ahead
from gatekeeper.errors import GatekeeperError, RepositoryError, UsageError
from gatekeeper.installing import apply, canary, policytext, report, target
from gatekeeper.render.escape import escape

DIRECTORY = click.Path(path_type=Path)


@click.command()
@click.argument("repositories", metavar="REPO...", nargs=-1, required=True, type=DIRECTORY)
@click.option(
    "--identity",
    type=click.Choice(policytext.SOURCES),
    help="How pushers are told apart: a forced command, or the web server's login.",
)
@click.option("--humans", metavar="A,B", help="Who may write the trusted branch and the contracts.")
@click.option("--observe", is_flag=True, help="Judge and print everything, refuse nothing.")
@click.option("--clone", is_flag=True, help="REPO is a developer's clone: install the pre-push advice there.")
@click.option(
    "--policy",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="With --clone: the server's published policy.",
)
@click.option(
    "--shown-as", metavar="PATH", hidden=True, help="What to call this program in the advice that is printed."
)
@report.complaining("gatekeeper")
def install(
    repositories: tuple[Path, ...],
    identity: str | None,
    humans: str | None,
    observe: bool,
    clone: bool,
    policy: Path | None,
    shown_as: str | None,
) -> None:
    """Install the gate into bare repositories: judge every push from now on.

    An executable hook that is there already is kept and runs after a verdict that lets the push pass. Without
    --identity and --humans the gate only observes, since nobody could write the trusted branch. Safe to run again:
    that upgrades.
    """
    choice = policytext.Choice(identity or "", policytext.parse_humans(humans) if humans else (), observe)
    if clone and choice.given:
        raise UsageError("--identity, --humans and --observe are the server's; a clone takes --policy FILE only")
    if policy and not clone:
        raise UsageError(
            "--policy goes with --clone; a server's policy is written by --identity and --humans, then edited"
        )
    program = shlex.quote(shown_as or str(Path(sys.argv[0]).absolute()))
    look = target.clone if clone else target.bare
    # Every repository is looked at before the first is touched.
    for place in [look(path) for path in repositories]:
        text = _policy(place, choice, policy)
        prove = None if clone else partial(_prove, place)
        done = apply.install(place, text, replace_policy=choice.given or policy is not None, prove=prove)
        cache = "" if clone else _read_ahead(place)
        for line in report.installed(done, choice, program, cache):
            click.echo(line)


def _policy(place: target.Place, choice: policytext.Choice, published: Path | None) -> bytes | None:
    if place.policy.exists() and published is None:
        # A hook that cannot read its policy refuses everything: say so now, while somebody is looking.
        policytext.must_parse(_read(place.policy), str(place.policy))
    if place.hook == "pre-receive":
        text = policytext.text(choice, str(place.git_dir))
    elif published is not None:
        text = _read(published)
    else:
        return None
    policytext.must_parse(text, str(published or place.policy))
    return text


def _prove(place: target.Place, hook: Path) -> str:
    return canary.prove(place, hook, policytext.must_parse(_read(place.policy), str(place.policy)))


def _read_ahead(place: target.Place) -> str:
    """Have the cache hold what the trusted branch says; a cold one costs pushes time, and changes no verdict."""
    try:
        names = read_ahead(os.fsencode(place.git_dir), {})
    except (GatekeeperError, OSError) as error:
        return f"cold: {error}"
    return f"warm: {escape(b', '.join(names))} read ahead" if names else "cold: no trusted branch yet"


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RepositoryError(f"the policy {path} cannot be read: {error.strerror}") from error


@click.command()
@click.argument("repositories", metavar="REPO...", nargs=-1, required=True, type=DIRECTORY)
@click.option("--clone", is_flag=True, help="REPO is a developer's clone.")
@report.complaining("gatekeeper")
def uninstall(repositories: tuple[Path, ...], clone: bool) -> None:
    """Undo what install did: the hook that was there before is put back, an edited policy is left."""
    look = target.clone if clone else target.bare
    for place in [look(path, leaving=True) for path in repositories]:
        for line in report.uninstalled(apply.uninstall(place)):
            click.echo(line)
