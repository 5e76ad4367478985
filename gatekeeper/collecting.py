"""What pytest would collect from a tree, read by a worker and handed on part by part."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.bounded.survey import Survey
from gatekeeper.source.collection.items import Found, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.collection.items import Invocation
    from gatekeeper.source.gitfiles import Tree

PATIENCE = 600.0
"""Seconds for a whole suite, where no push waits for it."""
MEMORY = 2 << 30
"""Bytes for a whole suite."""


class Part(NamedTuple):
    """Some of what there is: functions, what fails to collect, what cannot be told; where rootdir is, at the end."""

    found: tuple[Found, ...] = ()
    errors: tuple[Trouble, ...] = ()
    opaque: tuple[Trouble, ...] = ()
    deselected: int = 0
    rootdir: str | None = None
    config: str | None = None


def collected(tree: Tree, invocation: Invocation, *, seconds: float = PATIENCE, memory: int = MEMORY) -> Iterator[Part]:
    """Everything that one invocation of pytest collects, in pytest's order.

    A function whose ids are many comes in several parts.

    Raises:
        DeadlineExceeded, LimitExceeded, GatekeeperError: see :meth:`gatekeeper.source.bounded.survey.Survey.ask`.
    """
    with Survey([tree], lambda _path: False, seconds=seconds, memory=memory) as survey:
        for said in survey.ask({"task": "collect", "invocation": invocation}):
            if isinstance(said, list):
                node, verdict, ids, reason, conditions, path, line = said
                yield Part((Found(node, verdict, tuple(ids), reason, tuple(conditions), path, line),))
            else:
                yield Part(
                    errors=tuple(Trouble(*one) for one in said["errors"]),
                    opaque=tuple(Trouble(*one) for one in said["opaque"]),
                    deselected=said["deselected"],
                    rootdir=said.get("rootdir"),
                    config=said.get("config"),
                )
