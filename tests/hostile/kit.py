"""What hostile tests share: the installed hook as git starts it, measured, and objects far larger than their bytes."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zlib
from typing import TYPE_CHECKING, NamedTuple

from tests.attacks import wire
from tests.support.git import Git, hermetic_env
from tests.support.objects import TREE, Node

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from tests.support.lab import Lab

ZERO = "0" * 40
MIB, GIB = 1 << 20, 1 << 30
PATIENCE = 100
"""Seconds after which a test calls a hook hung: three times the default deadline."""

_LAUNCH = """
import os, resource, sys
child = os.fork()
if not child:
    os.execvp(sys.argv[2], sys.argv[2:])
status = os.waitpid(child, 0)[1]
with open(sys.argv[1], "w") as report:
    report.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
code = os.waitstatus_to_exitcode(status)
os._exit(code if code >= 0 else 128 - code)
"""

WATCH = """
import os, sys, time
peaks, most = {}, 0
def family(pid):
    yield pid
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            inner = file.read().split()
    except OSError:
        return
    for each in inner:
        yield from family(int(each))
def peak(pid):
    try:
        with open(f"/proc/{pid}/status") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0
child = os.fork()
if not child:
    os.execvp(sys.argv[2], sys.argv[2:])
while True:
    ended, status = os.waitpid(child, os.WNOHANG)
    if ended:
        break
    live = list(family(child))
    for pid in live:
        peaks[pid] = max(peaks.get(pid, 0), peak(pid))
    most = max(most, sum(peaks[pid] for pid in live))
    time.sleep(0.003)
with open(sys.argv[1], "w") as report:
    report.write(str(most))
code = os.waitstatus_to_exitcode(status)
os._exit(code if code >= 0 else 128 - code)
"""
"""Reports the most that the peaks of all processes that live at one time add up to: no less than they have."""


class Ended(NamedTuple):
    """How a hook process ended: its exit code, what it printed, and the peak of its memory in MiB."""

    code: int
    said: str
    peak: int


def update(new: str | None, ref: str = "refs/heads/agent/x", old: str | None = None) -> bytes:
    """One line of what pre-receive is fed."""
    zero = "0" * len(new or old or ZERO)
    return f"{old or zero} {new or zero} {ref}\n".encode()


def reach(lab: Lab) -> None:
    """Bring the clone's objects into the server's reach, as if they had been pushed and not yet judged."""
    (lab.bare / "objects/info").mkdir(exist_ok=True)
    (lab.bare / "objects/info/alternates").write_text(f"{lab.work}/.git/objects\n")


def run_hook(
    lab: Lab,
    stdin: bytes,
    *arguments: str,
    hook: str = "pre-receive",
    actor: str | None = "bot",
    env: Mapping[str, str] | None = None,
    limits: str = "",
    within: Sequence[str] = (),
) -> Ended:
    """Run the installed hook as git does.

    ``limits`` is shell code that runs before it, such as ``ulimit -f 0``; ``within`` is a command that runs the hook.
    """
    reach(lab)
    report = lab.home / "peak"
    command = [f"hooks/{hook}", *arguments]
    if limits:
        command = ["/bin/sh", "-c", f'{limits}\nexec "$@"', "sh", *command]
    command = [*within, *command]
    by = {"GIT_DIR": ".", **({"GATEKEEPER_ACTOR": actor} if actor is not None else {}), **(env or {})}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _LAUNCH, str(report), *command],
        cwd=lab.bare,
        input=stdin,
        env={**hermetic_env(lab.home), **by},
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    return Ended(done.returncode, done.stderr.decode("ascii"), int(report.read_text()) // 1024)


def measured(lab: Lab, *, together: bool = False) -> Path:
    """Put a measuring process between git and the hook; the file that will hold the peak in KiB.

    That of the largest process, or ``together`` of all that live at one time.
    """
    hook, report = lab.bare / "hooks/pre-receive", lab.home / "peak"
    hook.rename(hook.with_name("gate"))
    launch = lab.home / "launch.py"
    launch.write_text(WATCH if together else _LAUNCH)
    hook.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{launch}" "{report}" hooks/gate\n')
    hook.chmod(0o755)
    return report


def rooted(lab: Lab, name: bytes, node: Node) -> str:
    """A commit on the first one whose root has ``node`` at ``name``, which may be malformed; its oid."""
    rows = {}
    for line in lab.server.raw("ls-tree", "-z", str(lab.base)).split(b"\0")[:-1]:
        head, _, path = line.partition(b"\t")
        mode, _, oid = head.split(b" ")
        rows[path] = Node(int(mode, 8), oid.decode())
    rows[name] = node
    order = sorted(rows.items(), key=lambda row: row[0] + b"/" * (row[1].mode == TREE))
    return lab.commit({}, tree=lab.objects.raw_tree((each.mode, path, each.oid) for path, each in order))


def zeros(head: bytes, size: int) -> bytes:
    """The zlib stream of ``head`` and ``size`` zeros (a multiple of 1 MiB), a thousandth of their size.

    After a full flush the stream of a megabyte of zeros is the same each time: it is made once.
    """
    stream = zlib.compressobj(9)
    start = stream.compress(head) + stream.flush(zlib.Z_FULL_FLUSH)
    once = stream.compress(bytes(MIB)) + stream.flush(zlib.Z_FULL_FLUSH)
    sums = zlib.adler32(head)
    low, high = sums & 0xFFFF, (sums >> 16) + (sums & 0xFFFF) * size
    return start + once * (size // MIB) + b"\x03\x00" + (high % 65521 << 16 | low).to_bytes(4, "big")


def huge(lab: Lab, kind: str, size: int = GIB, *, honest: bool = True) -> str:
    """Store a loose object of ``size`` zeros in the clone; its oid.

    One that is not ``honest`` has the name and the header of something that its bytes are not.
    """
    head = b"%s %d\0" % (kind.encode(), size)
    name = hashlib.sha1(head, usedforsecurity=False)
    for _ in range(size // MIB if honest else 0):
        name.update(bytes(MIB))
    oid = name.hexdigest()
    path = lab.objects.objects / oid[:2] / oid[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zeros(head, size if honest else MIB))
    return oid


class Forge:
    """Objects made in memory and put into a repository as one pack: a file each would take longer than judging them."""

    def __init__(self) -> None:
        self.objects: dict[str, tuple[str, bytes]] = {}

    def raw(self, kind: str, data: bytes) -> str:
        """Keep an object; its oid."""
        oid = hashlib.sha1(b"%s %d\0%s" % (kind.encode(), len(data), data), usedforsecurity=False).hexdigest()
        self.objects[oid] = (kind, data)
        return oid

    def tree(self, rows: Iterable[tuple[int, bytes, str]]) -> str:
        """Keep a tree of (mode, name, oid) in the given order; its oid."""
        return self.raw("tree", b"".join(b"%o %s\0%s" % (mode, name, bytes.fromhex(oid)) for mode, name, oid in rows))

    def place(self, lab: Lab) -> None:
        """Put everything into the clone."""
        Git(lab.work, lab.home).out("index-pack", "--stdin", input=wire.pack(self.objects.values()))
