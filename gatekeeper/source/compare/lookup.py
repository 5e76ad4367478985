"""The rows of one side of a comparison, findable by the paths that callers write."""

from __future__ import annotations

from bisect import bisect_left

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.compare.kinds import ABSENT, symbol_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatekeeper.source.rows import Row

SYMBOLS = frozenset(("function", "class", "attribute", "alias"))
_CHAIN = 32
_STUB = "pyi:"


class Surface:
    """The rows of one side, findable by the paths that callers write."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.symbols: dict[str, list[Row]] = {}
        self.others: dict[tuple[str, str], list[Row]] = {}
        self.bases: dict[str, list[str]] = {}
        self._below: list[tuple[str, Row]] | None = None
        self._known: dict[str, tuple[str, tuple[Row, ...]] | None] = {}
        self._rows = rows
        for row in rows:
            if row.kind in SYMBOLS:
                self.symbols.setdefault(row.path, []).append(row)
            elif row.kind == "inherits":
                self.bases.setdefault(row.path, []).append(row.payload["of"])
            else:
                self.others.setdefault((row.path, row.kind), []).append(row)

    def find(self, path: str, depth: int = 0) -> tuple[str, tuple[Row, ...]] | None:
        """The canonical path and the rows of a symbol, as a caller reaches it; None when it is not public here."""
        if path not in self._known:
            self._known[path] = None  # a ring of aliases ends here
            self._known[path] = self._find(path, depth)
        return self._known[path]

    def _find(self, path: str, depth: int) -> tuple[str, tuple[Row, ...]] | None:  # noqa: PLR0911 (one line a way)
        if depth > _CHAIN:
            return None
        rows = self.symbols.get(path)
        if rows is not None:
            if len(rows) == 1 and rows[0].kind == "alias":
                target = self._near(path, rows[0].payload["of"], depth + 1)
                if target is not None:
                    return target
            return path, tuple(rows)
        parent, dot, name = path.rpartition(".")
        if not dot:
            return None
        above = self.find(parent, depth + 1)
        if above is None:
            return None
        if above[0] != parent:
            return self.find(f"{above[0]}.{name}", depth + 1)
        for base in self.bases.get(parent, ()):
            found = self._near(path, f"{base}.{name}", depth + 1)
            if found is not None:
                return found
        return None

    def _near(self, path: str, named: str, depth: int) -> tuple[str, tuple[Row, ...]] | None:
        """What a stub names is in a stub, where there is one."""
        found = self.find(_STUB + named, depth) if path.startswith(_STUB) else None
        return found if found is not None else self.find(named, depth)

    def class_at(self, path: str) -> Row | None:
        """The class row of a path, where it is one."""
        found = self.find(path)
        return next((row for row in found[1] if row.kind == "class"), None) if found is not None else None

    def hashes(self, path: str) -> frozenset[str]:
        """Every hash that a row of an allow file may name a symbol by: of its own rows, or of all below it too."""
        found = self.find(path)
        own = [rows for (where, kind), rows in self.others.items() if where == path and kind != "module"]
        named = {symbol_hash(rows) for rows in own}
        if found is not None:
            named.add(symbol_hash(found[1]))
        below = self.below(path)
        if below:
            named.add(symbol_hash(below))
        return frozenset(named or {ABSENT})

    def aliased(self, path: str) -> bool:
        """Whether a path is a second name of a definition only."""
        rows = self.symbols.get(path)
        return rows is not None and all(row.kind == "alias" for row in rows)

    def present(self, path: str) -> bool:
        """Whether a symbol or a module has this very path."""
        return path in self.symbols or (path, "module") in self.others

    def below(self, path: str) -> list[Row]:
        """Every row of a path and of what lies under it."""
        if self._below is None:
            self._below = sorted(((row.path, row) for row in self._rows), key=lambda pair: pair[0])
        found = []
        for prefix in (path, path + "."):
            start = bisect_left(self._below, prefix, key=lambda pair: pair[0])
            # by index: a slice would copy the rest of the rows for each of them
            for above, row in map(self._below.__getitem__, range(start, len(self._below))):
                if above != prefix and not (prefix.endswith(".") and above.startswith(prefix)):
                    break
                found.append(row)
        return found
