from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import HONEST_FIX

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """The server policy is no TOML."""
    lab.write_policy("version = ")
    fix = lab.commit(HONEST_FIX)
    return lab.push(f"{fix}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """A valid policy."""
    fix = lab.commit(HONEST_FIX)
    return lab.push(f"{fix}:refs/heads/agent/case")
