"""Methods of real values: those that change nothing run on known arguments, those that change something change it."""

from __future__ import annotations

from pathlib import PurePosixPath

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.concrete import MAX_ITEMS, MAX_TEXT, MUTABLE, bounded, is_concrete, is_key
from gatekeeper.source.evaluate.frames import Raised
from gatekeeper.source.evaluate.harness import call_mark
from gatekeeper.source.evaluate.treefiles import PATH_METHODS, TreeFile, file_method, path_method
from gatekeeper.source.evaluate.values import Generator, Mark, Unknown

if TYPE_CHECKING:
    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value

_GROWING = frozenset(
    ("format", "format_map", "center", "ljust", "rjust", "zfill", "expandtabs", "replace", "join", "translate")
)
_WIDE = 2000
_LONG = 4
"""Digits of a width in a format, at most."""
_PURE = frozenset(("copy", "keys", "values", "items", "get", "index", "count", "union", "intersection", "difference"))


def call_method(  # noqa: C901 (one line a kind of owner)
    world: Interpreter, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], maybe: bool
) -> Value:
    """``owner.name(*args, **kwargs)`` for a real value.

    Raises:
        Raised: it certainly raises.
    """
    if isinstance(owner, Mark):
        return call_mark(Mark(owner.name, owner.args, owner.kwargs), args, kwargs, 0)
    if isinstance(owner, TreeFile):
        return file_method(owner, name)
    if isinstance(owner, PurePosixPath) and name in PATH_METHODS:
        return path_method(world, owner, name, args, kwargs)
    if isinstance(owner, MUTABLE) and name not in _PURE:
        if maybe or id(owner) in world.kept:
            world.poison(owner, "changed under a condition")
            return Unknown("a change under a condition")
        return _changing(world, owner, name, args, kwargs)
    if isinstance(owner, dict):
        return _of_dict(owner, name, args)
    if isinstance(owner, str | bytes) and name == "join" and args:
        args = [_listed(world, args[0])]
        if isinstance(args[0], list) and _joined(owner, args[0]) > MAX_TEXT:
            return Unknown("a text that is too large")
    known = is_concrete(owner) and all(map(is_concrete, args)) and all(map(is_concrete, kwargs.values()))
    if name == "copy" and isinstance(owner, list | set):
        return owner.copy()
    if not known or not _is_small(owner, name, args):
        return Unknown(f"what {name} gives")
    return _real(owner, name, args, kwargs)


def _joined(owner: str | bytes, parts: list[Value]) -> int:
    """How long a joined text is."""
    return len(owner) * len(parts) + sum(len(one) for one in parts if isinstance(one, str | bytes))


def _listed(world: Interpreter, value: Value) -> Value:
    return value if isinstance(value, str) else world.items(value)


def _is_small(owner: Value, name: str, args: list[Value]) -> bool:
    if name not in _GROWING:
        return True
    size = len(owner) if isinstance(owner, str | bytes) else 0
    numbers = [one for one in args if isinstance(one, int)]
    if name in ("format", "format_map"):
        # a field in a field takes its width from an argument
        nested = "{" in str(owner).replace("{{", "").partition(":")[2]
        small = all(abs(one) < _WIDE for one in numbers) or not nested
        return small and size < _WIDE and not any(len(part) > _LONG for part in _digits(str(owner)))
    if name == "replace":
        return size < _WIDE or all(isinstance(one, str | bytes) and len(one) <= 1 for one in args[:2])
    return all(abs(one) < _WIDE for one in numbers)


def _digits(text: str) -> list[str]:
    return "".join(one if one.isdigit() else " " for one in text).split()


