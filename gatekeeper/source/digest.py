"""The digest of a surface: one hash for each module, and one over those for the tree."""

from __future__ import annotations

from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.rows import row_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gatekeeper.source.rows import Row

HEADER = "gatekeeper-contract-v1"
"""First line of whatever is hashed: digests of different definitions of the surface are never equal."""


class Digest(NamedTuple):
    """``tree`` in 64 hexadecimal digits, and the same for each module that has rows, by its path."""

    tree: str
    modules: Mapping[str, str]


def digest(rows: Iterable[Row]) -> Digest:
    """The two-level digest of the rows; their order does not matter."""
    rows = list(rows)
    homes = {row.path for row in rows if row.kind in {"module", "unparseable"}}
    texts: dict[str, list[str]] = {}
    for row in rows:
        texts.setdefault(_home(row, homes), []).append(row_text(row))
    modules = {home: _hashed(sorted(texts[home])) for home in sorted(texts)}
    return Digest(_hashed([f"{home} {value}" for home, value in modules.items()]), modules)


def _home(row: Row, homes: set[str]) -> str:
    """The longest module path that a row's path starts with; the row's first part where there is none."""
    path = row.path
    while path not in homes and "." in path:
        path = path.rpartition(".")[0]
    return path


def _hashed(lines: list[str]) -> str:
    text = "".join(f"{line}\n" for line in (HEADER, *lines))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
