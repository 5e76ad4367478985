"""The ``pre-push`` hook of a developer's clone: the server's verdict before the server gives it (githooks(5)).

It is advice: the server decides. The trusted ref is the remote-tracking branch as last fetched, the policy is the
repository's at that ref, and the server's where it has been published into ``gatekeeper/policy.toml`` of the git
directory.
"""

from __future__ import annotations

import os

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.checks import CODES
from gatekeeper.entry.guard import guard, say
from gatekeeper.entry.limits import arm
from gatekeeper.entry.protocol import parse_push, read_input
from gatekeeper.entry.revisions import RemoteRefs
from gatekeeper.entry.server import chain
from gatekeeper.errors import UsageError
from gatekeeper.gate import Gate
from gatekeeper.git import open_store
from gatekeeper.model import AGENT, HUMAN, Actor, Push
from gatekeeper.policy import defaults
from gatekeeper.policy.load import SERVER_FILE, Layers, read_server_file
from gatekeeper.render.text import render_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gatekeeper.gate import LaneRule
    from gatekeeper.model import Lane
    from gatekeeper.policy import Policy

_WANTED = 3


def main(arguments: Sequence[str]) -> int:
    """Judge what ``git push`` is about to send.

    Args:
        arguments: the path of the hook file, then the remote's name and its URL.
    """
    return guard(lambda: _run(arguments, os.environ))


def _run(arguments: Sequence[str], env: Mapping[str, str]) -> int:
    if len(arguments) != _WANTED:
        raise UsageError(
            "the pre-push hook takes a remote's name and URL", fix="let git call the hook; see githooks(5)"
        )
    arm(defaults.DEADLINE)  # also for an input that never ends
    data = read_input()
    code = _judge(data, arguments[1], env) if data else 0
    return code or chain(arguments[0], arguments[1:], data)


def _judge(data: bytes, remote: str, env: Mapping[str, str]) -> int:
    git_dir, common = _git_dirs()
    path = os.path.join(common, SERVER_FILE)
    layers = Layers(CODES)
    text = read_server_file(path)
    # what a server would only observe is still worth saying before the push, and must not stop it
    server = layers.server(text, os.fsdecode(path))
    store = open_store(git_dir, env)
    try:
        updates = parse_push(data, store.oid_size)
        refs = RemoteRefs(store, remote)
        gate = Gate(store, refs=refs, server=server, layers=layers, lane=_lane_rule(), remote=remote)
        card = gate.judge(Push(updates, Actor(None, "pre-push")))
    finally:
        store.close()
    say(render_text(card))
    if text is None:
        say("server policy unknown here: the server may decide otherwise\n")
    return card.exit


def _lane_rule() -> LaneRule:
    """The configured lane, else the agent's where the policy pins the ref, else a person's, marked commits apart."""
    configured = _git("config", "--get", "gatekeeper.lane")
    if configured not in ("", AGENT, HUMAN):
        raise UsageError(
            f"git config gatekeeper.lane is {configured!r}", fix="git config gatekeeper.lane agent (or human)"
        )

    def lane(policy: Policy, _actor: Actor, ref: bytes) -> Lane:
        if configured:
            return AGENT if configured == AGENT else HUMAN
        return AGENT if policy.pinned.matches(ref) else HUMAN

    return lane


def _git_dirs() -> tuple[bytes, bytes]:
    """The git directory of this work tree and the one that all work trees share.

    Raises:
        UsageError: git knows neither.
    """
    found = _git("rev-parse", "--absolute-git-dir", "--git-common-dir").split("\n")
    if len(found) != 2:  # noqa: PLR2004
        raise UsageError("not inside a git repository", fix="let git call the hook; see githooks(5), pre-push")
    return os.fsencode(found[0]), os.fsencode(found[1])


def _git(*arguments: str) -> str:
    """Ask the developer's own git; empty when it has no answer."""
    import subprocess

    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)  # noqa: S603, S607
    return done.stdout.strip()
