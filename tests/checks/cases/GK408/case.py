from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.seed import PROPERTIES

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed

KEPT = PROPERTIES.rpartition(b"[[property]]")[0].replace(b"min_collected = 2", b"min_collected = 1")
RETIRED = b'[[retired]]\nid = "cache.ttl_monotonic"\nticket = "QA-44"\ndate = 2026-01-31\n'


def failing(lab: Lab) -> Pushed:
    """A person takes a property off the list and lowers the count with it."""
    head = lab.commit({"contracts/properties.toml": KEPT})
    return lab.push(f"{head}:refs/heads/main", actor="alice")


def passing(lab: Lab) -> Pushed:
    """The row moves to the retired ones, with a ticket."""
    head = lab.commit({"contracts/properties.toml": KEPT + RETIRED})
    return lab.push(f"{head}:refs/heads/main", actor="alice")
