"""The process that reads whole suites: limited before it reads its first byte, asking its parent for what it needs.

A task is a frame of JSON. ``collect`` is answered by everything that pytest would collect; ``properties`` by the state
of some nodeids in one or two trees, why it differs, and what all of that depends on.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from json import dumps, loads

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.bounded.limits import allow_cpu, confine
from gatekeeper.source.bounded.remote import END, FOUND, RemoteFiles, Wire
from gatekeeper.source.bounded.states import Side, audited, changed, interfering
from gatekeeper.source.collection.items import Invocation
from gatekeeper.source.collection.session import Session

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable
    from typing import Any

    from gatekeeper.source.collection.items import Found

    Task = dict[str, Any]

GREETING = b"gatekeeper reader 1\n"
_RECURSION = 4_000
_CHUNK = 4_000
"""Ids in one frame: a frame has less than four megabytes, and nobody has all of them in memory."""


def main() -> None:
    """Greet, then do tasks until the pipe closes."""
    source, answers = os.fdopen(0, "rb"), os.fdopen(1, "wb")
    answers.write(GREETING)
    answers.flush()
    wire = Wire(source, answers)
    confined = False
    while (data := wire.receive()) is not None:
        task = loads(data)
        if not confined:
            _prepare(task)
            confine(task["memory"], _RECURSION)
            confined = True
        allow_cpu(task["seconds"])
        _TASKS[task["task"]](wire, task)
        wire.send(END, b"")
    # a whole suite leaves millions of objects, which nobody needs to take apart
    sys.stdout.flush()
    os._exit(0)


def _prepare(task: Task) -> None:
    """Import what may be needed later: no file can be opened any more then."""
    nodeids = task.get("nodeids", ())
    if task["task"] == "collect" or any("." in one.rpartition("::")[2].partition("[")[0] for one in nodeids):
        import_module("doctest")


def _tell(wire: Wire, value: object) -> None:
    wire.send(FOUND, dumps(value, separators=(",", ":"), check_circular=False).encode("ascii"))


def _invocation(value: list[Any]) -> Invocation:
    cwd, args, pytest, python, platform, addopts, plugins, installed = value
    versions: tuple[Any, Any] = tuple(pytest), tuple(python)
    return Invocation(cwd, tuple(args), *versions, platform, addopts, tuple(plugins), tuple(installed))


def _collect(wire: Wire, task: Task) -> None:
    """Everything that pytest would collect, file by file; what was wrong comes with the file."""
    session = Session(RemoteFiles(wire, 0, {}), _invocation(task["invocation"]))
    for batch in session.batches():
        for found in batch.found:
            _tell_found(wire, found)
        if batch.errors or batch.opaque or batch.deselected:
            _tell(wire, {"errors": batch.errors, "opaque": batch.opaque, "deselected": batch.deselected})
    config = session.config
    refused = () if session.refused is None else (session.refused,)
    where = {} if config is None else {"rootdir": config.rootdir, "config": config.file}
    _tell(wire, {"errors": refused, "opaque": (), "deselected": 0, **where})


def _tell_found(wire: Wire, found: Found) -> None:
    """One function; its ids in several frames where there are many."""
    for start in range(0, max(len(found.ids), 1), _CHUNK):
        _tell(wire, found._replace(ids=found.ids[start : start + _CHUNK]))


def _properties(wire: Wire, task: Task) -> None:
    """The state of every nodeid in every tree; with two trees, why one that is in both differs between them."""
    blobs: dict[str, bytes] = {}
    parsed: dict[bytes, ast.Module] = {}
    sides = [
        Side(RemoteFiles(wire, place, blobs), _invocation(one), parsed) for place, one in enumerate(task["invocations"])
    ]
    for nodeid in task["nodeids"]:
        states = [side.state(nodeid) for side in sides]
        digests = [one.get("digest") for one in states]
        moved = len(set(digests)) > 1 and all(digests)
        _tell(
            wire,
            {
                "nodeid": nodeid,
                "states": states,
                "reasons": changed(sides[0], sides[-1], nodeid) if moved else [],
                "audit": audited(sides[-1], nodeid) if task["audit"] else [],
            },
        )
    for node in sides[-1].added(task["added"]):
        _tell(wire, {"added": node})
    for side in sides:
        _tell(wire, side.depends())


def _interference(wire: Wire, task: Task) -> None:
    """What changed sources of two trees do to properties that they do not belong to."""
    blobs: dict[str, bytes] = {}
    base, head = (RemoteFiles(wire, place, blobs) for place in range(2))
    for said in interfering(base, head, task["changed"]):
        _tell(wire, said)


_TASKS: dict[str, Callable[[Wire, Task], None]] = {
    "collect": _collect,
    "properties": _properties,
    "interference": _interference,
}
