"""One collected function with all that decides what it does, as objects: what a fingerprint is taken of."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gatekeeper.source.collection.items import Found
    from gatekeeper.source.evaluate.values import Class, Fixture, Function, Mark, Module


class Target(NamedTuple):
    """What pytest would run under one nodeid.

    ``function`` is the winning binding, None for a doctest or what is no function of the tree. ``classes`` are the
    classes it sits in, outermost first. ``conftests`` and ``plugins`` (modules of the tree named by ``-p`` or
    ``pytest_plugins``) apply to it, the outermost first. ``fixtures`` is the closure with autouse ones; ``marks`` all
    marks, nearest first. ``config`` are the effective settings that are not pytest's defaults, as text.
    """

    found: Found
    function: Function | None
    classes: tuple[Class, ...]
    module: Module
    conftests: tuple[Module, ...]
    plugins: tuple[Module, ...]
    fixtures: tuple[Fixture, ...]
    marks: tuple[Mark, ...]
    config: Mapping[str, str]
