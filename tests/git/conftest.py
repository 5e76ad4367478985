"""The repository that most tests of the stores start from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.git.repos import make

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.git import Git


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """An empty bare SHA-1 repository."""
    return make(tmp_path, "sha1")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    return place
