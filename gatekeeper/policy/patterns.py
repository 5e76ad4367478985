"""Gitignore-style patterns over path bytes.

The meaning is pathspec's (``GitIgnoreSpecPattern``): a pattern without a slash matches a name at any depth, one with
a slash is anchored at the root, and whatever is below a match matches too. In a list the last pattern that matches
decides, so ``!`` carves out. Names, ``prefix*suffix`` names, anchored paths and ``dir/**`` are matched here without a
regular expression, because loading ``re`` and pathspec costs more than judging a push; every other shape is handed to
pathspec.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.policy.fold import fold

if TYPE_CHECKING:
    from collections.abc import Iterable
    from re import Pattern as Regex

_SPECIAL = frozenset(b"*?[\\")
NAME, GLOB, PATH, BELOW, REGEX = "name", "glob", "path", "below", "regex"


class Pattern(NamedTuple):
    """One compiled pattern: ``shape`` says how ``head`` and ``tail`` are compared."""

    shape: str
    head: bytes
    tail: bytes
    negated: bool
    regex: Regex[bytes] | None

    def matches(self, path: bytes, names: list[bytes]) -> bool:
        """Whether the pattern covers ``path``; ``names`` are its components."""
        if self.shape == NAME:
            return self.head in names
        if self.shape == PATH:
            return path == self.head or path.startswith(self.tail)
        if self.shape == BELOW:
            return path.startswith(self.head) and len(path) > len(self.head)
        if self.shape == GLOB:
            size = len(self.head) + len(self.tail)
            return any(len(n) >= size and n.startswith(self.head) and n.endswith(self.tail) for n in names)
        assert self.regex is not None  # noqa: S101 (a REGEX pattern is only built with one)
        return self.regex.match(path) is not None


def _plain(text: bytes) -> bool:
    return not any(byte in _SPECIAL for byte in text)


def _shape(body: bytes) -> Pattern | None:
    """The regex-free form of a pattern, or None when it needs pathspec."""
    if _plain(body):
        inner = body.strip(b"/")
        if not inner or b"//" in body or body.endswith((b"/", b" ")):
            return None
        if b"/" in body:
            return Pattern(PATH, inner, inner + b"/", negated=False, regex=None)
        return Pattern(NAME, inner, b"", negated=False, regex=None)
    if body.endswith(b"/**") and _plain(body[:-3]) and body[:-3].strip(b"/") and b"//" not in body:
        return Pattern(BELOW, body[:-3].strip(b"/") + b"/", b"", negated=False, regex=None)
    head, star, tail = body.partition(b"*")
    if star and b"/" not in body and _plain(head) and _plain(tail) and (head or tail) and not tail.endswith(b" "):
        return Pattern(GLOB, head, tail, negated=False, regex=None)
    return None


def compile_pattern(text: bytes) -> Pattern:
    """Compile one pattern line.

    Raises:
        ValueError: the line is empty, a comment, or no pattern that pathspec understands.
    """
    body, negated = (text[1:], True) if text.startswith(b"!") else (text, False)
    if not body.strip() or body.startswith((b"#", b"!")) or b"\n" in body or b"\r" in body or b"\0" in body:
        raise ValueError("not a pattern: empty, a comment, or with a control character")
    if shape := _shape(body):
        return shape._replace(negated=negated)
    return Pattern(REGEX, body, b"", negated, _translate(body))


def _translate(body: bytes) -> Regex[bytes]:
    """Have pathspec turn a pattern into a regular expression over bytes."""
    import re

    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    regex, include = GitIgnoreSpecPattern.pattern_to_regex(body)
    if regex is None or include is None:
        raise ValueError("pathspec knows no meaning for it")
    return re.compile(regex, re.DOTALL)  # a directory named "a\nb" must not hide what is below it


class PatternSet(NamedTuple):
    """An ordered list of patterns; the last one that matches decides.

    ``names``, ``globs``, ``paths`` and ``rest`` hold the same patterns sorted by shape: they answer lists without
    ``!`` in one pass.
    """

    patterns: tuple[Pattern, ...]
    names: frozenset[bytes]
    rest: tuple[Pattern, ...]
    ordered: bool

    def matches(self, path: bytes) -> bool:
        """Whether the list covers ``path`` (bytes, ``/`` separated, no leading slash)."""
        if not self.patterns:
            return False
        names = path.split(b"/")
        if not self.ordered:
            return not self.names.isdisjoint(names) or any(p.matches(path, names) for p in self.rest)
        for pattern in reversed(self.patterns):
            if pattern.matches(path, names):
                return not pattern.negated
        return False


def compile_set(lines: Iterable[bytes]) -> PatternSet:
    """Compile a pattern list; an empty one matches nothing."""
    patterns = tuple(map(compile_pattern, lines))
    names = frozenset(p.head for p in patterns if p.shape == NAME)
    rest = tuple(p for p in patterns if p.shape != NAME)
    return PatternSet(patterns, names, rest, any(p.negated for p in patterns))


def fold_lines(lines: Iterable[bytes]) -> tuple[bytes, ...]:
    """The same patterns over folded paths."""
    return tuple((b"!" + fold(line[1:])) if line.startswith(b"!") else fold(line) for line in lines)
