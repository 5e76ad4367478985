"""Edit ``properties.toml`` line by line, so that comments and layout stay; what comes out is read again and compared.

An edit that would lead to anything but the wanted rows is refused: files may be written in ways that lines do not show.
"""

from __future__ import annotations

import json

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.contracts.properties import Properties, Property, read_properties
from gatekeeper.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_HEADER = "[[property]]"
_FIRST = """\
# The properties that this suite must still collect. People edit this file; a property leaves it for [[retired]] only.
[budget]
min_collected = 1
forbid_delete = true
"""
_BY_HAND = "edit the file by hand"


def add(data: bytes | None, row: Property) -> bytes:
    """The file with one more property after the last one; None makes a new file.

    Raises:
        UsageError: the row cannot be in this file, or the file cannot be edited by lines.
    """
    text = _text(_FIRST.encode() if data is None else data)
    before = _read(text)
    lines = _lines(text)
    place = max((_end(lines, other.line) for other in before.properties), default=_before_retired(lines, before))
    new = [_HEADER, *(f"{key} = {_said(value)}" for key, value in _keys(row).items())]
    lead = [""] if place and lines[place - 1].strip() else []
    trail = [""] if place < len(lines) and lines[place].strip() else []
    lines[place:place] = [*lead, *new, *trail]
    wanted = before._replace(properties=(*before.properties, row))
    return _written(text, lines, wanted)


def assign(data: bytes, changes: Mapping[str, Mapping[str, str]]) -> bytes:
    """The file with another ``digest`` or ``ticket`` in some rows, by their ids.

    Raises:
        UsageError: there is no such row, or the file cannot be edited by lines.
    """
    text = _text(data)
    before = _read(text)
    rows = {row.id: row for row in before.properties}
    lines = _lines(text)
    for name in changes:
        if name not in rows:
            raise UsageError(f"no property has the id {name!r}", fix="`gatekeeper properties list` prints them")
    for row in sorted(before.properties, key=lambda row: -row.line):
        for key, value in changes.get(row.id, {}).items():
            _assign(lines, row, key, value)
    wanted = [_changed(row, changes.get(row.id, {})) for row in before.properties]
    return _written(text, lines, before._replace(properties=tuple(wanted)))


def _changed(row: Property, values: Mapping[str, str]) -> Property:
    return row._replace(digest=values.get("digest", row.digest), ticket=values.get("ticket", row.ticket))


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError("the file is not UTF-8", fix="save it as UTF-8") from None


def _read(text: str) -> Properties:
    found = read_properties(text.encode())
    if found.faults:
        line, problem, fix = found.faults[0]
        raise UsageError(f"line {line}: {problem}", fix=fix)
    if not all(row.line for row in found.properties):
        raise UsageError("the file does not write each property as a table of its own", fix=_BY_HAND)
    return found


def _lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def _keys(row: Property) -> dict[str, object]:
    optional = {
        "guards": list(row.guards),
        "min_examples": row.min_examples,
        "digest": row.digest,
        "ticket": row.ticket,
    }
    return {
        "id": row.id,
        "module": row.module,
        "nodeid": row.nodeid,
        **{key: value for key, value in optional.items() if value},
    }


def _said(value: object) -> str:
    """A value as TOML: JSON's strings are TOML's, but for one character."""
    try:
        return json.dumps(value, ensure_ascii=False).encode().decode().replace("\x7f", "\\u007f")
    except UnicodeEncodeError:
        raise UsageError("a name is not UTF-8", fix="TOML has no way to write it") from None


def _end(lines: Sequence[str], header: int) -> int:
    """The number of lines up to the last key of a table; ``header`` counts from one."""
    last = header
    for place in range(header, len(lines)):
        line = lines[place].strip()
        if line.startswith("["):
            break
        if line and not line.startswith("#"):
            last = place + 1
    return last


def _before_retired(lines: Sequence[str], before: Properties) -> int:
    """Where the first property goes: before the retired ones with their comments, or to the end."""
    place = min((row.line - 1 for row in before.retired if row.line), default=len(lines))
    while place and place < len(lines) and lines[place - 1].lstrip().startswith("#"):
        place -= 1
    return place


def _assign(lines: list[str], row: Property, key: str, value: str) -> None:
    end = _end(lines, row.line)
    for place in range(row.line, end):
        name, mark, rest = lines[place].partition("=")
        if mark and name.strip() == key:
            lines[place] = f"{name}= {_said(value)}{_comment(rest)}"
            return
    lines.insert(end, f"{key} = {_said(value)}")


def _comment(rest: str) -> str:
    """What follows a text on its line."""
    quote = rest.strip()[:1]
    after = rest.strip()[1:].partition(quote)[2] if quote else ""
    return f"  {after.strip()}" if after.strip() else ""


def _written(old: str, lines: Sequence[str], wanted: Properties) -> bytes:
    end = "\r\n" if "\r\n" in old else "\n"
    data = "".join(line + end for line in lines).encode()
    found = read_properties(data)
    if found.faults:
        line, problem, fix = found.faults[0]
        raise UsageError(f"the file would not hold: line {line}: {problem}", fix=fix)
    if _rows(found) != _rows(wanted):
        raise UsageError("the file is written in a way that lines do not show", fix=_BY_HAND)
    return data


def _rows(found: Properties) -> Properties:
    """Without places, which an edit moves."""
    return found._replace(
        properties=tuple(row._replace(line=0) for row in found.properties),
        retired=tuple(row._replace(line=0) for row in found.retired),
    )
