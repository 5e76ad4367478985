"""The dotted paths in the facts of a definition, and how each of them is meant."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.demand.near import stands_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gatekeeper.source.rows import Facts, Value

IS, BASE, MEMBER, MENTION = "is", "base", "member", "mention"
"""How a definition names something: as what it is another name of, as a base, as a member, or anywhere else."""


def definitions(facts: Facts) -> Iterator[tuple[str, Mapping[str, Value]]]:
    """Every name of a module with each of its variants."""
    for name, variants in facts.get("names", {}).items():
        for _, item in variants:
            yield name, item


def mentions(item: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
    """Every dotted path that a definition names, those of its members included, and how."""
    for path in stands_for(item):
        yield path, IS
    for path in item.get("refs", ()):
        yield path, MENTION
    if item["k"] == "class":
        yield from _class_mentions(item)


def _class_mentions(item: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
    for base in item["bases"]:
        name = base[1] if isinstance(base, list) and base[0] == "sub" else base
        if isinstance(name, list) and name[0] == "name":
            yield name[1], BASE
    for _, member in definitions({"names": item["members"]}):
        for path, how in mentions(member):
            yield path, MEMBER if how == IS else how
