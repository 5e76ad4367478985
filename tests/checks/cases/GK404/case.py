from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.seed import TEST_TTL

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed

NARROWED = TEST_TTL.replace(b"st.integers(0, 100)", b"st.integers(0, 1)")
RENAMED = (
    TEST_TTL.replace(b"cache =", b"entries =")
    .replace(b"cache.put", b"entries.put")
    .replace(b"cache.get", b"entries.get")
)


def failing(lab: Lab) -> Pushed:
    """An agent tries a property with fewer values."""
    return lab.push(f"{lab.commit({'tests/properties/test_cache_ttl.py': NARROWED})}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """A person renames a local of it."""
    return lab.push(f"{lab.commit({'tests/properties/test_cache_ttl.py': RENAMED})}:refs/heads/main", actor="alice")
