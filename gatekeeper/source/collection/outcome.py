"""How the collection of one function can end other than with its ids; both are caught in ``collection.modules``."""

from __future__ import annotations


class Undecided(Exception):
    """The function is there, its ids cannot be known; ``str()`` is the reason."""


class Elsewhere(Exception):
    """Whether there is such a function at all, or how many, is decided by something that is not read."""


class Broken(Exception):
    """pytest would stop here with a collection error, which takes the module or class out; ``line`` is where."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.line = line
