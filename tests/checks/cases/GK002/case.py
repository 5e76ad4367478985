from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import HONEST_FIX, policy

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed

COMMITS = 60_000


def failing(lab: Lab) -> Pushed:
    """More commits than one second is enough to read."""
    lab.write_policy(policy(more="deadline = 1", tail=f"[limits]\ncommits = {COMMITS + 1}"))
    lines = [b"reset refs/heads/long\nfrom %s\n" % str(lab.base).encode()]
    for number in range(COMMITS):
        stamp = b"A <a@example.invalid> %d +0000" % (1_700_000_000 + number)
        lines.append(b"commit refs/heads/long\ncommitter %s\ndata 1\nx\n" % stamp)
        lines.append(b"M 100644 inline src/n.py\ndata 6\n%6d\n" % number)
    lab.fast_import(b"".join(lines))
    return lab.push("refs/heads/long:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """An ordinary patch ends in time."""
    lab.write_policy(policy(more="deadline = 30"))
    fix = lab.commit(HONEST_FIX)
    return lab.push(f"{fix}:refs/heads/agent/case")
