"""The marks of a test, nearest first: its own, those of its classes over their bases, those of its module."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.outcome import Broken, Undecided
from gatekeeper.source.evaluate.values import Class, Function, Mark, Module, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gatekeeper.source.collection.scope import Evaluator
    from gatekeeper.source.evaluate.values import Binding, Value

_ATTRIBUTE = "pytestmark"


def unpacked(value: Value, owner: str) -> list[Mark]:
    """What ``pytestmark`` of ``owner`` holds: one mark or a list of them.

    Raises:
        Undecided: a part of it is not known.
        Broken: something in it is no mark; a tuple is none.
    """
    marks: list[Mark] = []
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, Mark):
            marks.append(item)
        elif item is None or isinstance(item, tuple | str | int | Function | Class):
            raise Broken(f"the pytestmark of {owner} holds what is no mark")
        else:
            raise Undecided(item.reason if isinstance(item, Unknown) else f"a mark of {owner} is not known")
    return marks


def own_marks(value: Value, evaluator: Evaluator) -> list[Mark]:
    """The marks on a function, class (with those of its bases, the farthest first) or module itself.

    Raises:
        Undecided, Broken: see :func:`unpacked`.
    """
    if isinstance(value, Function):
        if _ATTRIBUTE in value.attributes:
            return unpacked(value.attributes[_ATTRIBUTE], value.name)
        return value.marks
    if isinstance(value, Module):
        return _bound(value.namespace.get(_ATTRIBUTE), value.name)
    marks: list[Mark] = []
    if isinstance(value, Class):
        for base in reversed(evaluator.mro(value)):
            if isinstance(base, Class):
                marks += _bound(base.namespace.get(_ATTRIBUTE), base.name)
                marks += base.marks
            elif isinstance(base, Unknown):
                raise Undecided(base.reason)
    return marks


def _bound(binding: Binding | None, owner: str) -> list[Mark]:
    return [] if binding is None else unpacked(binding.value, owner)


def of_name(marks: Iterable[Mark], name: str) -> Iterator[Mark]:
    """Those of ``marks`` that are called ``name``."""
    return (mark for mark in marks if mark.name == name)
