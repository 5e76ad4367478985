"""The surface of one tree: facts from the cache where they are kept, from the worker where they are not, then linked.

This process never parses a source. What it takes from the worker is JSON of bounded size.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.errors import LimitExceeded
from gatekeeper.source.bounded.reader import Request, SourceReader
from gatekeeper.source.demand.corpus import Corpus
from gatekeeper.source.demand.moved import moved_rows, rows_at
from gatekeeper.source.demand.side import Side
from gatekeeper.source.demand.words import FORM, Index, normal, written
from gatekeeper.source.digest import digest
from gatekeeper.source.link.budget import Budget, TooMany
from gatekeeper.source.link.tree import Module, Tree
from gatekeeper.source.link.whole import MAX_ROWS, distinct, link
from gatekeeper.source.modules import dotted, is_partial, sources, typed_packages
from gatekeeper.source.rows import SCHEMA, Row, unreadable

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
        reader: what reads the sources; ended with the shelf.
    """

    def __init__(self, roots: Sequence[str], blob: Blob, cache: Cache | None, reader: SourceReader) -> None:
        self._roots = roots
        self._blob = blob
        self._cache = cache
        self._facts: dict[str, Facts] = {}
        self._fresh: dict[str, tuple[str, Oid]] = {}
        self._pushed: frozenset[Oid] = frozenset()
        self._reader = reader

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reader.close()

    def facts(self, source: Source, oid: Oid) -> Facts:
        """The facts of one source, each blob read and parsed once."""
        key = _facts_key(source, oid)
        if key not in self._facts:
            self._fetch({key: (source, oid)})
        return self._facts[key]

    def _fetch(self, wanted: Mapping[str, tuple[Source, Oid]]) -> None:
        """Have the facts of these sources, many at a time: the worker parses one while the last answer is read."""
        missing: dict[str, tuple[Source, Oid]] = {}
        for key, (source, oid) in wanted.items():
            kept = None if self._cache is None else self._cache.get(key)
            if kept is None:
                missing[key] = (source, oid)
            else:
                self._facts[key] = json.loads(kept)
        self._fresh.update((key, (source.path, oid)) for key, (source, oid) in missing.items())
        asked: list[str] = []
        found = self._reader.read(self._requests(missing, asked))
        self._facts.update(zip(asked, found, strict=True))

    def _requests(self, missing: Mapping[str, tuple[Source, Oid]], asked: list[str]) -> Iterator[Request]:
        """A request for each source whose blob can be read, its key in ``asked``."""
        for key, (source, oid) in missing.items():
            module, is_package, stub = source.module, source.is_package, source.stub
            try:
                blob = self._blob(oid)
            except LimitExceeded:  # over the policy's limit: it is never inflated
                self._facts[key] = unreadable(module, is_package, stub, "too-big", oid.hex().encode("ascii"))
            else:
                asked.append(key)
                yield Request(module, is_package, stub, blob, oid in self._pushed)

    def moved(self, old: Mapping[bytes, Oid], new: Mapping[bytes, Oid]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        """The rows of two trees that can differ, with those that a comparison of them looks up.

        Only sources that changed, and those that can have to do with what changed in them, are parsed. Trees are given
        as path and oid of every source that counts, ``py.typed`` included.
        """
        files = [_named(tree) for tree in (old, new)]
        self._pushed = frozenset(new.values()).difference(old.values())
        changed = [path for path in {**files[0], **files[1]} if files[0].get(path) != files[1].get(path)]
        sides = self._sides(files)
        edited = list(sources(changed, self._roots))
        self._fetch(
            {
                _facts_key(source, tree[source.path]): (source, tree[source.path])
                for source in edited
                for tree in files
                if source.path in tree
            }
        )
        modules = {source.module for source in edited}
        typed = [self._typed(tree) for tree in files]
        try:
            found = moved_rows(sides[0], sides[1], modules, (typed[0], typed[1]))
        except TooMany:
            found = self._link(files[0]), self._link(files[1])
        self._keep_facts(files[0])
        return found

    def rows_at(self, tree: Mapping[bytes, Oid], paths: Iterable[str]) -> tuple[Row, ...]:
        """The rows of one tree that some public paths are known by."""
        files = _named(tree)
        try:
            return rows_at(self._sides([files])[0], paths, self._typed(files))
        except TooMany:
            return self._link(files)

    def _sides(self, trees: Sequence[Mapping[str, Oid]]) -> list[Side]:
        """Trees to link on demand; of the first, the words may be kept."""
        kept = None if self._cache is None else self._cache.get(_words_key(trees[0]))
        index = None if kept is None else Index(kept)
        corpus = Corpus((oid for files in trees for oid in files.values()), self._text, index)
        return [Side(Tree(self._modules(files), Budget(MAX_ROWS)), files, corpus) for files in trees]

    def surfaces(
        self, trees: Sequence[tuple[Mapping[bytes, Oid], Mapping[bytes, Oid]]], *, keep: int = 0
    ) -> list[Read]:
        """The whole surfaces of some trees.

        Args:
            trees: the files of each, as for :meth:`moved`, and the links among them.
            keep: of how many of the first trees the cache keeps what was read. Only trusted trees are kept, so that
                refused pushes leave nothing behind.
        """
        found = []
        for place, tree in enumerate(trees):
            files, links = map(_named, tree)
            key = _surface_key(files, links, self._roots)
            read = self._surface(key)
            if read is None:
                rows, more = self._link(files), list(_link_rows(links, self._roots))
                rows = distinct([*rows, *more]) if more else rows
                read = Read(rows, digest(rows).tree)
                if place < keep and self._cache is not None:
                    self._cache.put(key, json.dumps({"rows": read.rows, "digest": read.digest}).encode("ascii"))
                    texts = {oid: normal(self._text(oid) or b"") for oid in files.values()}
                    self._cache.put(_words_key(files), written(texts))
                    self._keep_facts(files)
            found.append(read)
        return found

    def _link(self, files: Mapping[str, Oid]) -> tuple[Row, ...]:
        """Every row of a tree."""
        wanted = {_facts_key(source, oid): (source, oid) for source, oid in self._sources(files)}
        self._fetch({key: place for key, place in wanted.items() if key not in self._facts})
        return link(self._modules(files), typed=self._typed(files))

    def _sources(self, files: Mapping[str, Oid]) -> Iterator[tuple[Source, Oid]]:
        return ((source, files[source.path]) for source in sources(files, self._roots))

    def _modules(self, files: Mapping[str, Oid]) -> Iterator[Module]:
        for source, oid in self._sources(files):
            yield Module(source, partial(self.facts, source, oid))

    def _typed(self, files: Mapping[str, Oid]) -> dict[str, bool]:
        return {package: is_partial(self._blob(files[path])) for path, package in typed_packages(files, self._roots)}

    def _text(self, oid: Oid) -> bytes | None:
        try:
            return self._blob(oid)
        except LimitExceeded:  # over the policy's limit: it cannot be read, and so it names nothing
            return None

    def _surface(self, key: str) -> Read | None:
        """A whole surface, where the cache has it."""
        kept = None if self._cache is None else self._cache.get(key)
        if kept is None:
            return None
        value = json.loads(kept)
        return Read(tuple(Row(*row) for row in value["rows"]), value["digest"])

    def _keep_facts(self, files: Mapping[str, Oid]) -> None:
        """Keep what the worker said of the sources of a trusted tree, and have the cache stay within its bound."""
        if self._cache is None:
            return
        # a trusted source under a name that a push gave it is not kept: a push decides nothing of what lies there
        fresh = {key: self._facts[key] for key, (path, oid) in self._fresh.items() if files.get(path) == oid}
        # how a worker ended may be the machine's doing: what it says of a source is not remembered
        kept = {key: facts for key, facts in fresh.items() if facts.get("error") not in _UNSURE}
        for key, facts in kept.items():
            self._cache.put(key, json.dumps(facts).encode("ascii"))
        if kept:
            self._cache.prune()


def _link_rows(links: Mapping[str, Oid], roots: Sequence[str]) -> Iterator[Row]:
    """A link among the sources may lead anywhere, and is never followed: it is known by what it says."""
    for path, oid in links.items():
        yield Row(dotted(path, roots), "", 0, "opaque", {"hash": oid.hex()}, path, 1)


def _named(files: Mapping[bytes, Oid]) -> dict[str, Oid]:
    return {path.decode("utf-8", "surrogateescape"): oid for path, oid in files.items()}


def _surface_key(files: Mapping[str, Oid], links: Mapping[str, Oid], roots: Sequence[str]) -> str:
    digest_of = sha256("\0".join(roots).encode("utf-8", "surrogateescape") + b"\0\0")
    for kind, table in ((b"-", files), (b"l", links)):
        for name in sorted(table):
            path = name.encode("utf-8", "surrogateescape")
            digest_of.update(b"%s%d:%s%s" % (kind, len(path), path, table[name]))
    return f"{digest_of.hexdigest()}-surface-{_FORMAT}"


def _words_key(files: Mapping[str, Oid]) -> str:
    return f"{sha256(b''.join(sorted({*files.values()}))).hexdigest()}-words-{FORM}"


def _facts_key(source: Source, oid: Oid) -> str:
    """Everything that facts depend on: the bytes, the module's name and kind, the schema, and who parsed it."""
    name = sha256(f"{source.module}\0{source.is_package}\0{source.stub}".encode("utf-8", "surrogateescape")).hexdigest()
    return f"{oid.hex()}-{name[:32]}-{_FORMAT}"
