from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """A test becomes executable."""
    content = lab.original("tests/test_encoder.py")
    head = lab.commit({"tests/test_encoder.py": (0o100755, content)})
    return lab.push(f"{head}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """A source file becomes executable."""
    content = lab.original("src/encoder.py")
    head = lab.commit({"src/encoder.py": (0o100755, content)})
    return lab.push(f"{head}:refs/heads/agent/case")
