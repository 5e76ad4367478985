"""How many examples each target tries: seconds' worth in CI, any number by the environment.

``GATEKEEPER_FUZZ=100000 pytest tests/fuzz`` runs for hours.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

WANTED = int(os.environ.get("GATEKEEPER_FUZZ", "0"))


def effort(examples: int) -> settings:
    """Settings for one target: ``examples`` of them, or what the environment asks for."""
    return settings(max_examples=WANTED or examples, suppress_health_check=[HealthCheck.too_slow])
