"""Bounds on the process itself: a deadline that becomes a refusal, and a hard stop for what Python cannot interrupt."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C module: `signal` wraps every constant in an enum, which costs more than a judgement
import resource

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import DeadlineExceeded

if TYPE_CHECKING:
    from types import FrameType

_GRACE = 5
_MEMORY = 2 << 30
_GIVEN = {which: resource.getrlimit(which) for which in (resource.RLIMIT_CPU, resource.RLIMIT_DATA)}
"""What this process was started with, as (soft, hard): nothing here ever goes above it."""


def arm(seconds: int) -> None:
    """Raise DeadlineExceeded in the main thread after ``seconds``, and every second from then on.

    A later call replaces an earlier one. Should C code hold the interpreter longer, the kernel kills the process some
    CPU seconds later: git takes a killed hook for a refusal.
    """

    def expire(_signal_number: int, _frame: FrameType | None) -> None:
        raise DeadlineExceeded(f"no verdict within {seconds} s")

    _signal.signal(_signal.SIGALRM, expire)
    _signal.setitimer(_signal.ITIMER_REAL, seconds, 1)
    _bound(resource.RLIMIT_CPU, seconds + _GRACE)
    _bound(resource.RLIMIT_DATA, _MEMORY)


def disarm() -> None:
    """Take the deadline and the bounds back, for a chained hook that starts from here."""
    _signal.setitimer(_signal.ITIMER_REAL, 0)
    _signal.signal(_signal.SIGALRM, _signal.SIG_DFL)
    for which, limits in _GIVEN.items():
        resource.setrlimit(which, limits)


def _bound(which: int, value: int) -> None:
    """Lower the soft limit to ``value``, so that it can be lifted again; where less was given, that stays."""
    soft, hard = _GIVEN[which]
    resource.setrlimit(which, (value if soft == resource.RLIM_INFINITY else min(value, soft), hard))
