"""Text in an id: ASCII, with escapes for everything that does not print."""

from __future__ import annotations

from gatekeeper.source.collection.outcome import Undecided
from gatekeeper.source.evaluate.values import ROOT

_CONTROLS = {code: f"\\x{code:02x}" for code in range(128) if code not in range(32, 127)}
_CONTROLS.update({ord("\t"): "\\t", ord("\r"): "\\r", ord("\n"): "\\n"})


def escaped(value: str | bytes, *, raw: bool = False) -> str:
    """``value`` as it stands in an id; ``raw`` leaves text alone, as the option does that forfeits escaping.

    Raises:
        Undecided: it holds the place of the tree, which differs from disk to disk.
    """
    if isinstance(value, bytes):
        return value.decode("ascii", "backslashreplace").translate(_CONTROLS)
    if value.isascii() and (raw or (value.isprintable() and "\\" not in value)):
        return value
    if ROOT in value:
        raise Undecided("it says where the tree is on disk")
    if raw:
        return value
    return value.encode("unicode_escape").decode("ascii").translate(_CONTROLS)
