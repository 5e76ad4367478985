from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.seed import TEST_TTL

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed

REWRITTEN = {
    "tests/properties/test_cache_ttl.py": TEST_TTL.replace(b"cache.put(", b"cache.__init__(ttl + 200)\n    cache.put(")
}


def failing(lab: Lab) -> Pushed:
    """An agent prepares what a property looks at in another way."""
    return lab.push(f"{lab.commit(REWRITTEN)}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """A person does it; the row pins no fingerprint."""
    return lab.push(f"{lab.commit(REWRITTEN)}:refs/heads/main", actor="alice")
