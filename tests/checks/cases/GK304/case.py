from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed

API = b"def encode(text):\n    return text.encode()\n"


def failing(lab: Lab) -> Pushed:
    """A module that answers for any name."""
    base = lab.commit({"src/codec.py": API})
    assert lab.push(f"{base}:refs/heads/main", actor="alice").accepted
    head = lab.commit({"src/codec.py": API + b"\n\ndef __getattr__(name):\n    return None\n"}, parent=base)
    return lab.push(f"{head}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """A private helper of the same shape."""
    base = lab.commit({"src/codec.py": API})
    assert lab.push(f"{base}:refs/heads/main", actor="alice").accepted
    head = lab.commit({"src/codec.py": API + b"\n\ndef _getattr(name):\n    return None\n"}, parent=base)
    return lab.push(f"{head}:refs/heads/agent/case")
