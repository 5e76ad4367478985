"""How many cases Hypothesis tried, from the statistics that its pytest plugin writes into reports."""

from __future__ import annotations

import re

_PASSING = re.compile(r"^ *- (\d{1,9}) passing\b", re.MULTILINE)


def passing(statistics: str) -> int | None:
    """The cases that passed, over all phases; None where the text says nothing of them.

    Explicit ``@example`` cases are not among them: Hypothesis does not count them.
    """
    counts = [int(number) for number in _PASSING.findall(statistics)]
    return sum(counts) if counts else None
