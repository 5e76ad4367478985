"""Entry names that no tool should meet, whatever directory they are in (GK110).

The list follows git's own ``verify_path`` and fsck (``.git`` under HFS+ and NTFS rules), and adds what those let through:
control characters, which forge terminal output, and bytes that shells and Windows read as syntax.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.policy.fold import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHELL = frozenset(b"`$;|&<>\"'*?")
_SHORT = (b"git~", b"gitmod~", b"gitatt~", b"gitign~", b"mailma~", b"gi7eba~", b"gi7d29~", b"gi250a~")
"""NTFS 8.3 names of .git, .gitmodules, .gitattributes, .gitignore and .mailmap (git's path.c, is_ntfs_dot_generic)."""


def worst_name(path: bytes, *, strict: bool) -> str | None:
    """Why ``path`` has a name that no tool should meet, or None.

    Args:
        path: the whole path, bytes.
        strict: also refuse what is only unwise: backslashes, shell syntax, a leading dash, non-UTF-8.
    """
    return next(_reasons(path, strict=strict), None)


def _reasons(path: bytes, *, strict: bool) -> Iterator[str]:
    if any(byte < 0x20 or byte == 0x7F for byte in path):  # noqa: PLR2004
        yield "a control character"
    for name in path.split(b"/"):
        if name in (b".", b".."):
            yield "a name that is a relative path"
        elif fold(name) == b".git" or name.lower().startswith(_SHORT):
            yield "a name that some system reads as .git"
    if not path.isascii():
        try:
            text = path.decode("utf-8")
        except UnicodeDecodeError:
            if strict:
                yield "bytes that are not UTF-8"
        else:
            # C1 controls and the bidirectional overrides make a terminal show another name than the one that is there
            if any("\u0080" <= c <= "\u009f" or "\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069" for c in text):
                yield "a control character"
    if not strict:
        return
    if b"\\" in path:
        yield "a backslash, which Windows reads as a separator"
    if any(byte in _SHELL for byte in path):
        yield "a character that shells read as syntax"
    if path.startswith(b"-") or b"/-" in path:
        yield "a leading dash, which commands read as an option"
