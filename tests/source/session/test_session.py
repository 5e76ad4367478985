from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gatekeeper.source.collection.items import Invocation
from gatekeeper.source.collection.session import Session
from tests.source.session.layouts import LAYOUTS
from tests.source.session.real import ask, memory, pytests, varying, version_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.source.session.real import Case


def run(case: Case, version: tuple[int, int]) -> tuple[list[str], list[str]]:
    session = Session(memory(case.files), Invocation(case.cwd, tuple(case.args), pytest=version, addopts=case.addopts))
    collected = session.collect()
    return [name for found in collected.found for name in found.nodeids], [error.path for error in collected.errors]


@pytest.mark.parametrize("python", pytests())
def test_collects_what_pytest_collects(tmp_path: Path, python: str) -> None:
    version = version_of(python, tmp_path)
    cases = varying(LAYOUTS, version, run)
    real = ask(cases, tmp_path, python)
    ours = {name: run(case, version) for name, case in cases.items()}
    differ = {
        name: (found, errors, real[name].nodeids, real[name].errors, real[name].crashed)
        for name, (found, errors) in ours.items()
        if list(dict.fromkeys(found)) != real[name].collected
        or bool(errors) != bool(real[name].errors or real[name].code == 4)
    }
    assert differ == {}
