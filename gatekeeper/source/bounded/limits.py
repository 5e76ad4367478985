"""What a process that reads sources may use: set before it reads its first byte, by itself, for good."""

from __future__ import annotations

import ast
import codecs
import gc
import os
import resource
import sys
import unicodedata

MEMORY = 384 << 20
"""With the process that asks, a push stays within 512 MiB."""
STACK = 16 << 20
_RECURSION = 1_000
_CODECS = ("ascii", "utf-8", "utf-8-sig", "latin-1", "unicode_escape", "raw_unicode_escape")
"""Codecs are modules as well, which are looked for when they are first used."""
_PRELOADED = (ast, unicodedata)
"""The parser imports the second one by itself for a name that is not ASCII, when no file can be opened any more."""


def confine(memory: int, recursion: int = _RECURSION) -> None:
    """Have this process open no file, write no file, and use at most ``memory`` bytes, from here on."""
    os.setsid()
    for name in _CODECS:
        codecs.lookup(name)
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_STACK, STACK),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        # The stack's hard limit stays: the kernel has laid the process out already.
        resource.setrlimit(what, (value, hard if what == resource.RLIMIT_STACK else value))
    sys.setrecursionlimit(recursion)  # how deep the parser goes depends on it: fixed, never inherited
    gc.disable()  # trees hold no cycles, and the collector doubles the time of the parser


def allow_cpu(seconds: int) -> None:
    """So many more seconds from here; the kernel ends the process when they are used up."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))
