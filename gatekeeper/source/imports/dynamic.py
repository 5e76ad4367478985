"""What a source does to modules by other means than statements: its own namespace, other modules, the import system.

All of it makes answers softer: what it might provide is never said to be missing. The keys of the result are ``open``
(any name may appear in this module), ``patches`` (``[module, name]`` pairs that this source may set from outside; the
module is written as where an import found it, ``?`` for any; the name ``*`` for any), ``made`` (modules that it
puts into ``sys.modules`` by name), ``wild`` (``modules``: any module may be made; ``path``: ``sys.path`` changes),
``ways`` (the package's ``__path__`` may change) and ``loads`` (modules are imported by computed names).
"""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_WORDS = (
    b"globals", b"vars", b"locals", b"exec", b"__dict__", b"setattr", b"delattr", b"sys.modules", b"import_module",
    b"__import__", b"__path__", b"extend_path", b"sys.path", b"meta_path", b"path_hooks", b"addsitedir",
)  # fmt: skip
_READS = frozenset({"get", "keys", "items", "values", "copy"})
_FORGETS = frozenset({"pop"})
_OPENERS = frozenset({"globals", "exec"})
_HARMLESS_PATH = frozenset({"iter_modules", "walk_packages"})
_LOADERS = frozenset({"import_module", "__import__"})
_HOOKS = frozenset({"meta_path", "path_hooks", "path_importer_cache"})
_OWN = "__name__"
_SELVES = frozenset({"self", "cls"})
ANY = "?"


def dynamic(tree: ast.Module, data: bytes, imported: Mapping[str, str], defined: frozenset[str]) -> dict[str, Any]:
    """What the tree does by such means.

    Args:
        tree: the source.
        data: its bytes; where none of the words is in them the tree is not walked.
        imported: where each name that an import binds comes from, as ``module`` or ``module:name``.
        defined: the names of functions and classes at the top level.
    """
    plain = data.isascii() and not any(word in data for word in _WORDS)
    if plain and not _renames_sys(imported) and not _stores_on_imports(tree, imported):
        return {}
    walker = _Walker(imported, defined)
    walker.walk(tree)
    return walker.found()


def _stores_on_imports(tree: ast.Module, imported: Mapping[str, str]) -> bool:
    """Whether a statement at the top level stores an attribute of something imported."""
    return any(
        isinstance(target, ast.Attribute) and _base(target) in imported
        for stmt in tree.body
        if isinstance(stmt, ast.Assign)
        for target in stmt.targets
    )


def _renames_sys(imported: Mapping[str, str]) -> bool:
    return any(origin.startswith("sys:") or (origin == "sys" and name != "sys") for name, origin in imported.items())


