"""What a person may do to the list of properties, and what takes a ticket: the old list decides, never the new one.

A ticket is *new* where the old list does not already have it at that place: it was given for this edit.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.contracts.properties import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.contracts.properties import Properties, Property


def govern(old: Properties, new: Properties, ticket: str) -> Iterator[Fault]:
    """What an edit of the list lacks.

    Args:
        old: the list before, which says whether properties may be deleted.
        new: the list after; the empty one where the file is gone.
        ticket: the policy's regular expression, which must match a ticket whole.
    """
    rule = _Tickets(ticket)
    yield from _retirements(old, new, rule)
    yield from _bounds(old, new, rule)
    after = {row.id: row for row in new.properties}
    for row in old.properties:
        if row.id in after:
            yield from _row(row, after[row.id], rule)


class _Tickets:
    """What is a ticket, by the policy."""

    def __init__(self, pattern: str) -> None:
        import re

        self._pattern = re.compile(pattern)
        self.hint = f"a ticket matches {pattern}"

    def given(self, said: str) -> bool:
        """Whether a text is a ticket."""
        return self._pattern.fullmatch(said) is not None

    def fresh(self, before: str, after: str) -> bool:
        """Whether a ticket was given that was not there before."""
        return after != before and self.given(after)


def _retirements(old: Properties, new: Properties, rule: _Tickets) -> Iterator[Fault]:
    known = {(row.id, row.ticket) for row in old.retired}
    for row in new.retired:
        if (row.id, row.ticket) not in known and not rule.given(row.ticket):
            yield Fault(row.line, f"{row.id} is retired with {row.ticket!r}, which is no ticket", rule.hint)
    retired = {row.id for row in new.retired}
    listed = {row.id for row in new.properties}
    for gone in old.properties:
        if old.forbid_delete and gone.id not in listed and gone.id not in retired:
            fix = f'[[retired]] with id = "{gone.id}", a ticket and a date; {rule.hint}'
            yield Fault(0, f"{gone.id} ({gone.nodeid}) was deleted without a ticket", fix)


def _bounds(old: Properties, new: Properties, rule: _Tickets) -> Iterator[Fault]:
    """The two keys of ``[budget]``: what a deletion leaves is no lowering of its own, as it has its own ticket."""
    if rule.fresh(old.ticket, new.ticket):
        return
    listed = {row.id for row in new.properties}
    left = sum(row.id in listed for row in old.properties) if old.forbid_delete else len(old.properties)
    fix = f"a new `ticket` under [budget]; {rule.hint}"
    if new.min_collected < min(old.min_collected, left):
        said = f"min_collected is lowered from {old.min_collected} to {new.min_collected} without a ticket"
        yield Fault(0, said, fix)
    if old.forbid_delete and not new.forbid_delete:
        yield Fault(0, "forbid_delete is turned off without a ticket", fix)


def _row(old: Property, new: Property, rule: _Tickets) -> Iterator[Fault]:
    if rule.fresh(old.ticket, new.ticket):
        return
    moved = list(_weaker(old, new))
    if moved:
        fix = f"a new `ticket` on the row; {rule.hint}"
        yield Fault(new.line, f"{new.id}: {' and '.join(moved)} without a ticket", fix)


def _weaker(old: Property, new: Property) -> Iterator[str]:
    """What no longer is what was asked for, in words."""
    if new.nodeid != old.nodeid:
        yield f"its nodeid moved from {old.nodeid}"
    if old.digest and new.digest != old.digest:
        yield "its pinned digest was replaced" if new.digest else "its pinned digest was removed"
    if old.min_examples and (new.min_examples or 0) < old.min_examples:
        yield f"min_examples was lowered from {old.min_examples}"
