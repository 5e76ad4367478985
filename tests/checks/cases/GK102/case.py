from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """An agent raises the flake capacity."""
    head = lab.commit({"contracts/flake_budget.json": b'{"capacity": 99, "entries": []}\n'})
    return lab.push(f"{head}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """A person does the same."""
    head = lab.commit({"contracts/flake_budget.json": b'{"capacity": 99, "entries": []}\n'})
    return lab.push(f"{head}:refs/heads/main", actor="alice")
