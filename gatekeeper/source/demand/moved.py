"""The rows that a change of some sources can have moved, on both sides: what comparing whole surfaces comes down to.

Comparing these rows gives the same moves, with the same hashes, as comparing all rows of both trees
(:func:`gatekeeper.source.link.whole.link`); what it costs grows with the change and not with the tree.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.demand.touched import Touched
from gatekeeper.source.link.whole import distinct, typed_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gatekeeper.source.demand.side import Side
    from gatekeeper.source.rows import Row

    Name = tuple[str, str]
    Rows = tuple[Row, ...]

_SHARE = 3
_FEW = 64


def moved_rows(
    old: Side, new: Side, changed: Iterable[str], typed: tuple[Mapping[str, bool], Mapping[str, bool]] = ({}, {})
) -> tuple[Rows, Rows]:
    """The rows of both sides that can differ, and those that a comparison of them looks up.

    Args:
        old: the base.
        new: the head.
        changed: every module of which a file differs or is on one side only.
        typed: the packages of each side that hold a ``py.typed``, and whether it says ``partial``.

    Raises:
        TooMany: when so much is touched that :func:`gatekeeper.source.link.whole.link` costs less.
    """
    touched = Touched(old, new, changed, _most(new))
    touched.find()
    for package in {**typed[0], **typed[1]}:
        if typed[0].get(package) != typed[1].get(package):
            touched.touch(package, ())
    return _Rows(old, new, touched).both(typed)


def rows_at(side: Side, paths: Iterable[str], typed: Mapping[str, bool]) -> Rows:
    """The rows of one tree that the hashes of some public paths are made of, each found as a caller reaches it.

    Raises:
        TooMany: when they lie in so many modules that :func:`gatekeeper.source.link.whole.link` costs less.
    """
    touched = Touched(side, side, (), _most(side))
    for path in paths:
        for module, names in _places(side, path.removeprefix("pyi:")):
            touched.touch(module, names)
    return _Rows(side, side, touched).both((typed, typed))[0]


def _most(side: Side) -> int:
    return max(_FEW, len(side.tree.spaces["py"]) // _SHARE)


def _places(side: Side, path: str) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """Module and names that a public path may stand for: a module with all below it, a name, a part of a name."""
    for module in side.below(path):
        yield module, None
    parts = path.split(".")
    for size in range(1, len(parts)):
        module, name = ".".join(parts[:size]), parts[size]
        if any(module in names for names in side.tree.spaces.values()):
            yield module, (name,)
            for inner in side.paths.private_modules(module, name):
                yield inner, None if size + 1 == len(parts) else (parts[size + 1],)


class _Rows:
    def __init__(self, old: Side, new: Side, touched: Touched) -> None:
        self._sides = (old, new)
        self._touched = touched
        self._rows: tuple[list[Row], list[Row]] = ([], [])
        self._written: set[Name] = set()

    def both(self, typed: tuple[Mapping[str, bool], Mapping[str, bool]]) -> tuple[Rows, Rows]:
        pending = self._touched.wanted()
        for module in self._touched.names:
            pending.extend(self._above(module))
        while pending:
            name = pending.pop()
            if name not in self._written:
                self._written.add(name)
                pending.extend(self._write(*name))
        modules = {module for module, _ in self._written} | {*self._touched.names}
        modules |= {above for module in modules for above in _ancestors(module)}
        for side, rows, packages in zip(self._sides, self._rows, typed, strict=True):
            rows.extend(typed_row(package, partial=partial) for package, partial in packages.items())
            for module in sorted(modules):
                rows.extend(side.module_rows(module, self._touched.names.get(module, ())))
            side.spend(len(rows))
        return distinct(self._rows[0]), distinct(self._rows[1])

    def _above(self, module: str) -> Iterator[Name]:
        """What a package binds under the name of one of its modules: callers that look for the one find the other."""
        parent, _, last = module.rpartition(".")
        if parent and any(last in side.tree.names(space, parent) for side in self._sides for space in side.tree.spaces):
            yield parent, last

    def _write(self, module: str, name: str) -> Iterator[Name]:
        """Write the rows of one name, and say which others a comparison will look up."""
        found = [list(side.symbol_rows(module, (name,))) for side in self._sides]
        for side, rows, mine in zip(self._sides, self._rows, found, strict=True):
            rows.extend(mine)
            for row in mine:
                if row.kind in {"alias", "inherits"}:
                    yield from side.paths.home(row.payload["of"])
        if bool(found[0]) != bool(found[1]):
            # it stands for everything below it, also for what is below a module of that name
            below = f"{module}.{name}"
            for side in self._sides:
                for other in side.below(below):
                    self._touched.names[other] = None
                    yield from ((other, each) for each in self._touched.every(other))


def _ancestors(module: str) -> Iterator[str]:
    while "." in module:
        module = module.rpartition(".")[0]
        yield module
