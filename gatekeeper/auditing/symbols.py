"""Where what a property guards is defined: by the dotted names of its row, or by what its module imports."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from gatekeeper.auditing.mutants import definition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Read = Callable[[str], bytes | None]

_HOPS = 8
"""How many re-exports are followed."""


class Symbol(NamedTuple):
    """A definition: the file, and its dotted name in it."""

    path: str
    name: str


class Sources(NamedTuple):
    """``read`` gives the product's files, and None for all others; ``test`` gives any; ``roots`` start imports."""

    read: Read
    test: Read
    roots: Sequence[str]

    def find(self, dotted: str, hops: int = _HOPS) -> Symbol | None:
        """The definition of a dotted name, through re-exports; None where no file of the product has it."""
        parts = dotted.split(".")
        for size in range(len(parts) - 1, 0, -1):
            path = self.module(parts[:size])
            if path is not None:
                return self._inside(path, parts[:size], ".".join(parts[size:]), hops)
        return None

    def module(self, parts: Sequence[str]) -> str | None:
        """The file of a module of the product."""
        for root in self.roots:
            base = "/".join(part for part in (root.strip("/"), *parts) if part)
            for path in (f"{base}/__init__.py", f"{base}.py"):
                if self.read(path) is not None:
                    return path
        return None

    def _inside(self, path: str, package: Sequence[str], name: str, hops: int) -> Symbol | None:
        source = self.read(path) or b""
        if definition(source, name) is not None:
            return Symbol(path, name)
        first, dot, rest = name.partition(".")
        for alias, origin in imports(source, package if path.endswith("/__init__.py") else package[:-1]):
            if alias == first and hops:
                return self.find(origin + dot + rest, hops - 1)
        return None

    def imported(self, source: bytes) -> Iterator[Symbol]:
        """What a test module takes from the product, in the order in which it says so."""
        used = list(_dotted(source))
        for alias, origin in imports(source, ()):
            found = self.find(origin)
            if found is not None:
                yield found
                continue
            for name in used:
                if name.startswith(f"{alias}.") and (inner := self.find(origin + name[len(alias) :])) is not None:
                    yield inner


def imports(source: bytes, package: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names that imports bind, each with the dotted name that it stands for.

    Args:
        source: of a module.
        package: what its relative imports start from.
    """
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((one.asname or one.name, one.name) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = list(package[: len(package) - node.level + 1]) if node.level else []
            base = [*start, *filter(None, [node.module])]
            yield from ((one.asname or one.name, ".".join([*base, one.name])) for one in node.names)


def _dotted(source: bytes) -> Iterator[str]:
    """The dotted names that a module speaks of, the longest first."""
    try:
        nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    names = dict.fromkeys(ast.unparse(node) for node in nodes)
    yield from sorted((name for name in names if name.replace(".", "").isidentifier()), key=len, reverse=True)
