"""Calls that end a test early or the whole run, replace what is judged, or judge something."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint.locals import FUNCTIONS
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from gatekeeper.source.fingerprint.patterns.found import View

SKIPS = words(
    "pytest.skip pytest.xfail pytest.importorskip pytest.skip.Exception pytest.xfail.Exception "
    "unittest.SkipTest unittest.case.SkipTest _pytest.outcomes.skip _pytest.outcomes.xfail "
    "_pytest.outcomes.importorskip _pytest.outcomes.Skipped _pytest.outcomes.XFailed unittest.skip "
    "pytest.mark.skip nose.SkipTest twisted.trial.unittest.SkipTest"
)
EXITS = words(
    "pytest.exit _pytest.outcomes.exit _pytest.outcomes.Exit pytest.exit.Exception os._exit posix._exit "
    "nt._exit os.abort os.kill os.killpg os.execv os.execve os.execvp os.execvpe os.execl os.execle "
    "os.execlp os.fork posix.kill sys.exit signal.raise_signal signal.alarm atexit.register SystemExit "
    "KeyboardInterrupt exit quit faulthandler._sigsegv signal.signal threading._register_atexit"
)
PATCHES = words(
    "setattr delattr exec eval globals vars __import__ compile sys.settrace sys.setprofile gc.get_objects "
    "gc.get_referrers ctypes.memmove ctypes.pythonapi importlib.reload importlib.import_module "
    "builtins.exec builtins.eval pytest.MonkeyPatch unittest.mock.patch unittest.mock.patch.object "
    "unittest.mock.patch.dict unittest.mock.patch.multiple mock.patch mock.patch.object "
    "object.__setattr__ type.__setattr__ sys._getframe inspect.currentframe inspect.stack "
    "inspect.getouterframes pytest.register_assert_rewrite sys.path.insert sys.path.append "
    "sys.path.extend sys.meta_path.insert sys.path_hooks.insert sys.modules.update sys.modules.setdefault "
    "sys.modules.pop importlib.util.spec_from_file_location runpy.run_path runpy.run_module"
)
_TAILS = {
    "skipTest": "skips itself", "applymarker": "puts a mark on the test while it runs",
    "add_marker": "puts a mark on the test while it runs",
}  # fmt: skip
_PATCH_TAILS = words("setitem delitem setattr delattr setenv syspath_prepend chdir")
_LIKE = (
    "assert",
    "check",
    "verif",
    "expect",
    "ensure",
    "validat",
    "should",
    "must",
    "fail",
    "raises",
    "warns",
    "compare",
)
_MODULES = words("os sys builtins pytest unittest signal posix atexit _pytest hypothesis ctypes")
_DEEP = 6


def special(view: View, node: ast.Call | ast.expr) -> tuple[str, str] | None:  # noqa: PLR0911 (a line a kind)
    """``(kind, what it does)`` of a call or raised exception that a test has no honest need of."""
    name = view.name(node)
    tail = name.rpartition(".")[2]
    if name in SKIPS:
        return "skip", f"{_shown(name)} ends it before it judges"
    if name in EXITS or tail == "_exit":
        return "exit", f"{_shown(name)} ends the run"
    if name in ("hypothesis.assume", "hypothesis.reject", "hypothesis.control.assume", "hypothesis.control.reject"):
        return "assume", f"{_shown(name)} rejects examples"
    if name in ("hypothesis.settings.register_profile", "hypothesis.settings.load_profile"):
        return "profile", f"{_shown(name)} changes how Hypothesis tests"
    if name == "getattr" and isinstance(node, ast.Call) and len(node.args) > 1:
        of, what = view.name(node.args[0]), node.args[1]
        if of in _MODULES and not (isinstance(what, ast.Constant) and len(node.args) > 2):  # noqa: PLR2004
            return "exit", f"getattr takes something of {of} whose name it does not show"
    if name in PATCHES or name.startswith(("ctypes.", "forbiddenfruit.")):
        return "patch", f"{_shown(name)} may replace what runs"
    if tail in _TAILS:
        return "skip", f".{tail}() {_TAILS[tail]}"
    if tail in _PATCH_TAILS and ("monkeypatch" in name.lower() or name.startswith("?") or "mp" in name.split(".")):
        return "patch", f".{tail}() replaces something while it runs"
    return None


def _shown(name: str) -> str:
    return name.lstrip(".?") + ("()" if name not in ("SystemExit", "KeyboardInterrupt") else "")


def judges(view: View, node: ast.AST, deep: int = 0) -> bool:
    """Whether evaluating an expression may fail the test on purpose: an assertion method, or a helper that asserts."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            continue
        if isinstance(part, ast.Call) and judging_call(view, part, deep):
            return True
        stack.extend(ast.iter_child_nodes(part))
    return False


def judging_call(view: View, node: ast.Call, deep: int = 0) -> bool:
    """The same for one call: a helper of the test tree is looked into, anything else goes by its name."""
    definition = view.definition(node) if deep < _DEEP else None
    if definition is not None and isinstance(definition[1], FUNCTIONS):
        inner, function = definition
        return any(
            isinstance(part, (ast.Assert, ast.Raise))
            or (isinstance(part, ast.Call) and judging_call(inner, part, deep + 1))
            for part in ast.walk(function)
        )
    called = node.func
    tail = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return tail.lower().lstrip("_").startswith(_LIKE) or any(f"_{word}" in tail.lower() for word in _LIKE)
