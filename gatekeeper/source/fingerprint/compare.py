"""Two states of one definition: what the head says less than the base."""

from __future__ import annotations

import ast
from collections import Counter

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.facts.structure import structure_hash
from gatekeeper.source.fingerprint.locals import FUNCTIONS
from gatekeeper.source.fingerprint.patterns.bodies import body
from gatekeeper.source.fingerprint.patterns.calls import judging_call
from gatekeeper.source.fingerprint.patterns.decorators import argvalues, decorator, digests, marks, resolved
from gatekeeper.source.fingerprint.patterns.flow import IF, LIVE, LOOP, Flow
from gatekeeper.source.fingerprint.patterns.found import REWRITTEN, WEAKENED, View
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gatekeeper.source.fingerprint.patterns.found import Pattern

_STRICT = (ast.Eq, ast.Is)
_TOLERANCES = words("rel abs rel_tol abs_tol rtol atol delta places tolerance eps decimal significant msg nan_ok")
_LOOSE = words("set len type bool isinstance round int str hasattr any callable min max abs repr frozenset dict")
_CLOSE = ("approx", "isclose", "allclose", "assertAlmostEqual", "round", "almost_equal")


class Seen(NamedTuple):
    """A node and the source from which its names are seen."""

    view: View
    node: ast.AST


def new(base: Iterable[Pattern], head: Iterable[Pattern]) -> list[Pattern]:
    """The patterns that the head has more of than the base."""
    known = Counter(one.kind for one in base)
    found: list[Pattern] = []
    for one in head:
        if known[one.kind]:
            known[one.kind] -= 1
        else:
            found.append(one)
    return found


def functions(base: Seen, head: Seen, what: str) -> Iterator[Pattern]:
    """Why a function judges less than it did, or only differently."""
    if not isinstance(head.node, FUNCTIONS):
        yield head.view.found("replaced", f"{what} is no function any more", head.node)
        return
    if not isinstance(base.node, FUNCTIONS):
        yield head.view.found("replaced", f"{what} is another definition", head.node)
        return
    found = [
        one._replace(message=f"{what}: {one.message}")
        for one in new(body(base.view, base.node), body(head.view, head.node))
    ]
    yield from found
    if not found:
        found = [*assertions(base, head, what), *_conditional(base, head, what)]
        yield from found
    if not found:
        yield from lists(base, head, what)


def _conditional(base: Seen, head: Seen, what: str) -> Iterator[Pattern]:
    """Assertions that are made under a condition only, where they were made always."""
    if isinstance(base.node, FUNCTIONS) and isinstance(head.node, FUNCTIONS):
        one, two = Flow(base.view, base.node).sites, Flow(head.view, head.node).sites
        before, after = Counter(site.under for site in one), Counter(site.under for site in two)
        fresh = {site.under: site for site in two if site.state == LIVE and after[site.under] > before[site.under]}
        if after[""] < before[""] and IF in fresh:
            yield head.view.found("if", f"{what}: an assertion is made under a condition only", fresh[IF].node)
        elif after[""] < before[""] and LOOP in fresh:
            message = f"{what}: an assertion is made in a loop only, which may run over nothing"
            yield head.view.found("loop", message, fresh[LOOP].node, WEAKENED)


def lists(base: Seen, head: Seen, what: str) -> Iterator[Pattern]:
    """Fewer items in the lists that a function writes out."""
    if _slices(head.node) > _slices(base.node):
        yield head.view.found("slices", f"{what}: it looks at a part only", head.node, WEAKENED)
    if _ranges(head.node) < _ranges(base.node):
        yield head.view.found("ranges", f"{what}: it counts to less than it did", head.node, WEAKENED)
    before, after = _listed(base.node), _listed(head.node)
    if after < before:
        message = f"{what}: its lists have {after} items, where they had {before}"
        yield head.view.found("lists", message, head.node, WEAKENED)


def assertions(base: Seen, head: Seen, what: str) -> Iterator[Pattern]:
    """Assertions that are gone or weaker."""
    before, after = list(asserted(base)), list(asserted(head))
    known = Counter(structure_hash([node]) for node in before)
    kept = Counter(structure_hash([node]) for node in after)
    gone = _beyond(before, kept)
    fresh = _beyond(after, known)
    if gone and len(after) < len(before):
        message = f"{what}: {len(before) - len(after)} of {len(before)} assertions are gone"
        yield head.view.found("fewer assertions", message, head.node, WEAKENED)
    elif any(_weaker(one, other) for one, other in zip(gone, fresh, strict=False)):
        yield head.view.found("weaker", f"{what}: an assertion asks for less", fresh[0], WEAKENED)


