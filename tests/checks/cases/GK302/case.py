from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.lab import Lab, Pushed

API = b"def encode(text, strict=False):\n    return text.encode()\n"
ALLOWED = b"def encode(text):\n    return text.encode()\n"
FURTHER = b"def encode():\n    return b''\n"


def _allowed(lab: Lab) -> str:
    """A trusted commit whose allow file has the row for one move of the API, as the refusal printed it."""
    base = lab.commit({"src/codec.py": API})
    assert lab.push(f"{base}:refs/heads/main", actor="alice").accepted
    head = lab.commit({"src/codec.py": ALLOWED}, parent=base)
    (finding,) = lab.scorecard(base, head).json["updates"][0]["findings"]
    row = finding["fix"].partition("contract.allow: ")[2].replace("TICKET why", "API-1 nobody is lenient")
    trusted = lab.commit({"contracts/contract.allow": row.encode() + b"\n"}, parent=base)
    assert lab.push(f"{trusted}:refs/heads/main", actor="alice").accepted
    return trusted


def failing(lab: Lab) -> Pushed:
    """The row allows one move; the push makes a worse one of the same function."""
    head = lab.commit({"src/codec.py": FURTHER}, parent=_allowed(lab))
    return lab.push(f"{head}:refs/heads/agent/case")


def passing(lab: Lab) -> Pushed:
    """The push makes exactly the move that the row allows."""
    head = lab.commit({"src/codec.py": ALLOWED}, parent=_allowed(lab))
    return lab.push(f"{head}:refs/heads/agent/case")
