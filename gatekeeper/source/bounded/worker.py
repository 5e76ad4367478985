"""The process that parses: limited before it reads its first byte, fed through a pipe, gone when its parent is.

It is started as ``python -I -S`` with nothing open but its pipes. For each request (a line ``name-length is-package
is-stub version blob-length``, the module's name, the blob) it answers a line with a length and that many bytes of JSON:
the facts of the source, or where a version of Python is given, the summary of its imports.
"""

from __future__ import annotations

import os
from json import dumps

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.bounded.limits import MEMORY, allow_cpu, confine
from gatekeeper.source.facts.module import facts
from gatekeeper.source.imports.summary import summarise_source
from gatekeeper.source.rows import unreadable

if TYPE_CHECKING:
    from typing import BinaryIO

BLOB_SECONDS = 5
MINORS = 1000
"""What a version's first number is multiplied with, to say it in one number."""
GREETING = b"gatekeeper reader 1\n"


def main() -> None:
    """Limit this process, then answer until the pipe closes."""
    source, answers = os.fdopen(0, "rb"), os.fdopen(1, "wb")
    confine(MEMORY)
    answers.write(GREETING)
    answers.flush()
    while _answer(source, answers):
        pass


def _answer(source: BinaryIO, answers: BinaryIO) -> bool:
    header = source.readline().split()
    if not header:
        return False
    name_length, is_package, stub, version, length = map(int, header)
    module = source.read(name_length).decode("utf-8", "surrogateescape")
    blob = source.read(length)
    allow_cpu(BLOB_SECONDS)
    if version:
        found = summarise_source(blob, python=divmod(version, MINORS))
        data, healthy = dumps(found, separators=(",", ":"), check_circular=False).encode("ascii"), found is not None
    else:
        data, healthy = _read(module, bool(is_package), bool(stub), blob)
    answers.write(b"%d\n" % len(data))
    answers.write(data)
    answers.flush()
    # After one that exhausted the memory the next must not be judged by what is left of it.
    return healthy


def _read(module: str, is_package: bool, stub: bool, blob: bytes) -> tuple[bytes, bool]:
    try:
        found = facts(module, is_package, stub, blob)
        text = dumps(found, separators=(",", ":"), check_circular=False)
        return text.encode("ascii"), found.get("error") != "too-deep"
    except (MemoryError, RecursionError):
        found = unreadable(module, is_package, stub, "too-deep", blob)
        return dumps(found).encode("ascii"), False
