"""What the hooks of a server share: open the repository, read the policy, judge, print, hand on to a chained hook."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # see gatekeeper.entry.limits
import errno
import gc
import os

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.checks import CODES
from gatekeeper.entry.guard import say
from gatekeeper.entry.limits import arm, disarm
from gatekeeper.errors import UsageError
from gatekeeper.gate import Gate, ServerRefs
from gatekeeper.git import open_store
from gatekeeper.hosts import identify
from gatekeeper.model import Push
from gatekeeper.policy.load import SERVER_FILE, Layers, read_server_file
from gatekeeper.render.escape import escape
from gatekeeper.render.text import render_text, wrap
from gatekeeper.verdict import EXIT_BROKEN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gatekeeper.model import RefUpdate

    Parse = Callable[[int], tuple[RefUpdate, ...]]

_CODES = 32
"""The shim hands on exit codes below this one."""


def judge(parse: Parse, env: Mapping[str, str]) -> int:
    """Judge the updates that ``parse`` yields for an oid size, print the scorecard, return the exit code.

    The caller has armed the default deadline; the policy's own replaces it once it is known.
    """
    gc.disable()  # the process ends before a collection would pay
    git_dir = os.fsencode(env.get("GIT_DIR", "."))
    path = os.path.join(git_dir, SERVER_FILE)
    layers = Layers(CODES, cache=os.path.join(git_dir, b"gatekeeper", b"cache"))
    server = layers.server(read_server_file(path), os.fsdecode(path))
    if server.deadline is not None:
        arm(server.deadline)
    actor = identify(server.identity or "none", env)
    store = open_store(git_dir, env)
    try:
        gate = Gate(store, refs=ServerRefs(store), server=server, layers=layers, surfaces=surfaces(git_dir))
        card = gate.judge(Push(parse(store.oid_size), actor))
    finally:
        store.close()
    say(render_text(card))
    return card.exit


def surfaces(git_dir: bytes) -> bytes:
    """The directory in which the surfaces of this repository are kept."""
    return os.path.join(git_dir, b"gatekeeper", b"cache", b"surface")


def chain(hook: str, arguments: Sequence[str], stdin: bytes | None) -> int:
    """Run the hook that was there before the gate, with the same input, and give its exit code; 0 when there is none.

    Only called after a passing verdict: the chained hook can refuse a push, never save one. A file that is not
    executable is no hook, as for git itself. This process waits for it, so that the shim hears the gate's verdict from
    nobody else.

    Raises:
        UsageError: it cannot be run.
    """
    path = hook + ".chained"
    if not os.access(path, os.X_OK) or os.path.isdir(path):
        return 0
    disarm()
    if stdin is not None:
        _feed(stdin)
    try:
        process = _start((path, *arguments))
    except OSError as error:
        raise UsageError(
            f"the chained hook {path} cannot be run: {error.strerror}",
            fix="repair it, or remove it if it is not wanted",
        ) from None
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if code:
        say("".join(f"{line}\n" for line in wrap(f"gatekeeper: held, but {escape(path)} ended with code {code}")))
    return code if 0 <= code < _CODES else EXIT_BROKEN


def _start(command: tuple[str, ...]) -> int:
    """Start a hook as git does: one without a ``#!`` line is a shell script."""
    signals = (_signal.SIGPIPE, _signal.SIGXFSZ)  # Python ignores them, a script relies on them
    try:
        return os.posix_spawn(command[0], command, os.environ, setsigdef=signals)
    except OSError as error:
        if error.errno != errno.ENOEXEC:
            raise
        return os.posix_spawn("/bin/sh", ("/bin/sh", *command), os.environ, setsigdef=signals)


def _feed(data: bytes) -> None:
    """Make ``data`` the standard input of what this process starts; an unnamed file, so that any size fits."""
    descriptor = os.memfd_create("stdin") if hasattr(os, "memfd_create") else _unnamed_file()
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.dup2(descriptor, 0)


def _unnamed_file() -> int:
    from tempfile import mkstemp

    descriptor, path = mkstemp()
    os.unlink(path)
    return descriptor
