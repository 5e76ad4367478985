"""What a decorator or mark does to a test."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.structure import structure_hash
from gatekeeper.source.fingerprint.locals import FUNCTIONS
from gatekeeper.source.fingerprint.patterns.found import WEAKENED
from gatekeeper.source.fingerprint.patterns.truths import is_empty
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.fingerprint.patterns.found import Pattern, View

SKIPPING = words(
    "pytest.mark.skip pytest.mark.skipif pytest.mark.xfail unittest.skip unittest.skipIf "
    "unittest.skipUnless unittest.expectedFailure unittest.case.skip unittest.case.expectedFailure"
)
_GENERATING = words(
    "hypothesis.given hypothesis.settings hypothesis.example hypothesis.seed hypothesis.reproduce_failure "
    "hypothesis.core.given hypothesis.core.example hypothesis._settings.settings"
)
_HARMLESS = ("pytest.mark.", "hypothesis.", "typing.", "staticmethod", "classmethod", "override")
_DEEP = 6


def resolved(view: View, node: ast.expr, deep: int = 0) -> tuple[View, ast.expr]:
    """A decorator, or the expression that its name stands for in the test tree."""
    if deep >= _DEEP or isinstance(node, ast.Call):
        return view, node
    definition, symbol = view.definition(node), view.symbol(node)
    if definition is None or symbol is None:
        return view, node
    there, said = definition
    # What is bound again or changed afterwards is not what it was made of.
    plain = len(there.page.bound[symbol.name]) == 1 and symbol.name not in there.page.changed
    if plain and isinstance(said, (ast.Assign, ast.AnnAssign)) and said.value is not None and _is_name(said):
        return resolved(there, said.value, deep + 1)
    return view, node


def _is_name(node: ast.Assign | ast.AnnAssign) -> bool:
    return isinstance(node.targets[0] if isinstance(node, ast.Assign) else node.target, ast.Name)


def marks(view: View, node: ast.expr) -> Iterator[tuple[View, ast.expr]]:
    """The marks in a ``pytestmark`` or ``marks=``: one, or a list of them, with names followed."""
    view, node = resolved(view, node)
    if isinstance(node, (ast.List, ast.Tuple)):
        for item in node.elts:
            yield resolved(view, item)
    else:
        yield view, node


def decorator(view: View, node: ast.expr) -> Iterator[Pattern]:
    """What one decorator does that takes judgement away."""
    there, said = resolved(view, node)
    name = there.name(said)
    short = name.rpartition("mark.")[2] if "mark." in name else name.rpartition(".")[2]
    if name in SKIPPING:
        yield view.found(f"mark {short}", f"it is marked {short}", node)
    elif name == "pytest.mark.usefixtures":
        yield view.found("mark usefixtures", "a mark has it use more fixtures", node)
    elif name == "pytest.mark.parametrize":
        yield from parametrize(there, said, view, node)
    elif name in _GENERATING:
        yield from generating(there, said, view, node)
    elif name.startswith("pytest.fixture") or name.endswith(".fixture"):
        yield view.found("wrapper", "it is a fixture, which is no test", node)
    elif not name.startswith(_HARMLESS) and name:
        yield view.found(f"wrapper {short}", f"the decorator {name.lstrip('.?')} stands between pytest and it", node)
    elif not name:
        yield view.found("wrapper", "a decorator that is made on the spot stands between pytest and it", node)


def parametrize(view: View, said: ast.expr, near: View, place: ast.AST) -> Iterator[Pattern]:
    """Parameters that are none, or of which some are marked to be skipped."""
    values = argvalues(view, said)
    if values is None:
        return
    there, node = values
    if is_empty(node):
        yield near.found("no parameters", "it has no parameters, so it never runs", place)
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and there.name(part) == "pytest.param":
            for keyword in part.keywords:
                if keyword.arg == "marks":
                    yield from _param_marks(there, keyword.value)


def _param_marks(view: View, node: ast.expr) -> Iterator[Pattern]:
    for there, said in marks(view, node):
        name = there.name(said)
        if name in SKIPPING:
            short = name.rpartition(".")[2]
            yield view.found(f"parameter {short}", f"one of its parameters is marked {short}", node)


def argvalues(view: View, said: ast.expr) -> tuple[View, ast.expr] | None:
    """The values of a ``parametrize``, a name of the test tree followed."""
    if not isinstance(said, ast.Call):
        return None
    node = said.args[1] if len(said.args) > 1 else None
    for keyword in said.keywords:
        if keyword.arg == "argvalues":
            node = keyword.value
    return None if node is None else resolved(view, node)


def generating(view: View, said: ast.expr, near: View, place: ast.AST) -> Iterator[Pattern]:
    """Settings and strategies that leave nothing to generate."""
    if not isinstance(said, ast.Call):
        return
    for keyword in said.keywords:
        value = keyword.value
        if (
            keyword.arg == "max_examples"
            and isinstance(value, ast.Constant)
            and isinstance(value.value, int)
            and value.value <= 1
        ):
            yield near.found("one example", "max_examples leaves one example", place, WEAKENED)
        elif keyword.arg == "phases" and not _generates(view, value):
            yield near.found("phases", "the phases do not generate examples", place, WEAKENED)
    if view.name(said).endswith("given"):
        for value in (*said.args, *(keyword.value for keyword in said.keywords)):
            if only_one(view, value):
                yield near.found("one value", "a strategy gives one value only", place, WEAKENED)


def _generates(view: View, node: ast.expr) -> bool:
    view, node = resolved(view, node)
    if not isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return True
    return any("generate" in view.name(item) for item in node.elts) or any(
        isinstance(item, ast.Starred) for item in node.elts
    )


def only_one(view: View, node: ast.expr) -> bool:
    """Whether a strategy is certain to give the same value always."""
    view, node = resolved(view, node)
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr == "map" and node.args:
        inner = node.args[0]
        return (
            isinstance(inner, ast.Lambda)
            and isinstance(inner.body, (ast.Constant, ast.List, ast.Tuple))
            and not any(isinstance(part, ast.Name) for part in ast.walk(inner.body))
        )
    name = view.name(node)
    if name in ("hypothesis.strategies.just", "hypothesis.strategies.none", "hypothesis.strategies.nothing"):
        return True
    if name == "hypothesis.strategies.sampled_from" and node.args:
        _, values = resolved(view, node.args[0])
        return isinstance(values, (ast.List, ast.Tuple)) and len(values.elts) == 1
    return False


def digests(view: View, node: ast.expr) -> list[str] | None:
    """A hash for each item of a list that is written out, None for anything else."""
    del view
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and not any(
        isinstance(item, ast.Starred) for item in node.elts
    ):
        return [structure_hash([item]) for item in node.elts]
    return None


def wraps(node: ast.AST) -> bool:
    """Whether it is a definition."""
    return isinstance(node, FUNCTIONS)
