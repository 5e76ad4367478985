"""Pushed sources to facts, through one bounded process: the parser of this process never sees a pushed byte.

A file of 200 KB can take six gigabytes of the parser's memory, and a small one can end its process. Here such a file
costs the life of a worker: the file is named as unreadable, the next one is read by a new worker.
"""

from __future__ import annotations

import os
import select
import sys
from json import loads
from signal import SIGKILL, SIGXCPU
from time import monotonic

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.errors import DeadlineExceeded, GatekeeperError, LimitExceeded
from gatekeeper.source.rows import MAX_BYTES, canonical, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType
    from typing import Self

    from gatekeeper.source.rows import Facts

_START = "import sys; sys.path.insert(0, sys.argv[1]); from gatekeeper.source.worker import main; main()"
_GREETING = b"gatekeeper reader 1\n"
_START_SECONDS = 20.0
_BLOB_SECONDS = 15.0
_MAX_ANSWER = 16 << 20
_MAX_DEATHS = 16
_CHUNK = 1 << 16


class Request(NamedTuple):
    """One source to read: its module's name, whether it is an ``__init__``, whether it is a stub, and its bytes."""

    module: str
    is_package: bool
    stub: bool
    blob: bytes


def read_facts(requests: Iterable[Request], *, seconds: float = 30.0) -> list[Facts]:
    """The facts of many sources through one worker, in the order of the requests; no worker for none.

    Raises:
        DeadlineExceeded: when all of them together take longer than ``seconds``.
        LimitExceeded: when too many of them end their worker.
        GatekeeperError: when no worker can be started.
    """
    with SourceReader(seconds=seconds) as reader:
        return [reader.facts(*request) for request in requests]


class _Died(Exception):
    """The worker ended, or was ended, before it had answered.

    ``reason`` is the word for it, ``used`` whether the worker had answered for other sources before.
    """

    def __init__(self, reason: str, *, used: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.used = used


class SourceReader:
    """Reads sources one by one; a context manager that leaves no process behind.

    Args:
        seconds: the wall time for all sources together.
        executable: the interpreter of the workers; this one's by default.
        environment: of the workers; empty by default.
    """

    def __init__(
        self, *, seconds: float = 30.0, executable: str | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        self._deadline = monotonic() + seconds
        self._executable = executable or sys.executable
        self._environment = dict(environment or {})
        self._worker: _Worker | None = None
        self._deaths = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the worker. Safe to call twice."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def facts(self, module: str, is_package: bool, stub: bool, blob: bytes) -> Facts:
        """The facts of one source (:func:`gatekeeper.source.facts.facts`), read in the worker.

        Raises:
            DeadlineExceeded: when the time for all sources is used up.
            LimitExceeded: when too many sources have ended their worker.
            GatekeeperError: when no worker can be started.
        """
        found: Facts = loads(self.facts_json(module, is_package, stub, blob))
        return found

    def facts_json(self, module: str, is_package: bool, stub: bool, blob: bytes) -> bytes:
        """The same as JSON, as a cache keeps it."""
        if len(blob) > MAX_BYTES:
            return canonical(unreadable(module, is_package, stub, "too-big", blob)).encode("ascii")
        name = module.encode("utf-8", "surrogateescape")
        request = b"%d %d %d %d\n" % (len(name), is_package, stub, len(blob)) + name + blob
        try:
            try:
                return self._ask(request)
            except _Died as death:
                if death.reason == "timeout" or not death.used:
                    raise
                # An earlier source may have left it little memory: only a fresh worker's death names the killer.
                return self._ask(request)
        except _Died as death:
            return canonical(unreadable(module, is_package, stub, death.reason, blob)).encode("ascii")

    def _ask(self, request: bytes) -> bytes:
        if self._worker is None:
            self._worker = _Worker(
                self._executable, self._environment, min(self._deadline, monotonic() + _START_SECONDS)
            )
        worker = self._worker
        limit = min(self._deadline, monotonic() + _BLOB_SECONDS)
        try:
            answer = worker.ask(request, limit)
        except _Died as death:
            self.close()
            if monotonic() >= self._deadline:
                raise DeadlineExceeded("reading the sources took longer than the deadline") from None
            self._deaths += 1
            if self._deaths > _MAX_DEATHS:
                raise LimitExceeded(
                    f"more than {_MAX_DEATHS} sources ended the process that reads them",
                    fix="remove the sources that cannot be parsed",
                ) from None
            raise _Died(death.reason, used=worker.answered > 0) from None
        if worker.gone(answer):
            self.close()
        return answer


class _Worker:
    """One process, its two pipes, and how much it has answered."""

    def __init__(self, executable: str, environment: dict[str, str], limit: float) -> None:
        self.answered = 0
        self._buffer = b""
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        self._in, self._out = ours_in, ours_out
        site = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        actions = [
            (os.POSIX_SPAWN_DUP2, theirs_in, 0),
            (os.POSIX_SPAWN_DUP2, theirs_out, 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        try:
            command = [executable, "-I", "-S", "-c", _START, site]
            self._pid = os.posix_spawn(executable, command, environment, file_actions=actions)
        except OSError as error:
            os.close(ours_in)
            os.close(ours_out)
            raise GatekeeperError(f"cannot start the process that reads sources: {error}") from error
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        os.set_blocking(self._out, False)
        try:
            greeting = self._line(limit)
        except _Died:
            greeting = b""
        if greeting != _GREETING:
            self.end()
            raise GatekeeperError("the process that reads sources did not start")

    def ask(self, request: bytes, limit: float) -> bytes:
        """Send a request and wait for its answer until the clock shows ``limit``."""
        self._send(request, limit)
        try:
            length = int(self._line(limit))
        except ValueError:
            raise _Died("killed") from None
        if length > _MAX_ANSWER:
            raise _Died("too-big")
        while len(self._buffer) < length:
            self._more(limit)
        answer, self._buffer = self._buffer[:length], self._buffer[length:]
        self.answered += 1
        return answer

    @staticmethod
    def gone(answer: bytes) -> bool:
        """Whether the worker ends itself after this answer: one that ran out of memory starts afresh."""
        return b'"error": "too-deep"' in answer[:4096] or b'"error":"too-deep"' in answer[:4096]

    def _send(self, data: bytes, limit: float) -> None:
        view = memoryview(data)
        while view:
            self._wait(self._out, select.POLLOUT, limit)
            try:
                view = view[os.write(self._out, view[:_CHUNK]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise _Died(self._how()) from None

    def _line(self, limit: float) -> bytes:
        while b"\n" not in self._buffer:
            if len(self._buffer) > _CHUNK:
                raise _Died("killed")
            self._more(limit)
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line + b"\n"

    def _more(self, limit: float) -> None:
        self._wait(self._in, select.POLLIN, limit)
        data = os.read(self._in, _CHUNK * 16)
        if not data:
            raise _Died(self._how())
        self._buffer += data

    def _wait(self, descriptor: int, event: int, limit: float) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        left = limit - monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            raise _Died("timeout")

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
