"""Functions of the tree, run within bounds where something at collection time calls them."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.frames import Exhausted, Frame, Raised
from gatekeeper.source.evaluate.statements import Returned
from gatekeeper.source.evaluate.values import Function, Generator, Instance, Unknown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value

MAX_DEPTH = 60
MAX_STEPS = 100_000
"""Of one call that stands at the top of a module or class: a table of parameters takes fewer, an algorithm more."""


def call_function(world: Interpreter, function: Function, args: Sequence[Value], kwargs: Mapping[str, Value]) -> Value:
    """What a function of the tree returns.

    Raises:
        Raised: it certainly raises. Undecided: what it does depends on what is not known.
    """
    node = function.node
    if isinstance(node, ast.AsyncFunctionDef):
        return Unknown("a coroutine")
    if world.depth >= MAX_DEPTH:
        raise Exhausted("calls that are nested too deep")
    up: Any = function.closure[0] if function.closure else world.frame_of(function.module)
    frame = Frame(
        function.module, _bound(world, function, args, kwargs), up, [], plain=True, qualname=function.qualname
    )
    world.depth += 1
    world.ran.setdefault(function.module.path, set()).add(function.qualname)
    before = world.allow(MAX_STEPS) if world.depth == 1 else None
    try:
        if isinstance(node, ast.Lambda):
            return world.evaluate(node.body, frame)
        if world.reader.yields(node):
            frame.yielded = []
            world.execute(node.body, frame)
            return Generator(function.name, frame.yielded)
        signal = world.execute(node.body, frame)
    finally:
        world.depth -= 1
        if before is not None:
            world.restore(before)
    return signal.value if isinstance(signal, Returned) else None


def _bound(
    world: Interpreter, function: Function, args: Sequence[Value], kwargs: Mapping[str, Value]
) -> dict[str, Value]:
    """Arguments by parameter, as the language binds them."""
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args]
    names: dict[str, Value] = {}
    for parameter, value in zip(positional, args, strict=False):
        names[parameter.arg] = value
    more = args[len(positional) :]
    if spec.vararg is not None:
        names[spec.vararg.arg] = tuple(more)
    elif more:
        raise Raised("TypeError")
    extra: dict[str, Value] = {}
    known = {one.arg for one in (*spec.args, *spec.kwonlyargs)}
    for name, value in kwargs.items():
        if name in known:
            if name in names:
                raise Raised("TypeError")
            names[name] = value
        elif spec.kwarg is None:
            raise Raised("TypeError")
        else:
            extra[name] = value
    if spec.kwarg is not None:
        names[spec.kwarg.arg] = extra
    _fill(world, function, positional, names)
    return names


def _fill(world: Interpreter, function: Function, positional: list[ast.arg], names: dict[str, Value]) -> None:
    spec = function.node.args
    given, keyword = function.defaults[: len(spec.defaults)], function.defaults[len(spec.defaults) :]
    for parameter, value in zip(positional[len(positional) - len(given) :], given, strict=True):
        names.setdefault(parameter.arg, value)
    for parameter, value in zip(spec.kwonlyargs, keyword, strict=True):
        if value is not world.nothing:
            names.setdefault(parameter.arg, value)
    if any(parameter.arg not in names for parameter in (*positional, *spec.kwonlyargs)):
        raise Raised("TypeError")


def call_instance(world: Interpreter, owner: Instance, args: Sequence[Value], kwargs: Mapping[str, Value]) -> Value:
    """``owner(...)`` for an object of a class of the tree."""
    found = world.lookup(owner.kind, "__call__")
    if found is None or not isinstance(found.value, Function):
        return Unknown(f"an object of {owner.kind.name} is called")
    return call_function(world, found.value, (owner, *args), kwargs)
