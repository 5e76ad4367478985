"""Every attack is pushed for real against the hook and refused by name; every control goes through."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.attacks.arena import Arena
from tests.attacks.everything import ATTACKS, CONTROLS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.attacks.arena import Quarry
    from tests.attacks.catalogue import Row


@pytest.mark.parametrize("row", ATTACKS, ids=[row.id for row in ATTACKS])
def test_attack_is_refused_by_its_own_rule(row: Row, quarry: Quarry, tmp_path: Path) -> None:
    arena = Arena(quarry, row, tmp_path)
    outcome = arena.push()
    named = set(re.findall(r"\bGK\d{3}\b", outcome.said))
    assert not outcome.accepted
    # the text has twenty lines, so it may leave rules out; it may not name others
    assert named, outcome.said
    assert named <= row.codes, outcome.said
    assert arena.refs_now() == arena.refs


@pytest.mark.parametrize("row", CONTROLS, ids=[row.id for row in CONTROLS])
def test_honest_push_goes_through(row: Row, quarry: Quarry, tmp_path: Path) -> None:
    arena = Arena(quarry, row, tmp_path)
    outcome = arena.push()
    assert outcome.accepted, outcome.said
    assert "GK" not in outcome.said
    assert arena.refs_now() == arena.refs_wanted()
