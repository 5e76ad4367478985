"""Calls of every kind of value."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate import wellknown
from gatekeeper.source.evaluate.bound import Bound
from gatekeeper.source.evaluate.calls import call_function, call_instance
from gatekeeper.source.evaluate.classes import construct
from gatekeeper.source.evaluate.concrete import MUTABLE
from gatekeeper.source.evaluate.decorators import KEEPERS, unwrapped, wrap
from gatekeeper.source.evaluate.frames import Exhausted, Frame, Raised, Undecided
from gatekeeper.source.evaluate.harness import HARNESS, call_mark
from gatekeeper.source.evaluate.library import LIBRARY
from gatekeeper.source.evaluate.methods import call_method
from gatekeeper.source.evaluate.pure import PURE, call_pure
from gatekeeper.source.evaluate.records import MAKERS
from gatekeeper.source.evaluate.standard import changes, made_by
from gatekeeper.source.evaluate.treefiles import PATHS
from gatekeeper.source.evaluate.values import (
    Class,
    External,
    Fixture,
    Function,
    Instance,
    Mark,
    Method,
    Module,
    Partial,
    Thing,
    Unknown,
)
from gatekeeper.source.evaluate.wellknown import made_by_its_own

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value

_WRAPS = ("functools.wraps", "functools.update_wrapper")


def apply(
    world: Interpreter, function: Value, args: list[Value], kwargs: dict[str, Value], frame: Frame, line: int
) -> Value:
    """A call that stands in a source.

    Raises:
        Raised: it certainly raises.
    """
    if isinstance(function, Mark):
        return call_mark(function, args, kwargs, line)
    if isinstance(function, External):
        special = _SPECIAL.get(function.name)
        if special is not None:
            return special(world, args, kwargs, frame)
        harness = HARNESS.get(function.name)
        if harness is not None:
            return harness(world, function.name, args, kwargs, frame)
    if isinstance(function, Bound):
        return call_method(world, function.owner, function.name, args, kwargs, bool(frame.maybe))
    held = world.kept
    if frame.maybe and not frame.plain:
        # What is there already may stay as it is: only what the call makes itself is changed for sure.
        world.kept = held | reached(function, args, kwargs, frame)
    try:
        return call(world, function, args, kwargs)
    except Undecided as why:
        if isinstance(why, Exhausted) and world.depth:
            raise
        if not isinstance(function, External) or any(isinstance(one, _ACTIVE) for one in (*args, *kwargs.values())):
            spoil(world, function, args, kwargs, why.reason)
        return Unknown(why.reason)
    finally:
        world.kept = held


_REACH = 50_000


def reached(function: Value, args: list[Value], kwargs: dict[str, Value], frame: Frame) -> frozenset[int]:
    """The identities of containers and objects that a call can get hold of, of those that are there before it."""
    found: set[int] = set()
    stack: list[Value] = [function, *args, *kwargs.values(), frame.module]
    while stack and len(found) < _REACH:
        one = stack.pop()
        if isinstance(one, Method):
            stack += [one.function, one.first]
        elif isinstance(one, Partial):
            stack += [one.function, *one.args, *one.kwargs.values()]
        elif isinstance(one, tuple):
            stack += one
        elif id(one) in found:
            continue
        elif isinstance(one, Function):
            found.add(id(one))
            stack += [one.module, *one.defaults]
        elif isinstance(one, Module | Class):
            found.add(id(one))
            stack += [each.value for each in one.namespace.values() if not getattr(each, "pending", False)]
        elif isinstance(one, Instance):
            found.add(id(one))
            stack += [one.kind, *one.attributes.values()]
        elif isinstance(one, MUTABLE):
            found.add(id(one))
            stack += one.values() if isinstance(one, dict) else one
    return frozenset(found)


_ACTIVE = (Function, Method, Partial, Instance, Class)
"""What a function of a library may call, so that it changes more than its result."""


def spoil(world: Interpreter, function: Value, args: list[Value], kwargs: dict[str, Value], reason: str) -> None:
    """What a call that was not followed to its end may have changed is unknown."""
    for one in (*args, *kwargs.values()):
        world.poison(one, reason)
    behind = unwrapped(function)
    if behind is not None and not isinstance(behind.node, ast.Lambda):
        world.ran.setdefault(behind.module.path, set()).add(behind.qualname)
        found = world.reader.words(behind.node)
        for name in found.used:
            binding = behind.module.namespace.get(name)
            if binding is not None:
                world.poison(binding.value, reason)


def call(world: Interpreter, function: Value, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """``function(*args, **kwargs)``.

    Raises:
        Raised: it certainly raises. Undecided: what it does depends on what is not known.
    """
    run = _CALLS.get(type(function))
    if run is None:
        for one in (*args, *kwargs.values()):
            world.poison(one, "handed to a call that is not followed")
        return function if isinstance(function, Unknown) else Unknown("a call that is not followed")
    return run(world, function, args, kwargs)


def _function(world: Interpreter, function: Function, args: list[Value], kwargs: dict[str, Value]) -> Value:
    made = made_by_its_own(function.module.name, function.qualname)
    if made is not None:
        return made
    if function.wrappers:
        raise Undecided(f"{function.name} is wrapped in something that is not followed")
    return call_function(world, function, args, kwargs)


def _method(world: Interpreter, function: Method, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return _function(world, function.function, [function.first, *args], kwargs)


def _partial(world: Interpreter, function: Partial, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return call_any(world, function.function, [*function.args, *args], {**function.kwargs, **kwargs})


def call_any(world: Interpreter, function: Value, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A call that stands nowhere: of what a partial or a decorator holds."""
    if isinstance(function, Mark):
        return call_mark(function, args, kwargs, 0)
    if isinstance(function, External) and function.name in HARNESS:
        module = next((one.module for one in args if isinstance(one, Function | Class)), None)
        if module is None:
            return Unknown(f"a call of {function.name}")
        return HARNESS[function.name](world, function.name, args, kwargs, world.frame_of(module))
    if isinstance(function, External) and function.name in _WRAPS:
        return _wraps(args, kwargs)
    if isinstance(function, Bound):
        return call_method(world, function.owner, function.name, args, kwargs, maybe=False)
    return call(world, function, args, kwargs)


