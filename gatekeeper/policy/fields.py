"""Typed getters over untrusted TOML: every fault is collected with the dotted path to it and raised once."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import PolicyError
from gatekeeper.policy.patterns import compile_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

_SHOWN = 5


class Faults:
    """What is wrong with one file, in the order in which it was found."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.found: list[tuple[str, str, str]] = []

    def add(self, path: str, problem: str, fix: str) -> None:
        """Note one fault at a dotted key path."""
        self.found.append((path, problem, fix))

    def finish(self) -> None:
        """Raise PolicyError if anything was noted."""
        if not self.found:
            return
        lines = [f"{path}: {problem}" for path, problem, _ in self.found[:_SHOWN]]
        if len(self.found) > _SHOWN:
            lines.append(f"and {len(self.found) - _SHOWN} more")
        raise PolicyError(f"{self.where}: " + "; ".join(lines), fix=self.found[0][2])


class Table:
    """One TOML table; :meth:`close` reports the keys that nobody asked for."""

    def __init__(self, data: Mapping[str, object], prefix: str, faults: Faults) -> None:
        self._data = dict(data)
        self._prefix = prefix
        self._tables: dict[str, Table] = {}
        self._open: list[Table] = []
        self._asked: set[str] = set()
        self.faults = faults

    def path(self, key: str) -> str:
        """The dotted path of a key of this table."""
        return f"{self._prefix}{key}"

    def present(self) -> list[str]:
        """The keys that the file has, in its order."""
        return list(self._data)

    def drop(self, key: str) -> bool:
        """Take a key out; whether it was there."""
        self._asked.add(key)
        return self._data.pop(key, None) is not None

    def _take(self, key: str, kind: type, name: str) -> object | None:
        self._asked.add(key)
        value = self._data.get(key)
        # bool is an int to Python, never to a policy
        if value is None or (isinstance(value, kind) and (kind is bool or not isinstance(value, bool))):
            return value
        self.faults.add(self.path(key), f"is {_kind(value)}, must be {name}", f"give {name}")
        return None

    def text(self, key: str) -> str | None:
        """A non-empty string."""
        value = self._take(key, str, "a string")
        if value == "":
            self.faults.add(self.path(key), "is empty", "give a value or remove the key")
        return str(value) if value else None

    def needed(self, key: str) -> str:
        """A string that must be there."""
        if key not in self._data:
            self.faults.add(self.path(key), "is missing", f'write: {key} = "..."')
        return self.text(key) or ""

    def word(self, key: str, words: tuple[str, ...]) -> str | None:
        """One of a few words; typed ``str`` because TOML cannot know the literal."""
        value = self.text(key)
        if value is not None and value not in words:
            self.faults.add(self.path(key), f"is {value!r}", "must be one of: " + ", ".join(words))
            return None
        return value

    def number(self, key: str, low: int, high: int = 1 << 53) -> int | None:
        """A whole number within bounds."""
        value = self._take(key, int, "a whole number")
        if not isinstance(value, int):
            return None
        if not low <= value <= high:
            self.faults.add(self.path(key), f"is {value}", f"must be from {low} to {high}")
            return None
        return value

    def flag(self, key: str) -> bool:
        """A boolean; absent is False."""
        return bool(self._take(key, bool, "true or false"))

    def words(self, key: str) -> tuple[str, ...]:
        """A list of distinct non-empty strings; absent is empty."""
        values = self._take(key, list, "a list of strings")
        if not isinstance(values, list):
            return ()
        seen: set[str] = set()
        for number, value in enumerate(values):
            if not isinstance(value, str) or not value:
                self.faults.add(f"{self.path(key)}[{number}]", f"is {_kind(value)}", "must be a non-empty string")
            elif value in seen:
                self.faults.add(f"{self.path(key)}[{number}]", f"repeats {value!r}", "remove it")
            else:
                seen.add(value)
        return tuple(value for value in values if isinstance(value, str))

    def patterns(self, key: str) -> tuple[bytes, ...] | None:
        """A list of gitignore-style patterns (a single string stands for a list of one); absent is None."""
        if isinstance(self._data.get(key), str):
            self._data[key] = [self._data[key]]
        if key not in self._data:
            return None
        good = []
        for number, word in enumerate(self.words(key)):
            try:
                compile_pattern(word.encode())
            except ValueError as error:
                self.faults.add(f"{self.path(key)}[{number}]", str(error), "see gitignore(5), PATTERN FORMAT")
            else:
                good.append(word.encode())
        return tuple(good)

    def needed_patterns(self, key: str) -> tuple[bytes, ...]:
        """Patterns that must be there."""
        if key not in self._data:
            self.faults.add(self.path(key), "is missing", f'write: {key} = ["..."]')
        return self.patterns(key) or ()

    def table(self, key: str) -> Table:
        """A sub-table; absent is empty. The same object for the same key."""
        if key not in self._tables:
            value = self._take(key, dict, "a table")
            self._tables[key] = Table(value if isinstance(value, dict) else {}, f"{self.path(key)}.", self.faults)
        return self._tables[key]

    def rows(self, key: str) -> list[Table]:
        """An array of tables; absent is empty."""
        values = self._take(key, list, "an array of tables")
        rows = []
        for number, value in enumerate(values if isinstance(values, list) else ()):
            if isinstance(value, dict):
                rows.append(Table(value, f"{self.path(key)}[{number}].", self.faults))
            else:
                self.faults.add(f"{self.path(key)}[{number}]", f"is {_kind(value)}", "must be a table")
        self._open.extend(rows)
        return rows

    def close(self) -> None:
        """Report unknown keys, here and below: a mistyped key must not silently mean the default."""
        for key in self._data:
            if key not in self._asked:
                known = ", ".join(sorted(self._asked)) or "none"
                self.faults.add(self.path(key), "is no known key", f"known here: {known}")
        for table in (*self._tables.values(), *self._open):
            table.close()


def _kind(value: object) -> str:
    names = {bool: "a boolean", int: "a number", float: "a float", str: "a string", list: "a list", dict: "a table"}
    return next((name for kind, name in names.items() if type(value) is kind), type(value).__name__)
