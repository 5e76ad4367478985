from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """Another spelling of the test tree."""
    head = lab.commit({"Tests/test_encoder.py": b"def test_nothing() -> None:\n    pass\n"})
    return lab.push(f"{head}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """A name that resembles nothing protected."""
    head = lab.commit({"src/testimony.py": b"X = 1\n"})
    return lab.push(f"{head}:refs/heads/agent/case")
