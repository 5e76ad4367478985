"""The recorded verdicts are what real pytest says: a few of them always, all with an environment switch.

``GATEKEEPER_TEST_NEUTRALISED=all python -m pytest tests/neutralised/test_verdicts.py`` runs pytest on every case.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.neutralised.corpus import CASES, CONTROLS, verdicts
from tests.neutralised.run import judge

if TYPE_CHECKING:
    from tests.neutralised.tree import Case

EVERY = (*CASES, *CONTROLS)
SAMPLE = ("hook-makereport-wrapper", "assert-weaker-compare", "control-none")
CHOSEN = EVERY if os.environ.get("GATEKEEPER_TEST_NEUTRALISED") == "all" else [c for c in EVERY if c.name in SAMPLE]


def test_every_case_has_a_verdict() -> None:
    known = verdicts()
    assert set(known) == {case.name for case in EVERY}
    assert not [case.name for case in CONTROLS if known[case.name].green]
    assert all(known[case.name].listed for case in CONTROLS)


@pytest.mark.parametrize("case", CHOSEN, ids=[case.name for case in CHOSEN])
def test_pytest_still_says_so(case: Case) -> None:
    recorded, found = verdicts()[case.name], judge(case)
    assert (found.green, found.listed) == (recorded.green, recorded.listed)
