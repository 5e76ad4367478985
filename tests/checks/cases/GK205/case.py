from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import HONEST_FIX

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """A person pushes a note."""
    fix = lab.commit(HONEST_FIX)
    return lab.push(f"{fix}:refs/notes/review", actor="alice")


def passing(lab: Lab) -> Pushed:
    """A person pushes a branch."""
    fix = lab.commit(HONEST_FIX)
    return lab.push(f"{fix}:refs/heads/topic", actor="alice")
