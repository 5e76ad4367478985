"""Tables of names, written as prose is."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text that spaces part."""
    return frozenset(text.split())
