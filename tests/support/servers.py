"""Real git servers on loopback: openssh-server with forced commands, and nginx with git-http-backend behind basic auth.

Both live in a temporary directory, take a free port, and need no service, account or configuration of the host. They
run as root and as an ordinary user with a login shell.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import os
import pwd
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tests.support.daemon import on_a_free_port, require, running
from tests.support.git import hermetic_env
from tests.support.lab import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PASSWORD = "secret"


class Transport(Protocol):
    """One way to reach a repository: where it is, and as whom."""

    source: str
    """The policy's ``identity.source`` that fits."""

    def url(self, bare: Path, actor: str | None) -> str:
        """The address of ``bare`` for ``actor``; None is a pusher whom the server cannot name."""

    def env(self, actor: str | None) -> dict[str, str]:
        """What the pusher's git needs in its environment."""


class LocalTransport:
    """A push into a directory: the hook runs in the pusher's environment, so the pusher says who it is."""

    source = "ssh"

    def url(self, bare: Path, actor: str | None) -> str:  # noqa: ARG002 (the port's signature)
        """The path itself."""
        return str(bare)

    def env(self, actor: str | None) -> dict[str, str]:
        """What a forced command would have set."""
        return {} if actor is None else {"GATEKEEPER_ACTOR": actor}


class SshServer:
    """A running sshd: each actor has a key that is tied to ``gatekeeper serve ACTOR``; None has one for git-shell."""

    source = "ssh"

    def __init__(self, home: Path, port: int) -> None:
        self.home = home
        self.host = f"ssh://{_user()}@127.0.0.1:{port}"
        """What ssh itself takes as a destination, and git as the front of a URL."""

    def url(self, bare: Path, actor: str | None) -> str:  # noqa: ARG002 (who is asking is told by the key)
        """The bare repository by its absolute path."""
        return f"{self.host}{bare}"

    def env(self, actor: str | None) -> dict[str, str]:
        """Makes git's ssh use the actor's key and nothing of the host's ssh configuration."""
        return {"GIT_SSH_COMMAND": shlex.join(self.client(actor))}

    def client(self, actor: str | None) -> list[str]:
        """The ssh client's command line for ``actor``, up to its host argument."""
        options = {
            "IdentityFile": self.home / f"key-{actor or 'unnamed'}",
            "IdentitiesOnly": "yes",
            "IdentityAgent": "none",
            "UserKnownHostsFile": self.home / "known_hosts",
            "GlobalKnownHostsFile": os.devnull,
            "StrictHostKeyChecking": "yes",
            "BatchMode": "yes",
            "LogLevel": "ERROR",
            "SendEnv": "GATEKEEPER_* REMOTE_USER GIT_CONFIG_* GIT_OBJECT_DIRECTORY PYTHONSTARTUP",
        }
        return ["ssh", "-F", os.devnull, *(f"-o{name}={value}" for name, value in options.items())]


def _user() -> str:
    return pwd.getpwuid(os.getuid()).pw_name


def _locked_account() -> bool:
    """Whether sshd, which can read the shadow file as root only, would turn this account away unless PAM decides."""
    if os.getuid() != 0:
        return False
    rows = Path("/etc/shadow").read_text().splitlines()
    return any(row.startswith(f"{_user()}:!") for row in rows)


def forced_command(actor: str, root: Path, home: Path) -> str:
    """What an admin writes into authorized_keys, here for the gate's checkout."""
    serve = [sys.executable, "-m", "gatekeeper", "serve", actor, "--root", str(root)]
    return shlex.join(["env", f"HOME={home}", f"PYTHONPATH={CHECKOUT}", *serve])


def _restricted(command: str, public_key: Path) -> str:
    quoted = command.replace('"', '\\"')
    return f'command="{quoted}",restrict {public_key.read_text()}'


@contextlib.contextmanager
def ssh_server(root: Path, actors: Sequence[str]) -> Iterator[SshServer]:
    """An openssh-server that serves the repositories below ``root`` to ``actors``."""
    sshd, _, keygen, _ = require("sshd", "ssh", "ssh-keygen", "git")
    with tempfile.TemporaryDirectory(prefix="gk-ssh-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        for name in ("host", *(f"key-{actor}" for actor in (*actors, "unnamed"))):
            subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(home / name)], check=True)
        commands = {actor: forced_command(actor, root, home) for actor in actors}
        commands["unnamed"] = f'env HOME={home} git-shell -c "$SSH_ORIGINAL_COMMAND"'
        keys = [_restricted(command, home / f"key-{actor}.pub") for actor, command in commands.items()]
        (home / "authorized_keys").write_text("".join(keys))
        if os.getuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)

        def start(port: int) -> contextlib.AbstractContextManager[None]:
            (home / "sshd_config").write_text(_sshd_config(home, port))
            (home / "known_hosts").write_text(f"[127.0.0.1]:{port} {(home / 'host.pub').read_text()}")
            log = home / f"sshd-{port}.log"
            log.touch()
            listening = f"Server listening on 127.0.0.1 port {port}."
            command = [sshd, "-D", "-e", "-f", str(home / "sshd_config")]
            return running(command, hermetic_env(home), log, lambda: listening in log.read_text(errors="replace"))

        with on_a_free_port(start) as port:
            yield SshServer(home, port)


