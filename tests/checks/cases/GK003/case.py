from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import HONEST_FIX

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """The trusted branch gets a stricter test; the branch is from before."""
    fix = lab.commit(HONEST_FIX)
    stricter = lab.commit({"tests/test_more.py": b"def test_more() -> None:\n    assert True\n"})
    assert lab.push(f"{stricter}:refs/heads/main", actor="alice").accepted
    return lab.push(f"{fix}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """The branch starts from the newest trusted commit."""
    stricter = lab.commit({"tests/test_more.py": b"def test_more() -> None:\n    assert True\n"})
    assert lab.push(f"{stricter}:refs/heads/main", actor="alice").accepted
    fix = lab.commit(HONEST_FIX, parent=stricter)
    return lab.push(f"{fix}:refs/heads/agent/case")
