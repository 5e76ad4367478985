from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import HONEST_FIX

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed

SAYS = "tell the administrator"


def failing(lab: Lab) -> Pushed:
    """The trusted branch is a chain of symbolic refs that never ends: the check cannot run."""
    fix = lab.commit(HONEST_FIX)
    for number in range(12):
        (lab.bare / f"refs/heads/link{number}").write_text(f"ref: refs/heads/link{number + 1}\n")
    (lab.bare / "HEAD").write_text("ref: refs/heads/link0\n")
    return lab.push(f"{fix}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """HEAD names the trusted branch."""
    fix = lab.commit(HONEST_FIX)
    return lab.push(f"{fix}:refs/heads/agent/case")
