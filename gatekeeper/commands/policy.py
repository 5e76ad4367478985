"""``gatekeeper policy``: show what is in force, check a file before it is installed, publish it for clones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gatekeeper.checks import CODES
from gatekeeper.commands.check import git_directory
from gatekeeper.entry.revisions import default_base, resolve
from gatekeeper.errors import PolicyError, UsageError
from gatekeeper.gate import ServerRefs
from gatekeeper.git import open_store
from gatekeeper.git.reader import Limits, Objects
from gatekeeper.policy import Layer, build, defaults
from gatekeeper.policy.load import SERVER_FILE, Layers, read_server_file
from gatekeeper.render.escape import escape
from gatekeeper.roots import import_roots
from gatekeeper.trust import trust

if TYPE_CHECKING:
    from gatekeeper.git import ObjectStore
    from gatekeeper.model import Oid


@click.group()
def policy() -> None:
    """Show or check a policy."""


@policy.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--repository", is_flag=True, help="FILE is a repository's own policy, which may only tighten.")
def check(file: Path, repository: bool) -> None:
    """Validate FILE; every fault is named with its key path."""
    text = read_server_file(os.fsencode(file))
    if text is None:
        raise PolicyError(f"no policy file at {file}", fix="name an existing file")
    layers = Layers(CODES)
    (layers.repository if repository else layers.server)(text, str(file))
    click.echo(f"{file} is valid")


@policy.command()
@click.option(
    "--repo", type=click.Path(path_type=Path), default=".", help="A bare repository or a clone.  [default: .]"
)
@click.option("--public", is_flag=True, help="As TOML for clones, without the names of people.")
def show(repo: Path, public: bool) -> None:
    """Print the effective policy of a repository."""
    git_dir = git_directory(repo)
    candidates = (git_dir, os.path.join(git_dir, b".git"))
    files = [os.path.join(place, SERVER_FILE) for place in candidates]
    path = next((file for file in files if os.path.exists(file)), files[0])
    layers = Layers(CODES)
    server = layers.server(read_server_file(path), os.fsdecode(path))
    click.echo(_public(server) if public else _text(git_dir, server, layers), nl=False)


def _text(git_dir: bytes, server: Layer, layers: Layers) -> str:
    store = open_store(git_dir, os.environ)
    try:
        objects = Objects(store, Limits())
        ref, oid = _trusted(store)
        trusted = None if oid is None else trust(objects, ref, oid)
        effective = build(server)
        text = None if trusted is None else trusted.tree.blob(effective.locations["policy"])
        if text is not None:
            effective = build(server, layers.repository(text, "the repository's policy"))
        roots = () if trusted is None else tuple(import_roots(objects, trusted.tree))
    finally:
        store.close()
    writable = [roots if server.writable is None else server.writable]
    writable += [layer.writable for layer in effective.layers[1:] if layer.writable is not None]
    rows = {
        "mode": effective.mode,
        "identity": effective.identity,
        "humans": f"{len(effective.humans)} named",
        "trusted ref": f"{escape(ref)} {'(does not exist yet)' if oid is None else oid.hex()[:12]}",
        "writable": " and ".join(_lines(lines) for lines in writable),
        "agent refs": _lines(defaults.AGENT_REFS if server.agent_refs is None else server.agent_refs),
        "freshness": "graft" if effective.graft else "tip",
        "tests": "additive" if effective.additive else "locked",
        "additions": "allow" if effective.additions else "ask",
        "deadline": f"{effective.deadline} s",
        "limits": ", ".join(f"{name} {value}" for name, value in effective.limits.items()),
        "repository policy": "none" if text is None else escape(effective.locations["policy"]),
    }
    return "".join(f"{name:<18} {value}\n" for name, value in rows.items())


def _trusted(store: ObjectStore) -> tuple[bytes, Oid | None]:
    try:
        return resolve(store, default_base(store))
    except UsageError:
        return ServerRefs(store).find(None)


def _lines(lines: tuple[bytes, ...]) -> str:
    return ", ".join(escape(line) for line in lines) or "nothing"


def _public(server: Layer) -> str:
    """The server's layer without identities, as a file that ``./install.sh --clone DIR --policy FILE`` takes."""
    from gatekeeper.policy.write import to_toml

    return to_toml(server._replace(identity=None, humans=(), generated=()))
