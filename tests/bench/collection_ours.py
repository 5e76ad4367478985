"""One static collection in a process of its own: ``python -m tests.bench.collection_ours JOB ANSWER``.

Gives what was found, the CPU seconds that it took, and those of ``ast.parse`` on the sources that it read: both in this
process and with the collector of garbage off, so that their ratio says what is done on top of parsing.
"""

from __future__ import annotations

import ast
import gc
import importlib
import pickle
import sys
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gatekeeper.source.collection.items import Collected, Found, Invocation, Trouble
from tests.support.disk import DiskFiles

if TYPE_CHECKING:
    from tests.bench.collection_projects import Project


class Timed(NamedTuple):
    """A collection, the CPU seconds of it and of parsing alone, and how many sources were read."""

    collected: Collected
    seconds: float
    parsing: float
    sources: int


def invocation(project: Project) -> Invocation:
    """How the project's own pytest is run, as the contract would say it."""
    major, minor = project.pytest.split(".")[:2]
    return Invocation(
        args=project.args, pytest=(int(major), int(minor)), plugins=project.installed, installed=project.modules
    )


def collect(tree: Path, how: Invocation) -> Timed:
    """Collect a tree in this process."""
    sys.setrecursionlimit(10_000)
    gc.disable()
    session = importlib.import_module("gatekeeper.source.collection.session")
    files = DiskFiles(tree)
    start = time.process_time()
    collected: Collected = session.collect(files, how)
    seconds = time.process_time() - start
    read = [data for path, data in files.taken.items() if path.endswith(".py")]
    start = time.process_time()
    for data in read:
        parse(data)
    return Timed(collected, seconds, time.process_time() - start, len(read))


def parse(data: bytes) -> None:
    """Parse one source, whatever is in it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # what cannot be parsed took its time


def flat(timed: Timed) -> tuple[object, ...]:
    """As plain tuples, which can be pickled."""
    collected = timed.collected
    rows = (tuple(tuple(row) for row in rows) for rows in (collected.found, collected.errors, collected.opaque))
    return (*rows, (collected.rootdir, collected.config, collected.deselected), timed[1:])


def load(data: bytes) -> Timed:
    """What another process wrote."""
    found, errors, opaque, rest, figures = pickle.loads(data)
    failed, hidden = (tuple(Trouble(*row) for row in rows) for rows in (errors, opaque))
    return Timed(Collected(tuple(Found(*row) for row in found), failed, hidden, *rest), *figures)


def main() -> None:
    """Do the job that the first file holds, write what came of it into the second."""
    job, answer = map(Path, sys.argv[1:])
    tree, how = pickle.loads(job.read_bytes())
    answer.write_bytes(pickle.dumps(flat(collect(tree, Invocation(*how)))))


if __name__ == "__main__":
    main()
