"""Changed files that no property needs by name, and that may still decide what a run says of it.

A test file that is collected in the same run is imported before the property runs, and its tests run beside it; a
conftest file of another directory has hooks that act on the whole session; and what is judged runs in the same process.
"""

from __future__ import annotations

import ast
from collections import Counter

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint.effects import Effects
from gatekeeper.source.fingerprint.follow import Library
from gatekeeper.source.fingerprint.locals import names_of
from gatekeeper.source.fingerprint.patterns.bodies import dotted
from gatekeeper.source.fingerprint.patterns.calls import EXITS, SKIPS, special
from gatekeeper.source.fingerprint.patterns.effects import SESSION, effect
from gatekeeper.source.fingerprint.patterns.found import REWRITTEN, WEAKENED, Pattern, View
from gatekeeper.source.fingerprint.patterns.judged import judged
from gatekeeper.source.fingerprint.reasons import Reason, kept
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gatekeeper.source.files import Files

_MUTATORS = words("clear pop append extend remove update insert popitem setdefault discard add sort reverse")
_SHARED = ("sys.modules", "session.", "config.", "__globals__", "__code__", "builtins.")
_LASTING = (EXITS - words("sys.exit exit quit SystemExit KeyboardInterrupt signal.signal")) | words(
    "setattr delattr exec eval pytest.MonkeyPatch sys.settrace sys.setprofile importlib.reload "
    "sys.path.insert sys.path.append sys.meta_path.insert sys.meta_path.append builtins.exec "
    "sys.modules.update sys.modules.setdefault sys.modules.pop pytest.register_assert_rewrite"
)


def interference(base: Files, head: Files, changed: Iterable[str], judges: Callable[[str], bool]) -> list[Reason]:
    """What changed or added sources do to tests that they do not belong to.

    Args:
        base: the tree before.
        head: the tree after.
        changed: paths that differ between them.
        judges: whether a path belongs to what judges; other sources are what is judged.
    """
    found: list[Pattern] = []
    for path in sorted(changed):
        if path.endswith((".py", ".pyw")):
            look = _judging if judges(path) else judged
            known = Counter(one.kind for one in _seen(base, path, look))
            for one in _seen(head, path, look):
                if known[one.kind]:
                    known[one.kind] -= 1
                else:
                    found.append(one)
    return kept(found)


def _seen(files: Files, path: str, look: Callable[[View], Iterator[Pattern]]) -> list[Pattern]:
    library = Library(files, _nowhere, bool)
    page = library.page(path)
    return list(look(View(library, page))) if page is not None else []


def _nowhere(dotted: str, path: str) -> None:
    """One file is looked at by itself."""
    del dotted, path


def _judging(view: View) -> Iterator[Pattern]:
    """A test or conftest file that is read in the same run."""
    page = view.page
    if page.path.rpartition("/")[2] == "conftest.py":
        for name in sorted(SESSION & page.bound.keys()):
            node = page.bound[name][-1].node
            yield view.found(f"hook {name}", f"{page.path} has {name}, which acts on every test of the run", node)
    for leaf in Effects(view.library).of(page):
        if not _skips_itself(view, leaf.node):
            yield from (one for one in effect(view, leaf.node, page.path) if one.code != REWRITTEN)
    for leaf in page.leaves:
        for node in ast.walk(leaf.node):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from _body(view, node)


def _skips_itself(view: View, node: ast.AST) -> bool:
    """A file that is not collected takes nothing from others."""
    value = (
        node.value if isinstance(node, (ast.Expr, ast.Assign)) else node.exc if isinstance(node, ast.Raise) else None
    )
    return value is not None and view.name(value) in SKIPS


def _body(view: View, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Pattern]:
    """What a test of another file does that outlasts it."""
    view = view.inside(function)
    for node in ast.walk(function):
        yield from _changes(view, function, node)
        if isinstance(node, ast.Call):
            name = view.name(node)
            known = special(view, node)
            if name in _LASTING or name.endswith("?_exit") or name.startswith(("ctypes.", "forbiddenfruit.")):
                if name not in ("setattr", "delattr") or _is_shared(view, node.args[0] if node.args else node):
                    yield view.found(
                        f"lasting {name}", f"{function.name} in {view.page.path} calls {name}, which outlasts it", node
                    )
            elif (
                isinstance(node.func, ast.Attribute)
                and node.func.attr == "start"
                and "patch" in view.name(node.func.value)
            ):
                yield view.found("lasting patch", f"{function.name} in {view.page.path} starts a patch", node)
            elif known is not None and known[0] == "profile":
                yield view.found("lasting profile", f"{function.name} in {view.page.path}: {known[1]}", node, WEAKENED)
        elif (
            isinstance(node, (ast.Attribute, ast.Subscript))
            and isinstance(node.ctx, (ast.Store, ast.Del))
            and (_is_shared(view, node.value) or any(word in dotted(node) + "." for word in _SHARED))
        ):
            yield view.found(
                f"lasting set {dotted(node)}",
                f"{function.name} in {view.page.path} sets {dotted(node)}, which outlasts it",
                node,
            )


def _changes(view: View, function: ast.FunctionDef | ast.AsyncFunctionDef, node: ast.AST) -> Iterator[Pattern]:
    """What a test does to the names, lists and classes of its own file, which other tests share."""
    where = f"{function.name} in {view.page.path}"
    if isinstance(node, ast.Global):
        names = [name for name in node.names if name in view.page.bound]
        if names:
            yield view.found("lasting global", f"{where} sets {', '.join(names)} for every test of the file", node)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATORS:
        text = dotted(node.func.value)
        root, _, rest = text.partition(".")
        of_class = root in ("self", "cls") and rest in _class_names(view)
        if of_class or (root in view.page.bound and root not in names_of(function)):
            yield view.found(f"lasting {text}", f"{where} changes {text}, which other tests use", node)
    elif isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        text = dotted(node)
        root = text.partition(".")[0]
        own = root in view.page.bound and root not in names_of(function)
        if own or root in ("globals", "vars", "cls", "type") or "__class__" in text:
            yield view.found(f"lasting {text}", f"{where} changes {text}, which other tests use", node)


def _class_names(view: View) -> set[str]:
    """Lists and dicts that classes of the file hold."""
    return {
        getattr(target, "id", "")
        for found in view.page.bound.values()
        for leaf in found
        if isinstance(leaf.node, ast.ClassDef)
        for part in leaf.node.body
        if isinstance(part, ast.Assign) and isinstance(part.value, (ast.List, ast.Dict, ast.Set))
        for target in part.targets
    }


def _is_shared(view: View, node: ast.AST) -> bool:
    """Whether it is something that was imported, and so is the same for every test."""
    root = dotted(node).partition(".")[0]
    if root in view.local:
        return True
    found = view.page.bound.get(root, [])
    return bool(found) and all(isinstance(leaf.node, (ast.Import, ast.ImportFrom)) for leaf in found)
