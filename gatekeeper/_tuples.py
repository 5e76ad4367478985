"""``NamedTuple`` without the import of ``typing``.

Importing :mod:`typing` pulls in :mod:`re`, :mod:`collections` and :mod:`functools`: on the hook's path that costs
more than the judgement itself. Type checkers see the real ``typing.NamedTuple``; at run time this small metaclass
builds the same kind of class: an immutable tuple with named fields, defaults and keyword construction.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414 (re-exported)
else:
    from _collections import _tuplegetter

    def _make(cls, *values, **named):
        fields, defaults = cls._fields, cls._defaults
        if len(values) == len(fields) and not named:
            return tuple.__new__(cls, values)
        if len(values) > len(fields):
            raise TypeError(f"{cls.__name__} takes {len(fields)} values, got {len(values)}")
        row = list(values)
        for field in fields[len(values) :]:
            if field in named:
                row.append(named.pop(field))
            elif field in defaults:
                row.append(defaults[field])
            else:
                raise TypeError(f"{cls.__name__} misses {field!r}")
        if named:
            raise TypeError(f"{cls.__name__} has no field {next(iter(named))!r}")
        return tuple.__new__(cls, row)

    def _repr(self):
        shown = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({shown})"

    def _replace(self, **changes):
        row = [changes.pop(name, value) for name, value in zip(self._fields, self, strict=True)]
        return type(self)(*row, **changes)

    class _Meta(type):
        def __new__(mcs, name, bases, body):
            if not bases:
                return super().__new__(mcs, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body.pop(field) for field in fields if field in body}
            members = {field: _tuplegetter(index, f"Field {index}") for index, field in enumerate(fields)}
            shape = {"__slots__": (), "_fields": fields, "_defaults": defaults, "__new__": _make, "__repr__": _repr}
            shape["_replace"] = _replace
            return super().__new__(mcs, name, (tuple,), {**shape, **members, **body})

    class NamedTuple(metaclass=_Meta):
        """The base that a value class names; it never appears in the class's bases."""
