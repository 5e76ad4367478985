"""Which properties a change can affect, and which changed public symbols no property reaches.

Nothing here reads Python: outlines of sources come from the bounded worker. Both trees are looked at, since what a
change removes is only seen in the first, and what it adds only in the second.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.errors import LimitExceeded
from gatekeeper.source.gitfiles import TreeFiles
from gatekeeper.source.imports.find import Finder
from gatekeeper.source.imports.program import Program, Source
from gatekeeper.source.imports.reach import TOP, Reach
from gatekeeper.source.modules import dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Protocol

    from gatekeeper.contracts.properties import Property
    from gatekeeper.model import Change
    from gatekeeper.source.gitfiles import Tree

    Outline = dict[str, Any]
    Part = tuple[str, str]

    class Outliner(Protocol):
        """Reads outlines: :class:`gatekeeper.source.bounded.reader.SourceReader`."""

        def parts(self, blob: bytes) -> Outline | None:
            """The outline of a source, None where it cannot be read."""


GUARDS, REACHES, UNREADABLE = "guards", "reaches", "unreadable"
"""How a change touches a property: it names the symbol, what it runs uses it, or its source cannot be read."""
_WHOLE = "*"
_PYTHON = ".py"


class Moved(NamedTuple):
    """A symbol that a change touches; ``kind`` is ``function``, ``class``, ``value``, ``module`` or ``unreadable``."""

    symbol: str
    kind: str
    path: str
    line: int
    public: bool


class Hit(NamedTuple):
    """A changed symbol that a property can notice, and how."""

    symbol: str
    how: str


class Selected(NamedTuple):
    """A property that a change can affect, and by what."""

    id: str
    nodeid: str
    by: tuple[Hit, ...]


class Selection(NamedTuple):
    """What a change can do; ``unguarded`` are the changed public symbols of the product that no property reaches.

    ``others`` are changed files that no symbol stands for.
    """

    selected: tuple[Selected, ...]
    changed: tuple[Moved, ...]
    unguarded: tuple[Moved, ...]
    others: tuple[str, ...]


class Question(NamedTuple):
    """What is asked: two trees and what differs, the properties, where imports start, which paths are the product's."""

    before: Tree
    after: Tree
    changes: Sequence[Change]
    properties: Sequence[Property]
    roots: tuple[str, ...]
    is_product: Callable[[bytes], bool]


def select(question: Question, reader: Outliner) -> Selection:
    """The properties that a change can affect, by what, and the public symbols that it changes beside all of them.

    Raises:
        DeadlineExceeded, LimitExceeded, GatekeeperError: what the reader does.
    """
    outlines = _Outlines(reader)
    sides = [_Side(tree, question, outlines) for tree in (question.before, question.after)]
    moved, others = _moved(question, sides)
    hits: dict[Part, set[str]] = {part: set() for part in moved}
    selected = []
    for row in question.properties:
        by = _hits(row, sides, moved, hits)
        if by:
            selected.append(Selected(row.id, row.nodeid, tuple(by)))
    shown = sorted(moved.items())
    unguarded = (one for part, one in shown if not hits[part] and one.public and question.is_product(_bytes(one.path)))
    return Selection(tuple(selected), tuple(one for _, one in shown), tuple(unguarded), tuple(others))


def _hits(row: Property, sides: Sequence[_Side], moved: dict[Part, Moved], hits: dict[Part, set[str]]) -> list[Hit]:
    """What a property notices of the changed symbols; noted in ``hits`` as well."""
    found: dict[str, str] = {}
    for side in sides:
        guards, reach = side.reach(row)
        for part, one in moved.items():
            how = ""
            if part in guards:
                how = GUARDS
            elif part in reach.parts or (part[1] in {TOP, _WHOLE} and part[0] in reach.loaded):
                how = REACHES if part[1] != _WHOLE else UNREADABLE
            if how:
                hits[part].add(row.id)
                if found.get(one.symbol) != GUARDS:
                    found[one.symbol] = how
    return [Hit(symbol, how) for symbol, how in sorted(found.items())]


