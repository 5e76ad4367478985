"""What a source defines, each part with a hash and with what it mentions: enough to tell whom a change can reach.

An outline is JSON and depends on the bytes of the source alone. ``parts`` maps a name (``f``, ``C``, ``C.m``, "" for
what runs at the top level and binds nothing) to ``{"d": digest, "l": line, "k": kind, "n": names, "a": attributes}``:
``names`` are those that are not its own, ``attributes`` all that stands behind a dot, and texts that are identifiers
or begin one, as ``visit_*`` (for ``getattr``). ``k`` is ``function``, ``class``, ``value`` or ``module``; a part with
``"r": true`` is handed to a decorator that may keep it. ``imported`` says where names come from, ``steps`` and ``lazy``
what is imported, ``all`` what is public.
"""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.precheck import Unreadable, read_tree
from gatekeeper.source.facts.structure import structure_hash
from gatekeeper.source.facts.targets import bound
from gatekeeper.source.imports.mentions import Mentions, mentions
from gatekeeper.source.imports.toplevel import reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    Outline = dict[str, Any]

TOP = ""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")
_HARMLESS = frozenset(
    {
        "property", "staticmethod", "classmethod", "dataclass", "overload", "wraps", "cache", "lru_cache",
        "abstractmethod", "cached_property", "total_ordering", "final", "override", "contextmanager", "setter",
        "getter", "deleter", "given", "settings", "example", "parametrize", "skip", "skipif", "xfail", "usefixtures",
        "fixture",
    }
)  # fmt: skip
"""Decorators that hand back what they are given, or something in its place, and keep it nowhere else."""


def outline_source(data: bytes) -> Outline | None:
    """The outline of a source; None for one that cannot be read."""
    try:
        return outline(read_tree(data), data)
    except (Unreadable, RecursionError, MemoryError):
        return None


def outline(tree: ast.Module, data: bytes) -> Outline:
    """The outline of a parsed source; ``data`` are its bytes."""
    reader = reading(tree, data)
    parts = _Parts(walrus=b":=" in data)
    parts.block(tree.body, "")
    summary = reader.summary()
    kept = {key: summary[key] for key in ("steps", "lazy", "all") if summary[key]}
    return {**kept, "imported": reader.imported, "parts": parts.said()}


class _Parts:
    """The parts of a module, gathered block by block."""

    def __init__(self, *, walrus: bool) -> None:
        self._walrus = walrus
        self._nodes: dict[str, list[ast.AST]] = {}
        self._kinds: dict[str, str] = {}
        self._kept: set[str] = set()

    def said(self) -> dict[str, Any]:
        """Every part."""
        return {name: self._said(name, nodes) for name, nodes in self._nodes.items()}

    def _said(self, name: str, nodes: list[ast.AST]) -> dict[str, Any]:
        found = Mentions(set(), set())
        for node in nodes:
            mentions(node, found)
        said: dict[str, Any] = {
            "d": structure_hash(nodes)[:32],
            "l": min((getattr(node, "lineno", 0) for node in nodes), default=0),
            "k": self._kinds[name],
            "n": sorted(found.names),
            "a": sorted(found.attributes),
        }
        return {**said, "r": True} if name in self._kept else said

    def _put(self, name: str, kind: str, nodes: Iterable[ast.AST]) -> None:
        self._nodes.setdefault(name, []).extend(nodes)
        self._kinds.setdefault(name, kind)

    def block(self, body: Iterable[ast.stmt], within: str) -> None:
        """The statements of a module (``within`` is "") or of a class (its name and a dot)."""
        for stmt in body:
            if isinstance(stmt, _FUNCTIONS):
                self._put(within + stmt.name, "function", [stmt])
                self._decorated(within + stmt.name, stmt.decorator_list)
            elif isinstance(stmt, ast.ClassDef):
                self._class(stmt, within)
            elif isinstance(stmt, ast.Import | ast.ImportFrom):
                continue  # what is imported is told by the imports
            else:
                self._other(stmt, within)

    def _class(self, stmt: ast.ClassDef, within: str) -> None:
        name = within + stmt.name
        header = [*stmt.bases, *stmt.keywords, *stmt.decorator_list]
        self._put(name, "class", header or [ast.copy_location(ast.Pass(), stmt)])
        self._decorated(name, stmt.decorator_list)
        self.block(stmt.body, f"{name}.")

    def _other(self, stmt: ast.stmt, within: str) -> None:
        names = [name for name in bound(stmt, walrus=self._walrus) if name != "__all__"]
        inner = [field for field in _BLOCKS if getattr(stmt, field, None)]
        if inner:
            # a compound statement: what it tests or loops over is the module's own, what it holds is looked at in turn
            self._put(within.removesuffix("."), "module", list(_outside(stmt)))
            for block in _blocks(stmt, inner):
                self.block(block, within)
        elif within or not names:
            self._put(within.removesuffix("."), "module", [stmt])
        for name in names if not within else ():
            self._put(name, "value", [stmt] if not inner else list(_outside(stmt)))

    def _decorated(self, name: str, decorators: list[ast.expr]) -> None:
        for decorator in decorators:
            node = decorator.func if isinstance(decorator, ast.Call) else decorator
            last = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            if last not in _HARMLESS:
                self._kept.add(name)


def _outside(stmt: ast.stmt) -> Iterator[ast.AST]:
    """What a compound statement holds besides its blocks."""
    for field, value in ast.iter_fields(stmt):
        if field not in _BLOCKS:
            yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, ast.AST))


def _blocks(stmt: ast.stmt, fields: list[str]) -> Iterator[list[ast.stmt]]:
    for field in fields:
        value = getattr(stmt, field)
        if field in {"handlers", "cases"}:
            for item in value:
                yield item.body
        else:
            yield value
