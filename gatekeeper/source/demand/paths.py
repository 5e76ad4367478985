"""The one public path of each definition and module that is asked for, found without walking the whole tree.

What comes out is what :func:`gatekeeper.source.link.publish.publish` and ``canonical_paths`` say of the whole. Where
that depends on who imports a private definition, or a private module, the importers are found by the words that they
spell.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.demand.near import space_of
from gatekeeper.source.link.publish import SPACES, Place, is_public, is_symbol, names_a_module, rank

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from gatekeeper.source.demand.near import Near
    from gatekeeper.source.link.publish import Publisher, Reach
    from gatekeeper.source.link.tree import Module, Tree

    Key = tuple[str, str, str]
    Rank = tuple[int, int, Place]


class Paths:
    """Canonical public paths of one tree, as :class:`gatekeeper.source.link.names.Public` asks for them."""

    def __init__(self, tree: Tree, publisher: Publisher, near: Near) -> None:
        self._tree = tree
        self._publisher = publisher
        self._near = near
        self._places: dict[tuple[str, str], tuple[Rank, Place] | None] = {}
        self._chosen: dict[Key, Reach | None] = {}
        self._homes: dict[str, tuple[str, str]] = {}

    # Definitions.

    def get(self, key: Key, /) -> str | None:
        """The canonical public path of a definition; None for one that no caller can name."""
        reach = self.chosen(key)
        return None if reach is None else reach.path

    def __getitem__(self, key: Key, /) -> str:
        reach = self.chosen(key)
        if reach is None:
            raise KeyError(key)
        return reach.path

    def chosen(self, key: Key) -> Reach | None:
        """The public name under which a definition is written out."""
        if key not in self._chosen:
            found = self._own(key) or self._smallest(key)
            self._chosen[key] = None if found is None else found[0]
            if found is not None:
                self._homes[found[0].path] = found[1:]
        return self._chosen[key]

    def is_own(self, key: Key) -> bool:
        """Whether a definition is public where it stands."""
        return self._own(key) is not None

    def _own(self, key: Key) -> tuple[Reach, str, str] | None:
        space, module, name = key
        if not is_public(module) or "." in name or module not in self._tree.spaces[space]:
            return None
        for reach in self._publisher.names_of(Place(module, space, module), (name,))[0]:
            if reach.target.kind == "def" and reach.target[1:] == key:
                return reach, module, name
        return None

    def _smallest(self, key: Key) -> tuple[Reach, str, str] | None:
        found = []
        for space, module, name in self._binders(key):
            place = self.place(space, module)
            if place is None:
                continue
            for number, reach in enumerate(self._publisher.names_of(place, (name,))[0]):
                if reach.target.kind == "def" and reach.target[1:] == key:
                    found.append((rank(reach), self._order(place), number, reach, module, name))
        return min(found, key=lambda item: item[:3])[3:] if found else None

    def _order(self, place: Place) -> Rank:
        """When the walk over all public modules comes to a place."""
        known = self._places[place.space, place.module]
        assert known is not None  # noqa: S101 (the place was found there)
        return known[0]

    def _binders(self, key: Key) -> Iterator[tuple[str, str, str]]:
        """Namespace, module and name of everything that is another name of a definition, and of itself."""
        start = (key[0], key[1], key[2].rpartition(".")[2])
        pending, seen = [start], {start}
        if "." not in key[2]:
            yield start
        while pending:
            _, module, name = pending.pop()
            for found in self._near.candidates(module, (name,)):
                for other in self._near.other_names(found, name):
                    for space in self._near.spaces_of(found):
                        link = (space, found.source.module, other)
                        if link not in seen and self._names(link, key):
                            seen.add(link)
                            pending.append(link)
                            yield link

    def _names(self, link: Key, key: Key) -> bool:
        return any(target.kind == "def" and target[1:] == key for _, target in self._publisher.targets(*link))

    # Public modules.

    def place(self, space: str, module: str) -> Place | None:
        """The public path that the names of a module are written under; None for one that no caller can reach."""
        if (space, module) not in self._places:
            self._places[space, module] = self._placed(space, module, frozenset())
        known = self._places[space, module]
        return None if known is None else known[1]

    def _placed(self, space: str, module: str, above: frozenset[tuple[str, str]]) -> tuple[Rank, Place] | None:
        """When the walk over all public modules meets this one, and where; ``above`` are those that wait for it."""
        key = (space, module)
        if key in self._places:
            return self._places[key]
        if key in above or module not in self._tree.spaces[space]:
            return None
        if not is_public(module):
            return self._published(space, module, above | {key})
        here = Place(module, space, module)
        self._places[key] = ((0, SPACES.index(space), here), here)
        return self._places[key]

    def _published(self, space: str, module: str, above: frozenset[tuple[str, str]]) -> tuple[Rank, Place] | None:
        """The public name of a private module: of those that lead to it, the one that the walk meets first."""
        found: list[tuple[Rank, str, str]] = []
        for other, names in self.named(space, module):
            owner = self._placed(space_of(other), other.source.module, above)
            if owner is not None:
                found.extend(
                    (owner[0], reach.path.rpartition(".")[2], reach.path)
                    for reach in self._publisher.names_of(owner[1], names)[0]
                    if names_a_module(reach) and reach.target[1:3] == (space, module)
                )
        if not found:
            return None
        first, _, path = min(found)
        place = Place(path, space, module)
        return (first[0] + 1, 0, place), place

    def private_modules(self, module: str, name: str) -> set[str]:
        """The private modules that a name of a public one makes public."""
        return {
            target.module
            for space in SPACES
            if module in self._tree.spaces[space]
            for _, target in self._publisher.targets(space, module, name)
            if target.kind == "module" and not is_public(target.module)
        }

    def named(self, space: str, module: str) -> Iterator[tuple[Module, list[str]]]:
        """Every source that binds a module to some names, with those."""
        last = module.rpartition(".")[2]
        for other in self._near.candidates(module, (last,)):
            where = (space_of(other), other.source.module)
            names = [
                name
                for name in self._near.other_names(other, last)
                if any(
                    target.kind == "module" and target[1:3] == (space, module)
                    for _, target in self._publisher.targets(*where, name)
                )
            ]
            if names:
                yield other, names

    # What is public under a module's names.

    def reached(self, module: str, names: Collection[str] | None) -> list[Reach]:
        """Where the public names of a module lead, that of its stub too."""
        found: list[Reach] = []
        for space in SPACES:
            place = self.place(space, module)
            if place is not None:
                found.extend(self._symbols(self._publisher.names_of(place, names)[0]))
        return found

    def _symbols(self, reached: Iterable[Reach]) -> Iterator[Reach]:
        """All but the names that make a private module public, and those of submodules."""
        made: set[tuple[str, str]] = set()
        for reach in reached:
            key = (reach.target.space, reach.target.module)
            if names_a_module(reach) and key not in made:
                place = self.place(*key)
                if place is not None and place.path == reach.path:
                    made.add(key)
                    continue
            if is_symbol(reach):
                yield reach

    def home(self, path: str) -> Iterator[tuple[str, str]]:
        """Module and name under which a public path is written, as far as it is known here."""
        head = path
        while head:
            if head in self._homes:
                yield self._homes[head]
                return
            head = head.rpartition(".")[0]
        owner, _, last = path.rpartition(".")
        if owner in self._tree.spaces["py"] or owner in self._tree.spaces["pyi"]:
            yield owner, last  # a module: what its package binds under its name is looked up by the same path
