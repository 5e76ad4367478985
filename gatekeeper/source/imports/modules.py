"""Modules of a tree as an import meets them: which are loaded, how far each has got, and what is bound in it."""

from __future__ import annotations

import sys

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.imports.find import OPAQUE, is_package

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gatekeeper.source.imports.summary import Step, Summary

    SummaryOf = Callable[[str], Summary | None]
    Search = Callable[[str], str | None]

DONE = 1 << 30
"""How far a module has got that has run to its end."""
NO, LATER, YES = 0, 1, 2
_EVERY_MODULE = frozenset(dir(type(sys))) | {
    "__annotations__", "__builtins__", "__cached__", "__dict__", "__doc__", "__file__", "__loader__", "__name__",
    "__package__", "__path__", "__spec__",
}  # fmt: skip
_DEEPEST = 100
"""Modules that one name is looked for behind stars."""
_STARS = 200_000
"""Stars that are followed in all: modules that import everything of one another can be written to take for ever."""
_NOTHING: Summary = {"names": {}}


class Module:
    """A module; ``summary`` is None where nothing is known of it, ``at`` the step that it is at.

    ``edges`` are the paths of the modules that it surely loads; where one is only loaded because a package has no such
    name of its own, with that name (``package.name``), else with "". ``above`` is the path of the package it is in.
    """

    __slots__ = (
        "_gone", "_listed", "_stars", "above", "at", "edges", "failed", "name", "package", "path", "summary",
    )  # fmt: skip

    def __init__(self, name: str, path: str, summary: Summary | None) -> None:
        self.name = name
        self.path = path
        self.package = is_package(path)
        self.summary = summary
        self.at = -1
        self.failed = False
        self.above = ""
        self._stars: list[Step] | None = None
        self._gone: frozenset[str] | None = None
        self._listed: frozenset[str] | None = None
        self.edges: dict[str, str] = {}

    @property
    def stars(self) -> list[Step]:
        """The steps that import everything of another module."""
        if self._stars is None:
            steps = (self.summary or {}).get("steps", ())
            self._stars = [step for step in steps if step[0] == "from" and "*" in step[5]]
        return self._stars

    @property
    def gone(self) -> frozenset[str]:
        """The names that are deleted in the end."""
        if self._gone is None:
            self._gone = frozenset((self.summary or {}).get("gone", ()))
        return self._gone

    def lists(self, name: str) -> bool:
        """Whether ``__all__``, known as a list, has a name."""
        if self._listed is None:
            self._listed = frozenset((self.summary or {})["all"])
        return name in self._listed

    def absolute(self, step: Step) -> str | None:
        """The module that a step names; None for a relative name that leads out of the top package."""
        return absolute(self.name, step, package=self.package)


class Modules:
    """The modules met so far, by path."""

    def __init__(self, summary_of: SummaryOf, search: Search) -> None:
        self.search = search
        self.summary_of = summary_of
        self._known: dict[str, Module] = {}
        self._stars_left = _STARS

    def __iter__(self) -> Iterator[Module]:
        return iter(self._known.values())

    def at(self, name: str, path: str) -> Module:
        """The module at a path; a new one has run no step yet."""
        found = self._known.get(path)
        if found is None:
            summary = None if path == OPAQUE else _NOTHING if path.endswith("/") else self.summary_of(path)
            found = self._known[path] = Module(name, path, summary)
            if summary is None or path.endswith("/"):
                found.at = DONE
        return found

    def named(self, name: str) -> Module | None:
        """The module of a name; None when the tree has none."""
        path = self.search(name)
        return None if path is None else self.at(name, path)

    def origin(self, module: Module, said: str) -> Module | None:
        """The module that an import bound to a name (``module`` or ``module:name``); None where that is no module."""
        dotted, mark, name = said.partition(":")
        tail = dotted.lstrip(".")
        base = module.absolute(["from", 0, 0, len(dotted) - len(tail), tail])
        source = None if base is None else self.named(base)
        if source is None or not mark:
            return source
        if source.summary is None or not source.package or self.has(source, name) != NO:
            return None
        return self.named(f"{source.name}.{name}")

    def has(self, module: Module, name: str) -> int:
        """Whether a name may be bound in a module at this point; LATER when it is, after the module has gone on."""
        return self._has(module, name, set())

    def _has(self, module: Module, name: str, seen: set[str]) -> int:
        summary = module.summary
        if summary is None or module.failed or name in _EVERY_MODULE or "__getattr__" in summary["names"]:
            return YES
        return self._binds(module, summary, name, seen)

    def binds(self, module: Module, name: str) -> bool:
        """Whether the module's own code may find a name among its globals: ``__getattr__`` is not asked for those."""
        return module.summary is None or self._binds(module, module.summary, name, set()) != NO

    def _binds(self, module: Module, summary: Summary, name: str, seen: set[str]) -> int:
        if summary.get("open"):
            return YES
        place, later = summary["names"].get(name), NO
        stars = module.stars
        if place is not None and not (name in module.gone and module.at == DONE and not stars):
            if place <= module.at or module.at < 0:
                return YES
            later = LATER
        seen.add(module.path)
        return YES if any(self._star(module, step, name, seen) for step in stars) else later

    def _star(self, module: Module, step: Step, name: str, seen: set[str]) -> bool:
        """Whether ``from ... import *`` may bring a name; what takes too long to tell, may."""
        self._stars_left -= 1
        if self._stars_left < 0 or len(seen) > _DEEPEST:
            return True
        base = module.absolute(step)
        source = None if base is None else self.named(base)
        if source is None or source.summary is None:
            return True
        if source.path in seen:
            return False
        if source.package and self.search(f"{source.name}.{name}") is not None:
            return True  # a submodule is bound in its package by whoever imports it
        listed = source.summary.get("all")
        if listed is None:
            return not name.startswith("_") and self._has(source, name, seen) != NO
        # what a list says to be there is looked for where the list is
        return source.lists(name) if isinstance(listed, list) else self._has(source, name, seen) != NO


def absolute(name: str, step: Step, *, package: bool) -> str | None:
    """The module that a step of the module ``name`` names; None when a relative name leads out of the top package."""
    if step[0] == "import":
        said: str = step[3]
        return said
    level, tail = step[3], step[4]
    if not level:
        return str(tail)
    parts = name.split(".")
    kept = parts[: len(parts) - level + 1] if package else parts[: len(parts) - level]
    if len(kept) == 0 or level > len(parts):
        return None
    return ".".join([*kept, tail] if tail else kept)


def prefixes(name: str) -> list[str]:
    """A dotted name and all that it is inside of, the outermost first."""
    parts = name.split(".")
    return [".".join(parts[: end + 1]) for end in range(len(parts))]
