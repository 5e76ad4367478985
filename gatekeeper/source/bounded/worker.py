"""The process that parses: limited before it reads its first byte, fed through a pipe, gone when its parent is.

It is started as ``python -I -S`` with nothing open but its pipes. For each request (a line ``name-length is-package
is-stub version blob-length``, the module's name, the blob) it answers a line with a length and that many bytes of JSON:
the facts of the source, or where a version of Python is given, the summary of its imports and its skeleton for the
functions that the module's name lists; or where that is :data:`PARTS`, what it defines.
"""

from __future__ import annotations

import os
from json import dumps

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.bounded.limits import MEMORY, allow_cpu, confine
from gatekeeper.source.evaluate.skeleton import skeleton
from gatekeeper.source.facts.module import facts
from gatekeeper.source.facts.precheck import Unreadable, read_tree
from gatekeeper.source.imports.outline import outline_source
from gatekeeper.source.imports.summary import LAZY, summarise, summarise_source
from gatekeeper.source.rows import unreadable

if TYPE_CHECKING:
    from typing import Any, BinaryIO

    Outline = tuple[dict[str, Any] | None, str, tuple[str, ...]]

BLOB_SECONDS = 5
PARTS = 1
"""In place of a version: what is asked for is what the source defines."""
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
    if version == PARTS:
        parts = outline_source(blob)
        data, healthy = dumps(parts, separators=(",", ":")).encode("ascii"), parts is not None
    elif version:
        data, healthy = _outline(blob, divmod(version, MINORS), frozenset(module.split("\n")))
    else:
        data, healthy = _read(module, bool(is_package), bool(stub), blob)
    answers.write(b"%d\n" % len(data))
    answers.write(data)
    answers.flush()
    # After one that exhausted the memory the next must not be judged by what is left of it.
    return healthy


def _outline(blob: bytes, python: tuple[int, int], ran: frozenset[str]) -> tuple[bytes, bool]:
    try:
        tree = read_tree(blob)
    except (Unreadable, RecursionError, MemoryError):
        found: Outline = (summarise_source(blob, python=python), "", ())
        return dumps(found).encode("ascii"), False
    found = (summarise(tree, blob, lazy=python >= LAZY), *skeleton(tree, ran))
    return dumps(found, separators=(",", ":"), check_circular=False).encode("ascii"), True


def _read(module: str, is_package: bool, stub: bool, blob: bytes) -> tuple[bytes, bool]:
    try:
        found = facts(module, is_package, stub, blob)
        text = dumps(found, separators=(",", ":"), check_circular=False)
        return text.encode("ascii"), found.get("error") != "too-deep"
    except (MemoryError, RecursionError):
        found = unreadable(module, is_package, stub, "too-deep", blob)
        return dumps(found).encode("ascii"), False
