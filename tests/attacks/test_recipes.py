"""The recipes do what they say: without the gate git takes every one of these pushes; and no row is missing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.attacks.arena import AROUND_THE_HOOK, Arena
from tests.attacks.everything import ATTACKS, CONTROLS
from tests.support.git import Git

if TYPE_CHECKING:
    from pathlib import Path

    from tests.attacks.arena import Quarry
    from tests.attacks.catalogue import Row

GIT_ROWS = (
    "01 01b 02 03 04 05 06 07 08 09 10 11 11b 12 14 15 16 17 18 19 20 21 22 23 24 25 26 27 29 30 31 32 33 34 36 37 39 "
    "40 42 43 44 47"
)
RUNNER_ROWS = "01 02 03 04 05 06 07 08 09 10 11 11b 15 17 18 20"
CI_ROWS = "01 02 03 05 07"


def _ids(rows: tuple[Row, ...]) -> list[str]:
    return [row.id for row in rows]


def test_every_row_of_the_catalogue_is_here_and_sixty_more_are() -> None:
    wanted = {
        f"{letter}{n}" for letter, row in zip("GPC", (GIT_ROWS, RUNNER_ROWS, CI_ROWS), strict=True) for n in row.split()
    }
    named = Counter(_ids((*ATTACKS, *CONTROLS)))
    assert not wanted - named.keys()
    assert [row for row, times in named.items() if times > 1] == []
    assert len(ATTACKS) >= len(wanted) + 60


@pytest.mark.parametrize("row", [*ATTACKS, *CONTROLS], ids=_ids((*ATTACKS, *CONTROLS)))
def test_without_the_gate_git_takes_it(row: Row, quarry: Quarry, tmp_path: Path) -> None:
    arena = Arena(quarry, row, tmp_path)
    if arena.attempt.via == "wire":
        # git may still refuse the ref or miss an object, but only after the hook: the objects have arrived
        (arena.server / "hooks/pre-receive").unlink()
        assert arena.push().report[0] == b"unpack ok"
        return
    outcome = arena.push("--quiet", AROUND_THE_HOOK)
    assert outcome.accepted
    assert arena.refs_now() == arena.refs_wanted()


@pytest.mark.parametrize("row", CONTROLS, ids=_ids(CONTROLS))
def test_git_finds_no_fault_in_an_honest_push(row: Row, quarry: Quarry, tmp_path: Path) -> None:
    arena = Arena(quarry, row, tmp_path)
    assert arena.push(AROUND_THE_HOOK).accepted
    fsck = Git(arena.server, tmp_path).run("fsck", "--strict", "--no-dangling", "--no-progress")
    assert (fsck.returncode, fsck.stderr) == (0, "")
