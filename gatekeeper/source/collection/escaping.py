"""Text in an id: ASCII, with escapes for everything that does not print."""

from __future__ import annotations

_CONTROLS = {code: f"\\x{code:02x}" for code in range(128) if code not in range(32, 127)}
_CONTROLS.update({ord("\t"): "\\t", ord("\r"): "\\r", ord("\n"): "\\n"})


def escaped(value: str | bytes, *, raw: bool = False) -> str:
    """``value`` as it stands in an id; ``raw`` leaves text alone, as the option does that forfeits escaping."""
    if isinstance(value, bytes):
        return value.decode("ascii", "backslashreplace").translate(_CONTROLS)
    if raw or (value.isascii() and value.isprintable() and "\\" not in value):
        return value
    return value.encode("unicode_escape").decode("ascii").translate(_CONTROLS)
