from __future__ import annotations

import ast

import pytest

from gatekeeper.source.facts.scope import Scope
from gatekeeper.source.facts.serial import BRIEF, FULL, TYPE, Serialiser
from gatekeeper.source.facts.structure import structure_hash
from gatekeeper.source.rows import canonical
from gatekeeper.source.show import show

NAMES = {
    "t": "typing", "te": "typing_extensions", "Optional": "typing.Optional", "Union": "typing.Union",
    "Literal": "typing.Literal", "Annotated": "typing.Annotated", "List": "typing.List", "Seq": "typing.Sequence",
    "abc": "collections.abc", "dc": "dataclasses", "partial": "functools.partial", "C": "m.C", "x": "m.x", "y": "m.y",
}  # fmt: skip


def write(source: str, mode: int = FULL) -> str:
    refs: set[str] = set()
    node = ast.parse(source, mode="eval").body
    return canonical(Serialiser(Scope("m", (dict(NAMES),)), refs).write(node, mode))


SAME = [
    ("0xFF", "255"),
    ("1_000", "1000"),
    ("-1", "- 1"),
    ("+1", "1"),
    ("1e3", "1000.0"),
    ("'a' 'b'", '"ab"'),
    ("u'a'", "'a'"),
    ("(1)", "1"),
    ("[1,]", "[1]"),
    ("f(a=1, b=2)", "f(b=2, a=1)"),
    ("{1, 2}", "{2, 1}"),
    ("f'{x!r:>{y}}'", 'f"{x!r:>{y}}"'),
    ("f'a' 'b' f'{x}'", "f'ab{x}'"),
    ("t.Optional", "Optional"),
    ("x[1:2]", "x[1:2:]"),
    ("lambda a: a", "lambda a:a"),
    ("0j", "0.0j"),
]
DIFFERENT = [
    ("1", "True"),
    ("1", "1.0"),
    ("1", "'1'"),
    ("b'a'", "'a'"),
    ("None", "False"),
    ("None", "..."),
    ("-1", "1"),
    ("0.0", "-0.0"),
    ("x", "y"),
    ("x.a", "x.b"),
    ("[1]", "(1,)"),
    ("[1, 2]", "[2, 1]"),
    ("f(1)", "f(a=1)"),
    ("f(*x)", "f(x)"),
    ("f(**x)", "f(*x)"),
    ("{1: 2}", "{2: 1}"),
    ("x[1]", "x[1:]"),
    ("x if y else 1", "y if x else 1"),
    ("lambda a: a", "lambda b: b.c"),
    ("x < y", "x <= y"),
    ("x and y", "x or y"),
    ("f'{x}'", "f'{x!r}'"),
    ("'a' * 2", "'a' * 3"),
    ("1j", "1.0"),
    ("'" + "a" * 300 + "'", "'" + "a" * 299 + "b'"),
    ("0x" + "f" * 40, "0x" + "f" * 41),
    ("[x for x in y]", "[x for x in x]"),
    ("'\\ud800'", "'\\ud801'"),
]
SAME_TYPES = [
    ("Optional[int]", "int | None"),
    ("Union[int, str]", "str | int"),
    ("t.Union[int, Optional[str]]", "None | int | str"),
    ("Union[int]", "int"),
    ("Union[int, int]", "int"),
    ("List[int]", "list[int]"),
    ("Seq[int]", "abc.Sequence[int]"),
    ("'int'", "int"),
    ("List['C']", "list[C]"),
    ("te.Literal['a', 'b']", "Literal['b', 'a']"),
    ("'Optional[C]'", "C | None"),
    ("t.Callable[[int], str]", "abc.Callable[[int], str]"),
    ("t.Type[C]", "type[C]"),
    ("te.Self", "t.Self"),
    ("Annotated[Optional[int], 'a']", "Annotated[None | int, 'a']"),
    ("' int '", "int"),
]
DIFFERENT_TYPES = [
    ("int", "str"),
    ("list[int]", "list[str]"),
    ("Literal['C']", "Literal[C]"),
    ("Annotated[int, 'C']", "Annotated[int, C]"),
    ("abc.Callable[[int], str]", "abc.Callable[..., str]"),
    ("tuple[int, str]", "tuple[str, int]"),
    ("Literal[1]", "Literal[True]"),
    ("t.Any", "object"),
    ("int", "int | None"),
    ("'not a type'", "'no type at all'"),
    ("tuple[()]", "tuple"),
    ("tuple[int, ...]", "tuple[int]"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spelling_does_not_matter(one: str, other: str) -> None:
    assert write(one) == write(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_meaning_does(one: str, other: str) -> None:
    assert write(one) != write(other)


@pytest.mark.parametrize(("one", "other"), SAME_TYPES)
def test_types_have_one_spelling(one: str, other: str) -> None:
    assert write(one, TYPE) == write(other, TYPE)


@pytest.mark.parametrize(("one", "other"), DIFFERENT_TYPES)
def test_types_differ(one: str, other: str) -> None:
    assert write(one, TYPE) != write(other, TYPE)


def test_strings_are_quoted_types_in_annotations_only() -> None:
    assert write("'int'") == '["str","int"]'
    assert write("'int'", TYPE) == '["name","int"]'


def test_calls_in_constants_are_known_by_their_callee() -> None:
    assert write("C(1)", BRIEF) == write("C(2)", BRIEF) != write("C(1)")
    assert write("[C(1)]", BRIEF) == write("[C(2)]", BRIEF)
    assert write("partial(C, 1)", BRIEF) != write("partial(C, 2)", BRIEF)
    assert write("x if y else 1", BRIEF) == '["expr","IfExp"]'


def test_what_is_local_is_not_followed() -> None:
    assert '"m.x"' not in write("lambda x: x.a")
    assert '"m.x"' not in write("[x.a for x in 'abc']")
    assert '"m.y"' in write("lambda x: y")


@pytest.mark.parametrize(
    "deep",
    [
        lambda end: "1" + "+1" * 900 + end,
        lambda end: "x" + ".b" * 900 + end,
        lambda end: "-" * 0 + "[" * 160 + "1" + end + "]" * 160,
        lambda end: "[" + "1," * 30_000 + "1" + end + "]",
        lambda end: "lambda a, b, c, d, e, f, g, h: " * 130 + "1" + end,
    ],
)
def test_beyond_the_budget_is_opaque_and_still_moves(deep: object) -> None:
    assert callable(deep)
    one, other = write(deep("")), write(deep("+ 3"))
    assert '"opaque"' in one
    assert one != other


def test_just_inside_the_budget_is_written() -> None:
    assert "opaque" not in write("1" + "+1" * 140)


def test_a_structure_hash_ignores_layout_and_nothing_else() -> None:
    def hashed(source: str) -> str:
        return structure_hash(ast.parse(source).body)

    assert hashed("f( 1,\n 'a' )  # why\n") == hashed('f(1, "a")')
    variants = [
        "f(1, 'a')",
        "f(1, b'a')",
        "f('a', 1)",
        "f(1, 'a', x)",
        "g(1, 'a')",
        "f(1)\n'a'",
        "f(1, '.a')",
        "f(True, 'a')",
    ]
    assert len({hashed(source) for source in variants}) == len(variants)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("-1.5", "-1.5"),
        ("'a\"b'", '"a\\"b"'),
        ("b'a'", "b'a'"),
        ("[1, (2,), {}]", "[1, (2,), {}]"),
        ("()", "()"),
        ("{'a': x, **y}", '{"a": m.x, **m.y}'),
        ("x < 1 <= y", "m.x < 1 <= m.y"),
        ("x and not y", "(m.x and not m.y)"),
        ("C(1, *x, a=2, **y)", "m.C(1, *m.x, a=2, **m.y)"),
        ("x + 1", "(m.x + 1)"),
        ("x[1]", "m.x[1]"),
        ("...", "..."),
        ("x().a", "m.x().a"),
        ("None", "None"),
        ("2j", "complex(0.0, 2.0)"),
        ("{1}", "{1}"),
        ("True", "True"),
    ],
)
def test_values_can_be_shown(source: str, shown: str) -> None:
    refs: set[str] = set()
    value = Serialiser(Scope("m", (dict(NAMES),)), refs).write(ast.parse(source, mode="eval").body)
    assert show(value) == shown


def test_types_can_be_shown() -> None:
    refs: set[str] = set()
    node = ast.parse("dict[Literal[1], Annotated[C | None, 3]]", mode="eval").body
    value = Serialiser(Scope("m", (dict(NAMES),)), refs).write(node, TYPE)
    assert show(value) == "dict[Literal[1], Annotated[m.C | None, 3]]"
    assert show(None) == ""
    assert show({"opaque": "0123456789abcdef"}) == "<opaque 0123456789ab>"
    assert show(["str#", 300, "ab"]) == '["str#",300,"ab"]'