class _Walker:
    """Looks at every node once, knowing whether it is inside a function."""

    def __init__(self, imported: Mapping[str, str], defined: frozenset[str]) -> None:
        self._imported = imported
        self._defined = defined
        self._harmless: set[int] = set()
        self._open = False
        self._ways = False
        self._loads = False
        self._wild: set[str] = set()
        self._made: set[str] = set()
        self._patches: set[tuple[str, str]] = set()
        self._local: set[str] = set()  # attributes stored on names that may be any module, if modules are looked up
        self._looks_up = False

    def found(self) -> dict[str, Any]:
        """What was seen."""
        if self._looks_up:
            self._patches.update((ANY, name) for name in self._local)
        return {
            "open": self._open or None,
            "ways": self._ways or None,
            "loads": self._loads or None,
            "wild": sorted(self._wild),
            "made": sorted(self._made),
            "patches": sorted(map(list, self._patches)),
        }

    def walk(self, tree: ast.Module) -> None:
        """All of the tree, a node before what is inside it."""
        pending: list[tuple[ast.AST, bool]] = [(tree, False)]
        while pending:
            node, inside = pending.pop()
            if isinstance(node, ast.Call):
                self._call(node, inside=inside)
            elif isinstance(node, ast.Name):
                self._name(node, inside=inside)
            elif isinstance(node, ast.Attribute):
                self._attribute(node)
            elif isinstance(node, ast.Subscript):
                self._subscript(node)
            elif isinstance(node, ast.Compare):
                self._harmless.update(id(item) for item in node.comparators)
                for item in node.comparators:
                    self._only_read(item)
            deeper = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            pending.extend((child, deeper) for child in ast.iter_child_nodes(node))

    def _name(self, node: ast.Name, *, inside: bool) -> None:
        if id(node) in self._harmless:
            return
        if node.id in _OPENERS or (node.id in {"vars", "locals"} and not inside):
            self._open = True
        elif node.id == "__path__" and not inside:
            self._ways = True
        elif node.id == "__import__":
            self._loads = self._looks_up = True
        elif self._imported.get(node.id) == "sys:modules":
            self._wild.add("modules")
        elif self._imported.get(node.id) in {"sys:path", "site:addsitedir"}:
            self._wild.add("path")

    def _attribute(self, node: ast.Attribute) -> None:
        if id(node) in self._harmless:
            return
        base = node.value
        if isinstance(base, ast.Name) and self._imported.get(base.id) == "sys":
            if node.attr == "modules" or node.attr in _HOOKS:
                self._wild.add("modules")
            elif node.attr == "path":
                self._wild.add("path")
        elif node.attr == "addsitedir":
            self._wild.add("path")
        elif node.attr == "extend_path" or (node.attr == "__path__" and not isinstance(node.ctx, ast.Load)):
            self._ways = True
        elif node.attr == "__dict__" and self._is_module(base):
            self._patches.add((self._origin(base), "*"))
        if not isinstance(node.ctx, ast.Load):
            self._stored(base, node.attr)

    def _stored(self, base: ast.expr, name: str) -> None:
        """``base.name = ...`` or ``setattr(base, name, ...)``."""
        if self._is_module(base):
            self._patches.add((self._origin(base), name))
        elif not isinstance(base, ast.Name) or (base.id not in _SELVES and base.id not in self._defined):
            self._local.add(name)

    def _subscript(self, node: ast.Subscript) -> None:
        """``sys.modules[...]`` and ``globals()[...]``."""
        if isinstance(node.ctx, ast.Load):
            self._only_read(node.value)
        if not self._is_modules(node.value):
            return
        self._harmless.add(id(node.value))
        key = node.slice
        if isinstance(key, ast.Name) and key.id == _OWN:
            self._open = True
        elif isinstance(key, ast.Constant) and isinstance(key.value, str):
            if isinstance(node.ctx, ast.Load):
                self._patches.add((key.value, "*"))
            elif isinstance(node.ctx, ast.Store):
                self._made.add(key.value)
                self._patches.add((key.value, "*"))
                self._patches.add((ANY, key.value.rpartition(".")[2]))
        elif isinstance(node.ctx, ast.Store):
            self._wild.add("modules")
        else:
            self._looks_up = True

    def _call(self, node: ast.Call, *, inside: bool) -> None:
        func = node.func
        name = func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""
        if name in {"exec", "vars"}:
            self._names_given(name, node.args, func, inside=inside)
        elif name in {"setattr", "delattr"} and node.args:
            self._set(node.args, inside=inside)
        elif name in _LOADERS:
            self._loads = self._looks_up = True
        elif name in _HARMLESS_PATH:
            self._harmless.update(id(item) for item in node.args)
        if isinstance(func, ast.Attribute):
            self._method(func)

    def _names_given(self, name: str, args: list[ast.expr], func: ast.expr, *, inside: bool) -> None:
        """``exec(code, names)`` and ``vars(thing)`` bind in what they are given."""
        if name == "exec" and len(args) > 1:
            self._harmless.add(id(func))
        elif name == "vars" and args:
            self._harmless.add(id(func))
            if self._is_module(args[0]) or not inside:
                self._patches.add((self._origin(args[0]), "*"))

    def _method(self, func: ast.Attribute) -> None:
        """``globals().get(...)``, ``sys.modules.get(...)``, ``package.__path__.append(...)``."""
        base = func.value
        if func.attr in _READS:
            self._only_read(base)
        if func.attr in _READS | _FORGETS and self._is_modules(base):
            self._harmless.add(id(base))
            self._looks_up = True
        elif isinstance(base, ast.Attribute) and base.attr == "__path__":
            self._ways = True

    def _only_read(self, node: ast.expr) -> None:
        """``globals()`` of which only something is read."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "globals":
            self._harmless.add(id(node.func))

    def _set(self, args: list[ast.expr], *, inside: bool) -> None:
        said = args[1] if len(args) > 1 else None
        name = said.value if isinstance(said, ast.Constant) and isinstance(said.value, str) else "*"
        base = args[0]
        if not inside and not self._is_module(base) and _base(base) not in self._defined:
            self._patches.add((ANY, name))  # a loop over modules, perhaps
        else:
            self._stored(base, name)

    def _is_module(self, node: ast.expr) -> bool:
        """Whether it can be a module: a name that an import bound, or an attribute of one."""
        return _base(node) in self._imported

    def _origin(self, node: ast.expr) -> str:
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        origin = self._imported.get(node.id, ANY) if isinstance(node, ast.Name) else ANY
        return ANY if origin == ANY else ".".join((origin, *reversed(parts)))

    def _is_modules(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Attribute):
            base = node.value
            return node.attr == "modules" and isinstance(base, ast.Name) and self._imported.get(base.id) == "sys"
        return isinstance(node, ast.Name) and self._imported.get(node.id) == "sys:modules"


def _base(node: ast.expr) -> str:
    """The name that a chain of attributes starts with; empty where it starts otherwise."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
