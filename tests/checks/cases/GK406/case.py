from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.seed import PROPERTIES

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed

RAISED = PROPERTIES.replace(b"min_collected = 2", b"min_collected = 3")
THIRD = b"""
[[property]]
id = "encoder.wire"
module = "tests/test_encoder.py"
nodeid = "tests/test_encoder.py::test_wire_bytes"
"""


def failing(lab: Lab) -> Pushed:
    """A person asks for three properties where two are named."""
    head = lab.commit({"contracts/properties.toml": RAISED})
    return lab.push(f"{head}:refs/heads/main", actor="alice")


def passing(lab: Lab) -> Pushed:
    """The third is named in the same push."""
    head = lab.commit({"contracts/properties.toml": RAISED + THIRD})
    return lab.push(f"{head}:refs/heads/main", actor="alice")
