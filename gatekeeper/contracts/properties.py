"""Read ``properties.toml``: which properties a suite must still collect, and how pytest is run to collect them.

The form is seed 000's, with keys of ours that may be left out::

    [budget]
    min_collected = 2
    forbid_delete = true

    [collect]                # how pytest is run: it decides what a nodeid is
    args = ["tests"]
    pytest = "9.2"

    [[property]]
    id = "encoder.no_silent_truncation"
    module = "tests/properties/test_encoder_bounds.py"
    nodeid = "tests/properties/test_encoder_bounds.py::test_no_silent_truncation"
    guards = ["encoder.encode_frame"]
    min_examples = 100
    digest = "9f2c..."
    ticket = "QA-12"

    [[retired]]
    id = "cache.ttl_monotonic"
    ticket = "QA-44"
    date = 2026-11-30

Nothing is guessed: a key that is not known, or of another type, is a fault with the line of its table.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.contracts.fields import Fields, whole
from gatekeeper.source.collection.items import Invocation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_HEX = frozenset("0123456789abcdef")
_DIGITS = 64
_VERSION_PARTS = 2
OLDEST = (7, 4)
"""The oldest pytest whose ids are known."""


class Property(NamedTuple):
    """One named property; ``line`` is that of its table. ``digest`` pins its fingerprint, empty where it does not."""

    id: str
    module: str
    nodeid: str
    guards: tuple[str, ...] = ()
    min_examples: int | None = None
    digest: str = ""
    ticket: str = ""
    line: int = 0


class Retired(NamedTuple):
    """A property that a person has given up."""

    id: str
    ticket: str
    date: str
    line: int = 0


class Fault(NamedTuple):
    """What is wrong with one table or key."""

    line: int
    problem: str
    fix: str


class Properties(NamedTuple):
    """A property file, read; rows with faults are not among the rows."""

    properties: tuple[Property, ...] = ()
    retired: tuple[Retired, ...] = ()
    min_collected: int = 0
    forbid_delete: bool = True
    ticket: str = ""
    invocation: Invocation = Invocation()
    faults: tuple[Fault, ...] = ()


def read_properties(data: bytes) -> Properties:
    """Read a property file; never raises, what is wrong with it is among its faults."""
    import tomllib

    try:
        text = data.decode("utf-8")
        root = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError alone: a number of more than 4,300 digits
        return Properties(faults=(Fault(0, f"is not TOML: {error}", "correct the file"),))
    faults: list[Fault] = []
    top = Fields(root, 0, "", faults.append, Fault)
    budget = Fields(top.table("budget"), _line(text, "[budget]", 0), "budget", faults.append, Fault)
    rows = tuple(_rows(top.tables("property"), text, faults))
    retired = tuple(_retired(top.tables("retired"), text, faults))
    invocation = _invocation(Fields(top.table("collect"), _line(text, "[collect]", 0), "collect", faults.append, Fault))
    found = Properties(
        rows,
        retired,
        budget.number("min_collected", low=0) or 0,
        budget.flag("forbid_delete", default=True),
        budget.text("ticket") or "",
        invocation,
    )
    budget.close()
    top.close()
    faults.extend(_together(found))
    return found._replace(faults=tuple(faults))


def _rows(tables: Sequence[Mapping[str, object]], text: str, faults: list[Fault]) -> Iterator[Property]:
    for number, table in enumerate(tables):
        line = _line(text, "[[property]]", number)
        before = len(faults)
        row = Fields(table, line, f"property {number + 1}", faults.append, Fault)
        found = Property(
            row.needed("id"),
            row.needed("module"),
            row.needed("nodeid"),
            row.texts("guards"),
            row.number("min_examples", low=1),
            row.text("digest") or "",
            row.text("ticket") or "",
            line,
        )
        row.close()
        if len(faults) == before:
            faults.extend(_of_row(found))
        if len(faults) == before:
            yield found


def _of_row(row: Property) -> Iterator[Fault]:
    path, mark, name = row.nodeid.partition("::")
    if not mark or not name:
        yield Fault(
            row.line, f"nodeid {row.nodeid!r} names no function", "write it as pytest does: path/test_x.py::test_y"
        )
    elif path != row.module and not row.module.endswith("/" + path):
        yield Fault(row.line, f"nodeid is not of the module {row.module!r}", "correct one of the two")
    if row.digest and (len(row.digest) != _DIGITS or not _HEX.issuperset(row.digest)):
        yield Fault(row.line, "digest is not 64 hexadecimal digits", "`gatekeeper properties pin ID` writes it")
    for symbol in row.guards:
        if not all(part.isidentifier() for part in symbol.split(".")):
            yield Fault(
                row.line, f"guards {symbol!r}, which is no dotted name", 'write: guards = ["package.module.name"]'
            )


def _retired(tables: Sequence[Mapping[str, object]], text: str, faults: list[Fault]) -> Iterator[Retired]:
    for number, table in enumerate(tables):
        line = _line(text, "[[retired]]", number)
        before = len(faults)
        row = Fields(table, line, f"retired {number + 1}", faults.append, Fault)
        found = Retired(row.needed("id"), row.needed("ticket"), row.day("date"), line)
        row.close()
        if len(faults) == before:
            yield found


def _invocation(table: Fields) -> Invocation:
    default = Invocation()
    found = Invocation(
        _inside(table, "cwd"),
        table.texts("args"),
        _version(table, "pytest") or default.pytest,
        _version(table, "python") or default.python,
        table.text("platform") or default.platform,
        table.text("addopts") or "",
        table.texts("plugins"),
        table.texts("installed"),
    )
    if found.pytest < OLDEST:
        table.fault("pytest", "is older than 7.4", "name the version that the suite is run with, from 7.4 on")
    table.close()
    return found


def _inside(table: Fields, name: str) -> str:
    """A directory of the tree, without needless parts."""
    parts = [part for part in (table.text(name) or "").split("/") if part not in ("", ".")]
    if ".." in parts:
        table.fault(name, "leads out of the repository", "write it relative to the top of the repository")
    return "/".join(parts)


def _version(table: Fields, name: str) -> tuple[int, int] | None:
    said = table.text(name)
    if said is None:
        return None
    parts = said.split(".")
    if len(parts) < _VERSION_PARTS or not all(whole(part) for part in parts):
        table.fault(name, f"{said!r} is no version", 'write the first two numbers: "9.2"')
        return None
    return int(parts[0]), int(parts[1])


def _together(found: Properties) -> Iterator[Fault]:
    """What is wrong between rows."""
    ids: dict[str, int] = {}
    nodeids: dict[str, int] = {}
    for row in found.properties:
        if row.id in ids:
            yield Fault(row.line, f"repeats the id {row.id!r} of line {ids[row.id]}", "give it a name of its own")
        if row.nodeid in nodeids:
            yield Fault(row.line, f"repeats the nodeid of line {nodeids[row.nodeid]}", "remove one of them")
        ids.setdefault(row.id, row.line)
        nodeids.setdefault(row.nodeid, row.line)
    for old in found.retired:
        if old.id in ids:
            yield Fault(old.line, f"retires {old.id!r}, which line {ids[old.id]} lists", "remove one of them")


def _line(text: str, header: str, number: int) -> int:
    """The line of a table's header; 0 where the file writes it in another way."""
    for place, line in enumerate(text.split("\n"), 1):
        if line.replace(" ", "").partition("#")[0].rstrip() == header:
            if not number:
                return place
            number -= 1
    return 0
