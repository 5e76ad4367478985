"""The contract budget: what a push does to the public API, held against the rows that a person has allowed.

Nothing here reads Python. Where a source of the writable set changed, :mod:`gatekeeper.source.reading` reads the
surface of the merge base and of the head, from its cache and through its worker; where none changed, nothing of it is
even imported, because equal blobs have equal surfaces.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.errors import UsageError
from gatekeeper.listing import counts, list_sources, roots
from gatekeeper.model import FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gatekeeper.context import Context
    from gatekeeper.contracts.allow import Allowed
    from gatekeeper.model import Oid, Severity
    from gatekeeper.source.compare.surfaces import SymbolMove
    from gatekeeper.source.reading import Read, Shelf

_KIND = 0o170000
_PATIENCE = 600.0
"""Seconds for reading whole trees, where no push waits for it."""


class Refused(NamedTuple):
    """One symbol that moved; ``rule`` is ``moved``, ``other``, ``unreadable`` or ``dynamic``: whose finding it is."""

    rule: str
    message: str
    path: bytes | None
    line: int | None
    fix: str


class RowFault(NamedTuple):
    """What is wrong with one line of the allow file."""

    message: str
    path: bytes
    line: int
    fix: str
    severity: Severity


class Judgement(NamedTuple):
    """What became of the contract budget; ``digest`` is the head's, None where none was made."""

    judged: bool
    digest: str | None = None
    refused: tuple[Refused, ...] = ()
    faults: tuple[RowFault, ...] = ()


def judge_surface(ctx: Context) -> Judgement:
    """The public API of the pushed tree against that of the merge base."""
    if ctx.base is None or ctx.head is None or ctx.trusted is None:
        return Judgement(judged=False)
    base = ctx.objects.commit(ctx.base).tree
    # a push of many refs with one head is judged once; everything else that counts is the same for all its refs
    key = (base, ctx.head.tree, ctx.trusted.tree.oid, ctx.actor.name, repr(ctx.policy.layers))
    judged = ctx.shared.judged
    if key not in judged:
        judged[key] = _judge(ctx, base, ctx.head.tree)
    return judged[key]  # type: ignore[return-value]


def _judge(ctx: Context, base: Oid, head: Oid) -> Judgement:
    changes = [change for change in ctx.changes(base, head) if counts(ctx, change)]
    if not changes:
        # no digest: it would be there or not by the state of a cache, and the verdict must not depend on that
        return Judgement(judged=True)
    shelf = _shelf(ctx)
    from gatekeeper.source.compare.surfaces import by_symbol, compare

    # the base is trusted: what is kept of it serves the next push, and a refused push adds nothing of its own
    before = list_sources(ctx, base, keep=True)
    symbols = by_symbol(compare(*shelf.moved(before.files, before.changed(changes).files)))
    asked = [symbol for symbol in symbols if symbol.needs_row or _asked(ctx, symbol)]
    if not asked:
        return Judgement(judged=True)
    allowed = _trusted_rows(ctx)
    digest = None
    if allowed.digests:
        # a row for a whole digest is the only reason to read the whole tree
        old, new = shelf.surfaces((before, list_sources(ctx, head)), keep=1)
        digest = new.digest
        if any(_spans(row.base, old.digest) and _spans(row.head, new.digest) for row in allowed.digests):
            asked = [symbol for symbol in asked if _rule(symbol) == "unreadable"]
    refused = tuple(found for symbol in asked if (found := _refusal(ctx, symbol, allowed)) is not None)
    return Judgement(True, digest, refused, tuple(_faults(ctx, allowed)) if refused else ())


def judge_allow_file(ctx: Context) -> Judgement:
    """The rows of a pushed allow file against the sources of the same push; nothing where the file did not change."""
    path = ctx.policy.locations["allow"]
    if ctx.head is None:
        return Judgement(judged=False)
    entry = ctx.objects.find(ctx.head.tree, path)
    before = ctx.trusted.tree.entry(path) if ctx.trusted is not None else None
    if entry is None or entry == before or entry.mode & _KIND != FILE & _KIND:
        return Judgement(judged=False)
    from gatekeeper.contracts.allow import read_allow, states

    allowed = read_allow(ctx.objects.blob(entry.oid), ctx.policy.ticket)
    faults = list(_faults(ctx, allowed))
    if allowed.rows or allowed.digests:
        from gatekeeper.source.compare.lookup import Surface

        shelf = _shelf(ctx)
        listing = list_sources(ctx, ctx.head.tree)
        # only a row for a whole digest is a reason to read the whole tree
        digest = shelf.surfaces((listing,))[0].digest if allowed.digests else ""
        surface = Surface(shelf.rows_at(listing.files, [row.symbol for row in allowed.rows]))
        for row, state in states(allowed, surface.hashes, digest):
            if state == "neither":
                message = f"`{row.text}` names neither what the API is nor what it would become"
                faults.append(RowFault(message, path, row.line, "correct the hashes, or remove the line", "error"))
            elif state == "spent":
                message = f"`{row.text}` has done its work"
                faults.append(RowFault(message, path, row.line, "prune the line", "warn"))
    return Judgement(judged=False, faults=tuple(faults))


