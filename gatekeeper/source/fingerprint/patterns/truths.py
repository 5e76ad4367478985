"""Conditions that hold whatever the code does, and those that never do."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.structure import structure_hash
from gatekeeper.source.fingerprint.pages import truth

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gatekeeper.source.fingerprint.patterns.found import View

_SAME = (ast.Eq, ast.LtE, ast.GtE, ast.Is)
_ANY = ("unittest.mock.ANY", "mock.ANY", "mock.mock.ANY")
_DEEP = 30


class Truths:
    """Judges conditions in one function; ``same`` gives for a local the local that it was last set to."""

    def __init__(self, view: View, same: Mapping[str, str], once: Mapping[str, ast.expr] | None = None) -> None:
        self._view = view
        self._same = same
        self._once = once or {}

    def always(self, test: ast.expr, deep: int = 0) -> str | None:  # noqa: C901, PLR0911, PLR0912 (a line a form)
        """Why a condition is true whatever happens, None where it may be false."""
        if deep > _DEEP:
            return None
        if isinstance(test, ast.Constant):
            return "it is a constant" if test.value else None
        if isinstance(test, (ast.Tuple, ast.List, ast.Set)):
            return "it is a tuple or list that is never empty" if truth(test) else None
        if isinstance(test, ast.Dict):
            return "it is a dict that is never empty" if test.keys else None
        if isinstance(test, (ast.Lambda, ast.GeneratorExp)):
            return "it is a function or generator that nobody runs"
        if isinstance(test, ast.JoinedStr):
            return (
                "it is a text" if any(isinstance(part, ast.Constant) and part.value for part in test.values) else None
            )
        if isinstance(test, ast.Name):
            return self._named(test, deep)
        if isinstance(test, ast.NamedExpr):
            return self.always(test.value, deep + 1)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return "it is a constant" if self.never(test.operand) else None
        if isinstance(test, ast.BoolOp):
            return self._joined(test, deep)
        if isinstance(test, ast.IfExp):
            return self.always(test.body, deep + 1) or self.always(test.orelse, deep + 1)
        if isinstance(test, ast.Compare):
            return self._compared(test)
        if isinstance(test, ast.Call):
            return self._called(test, deep)
        return None

    def never(self, test: ast.expr) -> bool:
        """Whether a condition is false whatever happens."""
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            return any(self.never(part) for part in test.values)
        if isinstance(test, ast.Name) and test.id != "__debug__":
            value = self._constant(test)
            return truth(value if value is not None else test) is False
        return truth(test) is False

    def _named(self, test: ast.Name, deep: int) -> str | None:
        if test.id == "__debug__":
            return "it is a constant"
        value = self._constant(test)
        return self.always(value, deep + 1) if value is not None else None

    def _constant(self, test: ast.Name) -> ast.expr | None:
        """The constant of the source that a name means."""
        page = self._view.page
        found = page.bound.get(test.id, []) if test.id not in self._same else []
        node = found[0].node if len(found) == 1 else None
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        return value if isinstance(value, ast.Constant) else None

    def _joined(self, test: ast.BoolOp, deep: int) -> str | None:
        reasons = [self.always(part, deep + 1) for part in test.values]
        if isinstance(test.op, ast.And):
            return reasons[0] if all(reasons) else None
        denied = {self._print(part.operand) for part in test.values if isinstance(part, ast.UnaryOp) and _is_not(part)}
        if any(self._print(part) in denied for part in test.values if not _is_not(part)):
            return "one of its sides denies the other"
        reason = next((one for one in reasons if one is not None), None)
        return f"one of its alternatives always holds ({reason})" if reason else None

    def _compared(self, test: ast.Compare) -> str | None:
        sides = [test.left, *test.comparators]
        if any(self._view.name(side) in _ANY for side in sides if isinstance(side, (ast.Name, ast.Attribute))):
            return "it compares with something that equals everything"
        if len(test.ops) != 1:
            return None
        left, operator, right = test.left, test.ops[0], test.comparators[0]
        if isinstance(operator, _SAME) and self._print(self._made(left)) == self._print(self._made(right)):
            return "it compares a value with itself"
        if isinstance(operator, ast.In) and isinstance(right, (ast.List, ast.Tuple, ast.Set)):
            inside = any(self._print(left) == self._print(item) for item in right.elts)
            return "it looks for a value in a list that has it" if inside else None
        is_length = isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id in ("len", "abs")
        least = (isinstance(operator, ast.GtE) and _is(right, 0)) or (isinstance(operator, ast.Gt) and _is(right, -1))
        return "no length is negative" if is_length and least else None

    def _made(self, node: ast.expr) -> ast.expr:
        """What a local was made of, where that is said once."""
        return self._once.get(node.id, node) if isinstance(node, ast.Name) else node

    def _called(self, test: ast.Call, deep: int) -> str | None:
        name = self._view.name(test)
        if name == "isinstance" and len(test.args) == 2 and self._view.name(test.args[1]) == "object":  # noqa: PLR2004
            return "everything is an object"
        if name == "bool" and test.args:
            return self.always(test.args[0], deep + 1)
        if name == "all" and test.args and isinstance(test.args[0], (ast.GeneratorExp, ast.ListComp)):
            over = test.args[0].generators[0].iter
            return "it looks at nothing" if is_empty(over) else self.always(test.args[0].elt, deep + 1)
        if name == "callable" and test.args and isinstance(test.args[0], ast.Lambda):
            return "every function can be called"
        return None

    def _print(self, node: ast.AST) -> str:
        """The same for two expressions that say the same, locals that were set to each other included."""
        if isinstance(node, ast.Name):
            return "name " + self._first(node.id)
        inner = [part for part in ast.walk(node) if isinstance(part, ast.Name) and self._first(part.id) != part.id]
        if not inner:
            return structure_hash([node])
        return structure_hash([_Renamed({part.id: self._first(part.id) for part in inner}).visit(_copy(node))])

    def _first(self, name: str) -> str:
        for _ in range(_DEEP):
            if name not in self._same or self._same[name] == name:
                break
            name = self._same[name]
        return name


class _Renamed(ast.NodeTransformer):
    """Puts other names for locals."""

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """See ``ast.NodeTransformer``."""
        return ast.Name(self._names.get(node.id, node.id), node.ctx)


def _copy(node: ast.AST) -> ast.AST:
    fields: dict[str, object] = {}
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            value = [_copy(item) if isinstance(item, ast.AST) else item for item in value]
        fields[name] = _copy(value) if isinstance(value, ast.AST) else value
    return type(node)(**fields)


def aliases(body: list[ast.stmt]) -> dict[str, str]:
    """For each local the name that it was last set to, where it was set to a plain name."""
    found: dict[str, str] = {}
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                target = node.targets[0].id
                if isinstance(node.value, ast.Name):
                    found[target] = node.value.id
                else:
                    found.pop(target, None)
    return found


def made_once(body: list[ast.stmt]) -> dict[str, ast.expr]:
    """What each local is made of, where one plain assignment says it."""
    found: dict[str, list[ast.expr]] = {}
    stored: list[str] = []
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                stored.append(node.id)
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                found.setdefault(node.targets[0].id, []).append(node.value)
    return {name: made[0] for name, made in found.items() if stored.count(name) == 1}


def is_empty(node: ast.expr) -> bool:
    """Whether iterating over it gives nothing, for certain."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in ("list", "tuple", "set", "dict", "iter", "reversed", "sorted", "enumerate"):
            return (not node.args and not node.keywords) or (bool(node.args) and is_empty(node.args[0]))
        if node.func.id in ("map", "filter", "zip"):
            return any(is_empty(arg) for arg in node.args)
        if node.func.id == "range":
            return len(node.args) == 1 and _is(node.args[0], 0)
    if isinstance(node, ast.Constant):
        return node.value in ("", b"")
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        first = node.generators[0]
        return is_empty(first.iter) or any(truth(test) is False for one in node.generators for test in one.ifs)
    return (isinstance(node, (ast.List, ast.Tuple, ast.Set)) and not node.elts) or (
        isinstance(node, ast.Dict) and not node.keys
    )


def _is(node: ast.expr, value: int) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return node.operand.value == -value
    return isinstance(node, ast.Constant) and node.value == value


def _is_not(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
