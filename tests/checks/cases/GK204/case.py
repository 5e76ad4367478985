from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import HONEST_FIX, policy

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """An agent moves a release tag, where the policy opens tags to it."""
    lab.write_policy(policy(tail='[refs]\nagent = ["refs/heads/agent/**", "refs/tags/**"]'))
    fix = lab.commit(HONEST_FIX)
    assert lab.push(f"{lab.base}:refs/tags/v1").accepted
    return lab.push(f"+{fix}:refs/tags/v1")


def passing(lab: Lab) -> Pushed:
    """It makes a new one."""
    lab.write_policy(policy(tail='[refs]\nagent = ["refs/heads/agent/**", "refs/tags/**"]'))
    fix = lab.commit(HONEST_FIX)
    return lab.push(f"{fix}:refs/tags/v2")
