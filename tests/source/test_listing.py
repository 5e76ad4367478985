"""The list of sources: what counts, and that a kept list says what a walk says."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from gatekeeper.context import Context, Shared
from gatekeeper.gate import read_limits
from gatekeeper.git.reader import Objects
from gatekeeper.listing import list_sources
from gatekeeper.model import AGENT, Actor, RefUpdate
from gatekeeper.policy import build
from gatekeeper.trust import trust
from tests.judging.world import ASKED, FILES, World

if TYPE_CHECKING:
    from pathlib import Path

    from gatekeeper.policy import Layer

LINK, GITLINK = 0o120000, 0o160000
TREE = {
    **FILES,
    "src/pkg/py.typed": b"",
    "src/pkg/stub.pyi": b"x: int\n",
    "src/pkg/data.json": b"{}",
    "src/pkg/link.py": (LINK, b"encoder.py"),
    "src/pkg/vendored": (GITLINK, b"\7" * 20),
    "docs/link.py": (LINK, b"conf.py"),
    b"src/pkg/\xe9.py".decode("latin-1"): b"",
}
SOURCES = {b"src/encoder.py", b"src/pkg/__init__.py", b"src/pkg/py.typed", b"src/pkg/stub.pyi", "src/pkg/é.py".encode()}


def context(world: World, cache: bytes | None, *, server: Layer = ASKED, actor: str = "bot") -> Context:
    policy = build(server)
    objects = Objects(world.store, read_limits(policy))
    return Context(
        update=RefUpdate(b"refs/heads/agent/x", None, world.base),
        actor=Actor(actor, "ssh"),
        lane=AGENT,
        policy=policy,
        severities={},
        objects=objects,
        trusted=trust(objects, b"refs/heads/main", world.base),
        shared=Shared(cache),
    )


@pytest.fixture
def world() -> World:
    return World(TREE)


def test_sources_and_links_under_the_roots(world: World) -> None:
    ctx = context(world, None)
    found = list_sources(ctx, ctx.objects.commit(world.base).tree)
    assert found.files.keys() == SOURCES
    assert found.links.keys() == {b"src/pkg/link.py", b"src/pkg/vendored"}


def test_a_kept_list_is_read_instead_of_the_trees(world: World, tmp_path: Path) -> None:
    cache = os.fsencode(tmp_path / "cache")
    first = context(world, cache)
    tree = first.objects.commit(world.base).tree
    walked = list_sources(first, tree, keep=True)
    again = context(world, cache)
    assert again.zones.roots  # what the zones need is read here
    before = again.objects.tree_reads
    assert list_sources(again, tree) == walked
    assert again.objects.tree_reads == before


def test_a_list_is_kept_for_one_policy_only(world: World, tmp_path: Path) -> None:
    cache = os.fsencode(tmp_path / "cache")
    first = context(world, cache)
    tree = first.objects.commit(world.base).tree
    list_sources(first, tree, keep=True)
    narrower = context(world, cache, server=ASKED._replace(protected=(b"src/encoder.py",)))
    assert b"src/encoder.py" not in list_sources(narrower, tree).files
    maker = ASKED._replace(generated=(("robot", (b"src/pkg/tests/**",)),))
    for actor in ("robot", "bot"):
        made = context(world, cache, server=maker, actor=actor)
        assert list_sources(made, tree, keep=True) == list_sources(
            context(world, None, server=maker, actor=actor), tree
        )


def test_a_pushed_tree_leaves_no_list(world: World, tmp_path: Path) -> None:
    ctx = context(world, os.fsencode(tmp_path / "cache"))
    list_sources(ctx, ctx.objects.commit(world.base).tree)
    assert not (tmp_path / "cache").exists()


def test_chosen_roots_need_no_policy(world: World) -> None:
    ctx = context(world, None)
    found = list_sources(ctx, ctx.objects.commit(world.base).tree, ("docs",))
    assert (found.files, list(found.links)) == ({}, [b"docs/link.py"])
