"""``__all__``: every form of it that can be read without running the module."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.structure import structure_hash

if TYPE_CHECKING:
    from gatekeeper.source.facts.scope import Scope
    from gatekeeper.source.rows import Value

_COPIES = frozenset({"list", "tuple", "sorted", "set"})


class Exports:
    """The state of ``__all__`` while a module is read.

    ``names`` are those known, ``modules`` the dotted paths whose own ``__all__`` is included, ``opaque`` the hashes of
    the expressions that cannot be known.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._lists: dict[str, ast.expr] = {}
        self.present = False
        self.names: dict[str, None] = {}
        self.modules: dict[str, None] = {}
        self.opaque: list[str] = []

    def fact(self) -> Value:
        """What the link step needs; None for a module without ``__all__``."""
        if not self.present:
            return None
        return {"names": sorted(self.names), "modules": sorted(self.modules), "opaque": sorted(self.opaque)}

    def read(self, stmt: ast.stmt, *, guarded: bool) -> None:
        """Take in a statement; one that has nothing to do with ``__all__`` only teaches the names of lists."""
        if isinstance(stmt, ast.Assign):
            for target in stmt.targets:
                self._assigned(target, stmt.value, guarded=guarded)
        elif isinstance(stmt, ast.AnnAssign) and stmt.value is not None:
            self._assigned(stmt.target, stmt.value, guarded=guarded)
        elif isinstance(stmt, ast.AugAssign) and _is_all(stmt.target):
            self.present = True
            if isinstance(stmt.op, ast.Add):
                self._add(stmt.value)
            else:
                self._give_up(stmt)
        elif isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call):
            self._called(stmt.value)
        elif isinstance(stmt, ast.Delete) and any(_is_all(target) for target in stmt.targets):
            self.present = False
            self.names, self.modules, self.opaque = {}, {}, []

    def _assigned(self, target: ast.expr, value: ast.expr, *, guarded: bool) -> None:
        if _is_all(target):
            if not guarded and not _mentions_all(value):
                self.names, self.modules, self.opaque = {}, {}, []
            self.present = True
            self._add(value)
        elif isinstance(target, ast.Name):
            self._lists[target.id] = value
        elif isinstance(target, ast.Subscript) and _is_all(target.value):
            self._give_up(target)
        elif isinstance(target, ast.Tuple | ast.List) and any(_is_all(item) for item in target.elts):
            self.present = True
            self._give_up(target)

    def _called(self, call: ast.Call) -> None:
        func = call.func
        if not isinstance(func, ast.Attribute) or not _is_all(func.value):
            return
        self.present = True
        argument = call.args[0] if len(call.args) == 1 and not call.keywords else None
        literal = argument.value if isinstance(argument, ast.Constant) else None
        if func.attr == "append" and isinstance(literal, str):
            self.names[literal] = None
        elif func.attr == "remove" and isinstance(literal, str):
            self.names.pop(literal, None)
        elif func.attr == "extend" and argument is not None:
            self._add(argument)
        elif func.attr not in {"sort", "reverse"}:
            self._give_up(call)

    def _add(self, value: ast.expr) -> None:
        pending, steps = [value], 0
        while pending:
            item = pending.pop()
            steps += 1
            if steps > 100_000 or not self._known(item, pending):  # noqa: PLR2004 (``a = a + a`` must end)
                self._give_up(item)
                return

    def _known(self, item: ast.expr, pending: list[ast.expr]) -> bool:
        if isinstance(item, ast.List | ast.Tuple | ast.Set):
            pending.extend(item.elts)
        elif isinstance(item, ast.Constant) and isinstance(item.value, str):
            self.names[item.value] = None
        elif isinstance(item, ast.Starred):
            pending.append(item.value)
        elif isinstance(item, ast.BinOp) and isinstance(item.op, ast.Add | ast.BitOr):
            pending.extend((item.left, item.right))
        elif isinstance(item, ast.Call) and isinstance(item.func, ast.Name) and item.func.id in _COPIES:
            pending.extend(item.args)
        elif isinstance(item, ast.Name | ast.Attribute):
            return _is_all(item) or self._named(item, pending)
        else:
            return False
        return True

    def _named(self, item: ast.Name | ast.Attribute, pending: list[ast.expr]) -> bool:
        """``mod.__all__``, a name that was imported from one, or a list made a line above."""
        names: list[str] = []
        root: ast.expr = item
        while isinstance(root, ast.Attribute):
            names.append(root.attr)
            root = root.value
        if not isinstance(root, ast.Name):
            return False
        path = self._scope.find(root.id)
        full = ".".join((path, *reversed(names))) if isinstance(path, str) else ""
        if full.endswith(".__all__"):
            self.modules[full[: -len(".__all__")]] = None
            return True
        earlier = self._lists.pop(root.id, None) if not names else None
        if earlier is None:
            return False
        pending.append(earlier)
        return True

    def _give_up(self, node: ast.AST) -> None:
        self.present = True
        self.opaque.append(structure_hash([node]))


def _is_all(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "__all__"


def _mentions_all(node: ast.expr) -> bool:
    return any(isinstance(item, ast.Name) and item.id == "__all__" for item in ast.walk(node))
