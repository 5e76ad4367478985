from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.seed import TEST_ENCODER, TEST_TTL

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed

SKIPPED = b"import pytest\n\n" + TEST_TTL.replace(b"@given", b"@pytest.mark.skip(reason='slow')\n@given")
OTHER = TEST_ENCODER.replace(b"def test_a_payload", b"@pytest.mark.skip(reason='slow')\ndef test_a_payload")


def failing(lab: Lab) -> Pushed:
    """An agent skips a property, which is still collected."""
    return lab.push(f"{lab.commit({'tests/properties/test_cache_ttl.py': SKIPPED})}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """A person skips a test that no list names."""
    return lab.push(f"{lab.commit({'tests/test_encoder.py': OTHER})}:refs/heads/main", actor="alice")
