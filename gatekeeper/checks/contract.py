"""GK3xx: the public API that the tests were written for moves only where a person has allowed it."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.checks._rule import rule
from gatekeeper.model import HUMAN
from gatekeeper.surfaces import judge_allow_file, judge_surface

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.context import Context
    from gatekeeper.model import Finding


@rule("GK301", "public API moved without an allow row", budget="contract", human="off")
def moved(ctx: Context) -> Iterator[Finding]:
    """The public API of the writable sources stays what it was, unless the allow file of the trusted ref has a row.

    Why: tests are written for signatures. A default that changes, a parameter that is renamed or a method that turns
    into a generator breaks callers that no test of this repository has, and a suite can be made to pass by moving what
    it calls. The message gives a call that worked and no longer does.

    Mend: keep the old signature working (add the new one beside it), or let a person add the printed line to the allow
    file (`contracts/contract.allow`) with a ticket and push that to the trusted ref; then push again. With
    `additions = "allow"` the policy lets pure additions pass without a row.
    """
    for symbol in ctx.once(judge_surface).refused:
        if symbol.rule == "moved":
            yield moved.finding(symbol.message, path=symbol.path, line=symbol.line, fix=symbol.fix)


@rule("GK302", "allow row for another move", budget="contract", human="off")
def other_rows(ctx: Context) -> Iterator[Finding]:
    """A row of the allow file allows the move from exactly its old to exactly its new row, once.

    Why: a row that allowed one change must not be replayed for the next one of the same symbol, or for a worse one.

    Mend: a person replaces the row with the printed line after looking at what the API is now.
    """
    for symbol in ctx.once(judge_surface).refused:
        if symbol.rule == "other":
            yield other_rows.finding(symbol.message, path=symbol.path, line=symbol.line, fix=symbol.fix)


@rule("GK303", "source that cannot be read", budget="contract", human="off")
def unreadable(ctx: Context) -> Iterator[Finding]:
    """Every new or changed source file parses, is written in UTF-8 and does not kill the process that reads it.

    Why: what cannot be read cannot be judged. A coding cookie can hide a definition from a reader that the interpreter
    sees, and a file of 200 KB can be built to take six gigabytes to parse.

    Mend: `python -m py_compile FILE` names a syntax error; save the file as UTF-8 without a coding cookie; split a file
    that is too large. A file that needs a newer Python than the server's has to wait for the server.
    """
    for symbol in ctx.once(judge_surface).refused:
        if symbol.rule == "unreadable":
            yield unreadable.finding(symbol.message, path=symbol.path, line=symbol.line, fix=symbol.fix)


@rule("GK304", "dynamic surface changed", budget="contract", human="off")
def dynamic(ctx: Context) -> Iterator[Finding]:
    """What a module does to its own names at run time stays as it is, unless a row of the allow file covers it.

    Why: with a module `__getattr__`, a computed `__all__`, `exec` or `globals()[...] = ...` names come and go that no
    static reader sees.

    Mend: write the names out, or let a person add the printed line to the allow file.
    """
    for symbol in ctx.once(judge_surface).refused:
        if symbol.rule == "dynamic":
            yield dynamic.finding(symbol.message, path=symbol.path, line=symbol.line, fix=symbol.fix)


@rule("GK305", "allow row malformed, or neither pending nor spent", budget="contract")
def malformed(ctx: Context) -> Iterator[Finding]:
    """Every row of the allow file has the form, a ticket and a reason, and names what the API is or was.

    Why: a row that can never match hides among those that can, and one without a ticket is nobody's decision. A pushed
    allow file is judged in the human lane, against the sources of the same push; the trusted one is judged when an
    agent's push needs it. A row that has done its work is only a warning: it can be pruned.

    Mend: correct or remove the line that the message names.
    """
    for fault in ctx.once(judge_allow_file if ctx.lane == HUMAN else judge_surface).faults:
        found = malformed.finding(fault.message, path=fault.path, line=fault.line, fix=fault.fix)
        yield found._replace(severity=fault.severity)
