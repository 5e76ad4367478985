"""Bytes to a syntax tree, with the checks that must come before the parser sees them.

Only the worker calls this on pushed bytes: its limits are what makes the rest of the parser's appetite harmless.
"""

from __future__ import annotations

import ast
import re
import warnings

from gatekeeper.source.rows import MAX_BYTES

_MAX_PARTS = 1_000
_BOM = b"\xef\xbb\xbf"
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_NO_NAME = re.compile(rb"[^\w. \t\f\x80-\xff]+")
_UTF8 = frozenset({b"utf-8", b"utf8", b"utf-8-sig", b"ascii", b"us-ascii"})


class Unreadable(Exception):
    """A source that cannot be read; ``reason`` is one of :data:`gatekeeper.source.rows.REASONS`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def refusal(data: bytes) -> str | None:
    """Why these bytes never reach the parser, or None."""
    if len(data) > MAX_BYTES:
        return "too-big"
    if b"\0" in data:
        return "encoding"
    text = data.removeprefix(_BOM)
    if not _plain_cookie(text):
        return "cookie"
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return "encoding"
    # The parser makes a bare CR end a comment: "# c\rdef g()" defines g where an editor shows a comment.
    if b"\r" in data and b"\r" in data.replace(b"\r\n", b""):
        return "encoding"
    return "too-deep" if _long_import(text) else None


def _long_import(text: bytes) -> bool:
    """``import a.a.a...`` needs memory of the square of its parts: 80 KB of it take 1.7 GB."""
    if text.count(b".") <= _MAX_PARTS:
        return False
    joined = text.replace(b"\\\r\n", b"").replace(b"\\\n", b"")
    if not _has_long_line(joined):
        return False
    for line in joined.split(b"\n"):
        imports = line.count(b".") > _MAX_PARTS and (b"import" in line or b"from" in line)
        if imports and any(piece.count(b".") > _MAX_PARTS for piece in _NO_NAME.split(line)):
            return True
    return False


def _has_long_line(text: bytes) -> bool:
    """Whether a line is long enough to hold too many dots; looks at one place in a thousand bytes."""
    place = 0
    while place + _MAX_PARTS < len(text):
        end = text.rfind(b"\n", place, place + _MAX_PARTS + 1)
        if end < 0:
            return True
        place = end + 1
    return False


def _plain_cookie(text: bytes) -> bool:
    """PEP 263: a cookie counts on the first two lines. ``utf-7`` and the escapes turn comments into code."""
    lines = text.replace(b"\r", b"\n").split(b"\n", 3)[:2]
    for line in lines:
        found = _COOKIE.match(line)
        if found:
            return found[1].lower().replace(b"_", b"-") in _UTF8
        if not _BLANK.match(line):
            return True
    return True


def read_tree(data: bytes) -> ast.Module:
    """The syntax tree of a source.

    Raises:
        Unreadable: with the reason.
    """
    reason = refusal(data)
    if reason is not None:
        raise Unreadable(reason)
    try:
        with warnings.catch_warnings():
            # 100,000 bad escapes would print as many warnings, and "-W error" would make a syntax error of one.
            warnings.simplefilter("ignore")
            return ast.parse(data)
    except (RecursionError, MemoryError):
        raise Unreadable("too-deep") from None
    except UnicodeError:
        raise Unreadable("encoding") from None
    except (SyntaxError, ValueError, OverflowError, SystemError):
        raise Unreadable("syntax") from None
