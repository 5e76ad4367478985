"""The rows of seed 000's decision table about properties, and what people do to the list of them, as real pushes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.support.git import hermetic_env
from tests.support.lab import CHECKOUT, HONEST_FIX, Lab, policy
from tests.support.seed import PROPERTIES, TEST_ENCODER, TEST_TTL
from tests.workflows.kit import MAIN, MINE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.lab import Pushed

LIST, TTL = "contracts/properties.toml", "tests/properties/test_cache_ttl.py"
NODEID = f"{TTL}::test_ttl_monotonic"
ADDITIVE = policy(more='tests = "additive"', tail='[paths]\nadditive = ["tests/**/test_*.py"]\n')
WIRE = b"""
[[property]]
id = "encoder.wire"
module = "tests/test_encoder.py"
nodeid = "tests/test_encoder.py::test_wire_bytes"
"""
NEW = (
    WIRE.replace(b"encoder.wire", b"new").replace(b"test_encoder", b"test_new").replace(b"test_wire_bytes", b"test_new")
)
SHORTENED = PROPERTIES.rpartition(b"[[property]]")[0].replace(b"= 2", b"= 1")


def alice(lab: Lab, oid: str, *options: str) -> Pushed:
    return lab.push(*options, f"{oid}:{MAIN}", actor="alice")


def told(pushed: Pushed) -> str:
    return " ".join(" ".join(pushed.remote).split())


def test_all_properties_are_still_collected(lab: Lab) -> None:
    head = lab.commit(HONEST_FIX)
    assert lab.push(f"{head}:{MINE}").accepted
    card = lab.scorecard(str(lab.base), head)
    assert (card.exit, card.json["properties_required"], card.json["properties_missing"]) == (0, 2, [])
    assert card.json["updates"][0]["budgets"]["properties"] == "held"
    assert card.json["updates"][0]["properties"] == {"required": 2, "collected": 2, "missing": [], "credit": []}


def test_a_new_property_of_an_agent_is_credit(tmp_path: Path) -> None:
    lab = Lab(tmp_path / "lab", policy=ADDITIVE)
    new = b"from src.cache import Cache\n\n\ndef test_more():\n    assert Cache(1).get('a', 0) is None\n"
    head = lab.commit({**HONEST_FIX, "tests/test_more.py": new})
    pushed = lab.push(f"{head}:{MINE}")
    assert pushed.accepted, pushed.remote
    assert "properties held 2 of 2 collected, 1 added" in told(pushed)
    card = lab.scorecard(str(lab.base), head)
    assert card.json["updates"][0]["properties"]["credit"] == ["tests/test_more.py::test_more"]
    assert card.json["properties_required"] == 2


def test_a_new_property_replaces_no_missing_one(tmp_path: Path) -> None:
    lab = Lab(tmp_path / "lab", policy=ADDITIVE)
    head = lab.commit({TTL: None, "tests/properties/test_cache.py": TEST_TTL})
    pushed = lab.push(f"{head}:{MINE}")
    assert not pushed.accepted
    assert {"GK101", "GK401"} <= pushed.codes
    card = lab.scorecard(str(lab.base), head)
    assert (card.exit, card.json["properties_missing"]) == (1, [NODEID])


def test_a_missing_property_has_to_be_restored(lab: Lab) -> None:
    gone = lab.commit({**HONEST_FIX, TTL: None})
    pushed = lab.push(f"{gone}:{MINE}")
    assert pushed.exit == 1
    assert "properties REFUSED 2 findings, 1 of 2 missing" in told(pushed)
    assert lab.push(f"{lab.commit({**HONEST_FIX, TTL: TEST_TTL})}:{MINE}").accepted


def test_an_agent_that_edits_the_list_is_refused_as_for_any_contract(lab: Lab) -> None:
    pushed = lab.push(f"{lab.commit({**HONEST_FIX, LIST: SHORTENED})}:{MINE}")
    assert pushed.exit == 2
    assert "GK102" in pushed.codes
    assert "GK408" not in pushed.codes


def test_a_repository_without_a_list(lab: Lab) -> None:
    retired = b"".join(
        b'[[retired]]\nid = "%s"\nticket = "QA-1"\ndate = 2026-01-31\n' % name
        for name in (b"encoder.no_silent_truncation", b"cache.ttl_monotonic")
    )
    first = lab.commit({LIST: retired})
    assert alice(lab, first).accepted
    second = lab.commit({LIST: None}, parent=first)
    assert alice(lab, second).accepted
    card = lab.scorecard(second, lab.commit(HONEST_FIX, parent=second))
    assert card.json["updates"][0]["budgets"]["properties"] == "absent"
    assert card.json["properties_required"] is None


def test_an_unreadable_trusted_list_stops_agents_until_a_person_mends_it(lab: Lab) -> None:
    broken = PROPERTIES.replace(b"min_collected", b"min_colected")
    refused = alice(lab, lab.commit({LIST: broken}))
    assert "GK009" in refused.codes
    assert "line 1: budget.min_colected is not known" in told(refused)
    head = lab.commit({LIST: broken})
    lab.write_policy(policy().replace("enforce", "observe"))
    assert alice(lab, head).accepted
    lab.write_policy(policy())
    pushed = lab.push(f"{lab.commit(HONEST_FIX, parent=head)}:{MINE}")
    assert pushed.exit == 3
    assert "GK008" in pushed.codes
    assert alice(lab, lab.commit({LIST: PROPERTIES}, parent=head)).accepted


def test_a_person_names_a_property_and_takes_it_back_with_a_ticket(lab: Lab) -> None:
    pushed = alice(lab, named := lab.commit({LIST: PROPERTIES + WIRE}))
    assert pushed.accepted
    assert "properties held 3 of 3 collected, 1 added" in told(pushed)
    gone = lab.commit({"tests/test_encoder.py": TEST_ENCODER.replace(b"test_wire_bytes", b"test_wire")}, parent=named)
    assert "is not collected: the module does not define test_wire_bytes" in told(alice(lab, gone))
    silent = lab.commit({LIST: PROPERTIES}, 'Revert "Name the wire format"', parent=named)
    assert "GK408" in alice(lab, silent).codes
    other = lab.commit({LIST: SHORTENED}, "QA-7: shorten the list", parent=named)
    assert "GK408" in alice(lab, other).codes
    said = lab.commit({LIST: PROPERTIES}, 'Revert "Name the wire format" (QA-7)', parent=named)
    assert alice(lab, said).accepted


def test_what_lies_behind_has_deleted_nothing_unless_it_replaces_the_trusted_branch(lab: Lab) -> None:
    behind = lab.commit(HONEST_FIX)
    assert alice(lab, lab.commit({LIST: PROPERTIES + WIRE})).accepted
    assert lab.push(f"{behind}:refs/heads/feature", actor="alice").accepted
    pushed = alice(lab, behind, "--force")
    assert not pushed.accepted
    assert "encoder.wire (tests/test_encoder.py::test_wire_bytes) was deleted without a ticket" in told(pushed)


def test_a_person_hears_what_proves_little(lab: Lab) -> None:
    head = lab.commit({LIST: PROPERTIES + NEW, "tests/test_new.py": b"def test_new():\n    pass\n"})
    pushed = alice(lab, head)
    assert pushed.accepted
    assert "warning: GK403 tests/test_new.py new: " in told(pushed)
    skipped = lab.commit(
        {TTL: b"import pytest\n" + TEST_TTL.replace(b"@given", b"@pytest.mark.skip\n@given")}, parent=head
    )
    assert "warning: GK403 tests/properties/test_cache_ttl.py cache.ttl_monotonic: " in told(alice(lab, skipped))


def test_a_pinned_property_stays_what_it_is_where_agents_may_add_tests(tmp_path: Path) -> None:
    lab = Lab(tmp_path / "lab", policy=ADDITIVE)
    test = {"tests/test_new.py": b"def test_new():\n    assert len('a') == 1\n"}
    probe = lab.commit({**test, LIST: PROPERTIES + NEW})
    found = listed(lab, probe)
    head = lab.commit({**test, LIST: PROPERTIES + NEW + f'digest = "{found}"\n'.encode()})
    assert alice(lab, head).accepted
    assert alice(lab, lab.commit(HONEST_FIX, parent=head)).accepted


def listed(lab: Lab, revision: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "gatekeeper", "properties", "list", revision, "--output-format", "json"],
        cwd=lab.work,
        env=hermetic_env(lab.home, PYTHONPATH=str(CHECKOUT)),
        capture_output=True,
        check=True,
    )
    digest: str = json.loads(done.stdout)["properties"][-1]["state"]["digest"]
    return digest
