from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import policy
from tests.support.seed import CACHE

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed

MAY_MOVE = policy(tail='[severity.agent]\nGK301 = "off"\nGK302 = "off"\nGK304 = "off"\n')
RENAMED = CACHE.replace(b"class Cache", b"class Store")
KEPT = RENAMED + b"\n\nCache = Store\n"


def failing(lab: Lab) -> Pushed:
    """An agent renames what a property imports, and touches no test."""
    lab.write_policy(MAY_MOVE)
    return lab.push(f"{lab.commit({'src/cache.py': RENAMED})}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """The old name still leads to it."""
    lab.write_policy(MAY_MOVE)
    return lab.push(f"{lab.commit({'src/cache.py': KEPT})}:refs/heads/agent/case")
