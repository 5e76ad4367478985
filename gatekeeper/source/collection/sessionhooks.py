"""What hooks of conftest.py files and plugins do to a collection, told from their bodies.

The hooks that decide on single functions are the function collector's; here are those that decide on files and on the
session: a hook that only reads items, marks them or puts them in another order changes no nodeid.
"""

from __future__ import annotations

import ast
import sys

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.config.words import words
from gatekeeper.source.evaluate.values import Function

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.evaluate.values import Module

KEEPS, REMOVES, REWRITES = "keeps", "removes", "rewrites"

FILES = frozenset(
    {
        "pytest_collect_file",
        "pytest_collect_directory",
        "pytest_pycollect_makemodule",
        "pytest_collection",
        "pytest_make_collect_report",
        "pytest_collectstart",
    }
)
"""Hooks that make collectors of their own or stand in for the whole collection."""
ITEMS = frozenset({"pytest_collection_modifyitems"})
CONFIGURE = frozenset(
    {
        "pytest_configure",
        "pytest_cmdline_parse",
        "pytest_cmdline_preparse",
        "pytest_cmdline_main",
        "pytest_load_initial_conftests",
        "pytest_sessionstart",
        "pytest_plugin_registered",
        "pytest_addoption",
    }
)
"""Hooks that get hold of the configuration before anything is collected."""
OPTIONS = words("""
    args markexpr keyword deselect ignore ignore_glob doctestmodules doctestglob importmode file_or_dir pyargs
    noconftest confcutdir collectonly _inicache _inicfg inicfg
""")
"""What of the configuration decides on what is collected."""
QUIET = words("""
    add_marker get_closest_marker iter_markers iter_markers_with_node listextrakeywords listchain listnames
    getparent reportinfo warn getfixturevalue getoption getini get startswith endswith append sort reverse index
    count copy items keys values relative_to add insert extend update match search is_relative_to split join strip
    lower format setdefault shuffle addfinalizer partition rpartition replace issubset intersection debug info
""")
"""Methods that leave the list of items and their names alone, whatever of an item they are called on."""
CALLS = words("""
    isinstance issubclass getattr hasattr len enumerate list tuple set sorted reversed any all str repr print zip
    map filter bool int min max type id dict vars
""")
KNOWN = frozenset({"pytest", "hypothesis", "numpy", "typing_extensions"})
"""Libraries of which everything may be imported without a hook among it."""
NAMES = frozenset({"name", "_nodeid", "nodeid", "_node_id", "originalname"})
"""Attributes of an item of which its nodeid is made."""


class Effect(NamedTuple):
    """What a hook does to the nodeids: one of the three words above, and where."""

    kind: str
    reason: str


def effects(module: Module) -> list[Effect]:
    """What the hooks of a conftest or plugin do, those that keep everything left out."""
    where, found = module.path, _unread(module)
    for name, body in _hooks(module):
        if name in FILES:
            if not _only_reads(body):
                found.append(Effect(REWRITES, f"{name} in {where}"))
        elif name in ITEMS:
            kind = items_effect(module, body)
            if kind != KEEPS:
                found.append(Effect(kind, f"{name} in {where}"))
        elif name in CONFIGURE and _changes_options(body):
            found.append(Effect(REWRITES, f"{name} in {where} changes what is collected"))
    return found


def _unread(module: Module) -> list[Effect]:
    """What may bring hooks that no source shows."""
    foreign = [name for name in module.wildcards if name.partition(".")[0] not in sys.stdlib_module_names | KNOWN]
    if foreign:
        return [Effect(REWRITES, f"{module.path} imports everything of {foreign[0]}, which is not in the tree")]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "exec":
            return [Effect(REWRITES, f"{module.path} runs what exec() is given")]
    return []


