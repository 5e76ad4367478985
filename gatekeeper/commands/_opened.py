"""Revisions of a repository, as commands read them: its objects, a policy, and which trees are meant."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gatekeeper.checks import CODES
from gatekeeper.commands.check import git_directory
from gatekeeper.context import Context
from gatekeeper.entry.revisions import default_base, resolve
from gatekeeper.errors import PolicyError, UsageError
from gatekeeper.gate import read_limits
from gatekeeper.git import open_store
from gatekeeper.git.history import relate
from gatekeeper.git.reader import Objects
from gatekeeper.model import AGENT, Actor, RefUpdate
from gatekeeper.policy import build
from gatekeeper.policy.load import Layers, read_server_file
from gatekeeper.trust import trust

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from gatekeeper.git import ObjectStore
    from gatekeeper.model import Lane, Oid


@contextmanager
def opened(
    repo: Path, policy: Path | None, *revisions: str | None, lane: Lane = AGENT
) -> Iterator[tuple[Context, list[Oid]]]:
    """One revision, or the merge base of two and the second: a context that trusts the first, and their trees.

    Args:
        repo: a work tree or git directory.
        policy: the server's policy file; None for what is built in.
        revisions: names of one revision, or of base and head; None for the default.
        lane: whose push the context is of.

    Raises:
        UsageError: no such revision, or no single merge base.
        PolicyError: the policy cannot be read.
    """
    layers = Layers(CODES)
    text = None if policy is None else read_server_file(os.fsencode(policy))
    if policy is not None and text is None:
        raise PolicyError(f"no policy file at {policy}", fix="name an existing file, or leave --policy out")
    rules = build(layers.server(text, str(policy)))
    store = open_store(git_directory(repo), os.environ)
    try:
        objects = Objects(store, read_limits(rules))
        oids = _commits(store, objects, revisions)
        ctx = Context(
            update=RefUpdate(b"", oids[0], oids[-1]),
            actor=Actor(None, "none"),
            lane=lane,
            policy=rules,
            severities={},
            objects=objects,
            trusted=trust(objects, b"", oids[0]),
        )
        try:
            yield ctx, [objects.commit(oid).tree for oid in oids]
        finally:
            ctx.shared.close()
    finally:
        store.close()


def _commits(store: ObjectStore, objects: Objects, revisions: Sequence[str | None]) -> list[Oid]:
    if len(revisions) == 1:
        return [objects.peel(resolve(store, revisions[0] or "HEAD")[1])[1]]
    base, head = revisions
    names = (base or default_base(store), head or "HEAD")
    old, new = (objects.peel(resolve(store, name)[1])[1] for name in names)
    bases = relate(objects, new, old, limit=2_000_000).bases
    if len(bases) != 1:
        raise UsageError(f"{names[0]} and {names[1]} have {len(bases)} merge bases", fix="name the older commit itself")
    return [bases[0], new]
