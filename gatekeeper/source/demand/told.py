"""What a source says to the rest of its tree: its facts without line numbers, and how far a change of them goes.

How far is a question of what the link step reads of a definition for the rows of *others*: nothing of a public function
but its path, the members' names of a public class, everything of what can stand in for something else.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gatekeeper.source.rows import Facts, Value

PAYLOAD, SHAPE, IDENTITY = 1, 2, 3
"""How far a change goes: its own rows; those of derived classes too; those of everything that names it."""


def told(facts: Facts) -> Facts:
    """Facts without the numbers of lines. By their places: a name may be called "line" too."""
    if "names" not in facts:
        return facts
    rest = {**facts, "names": {name: variants_told(variants) for name, variants in facts["names"].items()}}
    rest["stars"] = [star[:2] for star in facts["stars"]]
    rest["opaque"] = [item[1] for item in facts["opaque"]]
    return rest


def variants_told(variants: list[Value]) -> list[Value]:
    """The variants of one name, without the numbers of lines."""
    return [[guard, _item(item)] for guard, item in variants]


def _item(item: Mapping[str, Value]) -> dict[str, Value]:
    rest = {key: value for key, value in item.items() if key != "line"}
    if item["k"] == "class":
        rest["members"] = {name: variants_told(variants) for name, variants in item["members"].items()}
        rest["inst"] = {name: value[0] for name, value in item["inst"].items()}
        if "fields" in item:
            rest["fields"] = [field[:3] for field in item["fields"]]
    return rest


def moved_names(before: Facts, after: Facts) -> Iterator[tuple[str, int]]:
    """Each name whose variants differ between the facts of two sources (without lines), and how far that goes."""
    old, new = before.get("names", {}), after.get("names", {})
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            yield name, reach_of(old.get(name, []), new.get(name, []))


def reach_of(before: list[Value], after: list[Value]) -> int:
    """How far the change from one list of variants to another goes, if what they define is public where it stands."""
    kinds = {item["k"] for _, item in (*before, *after)}
    if not before or not after or len(kinds) > 1 or "import" in kinds:
        return IDENTITY
    if kinds == {"function"}:
        return PAYLOAD
    if kinds == {"class"}:
        same = [_shape(item) for _, item in before] == [_shape(item) for _, item in after]
        return PAYLOAD if same else SHAPE
    return IDENTITY if len(before) != len(after) or _stands_in(before) or _stands_in(after) else PAYLOAD


def _stands_in(variants: list[Value]) -> bool:
    """Whether an attribute is another name of something: what it names is looked up through it."""
    return any(isinstance(item["p"]["value"], list) and item["p"]["value"][0] == "name" for _, item in variants)


def _shape(item: Mapping[str, Value]) -> Value:
    """What derived classes read of a class: everything but what its methods take and give."""
    if item["k"] == "function":
        return "function"
    if item["k"] != "class":
        return item
    rest = {key: value for key, value in item.items() if key not in {"refs", "inst"}}
    rest["members"] = {name: [_shape(inner) for _, inner in found] for name, found in item["members"].items()}
    return [rest, sorted(item["inst"])]


def exports_differ(before: Facts, after: Facts) -> bool:
    """Whether what a module takes in by wildcard or lists in ``__all__`` differs, or what kind of file it is."""
    return any(before.get(key) != after.get(key) for key in ("all", "stars", "package", "error"))
