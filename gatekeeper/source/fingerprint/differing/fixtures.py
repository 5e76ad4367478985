"""What is different about the fixtures of a property."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint import compare
from gatekeeper.source.fingerprint.compare import Seen, new
from gatekeeper.source.fingerprint.differing.sides import seen_of
from gatekeeper.source.fingerprint.locals import FUNCTIONS
from gatekeeper.source.fingerprint.patterns.bodies import body
from gatekeeper.source.fingerprint.patterns.found import WEAKENED, Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.fingerprint.differing.sides import Part


def fixtures(part: Part) -> Iterator[Pattern]:
    """Fixtures that come in, go, or do something else."""
    for entry in part.fresh:
        seen, old = seen_of(entry), part.before.get(entry.key, [])
        if seen is None:
            continue
        elsewhere = [one for one in old if one.path == entry.path]
        if len(part.after[entry.key]) > len(old):
            yield seen.view.found(
                "fixture", f"the fixture {entry.key} comes in, or hides another of that name", seen.node
            )
        elif elsewhere and (one := seen_of(elsewhere[-1])) is not None:
            yield from _fixture_changed(one, seen, entry.key)
        else:
            yield seen.view.found("fixture", f"the fixture {entry.key} is another one", seen.node)
    for entry in part.gone:
        if entry.key not in part.after:
            path, line = part.head.place()
            yield Pattern("fixture gone", f"the fixture {entry.key} is gone", path, line, WEAKENED)


def _fixture_changed(one: Seen, two: Seen, name: str) -> Iterator[Pattern]:
    if not isinstance(one.node, FUNCTIONS) or not isinstance(two.node, FUNCTIONS):
        yield two.view.found("fixture", f"the fixture {name} is another definition", two.node)
        return
    calm = ("empty", "no assertion", "generator")
    found = [p for p in new(body(one.view, one.node), body(two.view, two.node)) if p.kind not in calm]
    yield from (p._replace(message=f"the fixture {name}: {p.message}") for p in found)
    if not found:
        yield from compare.lists(one, two, f"the fixture {name}")
    before, after = _fixture_keywords(one.node), _fixture_keywords(two.node)
    if "params" in before or "params" in after:
        yield from _params(one, two, before.get("params"), after.get("params"), name)


def _params(one: Seen, two: Seen, before: ast.expr | None, after: ast.expr | None, name: str) -> Iterator[Pattern]:
    if before is None or after is None:
        yield two.view.found("params", f"the fixture {name} has parameters of another kind", two.node, WEAKENED)
        return
    if isinstance(after, (ast.List, ast.Tuple)) and not after.elts:
        yield two.view.found("no parameters", f"the fixture {name} has no parameters, so nothing runs", two.node)
    yield from compare.values(
        Seen(one.view, _assigned(before)), Seen(two.view, _assigned(after)), f"the fixture {name}"
    )


def _assigned(node: ast.expr) -> ast.AST:
    return ast.copy_location(ast.Assign([ast.Name("params", ast.Store())], node), node)


def _fixture_keywords(node: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, ast.expr]:
    return {
        keyword.arg or "**": keyword.value
        for one in node.decorator_list
        if isinstance(one, ast.Call)
        for keyword in one.keywords
    }
