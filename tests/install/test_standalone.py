"""The part of the installer that needs no packages, in this process; ``test_script`` runs it as ``install.sh`` does."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from gatekeeper.errors import RepositoryError
from gatekeeper.installing import apply, gitcmd, policytext, standalone, target
from tests.install.kit import snapshot
from tests.support.lab import CHECKOUT

if TYPE_CHECKING:
    from tests.install.kit import World


def test_check_names_every_repository_that_will_not_do(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    bare = world.bare()
    assert standalone.main(["check", str(bare), "--identity=ssh", "--humans", "alice", "--observe"]) == 0
    assert standalone.main(["check", str(bare), str(world.root), "nowhere.git"]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert "is not a git repository" in said.err
    assert "nowhere.git does not exist" in said.err


def test_uninstall(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    bare = world.bare()
    before = snapshot(bare)
    apply.install(target.bare(bare), policytext.text(policytext.Choice(), "x"), replace_policy=False)
    assert standalone.main(["uninstall", str(bare)]) == 0
    assert "removed" in capsys.readouterr().out
    assert snapshot(bare) == before


def test_uninstall_a_clone(world: World) -> None:
    clone = world.clone_of(world.bare())
    before = snapshot(clone.cwd)
    apply.install(target.clone(clone.cwd), None, replace_policy=False)
    assert (clone.cwd / ".git/hooks/pre-push").exists()
    assert standalone.main(["uninstall", "--clone", str(clone.cwd)]) == 0
    assert snapshot(clone.cwd) == before


@pytest.mark.parametrize("words", [["--what", "x"], ["x", "--policy"], []])
def test_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        standalone.main(["check", *words])
    assert ended.value.code == 3
    assert "./install.sh --help" in capsys.readouterr().err


def test_it_needs_nothing_but_the_standard_library(world: World) -> None:
    """No site packages, no installed copy of ourselves, and no byte code left in the clone."""
    code = (
        "import runpy, sys; sys.argv = ['standalone.py', 'check', sys.argv[1]]\n"
        f"try: runpy.run_path({str(CHECKOUT / 'gatekeeper/installing/standalone.py')!r}, run_name='__main__')\n"
        "except SystemExit as end: code = end.code\n"
        "print(code, sorted(name for name in ('click', 'rich', 'pathspec', 'pygit2', 'site') if name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", code, world.bare()], capture_output=True, check=False
    )
    assert done.stdout.decode().strip() == "0 []", done.stderr


def test_a_git_that_hangs_is_given_up(world: World) -> None:
    started = time.monotonic()
    with pytest.raises(RepositoryError, match="did not end within"):
        gitcmd.run(["sleep", "600"], stdin=b"", cwd=world.root, env=world.env(), timeout=0.05)
    assert time.monotonic() - started < 300


def test_a_user_without_a_name() -> None:
    assert target.user_name(2**31 - 7) == f"#{2**31 - 7}"
