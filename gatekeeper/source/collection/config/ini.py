"""Reads INI files as pytest does, which is neither ``configparser``'s dialect nor forgiving.

A name starts in the first column, ``=`` or ``:`` ends it, indented lines continue the value (joined by newlines,
blank and comment lines left out), nothing is interpolated and no comment is taken off a value. A second section or
name of the same spelling is an error, and so is a line that is none of these.
"""

from __future__ import annotations

COMMENTS = ("#", ";")


class IniError(Exception):
    """What is wrong and in which line."""


def read_ini(text: str) -> dict[str, dict[str, str]]:
    """Section to name to value; raises :class:`IniError`."""
    sections: dict[str, dict[str, list[str]]] = {}
    section: dict[str, list[str]] | None = None
    value: list[str] | None = None
    for number, line in enumerate(_lines(text), start=1):
        if not line:
            continue
        heading = _heading(line)
        if heading is not None:
            if not heading or heading in sections:
                raise IniError(f"line {number}: {'duplicate' if heading else 'empty'} section")
            section, value = sections.setdefault(heading, {}), None
        elif line[0].isspace() or line[0] == "[":
            if value is None:
                raise IniError(f"line {number}: a continuation of nothing")
            value.append(line.strip())
        else:
            name, first = _pair(line, number)
            if section is None:
                raise IniError(f"line {number}: no section header before it")
            if name in section:
                raise IniError(f"line {number}: duplicate name {name!r}")
            value = section[name] = [first] if first else []
    return {name: {key: "\n".join(parts) for key, parts in body.items()} for name, body in sections.items()}


def _lines(text: str) -> list[str]:
    """The lines without ends; a blank one or a comment becomes nothing."""
    text = text.removeprefix("\N{BYTE ORDER MARK}").replace("\r\n", "\n").replace("\r", "\n")
    return ["" if line.lstrip().startswith(COMMENTS) else line.rstrip() for line in text.splitlines()]


def _heading(line: str) -> str | None:
    """The name of the section that ``line`` opens, if it opens one: a comment may follow it."""
    if line[0] != "[":
        return None
    for comment in COMMENTS:
        line = line.split(comment, maxsplit=1)[0].rstrip()
    return line[1:-1] if line[-1] == "]" else None


def _pair(line: str, number: int) -> tuple[str, str]:
    """The name and the value's first line: at ``=`` unless a ``:`` comes before it."""
    name, found, value = line.partition("=")
    if not found or ":" in name:
        name, found, value = line.partition(":")
    if not found:
        raise IniError(f"line {number}: neither a section nor a name with a value: {line!r}")
    return name.strip(), value.strip()
