"""What importing some modules of a trusted tree depends on: kept with it, it tells which pushes cannot break an import.

A push is judged in steps, the cheapest first: paths that nothing was looked up at change nothing; a source whose
summary is the same but for its lines changes nothing; else all is gone through again, from summaries.
"""

from __future__ import annotations

from hashlib import sha256
from json import dumps

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.files import FILE
from gatekeeper.source.imports.find import NATIVE, Finder
from gatekeeper.source.imports.form import FORM
from gatekeeper.source.imports.resolve import Start, Unresolved, unresolved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from gatekeeper.source.imports.modules import SummaryOf
    from gatekeeper.source.imports.summary import Summary

    Kind = Callable[[str], str | None]
    Names = Callable[[str], Sequence[str]]


class Tree(NamedTuple):
    """A tree as imports see it.

    ``kind`` says what is at a path, ``names`` what a directory holds, ``summary_of`` the summary of the source at a
    path (:func:`gatekeeper.source.imports.summary.summarise_source`), None where nothing is known of it.
    """

    kind: Kind
    names: Names
    summary_of: SummaryOf


class Closure(NamedTuple):
    """What the imports of one tree are made of.

    ``starts`` are the modules, ``roots`` the directories on ``sys.path``; ``shapes`` the sources that were read, each
    with a digest of its summary without lines; ``kinds`` what was found at every path looked at; ``names`` the modules
    that were found; ``missing`` the targets that the tree itself lacks, which are built or generated elsewhere.
    """

    starts: tuple[Start, ...]
    roots: tuple[str, ...]
    shapes: Mapping[str, str]
    kinds: Mapping[str, str | None]
    names: frozenset[str]
    missing: frozenset[str]

    def stands(self, changed: Iterable[str], tree: Tree) -> bool:
        """Whether a tree that differs at these paths (links to directories aside) is the same for these imports."""
        touched = []
        for path in changed:
            if path.endswith(NATIVE) or any(
                place in self.kinds and tree.kind(place) != self.kinds[place] for place in _upwards(path)
            ):
                return False
            if path in self.shapes:
                touched.append(path)
        return all(shape(tree.summary_of(path)) == self.shapes[path] for path in touched)

    def broken(self, starts: Sequence[Start], changed: Iterable[str], tree: Tree) -> list[Unresolved]:
        """The imports that fail in a tree which differs from this one at some paths, and did not fail in this one."""
        if tuple(starts) == self.starts and self.stands(changed, tree):
            return []
        find = Finder(tree.kind, self.roots, tree.names)
        found = unresolved(starts, tree.summary_of, find, existed=self.names.__contains__)
        return [one for one in found if one.target not in self.missing]

    def said(self) -> list[Any]:
        """This as JSON."""
        return [FORM, self.starts, self.roots, self.shapes, self.kinds, sorted(self.names), sorted(self.missing)]


def closure(starts: Sequence[Start], roots: Sequence[str], tree: Tree) -> Closure:
    """The closure of some modules in a trusted tree."""
    kinds: dict[str, str | None] = {}
    shapes: dict[str, str] = {}

    def kind(path: str) -> str | None:
        if path not in kinds:
            kinds[path] = tree.kind(path)
        return kinds[path]

    def summary_of(path: str) -> Summary | None:
        found = tree.summary_of(path)
        shapes[path] = shape(found)
        return found

    find = Finder(kind, roots, tree.names)
    missing = unresolved(starts, summary_of, find)
    for start in starts:
        kinds.setdefault(start.path, FILE)
    names = frozenset(name for name, path in find.found() if path is not None)
    return Closure(tuple(starts), tuple(roots), shapes, kinds, names, frozenset(one.target for one in missing))


def read(value: list[Any]) -> Closure | None:
    """The inverse of :meth:`Closure.said`; None for another form."""
    if value[0] != FORM:
        return None
    starts, roots, shapes, kinds, names, missing = value[1:]
    given = tuple(Start(*start) for start in starts)
    return Closure(given, tuple(roots), shapes, kinds, frozenset(names), frozenset(missing))


def shape(summary: Summary | None) -> str:
    """A digest of all that a summary says, its lines aside."""
    if summary is None:
        return ""
    bare = dict(summary)
    for key in ("steps", "lazy"):
        bare[key] = [[*step[:1], *step[2:]] for step in summary.get(key, ())]
    if "uses" in bare:
        bare["uses"] = [use[1:] for use in bare["uses"]]
    if "fails" in bare:
        bare["fails"] = bare["fails"][1:]
    return sha256(dumps(bare, sort_keys=True).encode("ascii")).hexdigest()[:32]


def _upwards(path: str) -> list[str]:
    """A path and the directories that it is in."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(len(parts), 0, -1)]