def _hooks(module: Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """The hooks by name: functions of the module, those imported into it, and those of classes that it may register."""
    wanted = FILES | ITEMS | CONFIGURE
    seen = set()
    for name in sorted(wanted & module.namespace.keys()):
        value = module.namespace[name].value
        if isinstance(value, Function) and isinstance(value.node, ast.FunctionDef | ast.AsyncFunctionDef):
            seen.add(value.node)
            yield name, value.node
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node not in seen:
            hook = _spec_name(node) or node.name
            if hook in wanted:
                yield hook, node


def _spec_name(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str | None:
    """``pytest.hookimpl(specname=...)``."""
    for decorator in node.decorator_list:
        for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
            if keyword.arg == "specname" and isinstance(keyword.value, ast.Constant):
                return str(keyword.value.value)
    return None


def _only_reads(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a hook gives nothing back and changes nothing that it is handed: it prints, it counts."""
    handed = {argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Return) and inner.value is not None and not _is_none(inner.value):
            return False
        if isinstance(inner, ast.Yield | ast.YieldFrom | ast.Raise):
            return False
        if isinstance(inner, ast.Call) and not _quiet(inner.func) and _mentions(inner, handed):
            return False
        if isinstance(inner, ast.Attribute | ast.Subscript) and isinstance(inner.ctx, ast.Store | ast.Del):
            return False
    return True


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id in names for inner in ast.walk(node))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _quiet(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute):
        return function.attr in QUIET
    return isinstance(function, ast.Name) and function.id in CALLS


def _changes_options(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether an attribute that decides on the collection is set, or a setting of it extended."""
    for inner in ast.walk(node):
        targets: list[ast.expr] = []
        if isinstance(inner, ast.Assign):
            targets = inner.targets
        elif isinstance(inner, ast.AugAssign | ast.AnnAssign):
            targets = [inner.target]
        for target in targets:
            held = target.value if isinstance(target, ast.Subscript) else target
            if isinstance(held, ast.Attribute) and held.attr in OPTIONS:
                return True
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            held = inner.func.value
            if inner.func.attr in {"append", "extend", "insert", "remove", "clear"} and _decides(held):
                return True
            if inner.func.attr == "addinivalue_line" and not _says(inner, {"markers", "filterwarnings"}):
                return True
    return False


def _decides(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in OPTIONS


def _says(call: ast.Call, words: set[str]) -> bool:
    given = call.args[0] if call.args else next((word.value for word in call.keywords if word.arg == "name"), None)
    return isinstance(given, ast.Constant) and given.value in words


def item_effect(function: Function) -> str:
    """What a hook that is handed one ``item`` does to it."""
    return _Items(function.module, depth=0).judge(function.node, set(), {"item"})


def items_effect(module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef, parameter: str = "items") -> str:
    """What a function does to the list of items that it takes as ``parameter``."""
    names = {argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    if parameter not in names:
        return KEEPS
    return _Items(module, depth=0).judge(node, {parameter}, set())


class _Items:
    """Follows the names that hold the list or one item through a function and the functions that it hands them to."""

    DEPTH = 4

    def __init__(self, module: Module, depth: int) -> None:
        self._module = module
        self._depth = depth

    def judge(self, node: ast.AST, lists: set[str], single: set[str]) -> str:
        """The worst of what ``node`` does."""
        for inner in ast.walk(node):
            self._bind(inner, lists, single)
        worst = KEEPS
        for inner in ast.walk(node):
            found = self._one(inner, lists, single)
            if found == REWRITES:
                return REWRITES
            if found == REMOVES:
                worst = REMOVES
        return worst

    def _bind(self, node: ast.AST, lists: set[str], single: set[str]) -> None:
        """A name that a loop over items binds is an item; a name bound to the list, the list."""
        pairs: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            pairs.append((node.target, node.iter))
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and isinstance(node.value, ast.Name) and node.value.id in lists:
                    lists.add(target.id)
        for target, source in pairs:
            if self._holds(source, lists):
                single.update(name.id for name in ast.walk(target) if isinstance(name, ast.Name))

    @staticmethod
    def _holds(node: ast.expr, names: set[str]) -> bool:
        """Whether ``node`` is one of ``names`` or made of it by a builtin that copies a list."""
        if isinstance(node, ast.Call):
            return bool(node.args) and _quiet(node.func) and _Items._holds(node.args[0], names)
        if isinstance(node, ast.Subscript):
            return _Items._holds(node.value, names)
        return isinstance(node, ast.Name) and node.id in names

    def _one(self, node: ast.AST, lists: set[str], single: set[str]) -> str:
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            return self._assigned(node, lists)
        if isinstance(node, ast.Delete):
            return REMOVES if any(self._holds(target, lists) for target in node.targets) else KEEPS
        if isinstance(node, ast.Call):
            return self._called(node, lists, single)
        return KEEPS

    def _assigned(self, node: ast.Assign | ast.AugAssign | ast.AnnAssign, lists: set[str]) -> str:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(target, ast.Subscript) and self._holds(target.value, lists):
                if node.value is not None and self._reordered(node.value, lists):
                    continue
                return REMOVES
            if isinstance(target, ast.Attribute) and target.attr in NAMES:
                return REWRITES
            if isinstance(node, ast.AugAssign) and isinstance(target, ast.Name) and target.id in lists:
                return REWRITES
        return KEEPS

    def _reordered(self, node: ast.expr, lists: set[str]) -> bool:
        """``sorted(items)``, ``items[::-1]``, ``list(reversed(items))``."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return (
                node.func.id in {"sorted", "reversed", "list"}
                and bool(node.args)
                and self._reordered(node.args[0], lists)
            )
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return node.slice.lower is None and node.slice.upper is None and self._reordered(node.value, lists)
        return isinstance(node, ast.Name) and node.id in lists

    def _called(self, node: ast.Call, lists: set[str], single: set[str]) -> str:
        function = node.func
        if isinstance(function, ast.Attribute):
            whole = self._holds(function.value, lists)
            if function.attr == "pytest_deselected" or (whole and function.attr in {"remove", "pop", "clear"}):
                return REMOVES
            if whole and function.attr in {"append", "extend", "insert"}:
                return REWRITES
        if isinstance(function, ast.Name) and function.id == "setattr" and len(node.args) > 1:
            name = node.args[1]
            return KEEPS if isinstance(name, ast.Constant) and name.value not in NAMES else REWRITES
        given = (*node.args, *(word.value for word in node.keywords))
        handed = any(self._holds(value, lists | single) for value in given)
        return self._follow(node, lists, single) if handed and not _quiet(function) else KEEPS

    def _follow(self, node: ast.Call, lists: set[str], single: set[str]) -> str:
        """What a function of the tree does with what it is handed.

        One that is not of the tree may do anything, but renaming is not what a library does: what stays open is whether
        all items stay.
        """
        binding = self._module.namespace.get(node.func.id) if isinstance(node.func, ast.Name) else None
        value = binding.value if binding is not None else None
        if not isinstance(value, Function) or self._depth >= self.DEPTH or isinstance(value.node, ast.Lambda):
            return REMOVES
        parameters = [argument.arg for argument in (*value.node.args.posonlyargs, *value.node.args.args)]
        held: dict[str, set[str]] = {"lists": set(), "single": set()}
        for index, given in enumerate(node.args):
            if index < len(parameters):
                self._pass(held, parameters[index], given, lists, single)
        for word in node.keywords:
            if word.arg is not None:
                self._pass(held, word.arg, word.value, lists, single)
        return _Items(value.module, self._depth + 1).judge(value.node, held["lists"], held["single"])

    def _pass(
        self, held: dict[str, set[str]], parameter: str, given: ast.expr, lists: set[str], single: set[str]
    ) -> None:
        if self._holds(given, lists):
            held["lists"].add(parameter)
        elif self._holds(given, single):
            held["single"].add(parameter)
