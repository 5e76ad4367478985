"""How many tests one function makes, and their ids: its marks, the fixtures it leads to, their parameters."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.fixtures import Closure, close
from gatekeeper.source.collection.marks import of_name, own_marks
from gatekeeper.source.collection.outcome import Broken, Undecided
from gatekeeper.source.collection.parametrize import Made, marks_of_items, product, read_call
from gatekeeper.source.collection.signatures import Arguments, arguments, patched_by
from gatekeeper.source.evaluate.values import Class, External, Function, Mark, Method, Partial, Unknown
from gatekeeper.source.evaluate.words import is_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatekeeper.source.collection.fixtures import Definition
    from gatekeeper.source.collection.functions import Callable
    from gatekeeper.source.collection.parametrize import Call
    from gatekeeper.source.collection.places import Place
from gatekeeper.source.evaluate.values import Value


class Plan(NamedTuple):
    """The parametrizations of one test in the order in which they multiply it, with its closure and marks."""

    calls: tuple[tuple[str, Made], ...]
    closure: Closure
    marks: tuple[Mark, ...]


class Expansion(NamedTuple):
    """What follows the name of a test for each of its items, and their marks: one row if they all have the same."""

    ids: tuple[str, ...]
    rows: tuple[tuple[Mark, ...], ...] | None


def expand(value: Callable, name: str, place: Place) -> Expansion:
    """The items of the test ``name``.

    Raises:
        Undecided: the ids cannot be known.
        Broken: pytest stops at it.
    """
    planned = plan(value, name, place)
    generates = place.hooks.generates
    if generates is None or generates & set(planned.closure.names):
        raise Undecided(f"{place.hooks.source} may parametrize it")
    if planned.calls and place.hooks.names:
        raise Undecided(f"{place.hooks.names} makes ids")
    made = [made for _, made in planned.calls]
    return Expansion(product([one.ids for one in made]), _rows(value, planned.marks, made))


def _rows(value: Callable, marks: tuple[Mark, ...], made: Sequence[Made]) -> tuple[tuple[Mark, ...], ...] | None:
    """The marks of a set come after those of the function itself, before those of its class."""
    brought = marks_of_items(made)
    if brought is None:
        return (marks,)
    own = len(value.marks) if isinstance(value, Function) else 0
    rows = []
    for row in brought:
        if not all(isinstance(mark, Mark) for mark in row):
            return None
        rows.append((*marks[:own], *(mark for mark in row if isinstance(mark, Mark)), *marks[own:]))
    return tuple(rows)


def marks_of(value: Callable, place: Place) -> tuple[Mark, ...]:
    """All marks of a test, nearest first. Raises Undecided or Broken."""
    function = value.function if isinstance(value, Method) else value
    own = list(own_marks(function, place.scope.interpreter)) if isinstance(function, Function) else []
    if isinstance(place.outer_marks, str):
        raise Undecided(place.outer_marks)
    every = (*own, *place.outer_marks)
    if _runs_under_anyio(function, place) and (place.scope.settings.anyio_auto or any(of_name(every, "anyio"))):
        own.append(Mark("usefixtures", ("anyio_backend",)))
    return (*own, *place.outer_marks)


def _runs_under_anyio(function: Value, place: Place) -> bool:
    settings = place.scope.settings
    if not any(plugin.partition("[")[0] == "anyio" for plugin in settings.plugins) or "anyio" in settings.blocked:
        return False
    if not isinstance(function, Function) or not isinstance(function.node, ast.AsyncFunctionDef):
        return False
    return not is_generator(function.node)


def plan(value: Callable, name: str, place: Place) -> Plan:
    """How ``value`` is parametrized. Raises Undecided or Broken."""
    unknown = _unknown_wrapper(value)
    if unknown:
        raise Undecided(unknown)
    evaluator, version = place.scope.interpreter, place.scope.settings.pytest
    marks = marks_of(value, place)
    calls = [(mark, read_call(mark, evaluator, version)) for mark in of_name(marks, "parametrize")]
    direct = frozenset(name for _, call in calls for name in call.direct())
    asked = _arguments(value, name, place)
    first, doubtful = _initial(asked, marks, place)
    whole = close(place.chain, first, direct, version, without=frozenset())
    _check_names([call for _, call in calls], asked, whole)
    planned = _parametrizations(calls, whole, place)
    if doubtful or any(not one.certain for every in whole.definitions.values() for one in every):
        _check_doubts(planned, calls, direct, first, doubtful, place)
    return Plan(planned, whole, marks)


def _unknown_wrapper(value: Callable) -> str:
    inner = value.function if isinstance(value, Method | Partial) else value
    if isinstance(inner, Function) and inner.wrappers:
        wrapper = inner.wrappers[0]
        shown = wrapper.name if isinstance(wrapper, External | Function | Class) else getattr(wrapper, "reason", "")
        return f"it is wrapped by a decorator that is not known: {shown or type(wrapper).__name__}"
    return ""


def _arguments(value: Callable, name: str, place: Place) -> Arguments:
    patched = sum(patched_by(cls, name) for cls in place.classes[-1:])
    return arguments(value, method=bool(place.classes), patched=patched)


def _initial(asked: Arguments, marks: Sequence[Mark], place: Place) -> tuple[list[str], frozenset[str]]:
    """The names that a test needs itself, and those of them that may not be in force."""
    used: list[str] = []
    for mark in of_name(marks, "usefixtures"):
        for argument in mark.args:
            if not isinstance(argument, str):
                raise Undecided("what usefixtures names is not known")
            used.append(argument)
    sure = {*place.scope.settings.usefixtures, *used, *asked.names}
    names = dict.fromkeys([*place.scope.settings.usefixtures, *place.chain.autouse, *used, *asked.names])
    return list(names), frozenset(place.chain.doubtful - sure)


def _check_names(calls: Sequence[Call], asked: Arguments, closure: Closure) -> None:
    names = set(closure.names)
    for call in calls:
        for name in call.argnames:
            if name not in names:
                why = "already takes it with a default value" if name in asked.defaulted else "does not use it"
                raise Broken(f"parametrize of {name!r}: the function {why}", call.line)


def _parametrizations(
    calls: Sequence[tuple[Mark, Call]], closure: Closure, place: Place
) -> tuple[tuple[str, Made], ...]:
    """Those by fixtures in the order of the closure, then those by marks, nearest first."""
    expander = place.memory.expander
    named = [name for _, call in calls for name in call.argnames]
    if len(named) != len(set(named)):
        twice = next(name for name in named if named.count(name) > 1)
        raise Broken(f"duplicate parametrization of {twice!r}", calls[0][1].line)
    _check_known(closure, frozenset(named), place)
    made: list[tuple[str, Made]] = []
    ranks: list[int | None] = []
    for name in closure.names:
        found = None if name in named else _parametrized(name, closure.definitions.get(name, ()))
        if found is not None:
            made.append((name, expander.of_fixture(found.fixture or found, name, found.params, found.ids)))
            ranks.append(closure.definitions[name][-1].rank)
    if len(ranks) > 1 and None in ranks:
        raise Undecided("the scope of a parametrized fixture is not known")
    made += [(",".join(call.argnames), expander.of_call(mark, call)) for mark, call in calls]
    return tuple(made)


def _check_known(closure: Closure, named: frozenset[str], place: Place) -> None:
    """A fixture that nobody in the tree defines comes from a plugin, which may have given it parameters."""
    for name in closure.names:
        if name not in closure.definitions and name not in named and name != "request":
            raise Undecided(
                f"the fixture {name} is not in the tree{': ' + place.chain.open if place.chain.open else ''}"
            )


def _parametrized(name: str, definitions: Sequence[Definition]) -> Definition | None:
    """The definition whose parameters apply: an overridden one does if the overriding one asks for it."""
    for one in reversed(definitions):
        if one.params is not None:
            if isinstance(one.params, Unknown):
                raise Undecided(one.params.reason)
            return one
        if name not in one.requests:
            return None
    return None


def _check_doubts(
    planned: tuple[tuple[str, Made], ...],
    calls: Sequence[tuple[Mark, Call]],
    direct: frozenset[str],
    first: Sequence[str],
    doubtful: frozenset[str],
    place: Place,
) -> None:
    """Raise Undecided unless the test has the same parameters without what may be absent."""
    left = [name for name in first if name not in doubtful]
    version = place.scope.settings.pytest
    closure = close(place.chain, left, direct, version, without=place.chain.uncertain)
    names = {name for _, call in calls for name in call.argnames}
    without = [
        (name, found)
        for name in closure.names
        if name not in names and (found := _parametrized(name, closure.definitions.get(name, ())))
    ]
    if [name for name, _ in without] + [",".join(call.argnames) for _, call in calls] != [name for name, _ in planned]:
        raise Undecided("a fixture with parameters is defined under a condition")
    for (_, ids), (name, found) in zip(planned, without, strict=False):
        if place.memory.expander.of_fixture(found.fixture or found, name, found.params, found.ids) != ids:
            raise Undecided("a fixture with parameters is defined under a condition")
