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
_CONTROL = frozenset((*range(32), 0x7F))
_CLASSES = rb"\\.|(\[\^(?!/\])\]?[^\]]*\])|\[\]?[^\]]*\]"
"""Escaped characters and bracket expressions in what pathspec makes; the group is a negated one of the pattern's."""
_BLANK_LATIN = (b"\x85", b"\xa0")
"""Last bytes of UTF-8 characters such as \"\u00e0\", which pathspec reads as Latin-1 blanks and strips."""
NAME, GLOB, PATH, BELOW, REGEX = "name", "glob", "path", "below", "regex"


class Pattern(NamedTuple):
    """One compiled pattern: ``shape`` says how ``head`` and ``tail`` are compared."""

    shape: str
    head: bytes
    tail: bytes
    negated: bool = False
    regex: Regex[bytes] | None = None
    middle: tuple[bytes, ...] = ()

    def matches(self, path: bytes, names: list[bytes]) -> bool:
        """Whether the pattern covers ``path``; ``names`` are its components."""
        if self.shape == NAME:
            return self.head in names
        if self.shape == PATH:
            return path == self.head or path.startswith(self.tail)
        if self.shape == BELOW:
            return path.startswith(self.head) and len(path) > len(self.head)
        if self.shape == GLOB:
            return any(self._globs(name) for name in names)
        assert self.regex is not None  # noqa: S101 (a REGEX pattern is only built with one)
        return self.regex.search(path) is not None

    def _globs(self, name: bytes) -> bool:
        """Whether one component matches ``head*middle*tail``; taking each middle part leftmost leaves the most room."""
        end = len(name) - len(self.tail)
        if end < len(self.head) or not name.startswith(self.head) or not name.endswith(self.tail):
            return False
        start = len(self.head)
        for part in self.middle:
            found = name.find(part, start, end)
            if found < 0:
                return False
            start = found + len(part)
        return True


def _plain(text: bytes) -> bool:
    return _SPECIAL.isdisjoint(text)


def _shape(body: bytes) -> Pattern | None:
    """The regex-free form of a pattern, or None when it needs pathspec."""
    if b"//" in body or body.endswith(b"/"):
        return None
    if _plain(body):
        inner = body.strip(b"/")
        return Pattern(PATH, inner, inner + b"/") if b"/" in body else Pattern(NAME, body, b"")
    if body.endswith(b"/**") and _plain(body[:-3]):
        below = body[:-3].strip(b"/")
        return Pattern(BELOW, below + b"/", b"") if below else None
    head, *middle = body.split(b"*")
    if b"/" in body or not middle or not all(map(_plain, (head, *middle))) or not body.strip(b"*"):
        return None
    return Pattern(GLOB, head, middle[-1], middle=tuple(filter(None, middle[:-1])))


def compile_pattern(text: bytes) -> Pattern:
    """Compile one pattern line.

    Raises:
        ValueError: the line is empty, a comment, or no pattern that pathspec understands.
    """
    body, negated = (text[1:], True) if text.startswith(b"!") else (text, False)
    if not body.endswith(b"\\ "):
        body = body.rstrip(b" ")
    if not body or body.startswith((b"#", b"!")) or not _CONTROL.isdisjoint(body):
        raise ValueError("not a pattern: empty, a comment, or with a control character")
    if shape := _shape(body):
        return shape._replace(negated=True) if negated else shape
    return Pattern(REGEX, body, b"", negated, regex=_translate(body))


def _translate(body: bytes) -> Regex[bytes]:
    """Have pathspec turn a pattern into a regular expression over bytes.

    Raises:
        ValueError: it cannot, or what comes out would not mean what git takes the pattern for.
    """
    import re
    import warnings

    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    if b"***" in body:
        raise ValueError("not a pattern that means one thing: three asterisks are two to git and one to others")
    if body.endswith(_BLANK_LATIN):
        body = body[:-1] + b"[" + body[-1:] + b"]"
    regex, include = GitIgnoreSpecPattern.pattern_to_regex(body)
    if regex is None or include is None:
        raise ValueError("pathspec knows no meaning for it")
    # "[!a]" is never a slash to git, "[^a]" can be one to re
    regex = re.sub(_CLASSES, lambda found: (b"(?!/)" if found[1] else b"") + found[0], regex, flags=re.DOTALL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # "[[:digit:]]": a class to git, nonsense to re
            return re.compile(regex, re.DOTALL)  # a directory named "a\nb" must not hide what is below it
    except (re.error, FutureWarning) as error:
        raise ValueError(f"not a pattern that can be compiled: {error}") from None


class PatternSet(NamedTuple):
    """An ordered list of patterns; the last one that matches decides.

    A list without ``!`` is answered from its other fields, the same patterns sorted by shape, because a push asks about
    every path that it changes.
    """

    patterns: tuple[Pattern, ...]
    ordered: bool
    names: frozenset[bytes]
    paths: frozenset[bytes]
    below: tuple[bytes, ...]
    prefixes: tuple[bytes, ...]
    suffixes: tuple[bytes, ...]
    rest: tuple[Pattern, ...]

    @property
    def plain(self) -> bool:
        """Whether the list has neither a ``!`` nor a regular expression in it."""
        return not self.ordered and all(pattern.shape != REGEX for pattern in self.rest)

    def matches(self, path: bytes) -> bool:
        """Whether the list covers ``path`` (bytes, ``/`` separated, no leading slash)."""
        names = path.split(b"/")
        if self.ordered:
            return next((not p.negated for p in reversed(self.patterns) if p.matches(path, names)), False)
        return (
            not self.names.isdisjoint(names)
            or path in self.paths
            or path.startswith(self.below)
            or any(name.startswith(self.prefixes) or name.endswith(self.suffixes) for name in names)
            or any(pattern.matches(path, names) for pattern in self.rest)
        )


def compile_set(lines: Iterable[bytes]) -> PatternSet:
    """Compile a pattern list; an empty one matches nothing."""
    patterns = tuple(map(compile_pattern, lines))
    globs = [p for p in patterns if p.shape == GLOB and not p.middle]
    prefixes = tuple(p.head for p in globs if not p.tail)
    suffixes = tuple(p.tail for p in globs if not p.head)
    below = [p.head for p in patterns if p.shape == BELOW] + [p.tail for p in patterns if p.shape == PATH]
    return PatternSet(
        patterns=patterns,
        ordered=any(p.negated for p in patterns),
        names=frozenset(p.head for p in patterns if p.shape == NAME),
        paths=frozenset(p.head for p in patterns if p.shape == PATH),
        below=tuple(below),
        prefixes=prefixes,
        suffixes=suffixes,
        rest=tuple(p for p in patterns if p.shape == REGEX or (p.shape == GLOB and (p.middle or (p.head and p.tail)))),
    )


def fold_lines(lines: Iterable[bytes]) -> tuple[bytes, ...]:
    """The same patterns over folded paths."""
    return tuple((b"!" + fold(line[1:])) if line.startswith(b"!") else fold(line) for line in lines)
