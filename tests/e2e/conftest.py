"""Servers that last a session, and a world for each test: a gated repository behind each transport, in both formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.support.lab import Lab, Pushed, policy
from tests.support.servers import HttpServer, LocalTransport, SshServer, http_server, ssh_server

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tests.support.git import Arg
    from tests.support.servers import Transport

ACTORS = ("alice", "bot")
"""Who has a key and a password; the default policy knows alice as a human."""


class World(NamedTuple):
    """A lab and the way to it."""

    lab: Lab
    transport: Transport

    def push(self, *refspecs: Arg, actor: str | None, env: Mapping[str, str] | None = None) -> Pushed:
        """Push as ``actor`` (None: nobody whom the server can name); ``env`` is what the pusher sets besides."""
        url = self.transport.url(self.lab.bare, actor)
        return self.lab.push(*refspecs, actor=None, url=url, env={**self.transport.env(actor), **(env or {})})


@pytest.fixture(scope="session")
def ssh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    """An sshd that serves every lab of this session."""
    with ssh_server(tmp_path_factory.getbasetemp(), ACTORS) as server:
        yield server


@pytest.fixture(scope="session")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    """An nginx that serves every lab of this session."""
    with http_server(tmp_path_factory.getbasetemp(), ACTORS) as server:
        yield server


@pytest.fixture(params=["local", "ssh", "http"])
def transport(request: pytest.FixtureRequest) -> Transport:
    """Each way to reach a repository."""
    if request.param == "local":
        return LocalTransport()
    server: Transport = request.getfixturevalue(request.param)
    return server


@pytest.fixture(params=["sha1", "sha256"])
def world(tmp_path: Path, transport: Transport, request: pytest.FixtureRequest) -> World:
    """A gated repository whose policy takes identities from the transport."""
    return World(Lab(tmp_path, request.param, policy(transport.source)), transport)
