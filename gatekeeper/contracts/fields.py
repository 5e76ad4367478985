"""Typed reading of the tables of a contract: what is missing, unknown or of another type is a fault."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any


def whole(text: str) -> bool:
    """Whether a text is a number without sign."""
    return text.isascii() and text.isdigit()


class Fields:
    """One table.

    Args:
        table: its keys and values.
        line: where it begins.
        name: what it is called in messages; empty for the whole file.
        report: takes each fault. make: makes one of a line, a problem and what mends it.
    """

    def __init__(
        self,
        table: Mapping[str, object],
        line: int,
        name: str,
        report: Callable[[Any], object],
        make: Callable[[int, str, str], object],
    ) -> None:
        self._table = table
        self._line = line
        self._prefix = f"{name}." if name else ""
        self._report = report
        self._make = make
        self._known: set[str] = set()

    def fault(self, key: str, problem: str, fix: str) -> None:
        """Something is wrong with a key."""
        self._report(self._make(self._line, f"{self._prefix}{key} {problem}", fix))

    def close(self) -> None:
        """Every key that nobody asked for is a fault: a typo must not turn a rule off."""
        for key in self._table:
            if key not in self._known:
                self.fault(key, "is not known", f"known here: {', '.join(sorted(self._known))}")

    def _get(self, key: str, kind: type, word: str) -> Any:
        self._known.add(key)
        value = self._table.get(key)
        if value is not None and type(value) is not kind:
            self.fault(key, f"is not {word}", f"write {word}")
            return None
        return value

    def text(self, key: str) -> str | None:
        """A text; None where there is none."""
        found: str | None = self._get(key, str, "a text")
        return found

    def needed(self, key: str) -> str:
        """A text that must be there and must not be empty."""
        found = self.text(key)
        if not found:
            if found is not None or key not in self._table:
                self.fault(key, "is missing", f'write: {key} = "..."')
            return ""
        return found

    def number(self, key: str, *, low: int) -> int | None:
        """A whole number from ``low`` on; None where there is none."""
        found: int | None = self._get(key, int, "a whole number")
        if found is not None and found < low:
            self.fault(key, f"is less than {low}", f"write {low} or more")
            return None
        return found

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false."""
        found: bool | None = self._get(key, bool, "true or false")
        return default if found is None else found

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; empty where there is none."""
        found = self._get(key, list, "a list of texts")
        if found is None:
            return ()
        if not all(type(one) is str for one in found):
            self.fault(key, "is not a list of texts", "write a list of texts")
            return ()
        return tuple(found)

    def day(self, key: str) -> str:
        """A day that must be there, as ``YYYY-MM-DD``: TOML's own kind or a text."""
        self._known.add(key)
        value = self._table.get(key)
        said = value if type(value) is str else str(value) if type(value).__name__ == "date" else ""
        parts = said.split("-")
        if [len(part) for part in parts] != [4, 2, 2] or not all(map(whole, parts)):
            self.fault(key, "is no day", f"write: {key} = 2026-11-30")
            return ""
        return said

    def table(self, key: str) -> Mapping[str, object]:
        """A table; empty where there is none."""
        found = self._get(key, dict, "a table")
        return {} if found is None else found

    def tables(self, key: str) -> Sequence[Mapping[str, object]]:
        """A list of tables; empty where there is none."""
        found = self._get(key, list, f"a list of tables, [[{key}]]")
        if found is None:
            return ()
        if not all(type(one) is dict for one in found):
            self.fault(key, "is not a list of tables", f"write [[{key}]] tables")
            return ()
        return tuple(found)
