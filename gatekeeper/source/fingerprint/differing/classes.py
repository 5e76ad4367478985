"""What is different about the classes around a property."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint import compare
from gatekeeper.source.fingerprint.compare import Seen, new
from gatekeeper.source.fingerprint.differing.sides import seen_of
from gatekeeper.source.fingerprint.locals import FUNCTIONS
from gatekeeper.source.fingerprint.patterns.bodies import body
from gatekeeper.source.fingerprint.patterns.decorators import decorator, marks
from gatekeeper.source.fingerprint.patterns.effects import effect
from gatekeeper.source.fingerprint.patterns.found import WEAKENED, Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.fingerprint.anatomy import Entry
    from gatekeeper.source.fingerprint.differing.sides import Part


def classes(part: Part) -> Iterator[Pattern]:
    """Bases, decorators and members of the classes around the property."""
    names = {entry.key.partition(".")[2] for some in part.before.values() for entry in some}
    for entry in part.fresh:
        seen, name = seen_of(entry), entry.key.partition(".")[2]
        old = part.before.get(entry.key, [])
        if seen is None:
            continue
        if not name:
            yield from _class_head(entry, old)
        elif not old:
            found = list(_member(seen))
            yield from found
            if not found:
                yield seen.view.found("member", f"{_owner(seen.node, name)} stands in its class now", seen.node)
        else:
            yield from _member_changed(old[-1], entry, name)
    for entry in part.gone:
        if entry.key not in part.after and entry.key.partition(".")[2] in names:
            path, line = part.head.place()
            yield Pattern(
                "member gone",
                f"its classes have no {entry.key.partition('.')[2] or 'such base'} any more",
                path,
                line,
                WEAKENED,
            )


def _class_head(entry: Entry, old: list[Entry]) -> Iterator[Pattern]:
    seen = seen_of(entry)
    if seen is None or not isinstance(seen.node, ast.ClassDef):
        if seen is not None:
            yield from effect(seen.view, seen.node, "its class")
        return
    before = [seen_ for one in old if (seen_ := seen_of(one)) is not None and isinstance(seen_.node, ast.ClassDef)]
    known = [
        p
        for one in before
        if isinstance(one.node, ast.ClassDef)
        for d in one.node.decorator_list
        for p in decorator(one.view, d)
    ]
    found = [
        p._replace(message=f"its class: {p.message}")
        for p in new(known, [p for d in seen.node.decorator_list for p in decorator(seen.view, d)])
    ]
    yield from found
    if not found:
        yield seen.view.found(
            "class", f"the class {seen.node.name} has other bases, decorators or metaclass", seen.node
        )


def _member_changed(before: Entry, after: Entry, name: str) -> Iterator[Pattern]:
    one, two = seen_of(before), seen_of(after)
    if one is None or two is None:
        return
    if isinstance(two.node, FUNCTIONS) and isinstance(one.node, FUNCTIONS):
        yield from compare.functions(one, two, name)
        yield from compare.new(_member(one), _member(two))
    elif isinstance(two.node, (ast.Assign, ast.AnnAssign)) and isinstance(one.node, (ast.Assign, ast.AnnAssign)):
        yield from compare.values(one, two, name)
    else:
        yield two.view.found("member", f"{name} is something else in its class", two.node)


def _member(seen: Seen) -> Iterator[Pattern]:
    """What a member of a test class does to the tests in it."""
    node = seen.node
    if isinstance(node, FUNCTIONS):
        calm = ("empty", "no assertion", "generator", "argument")
        name = node.name
        yield from (
            one._replace(message=f"{name}: {one.message}") for one in body(seen.view, node) if one.kind not in calm
        )
        for one in node.decorator_list:
            if "fixture" not in seen.view.name(one):
                yield from decorator(seen.view, one)
    elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        yield from (
            p for view, said in marks(seen.view, node.value) for p in decorator(view, said) if p.kind.startswith("mark")
        )


def _owner(node: ast.AST, name: str) -> str:
    return f"{name}()" if isinstance(node, FUNCTIONS) else name
