"""What each key of a server's policy allows alone and no server can mean together."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.policy import defaults
from gatekeeper.policy.patterns import compile_set

if TYPE_CHECKING:
    from gatekeeper.policy import Layer
    from gatekeeper.policy.fields import Faults

_NAMESPACES = (b"refs/heads/", b"refs/tags/")


def check_combinations(layer: Layer, faults: Faults) -> None:
    """Note every combination that leaves nobody able to work, or opens what the gate stands on."""
    _check_people(layer, faults)
    _check_trusted(layer, faults)
    _check_locations(layer, faults)
    _check_carved(layer, faults)


def _check_people(layer: Layer, faults: Faults) -> None:
    if layer.humans and layer.identity in (None, "none"):
        problem = "names people, but no identity source says who pushes"
        faults.add("lanes.human", problem, 'write: [identity] source = "ssh" or "http"')
    if layer.writable == ():
        faults.add("paths.writable", "is empty: no agent could write anything", "name the source tree, or remove it")
    for pattern in layer.agent_refs or ():
        if not pattern.lstrip(b"!/").startswith(_NAMESPACES):
            problem = f"{pattern.decode()!r} is outside refs/heads/ and refs/tags/"
            faults.add("refs.agent", problem, "write full ref names")


def _check_trusted(layer: Layer, faults: Faults) -> None:
    for number, (refs, base) in enumerate(layer.trusted):
        key = f"trusted[{number}]"
        if not refs:
            faults.add(f"{key}.for", "matches no ref", 'write: for = ["refs/heads/agent/NAME/**"]')
        if not base.startswith(b"refs/heads/") or base == b"refs/heads/":
            faults.add(f"{key}.base", "is not a full branch name", 'write: base = "refs/heads/NAME"')
        elif compile_set(refs).matches(base):
            faults.add(f"{key}.for", "also matches its own base: the branch would judge itself", "narrow the pattern")


def _check_locations(layer: Layer, faults: Faults) -> None:
    for name, path in layer.locations.items():
        if any(part in ("", ".", "..", ".git") for part in path.split("/")):
            problem = "is not a plain path inside the repository"
            faults.add(f"contracts.{name}", problem, f'for example: "{defaults.LOCATIONS[name]}"')


def _check_carved(layer: Layer, faults: Faults) -> None:
    """A sandbox or generator that covers a contract file would hand the gate itself to an agent."""
    named = [layer.locations.get(name, path).encode() for name, path in defaults.LOCATIONS.items()]
    carved = [("paths.sandbox", layer.sandbox), *((f"paths.generated[{a}]", p) for a, p in layer.generated)]
    for key, patterns in carved:
        hit = [path for path in named if compile_set(patterns).matches(path)]
        if hit:
            faults.add(key, f"would open {hit[0].decode()} to agents", "narrow the pattern")
