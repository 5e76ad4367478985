"""The surface of one tree: facts from the cache where they are kept, from the worker where they are not, then linked.

This process never parses a source. What it takes from the worker is JSON of bounded size.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from gatekeeper.errors import LimitExceeded
from gatekeeper.source.digest import digest
from gatekeeper.source.link import link
from gatekeeper.source.modules import is_partial, sources, typed_packages
from gatekeeper.source.parse import Request, read_facts
from gatekeeper.source.rows import SCHEMA, Row, unreadable
from gatekeeper.source.tree import Module

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gatekeeper.model import Oid
    from gatekeeper.source.cache import Cache
    from gatekeeper.source.modules import Source
    from gatekeeper.source.rows import Facts

    Blob = Callable[[Oid], bytes]

_UNSURE = ("killed", "timeout")
_FORMAT = f"{SCHEMA}-{sys.version_info.major}.{sys.version_info.minor}"


class Read(NamedTuple):
    """The rows of a tree's surface and their whole digest, 64 hexadecimal digits."""

    rows: tuple[Row, ...]
    digest: str


def read_surfaces(
    trees: Sequence[Mapping[bytes, Oid]], roots: Sequence[str], blob: Blob, cache: Cache | None, *, keep: int = 0
) -> list[Read]:
    """The surfaces of some trees, each given as path and oid of every source that counts, ``py.typed`` included.

    Args:
        trees: the files.
        roots: the directories that stand on ``sys.path``.
        blob: reads a blob by its oid.
        cache: where facts and surfaces are kept; None reads everything again.
        keep: of how many of the first trees the cache keeps what was read. Only trusted trees are kept, so that refused
            pushes leave nothing behind.
    """
    shelf = _Shelf(blob, cache)
    kept = [shelf.surface(files, roots) for files in trees]
    named = [{path.decode("utf-8", "surrogateescape"): oid for path, oid in files.items()} for files in trees]
    wanted = [files for read, files in zip(kept, named, strict=True) if read is None]
    shelf.fetch([(source, files[source.path]) for files in wanted for source in sources(files, roots)])
    for read, files in zip(kept[:keep], named, strict=False):
        if read is None:
            shelf.keep(_facts_key(source, files[source.path]) for source in sources(files, roots))
    found = []
    for place, (read, files, raw) in enumerate(zip(kept, named, trees, strict=True)):
        if read is None:
            modules = [Module(one.path, shelf.facts[_facts_key(one, files[one.path])]) for one in sources(files, roots)]
            typed = {package: is_partial(blob(files[path])) for path, package in typed_packages(files, roots)}
            rows = link(modules, typed=typed)
            read = Read(rows, digest(rows).tree)  # noqa: PLW2901 (the one that was missing)
            if place < keep:
                shelf.put_surface(raw, roots, read)
        found.append(read)
    return found


class _Shelf:
    """Facts by key: from the cache, and for what it lacks from one worker."""

    def __init__(self, blob: Blob, cache: Cache | None) -> None:
        self.facts: dict[str, Facts] = {}
        self._blob = blob
        self._cache = cache
        self._fresh: set[str] = set()

    def surface(self, files: Mapping[bytes, Oid], roots: Sequence[str]) -> Read | None:
        """A whole surface, where the cache has it."""
        kept = None if self._cache is None else self._cache.get(_surface_key(files, roots))
        if kept is None:
            return None
        value = json.loads(kept)
        return Read(tuple(Row(*row) for row in value["rows"]), value["digest"])

    def put_surface(self, files: Mapping[bytes, Oid], roots: Sequence[str], read: Read) -> None:
        """Keep a whole surface, and have the cache stay within its bound."""
        if self._cache is not None:
            value = json.dumps({"rows": read.rows, "digest": read.digest})
            self._cache.put(_surface_key(files, roots), value.encode("ascii"))
            self._cache.prune()

    def keep(self, keys: Iterable[str]) -> None:
        """Keep the facts that the worker made of these sources."""
        for key in keys:
            # how a worker ended may be the machine's doing: what it says of a source is not remembered
            if self._cache is not None and key in self._fresh and self.facts[key].get("error") not in _UNSURE:
                self._cache.put(key, json.dumps(self.facts[key]).encode("ascii"))

    def fetch(self, wanted: Iterable[tuple[Source, Oid]]) -> None:
        """Have the facts of these sources; each blob is read and parsed once."""
        missing: dict[str, tuple[Source, Oid]] = {}
        for source, oid in wanted:
            key = _facts_key(source, oid)
            if key in self.facts or key in missing:
                continue
            kept = None if self._cache is None else self._cache.get(key)
            if kept is None:
                missing[key] = (source, oid)
            else:
                self.facts[key] = json.loads(kept)
        self._fresh.update(missing)
        requests = (found for key, (source, oid) in missing.items() if (found := self._request(key, source, oid)))
        answers = read_facts(requests) if missing else []
        self.facts.update(zip((key for key in missing if key not in self.facts), answers, strict=True))

    def _request(self, key: str, source: Source, oid: Oid) -> Request | None:
        """What to ask the worker; None for a blob over the policy's limit, which is never inflated."""
        try:
            return Request(source.module, source.is_package, source.stub, self._blob(oid))
        except LimitExceeded:
            name = oid.hex().encode("ascii")
            self.facts[key] = unreadable(source.module, source.is_package, source.stub, "too-big", name)
            return None


def _surface_key(files: Mapping[bytes, Oid], roots: Sequence[str]) -> str:
    digest_of = sha256("\0".join(roots).encode("utf-8", "surrogateescape") + b"\0\0")
    for path in sorted(files):
        digest_of.update(b"%d:%s%s" % (len(path), path, files[path]))
    return f"{digest_of.hexdigest()}-surface-{_FORMAT}"


def _facts_key(source: Source, oid: Oid) -> str:
    """Everything that facts depend on: the bytes, the module's name and kind, the schema, and who parsed it."""
    name = sha256(f"{source.module}\0{source.is_package}\0{source.stub}".encode("utf-8", "surrogateescape")).hexdigest()
    return f"{oid.hex()}-{name[:32]}-{_FORMAT}"
