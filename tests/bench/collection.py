"""Collection beside pytest: ``python -m tests.bench.collection [--only NAME ...] [--rounds N] [--peers] ...``.

Sets up from nothing the releases of :mod:`tests.bench.collection_projects` with an environment each (through pip, from
wherever pip is set up to look), has pytest collect each suite, collects it statically, and compares: functions, ids,
and CPU seconds as ratios. ``--rounds 0`` takes what pytest said before, where it is in the cache. ``--causes FILE``
writes every miss with its reason; ``--peers`` runs other static collectors on the same trees.
"""

from __future__ import annotations

import argparse
import os
import pickle
import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gatekeeper.source.collection.items import EXACT, NOT_STATIC
from tests.bench.collection_ours import Timed, invocation, load
from tests.bench.collection_projects import PROJECTS
from tests.bench.collection_score import Score, score, score_lines
from tests.bench.collection_setup import Real, Spent, peers, spend
from tests.bench.pushes import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.bench.collection_projects import Project


class Row(NamedTuple):
    """One project's line: the score, ratios of CPU seconds, and what was collected.

    ``faster`` is pytest to the collection in a process that runs already, as the server's worker does, ``process`` to a
    process of its own with all that its start costs; ``parse`` is the collection to ``ast.parse`` of what it reads.
    """

    project: Project
    score: Score
    faster: float
    process: float
    parse: float
    timed: Timed
    ours: float


def ours(project: Project, real: Real) -> tuple[Timed, Spent]:
    """Collect in a process of its own."""
    with tempfile.TemporaryDirectory() as place:
        job, answer = Path(place, "job"), Path(place, "answer")
        job.write_bytes(pickle.dumps((real.tree, tuple(invocation(project)))))
        environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
        spent = spend(
            [sys.executable, "-m", "tests.bench.collection_ours", str(job), str(answer)], CHECKOUT, environment
        )
        if spent.code:
            raise RuntimeError(f"{project.name}: {spent.said[-4000:]}")
        timed = load(answer.read_bytes())
    return timed, spent


def measure(project: Project, cache: Path, rounds: int) -> Row:
    """One project, pytest and ours in turn."""
    real = Real(project, cache)
    faster, process, parse = [], [], []
    for _ in range(max(rounds, 1)):
        theirs = real.run().cpu if rounds else real.kept().cpu
        timed, spent = ours(project, real)
        mine = spent.cpu - timed.parsing
        faster.append(theirs / timed.seconds)
        process.append(theirs / mine)
        parse.append(timed.seconds / timed.parsing)
    ratios = statistics.median(faster), statistics.median(process), statistics.median(parse)
    return Row(project, score(real.nodeids(), timed.collected.found), *ratios, timed, mine)


HEADER = (
    f"{'project':<24} {'ids':>7} {'funcs':>6} {'recall':>8} {'false':>5} {'cond':>5} {'exact':>7} {'wrong':>5} "
    f"{'short':>5} {'known':>7} {'order':>5} {'pytest/ours':>11} {'process':>7} {'ours/parse':>10}"
)


def line(row: Row) -> str:
    """One line of the table."""
    got = row.score
    known = got.known / got.functions if got.functions else 1.0
    said = Counter(item.verdict for item in row.timed.collected.found)
    opaque = "  not static" if said[NOT_STATIC] == said.total() else ""
    return (
        f"{row.project.name + ' ' + row.project.version:<24} {got.ids:>7} {got.functions:>6} {got.recall:>8.2%} "
        f"{len(got.false):>5} {len(got.conditional):>5} {got.exact:>7.1%} {len(got.wrong):>5} {len(got.short):>5} "
        f"{known:>7.1%} {'yes' if got.ordered else 'no':>5} {row.faster:>11.1f} {row.process:>7.1f} "
        f"{row.parse:>10.2f}{opaque}"
    )


