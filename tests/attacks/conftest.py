"""The seed repository is made once a session; every case fights over a copy of it."""

from __future__ import annotations

import pytest

from tests.attacks.arena import Quarry, open_quarry


@pytest.fixture(scope="session")
def quarry(tmp_path_factory: pytest.TempPathFactory) -> Quarry:
    """The seed with the gate installed."""
    return open_quarry(tmp_path_factory.mktemp("quarry"))
