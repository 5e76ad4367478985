"""What builtins and pure functions of the standard library give, and its constants."""

from __future__ import annotations

import itertools
import math

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.concrete import MAX_ITEMS, is_concrete, is_key
from gatekeeper.source.evaluate.frames import Raised, Undecided
from gatekeeper.source.evaluate.kinds import has_attribute, is_callable, is_instance, is_subclass
from gatekeeper.source.evaluate.operators import truth
from gatekeeper.source.evaluate.values import External, Function, Generator, Partial, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.evaluate.values import Value

    Call = Callable[[Interpreter, list[Value], dict[str, Value]], Value]


def _lists(world: Interpreter, args: list[Value]) -> list[list[Value]]:
    found = []
    for one in args:
        items = world.items(one)
        if isinstance(items, Unknown):
            raise Undecided(items.reason)
        found.append(items)
    return found


def _in_any_order(world: Interpreter, value: Value) -> list[Value]:
    """The items of a value, of a set as they come: who asks does not care for their order."""
    return list(value) if isinstance(value, set | frozenset) else _lists(world, [value])[0]


def _list(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return list(_lists(world, args)[0]) if args else []


def _tuple(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return tuple(_lists(world, args)[0]) if args else ()


def _set(kind: type) -> Call:
    def run(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
        items = _in_any_order(world, args[0]) if args else []
        return kind(items) if all(map(is_key, items)) else Unknown("a set of unknowns")

    return run


def _dict(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if args and isinstance(args[0], dict):
        copied: dict[Value, Value] = {**args[0]}
        copied.update(kwargs)
        return copied
    pairs = [world.items(one) for one in (_lists(world, args)[0] if args else [])]
    if any(isinstance(one, Unknown) or len(one) != 2 or not is_key(one[0]) for one in pairs):  # noqa: PLR2004
        return Unknown("a dict of unknowns")
    found: dict[Value, Value] = {one[0]: one[1] for one in pairs if not isinstance(one, Unknown)}
    found.update(kwargs)
    return found


def _len(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if isinstance(args[0], str | bytes | list | tuple | dict | set | frozenset | range):
        return len(args[0])
    return Unknown("a length")


def _range(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if not all(type(one) in (int, bool) for one in args):
        return Unknown("a range")
    try:
        return range(*args)  # type: ignore[call-overload]
    except (TypeError, ValueError) as error:
        raise Raised(type(error).__name__) from None


def _enumerate(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    start = args[1] if len(args) > 1 else kwargs.get("start", 0)
    if type(start) is not int:
        return Unknown("enumerate")
    return Generator("enumerate", list(enumerate(_lists(world, args[:1])[0], start)))


def _zip(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    lists = _lists(world, args)
    if kwargs.get("strict") and len({len(one) for one in lists}) > 1:
        raise Raised("ValueError")
    return Generator("zip", list(zip(*lists, strict=False)))


def _reversed(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return Generator("reversed", list(reversed(_lists(world, args)[0])))


def _map(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    rows = zip(*_lists(world, args[1:]), strict=False)
    return Generator("map", [world.call(args[0], row, {}) for row in rows])


def _filter(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    found = []
    for one in _lists(world, args[1:])[0]:
        said = truth(one if args[0] is None else world.call(args[0], [one], {}))
        if said is None:
            raise Undecided("a filter by something that is not known")
        if said:
            found.append(one)
    return Generator("filter", found)


def _sorted(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    given = args[0]
    items = list(given) if isinstance(given, set | frozenset) else _lists(world, args)[0]
    key = kwargs.get("key")
    keys = items if key is None else [world.call(key, [one], {}) for one in items]
    backwards = truth(kwargs.get("reverse", False))
    if not is_concrete(keys) or backwards is None:
        return Unknown("sorted by something that is not known")
    try:
        order = sorted(range(len(items)), key=keys.__getitem__, reverse=backwards)  # type: ignore[arg-type]
    except TypeError:
        raise Raised("TypeError") from None
    if isinstance(given, set | frozenset) and len(set(map(repr, keys))) < len(keys):
        return Unknown("the order of a set")
    return [items[place] for place in order]


def _any(stop: bool) -> Call:
    def run(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
        for one in _in_any_order(world, args[0]):
            said = truth(one)
            if said is None:
                return Unknown("any or all of what is not known")
            if said is stop:
                return stop
        return not stop

    return run


def _bool(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    said = truth(args[0]) if args else False
    return Unknown("a truth") if said is None else said


def _product(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    lists = _lists(world, args)
    repeat = kwargs.get("repeat", 1)
    if type(repeat) is not int:
        return Unknown("a product")
    size = math.prod(len(one) for one in lists) ** max(repeat, 0) if repeat < 20 else MAX_ITEMS + 1  # noqa: PLR2004
    if size > MAX_ITEMS:
        return Unknown("a product that is too large")
    return Generator("product", list(itertools.product(*lists, repeat=repeat)))


def _chosen(call: Callable[..., Value], count: Callable[[int, int], int]) -> Call:
    def run(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
        items = _lists(world, args[:1])[0]
        size = args[1] if len(args) > 1 else kwargs.get("r", len(items))
        if type(size) is not int or size < 0 or count(len(items), size) > MAX_ITEMS:
            return Unknown("a choice that is too large")
        return Generator("choice", list(call(items, size)))  # type: ignore[call-overload]

    return run


def _chain(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return Generator("chain", [one for items in _lists(world, args) for one in items])


def _flat(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return _chain(world, list(_lists(world, args)[0]), {})


def _islice(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if not all(one is None or type(one) is int for one in args[1:]):
        return Unknown("a slice")
    return Generator("islice", list(itertools.islice(_lists(world, args[:1])[0], *args[1:])))  # type: ignore[call-overload]


def _repeat(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if len(args) > 1 and type(args[1]) is int and args[1] <= MAX_ITEMS:
        return Generator("repeat", [args[0]] * args[1])
    return Unknown("repeat without an end")


def _partial(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return Partial(args[0], tuple(args[1:]), kwargs)


def _reduce(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    items = list(_lists(world, args[1:2])[0])
    value = args[2] if len(args) > 2 else items.pop(0) if items else Unknown("nothing to reduce")  # noqa: PLR2004
    for one in items:
        value = world.call(args[0], [value, one], {})
    return value


def _flavoured(flavour: str) -> Call:
    def run(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if args and isinstance(args[0], Function):
            args[0].flavour = flavour
            return args[0]
        return Unknown(f"a {flavour} that is not followed")

    return run


def _getattr(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    if len(args) > 1 and isinstance(args[1], str):
        try:
            return world.member(args[0], args[1])
        except Raised:
            if len(args) > 2:  # noqa: PLR2004 (a default)
                return args[2]
            raise
    return Unknown("an attribute that is not known")


def _asked(question: Callable[..., bool | Unknown], count: int) -> Call:
    def run(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return question(world, *args) if len(args) == count else Unknown("a question that is not followed")

    return run


def _none(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return None


def _auto(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return External("enum.auto()")


def _newtype(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return args[1] if len(args) > 1 else Unknown("a cast")


_SYSTEMS = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows", "freebsd": "FreeBSD"}


def _system(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    found = _SYSTEMS.get(str(world.sys["platform"]))
    return Unknown("a platform that is not known") if found is None else found


def _implementation(world: Interpreter, args: list[Value], kwargs: dict[str, Value]) -> Value:
    return "CPython"


LIBRARY: dict[str, Call] = {
    "platform.system": _system,
    "platform.python_implementation": _implementation,
    "builtins.list": _list,
    "builtins.tuple": _tuple,
    "builtins.set": _set(set),
    "builtins.frozenset": _set(frozenset),
    "builtins.dict": _dict,
    "collections.OrderedDict": _dict,
    "builtins.len": _len,
    "builtins.range": _range,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "builtins.reversed": _reversed,
    "builtins.map": _map,
    "builtins.filter": _filter,
    "builtins.sorted": _sorted,
    "builtins.any": _any(stop=True),
    "builtins.all": _any(stop=False),
    "builtins.bool": _bool,
    "builtins.getattr": _getattr,
    "builtins.isinstance": _asked(is_instance, 2),
    "builtins.issubclass": _asked(is_subclass, 2),
    "builtins.callable": _asked(is_callable, 1),
    "builtins.hasattr": _asked(has_attribute, 2),
    "builtins.print": _none,
    "builtins.iter": _list,
    "builtins.staticmethod": _flavoured("static"),
    "builtins.classmethod": _flavoured("class"),
    "builtins.property": _flavoured("property"),
    "functools.cached_property": _flavoured("property"),
    "itertools.product": _product,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _flat,
    "itertools.permutations": _chosen(itertools.permutations, math.perm),
    "itertools.combinations": _chosen(itertools.combinations, math.comb),
    "itertools.islice": _islice,
    "itertools.repeat": _repeat,
    "functools.partial": _partial,
    "functools.reduce": _reduce,
    "enum.auto": _auto,
    "typing.cast": _newtype,
}
"""Calls by full dotted name."""
