from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """A coding cookie that turns a comment into a definition."""
    source = b"# coding: unicode_escape\nx = 1\n# \\u000adef hidden(): ...\n"
    head = lab.commit({"src/hidden.py": source})
    return lab.push(f"{head}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """The same file without the cookie, private so that it adds nothing to the API."""
    head = lab.commit({"src/_hidden.py": b"x = 1\n# def hidden(): ...\n"})
    return lab.push(f"{head}:refs/heads/agent/case")
