"""What decorators make of a function or class."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.frames import Raised, Undecided
from gatekeeper.source.evaluate.values import Class, External, Fixture, Function, Mark, Method, Partial, Unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatekeeper.source.evaluate.frames import Frame
    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value

KEEPERS = frozenset(
    (
        *("hypothesis.given", "hypothesis.settings", "hypothesis.example", "hypothesis.seed"),
        *("hypothesis.reproduce_failure", "hypothesis.strategies.composite"),
        *("unittest.skip", "unittest.skipIf", "unittest.skipUnless", "unittest.expectedFailure"),
        *("typing.final", "typing.overload", "typing.no_type_check", "typing.runtime_checkable"),
        *("typing_extensions.final", "typing_extensions.deprecated", "warnings.deprecated"),
        *("abc.abstractmethod", "functools.total_ordering", "enum.unique", "enum.verify"),
        *("contextlib.contextmanager", "contextlib.asynccontextmanager", "atexit.register"),
        *("functools.lru_cache", "functools.cache", "functools.singledispatch", "types.coroutine"),
        *("dataclasses.dataclass", "attr.s", "attr.attrs", "attr.define", "attr.frozen", "attr.mutable"),
        *("attrs.define", "attrs.frozen", "attrs.mutable"),
    )
)
"""What hands back something that pytest collects as it does the original, under the same name."""
_SAME_BELOW = ("unittest.mock.patch", "mock.patch", "mock.mock.patch", "hypothesis.settings", "hypothesis.example")


def decorate(world: Interpreter, nodes: Sequence[ast.expr], made: Function | Class, frame: Frame) -> Value:
    """The value that a ``def`` or ``class`` statement binds."""
    value: Value = made
    seen: list[Value] = []
    callees = [_quiet(world, node.func if isinstance(node, ast.Call) else node, frame) for node in nodes]
    for node, callee in zip(reversed(nodes), reversed(callees), strict=True):
        name = callee.name if isinstance(callee, External) else ""
        if name in KEEPERS or any(name == top or name.startswith(top + ".") for top in _SAME_BELOW):
            seen.append(callee)
            continue
        decorator = _quiet(world, node, frame) if isinstance(node, ast.Call) else callee
        seen.append(callee if name and not isinstance(decorator, Mark | Partial) else decorator)
        value = _applied(world, decorator, value, callee, frame, node.lineno)
    made.decorators = tuple(reversed(seen))
    return value


def _quiet(world: Interpreter, node: ast.expr, frame: Frame) -> Value:
    try:
        return world.evaluate(node, frame)
    except (Raised, Undecided) as why:
        return Unknown(f"a decorator that is not followed: {why}")


def _applied(world: Interpreter, decorator: Value, value: Value, callee: Value, frame: Frame, line: int) -> Value:
    if isinstance(value, Fixture) and isinstance(decorator, Mark):
        return value
    try:
        result = world.apply(decorator, [value], {}, frame, line)
    except (Raised, Undecided) as why:
        result = Unknown(str(why))
    if isinstance(result, Unknown | External):
        # a function that something unknown was done to is still there, for all that can be seen
        if isinstance(value, Function | Class):
            value.wrappers = (*value.wrappers, callee if isinstance(callee, External) else result)
            return value
        return result
    return result


def unwrapped(value: Value) -> Function | None:
    """The function behind what ``functools.wraps`` and the like are given."""
    if isinstance(value, Function):
        return value
    if isinstance(value, Method):
        return value.function
    return None


def wrap(inner: Function, outer: Function) -> Function:
    """``functools.wraps(outer)(inner)``: the inner one under the outer one's name, signature and marks."""
    return Function(
        node=inner.node,
        module=inner.module,
        qualname=outer.qualname,
        closure=inner.closure,
        marks=[*outer.marks, *inner.marks],
        decorators=inner.decorators,
        wrappers=inner.wrappers,
        defaults=inner.defaults,
        flavour=inner.flavour,
        attributes={**outer.attributes, **inner.attributes, "__wrapped__": outer},
    )
