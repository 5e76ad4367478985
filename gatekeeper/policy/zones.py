"""Which zone of the repository a path lies in: what judges the suite, what an agent may write, or neither.

The zones of one policy form the *protected projection* (DESIGN.md, "How a ref is judged", 3): every path with a zone
is part of it, present or absent. Exact bytes decide first; a path that is protected only under its folded key is a
``TWIN``.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.policy import defaults
from gatekeeper.policy.fold import fold
from gatekeeper.policy.patterns import PatternSet, compile_set, fold_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gatekeeper.policy import Layer, Policy

CONTRACT, GIT_CONTROL, CONFIG, TESTS, TWIN = "contract", "git-control", "config", "tests", "twin"


class _Zone(NamedTuple):
    """One protected zone: its pattern lists over raw and over folded paths (any list may claim a path)."""

    name: str
    raw: tuple[PatternSet, ...]
    folded: tuple[PatternSet, ...]

    def claims(self, path: bytes) -> bool:
        return any(patterns.matches(path) for patterns in self.raw)

    def claims_folded(self, key: bytes) -> bool:
        return any(patterns.matches(key) for patterns in self.folded)


class Zones(NamedTuple):
    """The zones of one policy over one trusted tree, for one actor.

    ``plain`` says that no protected list needs a regular expression or has a ``!`` in it: what such lists claim of a
    path that is its own key, they claim of the key. ``roots`` are the lines that say
    where sources lie, whether agents may write all of them or not, and ``sources`` is what they match.
    """

    protected: tuple[_Zone, ...]
    plain: bool
    carved: tuple[PatternSet, ...]
    writable_sets: tuple[PatternSet, ...]
    unwritable: PatternSet
    roots: tuple[bytes, ...]
    sources: PatternSet

    def zone(self, path: bytes) -> str | None:
        """The zone that protects ``path``, strictest first, or None when nothing does."""
        key = fold(path)
        likely = [zone for zone in self.protected if zone.claims_folded(key)]
        # most paths end here; not "test_a:b.py", whose key is "test_a" and no test
        suspects = likely if self.plain and path == key else self.protected
        for zone in suspects:
            if zone.claims(path):
                return None if zone.name == TESTS and self.is_carved(path) else zone.name
        if likely:
            return None if self.is_carved(path) else TWIN
        return None

    def writable(self, path: bytes) -> bool:
        """Whether an agent may write an unprotected ``path``: in every writable set, neither compiled nor packed."""
        if self.is_carved(path):
            return True
        if not self.writable_sets or self.unwritable.matches(path.lower()) or self.unwritable.matches(fold(path)):
            return False
        return all(patterns.matches(path) for patterns in self.writable_sets)

    def is_source(self, path: bytes) -> bool:
        """Whether ``path`` lies where the product's sources do, and nothing that judges the suite claims it."""
        if self.is_carved(path) or not self.sources.matches(path) or self.unwritable.matches(fold(path)):
            return False
        return self.zone(path) is None

    def is_carved(self, path: bytes) -> bool:
        """Whether the server's policy took ``path`` out of the protected set: a snapshot, or a generator's file."""
        return any(patterns.matches(path) for patterns in self.carved)


def build_zones(policy: Policy, roots: tuple[bytes, ...], actor: str | None) -> Zones:
    """The zones of ``policy``.

    Args:
        policy: the effective policy.
        roots: the import roots found at the trusted tip as pattern lines, used where no server policy names a
        writable set. actor: the transport's name for who pushes; a generator's own patterns are carved out for it.
    """
    server = policy.layers[0]
    located = (b"/" + path for path in policy.locations.values())
    tighter = (layer.writable for layer in policy.layers[1:] if layer.writable is not None)
    writable = (roots if server.writable is None else server.writable, *tighter)
    carved = [server.sandbox, *(patterns for name, patterns in server.generated if name == actor)]
    places = (*roots, *(server.writable or ()))
    protected = (
        _zone(CONTRACT, [(*defaults.CONTRACTS, *located)]),
        _zone(GIT_CONTROL, [defaults.GIT_CONTROL]),
        _zone(CONFIG, _lists(defaults.CONFIG, policy.layers, "config")),
        _zone(TESTS, _lists(defaults.TESTS, policy.layers, "protected")),
    )
    return Zones(
        protected=protected,
        plain=all(patterns.plain for zone in protected for patterns in zone.raw),
        carved=tuple(compile_set(lines) for lines in carved if lines),
        # an empty list in any layer leaves nothing writable
        writable_sets=tuple(map(compile_set, writable)) if all(writable) else (),
        unwritable=compile_set(fold_lines(defaults.UNWRITABLE)),
        roots=places,
        sources=compile_set(places),
    )


def _lists(built_in: tuple[bytes, ...], layers: tuple[Layer, ...], key: str) -> list[tuple[bytes, ...]]:
    """The server's lines go on top of the built-in ones, so its ``!`` can carve; a repository's list can only add."""
    server, *repository = (layer.protected if key == "protected" else layer.config for layer in layers)
    return [(*built_in, *server), *repository]


def _zone(name: str, lists: Iterable[tuple[bytes, ...]]) -> _Zone:
    # "tests/" must also cover a link, gitlink or file of that very name: replacing the tree is an edit of it
    bare = [tuple(line.rstrip(b"/") for line in lines) for lines in lists if lines]
    return _Zone(name, tuple(map(compile_set, bare)), tuple(compile_set(fold_lines(lines)) for lines in bare))
