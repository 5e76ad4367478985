from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import HONEST_FIX, SEED_FILES

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """An orphan history with the same files."""
    orphan = lab.commit(SEED_FILES, parent=None)
    return lab.push(f"{orphan}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """One merge base."""
    fix = lab.commit(HONEST_FIX)
    return lab.push(f"{fix}:refs/heads/agent/case")
