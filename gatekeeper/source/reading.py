"""The surface of one tree: facts from the cache where they are kept, from the worker where they are not, then linked.

This process never parses a source. What it takes from the worker is JSON of bounded size.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from gatekeeper.source.digest import digest
from gatekeeper.source.link import link
from gatekeeper.source.modules import is_partial, sources, typed_packages
from gatekeeper.source.parse import Request, read_facts
from gatekeeper.source.rows import SCHEMA, Row
from gatekeeper.source.tree import Module

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gatekeeper.model import Oid
    from gatekeeper.source.cache import Cache
    from gatekeeper.source.modules import Source

    Blob = Callable[[Oid], bytes]

_FORMAT = f"{SCHEMA}-{sys.version_info.major}.{sys.version_info.minor}"


class Read(NamedTuple):
    """The rows of a tree's surface and their whole digest, 64 hexadecimal digits."""

    rows: tuple[Row, ...]
    digest: str


def read_surface(
    files: Mapping[bytes, Oid], roots: Sequence[str], blob: Blob, cache: Cache | None, *, keep: bool = False
) -> Read:
    """The surface of the sources at ``files``.

    Args:
        files: path and oid of every source that counts, ``py.typed`` included.
        roots: the directories that stand on ``sys.path``.
        blob: reads a blob by its oid.
        cache: where facts and surfaces are kept; None reads everything again.
        keep: also write what was read to the cache; the hook does not, so that refused pushes leave nothing behind.
    """
    key = _surface_key(files, roots)
    kept = None if cache is None else cache.get(key)
    if kept is not None:
        value = json.loads(kept)
        return Read(tuple(Row(*row) for row in value["rows"]), value["digest"])
    named = {path.decode("utf-8", "surrogateescape"): oid for path, oid in files.items()}
    modules = _modules(named, roots, blob, cache, keep=keep)
    typed = {package: is_partial(blob(named[path])) for path, package in typed_packages(named, roots)}
    rows = link(modules, typed=typed)
    read = Read(rows, digest(rows).tree)
    if keep and cache is not None:
        cache.put(key, json.dumps({"rows": rows, "digest": read.digest}).encode("ascii"))
    return read


def _surface_key(files: Mapping[bytes, Oid], roots: Sequence[str]) -> str:
    digest_of = sha256("\0".join(roots).encode("utf-8", "surrogateescape") + b"\0\0")
    for path in sorted(files):
        digest_of.update(b"%d:%s%s" % (len(path), path, files[path]))
    return f"{digest_of.hexdigest()}-surface-{_FORMAT}"


def _modules(
    files: Mapping[str, Oid], roots: Sequence[str], blob: Blob, cache: Cache | None, *, keep: bool
) -> list[Module]:
    found: dict[str, Module] = {}
    missing: list[Source] = []
    for source in sources(files, roots):
        kept = None if cache is None else cache.get(_facts_key(source, files[source.path]))
        if kept is None:
            missing.append(source)
        else:
            found[source.path] = Module(source.path, json.loads(kept))
    requests = [Request(source.module, source.is_package, source.stub, blob(files[source.path])) for source in missing]
    for source, facts in zip(missing, read_facts(requests), strict=True):
        found[source.path] = Module(source.path, facts)
        if keep and cache is not None and facts.get("error") not in ("killed", "timeout"):
            cache.put(_facts_key(source, files[source.path]), json.dumps(facts).encode("ascii"))
    return list(found.values())


def _facts_key(source: Source, oid: Oid) -> str:
    """Everything that facts depend on: the bytes, the module's name and kind, the schema, and who parsed it."""
    name = sha256(f"{source.module}\0{source.is_package}\0{source.stub}".encode("utf-8", "surrogateescape")).hexdigest()
    return f"{oid.hex()}-{name[:32]}-{_FORMAT}"
