"""The patterns that pytest holds against paths."""

from __future__ import annotations

from fnmatch import fnmatchcase

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.config.paths import absolute

if TYPE_CHECKING:
    from gatekeeper.source.collection.config import Config


def matches(path: str, patterns: list[str]) -> bool:
    """Pytest's ``fnmatch_ex``: a pattern with a slash is held against the whole path, any other against the name."""
    for pattern in patterns:
        if "/" not in pattern:
            if fnmatchcase(path.rpartition("/")[2], pattern):
                return True
        elif fnmatchcase(absolute(path), pattern if pattern.startswith("/") else f"*/{pattern}"):
            return True
    return False


def text_patterns(config: Config) -> list[str]:
    """Which files that are no sources are searched for doctests."""
    return [pattern for pattern in config.options.all("--doctest-glob") if pattern] or ["test*.txt"]
