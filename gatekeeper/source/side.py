"""One side of a comparison, linked on demand: the rows of the names that are asked for, and no others.

What comes out for a name is exactly what :func:`gatekeeper.source.link.link` writes for it. Where that depends on who
imports a private definition, or a private module, the importers are found by the words that they must spell.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.budget import ROW
from gatekeeper.source.hierarchy import Hierarchy
from gatekeeper.source.link import alias_rows, definition_rows, missing_row, module_rows, unknown_rows
from gatekeeper.source.members import Writer
from gatekeeper.source.names import Names
from gatekeeper.source.publish import SPACES, Place, Publisher, is_public, is_symbol, names_a_module, rank

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from gatekeeper.model import Oid
    from gatekeeper.source.corpus import Corpus
    from gatekeeper.source.publish import Reach
    from gatekeeper.source.rows import Facts, Row, Value
    from gatekeeper.source.tree import Module, Tree

    Key = tuple[str, str, str]
    Rank = tuple[int, int, Place]


class Side:
    """One tree.

    Args:
        tree: its modules.
        oids: the blob of each module's file, by path.
        corpus: the words of those blobs, and perhaps of others.
        reexport: see :func:`gatekeeper.source.link.link`.
    """

    def __init__(self, tree: Tree, oids: Mapping[str, Oid], corpus: Corpus, reexport: str = "package") -> None:
        self.tree = tree
        self.publisher = Publisher(tree, reexport)
        self._corpus = corpus
        self._modules: dict[Oid, list[Module]] = {}
        for space in SPACES:
            for module in tree.spaces[space].values():
                self._modules.setdefault(oids[module.file], []).append(module)
        self._others: dict[Module, dict[str, list[str]]] = {}
        self._places: dict[tuple[str, str], tuple[Rank, Place] | None] = {}
        self._chosen: dict[Key, Reach | None] = {}
        self.homes: dict[str, tuple[str, str]] = {}
        """Module and name by canonical public path, of what was looked up."""
        self._writer = Writer(tree, Hierarchy(tree), Names(tree, self), self)

    def facts(self, space: str, module: str) -> Facts:
        """The facts of a module of exactly this namespace; empty where there is none."""
        found = self.tree.spaces[space].get(module)
        return {} if found is None else found.facts

    # Which modules can say something about a name.

    def candidates(self, module: str, names: Collection[str]) -> Iterator[Module]:
        """Every source that could name one of ``names`` of a module, or take them in by wildcard; itself included."""
        last = module.rpartition(".")[2]
        spelled = [self._corpus.holding(word) for word in (last, *self._corpus.renamed(last))]
        starred = self._corpus.starred()
        inside = f"{module}."
        for oid, modules in self._modules.items():
            near = any(oid in found for found in spelled)
            for found in modules:
                path = found.source.module
                # ``from . import name`` does not spell the package that it is in
                if not near and path != module and not path.startswith(inside):
                    continue
                if oid in starred or path == module or self._corpus.spells(oid, names):
                    yield found

    def other_names(self, module: Module, name: str) -> Iterator[str]:
        """The names that a source binds to what is called ``name`` elsewhere: imports, assignments, wildcards."""
        facts = module.facts
        if "error" in facts:
            return
        known = self._others.get(module)
        if known is None:
            known = self._others[module] = {}
            for other, variants in facts["names"].items():
                for part in {part for _, item in variants for path in stands_for(item) for part in path.split(".")}:
                    known.setdefault(part, []).append(other)
        yield from known.get(name, ())
        if facts["stars"] and name not in facts["names"]:
            yield name

    def starred(self) -> Iterator[Module]:
        """Every source that takes in everything of some module."""
        for oid in self._corpus.starred():
            yield from self._modules.get(oid, ())

    def called(self, name: str) -> frozenset[str]:
        """A name and what it is imported as."""
        return self._corpus.renamed(name) | {name}

    def spelling(self, name: str, *, dotted: bool) -> Iterator[Module]:
        """Every source that spells a name, or what it is imported as; if ``dotted``, with a member of it as a value."""
        found: set[Oid] = set()
        for word in self.called(name):
            found |= self._corpus.member_of(word) if dotted else self._corpus.holding(word)
        for oid in self._modules:
            if oid in found:
                yield from self._modules[oid]

    def spaces_of(self, module: Module) -> tuple[str, ...]:
        """The namespaces that the imports of a source are followed in: what a stub imports need not be one."""
        return SPACES if self.tree.spaces["pyi"] else (space_of(module),)

    def visited(self, module: Module, path: str) -> set[str]:
        """Every dotted path on the way from one that a source names to what it leads to."""
        spaces = self.spaces_of(module)
        first = self.tree.visited(spaces[0], path)
        return first if len(spaces) == 1 else first | self.tree.visited(spaces[1], path)

    def takes_from(self, module: Module) -> set[str]:
        """The modules of the tree of which a source takes in everything, through others too."""
        found: set[str] = set()
        for space in self.spaces_of(module):
            found.update(self.tree.star_sources(space, module.source.module)[0])
        return found

    # Canonical public paths: the interface that Names and Writer read.

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
                self.homes[found[0].path] = found[1:]
        return self._chosen[key]

    def is_own(self, key: Key) -> bool:
        """Whether a definition is public where it stands."""
        return self._own(key) is not None

    def _own(self, key: Key) -> tuple[Reach, str, str] | None:
        space, module, name = key
        if not is_public(module) or "." in name or module not in self.tree.spaces[space]:
            return None
        for reach in self.publisher.names_of(Place(module, space, module), (name,))[0]:
            if reach.target.kind == "def" and reach.target[1:] == key:
                return reach, module, name
        return None

    def _smallest(self, key: Key) -> tuple[Reach, str, str] | None:
        found = []
        for space, module, name in self._binders(key):
            place = self.place(space, module)
            if place is None:
                continue
            for number, reach in enumerate(self.publisher.names_of(place, (name,))[0]):
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
            for found in self.candidates(module, (name,)):
                for other in self.other_names(found, name):
                    for space in self.spaces_of(found):
                        link = (space, found.source.module, other)
                        if link not in seen and self._names(link, key):
                            seen.add(link)
                            pending.append(link)
                            yield link

    def _names(self, link: Key, key: Key) -> bool:
        return any(target.kind == "def" and target[1:] == key for _, target in self.publisher.targets(*link))

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
        if key in above or module not in self.tree.spaces[space]:
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
                    for reach in self.publisher.names_of(owner[1], names)[0]
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
            if module in self.tree.spaces[space]
            for _, target in self.publisher.targets(space, module, name)
            if target.kind == "module" and not is_public(target.module)
        }

    def named(self, space: str, module: str) -> Iterator[tuple[Module, list[str]]]:
        """Every source that binds a module to some names, with those."""
        last = module.rpartition(".")[2]
        for other in self.candidates(module, (last,)):
            where = (space_of(other), other.source.module)
            names = [
                name
                for name in self.other_names(other, last)
                if any(
                    target.kind == "module" and target[1:3] == (space, module)
                    for _, target in self.publisher.targets(*where, name)
                )
            ]
            if names:
                yield other, names

    # Rows.

    def reached(self, module: str, names: Collection[str] | None) -> list[Reach]:
        """Where the public names of a module lead, that of its stub too."""
        found: list[Reach] = []
        for space in SPACES:
            place = self.place(space, module)
            if place is not None:
                found.extend(self._symbols(self.publisher.names_of(place, names)[0]))
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

    def symbol_rows(self, module: str, names: Collection[str] | None) -> Iterator[Row]:
        """The rows of some public names of a module, or of all of them."""
        reached = dict.fromkeys(self.reached(module, names))
        for reach in reached:
            if reach.target.kind == "def" and self.chosen(reach.target[1:]) == reach:
                yield from definition_rows(self._writer, reach)
        yield from alias_rows(self.tree, reached, self)

    def module_rows(self, module: str, names: Collection[str] | None) -> Iterator[Row]:
        """What a module is by itself, and which of some names of ``__all__`` nothing binds."""
        for space in SPACES:
            place = self.place(space, module)
            if place is not None:
                yield from module_rows(self.tree, place)
                for name in self.publisher.names_of(place, names)[1]:
                    yield missing_row(self.tree, place, name)
            if module in self.tree.spaces[space]:
                yield from unknown_rows(self.tree, space, module)

    def home(self, path: str) -> Iterator[tuple[str, str]]:
        """Module and name under which a public path is written, as far as it is known here."""
        head = path
        while head:
            if head in self.homes:
                yield self.homes[head]
                return
            head = head.rpartition(".")[0]
        owner, _, last = path.rpartition(".")
        if owner in self.tree.spaces["py"] or owner in self.tree.spaces["pyi"]:
            yield owner, last  # a module: what its package binds under its name is looked up by the same path

    def below(self, path: str) -> list[str]:
        """The modules of a path and below it."""
        return [
            name for space in SPACES for name in self.tree.spaces[space] if name == path or name.startswith(path + ".")
        ]

    def spend(self, rows: int) -> None:
        """Count rows that were written."""
        self.tree.budget.spend(ROW * rows)


def space_of(module: Module) -> str:
    """The namespace of a module: that of sources or that of stubs."""
    return "pyi" if module.source.stub else "py"


def stands_for(item: Mapping[str, Value]) -> Iterator[str]:
    """The dotted path that a definition is only another name of."""
    if item["k"] == "import":
        yield item["of"]
    elif item["k"] == "attribute":
        value = item["p"]["value"]
        if isinstance(value, list) and value[0] == "name":
            yield value[1]
