"""Verdicts on signatures agree with ``inspect.Signature.bind`` on every call of a bounded, exhaustive set."""

from __future__ import annotations

import inspect
import os
import random
from inspect import Parameter as Real
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from gatekeeper.source.compare.signatures import (
    Call,
    Difference,
    Parameter,
    Signature,
    differences,
    parameters,
    witnesses,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

PAIRS = int(os.environ.get("GATEKEEPER_SIGNATURE_PAIRS", "1500"))
MOST_VALUES = 4
KINDS = {
    "pos": Real.POSITIONAL_ONLY,
    "pok": Real.POSITIONAL_OR_KEYWORD,
    "var": Real.VAR_POSITIONAL,
    "kwo": Real.KEYWORD_ONLY,
    "kw": Real.VAR_KEYWORD,
}


def made(chance: random.Random) -> list[Parameter]:
    """At most three positional and two keyword-only parameters, with names from one small alphabet."""
    names = chance.sample("abcd", 4)
    count, only = chance.randint(0, 3), chance.randint(0, 3)
    found, optional = [], False
    for number in range(count):
        optional = optional or chance.random() < 0.35
        found.append(Parameter("pos" if number < only else "pok", names[number], not optional))
    if chance.random() < 0.3:
        found.append(Parameter("var", "args", required=False))
    only_named = names[count : count + chance.randint(0, 2)]
    found += [Parameter("kwo", name, chance.random() < 0.5) for name in only_named]
    if chance.random() < 0.3:
        found.append(Parameter("kw", "kwargs", required=False))
    return found


def real(found: list[Parameter]) -> inspect.Signature:
    rows = []
    for number, (slot, name, required) in enumerate(found):
        shown = f"only_{number}" if slot == "pos" else name
        default = Real.empty if required or slot in ("var", "kw") else None
        rows.append(Real(shown, KINDS[slot], default=default))
    return inspect.Signature(rows)


def calls(words: list[str]) -> Iterator[Call]:
    for values in range(MOST_VALUES + 1):
        for count in range(len(words) + 1):
            for chosen in combinations(words, count):
                yield Call(values, chosen)


def bound(signature: inspect.Signature, call: Call) -> dict[object, tuple[str, object]] | None:
    """Where each value and keyword of a call lands: (kind, name); None when the call is a TypeError."""
    keywords = {word: ("keyword", word) for word in call.keywords}
    try:
        found = signature.bind(*range(call.values), **keywords)
    except TypeError:
        return None
    places: dict[object, tuple[str, object]] = {}
    for name, value in found.arguments.items():
        kind = signature.parameters[name].kind
        if kind is Real.VAR_POSITIONAL:
            places.update(dict.fromkeys(value, ("*", "")))
        elif kind is Real.VAR_KEYWORD:
            places.update(dict.fromkeys(value.values(), ("**", "")))
        else:
            places[value] = ("place", "") if kind is Real.POSITIONAL_ONLY else ("name", name)
    return places


def moved(old: tuple[str, object], new: tuple[str, object], signature: inspect.Signature) -> bool:
    """Whether a value that landed there and lands here now is one that nobody meant for the new parameter."""
    if old[0] == "name" and new[0] == "place":
        return old[1] in signature.parameters  # the name means another place now
    return old != new and old[0] != "place"


def oracle(old: inspect.Signature, new: inspect.Signature, words: list[str]) -> str:
    verdict = "same"
    for call in calls(words):
        before = bound(old, call)
        if before is None:
            continue
        after = bound(new, call)
        if after is None:
            return "breaking"
        if any(moved(place, after[value], new) for value, place in before.items()):
            verdict = "silent"
    return verdict


def verdict(found: tuple[Difference, ...]) -> str:
    kinds = {difference.kind for difference in found}
    return "breaking" if "call-rejected" in kinds else "silent" if kinds else "same"


@pytest.mark.parametrize("seed", range(8))
def test_random_pairs_agree_with_inspect(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(PAIRS // 8):
        old, new = made(chance), made(chance)
        if chance.random() < 0.4:  # near misses: change one parameter only
            new = list(old)
            if new:
                del new[chance.randrange(len(new))]
        named = {p.name for p in (*old, *new) if p.slot in ("pok", "kwo")}
        words = [*sorted(named), "fresh"]
        real_old, real_new = real(old), real(new)
        found = differences(Signature(old), Signature(new))
        assert verdict(found) == oracle(real_old, real_new, words), (str(real_old), str(real_new), found)
        for difference in found:
            assert bound(real_old, difference.call) is not None
            assert (bound(real_new, difference.call) is None) == (difference.kind == "call-rejected")


@pytest.mark.parametrize("seed", range(4))
def test_binding_agrees_with_inspect(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        found = made(chance)
        signature = Signature(found)
        for call in calls([*sorted(signature.named), "fresh"]):
            assert (signature.refuses(call) is None) == (bound(real(found), call) is not None), (found, call)
            needed = signature.minimal(call.values)
            if signature.refuses(call) is None:
                assert needed is not None
                assert needed <= set(call.keywords)


def test_the_witness_is_the_message() -> None:
    old = Signature(parameters([["pok", "a", None, None], ["pok", "b", 1, None]]))
    new = Signature(parameters([["pok", "a", None, None], ["kwo", "b", 1, None]]))
    (found,) = differences(old, new)
    assert found.call.text("f") == "f(1, 2)"
    assert found.reason == "takes 1 positional values"


def test_every_witness_binds() -> None:
    chance = random.Random(5)
    for _ in range(200):
        old, new = Signature(made(chance)), Signature(made(chance))
        assert all(old.refuses(call) is None for call in witnesses(old, new))
