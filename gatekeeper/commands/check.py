"""``gatekeeper check``: the gate in a CI job or at a desk, with the exit codes and keys of the seeds' scripts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gatekeeper.checks import CODES
from gatekeeper.entry.guard import say
from gatekeeper.entry.limits import arm
from gatekeeper.entry.revisions import FixedRef, commit_of, default_base, resolve
from gatekeeper.errors import PolicyError, UsageError
from gatekeeper.gate import Gate
from gatekeeper.git import open_store
from gatekeeper.model import AGENT, HUMAN, Actor, Push, RefUpdate
from gatekeeper.policy import defaults
from gatekeeper.policy.load import Layers, read_server_file
from gatekeeper.render.json_v1 import render_json
from gatekeeper.render.table import render_table
from gatekeeper.render.text import render_text

if TYPE_CHECKING:
    from gatekeeper.reports.model import Report

_TEXT_HEIGHT = 200


@click.command()
@click.argument("base", required=False)
@click.argument("head", default="HEAD")
@click.option(
    "--repo", type=click.Path(path_type=Path), default=".", help="A work tree or git directory.  [default: .]"
)
@click.option(
    "--lane", type=click.Choice(["agent", "human"]), default="agent", show_default=True, help="Judge in this lane."
)
@click.option("--policy", type=click.Path(path_type=Path), help="The server's policy file.  [default: built-in]")
@click.option("--merge-base", metavar="OID", help="Compare with this base instead of the one that the history gives.")
@click.option(
    "--run-report",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="What pytest wrote of a run at HEAD, in a job that the pushed code cannot reach: JUnit, reportlog, -v text.",
)
@click.option("--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Write there instead of standard output."
)
@click.option("--backend", type=click.Choice(["auto", "pygit2", "dulwich"]), default="auto", hidden=True)
def check(  # noqa: PLR0913, PLR0917 (one argument an option)
    base: str | None,
    head: str,
    repo: Path,
    lane: str,
    policy: Path | None,
    merge_base: str | None,
    run_report: Path | None,
    form: str,
    output: Path | None,
    backend: str,
) -> int:
    """Judge the commits that HEAD adds to BASE, the trusted ref.

    BASE is origin's default branch when it is not given. Contracts and the repository's policy are read from BASE,
    never from HEAD. Exit code: 0 held, 1 a budget is broken, 2 a contract file was edited, 3 no verdict.
    """
    layers = Layers(CODES)
    text = None if policy is None else read_server_file(os.fsencode(policy))
    if policy is not None and text is None:
        raise PolicyError(f"no policy file at {policy}", fix="name an existing file, or leave --policy out")
    server = layers.server(text, str(policy))._replace(mode="enforce")
    arm(server.deadline or defaults.DEADLINE)
    store = open_store(git_directory(repo), os.environ, backend)  # type: ignore[arg-type]
    try:
        base_ref, base_oid = resolve(store, base or default_base(store))
        _, head_oid = resolve(store, head)
        pinned = None if merge_base is None else commit_of(store, resolve(store, merge_base)[1])
        trusted = FixedRef(store, base_ref, base_oid)
        gate = Gate(
            store,
            refs=trusted,
            server=server,
            layers=layers,
            lane=lambda _policy, _actor, _ref: AGENT if lane == AGENT else HUMAN,
            merge_base=pinned,
            remote=trusted.remote,
            report=None if run_report is None else read_report(run_report),
        )
        card = gate.judge(Push((RefUpdate(b"", base_oid, head_oid),), Actor(None, "none")))
    finally:
        store.close()
    document = (
        render_json(card) if form == "json" else render_text(card, height=_TEXT_HEIGHT) + "\n" + render_table(card)
    )
    if output is None:
        say(document, 1)
    else:
        write_output(output, document)
    return card.judged


def read_report(path: Path) -> Report:
    """A report of a run; what is wrong with it is among its faults.

    Raises:
        UsageError: there is no such file.
    """
    from gatekeeper.reports.detect import read  # few checks have a report
    from gatekeeper.reports.model import MAX_BYTES

    try:
        with path.open("rb") as file:
            return read(file.read(MAX_BYTES + 1))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", fix="name the file that pytest wrote") from None


def write_output(output: Path, document: str) -> None:
    """Write the scorecard to a file.

    Raises:
        UsageError: it cannot be written; a CI job must not look judged when its artifact is missing.
    """
    try:
        output.write_text(document, encoding="ascii", errors="backslashreplace")
    except OSError as error:
        raise UsageError(
            f"cannot write {output}: {error.strerror}", fix="name a file in a directory that exists"
        ) from None


def git_directory(repo: Path) -> bytes:
    """The nearest work tree or git directory at or above ``repo``, as git itself looks for it.

    Raises:
        UsageError: there is none.
    """
    start = repo.resolve()
    for place in (start, *start.parents):
        if (place / ".git").exists() or ((place / "HEAD").exists() and (place / "objects").is_dir()):
            return os.fsencode(place)
    raise UsageError(f"no git repository at {repo}", fix="run it inside a clone, or give --repo DIR")
