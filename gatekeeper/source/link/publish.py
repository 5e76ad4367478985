"""Which names are public, and the one path under which each definition is written out."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.link.budget import ROW
from gatekeeper.source.words import SILENT_MODULE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from gatekeeper.source.link.tree import Target, Tree

SPACES = ("py", "pyi")
"""Namespaces of modules: of sources and of stubs."""

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
    """Says of any module of a tree which names are public, and where each of them leads."""

    def __init__(self, tree: Tree, reexport: str) -> None:
        self._tree = tree
        self._reexport = reexport
        self._exported: dict[tuple[str, str], dict[str, None]] = {}
        self._ruled: dict[tuple[str, str], dict[str, None]] = {}

    def exported(self, space: str, module: str) -> dict[str, None]:
        """The public names of a module: its ``__all__``, or the rules for modules without one, or both."""
        key = (space, module)
        if key not in self._exported:
            self._exported[key] = self._export(space, module)
        return self._exported[key]

    def _export(self, space: str, module: str) -> dict[str, None]:
        listed = self._tree.all_names(space, module)
        if listed is not None and not listed[1]:
            return listed[0]
        names = dict(self._by_rule(space, module))
        sources, _ = self._tree.star_sources(space, module)
        for source in sources:
            inner = self._tree.all_names(space, source)
            taken = self._by_rule(space, source) if inner is None or inner[1] else {}
            taken = taken if inner is None else taken | inner[0]
            self._tree.budget.spend(len(taken) // ROW)
            names.update((name, None) for name in taken if not name.startswith("_"))
        return names if listed is None else listed[0] | names

    def _by_rule(self, space: str, module: str) -> dict[str, None]:
        key = (space, module)
        if key not in self._ruled:
            self._ruled[key] = dict.fromkeys(self._rule(space, module))
        return self._ruled[key]

    def _rule(self, space: str, module: str) -> Iterator[str]:
        found = self._tree.get(space, module)
        if found is None:
            return
        package, stub = found.source.is_package, found.source.stub
        for name, variants in self._tree.names(space, module).items():
            if name in SILENT_MODULE or (name.startswith("_") and not (name.startswith("__") and name.endswith("__"))):
                continue
            if any(self._counts(item, module, package, stub=stub) for _, item in variants):
                yield name

    def _counts(self, item: dict[str, str], module: str, package: bool, *, stub: bool) -> bool:
        if item["k"] != "import" or item["how"] == "as" or self._reexport == "all":
            return True
        inside = item["of"].startswith(module + ".")
        return self._reexport == "package" and package and inside and not stub

    def names_of(self, place: Place, only: Collection[str] | None = None) -> tuple[list[Reach], list[str]]:
        """Where the public names of a module lead, in the order of the names; and those that nothing binds.

        Args:
            place: the module, and the path that its names are public under.
            only: the names that are asked for; None for all of them.
        """
        bound = self._tree.names(place.space, place.module)
        outside = self._tree.star_sources(place.space, place.module)[1]
        reached, unbound = [], []
        exported = self.exported(place.space, place.module)
        for name in sorted(exported if only is None else {name for name in only if name in exported}):
            line = bound[name][0][1]["line"] if name in bound else 0
            dotted = f"{place.module}.{name}"
            for guard, target in self.targets(place.space, place.module, name):
                if target.kind == "external" and (target.module == dotted or self._nowhere(place.space, target.module)):
                    if not outside and "__getattr__" not in bound:
                        unbound.append(name)
                else:
                    reached.append(Reach(f"{place.path}.{name}", guard, target, line))
        return reached, unbound

    def _nowhere(self, space: str, dotted: str) -> bool:
        """Whether a name was followed into a module of the tree that has no such name, and says all that it has."""
        owner, _, name = dotted.rpartition(".")
        if self._tree.get(space, owner) is None:
            return False
        listed = self._tree.all_names(space, owner)
        open_ended = "__getattr__" in self._tree.names(space, owner) or self._tree.star_sources(space, owner)[1]
        return not open_ended and listed is not None and name in listed[0]

    def targets(self, space: str, module: str, name: str) -> list[tuple[str, Target]]:
        """Where a name leads; one that is defined here under one condition and imported under another, to both."""
        found = self._tree.follow(space, f"{module}.{name}")
        for guard, item in self._tree.names(space, module).get(name, ()):
            if item["k"] == "import" and found[0][1].kind == "def" and found[0][1].module == module:
                found = [*found, *((guard, target) for _, target in self._tree.follow(space, item["of"]))]
        return [(guard, self._tree.settle(target)) for guard, target in found]


class Published(NamedTuple):
    """What all public modules of a tree say together."""

    places: list[Place]
    reached: list[Reach]
    unbound: list[tuple[Place, str]]


def publish(tree: Tree, publisher: Publisher) -> Published:
    """Walk all public modules once, and the private ones that have a public name."""
    pending = [Place(name, space, name) for space in SPACES for name in sorted(tree.spaces[space]) if is_public(name)]
    taken = {(place.space, place.module) for place in pending}
    all_of = Published([], [], [])
    while pending:
        found: list[Place] = []
        for place in pending:
            all_of.places.append(place)
            reached, unbound = publisher.names_of(place)
            all_of.unbound.extend((place, name) for name in unbound)
            for reach in reached:
                key = (reach.target.space, reach.target.module)
                if names_a_module(reach) and key not in taken:
                    # ``from . import _impl as impl``: a private module under a public name.
                    taken.add(key)
                    found.append(Place(reach.path, *key))
                elif is_symbol(reach):
                    all_of.reached.append(reach)
        pending = sorted(found)
    return all_of


def names_a_module(reach: Reach) -> bool:
    """Whether a public name leads to a module that is not public by itself."""
    return reach.target.kind == "module" and not is_public(reach.target.module)


def is_symbol(reach: Reach) -> bool:
    """Whether a public name is more than the submodule that it names."""
    return reach.path != reach.target.module or reach.target.kind == "def"


def canonical_paths(reached: list[Reach]) -> dict[tuple[str, str, str], Reach]:
    """The path of each definition: where it is defined, when that is public; else one of its own name, the shortest.

    A new re-export of a public definition is then one new row, and does not rename it everywhere else.
    """
    chosen: dict[tuple[str, str, str], Reach] = {}
    for reach in reached:
        if reach.target.kind == "def":
            key = reach.target[1:]
            if key not in chosen or rank(reach) < rank(chosen[key]):
                chosen[key] = reach
    return chosen


def rank(reach: Reach) -> tuple[bool, bool, int, int, str]:
    """The order in which public paths of one definition are preferred, the smallest first."""
    own = reach.path == f"{reach.target.module}.{reach.target.name}"
    named = reach.path.rpartition(".")[2] == reach.target.name
    return not own, not named, reach.path.count("."), len(reach.path), reach.path
