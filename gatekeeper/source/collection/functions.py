"""What of a namespace is a test function to pytest, a class, or neither."""

from __future__ import annotations

import ast
from fnmatch import fnmatch

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.outcome import Elsewhere
from gatekeeper.source.evaluate.values import Class, External, Function, Mark, Method, Partial, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gatekeeper.source.collection.scope import Evaluator
    from gatekeeper.source.evaluate.values import Value

Callable = Function | Partial | Method


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Whether ``name`` begins with one of ``patterns``, or is matched by one that is a glob."""
    return any(
        name.startswith(pattern) or (any(sign in pattern for sign in "*?[") and fnmatch(name, pattern))
        for pattern in patterns
    )


def chosen(value: Value, name: str, patterns: Sequence[str], evaluator: Evaluator) -> bool:
    """Whether ``name`` is chosen by ``patterns``, or ``value`` by ``__test__ = True``."""
    if matches(name, patterns):
        return True
    return isinstance(value, Class | Function) and own_test(value, evaluator) is True


def own_test(value: Value, evaluator: Evaluator) -> Value:
    """``__test__`` of a function or class, over its bases; None where there is none."""
    if isinstance(value, Function):
        return value.attributes.get("__test__")
    if isinstance(value, Method):
        return value.function.attributes.get("__test__")
    if isinstance(value, Class):
        found = evaluator.lookup(value, "__test__")
        return None if found is None else found.value
    return None


def refuses(value: Value, evaluator: Evaluator) -> bool:
    """Whether ``__test__`` of a function or class is false.

    Raises:
        Elsewhere: it is not known.
    """
    test = own_test(value, evaluator)
    if test is None:
        # None as a value refuses too: only the attribute that is not there does not.
        return isinstance(value, Class) and evaluator.lookup(value, "__test__") is not None
    truth = evaluator.truth(test)
    if truth is None:
        raise Elsewhere(f"__test__ is not known: {test.reason if isinstance(test, Unknown) else test}")
    return not truth


def as_function(value: Value, name: str) -> Callable | None:
    """``value`` if pytest makes a test of it, None if it does not.

    Raises:
        Elsewhere: ``value`` is not known well enough.
    """
    if isinstance(value, Function):
        return None if value.flavour == "property" else value
    if isinstance(value, Method):
        return value
    if isinstance(value, Partial):
        inner = value.function.function if isinstance(value.function, Method) else value.function
        if isinstance(inner, Unknown):
            raise Elsewhere(inner.reason)
        return value if isinstance(inner, Function) else None
    if isinstance(value, Unknown):
        raise Elsewhere(value.reason)
    if isinstance(value, External) and value.name.rpartition(".")[2].startswith("test_"):
        raise Elsewhere(f"{name} is {value.name}, which is not in the tree")
    return None


def yields(function: Function) -> bool:
    """Whether calling ``function`` makes a generator: pytest refuses such a test, or ignores it, by version.

    Statements are looked at, not what hides inside an expression. A decorator that wraps it hides it from pytest too.
    """
    if not isinstance(function.node, ast.FunctionDef) or not all(isinstance(one, Mark) for one in function.decorators):
        return False
    pending: list[ast.stmt] = list(function.node.body)
    while pending:
        statement = pending.pop()
        if isinstance(statement, ast.Expr | ast.Assign | ast.Return):
            if isinstance(statement.value, ast.Yield | ast.YieldFrom):
                return True
        elif isinstance(statement, ast.If | ast.For | ast.While | ast.Try | ast.With | ast.Match):
            pending += _inside(statement)
    return False


def _inside(statement: ast.If | ast.For | ast.While | ast.Try | ast.With | ast.Match) -> list[ast.stmt]:
    if isinstance(statement, ast.Match):
        return [inner for case in statement.cases for inner in case.body]
    found = list(statement.body)
    if not isinstance(statement, ast.With):
        found += statement.orelse
    if isinstance(statement, ast.Try):
        found += statement.finalbody
        found += [inner for handler in statement.handlers for inner in handler.body]
    return found
