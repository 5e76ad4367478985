"""``gatekeeper serve``: what a client may ask for, where its path may lead, and what is left of its environment."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from gatekeeper.commands.serve import plan
from gatekeeper.errors import UsageError
from tests.support.lab import CHECKOUT, HONEST_FIX, SITE
from tests.support.test_lab import UngatedLab

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.lab import Pushed


@pytest.mark.parametrize(
    ("original", "argv"),
    [
        ("git-receive-pack '/srv/a.git'", ["git", "receive-pack", "/srv/a.git"]),
        ("git-upload-pack '/srv/a.git'", ["git", "upload-pack", "/srv/a.git"]),
        ("git-upload-archive '/srv/a.git'", ["git", "upload-archive", "/srv/a.git"]),
        ("git receive-pack '/srv/a.git'", ["git", "receive-pack", "/srv/a.git"]),
        ("git-receive-pack '/srv/it'\\''s '\\!'.git'", ["git", "receive-pack", "/srv/it's !.git"]),
        ("git-receive-pack ~bob/a.git", ["git", "receive-pack", "~bob/a.git"]),
        ("git-receive-pack '$(id);`id`|id'", ["git", "receive-pack", "$(id);`id`|id"]),
        ("git-receive-pack '/srv/\udcff.git'", ["git", "receive-pack", "/srv/\udcff.git"]),
    ],
)
def test_a_git_service_with_one_path_is_served(original: str, argv: list[str]) -> None:
    assert plan("bot", original, {}, None) == (argv, {"GATEKEEPER_ACTOR": "bot"})


@pytest.mark.parametrize("original", [None, ""])
def test_a_login_is_told_that_there_is_no_shell(original: str | None) -> None:
    with pytest.raises(UsageError, match="hello bot, this key opens git repositories only"):
        plan("bot", original, {}, None)


@pytest.mark.parametrize(
    "original",
    [
        "id",
        "sh -c id",
        " ",
        "'",
        "git",
        "git ''",
        "git-",
        "git receive-pack",
        "git-receive-pack",
        "git-receive-pack a b",
        "git-receive-pack 'a' && id",
        "git-receive-pack a;id a",
        "git git-receive-pack a",
        "git -c core.hooksPath=/tmp receive-pack a",
        "git-config a",
        "git config a",
        "receive-pack a",
        "GIT-RECEIVE-PACK a",
        "/usr/bin/git-receive-pack a",
        "git-receive-pack\n",
        "git-receive-pack 'a",
    ],
)
def test_any_other_command_is_refused(original: str) -> None:
    with pytest.raises(UsageError, match="this key runs no such command"):
        plan("bot", original, {}, None)


@pytest.mark.parametrize("path", ["''", "--stateless-rpc", "'-a'", "--"])
def test_a_path_that_git_would_read_as_an_option_is_refused(path: str) -> None:
    with pytest.raises(UsageError, match="empty or starts with a dash"):
        plan("bot", f"git-receive-pack {path}", {}, None)


@pytest.mark.parametrize("actor", ["a", "build-bot", "9", "a.b_c@d.example+e-f", "x" * 64])
def test_plain_actor_names_are_taken(actor: str) -> None:
    assert plan(actor, "git-upload-pack a", {}, None)[1] == {"GATEKEEPER_ACTOR": actor}


@pytest.mark.parametrize("actor", ["", "-a", ".a", "a b", "a\n", "a/b", "a,b", "é", "x" * 65, "a=b", "a\x00"])
def test_other_actor_names_are_refused(actor: str) -> None:
    with pytest.raises(UsageError, match="cannot be an actor's name"):
        plan(actor, "git-upload-pack a", {}, None)


def test_of_the_environment_only_what_sshd_wrote_is_kept() -> None:
    kept = {
        "HOME": "/srv",
        "LOGNAME": "git",
        "USER": "git",
        "PATH": "/usr/bin:/bin",
        "SHELL": "/bin/sh",
        "SSH_CLIENT": "192.0.2.1 1 22",
        "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22",
        "GIT_PROTOCOL": "version=2",
    }
    git = "DIR CONFIG_COUNT CONFIG_GLOBAL OBJECT_DIRECTORY ALTERNATE_OBJECT_DIRECTORIES QUARANTINE_PATH EXEC_PATH TRACE"
    others = (
        "GATEKEEPER_ACTOR GATEKEEPER_POLICY REMOTE_USER PYTHONPATH PYTHONHOME LD_PRELOAD XDG_CONFIG_HOME "
        "LD_LIBRARY_PATH BASH_ENV ENV IFS LANG LC_ALL SSH_ORIGINAL_COMMAND"
    )
    steering = [*(f"GIT_{name}" for name in git.split()), *others.split()]
    _, env = plan("bot", "git-receive-pack a", kept | dict.fromkeys(steering, "alice"), None)
    assert env == {**kept, "GATEKEEPER_ACTOR": "bot"}


class TestRoot:
    """``--root``: only repositories below it, wherever links lead."""

    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        """A served directory with two repositories, and one beside it that is not served."""
        root = tmp_path / "srv"
        for place in ("srv/a.git", "srv/team/b/.git", "secret.git"):
            (tmp_path / place).mkdir(parents=True)
            (tmp_path / place / "HEAD").write_text("ref: refs/heads/main\n")
        (root / "inside").symlink_to("team")
        (root / "outside").symlink_to(tmp_path)
        (root / "linked.git").symlink_to(tmp_path / "secret.git")
        (root / "pointer").mkdir()
        (root / "pointer/.git").write_text(f"gitdir: {tmp_path}/secret.git\n")
        (root / "file").write_text(f"gitdir: {tmp_path}/secret.git\n")
        (root / "empty").mkdir()
        (tmp_path / "srv-2.git").mkdir()
        (tmp_path / "srv-2.git/HEAD").write_text("")
        return root

    @pytest.mark.parametrize(
        ("asked", "found"),
        [
            ("a.git", "a.git"),
            ("a", "a.git"),
            ("a.git/", "a.git"),
            ("./team/../a.git", "a.git"),
            ("team/b", "team/b/.git"),
            ("team/b/.git", "team/b/.git"),
            ("inside/b", "team/b/.git"),
            ("{root}/a.git", "a.git"),
            ("{root}/../srv/a.git", "a.git"),
        ],
    )
    def test_a_repository_below_it_is_served_by_its_real_path(self, root: Path, asked: str, found: str) -> None:
        argv, _ = plan("bot", f"git-receive-pack '{asked.format(root=root)}'", {}, str(root))
        assert argv == ["git", "receive-pack", str(root / found)]

    @pytest.mark.parametrize(
        "asked",
        [
            "../secret.git",
            "{root}/../secret.git",
            "{root}-2.git",
            "outside/secret.git",
            "linked.git",
            "linked",
            "pointer",
            "pointer/.git",
            "file",
            "empty",
            "absent",
            "/",
            "~",
            "~root/a.git",
            "a.git/HEAD",
        ],
    )
    def test_anything_else_is_refused_in_the_same_words(self, root: Path, asked: str) -> None:
        with pytest.raises(UsageError, match=r"^there is no such repository here$"):
            plan("bot", f"git-receive-pack '{asked.format(root=root)}'", {}, str(root))

    def test_a_root_that_is_absent_serves_nothing(self, root: Path) -> None:
        with pytest.raises(UsageError, match="no such repository"):
            plan("bot", "git-receive-pack a.git", {}, str(root / "absent"))

    def test_the_root_may_be_a_link_or_the_repository_itself(self, root: Path) -> None:
        (root.parent / "link").symlink_to(root)
        assert plan("bot", "git-upload-pack a", {}, str(root.parent / "link"))[0][2] == str(root / "a.git")
        assert plan("bot", "git-upload-pack .", {}, str(root / "a.git"))[0][2] == str(root / "a.git")


@pytest.fixture
def fake_sshd(tmp_path: Path) -> str:
    """A GIT_SSH_COMMAND that does what sshd does with a forced command, without the network."""
    script = tmp_path / "sshd"
    command = shlex.join(
        ["env", f"PYTHONPATH={CHECKOUT}", sys.executable, "-m", "gatekeeper", "serve", "bot", "--root", str(tmp_path)]
    )
    script.write_text(f'#!/bin/sh\nfor last; do :; done\nSSH_ORIGINAL_COMMAND="$last" exec {command}\n')
    script.chmod(0o755)
    return str(script)


def _push(lab: UngatedLab, fake_sshd: str, where: str = "project.git", **env: str) -> Pushed:
    env |= {"GIT_SSH_COMMAND": fake_sshd, "GIT_SSH_VARIANT": "simple"}
    return lab.push(f"{lab.commit(HONEST_FIX)}:refs/heads/x", url=f"host:{where}", actor="alice", env=env)


def test_git_is_run_in_the_clients_place(tmp_path: Path, fake_sshd: str) -> None:
    lab = UngatedLab(tmp_path)
    lab.script = "cat >/dev/null; echo $GATEKEEPER_ACTOR,$GIT_CONFIG_COUNT,$REMOTE_USER"
    lab.install()
    pushed = _push(lab, fake_sshd, REMOTE_USER="alice", GIT_CONFIG_COUNT="0")
    assert pushed.accepted, pushed.result.stderr
    assert pushed.remote == ("bot,,",)


def test_the_client_reads_why_it_is_refused(tmp_path: Path, fake_sshd: str) -> None:
    pushed = _push(UngatedLab(tmp_path), fake_sshd, "../elsewhere.git")
    assert not pushed.accepted
    assert "there is no such repository here" in pushed.result.stderr
    assert "Traceback" not in pushed.result.stderr


def _serve(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gatekeeper", "serve", *args],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), **env},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("args", [("bot",), (), ("bot", "--shell"), ("a b",)], ids=repr)
def test_what_cannot_be_served_ends_with_3_and_never_with_2(args: tuple[str, ...]) -> None:
    done = _serve(*args)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr


def test_a_server_without_git_says_so(tmp_path: Path) -> None:
    done = _serve("bot", SSH_ORIGINAL_COMMAND="git-upload-pack a", PATH=str(tmp_path))
    assert done.returncode == 3
    assert "git cannot be run" in done.stderr


def test_starting_it_imports_nothing_heavy() -> None:
    # Without site, since what measures coverage starts from there and has imports of its own.
    code = f"import sys; sys.path[0:0] = {SITE!r}; import gatekeeper.commands.serve; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    heavy = {"rich", "jsonschema", "dulwich", "pygit2", "pathspec", "subprocess", "tomllib"}
    assert heavy.isdisjoint(done.stdout.split())
