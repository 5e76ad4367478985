"""Phase two: the facts of all modules become the rows of the surface.

The order of the modules, their number of re-exports and the rings between them do not change the rows. Each
definition is written once, at its canonical public path (:func:`gatekeeper.source.link.publish.canonical_paths`); every
other public path of it is one ``alias`` row.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.link.budget import ROW, Budget
from gatekeeper.source.link.hierarchy import Hierarchy
from gatekeeper.source.link.members import Writer
from gatekeeper.source.link.names import Names
from gatekeeper.source.link.publish import SPACES, Publisher, canonical_paths, publish
from gatekeeper.source.link.tree import Module, Tree
from gatekeeper.source.rows import Row, canonical
from gatekeeper.source.uncollected import Uncollected

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gatekeeper.source.link.names import Public
    from gatekeeper.source.link.publish import Place, Reach
    from gatekeeper.source.rows import Value

MAX_ROWS = 200_000
"""Wildcards and inheritance multiply; a tree that would exceed this is refused, not written out."""


def link(
    modules: Iterable[Module],
    *,
    typed: Mapping[str, bool] | None = None,
    reexport: str = "package",
    max_rows: int = MAX_ROWS,
) -> tuple[Row, ...]:
    """The rows of a tree, sorted by path, guard, ordinal and kind.

    Args:
        modules: the facts of every module, with the file of each.
        typed: packages that hold a ``py.typed``, and whether it says ``partial``.
        reexport: which imports are public without ``__all__``; one of :data:`gatekeeper.source.link.publish.REEXPORT`.
        max_rows: the most rows that are written, and twice that many steps from one name to the next.

    Raises:
        LimitExceeded: when that is not enough.
    """
    budget = Budget(max_rows)
    rows: list[Row] = []
    with Uncollected():
        for row in _rows(Tree(modules, budget), typed or {}, reexport):
            budget.spend(ROW)
            rows.append(row)
        return distinct(rows)


def _rows(tree: Tree, typed: Mapping[str, bool], reexport: str) -> Iterator[Row]:
    published = publish(tree, Publisher(tree, reexport))
    chosen = canonical_paths(published.reached)
    public = {key: reach.path for key, reach in chosen.items()}
    writer = Writer(tree, Hierarchy(tree), Names(tree, public), public)
    for reach in chosen.values():
        yield from definition_rows(writer, reach)
    yield from alias_rows(tree, published.reached, public)
    for place in published.places:
        yield from module_rows(tree, place)
    for place, name in published.unbound:
        yield missing_row(tree, place, name)
    for space in SPACES:
        for name in sorted(tree.spaces[space]):
            yield from unknown_rows(tree, space, name)
    for package, partial in sorted(typed.items()):
        yield typed_row(package, partial=partial)


def definition_rows(writer: Writer, reach: Reach) -> Iterator[Row]:
    """The rows of a definition and of its members, under its canonical path."""
    prefix = _prefix(reach.target.space)
    for row in writer.definition(reach.path, reach.guard, reach.target):
        yield row._replace(path=prefix + row.path) if prefix else row


def missing_row(tree: Tree, place: Place, name: str) -> Row:
    """A name of ``__all__`` that nothing binds."""
    return Row(f"{_prefix(place.space)}{place.path}.{name}", "", 0, "missing", {}, _file(tree, place))


def typed_row(package: str, *, partial: bool) -> Row:
    """The ``py.typed`` of a package."""
    return Row(package, "", 0, "typed", {"partial": partial})


def _prefix(space: str) -> str:
    return "pyi:" if space == "pyi" else ""


def _file(tree: Tree, place: Place) -> str:
    module = tree.get(place.space, place.module)
    return "" if module is None else module.file


def alias_rows(tree: Tree, reached: Iterable[Reach], public: Public) -> Iterator[Row]:
    """A row for every public path of a definition but its canonical one, and for those that lead out of the tree."""
    places = {(reach.path, reach.guard, reach.target): reach for reach in reached}
    for (path, guard, target), reach in places.items():
        if target.kind == "def":
            of = public[target[1:]]
            if of == path:
                continue
        else:
            of = target.module
        module = tree.get(target.space, path.rpartition(".")[0])
        yield Row(
            _prefix(target.space) + path,
            guard,
            0,
            "alias",
            {"of": of},
            "" if module is None else module.file,
            reach.line,
        )


def module_rows(tree: Tree, place: Place) -> Iterator[Row]:
    """What a public module is by itself, its names aside."""
    module = tree.get(place.space, place.module)
    if module is None:
        return
    facts, path = module.facts, _prefix(place.space) + place.path
    if "error" in facts:
        return
    payload: dict[str, Value] = {"package": module.source.is_package}
    shadowed = tree.shadowed.get((place.space, place.module))
    if shadowed:
        payload["shadows"] = sorted(shadowed)
    yield Row(path, "", 0, "module", payload, module.file, 1)
    for name in ("__getattr__", "__dir__"):
        for guard, item in facts["names"].get(name, ()):
            yield Row(path, guard, 0, "getattr", {"name": name, "hash": item.get("body")}, module.file, item["line"])
    listed = tree.all_names(place.space, place.module)
    inner = [tree.all_names(place.space, source) for source in tree.star_sources(place.space, place.module)[0]]
    unread = dict.fromkeys(unknown for names in (listed, *inner) if names is not None for unknown in names[1])
    for unknown in () if listed is not None and not listed[1] else unread:
        yield Row(path, "", 0, "opaque-all", {"hash": unknown}, module.file, 1)
    for origin in tree.star_sources(place.space, place.module)[1]:
        yield Row(path, "", 0, "opaque-star", {"of": origin}, module.file, 1)


def unknown_rows(tree: Tree, space: str, name: str) -> Iterator[Row]:
    """What cannot be read, in private modules too: it may reach into public ones."""
    module = tree.spaces[space][name]
    facts, path = module.facts, _prefix(space) + name
    if "error" in facts:
        payload = {"reason": facts["error"], "blob": facts["blob"]}
        yield Row(path, "", 0, "unparseable", payload, module.file, 1)
        return
    for line, digest in facts["opaque"]:
        yield Row(path, "", 0, "opaque", {"hash": digest}, module.file, line)


def distinct(rows: list[Row]) -> tuple[Row, ...]:
    """Sorted rows; those of one path, guard, ordinal and kind are numbered by what they say."""
    rows.sort(key=lambda row: (row.path, row.guard, row.kind, row.ordinal))
    final: list[Row] = []
    start = 0
    while start < len(rows):
        end = start + 1
        while end < len(rows) and rows[end][:2] == rows[start][:2] and rows[end].kind == rows[start].kind:
            end += 1
        group = rows[start:end]
        if len({row.ordinal for row in group}) < len(group):
            group = [
                row._replace(ordinal=place)
                for place, row in enumerate(sorted(group, key=lambda row: (row.ordinal, canonical(row.payload))))
            ]
        final.extend(group)
        start = end
    final.sort(key=lambda row: row[:4])
    return tuple(final)
