from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """A person pushes a row that has no ticket."""
    head = lab.commit({"contracts/contract.allow": b"addition symbol-added codec.f none..0123456789ab\n"})
    return lab.push(f"{head}:refs/heads/main", actor="alice")


def passing(lab: Lab) -> Pushed:
    """The same row with its ticket and a reason; the symbol does not exist yet, so it is pending."""
    row = b"addition symbol-added codec.f none..0123456789ab  # API-1 wanted by the importer\n"
    head = lab.commit({"contracts/contract.allow": row})
    return lab.push(f"{head}:refs/heads/main", actor="alice")
