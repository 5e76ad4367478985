"""One worker process and its two pipes: requests go in, bounded answers come out, in the order of the requests.

Requests are written ahead of their answers, so that the worker reads the next source while this process takes in what
it said of the last one.
"""

from __future__ import annotations

import os
import select
from _signal import SIGKILL, SIGXCPU  # type: ignore[import-not-found]  # `signal` wraps every constant in an enum
from time import monotonic

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import GatekeeperError

if TYPE_CHECKING:
    from collections.abc import Mapping

_START = "import sys; sys.path.insert(0, sys.argv[1]); from gatekeeper.source.bounded.%s import main; main()"
_GREETING = b"gatekeeper reader 1"
READER, SURVEYOR = "worker", "surveyor"
"""The two workers: one reads single sources, the other whole suites."""
_MAX_ANSWER = 4 << 20
"""Bytes of one source's facts; the largest known of an honest one are 2 MB, of a generated file."""
_CHUNK = 1 << 16


class Died(Exception):
    """The worker ended, or was ended, before it had answered; ``reason`` is the word for how."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Process:
    """A running worker, of the module that is named; ``answered`` is how many requests it has answered.

    Raises:
        GatekeeperError: when it cannot be started.
    """

    def __init__(self, executable: str, environment: Mapping[str, str], worker: str = READER) -> None:
        self.answered = 0
        self._incoming = bytearray()
        self._outgoing = bytearray()
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        self._in, self._out = ours_in, ours_out
        site = os.path.abspath(__file__)
        for _ in range(4):  # the directory that holds the package
            site = os.path.dirname(site)
        actions = [
            (os.POSIX_SPAWN_DUP2, theirs_in, 0),
            (os.POSIX_SPAWN_DUP2, theirs_out, 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        try:
            command = [executable, "-I", "-S", "-c", _START % worker, site]
            self._pid = os.posix_spawn(executable, command, environment, file_actions=actions)
        except OSError as error:
            os.close(ours_in)
            os.close(ours_out)
            raise GatekeeperError(f"cannot start the process that reads sources: {error}") from error
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        os.set_blocking(self._out, False)
        self._poll = select.poll()
        self._poll.register(self._in, select.POLLIN)
        self._greeted = False

    def greet(self, limit: float) -> None:
        """Wait until it runs: it starts while this process does something else.

        Raises:
            GatekeeperError: when it says nothing before the clock shows ``limit``.
        """
        if self._greeted:
            return
        try:
            self._greeted = self._line(limit) == _GREETING
        except Died:
            self._greeted = False
        if not self._greeted:
            self.end()
            raise GatekeeperError("the process that reads sources did not start")

    def post(self, request: bytes) -> None:
        """Have a request sent: as far as the pipe takes it now, the rest while answers are waited for."""
        if not self._outgoing:
            self._poll.register(self._out, select.POLLOUT)
        self._outgoing += request
        self._send()

    def answer(self, limit: float) -> bytes:
        """The answer to the first request that has none yet; waits until the clock shows ``limit``.

        Raises:
            Died: when there is none.
        """
        try:
            length = int(self._line(limit))
        except ValueError:
            raise Died("killed") from None
        if not 0 <= length <= _MAX_ANSWER:
            raise Died("too-big")
        while len(self._incoming) < length:
            self._exchange(limit)
        answer = bytes(self._incoming[:length])
        del self._incoming[:length]
        self.answered += 1
        return answer

    def _line(self, limit: float) -> bytes:
        while True:
            end = self._incoming.find(b"\n", 0, _CHUNK)
            if end >= 0:
                break
            if len(self._incoming) > _CHUNK:
                raise Died("killed")
            self._exchange(limit)
        line = bytes(self._incoming[:end])
        del self._incoming[: end + 1]
        return line

    def _exchange(self, limit: float) -> None:
        """Wait until one of the pipes is ready, and write or read what there is."""
        left = limit - monotonic()
        ready = dict(self._poll.poll(left * 1000)) if left > 0 else {}
        if not ready:
            raise Died("timeout")
        if self._out in ready:
            self._send()
        if self._in in ready:
            data = os.read(self._in, _CHUNK * 16)
            if not data:
                raise Died(self._how())
            self._incoming += data

    def _send(self) -> None:
        try:
            while self._outgoing:
                del self._outgoing[: os.write(self._out, self._outgoing[:_CHUNK])]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._outgoing.clear()  # what it answered before it ended is still to be read
        self._poll.unregister(self._out)

    def _how(self) -> str:
        """How the process ended: by the clock of the kernel, or in another way."""
        pid, status = self._reap()
        ended_by_clock = pid and os.WIFSIGNALED(status) and os.WTERMSIG(status) == SIGXCPU
        return "timeout" if ended_by_clock else "killed"

    def _reap(self) -> tuple[int, int]:
        if not self._pid:
            return 0, 0
        pid, status = os.waitpid(self._pid, 0)
        self._pid = 0
        return pid, status

    def end(self) -> None:
        """Kill the process if it runs, and close the pipes. Safe to call twice."""
        if self._in < 0:
            return
        if self._pid:
            os.kill(self._pid, SIGKILL)
            self._reap()
        os.close(self._in)
        os.close(self._out)
        self._in = self._out = -1
