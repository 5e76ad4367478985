"""The command line as a person meets it: what is printed, and which exit code it leaves."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import pytest

from gatekeeper import __version__
from gatekeeper.checks import CODES, DESCRIBED
from gatekeeper.commands.main import COMMANDS, main
from tests.support.lab import Lab

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_rule_explains_itself(code: str, capfd: Capture) -> None:
    assert main(["explain", code.lower()]) == 0
    said = capfd.readouterr().out
    assert said.startswith(f"{code}  ")
    assert "agent lane: " in said
    assert "\nWhy: " in said
    assert "\nMend: " in said


def test_an_unknown_rule(capfd: Capture) -> None:
    assert main(["explain", "GK999"]) == 3
    said = capfd.readouterr().err
    assert "no rule 'GK999'" in said
    assert "gatekeeper rules" in said


def test_the_rules_in_every_form(capfd: Capture) -> None:
    assert main(["rules"]) == 0
    text = capfd.readouterr().out
    assert [line.split()[0] for line in text.splitlines()[1:]] == [rule.code for rule in DESCRIBED]
    assert main(["rules", "--output-format", "json"]) == 0
    rows = json.loads(capfd.readouterr().out)
    assert {row["code"]: row["exit"] for row in rows}["GK102"] == 2
    assert {row["code"]: row["exit"] for row in rows}["GK006"] == 3
    assert {row["code"]: row["human"] for row in rows}["GK003"] == "off"
    assert main(["rules", "--output-format", "markdown"]) == 0
    assert capfd.readouterr().out.startswith("| rule | finding |")


def test_help_lists_every_command_and_imports_none(capfd: Capture) -> None:
    assert main(["--help"]) == 0
    said = capfd.readouterr().out
    for name in COMMANDS:
        assert f"  {name} " in said
    assert main(["--version"]) == 0
    assert __version__ in capfd.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [[], ["nope"], ["explain"], ["rules", "--colour"], ["check", "--lane", "robot"], ["policy"], ["policy", "check"]],
)
def test_wrong_usage_is_3_and_never_clicks_2(arguments: list[str], capfd: Capture) -> None:
    assert main(arguments) == 3
    said = capfd.readouterr()
    assert said.out == ""
    assert "Usage: " in said.err or "fix: " in said.err


def test_a_policy_file_is_checked(tmp_path: Path, capfd: Capture) -> None:
    file = tmp_path / "policy.toml"
    file.write_text("version = 1\n")
    assert main(["policy", "check", str(file)]) == 0
    assert f"{file} is valid" in capfd.readouterr().out
    assert main(["policy", "check", "--repository", str(file)]) == 0
    file.write_text("version = 1\nmode = 'loud'\n")
    assert main(["policy", "check", str(file)]) == 3
    said = capfd.readouterr().err
    assert "GK008" in said
    assert "mode: is 'loud'" in " ".join(said.split())
    file.write_text("version = 1\nmode = 'observe'\n")
    assert main(["policy", "check", "--repository", str(file)]) == 3
    assert main(["policy", "check", str(tmp_path / "absent")]) == 3
    assert "no policy file" in capfd.readouterr().err


def shown(text: str) -> dict[str, str]:
    return {line[:18].strip(): line[18:].strip() for line in text.splitlines()}


def test_the_effective_policy_of_a_server(lab: Lab, capfd: Capture) -> None:
    assert main(["policy", "show", "--repo", str(lab.bare)]) == 0
    rows = shown(capfd.readouterr().out)
    assert rows["mode"] == "enforce"
    assert rows["identity"] == "ssh"
    assert rows["humans"] == "1 named"
    assert rows["trusted ref"] == f"refs/heads/main {str(lab.base)[:12]}"
    assert rows["writable"] == "src/**"
    assert rows["repository policy"] == "none"
    assert "alice" not in rows.values()


def test_the_repositorys_own_policy_shows(lab: Lab, capfd: Capture) -> None:
    tight = lab.commit(
        {"contracts/policy.toml": b'version = 1\n[paths]\nwritable = ["src/pkg/**"]\n[limits]\npaths = 7\n'}
    )
    assert lab.push(f"{tight}:refs/heads/main", actor="alice").accepted
    assert main(["policy", "show", "--repo", str(lab.bare)]) == 0
    rows = shown(capfd.readouterr().out)
    assert rows["writable"] == "src/** and src/pkg/**"
    assert rows["limits"].startswith("paths 7,")
    assert rows["repository policy"] == "contracts/policy.toml"


def test_a_clone_shows_what_its_remote_trusts(lab: Lab, capfd: Capture) -> None:
    assert main(["policy", "show", "--repo", str(lab.work)]) == 0
    rows = shown(capfd.readouterr().out)
    assert rows["trusted ref"] == f"refs/remotes/origin/main {str(lab.base)[:12]}"
    assert rows["identity"] == "none"


def test_an_empty_repository_has_a_policy_too(tmp_path: Path, capfd: Capture) -> None:
    lab = Lab(tmp_path, files={})
    assert main(["policy", "show", "--repo", str(lab.bare)]) == 0
    rows = shown(capfd.readouterr().out)
    assert rows["trusted ref"] == "refs/heads/main (does not exist yet)"
    assert rows["writable"] == "nothing"


def test_the_published_policy_names_nobody(lab: Lab, capfd: Capture) -> None:
    assert main(["policy", "show", "--public", "--repo", str(lab.bare)]) == 0
    text = capfd.readouterr().out
    assert tomllib.loads(text) == {"version": 1, "mode": "enforce", "additions": "allow"}


def test_no_repository(tmp_path: Path, capfd: Capture) -> None:
    assert main(["policy", "show", "--repo", str(tmp_path)]) == 3
    assert "no git repository" in capfd.readouterr().err