def _real(owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    try:
        found = getattr(owner, name)(*args, **kwargs)
    except (ArithmeticError, TypeError, ValueError, LookupError, AttributeError) as error:
        raise Raised(type(error).__name__) from None
    return bounded(found) if is_concrete(found) else Unknown(f"what {name} gives")


def _of_dict(owner: dict[Value, Value], name: str, args: list[Value]) -> Value:
    if name == "items":
        return list(owner.items())
    if name in ("keys", "values"):
        return list(getattr(owner, name)())
    if name == "copy":
        return owner.copy()
    if name == "get" and args:
        return owner.get(args[0], args[1] if len(args) > 1 else None) if is_key(args[0]) else Unknown("an item")
    return Unknown(f"what {name} gives")


def _changing(world: Interpreter, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    run = getattr(_Changes, f"{type(owner).__name__}_{name}", None)
    if run is None or (kwargs and name not in ("update", "sort")):
        world.poison(owner, f"changed by {name}")
        return Unknown(f"what {name} gives")
    try:
        found = run(world, owner, args, kwargs)
    except (IndexError, KeyError, ValueError, TypeError) as error:
        raise Raised(type(error).__name__) from None
    if len(owner) > MAX_ITEMS:  # type: ignore[arg-type]
        world.poison(owner, "too large")
    return found


class _Changes:
    """One method each that changes a list, dict or set in place."""

    @staticmethod
    def list_append(world: Interpreter, owner: list[Value], args: list[Value], kwargs: dict[str, Value]) -> Value:
        owner.append(*args)
        return None

    @staticmethod
    def list_extend(world: Interpreter, owner: list[Value], args: list[Value], kwargs: dict[str, Value]) -> Value:
        items = world.items(*args)
        if isinstance(items, Unknown):
            world.poison(owner, items.reason)
        else:
            owner.extend(list(items))
        return None

    @staticmethod
    def list_insert(world: Interpreter, owner: list[Value], args: list[Value], kwargs: dict[str, Value]) -> Value:
        if args and isinstance(args[0], int):
            owner.insert(*args)  # type: ignore[arg-type]
        else:
            world.poison(owner, "an insert at a place that is not known")
        return None

    @staticmethod
    def list_pop(world: Interpreter, owner: list[Value], args: list[Value], kwargs: dict[str, Value]) -> Value:
        if args and not isinstance(args[0], int):
            world.poison(owner, "loses an item that is not known")
            return Unknown("an item")
        return owner.pop(*args)  # type: ignore[arg-type]

    @staticmethod
    def list_reverse(world: Interpreter, owner: list[Value], args: list[Value], kwargs: dict[str, Value]) -> Value:
        owner.reverse()
        return None

    @staticmethod
    def list_clear(world: Interpreter, owner: list[Value], args: list[Value], kwargs: dict[str, Value]) -> Value:
        owner.clear()
        return None

    @staticmethod
    def list_sort(world: Interpreter, owner: list[Value], args: list[Value], kwargs: dict[str, Value]) -> Value:
        if kwargs or not is_concrete(owner):
            world.poison(owner, "sorted by what is not followed")
        else:
            owner.sort()
        return None

    @staticmethod
    def dict_update(
        world: Interpreter, owner: dict[Value, Value], args: list[Value], kwargs: dict[str, Value]
    ) -> Value:
        for one in args:
            if isinstance(one, dict):
                owner.update(one)
            else:
                world.poison(owner, "updated by what is not known")
        owner.update(kwargs)
        return None

    @staticmethod
    def dict_setdefault(
        world: Interpreter, owner: dict[Value, Value], args: list[Value], kwargs: dict[str, Value]
    ) -> Value:
        if not is_key(args[0]):
            world.poison(owner, "has a key that is not known")
            return Unknown("an item")
        return owner.setdefault(*args)

    @staticmethod
    def dict_pop(world: Interpreter, owner: dict[Value, Value], args: list[Value], kwargs: dict[str, Value]) -> Value:
        if not is_key(args[0]):
            world.poison(owner, "loses a key that is not known")
            return Unknown("an item")
        return owner.pop(*args)

    @staticmethod
    def set_add(world: Interpreter, owner: set[Value], args: list[Value], kwargs: dict[str, Value]) -> Value:
        if is_key(args[0]):
            owner.add(args[0])
        else:
            world.poison(owner, "has an item that is not known")
        return None


def drained(value: Value) -> Value:
    """What a generator has left, as a list."""
    return value.items if isinstance(value, Generator) else value
