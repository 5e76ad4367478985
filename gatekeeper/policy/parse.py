"""Read a policy file into a :class:`~gatekeeper.policy.Layer`: strict, and every fault named by its key path at once.

``contracts_schema/policy.schema.json`` describes the same form for editors; a test holds the two together.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import PolicyError
from gatekeeper.policy import Layer, defaults
from gatekeeper.policy.combinations import check_combinations
from gatekeeper.policy.fields import Faults, Table

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from gatekeeper.model import Severity

_MODES = ("enforce", "observe")
_SOURCES = ("ssh", "http", "none")
_SEVERITIES = ("error", "warn", "off")
_LANES = ("agent", "human")


def parse_policy(text: bytes, where: str, *, codes: Collection[str], server: bool) -> Layer:
    """Validate one policy file.

    Args:
        text: the file's bytes, TOML in UTF-8.
        where: what to call the file in messages.
        codes: the rule codes that exist.
        server: a server's file may say everything; a repository's only what tightens.

    Raises:
        PolicyError: not TOML, or with unknown keys, wrong types or impossible combinations; the message lists every
        fault.
    """
    faults = Faults(where)
    root = Table(_load(text, where), "", faults)
    if root.number("version", low=1) != 1:
        faults.add("version", "must be 1, the only version of this format", "write: version = 1")
    layer = _shared(root, codes)
    layer = _server_only(layer, root) if server else _no_server_keys(layer, root)
    root.close()
    faults.finish()
    return layer


def _load(text: bytes, where: str) -> Mapping[str, object]:
    import tomllib

    try:
        return tomllib.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # ValueError alone: a number of more than 4,300 digits
        raise PolicyError(
            f"{where} is not TOML: {error}", fix="correct the file; `gatekeeper policy check FILE` names the line"
        ) from None


def _shared(root: Table, codes: Collection[str]) -> Layer:
    paths, limits = root.table("paths"), root.table("limits")
    layer = Layer(
        freshness=root.word("freshness", ("tip", "graft")),
        tests=root.word("tests", ("locked", "additive")),
        additions=root.word("additions", ("ask", "allow")),
        ticket=_ticket(root),
        writable=paths.patterns("writable"),
        protected=paths.patterns("protected") or (),
        config=paths.patterns("config") or (),
        additive=paths.patterns("additive"),
        limits={name: value for name in defaults.LIMITS if (value := limits.number(name, low=1)) is not None},
        severity={lane: rows for lane in _LANES if (rows := _severities(root.table("severity").table(lane), codes))},
    )
    if layer.additive is not None and layer.tests == "locked":
        root.faults.add(
            "paths.additive", 'says which tests may be added, but tests = "locked"', 'write: tests = "additive"'
        )
    return layer


def _ticket(root: Table) -> str | None:
    import re
    import warnings

    text = root.text("ticket")
    if text is not None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                re.compile(text)
        except (re.error, ValueError, OverflowError, RecursionError, Warning) as error:
            root.faults.add(
                "ticket", f"is not a regular expression: {error}", f"for example: ticket = '{defaults.TICKET}'"
            )
    return text


def _severities(table: Table, codes: Collection[str]) -> dict[str, Severity]:
    found: dict[str, Severity] = {}
    for code in table.present():
        word = table.word(code, _SEVERITIES)
        if code not in codes:
            table.faults.add(table.path(code), "is no rule code", "`gatekeeper rules` lists them")
        elif code.startswith("GK0") or code == "GK102":
            table.faults.add(
                table.path(code), "cannot be changed: the gate's own rules and GK102 always count", "remove the row"
            )
        elif word is not None:
            found[code] = word  # type: ignore[assignment]
    return found


def _server_only(layer: Layer, root: Table) -> Layer:
    paths, lanes, refs = root.table("paths"), root.table("lanes"), root.table("refs")
    evidence, contracts = root.table("evidence"), root.table("contracts")
    layer = layer._replace(
        mode=root.word("mode", _MODES),  # type: ignore[arg-type]
        deadline=root.number("deadline", low=1, high=3600),
        identity=root.table("identity").word("source", _SOURCES),
        humans=lanes.words("human"),
        pinned=lanes.patterns("agent_refs"),
        agent_refs=refs.patterns("agent"),
        human_refs=refs.patterns("human") or (),
        trusted=tuple((row.patterns("for") or (), row.needed("base").encode()) for row in root.rows("trusted")),
        sandbox=paths.patterns("sandbox") or (),
        generated=tuple((row.needed("actor"), row.needed_patterns("patterns")) for row in paths.rows("generated")),
        locations={name: path for name in defaults.LOCATIONS if (path := contracts.text(name)) is not None},
        trailers=tuple(word.encode() for word in evidence.words("trailers")),
        unsigned=evidence.flag("unsigned"),
    )
    check_combinations(layer, root.faults)
    return layer


def _no_server_keys(layer: Layer, root: Table) -> Layer:
    for key in ("mode", "deadline", "identity", "lanes", "refs", "trusted", "contracts", "evidence"):
        if root.drop(key):
            root.faults.add(key, "can only be said by the server's policy", "remove it from the repository's file")
    for key in ("sandbox", "generated"):
        if root.table("paths").drop(key):
            root.faults.add(f"paths.{key}", "opens protected paths; only the server's policy may", "remove it")
    return layer
