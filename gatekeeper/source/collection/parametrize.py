"""A call of ``parametrize``: which arguments, which sets of values, whose ids, by pytest's version."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.ids import IdMaker, ParameterSet
from gatekeeper.source.collection.outcome import Broken, Undecided
from gatekeeper.source.evaluate.values import (
    Class,
    External,
    Function,
    Generator,
    Instance,
    Mark,
    Method,
    Param,
    Partial,
    Thing,
    Unknown,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatekeeper.source.collection.scope import Evaluator, Settings
    from gatekeeper.source.evaluate.values import Value

    Pair = tuple[Sequence[Value], Value]

_KEYWORDS = ("argnames", "argvalues", "indirect", "ids", "scope")
_POSITIONAL = 2
"""From 9.1 on the others are keywords only."""

MOST = 100_000
"""More ids than this of one function are not listed: a grid of 10,000 by 10,000 must not be made."""


class Call(NamedTuple):
    """One call as it was written; ``single`` says that each value is one argument, not a tuple of them."""

    argnames: tuple[str, ...]
    single: bool
    argvalues: Value
    indirect: Value
    ids: Value
    line: int = 0

    def direct(self) -> frozenset[str]:
        """The arguments that are given as they are, not to a fixture of the same name.

        Raises:
            Undecided: ``indirect`` is not known.
            Broken: it names what is no argument, or is neither a boolean nor a sequence.
        """
        if isinstance(self.indirect, bool):
            return frozenset() if self.indirect else frozenset(self.argnames)
        if isinstance(self.indirect, list | tuple | str):
            names = [name for name in self.indirect if isinstance(name, str)]
            if len(names) == len(self.indirect):
                missing = [name for name in names if name not in self.argnames]
                if missing:
                    raise Broken(f"indirect fixture {missing[0]!r} is no argument of parametrize", self.line)
                return frozenset(self.argnames) - frozenset(names)
        raise Undecided("what parametrize calls indirect is not known")


def read_call(mark: Mark, evaluator: Evaluator, version: tuple[int, int]) -> Call:
    """What ``mark``, a ``pytest.mark.parametrize``, says.

    Raises:
        Undecided: its arguments' names are not known.
        Broken: pytest refuses them.
    """
    given: dict[str, Value] = dict(zip(_KEYWORDS, mark.args, strict=False))
    if len(mark.args) > len(_KEYWORDS) or (version >= (9, 1) and len(mark.args) > _POSITIONAL):
        raise Broken("parametrize has more positional arguments than it takes", mark.line)
    given.update(mark.kwargs)
    if "argnames" not in given or "argvalues" not in given or not given.keys() <= set(_KEYWORDS):
        raise Broken("parametrize has arguments that it does not take", mark.line)
    names, single = _names(given["argnames"], evaluator, version)
    if "request" in names:
        raise Broken("'request' is a reserved name and cannot be parametrized", mark.line)
    return Call(names, single, given["argvalues"], given.get("indirect", False), given.get("ids"), mark.line)


def _names(value: Value, evaluator: Evaluator, version: tuple[int, int]) -> tuple[tuple[str, ...], bool]:
    if isinstance(value, str):
        names = tuple(part.strip() for part in value.split(",") if part.strip())
        trailing = version >= (9, 1) and value.rstrip().endswith(",")
        return names, len(names) == 1 and not trailing
    items = list(value) if isinstance(value, list | tuple) else evaluator.items(value)
    if isinstance(items, Unknown):
        raise Undecided(items.reason)
    texts = tuple(item for item in items if isinstance(item, str))
    if len(texts) != len(items):
        raise Undecided("the names of the arguments of parametrize are not known")
    return texts, False


class Made(NamedTuple):
    """The ids of one call, None for one that is hidden, and the marks of each of its sets, None where none has any."""

    ids: list[str | None]
    marks: list[tuple[Value, ...]] | None = None


class Expander:
    """Makes the ids of calls and of fixtures' parameters, each once: tests share them by the thousand."""

    def __init__(self, evaluator: Evaluator, settings: Settings) -> None:
        self._evaluator = evaluator
        self._settings = settings
        self._maker = IdMaker(evaluator, settings)
        self._made: dict[tuple[int, str], tuple[object, Made | Exception]] = {}

    def of_call(self, mark: Mark, call: Call) -> Made:
        """What ``mark`` makes. Raises Undecided or Broken."""
        return self._once(mark, call)

    def of_fixture(self, source: object, name: str, params: Value, ids: Value) -> Made:
        """What the parameters make of the fixture ``name``; ``source`` is what they are cached by."""
        return self._once(source, Call((name,), True, params, True, ids))

    def _once(self, source: object, call: Call) -> Made:
        key = (id(source), ",".join(call.argnames))
        if key not in self._made:
            # The source is kept beside its ids, so that nothing else can get its identity.
            try:
                self._made[key] = (source, self._make(call))
            except (Undecided, Broken) as problem:
                self._made[key] = (source, problem)
        made = self._made[key][1]
        if isinstance(made, Broken):
            raise Broken(str(made), made.line)
        if isinstance(made, Exception):
            raise Undecided(str(made))
        if isinstance(call.argvalues, Generator) and isinstance(source, Mark):
            self._made[key] = (source, self._spend(call))
        return made

    def _make(self, call: Call) -> Made:
        values = self._values(call.argvalues)
        sets = self._sets(values, call)
        unordered = isinstance(call.argvalues, set | frozenset) and len(values) > 1
        if not sets:
            return self._empty(call)
        given, function = self._ids(call.ids, len(sets))
        made = self._maker.make(call.argnames, sets, given, function)
        if unordered and self._maker.make(call.argnames, sets[::-1], given, function) != made[::-1]:
            raise Undecided("the ids depend on the order of a set")
        marks = [value.marks if isinstance(value, Param) else () for value in values]
        return Made(made, marks if any(marks) else None)

    def _spend(self, call: Call) -> Made | Exception:
        """A generator is used up by the first test: to the next one it is an empty set of parameters."""
        try:
            return self._empty(call)
        except Broken as problem:
            return problem

    def _empty(self, call: Call) -> Made:
        if self._settings.empty_sets == "fail_at_collect":
            raise Broken(f"empty parameter set for {', '.join(call.argnames)}", call.line)
        if isinstance(call.ids, list | tuple) and len(call.ids) > 1:
            raise Broken(f"1 parameter set (an empty one) with {len(call.ids)} ids", call.line)
        marks: list[tuple[Value, ...]] = [(Mark(self._settings.empty_sets),)]
        if self._settings.pytest >= (8, 4):
            return Made(["NOTSET"], marks)
        given, function = self._ids(call.ids, 1) if call.ids is not None else (None, None)
        if function is not None:
            raise Undecided("an ids function is asked for the id of an empty set of parameters")
        return Made(self._maker.make(call.argnames, [ParameterSet([...] * len(call.argnames))], given, None), marks)

    def _values(self, value: Value) -> list[Value]:
        found = list(value) if isinstance(value, list | tuple | set | frozenset) else self._evaluator.items(value)
        if isinstance(found, Unknown):
            raise Undecided(found.reason)
        if len(found) > MOST:
            raise Undecided(f"more than {MOST:,} parameters")
        return found

    def _sets(self, values: Sequence[Value], call: Call) -> list[Pair]:
        wanted = len(call.argnames)
        sets = []
        for value in values:
            if isinstance(value, Param):
                made: Pair = (value.values, value.id)
            elif isinstance(value, Unknown):
                # It may be a pytest.param with an id, or a tuple of any length.
                raise Undecided(value.reason)
            elif call.single:
                made = ((value,), None)
            else:
                made = (self._parts(value), None)
            if len(made[0]) != wanted:
                raise Broken(f"{len(made[0])} values for {wanted} arguments of parametrize", call.line)
            sets.append(made)
        return sets

    def _parts(self, value: Value) -> Sequence[Value]:
        if isinstance(value, tuple | list | str | dict):
            return tuple(value)
        if isinstance(value, bytes):
            return tuple(value)
        if isinstance(value, Instance | Thing | External | Function | Class):
            found = self._evaluator.items(value)
            if isinstance(found, Unknown):
                raise Undecided(found.reason)
            return found
        raise Broken(f"parametrize wants a sequence of values, not {value!r:.60}")

    def _ids(self, ids: Value, count: int) -> tuple[list[Value] | None, Value]:
        """The list of ids and the function that makes them; at most one of the two."""
        if ids is None:
            return None, None
        if isinstance(ids, Function | Method | Partial | External | Class):
            return None, ids
        if isinstance(ids, Unknown):
            raise Undecided(ids.reason)
        found = list(ids) if isinstance(ids, list | tuple) else self._evaluator.items(ids)
        if isinstance(found, Unknown):
            if isinstance(ids, Instance):
                return None, ids
            raise Undecided(found.reason)
        if isinstance(ids, Generator):
            return found[:count], None
        if len(found) != count and found:
            raise Broken(f"{count} parameter sets with {len(found)} ids")
        return found, None


def product(calls: Sequence[list[str | None]]) -> tuple[str, ...]:
    """What follows the name of a test for each combination: the last call varies fastest.

    Raises:
        Undecided: there are more than ``MOST``.
    """
    total = 1
    for ids in calls:
        total *= len(ids)
    if total > MOST:
        raise Undecided(f"{total:,} combinations of parameters")
    texts: list[str | None] = [None]
    for ids in calls:
        if texts == [None]:
            texts = list(ids)
        elif None in ids or None in texts:
            texts = [_joined(left, right) for left in texts for right in ids]
        else:
            texts = [f"{left}-{right}" for left in texts for right in ids]
    return tuple("" if text is None else f"[{text}]" for text in texts)


def _joined(left: str | None, right: str | None) -> str | None:
    return right if left is None else left if right is None else f"{left}-{right}"


def marks_of_items(calls: Sequence[Made]) -> list[tuple[Value, ...]] | None:
    """The marks that the sets of each item bring, in the order of :func:`product`; None where there are none."""
    if all(made.marks is None for made in calls):
        return None
    rows: list[tuple[Value, ...]] = [()]
    for made in calls:
        brought = made.marks or [()] * len(made.ids)
        rows = [left + right for left in rows for right in brought]
    return rows
