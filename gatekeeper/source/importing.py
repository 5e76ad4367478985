"""Outlines of sources: can the modules of the properties still be imported, and do their values look the same?

What importing them in a trusted tree depends on is kept with it. A push whose sources say the same as before, their
bodies aside, cannot break an import; for any other one all is gone through again, without parsing what did not change.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.errors import LimitExceeded
from gatekeeper.model import FILE
from gatekeeper.source.gitfiles import TreeFiles
from gatekeeper.source.imports.closure import Tree as Imported
from gatekeeper.source.imports.closure import closure, read
from gatekeeper.source.imports.form import FORM
from gatekeeper.source.outlines import Skeleton

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from gatekeeper.source.bounded.reader import SourceReader
    from gatekeeper.source.cache import Cache
    from gatekeeper.source.gitfiles import Tree
    from gatekeeper.source.imports.closure import Closure
    from gatekeeper.source.imports.resolve import Start, Unresolved

    Summary = dict[str, Any]

_KIND = 0o170000


class Starts(NamedTuple):
    """The modules that pytest imports, the directories on ``sys.path``, and the version of Python."""

    modules: tuple[Start, ...]
    roots: tuple[str, ...]
    python: tuple[int, int]


class Importing:
    """Follows imports in trees.

    Args:
        cache: where closures and summaries of trusted trees are kept; None makes them again.
        reader: gives what reads sources, when the first one has to be read.
        ran: the functions that count in the skeleton of a source, by its path.
    """

    def __init__(
        self, cache: Cache | None, reader: Callable[[], SourceReader], ran: Mapping[str, Sequence[str]]
    ) -> None:
        self._cache = cache
        self._reader = reader
        self._ran = ran
        self._summaries: dict[str, Summary | None] = {}
        self._skeletons: dict[tuple[str, str], Skeleton] = {}

    def skeleton(self, tree: Tree, path: str, python: tuple[int, int]) -> Skeleton:
        """How a source looks to those who evaluated it; an empty digest where that cannot be told."""
        files = TreeFiles(tree)
        entry = files.entry(path)
        if entry is None:
            return Skeleton()
        oid = entry.oid.hex()
        if (path, oid) not in self._skeletons:
            self._summaries[oid] = self._read(files, path, python)
        return self._skeletons.get((path, oid), Skeleton())

    def closure(self, tree: Tree, name: str, starts: Starts) -> Closure:
        """What importing depends on in a trusted tree; kept under the tree's ``name``, with all summaries of it."""
        key = _key(name, starts)
        kept = None if self._cache is None else self._cache.get(key)
        found = None if kept is None else read(json.loads(kept))
        if found is None:
            made: dict[str, Summary | None] = {}
            found = closure(starts.modules, starts.roots, self._imported(tree, starts.python, made))
            if self._cache is not None:
                self._cache.put(key, json.dumps(found.said()).encode("ascii"))
                self._cache.put(f"{key}-sources", json.dumps(made).encode("ascii"))
        return found

    def broken(
        self, before: Closure, tree: Tree, name: str, was: Starts, starts: Starts, changed: Iterable[str]
    ) -> list[Unresolved]:
        """The imports that fail in a pushed tree and did not fail in the trusted one of ``before``."""
        changed = list(changed)
        here = self._imported(tree, starts.python, {})
        if starts.modules == before.starts and before.stands(changed, here):
            return []
        kept = None if self._cache is None else self._cache.get(f"{_key(name, was)}-sources")
        if kept is not None:
            self._summaries = {**json.loads(kept), **self._summaries}
        return before.broken(starts.modules, changed, here)

    def _imported(self, tree: Tree, python: tuple[int, int], made: dict[str, Summary | None]) -> Imported:
        files = TreeFiles(tree)

        def names(directory: str) -> list[str]:
            return [item.name for item in files.list(directory)]

        def summary_of(path: str) -> Summary | None:
            entry = files.entry(path)
            if entry is None or entry.mode & _KIND != FILE & _KIND:
                return None
            oid = entry.oid.hex()
            if oid not in self._summaries:
                self._summaries[oid] = self._read(files, path, python)
            made[oid] = self._summaries[oid]
            return made[oid]

        return Imported(files.kind, names, summary_of)

    def _read(self, files: TreeFiles, path: str, python: tuple[int, int]) -> Summary | None:
        try:
            blob = files.read(path)
        except LimitExceeded:  # over the policy's limit: it is never inflated, and nothing is said of it
            return None
        if blob is None:
            return None
        summary, digest, names = self._reader().outline(blob, python, self._ran.get(path, ()))
        entry = files.entry(path)
        if entry is not None:
            self._skeletons[path, entry.oid.hex()] = Skeleton(digest, names)
        return summary


def _key(name: str, starts: Starts) -> str:
    text = json.dumps([FORM, name, starts])
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"{sha256(text.encode('ascii')).hexdigest()}-imports-{version}"


def changed_names(paths: Iterable[bytes]) -> list[str]:
    """Paths as text."""
    return [path.decode("utf-8", "surrogateescape") for path in paths]


def by_start(found: Sequence[Unresolved]) -> Mapping[str, Unresolved]:
    """The first failure of each starting module, by its path."""
    first: dict[str, Unresolved] = {}
    for one in found:
        for path in one.starts:
            first.setdefault(path, one)
    return first
