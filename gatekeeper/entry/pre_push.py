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
from gatekeeper.git._layout import common_dir
from gatekeeper.mend import quote
from gatekeeper.model import AGENT, HUMAN, Actor, Push
from gatekeeper.policy import defaults
from gatekeeper.policy.load import SERVER_FILE, Layers, read_server_file
from gatekeeper.render.escape import escape
from gatekeeper.render.text import HEIGHT, render_text, wrap

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
    code = _judge(data, arguments[1], arguments[2], env) if data else 0
    return code or chain(arguments[0], arguments[1:], data)


def _judge(data: bytes, name: str, url: str, env: Mapping[str, str]) -> int:
    git_dir = _git_dir()
    remote, known = _remote(name, url)
    path = os.path.join(common_dir(git_dir), SERVER_FILE)
    layers = Layers(CODES)
    text = read_server_file(path)
    # what a server would only observe is still worth saying before the push, and must not stop it
    server = layers.server(text, os.fsdecode(path))
    store = open_store(git_dir, env)
    try:
        updates = parse_push(data, store.oid_size)
        refs = RemoteRefs(store, remote)
        gate = Gate(
            store,
            refs=refs,
            server=server,
            layers=layers,
            lane=_lane_rule(),
            remote=remote,
            absent=f"git fetch {quote(remote)}; where it has no such branch yet, a person pushes it first",
        )
        card = gate.judge(Push(updates, Actor(None, "pre-push")))
    finally:
        store.close()
    notes: list[str] = []
    if not known:
        notes += wrap(f"no remote of this clone has that URL: compared with {escape(remote)}")
    if text is None:
        notes.append("server policy unknown here: the server may decide otherwise")
    say(render_text(card, height=HEIGHT - len(notes)) + "".join(f"{line}\n" for line in notes))
    return card.exit


def _remote(name: str, url: str) -> tuple[str, bool]:
    """The remote that is pushed to, and whether it is one of this clone's; for a URL, git gives the URL as its name."""
    if name != url and name:
        return name, True
    rows = _git("config", "--null", "--get-regexp", r"^remote\..*\.(url|pushurl)$").split("\0")[:-1]
    places = [
        (key.split(".", 1)[1].rpartition(".")[0], place) for key, _, place in (row.partition("\n") for row in rows)
    ]
    for remote, place in places:
        if place in (name, url):
            return remote, True
    names = {remote for remote, _ in places}
    return names.pop() if len(names) == 1 else "origin", False


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


def _git_dir() -> bytes:
    """The git directory of this work tree.

    Raises:
        UsageError: git knows none.
    """
    found = _git("rev-parse", "--absolute-git-dir")
    if not found:
        raise UsageError("not inside a git repository", fix="let git call the hook; see githooks(5), pre-push")
    return os.fsencode(found)


def _git(*arguments: str) -> str:
    """Ask the developer's own git; empty when it has no answer. Paths may hold any byte, line feeds too."""
    import subprocess

    done = subprocess.run(["git", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)  # noqa: S603, S607
    return os.fsdecode(done.stdout.removesuffix(b"\n"))
