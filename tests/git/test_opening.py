"""Which backend opens what, and what a refusal says."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from gatekeeper.errors import RepositoryError
from gatekeeper.git import open_store
from gatekeeper.git._dulwich import DulwichStore
from gatekeeper.git._pygit2 import Pygit2Store
from tests.git.repos import bare, blob

if TYPE_CHECKING:
    from pathlib import Path

BACKENDS = ("pygit2", "dulwich")


def test_auto_takes_the_backend_that_can(home: Path) -> None:
    for options, expected in (((), Pygit2Store), (("--object-format=sha256",), DulwichStore)):
        git = bare(home, f"{len(options)}.git", *options)
        store = open_store(os.fsencode(git.cwd), {})
        assert type(store) is expected
        store.close()


def test_libgit2_says_that_it_cannot_read_sha256(home: Path) -> None:
    git = bare(home, "a.git", "--object-format=sha256")
    with pytest.raises(RepositoryError, match="sha256"):
        open_store(os.fsencode(git.cwd), {}, "pygit2")


def test_an_extension_that_libgit2_refuses_and_dulwich_knows(home: Path) -> None:
    git = bare(home, "a.git")
    git.raw("config", "core.repositoryformatversion", "1")
    git.raw("config", "extensions.partialClone", "origin")
    oid = blob(git, b"x")
    store = open_store(os.fsencode(git.cwd), {})
    assert store.read(oid) == ("blob", b"x")
    store.close()


@pytest.mark.parametrize("backend", ["auto", *BACKENDS])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("core.repositoryformatversion", "2"),
        ("extensions.unheardOf", "true"),
        ("extensions.refStorage", "reftable"),
        ("extensions.objectFormat", "md5"),
    ],
)
def test_a_format_that_nobody_knows_is_refused(home: Path, backend: str, name: str, value: str) -> None:
    git = bare(home, "a.git")
    if name != "core.repositoryformatversion":
        git.raw("config", "core.repositoryformatversion", "1")
    git.raw("config", name, value)
    with pytest.raises(RepositoryError):
        open_store(os.fsencode(git.cwd), {}, backend)  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_extension_without_its_format_version_says_nothing(home: Path, backend: str) -> None:
    git = bare(home, "a.git")
    git.raw("config", "extensions.unheardOf", "true")
    open_store(os.fsencode(git.cwd), {}, backend).close()  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", ["auto", *BACKENDS])
def test_what_is_no_repository(home: Path, tmp_path: Path, backend: str) -> None:
    inside = bare(home, "a.git").cwd / "objects"
    (tmp_path / "file").write_text("gitdir elsewhere\n")
    (tmp_path / "link").mkdir()
    (tmp_path / "link/.git").write_text("gitdir: ../nowhere\n")
    for place in (home, inside, tmp_path / "none", tmp_path / "file", tmp_path / "link"):
        with pytest.raises(RepositoryError):
            open_store(os.fsencode(place), {}, backend)  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_damaged_configuration_is_refused(home: Path, backend: str) -> None:
    git = bare(home, "a.git")
    (git.cwd / "config").write_bytes(b"[core\n\xff")
    with pytest.raises(RepositoryError):
        open_store(os.fsencode(git.cwd), {}, backend)  # type: ignore[arg-type]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a repository to someone else")
@pytest.mark.parametrize("backend", ["auto", *BACKENDS])
def test_a_repository_of_another_user_is_refused_with_the_fix(
    home: Path, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = bare(home, "a.git")
    for place in (git.cwd, *git.cwd.rglob("*")):
        os.chown(place, 12345, 12345)
    with pytest.raises(RepositoryError, match="another user") as caught:
        open_store(os.fsencode(git.cwd), {}, backend)  # type: ignore[arg-type]
    assert f"safe.directory {git.cwd}" in caught.value.fix
    # The fix, followed literally.
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    subprocess.run(["git", "config", "--global", "--add", "safe.directory", str(git.cwd)], check=True)
    script = "import os, sys; sys.path[:0] = %r; from gatekeeper.git import open_store; open_store(%r, {}, %r).close()"
    subprocess.run([sys.executable, "-c", script % (sys.path, os.fsencode(git.cwd), backend)], check=True)
