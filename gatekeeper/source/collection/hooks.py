"""Hooks of the tree that decide on functions, and how far they reach."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.sessionhooks import KEEPS, item_effect
from gatekeeper.source.evaluate.values import Function

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gatekeeper.source.evaluate.values import Binding, Value

GENERATE = "pytest_generate_tests"
_REWRITES = ("pytest_pycollect_makeitem",)
_COLLECTED = "pytest_itemcollected"
_NAMES = "pytest_make_parametrize_id"


class Hooks(NamedTuple):
    """What the hooks around a test may change.

    ``rewrites`` names one that may rename, drop or add items; ``names`` one that makes ids of values. ``generates``
    are the arguments that a ``pytest_generate_tests`` may parametrize, None where they may be any; ``source`` is where.
    """

    rewrites: str = ""
    names: str = ""
    generates: frozenset[str] | None = frozenset()
    source: str = ""

    def joined(self, other: Hooks) -> Hooks:
        """Both."""
        mine, theirs = self.generates, other.generates
        return Hooks(
            self.rewrites or other.rewrites,
            self.names or other.names,
            None if mine is None or theirs is None else mine | theirs,
            self.source or other.source,
        )


def hooks_in(namespace: Mapping[str, Binding], where: str) -> Hooks:
    """The hooks among the names of a module or class that is called ``where``."""
    rewrites = next((f"{name} in {where}" for name in _REWRITES if name in namespace), "")
    if not rewrites and _COLLECTED in namespace and not _keeps(namespace[_COLLECTED].value):
        rewrites = f"{_COLLECTED} in {where}"
    names = f"{_NAMES} in {where}" if _NAMES in namespace else ""
    if GENERATE not in namespace:
        return Hooks(rewrites, names)
    value = namespace[GENERATE].value
    return Hooks(
        rewrites, names, generated_by(value) if isinstance(value, Function) else None, f"{GENERATE} in {where}"
    )


def _keeps(value: Value) -> bool:
    """Whether a hook on single items leaves their names alone."""
    return isinstance(value, Function) and item_effect(value) == KEEPS


def generated_by(function: Function) -> frozenset[str] | None:
    """The arguments without which ``pytest_generate_tests`` leaves a test alone; None where none can be told.

    Told are ``if "x" in metafunc.fixturenames:`` around, and ``if "x" not in metafunc.fixturenames: return`` before,
    everything that looks at ``metafunc``.
    """
    if not isinstance(function.node, ast.FunctionDef) or not function.node.args.args:
        return None
    metafunc = function.node.args.args[-1].arg
    names: set[str] = set()
    for statement in function.node.body:
        if not _mentions([statement], metafunc):
            continue
        if not isinstance(statement, ast.If):
            return None
        left = _asked(statement.test, metafunc, ast.NotIn)
        if left is not None and _returns(statement.body) and not statement.orelse:
            return frozenset(names | {left})
        asked = _asked(statement.test, metafunc, ast.In)
        if asked is None or _mentions(statement.orelse, metafunc):
            return None
        names.add(asked)
    return frozenset(names)


def _returns(statements: list[ast.stmt]) -> bool:
    return len(statements) == 1 and isinstance(statements[0], ast.Return) and statements[0].value is None


def _mentions(statements: Iterable[ast.stmt], name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for one in statements for node in ast.walk(one))


def _asked(test: ast.expr, metafunc: str, operator: type[ast.cmpop]) -> str | None:
    """The constant of ``"x" in metafunc.fixturenames``, also as a part of an ``and``."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) and operator is ast.In:
        return next((found for part in test.values if (found := _asked(part, metafunc, operator))), None)
    match test:
        case ast.Compare(
            left=ast.Constant(value=str(name)),
            ops=[relation],
            comparators=[ast.Attribute(value=ast.Name(id=owner), attr="fixturenames")],
        ) if owner == metafunc and isinstance(relation, operator):
            return name
    return None
