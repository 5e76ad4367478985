"""The process that parses: limited before it reads its first byte, fed through a pipe, gone when its parent is.

It is started as ``python -I -S`` with nothing open but its pipes. For each request (a line ``name-length is-package
is-stub blob-length``, the module's name, the blob) it answers a line with a length and that many bytes of JSON.
"""

from __future__ import annotations

import ast
import codecs
import gc
import os
import resource
import sys
import unicodedata
from json import dumps

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.module import facts
from gatekeeper.source.rows import unreadable

if TYPE_CHECKING:
    from typing import BinaryIO

MEMORY = 384 << 20
"""With the process that asks, a push stays within 512 MiB."""
STACK = 16 << 20
BLOB_SECONDS = 5
GREETING = b"gatekeeper reader 1\n"
_RECURSION = 1_000
_PRELOADED = (ast, unicodedata)
"""The parser imports the second one by itself for a name that is not ASCII, when no file can be opened any more."""


def main() -> None:
    """Limit this process, then answer until the pipe closes."""
    os.setsid()
    for name in ("ascii", "utf-8", "utf-8-sig", "latin-1"):
        codecs.lookup(name)
    source, answers = os.fdopen(0, "rb"), os.fdopen(1, "wb")
    _limit()
    sys.setrecursionlimit(_RECURSION)  # how deep the parser goes depends on it: fixed, never inherited
    gc.disable()  # trees hold no cycles, and the collector doubles the time of the parser
    answers.write(GREETING)
    answers.flush()
    while _answer(source, answers):
        pass


def _limit() -> None:
    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_STACK, STACK),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        # The stack's hard limit stays: the kernel has laid the process out already.
        resource.setrlimit(what, (value, hard if what == resource.RLIMIT_STACK else value))


def _answer(source: BinaryIO, answers: BinaryIO) -> bool:
    header = source.readline().split()
    if not header:
        return False
    name_length, is_package, stub, length = map(int, header)
    module = source.read(name_length).decode("utf-8", "surrogateescape")
    blob = source.read(length)
    _allow_cpu()
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


def _allow_cpu() -> None:
    """Some more seconds from here; the kernel ends the process when they are used up."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = int(used.ru_utime + used.ru_stime) + 1 + BLOB_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))
