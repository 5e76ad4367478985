"""The policy: who is judged how, what an agent may write, and how strict each rule is.

A policy is made of *layers*: the server's own file and, at most, the repository's file at the trusted ref. The second
may only tighten the first: protected sets are joined, writable sets intersected, severities take the maximum and
limits the minimum. Patterns are never compared as text; every layer is asked about every path.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.model import AGENT, HUMAN
from gatekeeper.policy import defaults
from gatekeeper.policy.patterns import PatternSet, compile_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gatekeeper.model import Actor, Lane, Mode, Severity

STRICTNESS: dict[Severity, int] = {"off": 0, "warn": 1, "error": 2}


class Layer(NamedTuple):
    """One policy file, validated; None and empty mean "not said". Only plain values, so that a layer can be cached."""

    mode: Mode | None = None
    freshness: str | None = None
    tests: str | None = None
    additions: str | None = None
    deadline: int | None = None
    ticket: str | None = None
    identity: str | None = None
    humans: tuple[str, ...] = ()
    pinned: tuple[bytes, ...] | None = None
    agent_refs: tuple[bytes, ...] | None = None
    human_refs: tuple[bytes, ...] = ()
    trusted: tuple[tuple[tuple[bytes, ...], bytes], ...] = ()
    writable: tuple[bytes, ...] | None = None
    protected: tuple[bytes, ...] = ()
    config: tuple[bytes, ...] = ()
    additive: tuple[bytes, ...] | None = None
    sandbox: tuple[bytes, ...] = ()
    generated: tuple[tuple[str, tuple[bytes, ...]], ...] = ()
    locations: Mapping[str, str] = {}
    limits: Mapping[str, int] = {}
    severity: Mapping[str, Mapping[str, Severity]] = {}
    trailers: tuple[bytes, ...] = ()
    unsigned: bool = False


class Line(NamedTuple):
    """One ``[[trusted]]`` row: refs that match are judged against ``base`` instead of HEAD's target."""

    refs: PatternSet
    base: bytes


class Policy(NamedTuple):
    """The effective policy for one ref update; README, "Policy", explains every key."""

    mode: Mode
    graft: bool
    additive: tuple[PatternSet, ...]
    additions: bool
    deadline: int
    ticket: str
    identity: str
    humans: frozenset[str]
    pinned: PatternSet
    agent_refs: PatternSet
    human_refs: PatternSet
    lines: tuple[Line, ...]
    layers: tuple[Layer, ...]
    locations: Mapping[str, bytes]
    limits: Mapping[str, int]
    trailers: tuple[bytes, ...]
    unsigned: bool

    def lane(self, actor: Actor, ref: bytes) -> Lane:
        """The lane of an update: a pinned ref is the agent's whoever pushes; who is not known as human is an agent."""
        if self.pinned.matches(ref):
            return AGENT
        return HUMAN if actor.name is not None and actor.name in self.humans else AGENT

    def severity(self, lane: Lane, code: str, default: Severity) -> Severity:
        """How strict ``code`` is in ``lane``: the server's word or the default, raised by the repository's."""
        if code.startswith("GK0") or code == "GK102":
            return default
        server, *repository = self.layers
        chosen = server.severity.get(lane, {}).get(code, default)
        for layer in repository:
            word = layer.severity.get(lane, {}).get(code, chosen)
            if STRICTNESS[word] > STRICTNESS[chosen]:
                chosen = word
        return chosen

    def base_ref(self, ref: bytes) -> bytes | None:
        """The configured trusted ref for an update of ``ref``; None means HEAD's target. A base is its own base."""
        for line in self.lines:
            if line.base == ref or line.refs.matches(ref):
                return line.base
        return None

    @property
    def marks(self) -> bool:
        """Whether any evidence marks commits as an agent's."""
        return bool(self.trailers) or self.unsigned


def build(server: Layer, repository: Layer | None = None) -> Policy:
    """Fold validated layers into the effective policy."""
    layers = (server,) if repository is None else (server, repository)
    return Policy(
        mode=server.mode or "enforce",
        graft=server.freshness == "graft" and all(layer.freshness != "tip" for layer in layers),
        additive=_additive(layers),
        additions=layers[0].additions == "allow" and all(layer.additions != "ask" for layer in layers),
        deadline=server.deadline or defaults.DEADLINE,
        ticket=layers[-1].ticket or server.ticket or defaults.TICKET,
        identity=server.identity or "none",
        humans=frozenset(server.humans),
        pinned=compile_set(defaults.AGENT_REFS if server.pinned is None else server.pinned),
        agent_refs=compile_set(defaults.AGENT_REFS if server.agent_refs is None else server.agent_refs),
        human_refs=compile_set(server.human_refs),
        lines=tuple(Line(compile_set(refs), base) for refs, base in server.trusted),
        layers=layers,
        locations={name: server.locations.get(name, path).encode() for name, path in defaults.LOCATIONS.items()},
        limits={name: _limit(layers, name, default) for name, default in defaults.LIMITS.items()},
        trailers=server.trailers,
        unsigned=server.unsigned,
    )


def _additive(layers: tuple[Layer, ...]) -> tuple[PatternSet, ...]:
    """The patterns that a new test must match in every layer; empty when any layer locks the tests."""
    if layers[0].tests != "additive" or any(layer.tests == "locked" for layer in layers):
        return ()
    server = defaults.ADDITIVE if layers[0].additive is None else layers[0].additive
    return (compile_set(server), *(compile_set(layer.additive) for layer in layers[1:] if layer.additive is not None))


def _limit(layers: tuple[Layer, ...], name: str, default: int) -> int:
    server, *repository = layers
    return min(
        [server.limits.get(name, default), *(layer.limits[name] for layer in repository if name in layer.limits)]
    )
