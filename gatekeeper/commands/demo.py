"""``gatekeeper demo``: the gate at work on a throw-away repository, with real pushes."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gatekeeper.installing import report
from gatekeeper.installing.demo import AGENT, PERSON, Shown, Stage
from gatekeeper.installing.demo_project import ATTEMPTS, Attempt

if TYPE_CHECKING:
    from collections.abc import Sequence

PAUSE = 0.8
"""Seconds between two pushes on a terminal, to read along."""

STYLES = (
    (r"\bREFUSED\b|\brefused\b", "bold red"),
    (r"\bheld\b|\baccepted\b", "green"),
    (r"\bnot judged\b|\babsent\b", "dim"),
    (r"\bGK\d{3}\b", "bold yellow"),
    (r"^\s*mend:.*$", "cyan"),
)


@click.command()
@click.option("--keep", is_flag=True, help="Keep the repositories, and say where they are.")
@click.option("--fast", is_flag=True, help="No pauses between the pushes.")
@report.complaining("gatekeeper")
def demo(keep: bool, fast: bool) -> None:
    """Show the gate at work: one honest patch, several cheating ones, each a real git push.

    Exits with 0 when every verdict was the one that it must be, for the reason that it must have, else with 1.
    """
    console = Console(highlight=False, soft_wrap=True)
    root = Path(tempfile.mkdtemp(prefix="gatekeeper-demo-"))
    try:
        good = _run(console, root, 0.0 if fast or not console.is_terminal else PAUSE)
    finally:
        if not keep:
            shutil.rmtree(root)
    if keep:
        console.print(f"kept: {root}/project.git (with the gate) and {root}/clone")
    if not good:
        raise SystemExit(1)


def _run(console: Console, root: Path, pause: float) -> bool:
    stage = Stage(root)
    console.print(f"A bare repository with the gate in it; {PERSON} is a person, {AGENT} is not, and the suite is red.")
    console.print("Who pushes is what the transport says; over the local path of this demo, GATEKEEPER_ACTOR says it.")
    first = Attempt("a person imports the project", "main", lambda _: None)
    rows = [(PERSON, first, _show(console, PERSON, first, stage.push(PERSON, "main")))]
    for attempt in ATTEMPTS:
        time.sleep(pause)
        rows.append((AGENT, attempt, _show(console, AGENT, attempt, stage.play(attempt))))
    time.sleep(pause)
    console.print()
    console.print(_table(rows))
    wrong = [attempt.title for _, attempt, shown in rows if not shown.as_wanted(attempt)]
    for title in wrong:
        console.print(Text(f"NOT AS IT MUST BE: {title}", style="bold red"))
    if not wrong:
        console.print(f"{len(rows)} real pushes, every verdict as it must be.")
    return not wrong


def _show(console: Console, actor: str, attempt: Attempt, shown: Shown) -> Shown:
    console.print()
    console.print(Text(f"{actor} {attempt.title.removeprefix('a person ')}", style="bold"))
    console.print(Text(f"$ GATEKEEPER_ACTOR={actor} {shown.command}", style="dim"))
    for line in shown.lines:
        text = Text(f"  {line}")
        for pattern, style in STYLES:
            text.highlight_regex(pattern, style)
        console.print(text)
    console.print(
        Text("  -> accepted", style="bold green")
        if shown.accepted
        else Text("  -> refused by the server", style="bold red")
    )
    return shown


def _table(rows: Sequence[tuple[str, Attempt, Shown]]) -> Table:
    table = Table(box=box.SIMPLE, safe_box=True, pad_edge=False)
    for heading in ("who", "attempt", "verdict", "exit", "rules"):
        table.add_column(heading, overflow="fold")
    for actor, attempt, shown in rows:
        verdict = Text("accepted", style="green") if shown.accepted else Text("refused", style="red")
        code = "-" if shown.exit is None else str(shown.exit)
        table.add_row(actor, attempt.title, verdict, code, " ".join(shown.codes) or "-")
    return table