def _moved(question: Question, sides: Sequence[_Side]) -> tuple[dict[Part, Moved], list[str]]:
    """The parts that differ, and the changed files that have none."""
    moved: dict[Part, Moved] = {}
    others = []
    for change in question.changes:
        path = change.path.decode("utf-8", "surrogateescape")
        if not path.endswith(_PYTHON):
            others.append(path)
            continue
        old, new = (side.outline(path) for side in sides)
        module = dotted(path, question.roots).removesuffix(".__init__")
        if any(outline is None and side.has(path) for outline, side in zip((old, new), sides, strict=True)):
            moved[path, _WHOLE] = Moved(module, "unreadable", path, 1, _is_public(module, None))
            continue
        for name, kind, line in _differences(old or {}, new or {}):
            symbol = f"{module}.{name}" if name else module
            public = _is_public(symbol, new or old) and kind not in {"module", "import"}
            moved[path, name] = Moved(symbol, kind, path, line, public)
    return moved, others


def _differences(old: Outline, new: Outline) -> Iterator[tuple[str, str, int]]:
    parts = old.get("parts", {}), new.get("parts", {})
    for name in sorted({*parts[0], *parts[1]}):
        one, other = parts[0].get(name), parts[1].get(name)
        if one is None or other is None or one["d"] != other["d"]:
            known = other or one
            yield name, known["k"], known["l"]
    imported = old.get("imported", {}), new.get("imported", {})
    for name in sorted({*imported[0], *imported[1]}):
        if imported[0].get(name) != imported[1].get(name) and name not in {*parts[0], *parts[1]}:
            yield name, "import", 1


def _is_public(symbol: str, outline: Outline | None) -> bool:
    names = symbol.split(".")
    listed = (outline or {}).get("all")
    top = next((name for name in names if isinstance(listed, list) and name in listed), None)
    if isinstance(listed, list) and top is None:
        return False
    return all(not name.startswith("_") or (name.startswith("__") and name.endswith("__")) for name in names)


class _Outlines:
    """Outlines by blob, each read once."""

    def __init__(self, reader: Outliner) -> None:
        self._reader = reader
        self._known: dict[bytes, Outline | None] = {}

    def of(self, files: TreeFiles, path: str) -> Outline | None:
        """The outline of a file; None where it cannot be read, or is not there."""
        entry = files.entry(path)
        if entry is None or files.kind(path) != "file":
            return None
        if entry.oid not in self._known:
            try:
                blob = files.read(path)
            except LimitExceeded:  # over the policy's limit: it is never inflated
                blob = None
            self._known[entry.oid] = None if blob is None else self._reader.parts(blob)
        return self._known[entry.oid]


class _Side:
    """One of the trees, with what each property reaches in it."""

    def __init__(self, tree: Tree, question: Question, outlines: _Outlines) -> None:
        self._files = TreeFiles(tree)
        self._outlines = outlines
        tests = {self._root(row.module) for row in question.properties}
        roots = [*sorted(tests), *(root for root in question.roots if root not in tests)]
        find = Finder(self._files.kind, roots, self._names)
        self._program = Program(self.outline, find, self._names)

    def _names(self, directory: str) -> list[str]:
        return [item.name for item in self._files.list(directory)]

    def has(self, path: str) -> bool:
        """Whether a path is there."""
        return self._files.kind(path) is not None

    def outline(self, path: str) -> Outline | None:
        """The outline of a source of this tree."""
        return self._outlines.of(self._files, path)

    def _root(self, path: str) -> str:
        """The directory that pytest puts on ``sys.path`` for a test module: the first above that is no package."""
        directory = path.rpartition("/")[0]
        while directory and self.has(f"{directory}/__init__.py"):
            directory = directory.rpartition("/")[0]
        return directory

    def _source(self, path: str) -> Source:
        root = self._root(path)
        inner = path[len(root) + 1 :] if root else path
        return Source(inner.removesuffix(_PYTHON).replace("/", ".").removesuffix(".__init__"), path)

    def _conftests(self, path: str) -> list[str]:
        parts = path.split("/")[:-1]
        places = ["/".join([*parts[:end], "conftest.py"]) for end in range(len(parts) + 1)]
        return [place for place in places if self.has(place)]

    def reach(self, row: Property) -> tuple[list[Part], Reach]:
        """What a property names in its guards, and all that it reaches."""
        reach = Reach(self._program)
        named = [self._program.definition(guard) for guard in row.guards]
        for conftest in self._conftests(row.module):
            reach.start(self._source(conftest), (), collected=True)
        if self.has(row.module):
            inner = row.nodeid.partition("::")[2].partition("[")[0].split("::")
            reach.start(self._source(row.module), (".".join(inner), *inner), collected=True)
        for parts in named:
            for part in parts:
                reach.begin(part)
        return [part for parts in named for part in parts], reach


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
