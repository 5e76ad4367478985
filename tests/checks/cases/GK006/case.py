from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import HONEST_FIX

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """The server lost a tree that the verdict depends on."""
    fix = lab.commit(HONEST_FIX)
    lab.lose(f"{lab.base}:src")
    return lab.push("--no-thin", f"{fix}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """Everything is there."""
    fix = lab.commit(HONEST_FIX)
    return lab.push(f"{fix}:refs/heads/agent/case")
