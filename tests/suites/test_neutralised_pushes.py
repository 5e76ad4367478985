"""Edits that hollow a property out, pushed by an agent: the whole judgement names them, as the fingerprint does.

``GATEKEEPER_TEST_NEUTRALISED=all`` pushes every case; otherwise each in so many is.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.judging.world import ASKED, World
from tests.neutralised.corpus import CONTROLS, green
from tests.neutralised.tree import broken, edited

if TYPE_CHECKING:
    from gatekeeper.verdict import Verdict
    from tests.neutralised.tree import Case

EVERY = 1 if os.environ.get("GATEKEEPER_TEST_NEUTRALISED") == "all" else 41
GREEN = green()[::EVERY]
QUIET = CONTROLS[::EVERY]
CONTRACT = "contracts/properties.toml"


def pushed(case: Case) -> Verdict:
    path = case.nodeid.partition("::")[0]
    args = ", ".join(f'"{one}"' for one in case.args)
    listed = f'[collect]\nargs = [{args}]\nplugins = ["hypothesis"]\n\n[[property]]\nid = "named"\nmodule = "{path}"\n'
    before = {**broken(case.nodeid), CONTRACT: f'{listed}nodeid = "{case.nodeid}"\n'}
    after = {**edited(case), CONTRACT: before[CONTRACT]}
    world = World({name: text.encode() for name, text in before.items()}, server=ASKED)
    changes = {
        name: after[name].encode() if name in after else None
        for name in {**before, **after}
        if before.get(name) != after.get(name)
    }
    return world.judge(world.commit(changes))


@pytest.mark.parametrize("case", GREEN, ids=[case.name for case in GREEN])
def test_a_push_that_hollows_a_property_out_is_refused_for_it(case: Case) -> None:
    verdict = pushed(case)
    codes = {finding.code for finding in verdict.findings if finding.severity == "error"}
    assert case.code in codes or "GK401" in codes, verdict.findings
    assert verdict.budgets["properties"] == "refused"


@pytest.mark.parametrize("case", QUIET, ids=[case.name for case in QUIET])
def test_a_harmless_edit_leaves_the_budget_held(case: Case) -> None:
    verdict = pushed(case)
    assert not [finding for finding in verdict.findings if finding.code.startswith("GK4")]
    assert verdict.budgets["properties"] == "held"
