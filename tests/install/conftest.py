"""Fixtures of the installation's tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.install.kit import World

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def world(tmp_path: Path) -> World:
    """An empty directory with a home."""
    return World(tmp_path)