def _wraps(args: list[Value], kwargs: dict[str, Value]) -> Value:
    """``partial(wraps, outer)(inner)``."""
    outer, inner = (unwrapped(one) for one in (*args, None, None)[:2])
    if outer is None or inner is None or kwargs:
        return Unknown("wraps of something that is not followed")
    return wrap(inner, outer)


def _external(world: Interpreter, function: External, args: list[Value], kwargs: dict[str, Value]) -> Value:
    name = function.name
    known = LIBRARY.get(name) or PATHS.get(name) or MAKERS.get(name)
    if known is not None:
        try:
            return known(world, args, kwargs)
        except (IndexError, TypeError, ValueError, KeyError, ArithmeticError) as error:
            # Other arguments than it takes.
            raise Raised(type(error).__name__) from None
    if name in PURE:
        return call_pure(world, name, args, kwargs)
    made = made_by(name, kwargs) or wellknown.made_by(name)
    if made is not None:
        return made
    if name in KEEPERS and len(args) == 1 and not kwargs and isinstance(args[0], Function | Class):
        return args[0]
    if changes(name):
        for one in (*args, *kwargs.values()):
            world.poison(one, f"handed to {name}")
    return _GIVEN.get(name, Unknown(f"what {name} gives"))


_GIVEN: dict[str, Value] = {
    "pytest.raises": Thing("_pytest.raises.RaisesExc"),
    "pytest.warns": Thing("_pytest.recwarn.WarningsChecker"),
    "pytest.approx": Thing("_pytest.python_api.ApproxBase"),
    "pytest.deprecated_call": Thing("_pytest.recwarn.WarningsChecker"),
    "pathlib.Path.cwd": Thing("pathlib.PosixPath"),
    "pathlib.Path.home": Thing("pathlib.PosixPath"),
    "datetime.datetime.now": Thing("datetime.datetime"),
    "datetime.datetime.utcnow": Thing("datetime.datetime"),
    "datetime.datetime.today": Thing("datetime.datetime"),
    "datetime.date.today": Thing("datetime.date"),
    "uuid.uuid1": Thing("uuid.UUID"),
    "uuid.uuid4": Thing("uuid.UUID"),
}
"""What calls give of which only the kind is known."""


