"""Write a policy layer as TOML again: what a server publishes for clones. Off the hook's path."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gatekeeper.policy import Layer

    Value = str | int | bool | tuple[bytes, ...] | tuple[str, ...] | None


def to_toml(layer: Layer) -> str:
    """The layer as a policy file that reads back to the same layer."""
    return "".join(f"{line}\n" for line in _lines(layer))


def _lines(layer: Layer) -> Iterator[str]:
    yield from _table("", {"version": 1, "mode": layer.mode, "freshness": layer.freshness, "tests": layer.tests})
    yield from _table("", {"additions": layer.additions})
    yield from _table("", {"deadline": layer.deadline, "ticket": layer.ticket})
    yield from _table("identity", {"source": layer.identity})
    yield from _table("lanes", {"human": layer.humans or None, "agent_refs": layer.pinned})
    yield from _table("refs", {"agent": layer.agent_refs, "human": layer.human_refs or None})
    paths: dict[str, Value] = {
        "writable": layer.writable,
        "protected": layer.protected or None,
        "config": layer.config or None,
    }
    yield from _table("paths", {**paths, "additive": layer.additive, "sandbox": layer.sandbox or None})
    for actor, patterns in layer.generated:
        yield from _table("[paths.generated]", {"actor": actor, "patterns": patterns})
    for refs, base in layer.trusted:
        yield from _table("[trusted]", {"for": refs, "base": base.decode()})
    yield from _table("contracts", dict(layer.locations))
    yield from _table("limits", dict(layer.limits))
    for lane, rows in layer.severity.items():
        yield from _table(f"severity.{lane}", dict(rows))
    yield from _table("evidence", {"trailers": layer.trailers or None, "unsigned": layer.unsigned or None})


def _table(name: str, rows: Mapping[str, Value]) -> Iterator[str]:
    said = {key: value for key, value in rows.items() if value is not None}
    if said and name:
        yield f"\n[{name}]"
    for key, value in said.items():
        yield f"{key} = {_value(value)}"


def _value(value: Value) -> str:
    """TOML's basic strings, integers, booleans and arrays of them are JSON's."""
    if isinstance(value, tuple):
        value = [item.decode() if isinstance(item, bytes) else item for item in value]  # type: ignore[assignment]
    return json.dumps(value, ensure_ascii=False)
