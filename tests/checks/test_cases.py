"""Every rule has a case that it refuses and a near one that it lets pass, each a real push through the hook."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gatekeeper.checks import ALL, CODES, DESCRIBED, FAULTS
from tests.support.lab import DEFAULT_POLICY, PROPERTIES_ASIDE, Lab

if TYPE_CHECKING:
    from tests.support.lab import Pushed

CASES = Path(__file__).parent / "cases"
CHECKS = Path(__file__).resolve().parents[2] / "gatekeeper" / "checks"


def load(code: str) -> Any:
    spec = spec_from_file_location(f"case_{code}", CASES / code / "case.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def names(code: str, pushed: Pushed) -> bool:
    """Whether the refusal names the rule, in the rule's own words where its case asks for them."""
    says = getattr(load(code), "SAYS", "")
    return code in pushed.codes and says in " ".join(pushed.remote)


def test_every_rule_has_its_cases() -> None:
    assert {folder.name for folder in CASES.iterdir() if folder.name != "__pycache__"} == CODES


def test_every_rule_is_listed_once_and_explained() -> None:
    assert len({rule.code for rule in DESCRIBED}) == len(ALL) + len(FAULTS)
    for rule in DESCRIBED:
        assert "Why: " in rule.page, rule.code
        assert "Mend: " in rule.page, rule.code
    declared = sum(path.read_text().count('rule("GK') for path in CHECKS.glob("*.py"))
    assert declared == len(DESCRIBED)


def policy_for(code: str) -> str:
    """Properties cost a worker more: only their own rules are tried with them."""
    return DEFAULT_POLICY if code.startswith("GK4") else PROPERTIES_ASIDE


@pytest.fixture
def lab(tmp_path: Path, code: str) -> Lab:
    return Lab(tmp_path, policy=policy_for(code))


@pytest.mark.parametrize("code", sorted(CODES))
def test_refused(lab: Lab, code: str) -> None:
    pushed = load(code).failing(lab)
    assert names(code, pushed), pushed.result.stderr
    assert not pushed.accepted, pushed.result.stderr


@pytest.mark.parametrize("code", sorted(CODES))
def test_passes(lab: Lab, code: str) -> None:
    pushed = load(code).passing(lab)
    assert pushed.accepted, pushed.result.stderr
    assert code not in pushed.codes
