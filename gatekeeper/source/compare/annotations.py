"""Whether one annotation became another, and where that can be proved, whether it only takes more or promises more.

Unions are sets in the canonical form of :mod:`gatekeeper.source.expressions`, so that inclusion of the sets is
inclusion of the types.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.compare.kinds import Note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def compared(prefix: str, old: Any, new: Any, *, reads: bool) -> Iterator[Note]:
    """The note about two annotations, or none; messages complete a sentence that names whose they are.

    Args:
        prefix: ``ann-param``, ``ann-return`` or ``ann-attr``.
        old: the canonical annotation, None where there is none.
        new: likewise.
        reads: callers only read the value, so that a narrower type keeps every promise; else they only write it.
    """
    if old == new:
        return
    if old is None:
        yield Note("ann-added", "was added")
    elif new is None:
        yield Note("ann-removed", "was removed")
    elif prefix == "ann-return" and _members(new) < _members(old):
        yield Note("ann-return-narrowed", "promises more")
    elif prefix == "ann-param" and not reads and _members(old) < _members(new):
        yield Note("ann-param-widened", "takes more")
    else:
        yield Note(f"{prefix}-changed", "differs")


def _members(annotation: Any) -> frozenset[str]:
    """The members of a union, as comparable text; one member when it is no union."""
    import json

    rows = annotation[1] if _is_set(annotation, "union") else [annotation]
    found = [[row] if not _is_set(row, "literal") else [["literal", [one]] for one in row[1]] for row in rows]
    return frozenset(json.dumps(one, sort_keys=True) for ones in found for one in ones)


def _is_set(annotation: Any, tag: str) -> bool:
    return isinstance(annotation, list) and len(annotation) == 2 and annotation[0] == tag  # noqa: PLR2004
