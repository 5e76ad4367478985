"""The names of the fixtures that a function asks for: its arguments without defaults, less what others pass.

Not passed by pytest: the first argument of a method, those of ``mock.patch`` without ``new`` (from the left), those of
hypothesis' ``@given`` (positional strategies from the right, and keywords), those bound by ``functools.partial``.
"""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.dotted import dotted_by
from gatekeeper.source.evaluate.values import Function, Method, Partial

if TYPE_CHECKING:
    from gatekeeper.source.evaluate.values import Class, Value

_PATCHES = frozenset(
    f"{module}.patch{kind}" for module in ("unittest.mock", "mock", "mock.mock") for kind in ("", ".object")
)
_DEEPEST = 50
_GIVEN = frozenset({"hypothesis.given", "hypothesis.core.given"})


class Arguments(NamedTuple):
    """``names`` are asked of pytest, ``defaulted`` have a default; both in the order of the signature."""

    names: tuple[str, ...]
    defaulted: frozenset[str] = frozenset()


def arguments(value: Value, *, method: bool, patched: int = 0) -> Arguments:
    """The arguments of a function, partial or method of the tree; ``method`` when it is taken from a class.

    ``patched`` counts the arguments that a ``mock.patch`` on the class adds.
    """
    if isinstance(value, Partial):
        return _of_partial(value, method=method)
    bound = isinstance(value, Method)
    function = value.function if isinstance(value, Method) else value
    if not isinstance(function, Function):
        return Arguments(())
    static = function.flavour == "static"
    function = _unwrapped(function)
    names, defaulted, positional_only = _signature(function.node.args)
    names, mocks = _passed(function, names, defaulted)
    left = [name for name in names if name not in defaulted]
    if (method or bound) and not static and not positional_only:
        left = left[1:]
    return Arguments(tuple(left[mocks + patched :]), frozenset(defaulted))


def _unwrapped(function: Function) -> Function:
    """What ``functools.wraps`` makes the signature be: that of the function which is wrapped."""
    for _ in range(_DEEPEST):
        inner = function.attributes.get("__wrapped__")
        if not isinstance(inner, Function):
            break
        function = inner
    return function


def _signature(args: ast.arguments) -> tuple[list[str], set[str], bool]:
    """The names that can be given by keyword, those of them with defaults, whether any is positional only."""
    plain = [*args.posonlyargs, *args.args]
    defaulted = {arg.arg for arg in plain[len(plain) - len(args.defaults) :]} if args.defaults else set()
    defaulted |= {arg.arg for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value is not None}
    return [arg.arg for arg in (*args.args, *args.kwonlyargs)], defaulted, bool(args.posonlyargs)


def _passed(function: Function, names: list[str], defaulted: set[str]) -> tuple[list[str], int]:
    """``names`` less those that ``@given`` passes, and how many ``mock.patch`` does."""
    if isinstance(function.node, ast.Lambda) or not function.node.decorator_list:
        return names, 0
    mocks = 0
    for node in reversed(function.node.decorator_list):
        if not isinstance(node, ast.Call):
            continue
        name = dotted_by(node, function)
        if name in _PATCHES:
            mocks += _passes_mock(node, positional=1 if name.endswith(".patch") else 2)
        elif name in _GIVEN:
            names = _less_given(node, function, names, defaulted)
    return names, mocks


def _passes_mock(call: ast.Call, positional: int) -> bool:
    """Whether this patch hands a mock over: there is no ``new``, which comes after ``positional`` arguments."""
    return len(call.args) <= positional and all(keyword.arg != "new" for keyword in call.keywords)


def _less_given(call: ast.Call, function: Function, names: list[str], defaulted: set[str]) -> list[str]:
    ordinary = [arg.arg for arg in function.node.args.args]
    if len(call.args) == 1 and isinstance(call.args[0], ast.Constant) and call.args[0].value is ...:
        # given(...) infers every argument that has an annotation.
        taken = {arg.arg for arg in function.node.args.args if arg.annotation is not None}
    else:
        taken = set(ordinary[len(ordinary) - len(call.args) :]) if call.args else set()
    taken |= {keyword.arg for keyword in call.keywords if keyword.arg is not None}
    defaulted -= taken
    return [name for name in names if name not in taken]


def _of_partial(value: Partial, *, method: bool) -> Arguments:
    inner = arguments(value.function, method=False)
    names = inner.names[len(value.args) :]
    defaulted = inner.defaulted | value.kwargs.keys()
    left = tuple(name for name in names if name not in value.kwargs)
    return Arguments(left[1:] if method else left, defaulted)


def patched_by(cls: Class, name: str) -> int:
    """How many arguments a ``mock.patch`` on the class passes to its method ``name``."""
    if not name.startswith("test"):
        return 0
    count = 0
    for node in cls.node.decorator_list:
        dotted = dotted_by(node, cls.module)
        if isinstance(node, ast.Call) and dotted in _PATCHES:
            count += _passes_mock(node, positional=1 if dotted.endswith(".patch") else 2)
    return count
