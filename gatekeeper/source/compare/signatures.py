"""Whether every call that one signature accepts still works with another: decided by witness calls, not by heuristics.

A call is ``k`` positional values and a set of keywords. Whenever some call binds to the old signature and not to the
new one, so does one of these: ``k`` values with only the keywords that are required at ``k``, alone or with one
keyword more. The proof is by the reason of the failure. Too many values, or a required parameter without one: the
minimal keywords fail for the same ``k``. A keyword that is unknown, or that names a parameter which a value fills: the
minimal keywords and that one fail. So the verdict is exact, and the witness is the message.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

POSITIONAL, EITHER, VARIADIC, KEYWORD, KEYWORDS = "pos", "pok", "var", "kwo", "kw"

FRESH = "anything_else"
"""A keyword that neither signature names."""


class Parameter(NamedTuple):
    """One parameter; ``name`` means nothing for positional-only and variadic ones, whose name nobody can pass."""

    slot: str
    name: str
    required: bool


class Call(NamedTuple):
    """``values`` positional values and some keywords."""

    values: int
    keywords: tuple[str, ...]

    def text(self, name: str) -> str:
        """The call as Python, with the numbers 1, 2, 3 … for values."""
        shown = [str(number + 1) for number in range(self.values)]
        shown += [f"{word}={self.values + number + 1}" for number, word in enumerate(self.keywords)]
        return f"{name}({', '.join(shown)})"


class Difference(NamedTuple):
    """What one call shows: ``kind`` is ``call-rejected``, ``call-rebound`` or ``kw-captured``."""

    kind: str
    call: Call
    reason: str


class Signature:
    """Parameters in order, and how calls bind to them (the rules of ``inspect.Signature.bind``)."""

    def __init__(self, parameters: Sequence[Parameter]) -> None:
        fresh = FRESH
        while any(parameter.name == fresh for parameter in parameters):
            fresh += "_"
        self.fresh = fresh
        self.positional = [p for p in parameters if p.slot in (POSITIONAL, EITHER)]
        self.variadic = any(p.slot == VARIADIC for p in parameters)
        self.open = any(p.slot == KEYWORDS for p in parameters)
        self.named = {p.name: p for p in parameters if p.slot in (EITHER, KEYWORD)}
        self._index = {p.name: number for number, p in enumerate(self.positional) if p.slot == EITHER}

    def minimal(self, values: int) -> frozenset[str] | None:
        """The keywords that every call with ``values`` positional values needs; None when no such call binds."""
        if values > len(self.positional) and not self.variadic:
            return None
        rest = self.positional[values:]
        if any(p.slot == POSITIONAL and p.required for p in rest):
            return None
        needed = [p.name for p in rest if p.required]
        needed += [p.name for p in self.named.values() if p.slot == KEYWORD and p.required]
        return frozenset(needed)

    def refuses(self, call: Call) -> str | None:
        """Why Python would raise TypeError for ``call``, or None when it binds."""
        if call.values > len(self.positional) and not self.variadic:
            return f"takes {len(self.positional)} positional values"
        for word in call.keywords:
            if self._index.get(word, call.values) < call.values:
                return f"two values for {word!r}"
            if word not in self.named and not self.open:
                return f"unknown keyword {word!r}"
        for parameter in self.positional[call.values :]:
            if parameter.required and (parameter.slot == POSITIONAL or parameter.name not in call.keywords):
                return f"{_shown(parameter, self.positional)} is required"
        for parameter in self.named.values():
            if parameter.slot == KEYWORD and parameter.required and parameter.name not in call.keywords:
                return f"keyword {parameter.name!r} is required"
        return None

    def lands(self, value: int) -> Parameter | None:
        """The parameter that takes the positional value of that index; None for ``*args``."""
        return self.positional[value] if value < len(self.positional) else None


def _shown(parameter: Parameter, among: Sequence[Parameter]) -> str:
    if parameter.slot == POSITIONAL:
        return f"positional value {among.index(parameter) + 1}"
    return repr(parameter.name)


def parameters(rows: Sequence[Sequence[object]]) -> tuple[Parameter, ...]:
    """Parameters from the ``params`` of a function row: ``[slot, name, default | None, annotation | None]``."""
    return tuple(Parameter(str(row[0]), str(row[1]), row[2] is None) for row in rows)


def witnesses(old: Signature, new: Signature) -> Iterator[Call]:
    """Calls that bind to ``old`` and between them show everything that ``new`` may refuse or bind elsewhere."""
    most = max(len(old.positional), len(new.positional)) + 1 if old.variadic else len(old.positional)
    fresh = max(old.fresh, new.fresh, key=len)
    words = dict.fromkeys((*old.named, *new.named, fresh))
    for values in range(most + 1):
        needed = old.minimal(values)
        if needed is None:
            continue
        least = tuple(word for word in words if word in needed)
        yield Call(values, least)
        for word in words:
            if word not in needed:
                call = Call(values, (*least, word))
                if old.refuses(call) is None:
                    yield call


def differences(old: Signature, new: Signature) -> tuple[Difference, ...]:
    """One difference of each kind at most, the shortest call that shows it first.

    Empty means that every call that bound still binds, and that its values reach the parameters that they reached.
    """
    found: dict[str, Difference] = {}
    for call in witnesses(old, new):
        reason = new.refuses(call)
        if reason is not None:
            found.setdefault("call-rejected", Difference("call-rejected", call, reason))
            continue
        for difference in (*_moved_values(old, new, call), *_moved_keywords(old, new, call)):
            found.setdefault(difference.kind, difference)
    order = ("call-rejected", "call-rebound", "kw-captured")
    return tuple(found[kind] for kind in order if kind in found)


def _moved_values(old: Signature, new: Signature, call: Call) -> Iterator[Difference]:
    for value in range(call.values):
        before, after = old.lands(value), new.lands(value)
        if before is None and after is None:
            return
        if before is not None and before.slot == POSITIONAL and (after is None or after.slot != POSITIONAL):
            continue  # a place without a name gained one, or became one of *args
        if before is None or after is None or _elsewhere(before, after, new):
            yield Difference("call-rebound", call, f"value {value + 1} went {_place(before)}, now {_place(after)}")


def _elsewhere(before: Parameter, after: Parameter, new: Signature) -> bool:
    """Whether a value that had a named place has one of another name, or none while its name means another place."""
    if before.slot != EITHER:
        return False
    return before.name != after.name if after.slot == EITHER else before.name in new.named


def _moved_keywords(old: Signature, new: Signature, call: Call) -> Iterator[Difference]:
    for word in call.keywords:
        if word not in old.named and word in new.named:
            yield Difference("kw-captured", call, f"{word!r} went to **kwargs, now to a parameter of its own")
        elif word in old.named and word not in new.named:
            yield Difference("call-rebound", call, f"{word!r} had a parameter of its own, now goes to **kwargs")


def _place(parameter: Parameter | None) -> str:
    if parameter is None:
        return "to *args"
    return "to a place without a name" if parameter.slot == POSITIONAL else f"to {parameter.name!r}"
