"""Entry names that no tool should meet, whatever directory they are in (GK110).

The list follows git's own ``verify_path`` and fsck (``.git`` under HFS+ and NTFS rules), and adds what those let
through: control characters, which forge terminal output, and bytes that shells and Windows read as syntax.
"""

from __future__ import annotations

from gatekeeper.policy.fold import fold

_SHELL = frozenset(b"`$;|&<>\"'*?")
_SHORT = (b"git~", b"gitmod~", b"gitatt~", b"gitign~", b"mailma~", b"gi7eba~", b"gi7d29~", b"gi250a~")
"""NTFS 8.3 names of .git, .gitmodules, .gitattributes, .gitignore and .mailmap (git's path.c, is_ntfs_dot_generic)."""


def worst_name(path: bytes, *, strict: bool) -> str | None:
    """Why ``path`` has a name that no tool should meet, or None.

    Args:
        path: the whole path, bytes.
        strict: also refuse what is only unwise: backslashes, shell syntax, a leading dash, non-UTF-8.
    """
    dangerous = next((reason for name in path.split(b"/") if (reason := _alias(name))), None)
    return _control(path) or dangerous or (_unwise(path) if strict else None)


def _control(path: bytes) -> str | None:
    """Control characters, and the bidirectional overrides, which make a terminal show a name that is not there."""
    if any(byte < 0x20 or byte == 0x7F for byte in path):  # noqa: PLR2004
        return "a control character"
    if not path.isascii():
        for char in path.decode("utf-8", "replace"):
            if "\u0080" <= char <= "\u009f" or "\u202a" <= char <= "\u202e" or "\u2066" <= char <= "\u2069":
                return "a control character"
    return None


def _alias(name: bytes) -> str | None:
    if name in (b".", b".."):
        return "a component that is a relative path"
    if fold(name) == b".git" or name.lower().startswith(_SHORT):
        return "a component that some system reads as .git"
    return None


def _unwise(path: bytes) -> str | None:
    try:
        path.decode("utf-8")
    except UnicodeDecodeError:
        return "bytes that are not UTF-8"
    if any(b"~%d" % digit in path for digit in range(1, 10)):
        return "an 8.3 alias, which Windows reads as another file"
    if b"\\" in path:
        return "a backslash, which Windows reads as a separator"
    if not _SHELL.isdisjoint(path):
        return "a character that shells read as syntax"
    if path.startswith(b"-") or b"/-" in path:
        return "a leading dash, which commands read as an option"
    return None
