"""What a statement at the top of a source does to everybody, and what the hooks of pytest may do."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint.locals import FUNCTIONS, own
from gatekeeper.source.fingerprint.patterns.bodies import dotted
from gatekeeper.source.fingerprint.patterns.calls import EXITS, PATCHES, special
from gatekeeper.source.fingerprint.patterns.decorators import SKIPPING
from gatekeeper.source.fingerprint.patterns.found import NEUTRALISED, REWRITTEN, WEAKENED
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.fingerprint.patterns.found import Pattern, View

_WORDS = {
    "skip": ("skips the whole file", NEUTRALISED),
    "exit": ("ends the run", NEUTRALISED),
    "patch": ("may replace what runs", NEUTRALISED),
    "profile": ("changes how Hypothesis tests", WEAKENED),
    "assume": ("rejects examples", WEAKENED),
}


def effect(view: View, node: ast.AST, where: str) -> Iterator[Pattern]:
    """What a statement does when ``where`` is read."""
    count = 0
    if isinstance(node, ast.Assign) and view.name(node.value) == "hypothesis.settings":
        yield view.found("effect settings", f"{where} sets how Hypothesis tests", node, WEAKENED)
        return
    for part in _run(node):
        found = special(view, part) if isinstance(part, ast.Call) else None
        if isinstance(part, ast.Raise) and part.exc is not None:
            found = special(view, part.exc)
        if found is not None:
            words, code = _WORDS[found[0]]
            count += 1
            yield view.found(f"effect {found[0]}", f"{where} {words} when it is read", node, code)
        elif isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, (ast.Store, ast.Del)):
            text = dotted(part)
            count += 1
            yield view.found(f"effect set {text}", f"{where} sets {text} when it is read", node)
        elif isinstance(part, (ast.Name, ast.Attribute)) and view.name(part) in _NAMED:
            count += 1
            yield view.found("effect named", f"{where} uses {view.name(part)} when it is read", node)
    if not count:
        yield view.found("effect", f"{where} does something else when it is read than it did", node, REWRITTEN)


_NAMED = ((EXITS | PATCHES) - {"exit", "quit", "compile"}) | SKIPPING


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that are evaluated at once; the bodies of classes and of functions called on the spot are."""
    for part in own([node]):
        yield part
        if isinstance(part, ast.ClassDef):
            for inner in part.body:
                yield from _run(inner)
        elif isinstance(part, ast.Lambda):
            yield from ast.walk(part.body)
        elif isinstance(part, FUNCTIONS):
            yield from (inner for one in part.decorator_list for inner in ast.walk(one))


SESSION = words(
    "pytest_collection_modifyitems pytest_sessionfinish pytest_sessionstart pytest_runtestloop "
    "pytest_unconfigure pytest_configure pytest_terminal_summary pytest_collection "
    "pytest_collection_finish pytest_deselected pytest_itemcollected pytest_report_teststatus "
    "pytest_runtest_logreport pytest_cmdline_main pytest_plugins pytest_warning_recorded "
    "pytest_runtest_logfinish pytest_runtest_logstart pytest_report_collectionfinish "
    "pytest_plugin_registered pytest_keyboard_interrupt pytest_internalerror"
)
"""Hooks that act on every test of a run, from whatever conftest file they come."""
