"""One part of a property before and after: what is gone from it, and what is new."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint.compare import Seen
from gatekeeper.source.fingerprint.patterns.found import View

if TYPE_CHECKING:
    from gatekeeper.source.fingerprint.anatomy import Anatomy, Entry
    from gatekeeper.source.fingerprint.pages import Leaf


class Part:
    """The entries of one part by their keys, in both trees.

    ``gone`` are those of the base that the head has not, ``fresh`` those of the head that the base has not.
    """

    def __init__(self, base: Anatomy, head: Anatomy, name: str) -> None:
        self.base, self.head, self.name = base, head, name
        before = [entry for entry in base.entries if entry.part == name]
        after = [entry for entry in head.entries if entry.part == name]
        self.before, self.after = _grouped(before), _grouped(after)
        known = {(entry.key, entry.digest) for entry in before}
        kept = {(entry.key, entry.digest) for entry in after}
        self.gone = [entry for entry in before if (entry.key, entry.digest) not in kept]
        self.fresh = [entry for entry in after if (entry.key, entry.digest) not in known]


def seen_of(entry: Entry) -> Seen | None:
    """The syntax of an entry with the source from which its names are seen; None where it has none."""
    if entry.leaf is None or entry.page is None or entry.library is None:
        return None
    return Seen(View(entry.library, entry.page), entry.leaf.node)


def _grouped(entries: list[Entry]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.key, []).append(entry)
    return found


def is_setting(entry: Entry) -> bool:
    """``Machine.TestCase.settings = settings(...)``."""
    node = entry.leaf.node if entry.leaf is not None else None
    if not isinstance(node, ast.Assign) or entry.page is None or not isinstance(node.value, ast.Call):
        return False
    return bool(entry.page) and isinstance(node.targets[0], ast.Attribute) and node.targets[0].attr == "settings"


def value_of(entry: Entry) -> Seen:
    """What an assignment assigns."""
    seen = seen_of(entry)
    if seen is None or not isinstance(seen.node, ast.Assign):
        raise TypeError("no assignment")
    return Seen(seen.view, seen.node.value)


def is_strategy(*entries: Entry) -> bool:
    """Whether a definition makes strategies, or stands in a source that does."""
    for entry in entries:
        if entry.page is None:
            continue
        for leaf in entry.page.imports:
            names = [getattr(leaf.node, "module", "") or "", *(alias.name for alias in getattr(leaf.node, "names", ()))]
            if "hypothesis.strategies" in names or (names[0] == "hypothesis" and "strategies" in names):
                return True
    return False


def leaves_of(entry: Entry) -> list[Leaf]:
    """Everything that binds or changes what an entry names."""
    return entry.library.leaves(entry.page, entry.key) if entry.library is not None and entry.page is not None else []
