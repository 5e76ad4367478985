"""The surface of one tree: facts from the cache where they are kept, from the worker where they are not, then linked.

This process never parses a source. What it takes from the worker is JSON of bounded size.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from gatekeeper.errors import LimitExceeded
from gatekeeper.source.digest import digest
from gatekeeper.source.link import link
from gatekeeper.source.modules import is_partial, sources, typed_packages
from gatekeeper.source.parse import SourceReader
from gatekeeper.source.rows import SCHEMA, Row, unreadable
from gatekeeper.source.tree import Module

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Self

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


class Shelf:
    """Facts by key: from the cache, and for what it lacks from one worker; a context manager that ends the worker.

    Args:
        roots: the directories that stand on ``sys.path``.
        blob: reads a blob by its oid.
        cache: where facts and surfaces are kept; None reads everything again.
    """

    def __init__(self, roots: Sequence[str], blob: Blob, cache: Cache | None) -> None:
        self._roots = roots
        self._blob = blob
        self._cache = cache
        self._facts: dict[str, Facts] = {}
        self._fresh: set[str] = set()
        self._reader = SourceReader()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reader.close()

    def unmoved(self, changes: Iterable[tuple[bytes, Oid, Oid]]) -> bool:
        """Whether sources that changed say the same to the rest of the tree, line numbers aside.

        Then the surface of the whole tree is what it was, whatever else is in it: nothing is linked, and nothing but
        the changed sources is parsed. ``changes`` are path, old and new oid of files that both trees have.
        """
        for path, old, new in changes:
            name = path.decode("utf-8", "surrogateescape")
            source = next(iter(sources([name], self._roots)), None)
            if source is None:
                return False
            self._fetch([(source, old), (source, new)])
            before, after = (self._facts[_facts_key(source, oid)] for oid in (old, new))
            if "error" in before or "error" in after or _told(before) != _told(after):
                return False
        return True

    def surfaces(self, trees: Sequence[Mapping[bytes, Oid]], *, keep: int = 0) -> list[Read]:
        """The surfaces of some trees, each given as path and oid of every source that counts, ``py.typed`` included.

        Args:
            trees: the files.
            keep: of how many of the first trees the cache keeps what was read. Only trusted trees are kept, so that
                refused pushes leave nothing behind.
        """
        kept = [self._surface(files) for files in trees]
        named = [{path.decode("utf-8", "surrogateescape"): oid for path, oid in files.items()} for files in trees]
        found = []
        for place, (read, files, raw) in enumerate(zip(kept, named, trees, strict=True)):
            made = read
            if made is None:
                modules = list(self._modules(files))
                partial = typed_packages(files, self._roots)
                rows = link(modules, typed={package: is_partial(self._blob(files[path])) for path, package in partial})
                made = Read(rows, digest(rows).tree)
                if place < keep:
                    self._keep(raw, files, made)
            found.append(made)
        return found

    def _modules(self, files: Mapping[str, Oid]) -> Iterator[Module]:
        wanted = [(source, files[source.path]) for source in sources(files, self._roots)]
        self._fetch(wanted)
        for source, oid in wanted:
            yield Module(source.path, self._facts[_facts_key(source, oid)])

    def _surface(self, files: Mapping[bytes, Oid]) -> Read | None:
        """A whole surface, where the cache has it."""
        kept = None if self._cache is None else self._cache.get(_surface_key(files, self._roots))
        if kept is None:
            return None
        value = json.loads(kept)
        return Read(tuple(Row(*row) for row in value["rows"]), value["digest"])

    def _keep(self, raw: Mapping[bytes, Oid], files: Mapping[str, Oid], read: Read) -> None:
        """Keep a surface with the facts that the worker made for it, and have the cache stay within its bound."""
        if self._cache is None:
            return
        for source in sources(files, self._roots):
            key = _facts_key(source, files[source.path])
            # how a worker ended may be the machine's doing: what it says of a source is not remembered
            if key in self._fresh and self._facts[key].get("error") not in _UNSURE:
                self._cache.put(key, json.dumps(self._facts[key]).encode("ascii"))
        value = json.dumps({"rows": read.rows, "digest": read.digest})
        self._cache.put(_surface_key(raw, self._roots), value.encode("ascii"))
        self._cache.prune()

    def _fetch(self, wanted: Iterable[tuple[Source, Oid]]) -> None:
        """Have the facts of these sources; each blob is read and parsed once."""
        for source, oid in wanted:
            key = _facts_key(source, oid)
            if key in self._facts:
                continue
            kept = None if self._cache is None else self._cache.get(key)
            if kept is not None:
                self._facts[key] = json.loads(kept)
                continue
            self._fresh.add(key)
            self._facts[key] = self._read(source, oid)

    def _read(self, source: Source, oid: Oid) -> Facts:
        try:
            blob = self._blob(oid)
        except LimitExceeded:  # over the policy's limit: it is never inflated
            return unreadable(source.module, source.is_package, source.stub, "too-big", oid.hex().encode("ascii"))
        return self._reader.facts(source.module, source.is_package, source.stub, blob)


def _told(facts: Facts) -> str:
    """Facts without the numbers of lines. By their places: a name may be called "line" too."""
    rest = {**facts, "names": _names(facts["names"])}
    rest["stars"] = [star[:2] for star in facts.get("stars", ())]
    rest["opaque"] = [item[1] for item in facts.get("opaque", ())]
    return json.dumps(rest)


def _names(names: Mapping[str, Any]) -> dict[str, Any]:
    return {name: [[guard, _item(item)] for guard, item in variants] for name, variants in names.items()}


def _item(item: Mapping[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in item.items() if key != "line"}
    if item["k"] == "class":
        rest["members"] = _names(item["members"])
        rest["inst"] = {name: value[0] for name, value in item["inst"].items()}
        if "fields" in item:
            rest["fields"] = [field[:3] for field in item["fields"]]
    return rest


def _surface_key(files: Mapping[bytes, Oid], roots: Sequence[str]) -> str:
    digest_of = sha256("\0".join(roots).encode("utf-8", "surrogateescape") + b"\0\0")
    for path in sorted(files):
        digest_of.update(b"%d:%s%s" % (len(path), path, files[path]))
    return f"{digest_of.hexdigest()}-surface-{_FORMAT}"


def _facts_key(source: Source, oid: Oid) -> str:
    """Everything that facts depend on: the bytes, the module's name and kind, the schema, and who parsed it."""
    name = sha256(f"{source.module}\0{source.is_package}\0{source.stub}".encode("utf-8", "surrogateescape")).hexdigest()
    return f"{oid.hex()}-{name[:32]}-{_FORMAT}"
