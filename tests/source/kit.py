from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING, Any

from gatekeeper.source.digest import digest
from gatekeeper.source.show import show
from gatekeeper.source.surface import surface

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gatekeeper.source.rows import Row


def tree(files: dict[str, str | bytes]) -> dict[str, bytes]:
    return {path: text if isinstance(text, bytes) else dedent(text).encode() for path, text in files.items()}


def rows_of(files: dict[str, str | bytes], **options: Any) -> tuple[Row, ...]:
    return surface(tree(files), **options)


def module_rows(source: str | bytes, **options: Any) -> tuple[Row, ...]:
    """The rows of a module ``m``, without the one for the module itself."""
    return tuple(row for row in rows_of({"m.py": source}, **options) if row.kind != "module")


def digest_of(files: dict[str, str | bytes]) -> str:
    return digest(rows_of(files)).tree


def by_path(rows: Iterable[Row]) -> dict[str, Row]:
    """One row a path; those that only name a base are left out."""
    return {row.path: row for row in rows if row.kind != "inherits"}


def named(rows: Iterable[Row]) -> list[tuple[str, str]]:
    return [(row.path, row.kind) for row in rows]


def signature(row: Row) -> str:
    """A function row in the order of its slots, for reading in a test."""
    marks = {"pos": "pos ", "pok": "", "var": "*", "kwo": "kwo ", "kw": "**"}
    shown = []
    for slot, name, default, annotation in row.payload["params"]:
        text = marks[slot] + name
        text += f": {show(annotation)}" if annotation is not None else ""
        shown.append(text + (f"={show(default)}" if default is not None else ""))
    returns = row.payload["returns"]
    return f"({', '.join(shown)})" + (f" -> {show(returns)}" if returns is not None else "")
