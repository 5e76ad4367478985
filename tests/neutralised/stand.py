"""The fingerprints of a tree that is given as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatekeeper.source.collection.items import Invocation
from gatekeeper.source.collection.session import Session
from gatekeeper.source.files import MemoryFiles
from gatekeeper.source.fingerprint.closure import Prints

if TYPE_CHECKING:
    from collections.abc import Mapping


def prints(files: Mapping[str, str], args: tuple[str, ...] = ()) -> Prints:
    """A session over the files, which surrogate escapes and all are bytes in the tree."""
    data = MemoryFiles({path: text.encode("utf-8", "surrogateescape") for path, text in files.items()})
    return Prints(Session(data, Invocation(args=args, plugins=("hypothesis",))))
