"""Literals as tagged values, and hashes over syntax of any depth: the parts that need no scope."""

from __future__ import annotations

import ast
from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.rows import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gatekeeper.source.rows import Value

_LONG = 200
_WIDE = 64
SKIPPED = frozenset({"ctx", "kind", "type_comment", "str"})
"""Fields of nodes that say nothing about what the source means."""


def constant(value: object) -> Value:  # noqa: PLR0911 (one line a type)
    """A literal, tagged with its type, so that ``1``, ``True`` and ``1.0`` differ."""
    if value is None:
        return ["none"]
    if value is True or value is False:
        return ["bool", value]
    if isinstance(value, int):
        # In decimal, an integer of more than 4,300 digits raises ValueError.
        return ["int", str(value) if value.bit_length() <= _WIDE else hex(value)]
    if isinstance(value, float):
        return ["float", value.hex()]
    if isinstance(value, complex):
        return ["complex", [value.real.hex(), value.imag.hex()]]
    if isinstance(value, str):
        return _text("str", value, value.encode("utf-8", "surrogatepass"))
    if isinstance(value, bytes):
        return _text("bytes", value.decode("latin-1"), value)
    return ["..."]


def _text(tag: str, text: str, data: bytes) -> Value:
    return [tag, text] if len(text) <= _LONG else [tag + "#", len(text), sha256(data).hexdigest()]


def _is_text(node: object) -> bool:
    """A docstring, or another string that stands alone as a statement."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Constant):
        return False
    return isinstance(node.value.value, str)


def structure_hash(nodes: Iterable[ast.AST]) -> str:
    """SHA-256 over the structure of statements or expressions of any depth.

    Layout, comments and docstrings do not count.
    """
    digest = sha256()
    stack: list[object] = []
    stack.extend(node for node in nodes if not _is_text(node))
    stack.reverse()
    while stack:
        item = stack.pop()
        if isinstance(item, ast.AST):
            digest.update(b"(" + type(item).__name__.encode())
            for name in reversed(item._fields):
                value = getattr(item, name, None)
                if value is not None and value != [] and name not in SKIPPED:
                    stack.extend((value, (name,)))
        elif isinstance(item, list):
            kept = [part for part in item if not _is_text(part)]
            digest.update(b"[%d" % len(kept))
            stack.extend(reversed(kept))
        elif isinstance(item, tuple):
            digest.update(b"." + item[0].encode())
        elif type(item) is str and len(item) <= _LONG:
            digest.update(b"s" + item.encode("utf-8", "surrogatepass") + b"\0")
        else:
            digest.update(canonical(constant(item)).encode("ascii"))
    return digest.hexdigest()
