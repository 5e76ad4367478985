"""How much work a tree may cost before it is refused: wildcards, bases and aliases multiply what a push has written."""

from __future__ import annotations

from gatekeeper.errors import LimitExceeded

ROW = 10
"""What one row costs. Honest packages spend four fifths of what they use on rows."""

STEP = 5
"""What one step from a name to the next costs: about as much time as half a row."""


class TooMany(LimitExceeded):
    """So much of a tree is touched by a change that linking all of it costs less."""


class Budget:
    """Counts the work of one link."""

    __slots__ = ("_left", "_rows")

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._left = rows * ROW

    def spend(self, amount: int) -> None:
        """Take from what is left.

        Raises:
            LimitExceeded: when it is used up.
        """
        self._left -= amount
        if self._left < 0:
            raise LimitExceeded(
                f"the public surface costs more than {self._rows} rows",
                fix="split the package, or have fewer wildcards and bases",
            )