def _beyond(nodes: list[ast.AST], known: Counter[str]) -> list[ast.AST]:
    """The nodes of which there are more than ``known`` has."""
    left = known.copy()
    found: list[ast.AST] = []
    for node in nodes:
        text = structure_hash([node])
        if left[text]:
            left[text] -= 1
        else:
            found.append(node)
    return found


def _slices(node: ast.AST) -> int:
    return sum(isinstance(part, ast.Slice) for part in ast.walk(node))


def _ranges(node: ast.AST) -> float:
    calls = [part for part in ast.walk(node) if isinstance(part, ast.Call) and _tail(part) == "range"]
    return sum(_number(call.args[-1]) for call in calls if call.args)


def _listed(node: ast.AST) -> int:
    """How many items all lists that are written out have together."""
    return sum(len(part.elts) for part in ast.walk(node) if isinstance(part, (ast.List, ast.Tuple, ast.Set)))


def asserted(seen: Seen) -> Iterator[ast.AST]:
    """Every assertion of a function, in no order."""
    for node in ast.walk(seen.node):
        if isinstance(node, ast.Assert):
            yield node.test
        elif isinstance(node, ast.Call) and judging_call(seen.view, node):
            yield node


def _weaker(one: ast.AST, other: ast.AST) -> bool:
    """Whether the second assertion asks for less than the first, by its form."""
    if _tolerances(one) != _tolerances(other) or _looseness(other) > _looseness(one):
        return True
    if isinstance(one, ast.Compare) and isinstance(one.ops[0], _STRICT):
        return not isinstance(other, ast.Compare) or not isinstance(other.ops[0], _STRICT)
    if isinstance(one, ast.Call) and isinstance(other, ast.Call):
        return _tail(one) in ("assertEqual", "assertIs", "assertCountEqual") and _tail(one) != _tail(other)
    return isinstance(other, ast.BoolOp) and isinstance(other.op, ast.Or) and not isinstance(one, ast.BoolOp)


def _tolerances(node: ast.AST) -> list[str]:
    found = []
    for part in ast.walk(node):
        if isinstance(part, ast.keyword) and part.arg in _TOLERANCES:
            found.append(f"{part.arg} {structure_hash([part.value])}")
        elif isinstance(part, ast.Call) and _tail(part).endswith(_CLOSE):
            found.append(_tail(part))
    return sorted(found)


def _looseness(node: ast.AST) -> int:
    """How much of an expression takes something away from what it looks at."""
    loose = 0
    for part in ast.walk(node):
        loose += isinstance(part, ast.Slice) or (isinstance(part, ast.Call) and _tail(part) in _LOOSE)
    return loose


