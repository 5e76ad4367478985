"""What the installer wrote into a repository, kept there so that uninstalling takes away exactly that."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from gatekeeper.errors import RepositoryError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Record:
    """One installation. ``policies`` are the SHA-256 of the texts that we wrote: any other is somebody's own."""

    version: str
    policies: tuple[str, ...] = ()
    made_hooks: bool = False


def digest(content: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(content).hexdigest()


def load(path: Path) -> Record | None:
    """The record at ``path``; None when there is none.

    Raises:
        RepositoryError: it is there and is not one.
    """
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return None
    try:
        found = json.loads(text)
        return Record(str(found["version"]), tuple(map(str, found["policies"])), bool(found["made_hooks"]))
    except (ValueError, KeyError, TypeError) as error:
        raise RepositoryError(
            f"{path} is not a record of an installation: {error}", fix=f"delete it: rm {path}"
        ) from error


def dump(record: Record) -> bytes:
    """The text of ``record``."""
    return (json.dumps(asdict(record), indent=2) + "\n").encode()
