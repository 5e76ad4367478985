"""The scorecard as JSON holds its frozen schema, whatever is in it, and loses nothing that a reader needs."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from gatekeeper.checks import CODES
from gatekeeper.judged import Judgement
from gatekeeper.model import AGENT, Actor, Finding, RefUpdate
from gatekeeper.render.json_v1 import VERSION, render_json, scorecard
from gatekeeper.render.table import ROWS, applies, markdown, render_table
from gatekeeper.render.text import WIDTH
from gatekeeper.verdict import HELD, NOT_JUDGED, Scorecard, Verdict, budget_states
from tests.fuzz.effort import effort
from tests.render.cards import BUDGETS, CARDS
from tests.support.lab import CHECKOUT

SCHEMA = Draft202012Validator(json.loads((CHECKOUT / "contracts_schema/scorecard-v1.schema.json").read_text()))


def card(*findings: Finding, new: bytes | None = b"\x01" * 20, write_block: str = HELD) -> Scorecard:
    judged = {**dict.fromkeys(BUDGETS, NOT_JUDGED), "write-block": write_block, "refs": HELD}
    states = budget_states(judged, findings)
    update = RefUpdate(b"refs/heads/agent/x", None, new)
    verdict = Verdict(update, AGENT, b"refs/heads/main", b"\x02" * 20, None, states, findings)
    return Scorecard(Actor("bot", "ssh"), "enforce", (verdict,))


@effort(120)
@given(CARDS)
def test_every_card_holds_the_schema(each: Scorecard) -> None:
    text = render_json(each)
    assert text.endswith("}\n")
    assert text.isascii()
    document = json.loads(text)
    assert json.dumps(document, indent=2, sort_keys=True) + "\n" == text
    SCHEMA.validate(document)
    assert document["exit"] == each.judged
    assert (document["verdict"] == "held") == (each.judged == 0)
    assert [row["exit"] for row in document["updates"]] == [verdict.exit for verdict in each.verdicts]
    for row, verdict in zip(document["updates"], each.verdicts, strict=True):
        paths = [None if f["path_hex"] is None else bytes.fromhex(f["path_hex"]) for f in row["findings"]]
        assert paths == [finding.path for finding in verdict.findings]
        assert all(f["message"].isprintable() and f["fix"].isprintable() for f in row["findings"])


def test_the_keys_of_both_seeds_stand_at_the_top() -> None:
    document = scorecard(card())
    assert document["version"] == VERSION == 1
    assert document["contract_files_untouched"] is True
    seeds = ("properties_required", "properties_missing", "fixture_hash_ok", "flake_remaining")
    assert [document[key] for key in seeds] == [None] * 4
    assert "error" not in document


def test_over_several_refs_missing_properties_are_joined() -> None:
    one, two, none = card().verdicts[0], card().verdicts[0], card().verdicts[0]
    one = one._replace(suite=Judgement(True, 3, ("t.py::b", "t.py::a"), 1, ("c",)))
    two = two._replace(suite=Judgement(True, 2, ("t.py::a",), 1))
    document = json.loads(render_json(card()._replace(verdicts=(one, two, none))))
    SCHEMA.validate(document)
    assert (document["properties_required"], document["properties_missing"]) == (3, ["t.py::a", "t.py::b"])
    assert [row["properties"] for row in document["updates"]] == [
        {"required": 3, "collected": 1, "missing": ["t.py::b", "t.py::a"], "credit": ["c"]},
        {"required": 2, "collected": 1, "missing": ["t.py::a"], "credit": []},
        None,
    ]


def test_a_contract_edit_is_told_as_the_seed_tells_it() -> None:
    document = scorecard(card(Finding("GK102", "contract file changed", b"contracts/fixtures.lock")))
    assert document["exit"] == 2
    assert document["error"] == "agent_touched_contracts"
    assert document["changed"] == ["contracts/fixtures.lock"]
    assert document["contract_files_untouched"] is False


@pytest.mark.parametrize(
    ("each", "untouched"),
    [
        (card(), True),
        (card(Finding("GK101", "protected file changed", b"tests/a")), True),
        (card(Finding("GK006", "object is missing")), None),
        (card(write_block=NOT_JUDGED), None),
        (card(new=None), None),
    ],
)
def test_untouched_needs_a_judgement(each: Scorecard, untouched: bool | None) -> None:
    assert scorecard(each)["contract_files_untouched"] is untouched


@effort(60)
@given(CARDS)
def test_a_row_of_the_table_applies_to_every_card(each: Scorecard) -> None:
    row = applies(each)
    assert (row is ROWS[0]) == (each.judged == 0)
    shown = render_table(each)
    assert sum(line.startswith(">") for line in shown.splitlines()) == 1
    assert max(map(len, shown.splitlines())) <= WIDTH
    assert shown.isascii()


@pytest.mark.parametrize(
    ("code", "observed"),
    [
        ("GK101", "tests, configuration or links written"),
        ("GK102", "contract path written in the agent lane"),
        ("GK003", "branch older than the trusted tests"),
        ("GK008", "no verdict"),
        ("GK007", "object or contract malformed, or over a limit"),
        ("GK205", "ref not open to the lane"),
        ("GK301", "public API moved, no allow row"),
    ],
)
def test_which_row(code: str, observed: str) -> None:
    row = applies(card(Finding(code, "x")))
    assert row.observed == observed
    assert row.exit == card(Finding(code, "x")).judged


def test_every_rule_has_a_row() -> None:
    for code in CODES:
        assert applies(card(Finding(code, "x"))).exit == card(Finding(code, "x")).judged


def test_the_readme_prints_every_row() -> None:
    assert len(markdown().splitlines()) == len(ROWS) + 2
    assert all(row.action in markdown() for row in ROWS)
