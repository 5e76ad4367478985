"""From a nodeid to the objects behind it: the function that wins, its classes, fixtures and marks."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.expansion import marks_of, plan
from gatekeeper.source.collection.items import EXACT
from gatekeeper.source.collection.modules import Walk
from gatekeeper.source.collection.outcome import Broken, Undecided
from gatekeeper.source.collection.scope import Settings
from gatekeeper.source.collection.target import Target
from gatekeeper.source.evaluate.values import Function, Method, Partial

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gatekeeper.source.collection.fixtures import Definition
    from gatekeeper.source.collection.modules import Item
    from gatekeeper.source.collection.scope import Scope
    from gatekeeper.source.evaluate.values import Mark, Value


def target(scope: Scope, node: str) -> Target | None:
    """What pytest would run as ``node`` of the module of ``scope``, None where it collects no such thing.

    ``node`` is a nodeid with or without parameters; with them, it must be one of the ids that are known.
    """
    for item in Walk(scope).items():
        if node == item.found.node or (item.found.verdict == EXACT and node in item.found.nodeids):
            return aimed(item, scope)
        if item.found.verdict != EXACT and node.startswith(item.found.node + "["):
            return aimed(item, scope)
    return None


def aimed(item: Item, scope: Scope) -> Target:
    """The objects behind one item of a walk."""
    value = _function(item.value)
    marks, definitions = _surroundings(item)
    return Target(
        found=item.found,
        function=value,
        classes=item.place.classes,
        module=scope.module,
        conftests=scope.conftests,
        plugins=scope.plugins,
        fixtures=tuple(dict.fromkeys(one.fixture for one in definitions if one.fixture is not None)),
        marks=marks,
        config=_unusual(scope.settings),
    )


def _function(value: Value) -> Function | None:
    while isinstance(value, Method | Partial):
        value = value.function
    return value if isinstance(value, Function) else None


def _surroundings(item: Item) -> tuple[tuple[Mark, ...], Iterable[Definition]]:
    """The marks and fixtures of a test; where its parameters are not known, every fixture that it may see by name."""
    value, name = item.value, item.found.node.rpartition("::")[2]
    if not isinstance(value, Function | Method | Partial):
        return (), ()
    try:
        planned = plan(value, name, item.place)
    except (Undecided, Broken):
        return _marks(item), _reachable(item)
    return planned.marks, [one for every in planned.closure.definitions.values() for one in every]


def _marks(item: Item) -> tuple[Mark, ...]:
    value = item.value
    try:
        return marks_of(value, item.place) if isinstance(value, Function | Method | Partial) else ()
    except (Undecided, Broken):
        return tuple(value.marks) if isinstance(value, Function) else ()


def _reachable(item: Item) -> list[Definition]:
    chain, function = item.place.chain, _function(item.value)
    pending = list(chain.autouse)
    if function is not None:
        args = function.node.args
        pending += [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    pending += [
        name for mark in _marks(item) if mark.name == "usefixtures" for name in mark.args if isinstance(name, str)
    ]
    found: dict[str, tuple[Definition, ...]] = {}
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = chain.lookup(name)
            pending += [asked for one in found[name] for asked in one.requests]
    return [one for every in found.values() for one in every]


def _unusual(settings: Settings) -> dict[str, str]:
    """The settings that are not pytest's defaults, as text."""
    usual = Settings()
    return {
        name: repr(value)
        for name, value, default in zip(settings._fields, settings, usual, strict=True)
        if value != default and name not in {"pytest", "python"}
    }
