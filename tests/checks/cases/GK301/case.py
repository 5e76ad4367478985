from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed

API = b"def encode(text: str, strict: bool = False) -> bytes:\n    return text.encode()\n"


def failing(lab: Lab) -> Pushed:
    """An optional parameter is gone: callers that name it break."""
    base = lab.commit({"src/codec.py": API})
    assert lab.push(f"{base}:refs/heads/main", actor="alice").accepted
    head = lab.commit({"src/codec.py": API.replace(b", strict: bool = False", b"")}, parent=base)
    return lab.push(f"{head}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """The body changes, the signature does not."""
    base = lab.commit({"src/codec.py": API})
    assert lab.push(f"{base}:refs/heads/main", actor="alice").accepted
    head = lab.commit({"src/codec.py": API.replace(b"encode()", b"encode('utf-8')")}, parent=base)
    return lab.push(f"{head}:refs/heads/agent/case")
