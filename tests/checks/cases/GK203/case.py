from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import HONEST_FIX

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """An agent rolls the trusted branch back."""
    newer = lab.commit(HONEST_FIX)
    assert lab.push(f"{newer}:refs/heads/main", actor="alice").accepted
    return lab.push(f"+{lab.base}:refs/heads/main")


def passing(lab: Lab) -> Pushed:
    """An agent rewrites its own branch."""
    fix = lab.commit(HONEST_FIX)
    assert lab.push(f"{fix}:refs/heads/agent/case").accepted
    again = lab.commit(HONEST_FIX, "Another message")
    return lab.push(f"+{again}:refs/heads/agent/case")
