"""GK4xx: the named properties are still collected, still themselves, and can still be imported."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.checks._rule import rule
from gatekeeper.properties import judge_properties

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.checks._rule import Rule
    from gatekeeper.context import Context
    from gatekeeper.model import Finding


def _findings(own: Rule, ctx: Context) -> Iterator[Finding]:
    for fault in ctx.once(judge_properties).faults:
        if fault.code == own.code:
            found = own.finding(fault.message, path=fault.path, line=fault.line, fix=fault.fix)
            yield found._replace(severity="warn") if fault.severity == "warn" else found


@rule("GK401", "named property no longer collected", budget="properties")
def missing(ctx: Context) -> Iterator[Finding]:
    """Every property that `contracts/properties.toml` names is collected by pytest at the head.

    Why: a suite without the test that would have failed is green. The nodeids are found from the pushed blobs, without
    running anything: the configuration that counts, the files that are walked, the binding that wins, the parameters.

    Mend: restore the test. The message says why pytest would not collect it; `gatekeeper collect HEAD` prints what it
    would. Only a person gives a property up: the row moves to `[[retired]]`, with a ticket.
    """
    yield from _findings(missing, ctx)


@rule("GK402", "import of a property no longer resolves", budget="properties")
def unresolved(ctx: Context) -> Iterator[Finding]:
    """What the module of a named property imports from this repository is still there.

    Why: a module that fails to import is not collected. Renaming what a property imports is as good as deleting it,
    and needs no write to the test tree. Only what surely fails is reported: imports that are conditional, or names
    that are made at run time, are not.

    Mend: keep the old name importable, or undo the change.
    """
    yield from _findings(unresolved, ctx)


@rule("GK403", "property neutralised", budget="properties", human="warn")
def neutralised(ctx: Context) -> Iterator[Finding]:
    """A named property still runs and can still fail.

    Why: a property that is skipped, expected to fail, emptied, shadowed by a later definition, deselected or swallowed
    by a hook is still collected, and still green. Its fingerprint covers its body, its decorators and classes, the
    helpers and fixtures that it uses, the conftest.py files above it and the configuration that counts.

    Mend: undo the change that the message names.
    """
    yield from _findings(neutralised, ctx)


@rule("GK404", "property weakened", budget="properties", human="warn")
def weakened(ctx: Context) -> Iterator[Finding]:
    """A named property tries as much and asserts as much as it did.

    Why: fewer examples, a narrower strategy, a shorter list of parameters or a wider tolerance let the same bug pass.

    Mend: undo the change that the message names. A person who means it pins the new fingerprint with a ticket.
    """
    yield from _findings(weakened, ctx)


@rule("GK405", "property rewritten", budget="properties")
def rewritten(ctx: Context) -> Iterator[Finding]:
    """What a named property is made of stays what it is.

    Why: whoever may rewrite the judge wins the case. An agent's change of anything that a property is made of is
    refused, whatever it looks like. In the human lane only a property that pins its `digest` is held to it.

    Mend: undo the change. A person pins the new fingerprint: `gatekeeper properties pin ID --ticket TICKET`.
    """
    yield from _findings(rewritten, ctx)


@rule("GK406", "fewer properties than min_collected", budget="properties")
def too_few(ctx: Context) -> Iterator[Finding]:
    """At least `min_collected` of the named properties are collected.

    Why: the number is a second count of the list, which a shortened list does not take with it.

    Mend: restore the properties, or let a person lower the number.
    """
    yield from _findings(too_few, ctx)


@rule("GK407", "empty property list", budget="properties", agent="warn", human="warn")
def empty(ctx: Context) -> Iterator[Finding]:
    """The list of properties names at least one.

    Why: an empty list holds every budget and guards nothing. Start by naming the invariants that you already believe.

    Mend: `gatekeeper properties add ID NODEID`.
    """
    yield from _findings(empty, ctx)


@rule("GK408", "property deleted or changed without a ticket", budget="properties", agent="off")
def ungoverned(ctx: Context) -> Iterator[Finding]:
    """A person gives a property up, lowers a bound or pins another fingerprint with a ticket that says so.

    Why: a list that can be shortened in passing guards nothing. With `forbid_delete` a row that vanishes must turn up
    under `[[retired]]` with a ticket and a day; `min_collected` is lowered, and a `digest` or `nodeid` replaced, with a
    `ticket` that is new. The old list decides what is needed, never the new one.

    Mend: add what the message asks for to `contracts/properties.toml`.
    """
    yield from _findings(ungoverned, ctx)


@rule("GK409", "property not run, or run with too few examples", budget="properties")
def not_run(ctx: Context) -> Iterator[Finding]:
    """Where a report of a run is given, every named property passed in it, with `min_examples` examples or more.

    Why: collecting is not running. A report is believed only as far as the pushed blobs explain it: what no function
    of the tree can have produced is refused.

    Mend: run the suite at this commit, and hand in the report of that run (`gatekeeper check --run-report FILE`).
    """
    yield from _findings(not_run, ctx)
