"""The README says what the code says."""

from __future__ import annotations

import json
import re
import tomllib

from gatekeeper.checks import CODES
from gatekeeper.commands.main import COMMANDS
from gatekeeper.commands.rules import markdown as rules_table
from gatekeeper.contracts.properties import read_properties
from gatekeeper.policy import defaults
from gatekeeper.policy.parse import parse_policy
from gatekeeper.render.table import ROWS
from gatekeeper.render.table import markdown as decision_table
from tests.support.lab import CHECKOUT

README = (CHECKOUT / "README.md").read_text(encoding="utf-8")


def test_the_rule_table_is_generated() -> None:
    assert rules_table() in README


def test_the_decision_table_is_generated() -> None:
    assert decision_table() in README


def examples() -> list[str]:
    return [text.split("```")[0] for text in README.split("```toml\n")[1:]]


def test_the_property_example_is_a_valid_list_with_every_key() -> None:
    text = next(text for text in examples() if text.startswith("[budget]"))
    assert read_properties(text.encode()).faults == ()
    tables = json.loads((CHECKOUT / "contracts_schema/properties.schema.json").read_text())["properties"]
    said = tomllib.loads(text)
    for name, table in tables.items():
        row = said[name][0] if table["type"] == "array" else said[name]
        assert row.keys() == table.get("items", table)["properties"].keys()


def test_the_policy_example_is_a_valid_policy_with_the_default_numbers() -> None:
    text = next(text for text in examples() if text.startswith("version"))
    layer = parse_policy(
        text.replace("human = []   ", 'human = ["a"]').replace('"none"', '"ssh"').encode(),
        "README",
        codes=CODES,
        server=True,
    )
    assert dict(layer.limits) == defaults.LIMITS
    assert dict(layer.locations) == defaults.LOCATIONS
    assert tomllib.loads(text)["deadline"] == defaults.DEADLINE


def test_every_code_and_command_that_it_names_exists() -> None:
    assert set(re.findall(r"GK\d{3}", README)) <= CODES
    assert set(re.findall(r"`gatekeeper ([a-z]+)", README)) <= set(COMMANDS)


def test_every_rule_leads_to_a_row_of_the_decision_table() -> None:
    for code in CODES:
        assert any(code.startswith(prefix) for row in ROWS for prefix in row.codes), code
