"""Whether the bytes of a contract file have the form that its name promises: TOML, JSON, JSON Lines or text.

This is the least that a pushed contract must meet before it may become the trusted one; what the rows mean is judged
by the readers of each budget.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_DIGITS = 64
_HEX = frozenset("0123456789abcdef")


def malformed(kind: str, data: bytes) -> str | None:
    """What is wrong with the form of a contract file, or None.

    Args:
        kind: the contract's key in the policy's ``[contracts]`` table.
        data: the file's bytes.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"is not UTF-8: byte {error.start} of {len(data)}"
    if text.startswith("\ufeff"):
        return "starts with a byte order mark"
    return _FORMS[kind](text)


def _properties(text: str) -> str | None:
    from gatekeeper.contracts.properties import read_properties

    faults = read_properties(text.encode("utf-8")).faults
    if not faults:
        return None
    line, problem, fix = faults[0]
    more = f"; {len(faults) - 1} more" if len(faults) > 1 else ""
    return f"{f'line {line}: ' if line else ''}{problem} ({fix}{more})"


def _json_object(text: str) -> str | None:
    import json

    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        return f"is not JSON: {error}"
    return None if isinstance(value, dict) else "is not a JSON object"


def _json_lines(text: str) -> str | None:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and (problem := _json_object(line)):
            return f"line {number} {problem}"
    return None


def _lock(text: str) -> str | None:
    """Both forms of a fixture lock: a JSON object, or ``sha256sum`` lines."""
    if text.lstrip().startswith("{"):
        return _json_object(text)
    for number, line in enumerate(text.split("\n"), 1):
        digest, name = line.removeprefix("\\")[:_DIGITS], line.removeprefix("\\")[_DIGITS:]
        if line and (len(digest) < _DIGITS or not _HEX.issuperset(digest) or not name.strip()):
            return f"line {number} is no row of sha256sum"
    return None


def _text(text: str) -> str | None:
    return "holds a NUL character" if "\0" in text else None


_FORMS: dict[str, Callable[[str], str | None]] = {
    "properties": _properties,
    "fixtures": _lock,
    "flake_budget": _json_object,
    "flake_ledger": _json_lines,
    "allow": _text,
}
