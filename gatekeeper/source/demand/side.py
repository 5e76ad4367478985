"""One side of a comparison, linked on demand: the rows of the names that are asked for, and no others.

What comes out for a name is exactly what :func:`gatekeeper.source.link.whole.link` writes for it.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.demand.near import Near
from gatekeeper.source.demand.paths import Paths
from gatekeeper.source.link.budget import ROW
from gatekeeper.source.link.hierarchy import Hierarchy
from gatekeeper.source.link.members import Writer
from gatekeeper.source.link.names import Names
from gatekeeper.source.link.publish import SPACES, Publisher
from gatekeeper.source.link.whole import alias_rows, definition_rows, missing_row, module_rows, unknown_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from gatekeeper.model import Oid
    from gatekeeper.source.demand.corpus import Corpus
    from gatekeeper.source.link.tree import Tree
    from gatekeeper.source.rows import Facts, Row


class Side:
    """One tree.

    Args:
        tree: its modules.
        oids: the blob of each module's file, by path.
        corpus: the words of those blobs, and perhaps of others.
        reexport: see :func:`gatekeeper.source.link.whole.link`.
    """

    def __init__(self, tree: Tree, oids: Mapping[str, Oid], corpus: Corpus, reexport: str = "package") -> None:
        self.tree = tree
        self.publisher = Publisher(tree, reexport)
        self.near = Near(tree, oids, corpus)
        self.paths = Paths(tree, self.publisher, self.near)
        self._writer = Writer(tree, Hierarchy(tree), Names(tree, self.paths), self.paths)

    def facts(self, space: str, module: str) -> Facts:
        """The facts of a module of exactly this namespace; empty where there is none."""
        found = self.tree.spaces[space].get(module)
        return {} if found is None else found.facts

    def symbol_rows(self, module: str, names: Collection[str] | None) -> Iterator[Row]:
        """The rows of some public names of a module, or of all of them."""
        reached = dict.fromkeys(self.paths.reached(module, names))
        for reach in reached:
            if reach.target.kind == "def" and self.paths.chosen(reach.target[1:]) == reach:
                yield from definition_rows(self._writer, reach)
        yield from alias_rows(self.tree, reached, self.paths)

    def module_rows(self, module: str, names: Collection[str] | None) -> Iterator[Row]:
        """What a module is by itself, and which of some names of ``__all__`` nothing binds."""
        for space in SPACES:
            place = self.paths.place(space, module)
            if place is not None:
                yield from module_rows(self.tree, place)
                for name in self.publisher.names_of(place, names)[1]:
                    yield missing_row(self.tree, place, name)
            if module in self.tree.spaces[space]:
                yield from unknown_rows(self.tree, space, module)

    def below(self, path: str) -> list[str]:
        """The modules of a path and below it."""
        return [
            name for space in SPACES for name in self.tree.spaces[space] if name == path or name.startswith(path + ".")
        ]

    def spend(self, rows: int) -> None:
        """Count rows that were written."""
        self.tree.budget.spend(ROW * rows)
