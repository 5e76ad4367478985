from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """A conftest in the source tree acts by existing."""
    head = lab.commit({"src/pkg/conftest.py": b"collect_ignore_glob = ['*']\n"})
    return lab.push(f"{head}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """A module of a similar name."""
    head = lab.commit({"src/pkg/confession.py": b"X = 1\n"})
    return lab.push(f"{head}:refs/heads/agent/case")
