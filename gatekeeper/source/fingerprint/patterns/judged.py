"""What the judged code may not do: notice that it is judged, or reach for those who judge it."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint.locals import FUNCTIONS
from gatekeeper.source.fingerprint.patterns.bodies import dotted
from gatekeeper.source.fingerprint.patterns.calls import EXITS
from gatekeeper.source.fingerprint.patterns.found import WEAKENED
from gatekeeper.source.fingerprint.serial import does_nothing
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.fingerprint.patterns.found import Pattern, View

_TOOLS = words("pytest _pytest hypothesis unittest pluggy nose doctest")
_NOTICING = ("pytest", "py.test", "hypothesis", "unittest", "_called_from_test")
_CALLS = (EXITS - words("sys.exit exit quit SystemExit KeyboardInterrupt signal.signal")) | words(
    "inspect.stack inspect.currentframe inspect.getouterframes inspect.trace sys._getframe sys._current_frames "
    "traceback.extract_stack traceback.walk_stack gc.get_objects gc.get_referrers sys.settrace sys.setprofile "
    "threading.settrace threading.setprofile"
)
_OTHERS = ("sys.modules", "builtins", "pytest", "_pytest", "hypothesis", "unittest", "sys.meta_path", "sys.path")
_EQUAL = {"__eq__": True, "__ne__": False, "__le__": True, "__ge__": True, "__lt__": True, "__gt__": True}


def judged(view: View) -> Iterator[Pattern]:
    """Everything of one source of the judged code that looks at its judges."""
    for leaf in view.page.leaves:
        stack = [leaf.node]
        while stack:
            node = stack.pop()
            if does_nothing(node):
                continue
            yield from _node(view, node)
            stack.extend(ast.iter_child_nodes(node))


def _node(view: View, node: ast.AST) -> Iterator[Pattern]:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return _imports(view, node)
    if isinstance(node, ast.Constant):
        return _text(view, node)
    if isinstance(node, ast.Call):
        return _call(view, node)
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return _place(view, node)
    return _equality(view, node)


def _said(view: View, kind: str, what: str, node: ast.AST, code: str = "GK403") -> Pattern:
    return view.found(kind, f"{view.page.path}, which is judged, {what}", node, code)


def _imports(view: View, node: ast.Import | ast.ImportFrom) -> Iterator[Pattern]:
    if isinstance(node, ast.ImportFrom):
        names = [] if node.level else [node.module or ""]
    else:
        names = [alias.name for alias in node.names]
    for name in names:
        if name.partition(".")[0] in _TOOLS:
            yield _said(view, f"imports {name}", f"imports {name}", node)


def _text(view: View, node: ast.Constant) -> Iterator[Pattern]:
    value = node.value
    if isinstance(value, str) and any(word in value.lower() for word in _NOTICING):
        yield _said(view, "notices", f"has the text {value[:40]!r}, by which it can notice that it is tested", node)


def _call(view: View, node: ast.Call) -> Iterator[Pattern]:
    name = view.name(node)
    if name in _CALLS or name.startswith("ctypes.pythonapi") or name.endswith("?_exit"):
        yield _said(view, f"calls {name}", f"calls {name.lstrip('?')}", node)
    elif name in ("hypothesis.settings.load_profile", "hypothesis.settings.register_profile"):
        yield _said(view, "profile", "changes how Hypothesis tests", node, WEAKENED)


def _place(view: View, node: ast.Attribute | ast.Subscript) -> Iterator[Pattern]:
    text = view.name(node.value)
    if not isinstance(node.ctx, ast.Load):
        if text.startswith(_OTHERS):
            yield _said(view, f"sets {text}", f"sets {dotted(node)}", node)
    elif isinstance(node, ast.Attribute) and view.name(node) == "sys.modules":
        yield _said(view, "modules", "looks at sys.modules, by which it can notice that it is tested", node)
    elif isinstance(node, ast.Attribute) and node.attr in ("f_back", "f_locals", "f_globals", "tb_frame"):
        yield _said(view, "frames", f"looks at frames ({node.attr}), and so at those who call it", node)


def _equality(view: View, node: ast.AST) -> Iterator[Pattern]:
    """Comparisons that give the same whatever they compare."""
    name, returned = "", []
    if isinstance(node, FUNCTIONS):
        name = node.name
        returned = [part.value for part in ast.walk(node) if isinstance(part, ast.Return)]
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Lambda):
        name, returned = node.targets[0].id, [node.value.body]
    if name in _EQUAL and returned:
        same = all(isinstance(value, ast.Constant) and value.value is _EQUAL[name] for value in returned)
        if same:
            yield _said(view, f"always {name}", f"has an {name} that gives the same always", node)
