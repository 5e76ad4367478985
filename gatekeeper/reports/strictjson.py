"""JSON Lines from somewhere else: bounded, without repeated keys, and every value of the type that is asked for."""

from __future__ import annotations

import json

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.reports.model import Unusable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_MAX_LINE = 8 << 20
_MAX_LINES = 8_000_000


def records(data: bytes) -> Iterator[dict[str, Any]]:
    """The objects of a file, a line each.

    Raises:
        Unusable: for anything else.
    """
    start = number = 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        number += 1
        if end - start > _MAX_LINE or number > _MAX_LINES:
            raise Unusable(f"line {number} is too long, or one too many")
        line = data[start:end].strip()
        start = end + 1
        if line:
            yield _object(line, number)


def _object(line: bytes, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Unusable(f"line {number} is no JSON") from None
    if not isinstance(value, dict):
        raise Unusable(f"line {number} is no object")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found


def _refuse(word: str) -> Any:
    raise ValueError(word)


def text(record: dict[str, Any], key: str) -> str:
    """A text that must be there."""
    value = record.get(key)
    if not isinstance(value, str):
        raise Unusable(f"{key} is no text in {_shown(record)}")
    return value


def count(record: dict[str, Any], key: str) -> int:
    """A number of things that must be there."""
    value = record.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise Unusable(f"{key} is no number in {_shown(record)}")
    return value


def _shown(record: dict[str, Any]) -> str:
    return json.dumps(record)[:200]
