"""Trees of small packages, what is said of importing from them, and what Python makes of it."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from typing import TYPE_CHECKING

from gatekeeper.source.files import MemoryFiles
from gatekeeper.source.imports.find import Finder
from gatekeeper.source.imports.resolve import Start, Unresolved, unresolved
from gatekeeper.source.imports.summary import summarise_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

Tree = dict[str, str]

_DRIVER = r"""
import json, os, sys
sys.dont_write_bytecode = True
for line in sys.stdin:
    root, names, site = json.loads(line)
    read, write = os.pipe()
    child = os.fork()
    if not child:
        sys.path[:0] = [root]
        sys.path += site
        said = {}
        for name in names:
            try:
                __import__(name)
            except BaseException as error:
                said[name] = [type(error).__name__, str(error)]
        os.write(write, json.dumps(said).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        print(pipe.read().decode())
    os.waitpid(child, 0)
"""


def really(cases: Iterable[tuple[Path, Sequence[str]]], *, site: str | None = None) -> list[dict[str, list[str]]]:
    """What importing the modules from each directory raises, one process a case: module to kind and message.

    ``site`` is a directory of what they need besides themselves.
    """
    more = [] if site is None else [site]
    lines = "".join(json.dumps([str(root), list(names), more]) + "\n" for root, names in cases)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _DRIVER], input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def write(tree: Mapping[str, str], root: Path) -> Path:
    """Write a tree below a directory."""
    for path, text in tree.items():
        full = root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text, encoding="utf-8")
    return root


summary = functools.cache(functools.partial(summarise_source, python=sys.version_info[:2]))


def said(
    tree: Mapping[str, str], names: Sequence[str] = ("t",), *, existed: Callable[[str], bool] = lambda _name: False
) -> list[Unresolved]:
    """What is unresolved when modules of a tree are imported."""
    files = MemoryFiles({path: text.encode() for path, text in tree.items()})
    find = Finder(files.kind, [""])
    starts = [Start(name, path) for name in names if (path := find(name)) is not None]

    def summary_of(path: str) -> dict[str, object] | None:
        data = files.read(path)
        return None if data is None else summary(data)

    return unresolved(starts, summary_of, find, existed=existed)
