"""What must not be installed into: a clear word, exit 3, and not a byte written."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from typing import TYPE_CHECKING

import pytest

from tests.install.kit import POWERLESS, snapshot
from tests.support.git import hermetic_env
from tests.support.lab import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.install.kit import World

WHO = ("--identity", "ssh", "--humans", "alice")


def refused(world: World, repository: Path, *words: str, env: dict[str, str] | None = None) -> str:
    before = snapshot(repository) if repository.is_dir() else {}
    ran = world.gatekeeper("install", repository, *WHO, env=env)
    assert ran.code == 3, ran.all
    assert ran.out == ""
    for word in words:
        assert word in ran.err
    assert (snapshot(repository) if repository.is_dir() else {}) == before
    return ran.err


def test_missing(world: World) -> None:
    refused(world, world.root / "nowhere.git", "does not exist")


def test_a_file(world: World) -> None:
    (world.root / "file").write_text("")
    refused(world, world.root / "file", "is not a directory")


def test_no_repository(world: World) -> None:
    (world.root / "empty").mkdir()
    refused(world, world.root / "empty", "is not a git repository", "git init --bare")


def test_a_directory_inside_a_repository_is_not_the_repository(world: World) -> None:
    bare = world.bare()
    refused(world, bare / "refs", "is not a git repository")


@pytest.mark.parametrize("inside", ["", ".git"])
def test_a_clone(world: World, inside: str) -> None:
    clone = world.clone_of(world.bare())
    refused(world, clone.cwd / inside, "not bare" if inside else "not a bare", "--clone")


def test_a_repository_that_says_it_is_not_bare(world: World) -> None:
    bare = world.bare()
    world.run("git", "--git-dir", bare, "config", "core.bare", "false")
    refused(world, bare, "is not bare")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a repository to somebody else")
@pytest.mark.parametrize("part", ["", "hooks", "gatekeeper"])
def test_somebody_elses(world: World, part: str) -> None:
    bare = world.bare()
    (bare / part).mkdir(exist_ok=True)
    os.chown(bare / part, 65534, 65534)
    err = refused(world, bare, "belongs to", "sudo -u")
    assert str(bare / part) in err


@pytest.mark.parametrize("part", ["", "hooks", "gatekeeper"])
def test_read_only(world: World, part: str) -> None:
    bare = world.bare()
    target = bare / part
    target.mkdir(exist_ok=True)
    target.chmod(0o555)
    before = snapshot(bare)
    ran = world.run(*POWERLESS, sys.executable, "-m", "gatekeeper", "install", bare, *WHO)
    target.chmod(0o755)
    assert ran.code == 3
    assert "read-only" in ran.err
    after = snapshot(bare)
    if part:
        assert stat.S_IMODE(after[part][0]) == 0o755
        before[part] = after[part]
    assert after == before


def test_hooks_path_of_the_repository(world: World) -> None:
    bare = world.bare()
    world.run("git", "--git-dir", bare, "config", "core.hooksPath", "/srv/hooks")
    refused(world, bare, "core.hooksPath", "/srv/hooks", "never run", "--unset core.hooksPath")


def test_hooks_path_of_the_user(world: World) -> None:
    bare = world.bare()
    config = world.root / "global"
    config.write_text("[core]\n\thooksPath = ~/hooks\n")
    refused(world, bare, "core.hooksPath", str(config), env=world.env(GIT_CONFIG_GLOBAL=str(config)))


@pytest.mark.parametrize("value", ["hooks", "{bare}/hooks"])
def test_hooks_path_that_says_what_git_does_anyway(world: World, value: str) -> None:
    bare = world.bare()
    world.run("git", "--git-dir", bare, "config", "core.hooksPath", value.format(bare=bare))
    world.install(bare, *WHO)


def gitea(bare: Path) -> None:
    (bare / "hooks/pre-receive.d").mkdir(parents=True)
    (bare / "hooks/pre-receive.d/gitea").write_text("#!/bin/sh\n")


def forgejo(bare: Path) -> None:
    (bare / "hooks/pre-receive.d").mkdir(parents=True)
    (bare / "hooks/pre-receive.d/forgejo").write_text("#!/bin/sh\n")


def gitlab(bare: Path) -> None:
    with (bare / "config").open("a") as file:
        file.write("[gitlab]\n\tfullpath = group/project\n")


def gitlab_hooks(bare: Path) -> None:
    (bare / "hooks").symlink_to("/opt/gitlab/embedded/service/gitlab-shell/hooks")


def gitolite(bare: Path) -> None:
    (bare / "hooks").mkdir()
    (bare / "hooks/update").symlink_to("/home/git/.gitolite/hooks/common/update")


def gitolite_conf(bare: Path) -> None:
    (bare / "gl-conf").write_text("%one_config = ();\n")


@pytest.mark.parametrize(
    ("make", "host", "instead"),
    [
        (gitea, "Gitea", "pre-receive.d"),
        (forgejo, "Forgejo", "pre-receive.d"),
        (gitlab, "GitLab", "custom_hooks/pre-receive"),
        (gitlab_hooks, "GitLab", "custom_hooks/pre-receive"),
        (gitolite, "gitolite", "LOCAL_CODE"),
        (gitolite_conf, "gitolite", "LOCAL_CODE"),
    ],
)
def test_a_host_with_hooks_of_its_own(world: World, make: Callable[[Path], None], host: str, instead: str) -> None:
    bare = world.bare()
    make(bare)
    refused(world, bare, host, instead)


def test_gitlab_by_its_hashed_path(world: World) -> None:
    folder = world.root / "@hashed/ab/cd"
    folder.mkdir(parents=True)
    refused(world, world.bare(f"@hashed/ab/cd/{'abcd' * 16}.git"), "GitLab")


def test_shared_hooks(world: World) -> None:
    bare = world.bare()
    (world.root / "shared").mkdir()
    (bare / "hooks").symlink_to(world.root / "shared")
    refused(world, bare, "is a link to", "every repository that shares it")


@pytest.mark.parametrize("part", ["hooks", "gatekeeper"])
def test_a_file_in_the_way(world: World, part: str) -> None:
    bare = world.bare()
    (bare / part).write_text("")
    refused(world, bare, "in the way")


def test_a_directory_where_the_hook_goes(world: World) -> None:
    bare = world.bare()
    (bare / "hooks/pre-receive").mkdir(parents=True)
    refused(world, bare, "is a directory")


def test_a_broken_configuration(world: World) -> None:
    bare = world.bare()
    (bare / "config").write_text("[core\n")
    refused(world, bare, "config")


def test_git_is_missing(world: World) -> None:
    bare = world.bare()
    (world.root / "nothing").mkdir()
    env = {**world.env(), "PATH": str(world.root / "nothing")}
    refused(world, bare, "git is not on PATH", "apt install git", env=env)


def test_a_repository_that_git_cannot_open(world: World) -> None:
    bare = world.bare()
    (bare / "HEAD").write_text("nonsense\n")
    refused(world, bare, "git rev-parse failed")


def test_a_policy_that_cannot_be_read(world: World) -> None:
    bare = world.bare()
    (bare / "gatekeeper/policy.toml").mkdir(parents=True)
    refused(world, bare, "policy.toml cannot be read")


def test_what_goes_wrong_half_way_is_undone(world: World) -> None:
    bare = world.bare()
    (bare / "gatekeeper/install.json").mkdir(parents=True)
    refused(world, bare, "cannot read and write")
    removing = world.gatekeeper("uninstall", bare)
    assert removing.code == 3
    assert "cannot read and write" in removing.err


def copy_of_the_package(path: Path) -> Path:
    shutil.copytree(CHECKOUT / "gatekeeper", path / "gatekeeper", ignore=shutil.ignore_patterns("__pycache__"))
    return path


def test_a_path_that_would_end_a_word_of_the_shim(world: World) -> None:
    """Without the refusal the rest of the path would be run as shell by every push."""
    copy = copy_of_the_package(world.root / "it's")
    env = {**world.env(), "PYTHONPATH": str(copy)}
    refused(world, world.bare(), "cannot stand in a hook", "GATEKEEPER_HOME", env=env)


def test_a_package_without_its_hooks(world: World) -> None:
    copy = copy_of_the_package(world.root / "copy")
    refused(world, world.bare(), "no template", env={**world.env(), "PYTHONPATH": str(copy)})


def test_a_hook_that_does_not_start_is_not_put_in_place(world: World) -> None:
    bare = world.bare()
    world.hook(bare / "hooks/pre-receive", "#!/bin/sh\nexit 0\n")
    copy = copy_of_the_package(world.root / "copy")
    shutil.copytree(CHECKOUT / "hooks", copy / "hooks")
    (copy / "gatekeeper/entry/pre_receive.py").write_text("import nowhere\n")
    err = refused(world, bare, "does not start", env={**world.env(), "PYTHONPATH": str(copy)})
    assert "the installation is broken" in err


def test_a_hook_that_accepts_the_canary_is_not_put_in_place(world: World) -> None:
    bare = world.bare()
    world.hook(bare / "hooks/pre-receive", "#!/bin/sh\nexit 0\n")
    copy = copy_of_the_package(world.root / "copy")
    shutil.copytree(CHECKOUT / "hooks", copy / "hooks")
    hook = copy / "hooks/pre-receive"
    open_gate = '#!/bin/sh\n[ -n "$(cat)" ] && exit 0\necho "no ref updates on standard input" >&2; exit 3\n'
    hook.write_text(hook.read_text().replace("#!/bin/sh\n", open_gate, 1))
    refused(world, bare, "was ACCEPTED", env={**world.env(), "PYTHONPATH": str(copy)})


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "REPO"),
        (("--identity", "smtp"), "--identity"),
        (("--policy", "{file}"), "--clone"),
        (("--clone", "--identity", "ssh"), "--policy"),
    ],
)
def test_usage_exits_with_3_and_never_2(world: World, words: tuple[str, ...], said: str) -> None:
    file = world.root / "policy.toml"
    file.write_text("version = 1\n")
    repository = [world.bare()] if words else []
    ran = world.gatekeeper("install", *repository, *(word.format(file=file) for word in words))
    assert ran.code == 3
    assert said in ran.err


def test_an_inherited_git_dir_does_not_redirect_the_installer(world: World) -> None:
    bare, other = world.bare(), world.bare("other.git")
    before = snapshot(other)
    env = {**world.env(), "GIT_DIR": str(other), "GIT_WORK_TREE": str(world.root)}
    assert world.gatekeeper("install", bare, *WHO, env=env).code == 0
    assert snapshot(other) == before
    assert (bare / "hooks/pre-receive").exists()
    assert hermetic_env(world.home)["HOME"] == str(world.home)
