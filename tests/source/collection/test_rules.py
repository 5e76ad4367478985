"""Every rule of the table as the installed pytest has it, and as those that GATEKEEPER_TEST_PYTESTS names have it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from tests.source.collection.oracle import Real, ask, collect
from tests.source.collection.table import REORDERED, RULES, SINCE

if TYPE_CHECKING:
    from pathlib import Path

INTERPRETERS = [sys.executable, *filter(None, os.environ.get("GATEKEEPER_TEST_PYTESTS", "").split(os.pathsep))]
EVERY = {**RULES, **REORDERED}


@pytest.fixture(scope="module", params=INTERPRETERS, ids=range(len(INTERPRETERS)))
def real(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Real:
    folder: Path = tmp_path_factory.mktemp("rules")
    return ask(request.param, EVERY, folder)


@pytest.mark.parametrize("name", EVERY)
def test_as_pytest_collects_it(real: Real, name: str) -> None:
    if real.pytest < SINCE.get(name, (0, 0)):
        pytest.skip("this pytest has no such thing")
    ours = collect(name, EVERY[name], real.pytest, real.python)
    theirs = real.nodeids.get(name, [])
    assert ours.unknown == []
    if name in REORDERED:
        assert sorted(ours.nodeids) == sorted(theirs)
    else:
        assert ours.nodeids == theirs
    assert len(ours.errors) == len(real.errors.get(name, [])), ours.errors
