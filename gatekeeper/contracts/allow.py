"""Read ``contract.allow``: which moves of the public API a person has allowed.

One row a line, in one of three forms, each with a ticket and a reason after ``#``::

    breaking call-rejected pkg.mod.f 3f2a90c41b7e..9c01d2aa34ef  # API-12 the flag moved to Options
    digest 1d0c…e4..9f2c…d0  # API-13 the whole surface, from this digest to that one
    9f2c…d0  # API-13 likewise, from whatever digest (the seed's form; its ticket may be left out)

A row names the hashes of the symbol's rows before and after, ``none`` where it is absent: it allows one move and no
later one. There are no patterns, and nothing is guessed: a line of another form is a fault with its number.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

_HEX = frozenset("0123456789abcdef")
_SHORT, _LONG = 12, 64
_SEVERITIES = ("breaking", "silent", "opaque", "addition")
_ABSENT = "none"
_WORDS = 4
PLACEHOLDER = "# TICKET why"
"""What a printed row has where a person writes the ticket and the reason."""
MAX_LINES = 10_000


class Row(NamedTuple):
    """One allowed move; ``old`` and ``new`` are hashes of twelve digits or ``none``."""

    line: int
    severity: str
    kind: str
    symbol: str
    old: str
    new: str

    @property
    def text(self) -> str:
        """The row as it is written, without its ticket."""
        return f"{self.severity} {self.kind} {self.symbol} {self.old}..{self.new}"


class DigestRow(NamedTuple):
    """One allowed whole surface; ``base`` is None for any. Digests may be shortened to twelve digits or more."""

    line: int
    base: str | None
    head: str

    @property
    def text(self) -> str:
        """The row as it is written, without its ticket."""
        return self.head if self.base is None else f"digest {self.base}..{self.head}"


class Fault(NamedTuple):
    """What is wrong with one line."""

    line: int
    problem: str
    fix: str


class Allowed(NamedTuple):
    """An allow file, read; rows with faults are not among the rows."""

    rows: tuple[Row, ...] = ()
    digests: tuple[DigestRow, ...] = ()
    faults: tuple[Fault, ...] = ()


def read_allow(data: bytes, ticket: str) -> Allowed:
    """Read an allow file.

    Args:
        data: its bytes.
        ticket: the policy's regular expression for tickets, which must match the first word after ``#`` whole.
    """
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        return Allowed(faults=(Fault(number, "is not UTF-8", "save the file as UTF-8"),))
    if len(lines) > MAX_LINES:
        return Allowed(
            faults=(Fault(MAX_LINES, f"is line {MAX_LINES} of {len(lines)}", "prune the rows that are spent"),)
        )
    rows: list[Row] = []
    digests: list[DigestRow] = []
    faults: list[Fault] = []
    seen: dict[str, int] = {}
    for number, line in _joined(lines):
        found = _line(number, line, ticket)
        if found is None:
            continue
        if isinstance(found, Fault):
            faults.append(found)
        elif found.text in seen:
            faults.append(Fault(number, f"repeats line {seen[found.text]}", "remove it"))
        else:
            seen[found.text] = number
            if isinstance(found, Row):
                rows.append(found)
            else:
                digests.append(found)
    return Allowed(tuple(rows), tuple(digests), tuple(faults))


def _joined(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Lines with the number of their first; a backslash at the end goes on in the next, as a refusal prints them."""
    start, text = 1, ""
    for number, line in enumerate(lines, 1):
        text += line.removesuffix("\r")
        if text.endswith("\\") and number < len(lines):
            text = text[:-1]
            continue
        yield start, text
        start, text = number + 1, ""


def _line(number: int, line: str, ticket: str) -> Row | DigestRow | Fault | None:
    said, mark, comment = line.partition("#")
    words = said.split()
    if not words:
        return None
    if not said.isprintable() and not said.replace("\t", " ").isprintable():
        return Fault(number, "holds a character that does not print", "write it again by hand")
    found = _digest(number, words) or _row(number, words)
    if isinstance(found, Fault):
        return found
    if isinstance(found, DigestRow) and found.base is None and not mark:
        return found
    fault = _reason(number, comment.split(), ticket)
    return fault or found


