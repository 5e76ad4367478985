"""The ids of parameter sets as pytest's ``IdMaker`` makes them, by its version.

An id comes from ``pytest.param(id=)``, else from the list ``ids``, else from the values, each by the function ``ids``,
by its own kind, or by the argument's name and the index of the set; ids that are not unique get a suffix.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.escaping import escaped
from gatekeeper.source.collection.naming import BY_INDEX, named
from gatekeeper.source.collection.outcome import Broken, Undecided
from gatekeeper.source.evaluate.values import External, Unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatekeeper.source.collection.scope import Evaluator, Settings
    from gatekeeper.source.evaluate.values import Value

HIDDEN = "pytest.HIDDEN_PARAM"
"""The External that hides a set from the name of its test (8.4 and later)."""

_LONG = 100


class ParameterSet(NamedTuple):
    """One set: a value for each argument; ``id`` None, the text given, or the External that hides it."""

    values: Sequence[Value]
    id: Value = None


class IdMaker:
    """Makes the ids of one call of ``parametrize``; None stands for a set that is hidden from the name."""

    def __init__(self, evaluator: Evaluator, settings: Settings) -> None:
        self._evaluator = evaluator
        self._settings = settings
        self._version = settings.pytest
        self._raw = settings.raw_ids
        self._texts: dict[str, str] = {}
        self._outside: dict[str, str | None] = {}

    def make(
        self,
        argnames: Sequence[str],
        sets: Sequence[tuple[Sequence[Value], Value]],
        given: Sequence[Value] | None,
        function: Value,
    ) -> list[str | None]:
        """The ids of ``sets``; ``given`` is the list of ids, ``function`` what is called for each value.

        Raises:
            Undecided: an id depends on a value that is not known.
            Broken: pytest refuses these ids.
        """
        resolved: list[str | None] = []
        texts = self._texts
        for index, (values, own) in enumerate(sets):
            if own is not None:
                resolved.append(self._own(own))
            elif given and index < len(given) and given[index] is not None:
                resolved.append(self._given(given[index]))
            elif function is None:
                # The same texts stand in thousands of sets: most are found without a call.
                parts = [
                    (type(value) is str and texts.get(value)) or self._value(value, name, index, None)
                    for value, name in zip(values, argnames, strict=True)
                ]
                resolved.append("-".join(parts))
            else:
                parts = [
                    self._value(value, name, index, function) for value, name in zip(values, argnames, strict=True)
                ]
                resolved.append("-".join(parts))
        return self._unique(resolved) if len(resolved) != len(set(resolved)) else resolved

    def _own(self, own: Value) -> str | None:
        if type(own) is str:
            return escaped(own, raw=self._raw)
        if self._hidden(own):
            return None
        raise Undecided(own.reason if isinstance(own, Unknown) else "the id of a pytest.param is not known")

    def _hidden(self, value: Value) -> bool:
        return self._version >= (8, 4) and getattr(value, "name", None) == HIDDEN

    def _given(self, value: Value) -> str | None:
        if self._hidden(value):
            return None
        found = self._by_kind(value)
        if found is None:
            raise Broken("ids contains a value that makes no id")
        return found

    def _value(self, value: Value, name: str, index: int, function: Value) -> str:
        if function is not None:
            found = self._evaluator.call(function, [value], {})
            if isinstance(found, Unknown):
                raise Undecided(found.reason)
            text = None if found is None else self._by_kind(found)
            if text is not None:
                return text
        kind = type(value)
        if kind is str and len(value) <= _LONG:  # type: ignore[arg-type]
            self._texts[value] = found = escaped(value, raw=self._raw)  # type: ignore[index, arg-type]
            return found
        if (kind is str or kind is bytes) and len(value) > _LONG and self._version >= (9, 2):  # type: ignore[arg-type]
            return self._long(value, name, index)  # type: ignore[arg-type]
        text = self._by_kind(value)
        return f"{name}{index}" if text is None else text

    def _long(self, value: str | bytes, name: str, index: int) -> str:
        match self._settings.long_ids:
            case "legacy":
                return escaped(value, raw=self._raw)
            case "sha256":
                return hashlib.sha256(value.encode() if isinstance(value, str) else value).hexdigest()
            case "disallow":
                raise Broken(f"the value for {name!r} at index {index} is too long for an id")
            case _:
                return f"{name}{index}"

    def _by_kind(self, value: Value) -> str | None:
        """The id that the kind of ``value`` gives, None where it gives none."""
        kind = type(value)
        if kind is str or kind is bytes:
            return escaped(value, raw=self._raw)  # type: ignore[arg-type]
        if value is None or kind is int or kind is bool or kind is float or kind is complex:
            return str(value)
        if kind in BY_INDEX:
            return None
        if kind is re.Pattern:
            return escaped(value.pattern)  # type: ignore[attr-defined]
        if kind is not External:
            return named(value, self._evaluator, self._settings)
        name = value.name  # type: ignore[attr-defined]
        if name not in self._outside:
            self._outside[name] = named(value, self._evaluator, self._settings)
        return self._outside[name]

    def _unique(self, ids: list[str | None]) -> list[str | None]:
        """``ids`` with suffixes where they are not unique: counted over the whole call, before any suffix is given."""
        counts = Counter(ids)
        if self._settings.strict_ids and self._version >= (9, 0):
            raise Broken("duplicate ids, which strict_parametrization_ids forbids")
        if counts[None] > 1:
            raise Broken("more than one HIDDEN_PARAM in one call of parametrize")
        old = self._version < (8, 0)
        live, following = Counter(ids), dict.fromkeys(ids, 0)
        for index, text in enumerate(ids):
            if text is None or counts[text] == 1:
                continue
            suffix = "_" if text and text[-1].isdigit() and not old else ""
            new = f"{text}{suffix}{following[text]}"
            while live[new] and not old:
                following[text] += 1
                new = f"{text}{suffix}{following[text]}"
            ids[index] = new
            following[text] += 1
            live[text] -= 1
            live[new] += 1
        return ids
