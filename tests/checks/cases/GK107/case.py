from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """Attributes change the bytes that a checkout writes."""
    head = lab.commit({"src/.gitattributes": b"* text eol=crlf\n"})
    return lab.push(f"{head}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """A file that git does not read."""
    head = lab.commit({"src/attributes.txt": b"* text eol=crlf\n"})
    return lab.push(f"{head}:refs/heads/agent/case")
