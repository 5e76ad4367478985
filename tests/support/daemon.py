"""Foreign server programs under test control: find them, start them on a free port, stop them for certain."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

SBIN = ("/usr/sbin", "/sbin", "/usr/local/sbin")

ATTEMPTS = 5
"""Ports to try before giving up."""

PATIENCE = 30.0
"""Seconds after which a server that does not answer has failed to start."""


def require(*programs: str) -> list[str]:
    """Paths of ``programs``. Without one the test is skipped and says so; under CI it fails."""
    where = os.pathsep.join([os.environ["PATH"], *SBIN, _git_exec_path()])
    found = {program: shutil.which(program, path=where) for program in programs}
    if missing := [program for program, path in found.items() if path is None]:
        reason = f"not installed: {', '.join(missing)} (Debian: apt-get install openssh-server nginx fcgiwrap git)"
        if os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    return [path for path in found.values() if path is not None]


def _git_exec_path() -> str:
    return subprocess.run(["git", "--exec-path"], check=True, capture_output=True, text=True).stdout.strip()


class PortTaken(Exception):
    """The server ended at once, most likely since another process took the port between our look and its start."""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(command: Sequence[str], env: Mapping[str, str], log: Path, ready: Callable[[], bool]) -> Iterator[None]:
    """Run a server in the foreground until the block ends; it must get ``ready`` first.

    Raises:
        PortTaken: it ended before it was ready.
    """
    with log.open("ab") as sink:
        # A session of its own, since a signal to fcgiwrap alone leaves the workers that it forked behind.
        server = subprocess.Popen(
            command, env=env, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, start_new_session=True
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while not ready():
            if server.poll() is not None:
                raise PortTaken(f"{command[0]} ended with {server.returncode}\n{log.read_text(errors='replace')}")
            if time.monotonic() > deadline:
                raise AssertionError(f"{command[0]} does not answer\n{log.read_text(errors='replace')}")
            time.sleep(0.01)
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()


@contextlib.contextmanager
def on_a_free_port(start: Callable[[int], contextlib.AbstractContextManager[None]]) -> Iterator[int]:
    """Start a server on one free port after the other until one is still free when the server binds it."""
    with contextlib.ExitStack() as stack:
        for attempt in range(1, ATTEMPTS + 1):
            port = _free_port()
            try:
                stack.enter_context(start(port))
                break
            except PortTaken as error:
                if attempt == ATTEMPTS:
                    raise AssertionError(str(error)) from error
        yield port
