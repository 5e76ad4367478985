from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.seed import PROPERTIES, TEST_TTL

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed

OLD, NEW = b"test_ttl_monotonic", b"test_entries_do_not_come_back"
RENAMED = {"tests/properties/test_cache_ttl.py": TEST_TTL.replace(OLD, NEW)}
LISTED = {"contracts/properties.toml": PROPERTIES.replace(OLD, NEW) + b'ticket = "QA-7"\n'}


def failing(lab: Lab) -> Pushed:
    """A person renames a property, and the list still has the old name."""
    return lab.push(f"{lab.commit(RENAMED)}:refs/heads/main", actor="alice")


def passing(lab: Lab) -> Pushed:
    """The list is renamed in the same push, with a ticket."""
    return lab.push(f"{lab.commit({**RENAMED, **LISTED})}:refs/heads/main", actor="alice")
