"""Properties that prove little as they stand: what is seen in one tree alone, where patterns are seldom wrong."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint.locals import FUNCTIONS
from gatekeeper.source.fingerprint.pages import truth
from gatekeeper.source.fingerprint.patterns.bodies import body
from gatekeeper.source.fingerprint.patterns.decorators import SKIPPING, decorator, marks, resolved
from gatekeeper.source.fingerprint.patterns.found import Pattern, View
from gatekeeper.source.fingerprint.reasons import Reason, kept

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.fingerprint.anatomy import Anatomy
    from gatekeeper.source.fingerprint.closure import Prints

_BODY = frozenset({"constant", "unreachable", "swallowed", "empty", "no assertion", "exit", "skip"})
_ALWAYS = frozenset({"mark skip", "mark expectedFailure", "no parameters", "one example", "phases", "one value"})
_ASKED = frozenset({"mark skipif", "mark skipIf", "mark xfail"})
_TESTED = (
    "pytest.importorskip",
    "sys.exit",
    "exit",
    "quit",
    "SystemExit",
    "KeyboardInterrupt",
    "signal.",
    "os.kill",
    "os.fork",
    "os.abort",
)
"""Ways to end a run that tests of such ways use honestly."""


def audit(prints: Prints, nodeid: str) -> list[Reason]:
    """Why a property proves less than it seems to; empty also where it is not collected, which is said elsewhere."""
    anatomy = prints.anatomy(nodeid)
    return vacuous(anatomy) if anatomy is not None else []


def vacuous(anatomy: Anatomy) -> list[Reason]:
    """Why a property proves less than it seems to, by its own sources alone."""
    try:
        return kept(_patterns(anatomy))
    except RecursionError:  # nested too deep to tell
        return []


def _patterns(anatomy: Anatomy) -> Iterator[Pattern]:
    function, page = anatomy.function, anatomy.home
    if function is None or page is None:
        return
    view = View(anatomy.library, page)
    expects = any(_expects(view, one) for one in function.decorator_list)
    for one in body(view, function):
        unasserted = one.kind == "no assertion" and (expects or anatomy.judged_elsewhere())
        conditional = one.kind == "skip" and not _first(function, one.line)
        tested = one.kind in {"exit", "skip"} and one.message.startswith(_TESTED)
        if one.kind in _BODY and not (tested or unasserted or conditional):
            yield one
    every = [(view, one) for one in function.decorator_list]
    for leaf_page, node in anatomy.marked():
        every += marks(View(anatomy.library, leaf_page), node)
    for there, node in every:
        yield from (one for one in decorator(there, node) if _counts(there, node, one))


def _counts(view: View, node: ast.expr, one: Pattern) -> bool:
    """Conditional marks depend on the machine: only those that always hold count."""
    if one.kind in _ASKED:
        _, said = resolved(view, node)
        tests = said.args if isinstance(said, ast.Call) else []
        return (one.kind == "mark xfail" and not tests) or (bool(tests) and truth(tests[0]) is True)
    return one.kind in _ALWAYS


def _expects(view: View, node: ast.expr) -> bool:
    """Decorators that judge themselves, such as those that compare figures or expect an exception."""
    name = view.name(node).lower()
    return name not in SKIPPING and any(
        word in name for word in ("raises", "compare", "check", "assert", "expect", "benchmark")
    )


def _first(function: ast.AST, line: int) -> bool:
    """Whether a statement stands right in the body, under no condition."""
    return isinstance(function, FUNCTIONS) and any(node.lineno == line for node in function.body)
