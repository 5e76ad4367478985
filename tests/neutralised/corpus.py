"""All cases and what real pytest says of each, as data that other tests import."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.neutralised import controls
from tests.neutralised.cases import around, bodies, marks, more

if TYPE_CHECKING:
    from tests.neutralised.tree import Case

CASES: tuple[Case, ...] = (*bodies.CASES, *marks.CASES, *around.CASES, *more.CASES)
CONTROLS: tuple[Case, ...] = controls.CASES
VERDICTS = Path(__file__).parent / "verdicts.json"


class Verdict(NamedTuple):
    """What pytest did with one case: its exit code, what it said of the property, whether it lists the nodeid.

    ``outcome`` is pytest's own word in lower case, or ``none`` where the report does not name the property.
    """

    exit: int
    outcome: str
    listed: bool

    @property
    def green(self) -> bool:
        """The run counts as good, although the property does not hold."""
        return self.exit == 0


def verdicts() -> dict[str, Verdict]:
    """Case name to the recorded verdict."""
    recorded = json.loads(VERDICTS.read_text("utf-8"))["verdicts"]
    return {name: Verdict(*row) for name, row in recorded.items()}


def green() -> list[Case]:
    """The cases after which pytest is content with a property that does not hold."""
    known = verdicts()
    return [case for case in CASES if known[case.name].green]
