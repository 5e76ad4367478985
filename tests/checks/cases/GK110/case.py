from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """A name that forges a line of the answer."""
    head = lab.commit({b"src/a\rremote: fine": b""})
    return lab.push(f"{head}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """A name in plain Unicode."""
    head = lab.commit({"src/déjà_vu.txt": b""})
    return lab.push(f"{head}:refs/heads/agent/case")
