from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """A person pushes a property list that is no TOML."""
    head = lab.commit({"contracts/properties.toml": b"[budget\n"})
    return lab.push(f"{head}:refs/heads/main", actor="alice")


def passing(lab: Lab) -> Pushed:
    """A person pushes a valid one."""
    head = lab.commit({"contracts/properties.toml": b"[budget]\nmin_collected = 1\nforbid_delete = true\n"})
    return lab.push(f"{head}:refs/heads/main", actor="alice")
