from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import policy

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """More paths than the policy lets one push write."""
    lab.write_policy(policy(tail="[limits]\npaths = 5"))
    head = lab.commit({f"src/m{number}.py": b"" for number in range(6)})
    return lab.push(f"{head}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """Exactly as many as it lets one write."""
    lab.write_policy(policy(tail="[limits]\npaths = 5"))
    head = lab.commit({f"src/m{number}.py": b"" for number in range(5)})
    return lab.push(f"{head}:refs/heads/agent/case")
