from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.lab import HONEST_FIX

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed


def failing(lab: Lab) -> Pushed:
    """A test is weakened in one commit and put back in the next."""
    weak = lab.commit({"tests/test_encoder.py": b""})
    back = lab.commit(HONEST_FIX, parent=weak)
    content = lab.original("tests/test_encoder.py")
    back = lab.commit({"tests/test_encoder.py": content}, parent=back)
    return lab.push(f"{back}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """Source is written and undone."""
    wrong = lab.commit({"src/encoder.py": b""})
    right = lab.commit(HONEST_FIX, parent=wrong)
    return lab.push(f"{right}:refs/heads/agent/case")
