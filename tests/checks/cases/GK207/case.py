from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import HONEST_FIX

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """The message switches CI off."""
    fix = lab.commit(HONEST_FIX, "Mend the limit [skip ci]")
    return lab.push(f"{fix}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """The message talks about it."""
    fix = lab.commit(HONEST_FIX, "Mend the limit; CI must not be skipped")
    return lab.push(f"{fix}:refs/heads/agent/case")
