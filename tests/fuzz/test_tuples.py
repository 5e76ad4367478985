"""Our NamedTuple, which spares the import of typing, behaves like the one that type checkers take it for."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatekeeper import _tuples, model
from gatekeeper.policy import Layer
from tests.fuzz.effort import effort

if TYPE_CHECKING:
    from collections.abc import Callable


class Ours(_tuples.NamedTuple):
    """Three fields, one with a default."""

    first: int
    second: str
    third: tuple[int, ...] = ()

    @property
    def both(self) -> str:
        """A property over fields."""
        return f"{self.first}{self.second}"


class Theirs(typing.NamedTuple):
    """The same in the standard library's."""

    first: int
    second: str
    third: tuple[int, ...] = ()

    @property
    def both(self) -> str:
        """A property over fields."""
        return f"{self.first}{self.second}"


VALUES = st.integers() | st.text(max_size=3) | st.none() | st.tuples(st.integers())
NAMED = st.dictionaries(st.sampled_from(["first", "second", "third", "fourth", "_fields"]), VALUES, max_size=4)


def outcome(make: Callable[[], Any]) -> Any:
    try:
        made = make()
    except (TypeError, ValueError):
        return "refused"
    return tuple(made), repr(made).partition("(")[2], hash(made), made.both


@effort(400)
@given(st.lists(VALUES, max_size=5), NAMED)
def test_construction(values: list[Any], named: dict[str, Any]) -> None:
    assert outcome(lambda: Ours(*values, **named)) == outcome(lambda: Theirs(*values, **named))


@effort(400)
@given(st.tuples(VALUES, VALUES, VALUES), NAMED)
def test_replacement(row: tuple[Any, Any, Any], named: dict[str, Any]) -> None:
    ours, theirs = Ours(*row), Theirs(*row)
    assert outcome(lambda: ours._replace(**named)) == outcome(lambda: theirs._replace(**named))
    assert tuple(ours) == row


@effort(200)
@given(st.tuples(VALUES, VALUES, VALUES), st.tuples(VALUES, VALUES, VALUES))
def test_comparison(left: tuple[Any, Any, Any], right: tuple[Any, Any, Any]) -> None:
    one, other = Ours(*left), Ours(*right)
    assert (one == other) == (left == right)
    assert (one.first, one.second, one.third) == left
    assert one[1:] == left[1:]
    assert len({one, Ours(*left), left}) == 1


def test_shape() -> None:
    assert Ours._fields == Theirs._fields
    assert isinstance(Ours(1, "a"), tuple)
    assert type(Ours(1, "a")._replace(first=2)) is Ours
    assert repr(Ours(1, "a")) == "Ours(first=1, second='a', third=())"
    assert Ours.__doc__ == "Three fields, one with a default."
    match Ours(1, "a"):
        case (1, second, ()):
            assert second == "a"
        case _:
            pytest.fail("does not match as a sequence")


def test_no_field_can_be_assigned() -> None:
    value: Any = Ours(1, "a")
    with pytest.raises(AttributeError):
        value.first = 2
    with pytest.raises(AttributeError):
        value.fourth = 2


@pytest.mark.parametrize("kind", [model.RefUpdate, model.Entry, model.Change, model.Commit, model.Finding, Layer])
def test_the_values_of_the_hot_path_are_such_tuples(kind: Any) -> None:
    assert issubclass(kind, tuple)
    assert kind._fields == tuple(kind.__annotations__)
    assert not hasattr(kind(*kind._fields), "__dict__")
