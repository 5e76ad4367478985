"""What every test shares: a hermetic environment, repeatable properties, and a lab to push in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.support.git import hermetic_env
from tests.support.lab import Lab

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# A deadline would judge the machine, not the code.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session", autouse=True)
def hermetic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No git, gate or Python setting of the host reaches a test, nor a process that a test starts."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith(("GIT_", "GATEKEEPER_", "PYTHON", "XDG_")) or name == "REMOTE_USER":
                patch.delenv(name)
        for name, value in hermetic_env(tmp_path_factory.mktemp("home")).items():
            patch.setenv(name, value)
        yield


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """Build a bare SHA-1 repository with the gate and the seed project, and a clone of it."""
    return Lab(tmp_path)