def _tail(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


# --- decorators


def decorators(base: list[Seen], head: list[Seen], gone: list[Seen], fresh: list[Seen], what: str) -> Iterator[Pattern]:
    """What is different about the decorators of a function: ``gone`` and ``fresh`` are those that only one side has."""
    before = [one for seen in base if isinstance(seen.node, ast.expr) for one in decorator(seen.view, seen.node)]
    after = [one for seen in head if isinstance(seen.node, ast.expr) for one in decorator(seen.view, seen.node)]
    found = [one._replace(message=f"{what}: {one.message}") for one in new(before, after)]
    yield from found
    left = list(fresh)
    for old in gone:
        name = _name(old)
        match = next((seen for seen in left if _name(seen) == name), None)
        if match is not None:
            left.remove(match)
            yield from changed(old, match, name, what)
        else:
            weak = name.rpartition(".")[2] in ("given", "example", "parametrize", "settings")
            place = head[0] if head else old
            message = f"{what}: the decorator {name.lstrip('.?')} is gone"
            yield place.view.found("decorator gone", message, place.node, WEAKENED if weak else REWRITTEN)
    for seen in left:
        if _name(seen) == "hypothesis.settings":
            yield from keywords(None, seen, what)


def _name(seen: Seen) -> str:
    view, node = resolved(seen.view, seen.node) if isinstance(seen.node, ast.expr) else (seen.view, seen.node)
    return view.name(node)


def changed(old: Seen, seen: Seen, name: str, what: str) -> Iterator[Pattern]:
    """The same decorator with other arguments."""
    if name == "pytest.mark.parametrize":
        yield from parameters(old, seen, what)
    elif name == "hypothesis.given":
        yield seen.view.found(
            "strategies", f"{what}: what Hypothesis generates is not what it was", seen.node, WEAKENED
        )
    elif name == "hypothesis.settings":
        yield from keywords(old, seen, what)
    elif name == "hypothesis.example":
        yield seen.view.found("example", f"{what}: an example is not what it was", seen.node, WEAKENED)


def parameters(old: Seen, seen: Seen, what: str) -> Iterator[Pattern]:
    """Parameters that are gone, as far as they are written out."""
    if not isinstance(old.node, ast.expr) or not isinstance(seen.node, ast.expr):
        return
    one, two = argvalues(*resolved(old.view, old.node)), argvalues(*resolved(seen.view, seen.node))
    if one is None or two is None:
        return
    before, after = digests(*one), digests(*two)
    if before is not None and after is not None:
        lost = Counter(before) - Counter(after)
        if lost:
            yield seen.view.found(
                "parameters", f"{what}: {sum(lost.values())} of {len(before)} parameters are gone", seen.node, WEAKENED
            )
    elif isinstance(two[1], ast.Subscript):
        yield seen.view.found("parameters", f"{what}: only a part of its parameters is taken", seen.node, WEAKENED)


def keywords(old: Seen | None, seen: Seen, what: str) -> Iterator[Pattern]:
    """Settings of Hypothesis that are not what they were."""
    before = _keywords(old) if old is not None else {}
    after = _keywords(seen)
    for name in sorted(before.keys() | after.keys()):
        one, two = before.get(name), after.get(name)
        if one is not None and two is not None and structure_hash([one]) == structure_hash([two]):
            continue
        if name == "max_examples" and _number(two) > _number(one) > 0:
            continue
        if name in ("deadline", "print_blob", "verbosity", "database") and old is not None:
            continue
        yield seen.view.found(
            f"setting {name}", f"{what}: the setting {name} of Hypothesis is not what it was", seen.node, WEAKENED
        )


def _keywords(seen: Seen) -> dict[str, ast.expr]:
    _, node = resolved(seen.view, seen.node) if isinstance(seen.node, ast.expr) else (seen.view, seen.node)
    if not isinstance(node, ast.Call):
        return {}
    return {keyword.arg or "**": keyword.value for keyword in node.keywords}


def _number(node: ast.expr | None) -> float:
    value = node.value if isinstance(node, ast.Constant) else None
    return float(value) if isinstance(value, (int, float)) else 0.0


# --- values


def values(base: Seen, head: Seen, what: str) -> Iterator[Pattern]:
    """A name that is bound to a value, such as a list of cases or a strategy."""
    one, two = getattr(base.node, "value", None), getattr(head.node, "value", None)
    if isinstance(two, ast.expr) and isinstance(one, ast.expr):
        if any(head.view.name(node).startswith("pytest.mark.") for _, node in marks(head.view, two)):
            before = [p for view, node in marks(base.view, one) for p in decorator(view, node)]
            yield from new(before, [p for view, node in marks(head.view, two) for p in decorator(view, node)])
            return
        before_items, after_items = digests(base.view, one), digests(head.view, two)
        if before_items is not None and after_items is not None:
            lost = Counter(before_items) - Counter(after_items)
            if lost:
                yield head.view.found(
                    "values", f"{what}: {sum(lost.values())} of {len(before_items)} items are gone", head.node, WEAKENED
                )
            yield from skipped(base.view, one, head.view, two)


def skipped(base: View, one: ast.expr, head: View, two: ast.expr) -> Iterator[Pattern]:
    """Parameters that are marked to be skipped in a list that stands by itself."""
    from gatekeeper.source.fingerprint.patterns.decorators import parametrize

    made = [ast.Call(ast.Name("parametrize", ast.Load()), [ast.Constant(""), node], []) for node in (one, two)]
    yield from new(parametrize(base, made[0], base, one), parametrize(head, made[1], head, two))
