"""The servers without the gate: a push arrives, and its hook sees who pushes and nothing that the client set."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.support.git import hermetic_env
from tests.support.lab import HONEST_FIX
from tests.support.test_lab import UngatedLab

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.servers import HttpServer, SshServer, Transport

LIES = {
    "GATEKEEPER_ACTOR": "mallory",
    "GATEKEEPER_POLICY": "mallory",
    "REMOTE_USER": "mallory",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.hooksPath",
    "GIT_CONFIG_VALUE_0": "/mallory",
    "PYTHONSTARTUP": "/mallory",
}

SHOW = (
    'cat >/dev/null; env | grep -E "^(GATEKEEPER|REMOTE_USER|GIT_CONFIG|PYTHON)" | '
    'grep -v -e "=/dev/null$" -e "NOSYSTEM=1$" | sort'
)


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@pytest.mark.parametrize("actor", ["bot", "alice", None])
def test_the_hook_is_told_the_actor(
    tmp_path: Path, transport: Transport, object_format: str, actor: str | None
) -> None:
    lab = UngatedLab(tmp_path, object_format)
    lab.script = SHOW
    lab.install()
    fix = lab.commit(HONEST_FIX)
    pushed = lab.push(f"{fix}:refs/heads/x", actor=None, url=transport.url(lab.bare, actor), env=transport.env(actor))
    assert pushed.accepted, pushed.result.stderr
    assert lab.tip("refs/heads/x") == fix
    variable = {"ssh": "GATEKEEPER_ACTOR", "http": "REMOTE_USER"}[transport.source]
    assert pushed.remote == (() if actor is None else (f"{variable}={actor}",))
    assert lab.git("ls-remote", lab.bare, "refs/heads/x") == f"{fix}\trefs/heads/x"


@pytest.mark.parametrize("server", ["ssh", "http"])
def test_nothing_that_the_client_sets_reaches_the_hook(
    tmp_path: Path, server: str, request: pytest.FixtureRequest
) -> None:
    transport: Transport = request.getfixturevalue(server)
    lab = UngatedLab(tmp_path)
    lab.script = SHOW
    lab.install()
    pushed = lab.push(
        f"{lab.commit(HONEST_FIX)}:refs/heads/x",
        actor=None,
        url=transport.url(lab.bare, "bot"),
        env={**transport.env("bot"), **LIES},
    )
    assert pushed.accepted, pushed.result.stderr
    assert pushed.remote == ({"ssh": "GATEKEEPER_ACTOR=bot", "http": "REMOTE_USER=bot"}[server],)


@pytest.mark.parametrize("transport", ["ssh", "http"], indirect=True)
def test_fetching_works_too(tmp_path: Path, transport: Transport) -> None:
    lab = UngatedLab(tmp_path)
    lab.server.out("update-ref", "refs/heads/new", str(lab.base))
    clone = tmp_path / "clone"
    result = lab.server.run("clone", "--quiet", transport.url(lab.bare, "bot"), clone, env=transport.env("bot"))
    assert result.returncode == 0, result.stderr
    assert (clone / "src/encoder.py").is_file()


@pytest.mark.parametrize(
    "command", ["", "id", "git-receive-pack /etc", "git-receive-pack 'a' 'b'", "git config -l", "git-shell", "'"]
)
def test_a_key_opens_repositories_and_nothing_else(tmp_path: Path, ssh: SshServer, command: str) -> None:
    done = subprocess.run(
        [*ssh.client("bot"), "-T", ssh.host, *([command] if command else [])],
        env=hermetic_env(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    assert done.stdout == ""
    assert "gatekeeper" in done.stderr


def test_a_wrong_password_is_turned_away(tmp_path: Path, http: HttpServer) -> None:
    lab = UngatedLab(tmp_path)
    url = http.url(lab.bare, "alice").replace("secret", "guess")
    pushed = lab.push(f"{lab.commit(HONEST_FIX)}:refs/heads/x", actor=None, url=url)
    assert not pushed.accepted
    assert "Authentication failed" in pushed.result.stderr
    assert lab.refs() == {"refs/heads/main": lab.base}
