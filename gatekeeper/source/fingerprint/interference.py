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
from gatekeeper.source.fingerprint.patterns.bodies import dotted
from gatekeeper.source.fingerprint.patterns.calls import EXITS, SKIPS, special
from gatekeeper.source.fingerprint.patterns.effects import SESSION, effect
from gatekeeper.source.fingerprint.patterns.found import REWRITTEN, WEAKENED, Pattern, View
from gatekeeper.source.fingerprint.reasons import Reason, kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gatekeeper.source.files import Files

_SHARED = ("sys.modules", "session.", "config.", "__globals__", "__code__", "builtins.")
_TOOLS = ("pytest", "_pytest", "hypothesis", "unittest", "pluggy", "nose")
_NOTICING = frozenset({"PYTEST_CURRENT_TEST", "PYTEST_VERSION", "PYTEST_XDIST_WORKER", "_called_from_test"})
_FRAMES = frozenset(
    "inspect.stack inspect.currentframe inspect.getouterframes sys._getframe sys._current_frames traceback.extract_stack "
    "traceback.walk_stack gc.get_objects gc.get_referrers sys.settrace sys.setprofile threading.settrace".split()
)
_LASTING = EXITS | frozenset(
    "setattr delattr exec eval pytest.MonkeyPatch sys.settrace sys.setprofile importlib.reload sys.path.insert sys.path.append "
    "sys.meta_path.insert sys.meta_path.append builtins.exec sys.modules.update sys.modules.setdefault sys.modules.pop "
    "pytest.register_assert_rewrite".split()
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
            look = _judging if judges(path) else _judged
            known = Counter(one.kind for one in _seen(base, path, look))
            for one in _seen(head, path, look):
                if known[one.kind]:
                    known[one.kind] -= 1
                else:
                    found.append(one)
    return kept(found)


def _seen(files: Files, path: str, look: Callable[[View], Iterator[Pattern]]) -> list[Pattern]:
    library = Library(files, lambda dotted, importer: None, lambda path: True)
    page = library.page(path)
    return list(look(View(library, page))) if page is not None else []


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
    value = node.value if isinstance(node, (ast.Expr, ast.Assign)) else node.exc if isinstance(node, ast.Raise) else None
    return value is not None and view.name(value) in SKIPS


def _body(view: View, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Pattern]:
    """What a test of another file does that outlasts it."""
    view = view.inside(function)
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            name = view.name(node)
            known = special(view, node)
            if name in _LASTING or name.startswith(("ctypes.", "forbiddenfruit.")):
                if name not in ("setattr", "delattr") or _is_shared(view, node.args[0] if node.args else node):
                    yield view.found(f"lasting {name}", f"{function.name} in {view.page.path} calls {name}, which outlasts it", node)
            elif isinstance(node.func, ast.Attribute) and node.func.attr == "start" and "patch" in view.name(node.func.value):
                yield view.found("lasting patch", f"{function.name} in {view.page.path} starts a patch", node)
            elif known is not None and known[0] == "profile":
                yield view.found("lasting profile", f"{function.name} in {view.page.path}: {known[1]}", node, WEAKENED)
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            if _is_shared(view, node.value) or any(word in dotted(node) + "." for word in _SHARED):
                yield view.found(f"lasting set {dotted(node)}", f"{function.name} in {view.page.path} sets {dotted(node)}, which outlasts it", node)


def _is_shared(view: View, node: ast.AST) -> bool:
    """Whether it is something that was imported, and so is the same for every test."""
    root = dotted(node).partition(".")[0]
    if root in view.local:
        return True
    found = view.page.bound.get(root, [])
    return bool(found) and all(isinstance(leaf.node, (ast.Import, ast.ImportFrom)) for leaf in found)


def _judged(view: View) -> Iterator[Pattern]:
    """What is judged: it has no business with those who judge it."""
    page = view.page
    trees = [leaf.node for leaf in page.leaves]
    for tree in trees:
        for node in ast.walk(tree):
            yield from _judged_node(view, node)


def _judged_node(view: View, node: ast.AST) -> Iterator[Pattern]:
    path = view.page.path
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        for name in names:
            if name.partition(".")[0] in _TOOLS and not (isinstance(node, ast.ImportFrom) and node.level):
                yield view.found(f"imports {name}", f"{path}, which is judged, imports {name}", node)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        if node.value in _NOTICING or node.value in _TOOLS[:3]:
            yield view.found(f"notices {node.value}", f"{path}, which is judged, looks for {node.value}", node)
    elif isinstance(node, ast.Call):
        name = view.name(node)
        if name in EXITS - {"sys.exit", "exit", "quit", "SystemExit", "signal.signal"} or name in _FRAMES or name.startswith("ctypes.pythonapi"):
            yield view.found(f"calls {name}", f"{path}, which is judged, calls {name}", node)
        elif name in ("hypothesis.settings.load_profile", "hypothesis.settings.register_profile"):
            yield view.found("profile", f"{path}, which is judged, changes how Hypothesis tests", node, WEAKENED)
    elif isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del)):
        text = view.name(node.value) or dotted(node)
        if text.startswith(("sys.modules", "builtins", "pytest", "_pytest", "hypothesis", "unittest", "sys.meta_path")):
            yield view.found(f"sets {dotted(node)}", f"{path}, which is judged, sets {dotted(node)}", node)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in ("__eq__", "__ne__"):
        returned = [part.value for part in ast.walk(node) if isinstance(part, ast.Return)]
        if returned and all(isinstance(value, ast.Constant) and value.value is (node.name == "__eq__") for value in returned):
            yield view.found(f"always {node.name}", f"{path}, which is judged, has an {node.name} that gives the same always", node)
