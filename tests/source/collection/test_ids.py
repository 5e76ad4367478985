"""Ids against pytest's own maker of ids, and by the rules of the versions that are not installed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from _pytest.mark.structures import ParameterSet as TheirSet
from _pytest.python import IdMaker as TheirMaker
from hypothesis import given, settings
from hypothesis import strategies as st

from gatekeeper.source.collection.ids import HIDDEN, IdMaker, ParameterSet
from gatekeeper.source.collection.outcome import Broken, Undecided
from gatekeeper.source.collection.scope import Settings
from gatekeeper.source.evaluate.values import Binding, Class, External, Instance, Thing, Unknown
from tests.source.collection.given import Given, function_of, module_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatekeeper.source.evaluate.values import Value

MAJOR, MINOR = pytest.__version__.split(".")[:2]
INSTALLED = (int(MAJOR), int(MINOR))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.floats()
    | st.complex_numbers()
    | st.text(max_size=4)
    | st.binary(max_size=4)
    | st.sampled_from(["", "a", "a0", "a_0", "0", "x" * 101, b"y" * 101, "é\t\\", ..., (), {}, re.compile("é\\d")])
)


def ids_of(values: Sequence[Value], given_ids: list[Value] | None = None, **options: object) -> list[str | None]:
    version = options.pop("pytest", INSTALLED)
    maker = IdMaker(Given(), Settings(pytest=version, **options))  # type: ignore[arg-type]
    return maker.make(["x"], [ParameterSet((value,)) for value in values], given_ids, None)


@given(st.lists(st.tuples(SCALARS, SCALARS), min_size=1, max_size=12))
@settings(max_examples=150)
def test_as_the_installed_pytest_makes_them(rows: list[tuple[object, object]]) -> None:
    theirs = TheirMaker(["x", "yy"], [TheirSet.param(*row) for row in rows], None, None, None, nodeid=None)
    ours = IdMaker(Given(), Settings(pytest=INSTALLED))
    assert ours.make(["x", "yy"], [ParameterSet(row) for row in rows], None, None) == (
        theirs.make_unique_parameterset_ids()
    )


@given(st.lists(st.sampled_from(["a", "a0", "a_0", "a1", "0", "0_0", "", "0_1", "b"]), min_size=1, max_size=12))
def test_duplicates_as_the_installed_pytest_numbers_them(texts: list[str]) -> None:
    theirs = TheirMaker(["x"], [TheirSet.param(text) for text in texts], None, None, None, nodeid=None)
    assert ids_of(texts) == theirs.make_unique_parameterset_ids()


@pytest.mark.parametrize(
    ("version", "expected"),
    [((7, 4), ["a0", "a1", "b0", "b1", "a0"]), ((8, 0), ["a1", "a2", "b0", "b1", "a0"])],
)
def test_the_number_of_a_duplicate_skips_what_is_taken_from_8_on(version: tuple[int, int], expected: list[str]) -> None:
    assert ids_of(["a", "a", "b", "b", "a0"], pytest=version) == expected


def test_an_id_that_ends_in_a_digit_is_numbered_behind_a_bar_from_8_on() -> None:
    assert ids_of([1, 1], pytest=(8, 0)) == ["1_0", "1_1"]
    assert ids_of([1, 1], pytest=(7, 4)) == ["10", "11"]


def test_long_text_is_left_out_of_ids_from_9_2_on() -> None:
    long = "y" * 101
    assert ids_of([long, "z" * 100], pytest=(9, 2)) == ["x0", "z" * 100]
    assert ids_of([long], pytest=(9, 1)) == [long]
    assert ids_of([long], pytest=(9, 2), long_ids="legacy") == [long]
    assert len(ids_of([long], pytest=(9, 2), long_ids="sha256")[0] or "") == 64
    with pytest.raises(Broken, match="too long"):
        ids_of([long], pytest=(9, 2), long_ids="disallow")


def test_ids_that_are_given_are_never_too_long() -> None:
    assert ids_of([1], ["y" * 101], pytest=(9, 2)) == ["y" * 101]


def test_duplicates_under_strict_ids_are_an_error_from_9_on() -> None:
    assert ids_of(["a", "a"], pytest=(8, 4), strict_ids=True) == ["a0", "a1"]
    with pytest.raises(Broken, match="strict_parametrization_ids"):
        ids_of(["a", "a"], pytest=(9, 0), strict_ids=True)


def test_a_list_of_ids_may_leave_gaps_and_may_not_hold_what_makes_no_id() -> None:
    assert ids_of([(), (), 3], [None, 2.5, None]) == ["x0", "2.5", "3"]
    with pytest.raises(Broken, match="makes no id"):
        ids_of([1], [()])


def test_one_set_may_be_hidden() -> None:
    assert ids_of([1, 2], [External(HIDDEN), None]) == [None, "2"]
    with pytest.raises(Broken, match="HIDDEN_PARAM"):
        ids_of([1, 2], [External(HIDDEN), External(HIDDEN)])


def test_what_is_not_known_makes_no_id() -> None:
    for value in (Unknown("a file"), External("numpy.nan"), Thing("builtins.str")):
        with pytest.raises(Undecided):
            ids_of([value])
    assert ids_of([External("collections.OrderedDict"), External("builtins.IOError"), External("os.path")]) == [
        "OrderedDict",
        "OSError",
        "posixpath",
    ]


def test_the_function_for_ids_is_asked_first_and_may_decline() -> None:
    function = function_of("def name_it(value): ...")
    maker = IdMaker(Given({"name_it": lambda value: "big" if value == 10 else None}), Settings())
    assert maker.make(["x"], [ParameterSet((10,)), ParameterSet(((),))], None, function) == ["big", "x1"]


def test_an_instance_is_named_by_its_argument_unless_its_class_may_give_it_a_name() -> None:

    module = module_of("class Plain: ...\nclass Named:\n    __name__ = 'n'")

    plain = Class(module.tree.body[0], module, "Plain")  # type: ignore[arg-type]
    odd = Class(module.tree.body[1], module, "Named", namespace={"__name__": Binding("n")})  # type: ignore[arg-type]
    assert ids_of([Instance(plain), plain]) == ["x0", "Plain"]
    with pytest.raises(Undecided, match="decides on its own"):
        ids_of([Instance(odd)])
