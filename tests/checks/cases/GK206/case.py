from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """A tag that names a tree."""
    return lab.push(f"{lab.base}^{{tree}}:refs/tags/tree", actor="alice")


def passing(lab: Lab) -> Pushed:
    """A tag that names a commit."""
    return lab.push(f"{lab.base}:refs/tags/v1", actor="alice")