def _reason(number: int, words: list[str], ticket: str) -> Fault | None:
    import re

    if not words or not re.fullmatch(ticket, words[0]):
        return Fault(number, "has no ticket", f"end the line with:  # TICKET why  (a ticket matches {ticket})")
    if len(words) == 1:
        return Fault(number, f"gives no reason beside {words[0]}", "say why in a few words")
    return None


def _digest(number: int, words: list[str]) -> DigestRow | Fault | None:
    if words[0] == "digest":
        base, dots, head = words[1].partition("..") if len(words) == 2 else ("", "", "")  # noqa: PLR2004
        if not dots or not _hexadecimal(base) or not _hexadecimal(head):
            return Fault(number, "is no digest row", "write: digest <base>..<head>  # TICKET why")
        return DigestRow(number, base, head)
    if len(words) == 1 and _hexadecimal(words[0]):
        return DigestRow(number, None, words[0])
    return None


def _hexadecimal(word: str) -> bool:
    return _SHORT <= len(word) <= _LONG and _HEX.issuperset(word)


def _row(number: int, words: list[str]) -> Row | Fault:
    form = "write: <severity> <kind> <symbol> <old>..<new>  # TICKET why"
    if len(words) != _WORDS:
        return Fault(number, f"has {len(words)} words before the #, not {_WORDS}", form)
    severity, kind, symbol, hashes = words
    old, dots, new = hashes.partition("..")
    if severity not in _SEVERITIES:
        return Fault(number, f"starts with {severity!r}", f"the severity is one of {', '.join(_SEVERITIES)}")
    if (problem := _kind_problem(severity, kind)) is not None:
        return Fault(number, problem, "copy the line that the refusal printed")
    if not dots or not _hash(old) or not _hash(new):
        return Fault(number, f"{hashes!r} is no pair of row hashes", f"{_SHORT} digits or none, twice, with .. between")
    if old == new:
        return Fault(number, "allows a move from a row to itself", "copy the line that the refusal printed")
    return Row(number, severity, kind, symbol, old, new)


def _kind_problem(severity: str, kind: str) -> str | None:
    from gatekeeper.source.compare.kinds import SEVERITY

    if kind not in SEVERITY:
        return f"{kind!r} is no kind of move"
    if SEVERITY[kind] != severity:
        return f"{kind} is {SEVERITY[kind]}, not {severity}"
    return None


def _hash(word: str) -> bool:
    return word == _ABSENT or (len(word) == _SHORT and _HEX.issuperset(word))


def line_for(severity: str, kind: str, symbol: str, old: str, new: str) -> str:
    """The line that a person would add to allow one move; the ticket and the reason are theirs."""
    return f"{severity} {kind} {symbol} {old}..{new}  {PLACEHOLDER}"


def states(
    allowed: Allowed, hash_of: Callable[[str], Collection[str]], digest: str | None
) -> Iterator[tuple[Row | DigestRow, str]]:
    """Every row with what it is against one surface: ``pending``, ``spent`` or ``neither``.

    Args:
        allowed: the file.
        hash_of: maps a symbol to the set of hashes that its rows have there.
        digest: the whole digest of that surface; None leaves digest rows pending.
    """
    for row in allowed.rows:
        current = hash_of(row.symbol)
        yield row, "pending" if row.old in current else "spent" if row.new in current else "neither"
    for whole in allowed.digests:
        if digest is None or (whole.base is None and not digest.startswith(whole.head)):
            yield whole, "pending"
        elif digest.startswith(whole.head):
            yield whole, "spent"
        else:
            yield whole, "pending" if whole.base is not None and digest.startswith(whole.base) else "neither"