def _class(world: Interpreter, function: Class, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return construct(world, function, args, kwargs)


def _instance(world: Interpreter, function: Instance, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return call_instance(world, function, args, kwargs)


def _fixture(world: Interpreter, function: Fixture, args: list[Value], kwargs: dict[str, Value]) -> Value:
    raise Raised("Failed")


def _bound(world: Interpreter, function: Bound, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return call_method(world, function.owner, function.name, args, kwargs, maybe=False)


_CALLS: dict[type, Callable[..., Value]] = {
    Function: _function,
    Method: _method,
    Partial: _partial,
    External: _external,
    Class: _class,
    Instance: _instance,
    Fixture: _fixture,
    Bound: _bound,
}


def _globals(world: Interpreter, args: list[Value], kwargs: dict[str, Value], frame: Frame) -> Value:
    return External("builtins.globals()")


def _names(what: str) -> Callable[[Interpreter, list[Value], dict[str, Value], Frame], Value]:
    """``globals().values()`` and its like."""

    def run(world: Interpreter, args: list[Value], kwargs: dict[str, Value], frame: Frame) -> Value:
        names = frame.module.namespace
        if frame.module.wildcards or any(one.conditions for one in names.values()):
            return Unknown("the names of a module of which some are not known")
        found = {name: one.value for name, one in names.items()}
        if what == "copy":
            return found
        return call_method(world, found, what, args, kwargs, maybe=False)

    return run


def _update_globals(world: Interpreter, args: list[Value], kwargs: dict[str, Value], frame: Frame) -> Value:
    given = {**(args[0] if args and isinstance(args[0], dict) else {}), **kwargs}
    if args and (not isinstance(args[0], dict) or not all(isinstance(one, str) for one in args[0])):
        frame.module.wildcards = (*frame.module.wildcards, "globals()")
        return None
    for name, value in given.items():
        world.set_global(External("builtins.globals()"), name, value, frame)
    return None


def _locals(world: Interpreter, args: list[Value], kwargs: dict[str, Value], frame: Frame) -> Value:
    return Unknown("locals()") if frame.plain else External("builtins.globals()")


def _setattr(world: Interpreter, args: list[Value], kwargs: dict[str, Value], frame: Frame) -> Value:
    if len(args) == 3:  # noqa: PLR2004 (an owner, a name, a value)
        owner, name, value = args
        if isinstance(owner, External) and owner.name.startswith("sys.modules"):
            owner = frame.module
        if isinstance(owner, Class | Module) and isinstance(name, str):
            world.set_member(owner, name, value, frame)
        elif isinstance(owner, Module):
            owner.wildcards = (*owner.wildcards, "setattr")
        elif isinstance(owner, Class):
            owner.wrappers = (*owner.wrappers, Unknown("an attribute whose name is not known is set"))
        elif (isinstance(owner, Instance) and isinstance(name, str)) or (
            isinstance(owner, Function) and isinstance(name, str)
        ):
            owner.attributes[name] = value
    return None


def _exec(world: Interpreter, args: list[Value], kwargs: dict[str, Value], frame: Frame) -> Value:
    frame.module.wildcards = (*frame.module.wildcards, "exec")
    return None


def _wraps_of(world: Interpreter, args: list[Value], kwargs: dict[str, Value], frame: Frame) -> Value:
    return Partial(External("functools.wraps"), tuple(args[:1]), {})


def _update_wrapper(world: Interpreter, args: list[Value], kwargs: dict[str, Value], frame: Frame) -> Value:
    return _wraps(list(reversed(args[:2])), {})


def _import(world: Interpreter, args: list[Value], kwargs: dict[str, Value], frame: Frame) -> Value:
    name, package = args[0] if args else kwargs.get("name"), args[1] if len(args) > 1 else kwargs.get("package")
    if isinstance(name, str) and name.startswith(".") and isinstance(package, str):
        level = len(name) - len(name.lstrip("."))
        parts = package.split(".")
        parts = parts[: len(parts) - level + 1]
        name = ".".join((*parts, name[level:])).rstrip(".") if parts else None
    if isinstance(name, str) and name and not name.startswith("."):
        return world.imported(name, frame.module)
    return Unknown("an import of something that is not known")


def _exit(world: Interpreter, args: list[Value], kwargs: dict[str, Value], frame: Frame) -> Value:
    raise Raised("SystemExit")


_SPECIAL: dict[str, Callable[[Interpreter, list[Value], dict[str, Value], Frame], Value]] = {
    "builtins.globals": _globals,
    **{f"builtins.globals().{what}": _names(what) for what in ("values", "items", "keys", "get", "copy")},
    "builtins.globals().update": _update_globals,
    "builtins.locals": _locals,
    "builtins.vars": _locals,
    "builtins.setattr": _setattr,
    "builtins.exec": _exec,
    "functools.wraps": _wraps_of,
    "functools.update_wrapper": _update_wrapper,
    "importlib.import_module": _import,
    "builtins.__import__": _import,
    "builtins.exit": _exit,
    "sys.exit": _exit,
}
"""Calls that depend on where they stand."""
