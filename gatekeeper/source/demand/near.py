"""Which sources of a tree can say something about a name, and what the paths in them lead to."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.link.publish import SPACES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from gatekeeper.model import Oid
    from gatekeeper.source.demand.corpus import Corpus
    from gatekeeper.source.link.tree import Module, Tree
    from gatekeeper.source.rows import Value


class Near:
    """Looks a name up in the words of the sources first, and in the facts of those that spell it.

    Args:
        tree: the modules.
        oids: the blob of each module's file, by path.
        corpus: the words of those blobs, and perhaps of others.
    """

    def __init__(self, tree: Tree, oids: Mapping[str, Oid], corpus: Corpus) -> None:
        self._tree = tree
        self._corpus = corpus
        self._modules: dict[Oid, list[Module]] = {}
        for space in SPACES:
            for module in tree.spaces[space].values():
                self._modules.setdefault(oids[module.file], []).append(module)
        self._others: dict[Module, dict[str, list[str]]] = {}

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
        return SPACES if self._tree.spaces["pyi"] else (space_of(module),)

    def visited(self, module: Module, path: str) -> set[str]:
        """Every dotted path on the way from one that a source names to what it leads to."""
        spaces = self.spaces_of(module)
        first = self._tree.visited(spaces[0], path)
        return first if len(spaces) == 1 else first | self._tree.visited(spaces[1], path)

    def takes_from(self, module: Module) -> set[str]:
        """The modules of the tree of which a source takes in everything, through others too."""
        found: set[str] = set()
        for space in self.spaces_of(module):
            found.update(self._tree.star_sources(space, module.source.module)[0])
        return found


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
