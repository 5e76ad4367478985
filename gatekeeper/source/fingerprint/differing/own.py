"""What is different about the definition itself and its decorators."""

from __future__ import annotations

import ast
from collections import Counter

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint import compare
from gatekeeper.source.fingerprint.differing.sides import is_setting, seen_of, value_of
from gatekeeper.source.fingerprint.locals import FUNCTIONS
from gatekeeper.source.fingerprint.patterns.found import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gatekeeper.source.fingerprint.anatomy import Entry
    from gatekeeper.source.fingerprint.compare import Seen
    from gatekeeper.source.fingerprint.differing.sides import Part


def bodies(part: Part) -> Iterator[Pattern]:
    """The definition that the name means, and what it says."""
    keys = dict.fromkeys((*part.before, *part.after))
    for key in keys:
        before, after = part.before.get(key, []), part.after.get(key, [])
        if [one.digest for one in before] == [one.digest for one in after]:
            continue
        if len(after) > len(before) or not after:
            yield from _rebound(part, before, after, key)
        elif before:
            yield from _changed(before[-1], after[-1], "its body")


def _rebound(part: Part, before: list[Entry], after: list[Entry], key: str) -> Iterator[Pattern]:
    known = Counter(one.digest for one in before)
    for entry in after:
        if known[entry.digest]:
            known[entry.digest] -= 1
        elif is_setting(entry):
            yield from compare.keywords(None, value_of(entry), key)
        else:
            yield Pattern(
                "bound", f"{key} is bound or changed once more, and the last one counts", entry.path, entry.line
            )
    if not after:
        path, line = part.head.place()
        yield Pattern("unbound", f"nothing binds {key} any more", path, line)


def _changed(before: Entry, after: Entry, what: str) -> Iterator[Pattern]:
    one, two = seen_of(before), seen_of(after)
    if one is None or two is None:
        return
    if isinstance(one.node, FUNCTIONS) or isinstance(two.node, FUNCTIONS):
        yield from compare.functions(one, two, what)
    elif is_setting(after):
        yield from compare.keywords(value_of(before), value_of(after), what)
    elif type(one.node) is not type(two.node) or isinstance(two.node, (ast.Assign, ast.Import, ast.ImportFrom)):
        found = list(compare.values(one, two, what))
        yield from found
        if not found:
            yield two.view.found("bound", f"{what} is something else than it was", two.node)


def decorators(part: Part) -> Iterator[Pattern]:
    """Decorators that are new, gone or different."""
    before = [entry for some in part.before.values() for entry in some]
    after = [entry for some in part.after.values() for entry in some]
    known = {entry.digest for entry in before}
    kept = {entry.digest for entry in after}
    gone = _seen(entry for entry in before if entry.digest not in kept)
    fresh = _seen(entry for entry in after if entry.digest not in known)
    yield from compare.decorators(_seen(before), _seen(after), gone, fresh, "the property")


def _seen(entries: Iterable[Entry]) -> list[Seen]:
    return [seen for entry in entries if (seen := seen_of(entry)) is not None]
