"""Every edit that leaves pytest content with a property that does not hold is a finding; no harmless edit is one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from gatekeeper.source.fingerprint.interference import interference
from gatekeeper.source.fingerprint.reasons import reasons
from tests.neutralised.corpus import CASES, CONTROLS, green
from tests.neutralised.stand import prints
from tests.neutralised.tree import FILES, MACHINE, MERGE, ORDER, RATIO, SUITE, SYMMETRIC, TOTAL, Case, broken, edited

if TYPE_CHECKING:
    from gatekeeper.source.fingerprint.closure import Prints
    from gatekeeper.source.fingerprint.reasons import Reason

GREEN = green()
NODEIDS = (ORDER, TOTAL, SUITE, MERGE, SYMMETRIC, RATIO, MACHINE)


@cache
def base(nodeid: str, args: tuple[str, ...]) -> Prints:
    """The project before the edit, read once for all cases."""
    return prints(broken(nodeid), args)


def said(case: Case) -> list[Reason]:
    """All reasons that an edit gives: of the property itself, and of the files that it touches."""
    before, after = base(case.nodeid, case.args), prints(edited(case), case.args)
    found = reasons(before, after, case.nodeid)
    return found + interference(before.place, after.place, case.edits, after.judges)


@pytest.mark.parametrize("case", GREEN, ids=[case.name for case in GREEN])
def test_green_is_found(case: Case) -> None:
    found = said(case)
    assert case.code in {reason.code for reason in found}, found
    for reason in found:
        assert reason.message
        assert reason.path in {*edited(case), *case.edits, ""}, reason
        text = edited(case).get(reason.path, "")
        assert 0 <= reason.line <= text.count("\n") + 1, reason


@pytest.mark.parametrize("case", CONTROLS, ids=[case.name for case in CONTROLS])
def test_harmless_is_quiet(case: Case) -> None:
    assert said(case) == []
    after = prints(edited(case), case.args)
    assert after.fingerprint(case.nodeid) == base(case.nodeid, case.args).fingerprint(case.nodeid)


@pytest.mark.parametrize("nodeid", NODEIDS)
def test_what_is_judged_does_not_count(nodeid: str) -> None:
    """A body that is mended leaves the property what it was."""
    assert prints(FILES).fingerprint(nodeid) == base(nodeid, ()).fingerprint(nodeid)


def test_enough_cases() -> None:
    assert len(GREEN) >= 150
    assert len(CONTROLS) >= 40
    assert {case.group for case in GREEN} == set(range(1, 18))
    names = [case.name for case in (*CASES, *CONTROLS)]
    assert len(names) == len(set(names))
