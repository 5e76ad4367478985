"""Pushed sources to facts, through one bounded process: the parser of this process never sees a pushed byte.

A file of 200 KB can take six gigabytes of the parser's memory, and a small one can end its process. Here such a file
costs the life of a worker: the file is named as unreadable, the next one is read by a new worker.
"""

from __future__ import annotations

import sys
from json import loads
from time import monotonic

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.errors import DeadlineExceeded, LimitExceeded
from gatekeeper.source.bounded.process import Died, Process
from gatekeeper.source.rows import MAX_BYTES, unreadable
from gatekeeper.source.uncollected import Uncollected

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType
    from typing import Any, Self

    from gatekeeper.source.rows import Facts

    Outline = tuple[dict[str, Any] | None, str, tuple[str, ...]]

_START_SECONDS = 20.0
_BLOB_SECONDS = 15.0
_MAX_DEATHS = 16
_AHEAD = 1 << 17
"""Bytes of sources that are under way to the worker at most, but for one source that is larger."""
_MINORS = 1000
PARTS = (0, 1)
"""In place of a version of Python."""
_LARGE = 1 << 20
"""Bytes of facts that leave a worker too large to keep."""
_MAX_PUSHED = 16 << 20
"""Bytes of facts of all pushed sources together: here they take about fifteen times as much memory."""


class Request(NamedTuple):
    """One source to read: its module's name, whether it is an ``__init__``, whether it is a stub, and its bytes.

    A ``pushed`` one is nobody's word yet: those are bounded together. Where a version of ``python`` is given, what is
    asked for is its outline: the summary of its imports (:mod:`gatekeeper.source.imports.summary`), and its skeleton
    (:mod:`gatekeeper.source.evaluate.skeleton`) for the functions that ``module`` lists, one a line. For :data:`PARTS`
    in place of a version it is what the source defines (:mod:`gatekeeper.source.imports.outline`).
    """

    module: str
    is_package: bool
    stub: bool
    blob: bytes
    pushed: bool = False
    python: tuple[int, int] | None = None

    def wire(self) -> bytes:
        """The request as the worker takes it."""
        name = self.module.encode("utf-8", "surrogateescape")
        version = 0 if self.python is None else self.python[0] * _MINORS + self.python[1]
        numbers = (len(name), self.is_package, self.stub, version, len(self.blob))
        return b"%d %d %d %d %d\n" % numbers + name + self.blob

    def unreadable(self, reason: str) -> Facts | Outline | None:
        """What is said of it when it cannot be read; of imports and parts nothing."""
        if self.python == PARTS:
            return None
        if self.python is not None:
            return None, "", ()
        return unreadable(self.module, self.is_package, self.stub, reason, self.blob)


def read_facts(requests: Iterable[Request], *, seconds: float = 30.0) -> list[Facts]:
    """The facts of many sources through one worker, in the order of the requests; no worker for none.

    Raises:
        DeadlineExceeded: when all of them together take longer than ``seconds``.
        LimitExceeded: when too many of them end their worker.
        GatekeeperError: when no worker can be started.
    """
    with SourceReader(seconds=seconds) as reader:
        return reader.read(requests)


class SourceReader:
    """Reads sources in a worker; a context manager that leaves no process behind.

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
        self._worker: Process | None = None
        self._deaths = 0
        self._said = 0
        self._waiting: list[Request] = []

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

    def start(self) -> None:
        """Start the worker before the first source is known: it gets ready meanwhile."""
        if self._worker is None:
            self._start()

    def facts(self, module: str, is_package: bool, stub: bool, blob: bytes) -> Facts:
        """The facts of one source (:func:`gatekeeper.source.facts.module.facts`); raises what :meth:`read` does."""
        found: Facts = self.read([Request(module, is_package, stub, blob)])[0]
        return found

    def outline(self, blob: bytes, python: tuple[int, int], ran: Iterable[str] = ()) -> Outline:
        """The summary of one source's imports, None where it cannot be judged, and its skeleton, empty likewise.

        Raises what :meth:`read` does.
        """
        summary, digest, names = self.read([Request("\n".join(ran), False, False, blob, python=python)])[0]
        return summary, digest, tuple(names)

    def parts(self, blob: bytes) -> dict[str, Any] | None:
        """What one source defines; None where it cannot be read. Raises what :meth:`read` does."""
        found: dict[str, Any] | None = self.read([Request("", False, False, blob, python=PARTS)])[0]
        return found

    def read(self, requests: Iterable[Request]) -> list[Any]:
        """The facts or summaries of sources, in their order.

        A few are sent ahead, and no more of them asked of ``requests``.

        Raises:
            DeadlineExceeded: when the time for all sources is used up.
            LimitExceeded: when too many sources have ended their worker, or pushed ones declare too much.
            GatekeeperError: when no worker can be started.
        """
        found: list[Any] = []
        try:
            with Uncollected():
                for request in requests:
                    self._send(request, found)
                self._drain(found, 0)
        except BaseException:
            self._waiting.clear()
            self.close()  # it may hold answers that nobody waits for any more
            raise
        return found

    def _send(self, request: Request, found: list[Any]) -> None:
        if len(request.blob) > MAX_BYTES:
            self._drain(found, 0)
            found.append(request.unreadable("too-big"))
            return
        self._drain(found, max(1, _AHEAD - _size(request)))
        self._waiting.append(request)
        if self._worker is None:
            self._start()
        else:
            self._worker.post(request.wire())

    def _drain(self, found: list[Any], most: int) -> None:
        """Take in answers until at most so many bytes of sources are under way."""
        ahead = sum(map(_size, self._waiting))
        while ahead > most:
            ahead -= _size(self._waiting[0])
            found.append(self._first())

    def _first(self) -> Any:
        """The facts of the source that waits longest.

        An earlier source may have left its worker little memory: only a fresh worker's death names the killer.
        """
        while True:
            worker = self._worker or self._start()
            worker.greet(min(self._deadline, monotonic() + _START_SECONDS))
            try:
                answer = worker.answer(min(self._deadline, monotonic() + _BLOB_SECONDS))
            except Died as death:
                self._bury()
                if death.reason != "timeout" and worker.answered:
                    continue
                return self._waiting.pop(0).unreadable(death.reason)
            self._count(self._waiting.pop(0), len(answer))
            found = loads(answer.decode("ascii"))
            unhealthy = found[1] == "" if isinstance(found, list) else found.get("error") == "too-deep"
            if unhealthy or len(answer) > _LARGE:
                self.close()  # the first ends itself: one that ran out of memory starts afresh
            return found

    def _count(self, request: Request, size: int) -> None:
        self._said += size if request.pushed else 0
        if self._said > _MAX_PUSHED:
            raise LimitExceeded(
                f"the pushed sources declare too much, {request.module} the last of it",
                fix="push the change in smaller parts",
            )

    def _start(self) -> Process:
        worker = self._worker = Process(self._executable, self._environment)
        for request in self._waiting:
            worker.post(request.wire())
        return worker

    def _bury(self) -> None:
        self.close()
        if monotonic() >= self._deadline:
            raise DeadlineExceeded("reading the sources took longer than the deadline")
        self._deaths += 1
        if self._deaths > _MAX_DEATHS:
            raise LimitExceeded(
                f"more than {_MAX_DEATHS} sources ended the process that reads them",
                fix="remove the sources that cannot be parsed",
            )


def _size(request: Request) -> int:
    """What a request counts; an empty source is one too."""
    return len(request.blob) + _AHEAD // 128
