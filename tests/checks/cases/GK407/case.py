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
    lab.write_policy(STRICT)
    return lab.push(
        f"{lab.commit({'contracts/properties.toml': properties}, parent=_without(lab))}:refs/heads/main", actor="alice"
    )


def _without(lab: Lab) -> str:
    """A trusted branch whose properties were retired, and then the list removed."""
    retired = EMPTY + b"".join(
        b'\n[[retired]]\nid = "%s"\nticket = "QA-1"\ndate = 2026-01-31\n' % name
        for name in (b"encoder.no_silent_truncation", b"cache.ttl_monotonic")
    )
    lab.write_policy(policy())
    head = str(lab.base)
    for content in (retired, None):
        head = lab.commit({"contracts/properties.toml": content}, parent=head)
        pushed = lab.push(f"{head}:refs/heads/main", actor="alice")
        assert pushed.accepted, pushed.remote
    lab.write_policy(STRICT)
    return head


def failing(lab: Lab) -> Pushed:
    """The list is empty."""
    return _created(lab, EMPTY)


def passing(lab: Lab) -> Pushed:
    """The list names two."""
    return _created(lab, PROPERTIES)
