from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import HONEST_FIX

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """A tree that holds one name twice."""
    blob = lab.objects.blob(b"x = 1\n")
    tree = lab.objects.raw_tree([(0o100644, b"src", blob), (0o100644, b"src", blob)])
    head = lab.commit({}, tree=tree)
    return lab.push(f"{head}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """A well-formed tree."""
    fix = lab.commit(HONEST_FIX)
    return lab.push(f"{fix}:refs/heads/agent/case")
