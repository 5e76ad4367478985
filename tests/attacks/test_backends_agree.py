"""The same objects give the same scorecard, byte for byte, through every reader; it names exactly the broken rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from gatekeeper.checks import CODES
from gatekeeper.gate import Gate, ServerRefs
from gatekeeper.hosts import identify
from gatekeeper.model import Push, RefUpdate
from gatekeeper.policy.load import Layers
from gatekeeper.render.json_v1 import render_json
from tests.adapters.memory import MemoryStore
from tests.attacks.arena import Arena
from tests.attacks.everything import ATTACKS, CONTROLS
from tests.git.backends import ON_DISK, opened
from tests.support.git import Git
from tests.support.lab import WRITES_ONLY

if TYPE_CHECKING:
    from pathlib import Path

    from gatekeeper.git import ObjectStore
    from gatekeeper.model import Oid
    from tests.attacks.arena import Quarry
    from tests.attacks.catalogue import Row

ROWS = (*ATTACKS, *CONTROLS)


@pytest.fixture(scope="session")
def seed_in_memory(quarry: Quarry, tmp_path_factory: pytest.TempPathFactory) -> MemoryStore:
    return MemoryStore.load(Git(quarry.bare, tmp_path_factory.mktemp("home")))


def _oid(name: str | None) -> Oid | None:
    return None if name is None else bytes.fromhex(name)


def _judge(store: ObjectStore, arena: Arena) -> str:
    """What the hook computes for this push, as JSON; the policy is read anew, so that nothing is carried over."""
    layers = Layers(CODES)
    gate = Gate(store, refs=ServerRefs(store), server=layers.server(WRITES_ONLY.encode(), "policy.toml"), layers=layers)
    updates = tuple(RefUpdate(u.ref, _oid(arena.old(u)), _oid(u.new)) for u in arena.attempt.updates)
    return render_json(gate.judge(Push(updates, identify("ssh", arena.identity()))))


def _in_memory(seed: MemoryStore, arena: Arena) -> MemoryStore:
    refs = {ref: bytes.fromhex(oid) for ref, oid in arena.attempt.server.items()}
    store = MemoryStore(refs={**seed.refs, **refs}, head=seed.head)
    pushed = {bytes.fromhex(oid): made for oid, made in arena.sent().items()}
    store.objects = {**seed.objects, **pushed}  # type: ignore[dict-item]
    return store


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_every_reader_gives_the_same_scorecard(
    row: Row, quarry: Quarry, seed_in_memory: MemoryStore, tmp_path: Path
) -> None:
    arena = Arena(quarry, row, tmp_path)
    server = arena.with_the_objects_arrived()
    expected = _judge(_in_memory(seed_in_memory, arena), arena)
    for way in ON_DISK:
        with opened(way, server) as store:
            assert _judge(store, arena) == expected, way
    card = json.loads(expected)
    found = [finding for update in card["updates"] for finding in update["findings"]]
    assert {finding["code"] for finding in found} == row.codes, found
    assert card["exit"] == row.exit
