"""The ``post-receive`` hook: warms the cache, so that the next push finds the surface of the trusted branch there.

It can refuse nothing, and nobody waits for it: the work is done in a process of its own, in the background, at the
lowest priority. Whatever goes wrong there only costs the next push some time.
"""

from __future__ import annotations

import os

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.checks import CODES
from gatekeeper.context import Context, Shared
from gatekeeper.entry.guard import guard
from gatekeeper.entry.limits import arm
from gatekeeper.entry.protocol import parse_receive, read_input
from gatekeeper.entry.server import chain, surfaces
from gatekeeper.gate import ServerRefs, read_limits
from gatekeeper.git import open_store
from gatekeeper.git.reader import Objects
from gatekeeper.model import AGENT, Actor, RefUpdate
from gatekeeper.policy import build
from gatekeeper.policy.load import SERVER_FILE, Layers, read_server_file
from gatekeeper.properties import judge_properties
from gatekeeper.source.cache import Cache
from gatekeeper.surfaces import warm
from gatekeeper.trust import trust

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gatekeeper.model import Oid
    from gatekeeper.policy import Layer, Policy

_SECONDS = 600
_NICE = 10


def main(arguments: Sequence[str]) -> int:
    """Warm the cache for the refs on standard input; returns at once.

    Args:
        arguments: the path of the hook file; git gives post-receive no others.
    """
    return guard(lambda: _run(arguments))


def _run(arguments: Sequence[str]) -> int:
    data = read_input()
    if not os.environ.get("GATEKEEPER_FOREGROUND"):
        _background(data)
    else:
        _warm(data)
    return chain(arguments[0], arguments[1:], data)


def _background(data: bytes) -> None:
    if os.fork():
        return
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):  # git waits until nobody holds its pipes
            os.dup2(null, descriptor)
        _warm(data)
    finally:
        os._exit(0)


def _warm(data: bytes) -> None:
    arm(_SECONDS)
    os.nice(_NICE)
    git_dir = os.fsencode(os.environ.get("GIT_DIR", "."))
    read_ahead(git_dir, os.environ, data)


def read_ahead(git_dir: bytes, env: Mapping[str, str], data: bytes | None = None) -> tuple[bytes, ...]:
    """Read the trusted refs of a bare repository and keep what they say; the names of those that were read.

    Args:
        git_dir: the repository.
        env: the variables that git gives to a hook.
        data: the ref updates of a push: only what they move is read. None for all of them.

    Raises:
        OSError: nothing can be kept there.
        GatekeeperError: the repository, its policy or one of the sources cannot be read.
    """
    layers = Layers(CODES)
    path = os.path.join(git_dir, SERVER_FILE)
    server = layers.server(read_server_file(path), os.fsdecode(path))
    policy = build(server)
    directory = surfaces(git_dir)
    store = open_store(git_dir, env)
    try:
        moved = None if data is None else {update.ref for update in parse_receive(data, store.oid_size)}
        names = _trusted(ServerRefs(store), policy, moved)
        held = Cache(directory).hold()
        try:
            for name, oid in names.items():
                _read(Objects(store, read_limits(policy)), name, oid, server, layers, directory)
        finally:
            os.close(held)
    finally:
        store.close()
    return tuple(names)


def _trusted(refs: ServerRefs, policy: Policy, moved: set[bytes] | None) -> dict[bytes, Oid]:
    """The trusted refs that exist and, where some moved, are among those."""
    bases = [None, *(line.base for line in policy.lines)] if moved is None else map(policy.base_ref, sorted(moved))
    found = dict(refs.find(base) for base in bases)
    return {name: oid for name, oid in sorted(found.items()) if oid is not None and (moved is None or name in moved)}


def _read(objects: Objects, name: bytes, oid: Oid, server: Layer, layers: Layers, directory: bytes) -> None:
    trusted = trust(objects, name, oid)
    policy = build(server)
    text = trusted.tree.blob(policy.locations["policy"])
    ctx = Context(
        update=RefUpdate(name, oid, oid),
        actor=Actor(None, "none"),
        lane=AGENT,
        policy=policy if text is None else build(server, layers.repository(text, "the repository's policy")),
        severities={},
        objects=objects,
        trusted=trusted,
        shared=Shared(directory, _SECONDS),
    )
    try:
        warm(ctx)
        judge_properties(ctx)  # from itself to itself: what it found is kept
    finally:
        ctx.shared.close()
