"""The expressions of ``-k`` and ``-m``: pytest's grammar, answered with yes, no or unknown (None)."""

from __future__ import annotations

import keyword
import re

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.config.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Matcher = Callable[[str, Mapping[str, object]], bool | None]

WITH_ARGUMENTS = (8, 3)
"""Since then an identifier may be followed by the arguments that a mark must have."""
DEEP = 100
"""Parentheses and negations in each other; pytest itself ends in a RecursionError not far beyond."""

_IDENTIFIER = re.compile(r"(?::?\w|:|\+|-|\.|\[|\]|\\|/)+")
_CONSTANTS = {"True": True, "False": False, "None": None}


class Expression(NamedTuple):
    """One node: ``or``, ``and``, ``not`` with its parts, or ``name`` with an identifier and arguments."""

    kind: str
    parts: tuple[Expression, ...] = ()
    name: str = ""
    arguments: tuple[tuple[str, object], ...] = ()

    @property
    def asks_arguments(self) -> bool:
        """Whether an identifier in it is followed by arguments."""
        return bool(self.arguments) or any(part.asks_arguments for part in self.parts)

    def evaluate(self, matcher: Matcher) -> bool | None:
        """The answer, None where what is not known decides."""
        if self.kind == "name":
            return matcher(self.name, dict(self.arguments))
        if self.kind == "not":
            inner = self.parts[0].evaluate(matcher)
            return None if inner is None else not inner
        if not self.parts:
            return False
        found = [part.evaluate(matcher) for part in self.parts]
        decisive = self.kind == "or"
        if decisive in found:
            return decisive
        return None if None in found else not decisive


def parse(text: str, version: tuple[int, int]) -> Expression:
    """The expression that ``text`` says; raises :class:`Refused` where pytest would not take it."""
    reader = _Reader(_tokens(text, version), text)
    if reader.current[0] == "end":
        return Expression("or")
    found = reader.alternatives(0)
    reader.take("end", required=True)
    return found


def _tokens(text: str, version: tuple[int, int]) -> list[tuple[str, str]]:
    found, place = [], 0
    signs = "()=," if version >= WITH_ARGUMENTS else "()"
    while place < len(text):
        letter = text[place]
        if letter in " \t":
            place += 1
            continue
        if letter in signs:
            value, kind = letter, letter
        elif letter in "'\"" and version >= WITH_ARGUMENTS:
            end = text.find(letter, place + 1)
            value, kind = text[place : end + 1], "text"
            if end < 0 or "\\" in value:
                raise Refused(f"expression {text!r}: a quote without end, or a backslash in quotes")
        else:
            match = _IDENTIFIER.match(text, place)
            if match is None:
                raise Refused(f"expression {text!r}: unexpected character {letter!r}")
            value = match.group()
            kind = value if value in {"or", "and", "not"} else "name"
        found.append((kind, value))
        place += len(value)
    return [*found, ("end", "")]


class _Reader:
    """Descends: ``or`` of ``and`` of ``not``."""

    def __init__(self, tokens: list[tuple[str, str]], text: str) -> None:
        self._tokens = iter(tokens)
        self._text = text
        self.current = next(self._tokens)

    def take(self, kind: str, *, required: bool = False) -> str | None:
        """The value of the current token if it is of ``kind``, and the next becomes current."""
        if self.current[0] != kind:
            if required:
                raise Refused(f"expression {self._text!r}: expected {kind}, got {self.current[1] or 'its end'}")
            return None
        value = self.current[1]
        if kind != "end":
            self.current = next(self._tokens)
        return value

    def alternatives(self, depth: int) -> Expression:
        """One ``or``."""
        parts = [self._all(depth)]
        while self.take("or"):
            parts.append(self._all(depth))
        return parts[0] if len(parts) == 1 else Expression("or", tuple(parts))

    def _all(self, depth: int) -> Expression:
        parts = [self._one(depth)]
        while self.take("and"):
            parts.append(self._one(depth))
        return parts[0] if len(parts) == 1 else Expression("and", tuple(parts))

    def _one(self, depth: int) -> Expression:
        if depth > DEEP:
            raise Refused(f"expression {self._text[:40]!r}...: too deep")
        if self.take("not"):
            return Expression("not", (self._one(depth + 1),))
        if self.take("("):
            inner = self.alternatives(depth + 1)
            self.take(")", required=True)
            return inner
        name = self.take("name", required=True) or ""
        arguments: list[tuple[str, object]] = []
        if "=" in self._text and self.take("("):
            arguments.append(self._argument())
            while self.take(","):
                arguments.append(self._argument())
            self.take(")", required=True)
        return Expression("name", name=name, arguments=tuple(arguments))

    def _argument(self) -> tuple[str, object]:
        name = self.take("name", required=True) or ""
        if not name.isidentifier() or keyword.iskeyword(name):
            raise Refused(f"expression {self._text!r}: {name!r} names no argument")
        self.take("=", required=True)
        quoted = self.take("text")
        if quoted is not None:
            return name, quoted[1:-1]
        word = self.take("name", required=True) or ""
        if word.removeprefix("-").isdigit():
            return name, int(word)
        if word not in _CONSTANTS:
            raise Refused(f"expression {self._text!r}: unexpected {word!r}")
        return name, _CONSTANTS[word]
