from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from _pytest.mark.expression import Expression
from hypothesis import given
from hypothesis import strategies as st

from gatekeeper.source.collection.config import Refused
from gatekeeper.source.collection.expressions import parse

if TYPE_CHECKING:
    from collections.abc import Mapping

WORDS = [
    "a",
    "b",
    "a.b[c]",
    "not",
    "and",
    "or",
    "(",
    ")",
    " ",
    "\t",
    "a(x=1)",
    "b(x='t', y=-2)",
    "=",
    ",",
    "$",
    "not_a",
]


@given(st.lists(st.sampled_from(WORDS), max_size=9), st.sets(st.sampled_from(["a", "b", "a.b[c]", "not_a"])))
def test_means_what_pytest_takes_it_for(parts: list[str], true: set[str]) -> None:
    text = " ".join(parts)

    def matches(name: str, arguments: Mapping[str, object] = {}) -> bool:
        return name in true and arguments.get("x") != "t"

    try:
        real = Expression.compile(text)
    except SyntaxError:
        with pytest.raises(Refused):
            parse(text, (9, 2))
        return
    wanted = real.evaluate(lambda name, /, **arguments: matches(name, arguments))
    assert parse(text, (9, 2)).evaluate(matches) is wanted


@pytest.mark.parametrize(
    ("text", "answer"),
    [("u or a", True), ("u and a", None), ("u and b", False), ("not u", None), ("u or b", None), ("u or not u", None)],
)
def test_what_is_not_known_decides_only_where_it_must(text: str, answer: bool | None) -> None:
    known = {"a": True, "b": False}
    assert parse(text, (9, 2)).evaluate(lambda name, _: known.get(name)) is answer


@pytest.mark.parametrize("text", ["a(x=1)", "a 'b'"])
def test_arguments_of_marks_are_new_in_8_3(text: str) -> None:
    with pytest.raises(Refused):
        parse(text, (8, 2))


def test_a_bomb_of_parentheses_is_refused() -> None:
    with pytest.raises(Refused, match="too deep"):
        parse("(" * 100_000, (9, 2))
