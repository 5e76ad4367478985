"""What is different about definitions of the test tree that a property uses."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint import compare
from gatekeeper.source.fingerprint.compare import Seen
from gatekeeper.source.fingerprint.differing.sides import is_setting, is_strategy, leaves_of, seen_of, value_of
from gatekeeper.source.fingerprint.locals import FUNCTIONS
from gatekeeper.source.fingerprint.patterns.bodies import body
from gatekeeper.source.fingerprint.patterns.found import NEUTRALISED, WEAKENED, Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.fingerprint.anatomy import Entry
    from gatekeeper.source.fingerprint.differing.sides import Part


def helpers(part: Part) -> Iterator[Pattern]:
    """Helpers, strategies, data and marks that the property uses."""
    for entry in part.fresh:
        seen, old = seen_of(entry), part.before.get(entry.key, [])
        if seen is None:
            continue
        bound = entry.page.bound.get(entry.key, []) if entry.page is not None else []
        if len(bound) > 1 and any(isinstance(leaf.node, (ast.Import, ast.ImportFrom)) for leaf in bound):
            yield seen.view.found("bound", f"{entry.key} is bound again where it was imported", seen.node)
        if old and len(leaves_of(entry)) > len(leaves_of(old[-1])):
            yield from _bound_again(entry, seen)
            continue
        if not old:
            yield from _new_helper(entry, seen)
            continue
        one = seen_of(old[-1])
        if one is None:
            continue
        found = [*_helper_changed(one, seen, entry)]
        yield from found
        if not found and is_strategy(entry, old[-1]):
            yield seen.view.found(
                "strategies", f"{entry.key}: what Hypothesis generates is not what it was", seen.node, WEAKENED
            )


def _helper_changed(one: Seen, two: Seen, entry: Entry) -> Iterator[Pattern]:
    if isinstance(two.node, FUNCTIONS) and isinstance(one.node, FUNCTIONS):
        yield from compare.functions(one, two, entry.key)
    elif isinstance(two.node, ast.ClassDef) and isinstance(one.node, ast.ClassDef):
        yield from _class_changed(one, two, entry.key)
    elif is_setting(entry):
        yield from compare.keywords(None, value_of(entry), entry.key)
    elif type(one.node) is type(two.node):
        yield from compare.values(one, two, entry.key)
    else:
        strategy = is_strategy(entry, entry)
        yield two.view.found(
            "bound", f"{entry.key} is another definition", two.node, WEAKENED if strategy else NEUTRALISED
        )


def _new_helper(entry: Entry, seen: Seen) -> Iterator[Pattern]:
    """A definition that is used now: what it does that takes judgement away, if it judges or replaces."""
    if isinstance(seen.node, FUNCTIONS):
        calm = ("no assertion", "argument")
        yield from (
            one._replace(message=f"{entry.key}: {one.message}")
            for one in body(seen.view, seen.node)
            if one.kind not in calm
        )
    if is_strategy(entry, entry):
        yield seen.view.found("strategies", f"{entry.key} generates what it did not before", seen.node, WEAKENED)


def _bound_again(entry: Entry, seen: Seen) -> Iterator[Pattern]:
    """A definition that is changed after it was made, or made again."""
    node = seen.node
    if is_setting(entry):
        yield from compare.keywords(None, value_of(entry), entry.key)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        tail = node.value.func.attr
        weak = tail in ("pop", "remove", "discard", "popitem", "__delitem__")
        yield seen.view.found(
            "taken", f"{entry.key} is changed afterwards: .{tail}()", node, WEAKENED if weak else NEUTRALISED
        )
    elif is_strategy(entry) or (isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript)):
        yield seen.view.found("values", f"{entry.key} is made again, of less", node, WEAKENED)
    else:
        yield seen.view.found("bound", f"{entry.key} is bound once more, and the last one counts", node)


def _class_changed(one: Seen, two: Seen, name: str) -> Iterator[Pattern]:
    """A class that is used whole, such as a state machine: its members, one by one."""
    if not isinstance(one.node, ast.ClassDef) or not isinstance(two.node, ast.ClassDef):
        return
    before = {node.name: node for node in one.node.body if isinstance(node, FUNCTIONS)}
    after = {node.name: node for node in two.node.body if isinstance(node, FUNCTIONS)}
    for key, node in after.items():
        old = before.get(key)
        if old is not None:
            for pattern in compare.functions(Seen(one.view, old), Seen(two.view, node), f"{name}.{key}"):
                # The other rules and invariants of the class still judge.
                calm = pattern.kind in ("empty", "no assertion")
                yield pattern._replace(code=WEAKENED) if calm else pattern
            rules = ([one.view.name(d) for d in old.decorator_list], [two.view.name(d) for d in node.decorator_list])
            if rules[0] != rules[1] or _hashes(old) != _hashes(node):
                yield two.view.found("rule", f"{name}.{key} is another rule than it was", node, WEAKENED)
    for key in sorted(after.keys() - before.keys()):
        yield from (one for one in body(two.view, after[key]) if one.kind not in _OF_ANY)
    for key in sorted(before.keys() - after.keys()):
        yield two.view.found("rule gone", f"{name} has no {key} any more", two.node, WEAKENED)


def _hashes(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    from gatekeeper.source.facts.structure import structure_hash

    return [structure_hash([one]) for one in node.decorator_list]


_OF_ANY = frozenset({"empty", "no assertion", "argument", "generator"})
"""What any helper may be."""
