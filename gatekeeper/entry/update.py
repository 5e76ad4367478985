"""The ``update`` hook: judges one ref, for hosts that offer no ``pre-receive`` (githooks(5)).

It can only refuse its own ref, and it runs after the objects have left the quarantine: a refused push leaves them
behind.
"""

from __future__ import annotations

import os

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.entry.guard import guard
from gatekeeper.entry.limits import arm
from gatekeeper.entry.protocol import parse_update
from gatekeeper.entry.server import chain, judge
from gatekeeper.errors import UsageError
from gatekeeper.policy import defaults

if TYPE_CHECKING:
    from collections.abc import Sequence

_WANTED = 4


def main(arguments: Sequence[str]) -> int:
    """Judge one update.

    Args:
        arguments: the path of the hook file, then the ref name, the old and the new oid.
    """
    return guard(lambda: _run(arguments))


def _run(arguments: Sequence[str]) -> int:
    if len(arguments) != _WANTED:
        raise UsageError(
            "the update hook takes a ref, an old and a new object id", fix="let git call the hook; see githooks(5)"
        )
    arm(defaults.DEADLINE)
    ref, old, new = map(os.fsencode, arguments[1:])
    code = judge(lambda oid_size: (parse_update(ref, old, new, oid_size),), os.environ)
    return code or chain(arguments[0], arguments[1:], None)
