"""Suites read by one bounded process, which asks for the files that it needs: the parser never runs in this one."""

from __future__ import annotations

import sys
from json import dumps, loads
from time import monotonic

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import DeadlineExceeded, GatekeeperError, LimitExceeded
from gatekeeper.source.bounded.process import SURVEYOR, Died, Process
from gatekeeper.source.gitfiles import listing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Any, Self

    from gatekeeper.source.gitfiles import Tree

_START_SECONDS = 20.0
_LATE = "reading the test suite took longer than the deadline"
MEMORY = 384 << 20
"""Bytes that a worker may use during a push, which stays within 512 MiB."""


class Survey:
    """Asks a worker about trees; a context manager that leaves no process behind.

    Args:
        trees: what the worker may read of; a task names them by their place.
        is_protected: whether a path judges the suite, and so belongs to what a property is made of.
        seconds: the wall time for all tasks together.
        memory: bytes that the worker may use.
        executable: the interpreter of the worker; this one's by default.
    """

    def __init__(
        self,
        trees: Sequence[Tree],
        is_protected: Callable[[bytes], bool],
        *,
        seconds: float,
        memory: int = MEMORY,
        executable: str | None = None,
    ) -> None:
        self._trees = trees
        self._is_protected = is_protected
        self._deadline = monotonic() + seconds
        self._seconds = seconds
        self._memory = memory
        self._worker = Process(executable or sys.executable, {}, SURVEYOR)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._worker.end()

    def ask(self, task: Mapping[str, object]) -> Iterator[Any]:
        """What the worker says to a task, part by part: JSON values of bounded size each.

        Raises:
            DeadlineExceeded: when it takes too long.
            LimitExceeded: when it uses too much memory, or ends in another way: the sources are too much for it.
            GatekeeperError: when no worker can be started.
        """
        bounds = {"seconds": int(self._seconds) + 1, "memory": self._memory}
        data = dumps({**task, **bounds}).encode("ascii")
        self._greet()
        self._worker.post(b"%d\n%s" % (len(data), data))
        try:
            while True:
                answer = self._worker.answer(self._deadline)
                kind, payload = answer[:1], answer[1:]
                if kind == b"F":
                    yield loads(payload)
                elif kind == b"E":
                    return
                else:
                    self._worker.post(self._reply(kind, payload))
        except Died as death:
            if death.reason == "timeout":
                raise DeadlineExceeded(_LATE) from None
            raise LimitExceeded(
                "the test suite is too much for the process that reads it",
                fix="look for a source that is very large, or that builds very large values",
            ) from None

    def _greet(self) -> None:
        try:
            self._worker.greet(min(self._deadline, monotonic() + _START_SECONDS))
        except GatekeeperError:
            if monotonic() >= self._deadline:
                raise DeadlineExceeded(_LATE) from None
            raise

    def _reply(self, kind: bytes, payload: bytes) -> bytes:
        side, _, path = payload.partition(b" ")
        tree = self._trees[int(side)]
        said = listing(tree, path, self._is_protected) if kind == b"L" else tree.read(path)
        return b"-1\n" if said is None else b"%d\n%s" % (len(said), said)
