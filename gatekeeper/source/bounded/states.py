"""What becomes of named properties in one tree and from one tree to another, said in JSON for the asking process."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.items import EXACT
from gatekeeper.source.collection.session import Session
from gatekeeper.source.evaluate.skeleton import skeleton
from gatekeeper.source.fingerprint.audit import vacuous
from gatekeeper.source.fingerprint.closure import Prints
from gatekeeper.source.fingerprint.interference import interference
from gatekeeper.source.fingerprint.reasons import differences

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable, Iterator

    from gatekeeper.source.bounded.remote import RemoteFiles
    from gatekeeper.source.collection.items import Found, Invocation
    from gatekeeper.source.fingerprint.reasons import Reason

    Said = dict[str, object]

MISSING = "missing"
"""The verdict on a nodeid that is not collected; the others are those of a collection."""
_SHOWN = 5


class Side:
    """One tree: its session, and the fingerprints of its properties."""

    def __init__(self, files: RemoteFiles, invocation: Invocation, parsed: dict[bytes, ast.Module]) -> None:
        self.files = files
        self.session = Session(files, invocation, parsed=parsed)
        self._roots: dict[str, None] = {}
        self.prints = Prints(self.session, files.is_protected)

    def state(self, nodeid: str) -> Said:
        """What a nodeid is: its verdict, why, where, its fingerprint, and the modules that pytest imports for it.

        ``nodeid`` names a function, or one of its parameter sets in brackets.
        """
        target = self.session.target(nodeid)
        if target is None:
            why = self.session.explain(nodeid)
            return {"verdict": MISSING, "why": why.reason, "path": why.path, "line": why.line}
        found = target.found
        lost = _lost_parameters(nodeid, found)
        if lost:
            return {"verdict": MISSING, "why": lost, "path": found.path, "line": found.line}
        made = self.prints.fingerprint(nodeid)
        modules = (*target.plugins, *target.conftests, target.module)
        self._roots.update(dict.fromkeys(root for one in modules for root in self.session.roots(one.path)))
        return {
            "verdict": found.verdict,
            "why": found.reason,
            "path": found.path,
            "line": found.line,
            "conditions": found.conditions,
            "ids": len(found.ids),
            "digest": "" if made is None else made.digest,
            "modules": [(one.name, one.path) for one in modules],
        }

    def depends(self) -> Said:
        """What all of that depends on: paths looked at, directories listed, and of what is judged how it looks.

        Of a source that only makes values for tests the bodies of functions that did not run do not matter.
        """
        shapes = {
            module.path: [*skeleton(module.tree, ran), sorted(ran), sorted(missed)]
            for module, ran, missed in self.session.loaded()
            if not self.files.is_protected(module.path)
        }
        return {
            "looked": sorted(self.files.looked),
            "listed": sorted(self.files.listed),
            "shapes": shapes,
            "roots": list(self._roots),
        }

    def added(self, paths: Iterable[str]) -> Iterator[str]:
        """The functions that pytest collects from some files."""
        wanted = frozenset(paths)
        for batch in self.session.batches() if wanted else ():
            if batch.path in wanted:
                yield from (found.node for found in batch.found)


def _lost_parameters(nodeid: str, found: Found) -> str:
    """Why no parameter set of a function is the named one; empty where one is, or where they are not known.

    What is in brackets starts at the first one after the first ``::``.
    """
    path, mark, rest = nodeid.partition("::")
    name, bracket, text = rest.partition("[")
    if not bracket or found.verdict != EXACT or f"[{text}" in found.ids:
        return ""
    return f"{path}{mark}{name} has other parameters: {', '.join(found.ids[:_SHOWN]) or 'none'}"


def changed(base: Side, head: Side, nodeid: str) -> list[Said]:
    """Why the fingerprint of a nodeid differs between two trees."""
    before, after = base.prints.anatomy(nodeid), head.prints.anatomy(nodeid)
    return [] if before is None or after is None else _said(differences(before, after))


def audited(side: Side, nodeid: str) -> list[Said]:
    """What makes a property prove less than it seems to, in one tree."""
    anatomy = side.prints.anatomy(nodeid)
    return [] if anatomy is None else _said(vacuous(anatomy))


def interfering(base: RemoteFiles, head: RemoteFiles, paths: Iterable[str]) -> list[Said]:
    """What changed sources do to properties that they do not belong to."""
    return _said(interference(base, head, paths, head.is_protected))


def _said(found: Iterable[Reason]) -> list[Said]:
    return [{"code": one.code, "message": one.message, "path": one.path, "line": one.line} for one in found]
