from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import HONEST_FIX

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """An agent deletes a branch of somebody else."""
    fix = lab.commit(HONEST_FIX)
    assert lab.push(f"{fix}:refs/heads/topic", actor="alice").accepted
    return lab.push(":refs/heads/topic")


def passing(lab: Lab) -> Pushed:
    """An agent deletes its own."""
    fix = lab.commit(HONEST_FIX)
    assert lab.push(f"{fix}:refs/heads/agent/case").accepted
    return lab.push(":refs/heads/agent/case")
