from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import policy
from tests.support.seed import PROPERTIES

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed

EMPTY = b"[budget]\nmin_collected = 0\nforbid_delete = true\n"
STRICT = policy(tail='[severity.human]\nGK407 = "error"\n')


def _created(lab: Lab, properties: bytes) -> Pushed:
    """A person writes the first list of a repository that had none; the policy makes the warning an error."""
    lab.write_policy(policy().replace("enforce", "observe"))
    without = lab.commit({"contracts/properties.toml": None})
    assert lab.push(f"{without}:refs/heads/main", actor="alice").accepted
    lab.write_policy(STRICT)
    head = lab.commit({"contracts/properties.toml": properties}, parent=without)
    return lab.push(f"{head}:refs/heads/main", actor="alice")


def failing(lab: Lab) -> Pushed:
    """The list is empty."""
    return _created(lab, EMPTY)


def passing(lab: Lab) -> Pushed:
    """The list names two."""
    return _created(lab, PROPERTIES)
