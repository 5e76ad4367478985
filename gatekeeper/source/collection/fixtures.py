"""Fixtures as pytest finds them: what each holder defines, and the chain of holders that a test sees.

A holder is a plugin module, a conftest, the module of the test, a class around it. Of the definitions of one name the
last of the chain wins; an autouse fixture of any holder belongs to every test below it.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.needed import FIXTURES, matters
from gatekeeper.source.collection.plugin_fixtures import KNOWN, PARAMETRIZED, Known
from gatekeeper.source.collection.signatures import arguments
from gatekeeper.source.evaluate.values import Binding, Class, Fixture, Module, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gatekeeper.source.collection.scope import Evaluator, Settings
    from gatekeeper.source.evaluate.values import Value

SCOPES = {"function": 0, "class": 1, "module": 2, "package": 3, "session": 4}


class Definition(NamedTuple):
    """One fixture under its name: ``rank`` is that of its scope, None where it is not known.

    ``params`` is None for none, else the value of ``params=``. ``fixture`` is None for one that is known from a table.
    ``certain`` is False where the fixture may be absent (it is bound under a condition).
    """

    name: str
    requests: tuple[str, ...]
    rank: int | None
    params: Value
    ids: Value
    fixture: Fixture | None
    certain: bool = True


class Holder(NamedTuple):
    """What one module or class defines: definitions by name in pytest's order, names that are autouse.

    ``doubtful`` are autouse names that may not be in force. ``open`` says that there may be more than is listed.
    """

    definitions: Mapping[str, tuple[Definition, ...]]
    autouse: tuple[str, ...]
    doubtful: frozenset[str]
    open: str = ""


def held_by(holder: Module | Class, evaluator: Evaluator) -> Holder:
    """The fixtures of a module or class, found as ``dir()`` gives its names: sorted."""
    bindings, more = _bindings(holder, evaluator)
    definitions: dict[str, tuple[Definition, ...]] = {}
    autouse: list[str] = []
    doubtful: set[str] = set()
    for attribute in sorted(bindings):
        binding = bindings[attribute]
        if isinstance(holder, Module) and not matters(binding, holder, FIXTURES, evaluator):
            continue
        if not isinstance(binding.value, Fixture):
            continue
        made = _definition(attribute, binding.value, certain=not binding.conditions, method=isinstance(holder, Class))
        definitions[made.name] = (*definitions.get(made.name, ()), made)
        automatic = evaluator.truth(binding.value.autouse)
        if automatic is not False:
            autouse.append(made.name)
            if automatic is None or not made.certain:
                doubtful.add(made.name)
    return Holder(definitions, tuple(autouse), frozenset(doubtful), more)


def _bindings(holder: Module | Class, evaluator: Evaluator) -> tuple[dict[str, Binding], str]:
    if isinstance(holder, Module):
        more = f"everything of {holder.wildcards[0]} is imported" if holder.wildcards else ""
        return holder.namespace, more
    found: dict[str, Binding] = {}
    more = ""
    for base in reversed(evaluator.mro(holder)):
        if isinstance(base, Class):
            found.update(base.namespace)
        elif isinstance(base, Unknown):
            more = base.reason
    return found, more


def _definition(attribute: str, fixture: Fixture, *, certain: bool, method: bool) -> Definition:
    name = fixture.name if isinstance(fixture.name, str) and fixture.name else attribute
    asked = arguments(fixture.function, method=method).names
    rank = SCOPES.get(fixture.scope) if isinstance(fixture.scope, str) else None
    return Definition(
        name, asked, rank, fixture.params, fixture.ids, fixture, certain and not isinstance(fixture.name, Unknown)
    )


def provided(settings: Settings) -> Holder:
    """What pytest itself and the plugins in ``settings`` define, as far as it is known."""
    definitions = {name: (_known(name, known),) for name, known in KNOWN.items()}
    for plugin in settings.plugins:
        for name, known in PARAMETRIZED.get(plugin.partition("[")[0], {}).items():
            definitions[name] = (_known(name, known),)
    return Holder(definitions, (), frozenset())


def _known(name: str, known: Known) -> Definition:
    params = None if known.params is None else list(known.params)
    return Definition(name, known.requests, known.rank, params, None, None)


class Chain:
    """The holders that a test sees, the outermost first; ``lookup`` finds all definitions of a name."""

    def __init__(self, above: Chain | None, holder: Holder, source: object = None) -> None:
        self._above = above
        self._holder = holder
        self._found: dict[str, tuple[Definition, ...]] = {}
        self.source = source
        self.autouse: tuple[str, ...] = (above.autouse if above else ()) + holder.autouse
        self.doubtful: frozenset[str] = (above.doubtful if above else frozenset()) | holder.doubtful
        uncertain = {name for name, every in holder.definitions.items() if not all(one.certain for one in every)}
        self.uncertain: frozenset[str] = (above.uncertain if above else frozenset()) | uncertain
        self.open: str = holder.open or (above.open if above else "")

    def lookup(self, name: str) -> tuple[Definition, ...]:
        """Every definition of ``name``, the farthest first; empty where there is none."""
        found = self._found.get(name)
        if found is None:
            own = self._holder.definitions.get(name, ())
            found = (self._above.lookup(name) + own if own else self._above.lookup(name)) if self._above else own
            self._found[name] = found
        return found


class Closure(NamedTuple):
    """The names that a test needs, in the order in which their parameters multiply it, and what defines them."""

    names: tuple[str, ...]
    definitions: Mapping[str, tuple[Definition, ...]]
    direct: frozenset[str]


def close(
    chain: Chain, initial: Iterable[str], direct: frozenset[str], version: tuple[int, int], *, without: frozenset[str]
) -> Closure:
    """All fixtures that ``initial`` leads to; ``direct`` are parametrized directly and so lead nowhere.

    Definitions that are not certain are left out when ``without`` names them.
    """
    names = dict.fromkeys(initial)
    found: dict[str, tuple[Definition, ...]] = {}

    def defined(name: str) -> tuple[Definition, ...]:
        if name in direct:
            return ()
        if name not in found:
            every = chain.lookup(name)
            if name in without:
                every = tuple(one for one in every if one.certain)
            if every:
                found[name] = every
            return every
        return found[name]

    order = _breadth_first(names, defined) if version < (9, 0) else _depth_first(names, defined, version)
    order.sort(key=lambda name: -(found[name][-1].rank or 0) if name in found else 0)
    return Closure(tuple(order), found, direct)


def _breadth_first(names: dict[str, None], defined: Defined) -> list[str]:
    """Up to 8.4: what the nearest definition asks for is appended; the list is gone over until nothing is new."""
    order = list(names)
    seen = set(order)
    for name in order:
        every = defined(name)
        for asked in every[-1].requests if every else ():
            if asked not in seen:
                seen.add(asked)
                order.append(asked)
    return order


def _depth_first(names: dict[str, None], defined: Defined, version: tuple[int, int]) -> list[str]:
    """From 9.0 on: a definition that asks for its own name leads to the one that it overrides.

    9.0 has all initial names first; 9.1 has what the first one leads to before the second one.
    """
    order = list(names) if version < (9, 1) else []
    seen = set(order)
    depth: dict[str, int] = {}
    pending: list[tuple[str, int, list[str]]] = []

    def enter(name: str) -> None:
        index = depth.get(name)
        if index == -1:
            return
        if name not in seen:
            seen.add(name)
            order.append(name)
        every = defined(name)
        if index is None:
            index = depth[name] = -1
        if not every or -index > len(every):
            return
        depth[name] = index - 1
        pending.append((name, index, list(every[index].requests[::-1])))

    for first in names:
        enter(first)
        while pending:
            name, index, asked = pending[-1]
            if asked:
                enter(asked.pop())
            else:
                depth[name] = index
                pending.pop()
    return order


if TYPE_CHECKING:
    from collections.abc import Callable

    Defined = Callable[[str], tuple[Definition, ...]]
