from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """A link in the source tree."""
    head = lab.commit({"src/data": (0o120000, b"../tests")})
    return lab.push(f"{head}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """A file of the same name."""
    head = lab.commit({"src/data": b"../tests"})
    return lab.push(f"{head}:refs/heads/agent/case")
