"""The rows of the contract: one value for every fact about the public surface that a caller could notice.

A *value* is what :mod:`gatekeeper.source.facts.serial` makes of an expression: JSON of lists, dictionaries, strings,
integers, booleans and None. A list that starts with a word is a node, and the word says which:

``["none"]`` ``["bool", true]`` ``["int", "5"]`` ``["float", hex]`` ``["complex", [hex, hex]]`` ``["str", text]``
``["bytes", latin-1]`` ``["..."]`` are constants (``["str#", length, sha256]`` and ``["bytes#", ...]`` long ones);
``["name", "pkg.mod.Name"]`` a name followed to its origin, builtins without a dot, ``?Name`` where nothing binds it;
``["union", [members]]`` and ``["literal", [members]]`` sorted sets; ``["annotated", type, [metadata]]``; ``["sub",
base, [arguments]]`` a subscript in an annotation; ``["type", "f0"]`` a type parameter by its scope and place;
``["local", name]`` a parameter of a lambda or a variable of a comprehension; ``["private", name]`` what has no public
path; ``["call", callee]`` a call of which only the callee matters; ``["expr", "IfExp"]`` an expression of which only
the kind matters; ``["Call", {"func", "args", "keywords"}]`` a whole call; ``["steps", value, [operator, value], ...]``
what ``+=`` makes of a value; any other word is the class of an ``ast`` node, followed by a dictionary of its fields, or
alone where it has none. A dictionary ``{"opaque": sha256}`` stands for what is too deep or too large.
"""

from __future__ import annotations

from hashlib import sha256
from json import JSONEncoder

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Value = Any
    Facts = dict[str, Any]

SCHEMA = 2
"""Part of every cache key: facts of another schema are never linked with these."""

_ENCODER = JSONEncoder(sort_keys=True, separators=(",", ":"), check_circular=False)

KINDS = (
    "function",
    "class",
    "attribute",
    "alias",
    "module",
    "typed",
    "getattr",
    "opaque",
    "opaque-all",
    "opaque-star",
    "missing",
    "inherits",
    "unparseable",
)
"""Every kind of row."""

_SHORT = 12

MAX_BYTES = 1 << 20
"""Sources above this are never parsed: one byte of source can cost 890 bytes of memory."""

REASONS = ("syntax", "encoding", "cookie", "too-big", "too-deep", "killed", "timeout")
"""Why a source could not be read: the stable words of ``unparseable`` rows."""


class Row(NamedTuple):
    """One fact of the public surface.

    ``path`` is the public dotted path (``pyi:`` before those of stubs), ``guard`` the condition under which it holds
    ("" for always), ``ordinal`` its place among overloads of one name, ``payload`` what a caller could notice.
    ``file`` and ``line`` say where it was written and are no part of the hash.
    """

    path: str
    guard: str
    ordinal: int
    kind: str
    payload: Value
    file: str = ""
    line: int = 0


def canonical(value: Value) -> str:
    """The one spelling of a value: JSON in ASCII, keys sorted, no spaces."""
    return _ENCODER.encode(value)


def ordered(values: Iterable[Value]) -> list[Value]:
    """The values as a set: each once, sorted by its spelling."""
    found = list(values)
    if len(found) < 2:  # noqa: PLR2004 (nothing to sort)
        return found
    by_text = {canonical(value): value for value in found}
    return [by_text[text] for text in sorted(by_text)]


def union(members: Iterable[Value]) -> Value:
    """A flattened, sorted set of types; the member itself when there is one."""
    flat: list[Value] = []
    for member in members:
        flat.extend(member[1] if isinstance(member, list) and member[0] == "union" else [member])
    found = ordered(flat)
    return found[0] if len(found) == 1 else ["union", found]


def unreadable(module: str, is_package: bool, stub: bool, reason: str, blob: bytes) -> Facts:
    """The facts of a source that cannot be read: why, by a word of :data:`REASONS`, and which bytes."""
    head: Facts = {"schema": SCHEMA, "module": module, "package": is_package, "stub": stub}
    return head | {"error": reason, "blob": sha256(blob).hexdigest()}


def row_text(row: Row) -> str:
    """The line that is hashed for a row; equal exactly when nothing that a caller could notice moved."""
    return canonical([row.path, row.guard, row.ordinal, row.kind, row.payload])


def row_hash(row: Row) -> str:
    """SHA-256 of :func:`row_text`, 64 hexadecimal digits."""
    return sha256(row_text(row).encode("ascii")).hexdigest()


def short_hash(row: Row) -> str:
    """The first 12 digits of :func:`row_hash`: how an allow row names a row."""
    return row_hash(row)[:_SHORT]