def _asked(ctx: Context, symbol: SymbolMove) -> bool:
    return symbol.severity == "addition" and not ctx.policy.additions


def _shelf(ctx: Context, chosen: tuple[str, ...] = (), seconds: float | None = None) -> Shelf:
    reader = ctx.shared.reader(seconds or ctx.policy.deadline)
    reader.start()  # it gets ready while the rest of what is needed is imported here
    from gatekeeper.source.reading import Shelf

    return Shelf(chosen or roots(ctx), ctx.objects.blob, ctx.shared.cache, reader)


def read_trees(ctx: Context, trees: Sequence[Oid], chosen: tuple[str, ...] = (), *, keep: int = 0) -> list[Read]:
    """The surfaces of some trees, read by one worker.

    Args:
        ctx: whose zones and cache are used.
        trees: the trees.
        chosen: import roots to read instead of those that the policy gives; what lies below them counts then.
        keep: of how many of the first trees the cache keeps what was read.
    """
    shelf = _shelf(ctx, chosen, _PATIENCE)
    listings = [list_sources(ctx, tree, chosen, keep=place < keep) for place, tree in enumerate(trees)]
    if chosen and not any(listing.files for listing in listings):
        raise UsageError(f"no Python source lies below {', '.join(chosen)}", fix="name a directory of the revision")
    return shelf.surfaces(listings, keep=keep)


def warm(ctx: Context) -> None:
    """Read the surface of the trusted tree and keep it, with the facts of every source, for the pushes to come."""
    if ctx.shared.cache is None or ctx.trusted is None:
        return
    read_trees(ctx, [ctx.trusted.tree.oid], keep=1)


def _trusted_rows(ctx: Context) -> Allowed:
    from gatekeeper.contracts.allow import Allowed, read_allow

    assert ctx.trusted is not None  # noqa: S101 (the caller has looked)
    text = ctx.trusted.tree.blob(ctx.policy.locations["allow"])
    return Allowed() if text is None else read_allow(text, ctx.policy.ticket)


def _spans(short: str | None, digest: str) -> bool:
    return short is None or digest.startswith(short)


def _rule(symbol: SymbolMove) -> str:
    kinds = {row.kind for move in symbol.moves for row in (move.old, move.new) if row is not None}
    if symbol.kind in ("became-unparseable", "unparseable-changed"):
        return "unreadable"
    from gatekeeper.source.compare.surfaces import DYNAMIC

    return "dynamic" if kinds and kinds <= DYNAMIC else "moved"


def _refusal(ctx: Context, symbol: SymbolMove, allowed: Allowed) -> Refused | None:
    """Why a symbol's move is refused, or None when a row allows exactly it."""
    from gatekeeper.contracts.allow import line_for

    rule = _rule(symbol)
    name = ctx.policy.locations["allow"].decode()
    line = line_for(symbol.severity, symbol.kind, symbol.path, symbol.old_hash, symbol.new_hash)
    message, fix = _message(symbol), f"keep it as it was, or a person adds to {name}: {line}"
    rows = [row for row in allowed.rows if row.symbol == symbol.path]
    if rule == "unreadable":
        fix = "make the file readable: `python -m py_compile FILE` says what is wrong"
    else:
        wanted = (symbol.severity, symbol.kind, symbol.old_hash, symbol.new_hash)
        if any((row.severity, row.kind, row.old, row.new) == wanted for row in rows):
            return None
        if rows:
            rule = "other"
            message = f"{message}; line {rows[0].line} of {name} allows another move of it"
            fix = f"a person replaces line {rows[0].line} of {name} by: {line}"
    place = next((row for move in symbol.moves for row in (move.new, move.old) if row is not None and row.file), None)
    if place is None:
        return Refused(rule, message, None, None, fix)
    return Refused(rule, message, place.file.encode("utf-8", "surrogateescape"), place.line or None, fix)


def _message(symbol: SymbolMove) -> str:
    worst = next(move for move in symbol.moves if move.kind == symbol.kind)
    more = sorted({move.kind for move in symbol.moves} - {symbol.kind})
    also = f" (also {', '.join(more)})" if more else ""
    return f"{symbol.path}: {symbol.severity} {symbol.kind}: {worst.message}{also}"


def _faults(ctx: Context, allowed: Allowed) -> Iterator[RowFault]:
    path = ctx.policy.locations["allow"]
    for fault in allowed.faults:
        yield RowFault(f"line {fault.line} {fault.problem}", path, fault.line, fault.fix, "error")
