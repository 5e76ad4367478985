"""What pytest refuses to run with."""

from __future__ import annotations


class Refused(Exception):
    """pytest would stop with a usage error before it collects anything; ``path`` is the file at fault, if one is."""

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = path
