"""The ``pre-receive`` hook: every ref of a push is judged before any of them moves (githooks(5))."""

from __future__ import annotations

import os

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.entry.guard import guard
from gatekeeper.entry.limits import arm
from gatekeeper.entry.protocol import parse_receive, read_input
from gatekeeper.entry.server import chain, judge
from gatekeeper.policy import defaults

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    """Judge the push on standard input.

    Args:
        arguments: the path of the hook file; git gives pre-receive no others.
    """
    return guard(lambda: _run(arguments))


def _run(arguments: Sequence[str]) -> int:
    arm(defaults.DEADLINE)  # also for an input that never ends
    data = read_input()
    code = judge(lambda oid_size: parse_receive(data, oid_size), os.environ)
    return code or chain(arguments[0], arguments[1:], data)
