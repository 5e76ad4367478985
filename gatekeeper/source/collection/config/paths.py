"""Paths as text: relative to the top of the tree, which is the empty text."""

from __future__ import annotations

from posixpath import isabs, join, normpath

from gatekeeper.source.collection.config.errors import Refused

TOP = "/\N{WHITE SQUARE}"
"""Stands for the unknown directory in which the tree lies, where a pattern is matched against a whole path."""


def resolve(base: str, text: str) -> str:
    """``text``, a path seen from ``base``, as a path of the tree; raises :class:`Refused` where it leads out."""
    if isabs(text):
        if text == TOP or text.startswith(TOP + "/"):
            text = text[len(TOP) + 1 :]
            base = ""
        else:
            raise Refused(f"the path {text!r} is absolute: what is there is not in the tree")
    path = normpath(join(base, text)) if base or text else ""
    if path == "..":
        raise Refused(f"the path {text!r} leads out of the tree")
    if path.startswith("../"):
        raise Refused(f"the path {text!r} leads out of the tree")
    return "" if path == "." else path


def absolute(path: str) -> str:
    """``path`` as a whole path, for patterns."""
    return f"{TOP}/{path}" if path else TOP


def parents(path: str) -> list[str]:
    """The directories above ``path``, nearest first, the top last; none for the top."""
    above = []
    while path:
        path = path.rpartition("/")[0]
        above.append(path)
    return above


def beside(path: str, directory: str) -> str | None:
    """``path`` relative to ``directory``, the empty text for itself, None where it is not inside."""
    if not directory or path == directory:
        return path if not directory else ""
    return path[len(directory) + 1 :] if path.startswith(directory + "/") else None


def common(paths: list[str]) -> str:
    """The deepest directory (or file) that holds all ``paths``."""
    shared = paths[0].split("/") if paths[0] else []
    for path in paths[1:]:
        parts = path.split("/") if path else []
        keep = 0
        while keep < min(len(shared), len(parts)) and shared[keep] == parts[keep]:
            keep += 1
        del shared[keep:]
    return "/".join(shared)
