"""``glob.iglob(pattern, recursive=True)`` over a tree."""

from __future__ import annotations

from fnmatch import filter as matching
from posixpath import join

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.config.paths import resolve
from gatekeeper.source.files import DIRECTORY, watch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.collection.tree import Tree

MAGIC = "*?["
WIDE = 100_000
"""Directories that one pattern may walk: links in a loop multiply them."""


def expand(tree: Tree, base: str, pattern: str) -> list[str]:
    """The paths, relative to ``base``, that ``pattern`` matches, sorted as text."""
    found: list[str] = [""]
    parts = pattern.split("/")
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        found = list(_level(tree, base, found, part, last=last))
    return sorted(found)


def _level(tree: Tree, base: str, above: list[str], part: str, *, last: bool) -> Iterator[str]:
    for directory in above:
        if part == "**":
            yield from _below(tree, base, directory, files=last)
        elif any(letter in part for letter in MAGIC):
            watch(tree.files, resolve(base, directory))
            entries = tree.entries(resolve(base, directory))
            names = [item.name for item in entries if last or item.kind == DIRECTORY]
            if not part.startswith("."):
                names = [name for name in names if not name.startswith(".")]
            yield from (join(directory, name) for name in matching(names, part))
        else:
            path = join(directory, part) if part or not last else directory
            kind = tree.kind(resolve(base, path))
            if kind is not None and (last or kind == DIRECTORY):
                yield path


def _below(tree: Tree, base: str, directory: str, *, files: bool) -> Iterator[str]:
    """The directory and what is below it, hidden names left out: all of it where ``**`` ends the pattern."""
    waiting, walked = [directory], 0
    while waiting and walked < WIDE:
        current = waiting.pop()
        walked += 1
        yield current
        watch(tree.files, resolve(base, current))
        for item in reversed(tree.entries(resolve(base, current))):
            if item.name.startswith("."):
                continue
            path = join(current, item.name)
            if item.kind == DIRECTORY:
                waiting.append(path)
            elif files:
                yield path
