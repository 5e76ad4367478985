"""What is different about the files that surround a property, and about its parameters."""

from __future__ import annotations

import ast
from collections import Counter

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint.compare import Seen, new
from gatekeeper.source.fingerprint.differing.sides import seen_of
from gatekeeper.source.fingerprint.locals import FUNCTIONS
from gatekeeper.source.fingerprint.patterns.bodies import body
from gatekeeper.source.fingerprint.patterns.decorators import decorator, marks
from gatekeeper.source.fingerprint.patterns.effects import effect
from gatekeeper.source.fingerprint.patterns.found import REWRITTEN, WEAKENED, Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.fingerprint.anatomy import Entry
    from gatekeeper.source.fingerprint.differing.sides import Part


def surroundings(part: Part, where: str) -> Iterator[Pattern]:
    """Statements, marks and hooks of the sources that are read around the property."""
    known = Counter(entry.digest for some in part.before.values() for entry in some)
    for entry in (entry for some in part.after.values() for entry in some):
        if known[entry.digest] and entry.digest:
            known[entry.digest] -= 1
            continue
        if not entry.digest and entry not in part.fresh:
            continue
        seen, name = seen_of(entry), entry.key.rpartition(":")[2]
        file = f"{where} {entry.path}"
        if name.startswith("+"):
            words = f"{file} imports {name[1:]}, which is judged, only for what reading it does"
            yield Pattern("file", words, entry.path, entry.line)
        elif seen is None:
            yield Pattern("file", f"{file} is not what it was", entry.path, entry.line, REWRITTEN)
        elif name.isdigit():
            yield from effect(seen.view, seen.node, file)
        elif entry.key == "pytestmark":
            yield from _pytestmark(part, entry, seen)
        else:
            yield from _hook(part, entry, seen, name, file)


def _pytestmark(part: Part, entry: Entry, seen: Seen) -> Iterator[Pattern]:
    found = []
    if isinstance(seen.node, (ast.Assign, ast.AnnAssign)) and seen.node.value is not None:
        after = [p for view, node in marks(seen.view, seen.node.value) for p in decorator(view, node)]
        before: list[Pattern] = []
        for old in part.before.get(entry.key, ()):
            one = seen_of(old)
            if one is not None and isinstance(one.node, (ast.Assign, ast.AnnAssign)) and one.node.value is not None:
                before += [p for view, node in marks(one.view, one.node.value) for p in decorator(view, node)]
        found = [p._replace(message=f"its module: {p.message}") for p in new(before, after)]
    elif isinstance(seen.node, (ast.Import, ast.ImportFrom)):
        found = [seen.view.found("mark", "its module: pytestmark is imported", seen.node)]
    yield from found


def _hook(part: Part, entry: Entry, seen: Seen, name: str, file: str) -> Iterator[Pattern]:
    old = part.before.get(entry.key, [])
    if not old or len(part.after[entry.key]) > len(old):
        yield seen.view.found(f"hook {name}", f"{file} has {name} now, which decides what pytest does", seen.node)
        if isinstance(seen.node, FUNCTIONS):
            yield from (p for p in body(seen.view, seen.node) if p.code == WEAKENED)
        return
    one = seen_of(old[-1])
    if one is not None and isinstance(one.node, FUNCTIONS) and isinstance(seen.node, FUNCTIONS):
        calm = ("empty", "no assertion", "generator", "argument")
        found = [p for p in new(body(one.view, one.node), body(seen.view, seen.node)) if p.kind not in calm]
        yield from (p._replace(message=f"{name} in {file}: {p.message}") for p in found)
        if not found:
            yield seen.view.found("hook", f"{name} in {file} is not what it was", seen.node)
    else:
        yield seen.view.found("hook", f"{name} in {file} is something else", seen.node)


def parameters(part: Part) -> Iterator[Pattern]:
    """Ids that are gone."""
    lost = [key for key in part.before if key not in part.after]
    path, line = part.head.place()
    if lost and all("NOTSET" in key for key in part.after):
        yield Pattern("no parameters", "it has no parameters any more, so it never runs", path, line)
    elif lost:
        shown = ", ".join(lost[:3]) + (" and more" if len(lost) > 3 else "")  # noqa: PLR2004
        yield Pattern(
            "parameters", f"{len(lost)} of {len(part.before)} parameters are gone: {shown}", path, line, WEAKENED
        )
