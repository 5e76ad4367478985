"""``gatekeeper serve ACTOR``: the forced command of an ssh key, which tells the hook who is pushing.

One line of ``authorized_keys`` ties a key to an actor, and sshd runs this command whatever the client asked for::

    command="/opt/gatekeeper/bin/gatekeeper serve build-bot --root /srv/git",restrict ssh-ed25519 AAAA... build-bot

The actor comes from that line alone. The client's own words are read for one git service and one path, and go to git
without a shell between.
"""

from __future__ import annotations

import os
import re
import shlex
from typing import TYPE_CHECKING

import click

from gatekeeper.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

SERVICES = ("receive-pack", "upload-pack", "upload-archive")

ACTOR = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}")

# A list of what passes, not of what is dropped: AcceptEnv lets a client set any name, and GIT_CONFIG_*, XDG_CONFIG_HOME
# GIT_OBJECT_DIRECTORY, BASH_ENV, LD_PRELOAD or a forged REMOTE_USER would all reach git and the hook. No client can set
# these, since sshd writes them after the client's. GIT_PROTOCOL is the client's by design: its wire version.
KEPT = ("HOME", "LOGNAME", "PATH", "SHELL", "USER", "SSH_CLIENT", "SSH_CONNECTION", "GIT_PROTOCOL")

GIT_DIRS = ("/.git", "", ".git/.git", ".git")
"""What git appends to a path until it finds a repository, in its order (``enter_repo``)."""


def plan(
    actor: str, original: str | None, env: Mapping[str, str], root: str | None
) -> tuple[list[str], dict[str, str]]:
    """Give the argument vector and the whole environment of the git process that answers the client.

    ``original`` is what the client asked sshd to run, ``env`` the environment that sshd made, ``root`` the directory
    below which repositories are served (None: anywhere that the account may read).

    Raises:
        UsageError: a bad actor name, no command, another command than git's, or a repository that is not served.
    """
    if not ACTOR.fullmatch(actor):
        raise UsageError(
            f"{actor!r} cannot be an actor's name",
            fix="in authorized_keys, use 1 to 64 letters, digits and . _ @ + -, a letter or digit first",
        )
    if not original:
        raise UsageError(
            f"hello {actor}, this key opens git repositories only, not a shell", fix="use git clone, fetch or push"
        )
    service, path = _parse(original)
    if root is not None:
        path = _below(root, path)
    return ["git", service, path], {**{name: env[name] for name in KEPT if name in env}, "GATEKEEPER_ACTOR": actor}


def _parse(original: str) -> tuple[str, str]:
    try:
        words = shlex.split(original)
    except ValueError:
        words = []
    match words:
        case ["git", service, path]:
            pass
        case [command, path] if command.startswith("git-"):
            service = command.removeprefix("git-")
        case _:
            service = path = ""
    if service not in SERVICES:
        known = ", ".join(f"git-{name}" for name in SERVICES)
        raise UsageError("this key runs no such command", fix=f"only {known} with one quoted path are served")
    # A leading dash would be read as an option of git receive-pack.
    if not path or path.startswith("-"):
        raise UsageError("the repository's path is empty or starts with a dash", fix="name the repository by its path")
    return service, path


def _below(root: str, path: str) -> str:
    """Find the git directory that git would take for ``path``, links resolved; a relative path counts from ``root``.

    Whether a place outside exists is not told: both refusals read the same.
    """
    top = os.path.realpath(root)
    asked = os.path.join(top, path).rstrip("/")
    for suffix in GIT_DIRS:
        found = os.path.realpath(asked + suffix)
        # A regular file is a "gitdir: elsewhere" pointer, which would lead git out of the root after this check.
        if os.path.isfile(found):
            break
        if os.path.lexists(os.path.join(found, "HEAD")):
            if os.path.commonpath([top, found]) != top:
                break
            return found
    raise UsageError("there is no such repository here", fix="ask the server's admin which repositories this key opens")


@click.command()
@click.argument("actor")
@click.option("--root", type=str, metavar="DIR", help="Serve only repositories below DIR, links resolved.")
def serve(actor: str, root: str | None) -> NoReturn:
    """Serve git over ssh as ACTOR: the forced command of a key in authorized_keys.

    Reads SSH_ORIGINAL_COMMAND, which must be one git service with one path, and becomes that git process.
    """
    argv, env = plan(actor, os.environ.get("SSH_ORIGINAL_COMMAND"), os.environ, root)
    try:
        os.execvpe(argv[0], argv, env)  # noqa: S606 (no shell is the point)
    except OSError as error:
        raise UsageError(
            f"git cannot be run: {error.strerror}", fix="install git on the server, in sshd's PATH"
        ) from error
