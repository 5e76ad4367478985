from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """A module at the root shadows the test runner."""
    head = lab.commit({"pytest.py": b"raise SystemExit(0)\n"})
    return lab.push(f"{head}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """A new module inside the source tree."""
    head = lab.commit({"src/helper.py": b"X = 1\n"})
    return lab.push(f"{head}:refs/heads/agent/case")
