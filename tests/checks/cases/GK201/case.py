from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import HONEST_FIX

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """An agent pushes to the trusted branch."""
    fix = lab.commit(HONEST_FIX)
    return lab.push(f"{fix}:refs/heads/main")


def passing(lab: Lab) -> Pushed:
    """An agent pushes to a ref of its lane."""
    fix = lab.commit(HONEST_FIX)
    return lab.push(f"{fix}:refs/heads/agent/case")
