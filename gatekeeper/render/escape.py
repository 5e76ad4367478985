"""Make text that a push controls safe to print: one line, printable ASCII, reversible.

A raw carriage return in a file name forges a ``remote:`` line in the pusher's terminal, an escape sequence repaints
it, and an invisible character hides which of two paths is meant.
"""

from __future__ import annotations


def escape(raw: bytes | str) -> str:
    r"""Printable ASCII for ``raw``: backslashes are doubled, anything else becomes ``\n``, ``\xNN`` or ``\uNNNN``."""
    text = raw.decode("utf-8", "backslashreplace") if isinstance(raw, bytes) else raw
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    text = raw.decode("utf-8", "surrogateescape") if isinstance(raw, bytes) else raw
    return "".join(map(_escape_char, text))


def _escape_char(char: str) -> str:
    point = ord(char)
    if char == "\\":
        return "\\\\"
    if 0x20 <= point < 0x7F:  # noqa: PLR2004
        return char
    if 0xDC80 <= point <= 0xDCFF:  # noqa: PLR2004
        return f"\\x{point - 0xDC00:02x}"  # a byte that is not UTF-8
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(char)
    if named is not None:
        return named
    if point < 0x100:  # noqa: PLR2004
        return f"\\u{point:04x}" if point > 0x7F else f"\\x{point:02x}"  # noqa: PLR2004
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"  # noqa: PLR2004