def _sshd_config(home: Path, port: int) -> str:
    options = {
        "ListenAddress": "127.0.0.1",
        "Port": port,
        "HostKey": home / "host",
        "PidFile": home / "sshd.pid",
        "AuthorizedKeysFile": home / "authorized_keys",
        "UsePAM": "yes" if _locked_account() else "no",
        "StrictModes": "no",
        "PermitRootLogin": "yes",
        "PasswordAuthentication": "no",
        "KbdInteractiveAuthentication": "no",
        "MaxStartups": 100,
        # A careless server: the identity must hold even when the client may set all of these.
        "AcceptEnv": "GATEKEEPER_* REMOTE_USER GIT_* PYTHONSTARTUP",
    }
    return "".join(f"{name} {value}\n" for name, value in options.items())


class HttpServer:
    """A running nginx: every actor logs in with :data:`PASSWORD`; None comes through a path that asks for no login."""

    source = "http"

    def __init__(self, root: Path, port: int) -> None:
        self.root, self.port = root, port

    def url(self, bare: Path, actor: str | None) -> str:
        """The bare repository by its path below the served root."""
        path = bare.relative_to(self.root)
        if actor is None:
            return f"http://127.0.0.1:{self.port}/open/{path}"
        return f"http://{actor}:{PASSWORD}@127.0.0.1:{self.port}/{path}"

    def env(self, actor: str | None) -> dict[str, str]:  # noqa: ARG002 (the URL has the login)
        """Nothing."""
        return {}


@contextlib.contextmanager
def http_server(root: Path, actors: Sequence[str]) -> Iterator[HttpServer]:
    """Smart HTTP for the repositories below ``root``: nginx, basic auth for ``actors``, fcgiwrap, git-http-backend."""
    nginx, fcgiwrap, backend, _ = require("nginx", "fcgiwrap", "git-http-backend", "git")
    # Not below pytest's directory: a unix socket's path may have 107 bytes only.
    with tempfile.TemporaryDirectory(prefix="gk-http-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        gateway = home / "cgi.sock"
        digest = base64.b64encode(hashlib.sha1(PASSWORD.encode(), usedforsecurity=False).digest()).decode()
        (home / "users").write_text("".join(f"{actor}:{{SHA}}{digest}\n" for actor in actors))

        def start(port: int) -> contextlib.AbstractContextManager[None]:
            (home / "nginx.conf").write_text(_nginx_config(home, root, backend, port))
            command = [nginx, "-p", str(home), "-c", str(home / "nginx.conf")]
            return running(command, hermetic_env(home), home / "nginx.log", lambda: _answers(port, home.name))

        cgi = [fcgiwrap, "-c", "2", "-p", backend, "-s", f"unix:{gateway}"]
        with running(cgi, hermetic_env(home), home / "cgi.log", gateway.exists), on_a_free_port(start) as port:
            yield HttpServer(root, port)


def _answers(port: int, token: str) -> bool:
    """Whether our own server, and not another that took the port, answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/ready")
        return connection.getresponse().read().decode() == token
    except OSError:
        return False
    finally:
        connection.close()


def _nginx_config(home: Path, root: Path, backend: str, port: int) -> str:
    # Root's worker must stay root to read other temporary directories; for others nginx warns about the directive.
    user = "user root;\n" if os.getuid() == 0 else ""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"  {kind}_temp_path {home}/{kind};\n" for kind in kinds)
    cgi = f"""
      fastcgi_pass unix:{home}/cgi.sock;
      fastcgi_param SCRIPT_FILENAME {backend};
      fastcgi_param GIT_PROJECT_ROOT {root};
      fastcgi_param GIT_HTTP_EXPORT_ALL "";
      fastcgi_param GIT_PROTOCOL $http_git_protocol;
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param QUERY_STRING $query_string;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param REMOTE_ADDR $remote_addr;"""
    return f"""{user}daemon off;
worker_processes 1;
pid {home}/nginx.pid;
error_log {home}/error.log;
events {{}}
http {{
  access_log off;
  client_max_body_size 0;
{temporary}  server {{
    listen 127.0.0.1:{port};
    location = /ready {{ return 200 "{home.name}"; }}
    location / {{
      auth_basic git;
      auth_basic_user_file {home}/users;
      fastcgi_param REMOTE_USER $remote_user;
      fastcgi_param PATH_INFO $uri;{cgi}
    }}
    # No REMOTE_USER here: without auth_basic, nginx's $remote_user is whatever name the client claims.
    location ~ ^/open(/.*)$ {{
      fastcgi_param PATH_INFO $1;{cgi}
    }}
  }}
}}
"""