def causes(row: Row, real: Sequence[tuple[str, str]], limit: int = 12) -> str:
    """Every miss of a project with its reason, the worst kinds first."""
    got, parts = row.score, [f"## {row.project.name} {row.project.version}"]
    lists = {
        "wrong ids": got.wrong,
        "ids not given": got.short,
        "missing functions": got.missing,
        "false functions": got.false,
    }
    for title, rows in lists.items():
        if rows:
            parts += [f"{title}: {len(rows)}", *(f"    {text}" for text in rows[:limit])]
    lost: Counter[str] = Counter()
    example: dict[str, str] = {}
    theirs = Counter(node for node, _ in real)
    for item in row.timed.collected.found:
        if item.verdict != EXACT and item.node in theirs:
            cause = f"{item.verdict}: {item.reason}"
            lost[cause] += theirs[item.node]
            example.setdefault(cause, item.node)
    parts += [f"unknown ids: {lost.total()}"] if lost else []
    parts += [f"    {count:>6} {cause}  ({example[cause]})" for cause, count in lost.most_common(limit * 3)]
    for title, troubles in (("errors", row.timed.collected.errors), ("opaque", row.timed.collected.opaque)):
        parts += (
            [f"{title}:", *(f"    {one.path}:{one.line}: {one.reason}" for one in troubles[:limit])] if troubles else []
        )
    return "\n".join(parts)


def summary(rows: Sequence[Row]) -> str:
    """The figures over all projects whose suites are static."""
    static = [row for row in rows if row.project.static]
    if not static:
        return ""
    ids, right = sum(row.score.ids for row in static), sum(row.score.right for row in static)
    functions, missing = sum(row.score.functions for row in static), sum(len(row.score.missing) for row in static)
    false, wrong = sum(len(row.score.false) for row in static), sum(len(row.score.wrong) for row in static)
    exact, faster, parse = zip(*((row.score.exact, row.faster, row.parse) for row in static), strict=True)
    return (
        f"{len(static)} projects: {ids} ids, {functions} functions; recall of functions {1 - missing / functions:.4%}, "
        f"false {false}, wrong ids {wrong}\n"
        f"recall of exact ids: median {statistics.median(exact):.1%}, pooled {right / ids:.1%}\n"
        f"pytest / ours: median {statistics.median(faster):.1f}, least {min(faster):.1f}; "
        f"ours / ast.parse: median {statistics.median(parse):.2f}, most {max(parse):.2f}"
    )


def beside(row: Row, real: Real, place: Path) -> str:
    """What other collectors make of the same tree, and how long they take beside ours."""
    paths = [word for word in row.project.args if not word.startswith("-")]
    commands = {"cito": ("cito", "collect", *paths), "rtest": ("rtest", "--collect-only", *paths)}
    parts = []
    for name, (program, *words) in commands.items():
        spent = spend([str(place / program), *words], real.tree, dict(os.environ))
        lines = (text.removeprefix("rtest-cannot-expand: ").strip() for text in spent.said.splitlines())
        recall, exact, wrong = score_lines(real.nodeids(), lines)
        parts.append(
            f"{name} recall {recall:.1%} exact {exact:.1%} wrong {wrong} ours/{name} {row.ours / spent.cpu:.1f}"
        )
    return "; ".join(parts)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", nargs="+", default=[project.name for project in PROJECTS])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "gatekeeper-collection")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--causes", type=Path)
    chosen = parser.parse_args()
    place = peers(chosen.cache) if chosen.peers else None
    print(HEADER)
    rows, told = [], []
    for project in PROJECTS:
        if project.name in chosen.only:
            row = measure(project, chosen.cache, chosen.rounds)
            print(line(row), flush=True)
            rows.append(row)
            if place:
                print(f"    {beside(row, Real(project, chosen.cache), place)}", flush=True)
            if chosen.causes:
                told.append(causes(row, Real(project, chosen.cache).nodeids()))
    print(summary(rows))
    if chosen.causes:
        chosen.causes.write_text("\n\n".join(told) + "\n")


if __name__ == "__main__":
    main()
