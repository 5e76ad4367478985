"""The modules of one tree as a program: what each is called, what it defines, where its names come from."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.imports.find import OPAQUE, is_package
from gatekeeper.source.imports.modules import absolute, prefixes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from gatekeeper.source.imports.modules import Search

    Outline = dict[str, Any]
    Part = tuple[str, str]

LONGEST = 100
"""Modules that a name is followed through."""


class Source(NamedTuple):
    """A module: the name that it is imported by, and its path."""

    name: str
    path: str


class Program:
    """The modules of one tree.

    Args:
        outline_of: the outline of the source at a path; None where it cannot be read, or is none.
        search: where a module lies (:class:`gatekeeper.source.imports.find.Finder`).
        listing: the names in a directory.
    """

    def __init__(
        self, outline_of: Callable[[str], Outline | None], search: Search, listing: Callable[[str], Iterable[str]]
    ) -> None:
        self._outline_of = outline_of
        self._listing = listing
        self._children: dict[str, frozenset[str]] = {}
        self._loads: dict[str, list[str]] = {}
        self._known: dict[str, Outline | None] = {}
        self._names: dict[str, str] = {}
        self.search = search

    def outline(self, path: str) -> Outline:
        """An outline; an empty one where there is none."""
        if path not in self._known:
            self._known[path] = None if path == OPAQUE or path.endswith("/") else self._outline_of(path)
        return self._known[path] or {"parts": {}, "imported": {}}

    def parts(self, path: str) -> Mapping[str, Any]:
        """The parts of a source."""
        found: Mapping[str, Any] = self.outline(path)["parts"]
        return found

    def name(self, path: str) -> str:
        """What the module at a path is called."""
        return self._names[path]

    def at(self, source: Source) -> str:
        """Take note of a module's name; its path."""
        self._names.setdefault(source.path, source.name)
        return source.path

    def module(self, name: str) -> str | None:
        """The path of a module, None where the tree has none."""
        path = self.search(name)
        return None if path is None or path == OPAQUE else self.at(Source(name, path))

    def origin(self, path: str, said: str) -> tuple[str, str] | None:
        """Where an import finds something: the path of a module, and the name in it ("" for the module)."""
        dotted, _, name = said.partition(":")
        tail = dotted.lstrip(".")
        step = ["from", 0, 0, len(dotted) - len(tail), tail, []]
        base = absolute(self.name(path), step, package=is_package(path))
        found = None if base is None else self.module(base)
        return None if found is None else (found, name)

    def children(self, path: str) -> frozenset[str]:
        """The names that modules inside a package can have."""
        if path not in self._children:
            directory = path.rpartition("/")[0]
            found = (name.removesuffix(".py") for name in self._listing(directory)) if is_package(path) else ()
            self._children[path] = frozenset(name for name in found if name.isidentifier())
        return self._children[path]

    def loads(self, path: str) -> list[str]:
        """The modules that one imports when it is imported."""
        if path not in self._loads:
            self._loads[path] = list(self._imports(path))
        return self._loads[path]

    def _imports(self, path: str) -> Iterator[str]:
        for step in self.outline(path).get("steps", ()):
            base = absolute(self.name(path), step, package=is_package(path))
            inner = [f"{base}.{name}" for name in step[5] if name != "*"] if step[0] == "from" else []
            for name in () if base is None else (*prefixes(base), *inner):
                found = self.module(name)
                if found is not None:
                    yield found

    def stars(self, path: str) -> Iterable[str]:
        """The modules of which one imports everything."""
        for step in self.outline(path).get("steps", ()):
            if step[0] == "from" and "*" in step[5]:
                base = absolute(self.name(path), step, package=is_package(path))
                found = None if base is None else self.module(base)
                if found is not None:
                    yield found

    def definition(self, dotted: str) -> list[Part]:
        """The definitions that a dotted path names: ``pkg.f``, ``pkg.C.m``, a module with all that is in it.

        A class stands for its methods too, and a re-export for what it leads to.
        """
        for name in reversed(prefixes(dotted)):
            path = self.module(name)
            if path is not None:
                rest = dotted[len(name) + 1 :]
                return sorted(self._inside(path, rest, set()))
        return []

    def _inside(self, path: str, rest: str, seen: set[Part]) -> set[Part]:
        if (path, rest) in seen or len(seen) > LONGEST:
            return set()
        seen.add((path, rest))
        found = {
            (path, name)
            for name in self.parts(path)
            if not rest or name == rest or name.startswith(f"{rest}.") or (name and rest.startswith(f"{name}."))
        }
        head, _, tail = rest.partition(".")
        origin = self.outline(path)["imported"].get(head) if rest else None
        place = None if origin is None else self.origin(path, origin)
        if place is not None:
            found.add((path, head))
            inner = ".".join(filter(None, (place[1], tail)))
            found |= self._inside(place[0], inner, seen)
        if not found and rest:
            for star in self.stars(path):
                found |= self._inside(star, rest, seen)
        return found
