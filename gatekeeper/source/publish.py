"""Which names are public, and the one path under which each definition is written out."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.words import SILENT_MODULE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.tree import Target, Tree

REEXPORT = ("strict", "package", "all")
"""Which imports are public without ``__all__``: ``import x as x`` only; also those of a package's ``__init__`` from
inside itself; or every import of a public name."""


class Reach(NamedTuple):
    """One public path of a name: where it leads, under which condition."""

    path: str
    guard: str
    target: Target
    line: int


class Place(NamedTuple):
    """A module, and the public path that its names are written under."""

    path: str
    space: str
    module: str


def is_public(name: str) -> bool:
    """Whether a dotted module name is one that a caller may import."""
    return not any(part.startswith("_") and part not in {"__init__", "__main__"} for part in name.split("."))


class Publisher:
    """Walks all public modules once."""

    def __init__(self, tree: Tree, reexport: str) -> None:
        self._tree = tree
        self._reexport = reexport
        self.places: list[Place] = []
        self.reached: list[Reach] = []
        self.unbound: list[tuple[Place, str]] = []
        self._walk()

    def exported(self, space: str, module: str) -> dict[str, None]:
        """The public names of a module: its ``__all__``, or the rules for modules without one, or both."""
        listed = self._tree.all_names(space, module)
        if listed is not None and not listed[1]:
            return listed[0]
        names = dict.fromkeys(self._by_rule(space, module))
        sources, _ = self._tree.star_sources(space, module)
        for source in sources:
            inner = self._tree.all_names(space, source)
            taken = self._by_rule(space, source) if inner is None else inner[0]
            names.update((name, None) for name in taken if not name.startswith("_"))
        return names if listed is None else listed[0] | names

    def _by_rule(self, space: str, module: str) -> Iterator[str]:
        found = self._tree.get(space, module)
        if found is None:
            return
        package = found.facts["package"]
        for name, variants in self._tree.names(space, module).items():
            if name in SILENT_MODULE or (name.startswith("_") and not (name.startswith("__") and name.endswith("__"))):
                continue
            if any(self._counts(item, module, package, stub=found.facts["stub"]) for _, item in variants):
                yield name

    def _counts(self, item: dict[str, str], module: str, package: bool, *, stub: bool) -> bool:
        if item["k"] != "import" or item["how"] == "as" or self._reexport == "all":
            return True
        inside = item["of"].startswith(module + ".")
        return self._reexport == "package" and package and inside and not stub

    def _walk(self) -> None:
        pending = [
            Place(name, space, name)
            for space in ("py", "pyi")
            for name in sorted(self._tree.spaces[space])
            if is_public(name)
        ]
        published = {(place.space, place.module) for place in pending}
        while pending:
            found: list[Place] = []
            for place in pending:
                self.places.append(place)
                for reach in self._names_of(place):
                    target = reach.target
                    key = (target.space, target.module)
                    if target.kind == "module" and key not in published and not is_public(target.module):
                        # ``from . import _impl as impl``: a private module under a public name.
                        published.add(key)
                        found.append(Place(reach.path, *key))
                    elif reach.path != target.module or target.kind == "def":
                        self.reached.append(reach)
            pending = sorted(found)

    def _names_of(self, place: Place) -> Iterator[Reach]:
        bound = self._tree.names(place.space, place.module)
        outside = self._tree.star_sources(place.space, place.module)[1]
        for name in sorted(self.exported(place.space, place.module)):
            dotted = f"{place.module}.{name}"
            line = bound[name][0][1]["line"] if name in bound else 0
            for guard, target in self._targets(place, name, dotted):
                if target.kind == "external" and target.module == dotted:
                    if not outside and "__getattr__" not in bound:
                        self.unbound.append((place, name))
                else:
                    yield Reach(f"{place.path}.{name}", guard, target, line)

    def _targets(self, place: Place, name: str, dotted: str) -> list[tuple[str, Target]]:
        """Where a name leads; one that is defined here under one condition and imported under another, to both."""
        found = self._tree.follow(place.space, dotted)
        for guard, item in self._tree.names(place.space, place.module).get(name, ()):
            if item["k"] == "import" and found[0][1].kind == "def" and found[0][1].module == place.module:
                found = [*found, *((guard, target) for _, target in self._tree.follow(place.space, item["of"]))]
        return [(guard, self._tree.settle(target)) for guard, target in found]


def canonical_paths(reached: list[Reach]) -> dict[tuple[str, str, str], Reach]:
    """The path of each definition: where it is defined, when that is public; else the shortest, then the smallest.

    A new re-export of a public definition is then one new row, and does not rename it everywhere else.
    """
    chosen: dict[tuple[str, str, str], Reach] = {}
    for reach in reached:
        if reach.target.kind == "def":
            key = reach.target[1:]
            if key not in chosen or _rank(reach) < _rank(chosen[key]):
                chosen[key] = reach
    return chosen


def _rank(reach: Reach) -> tuple[bool, int, int, str]:
    own = reach.path == f"{reach.target.module}.{reach.target.name}"
    return not own, reach.path.count("."), len(reach.path), reach.path
