"""From a fresh clone to a guarded repository, with pip and a private environment; then the clone is deleted."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.install.kit import agent_commit, push, snapshot
from tests.support.git import hermetic_env
from tests.support.lab import CHECKOUT

if TYPE_CHECKING:
    from tests.install.kit import World

WHO = ("--identity", "ssh", "--humans", "alice")
SHIPPED = ("gatekeeper", "hooks", "contracts_schema", "install.sh", "pyproject.toml", "README.md", "LICENSE")


def fresh_clone(path: Path) -> None:
    """What somebody who cloned the project has."""
    path.mkdir()
    for name in SHIPPED:
        if (CHECKOUT / name).is_dir():
            shutil.copytree(CHECKOUT / name, path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(CHECKOUT / name, path / name)


def pip_settings() -> dict[str, str]:
    """How this machine's pip finds packages; a HOME of our own hides the user's file from it."""
    found = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "REQUESTS_"))}
    for file in (Path.home() / ".config/pip/pip.conf", Path.home() / ".pip/pip.conf"):
        if file.exists():
            found.setdefault("PIP_CONFIG_FILE", str(file))
    return found


REAL_PIP = pip_settings()
"""Read when this module is imported, before the tests' own HOME is put in place."""


@pytest.mark.slow
def test_from_a_fresh_clone_to_upgrade_and_removal(world: World) -> None:
    clone = world.root / "checkout"
    fresh_clone(clone)
    home = world.root / "gk home"
    env = hermetic_env(world.home, GATEKEEPER_HOME=str(home), PYTHON=sys.executable, **REAL_PIP)

    bare = world.bare()
    world.hook(bare / "hooks/pre-receive", "#!/bin/sh\necho the old hook ran >&2\n")
    before = snapshot(bare)
    first = world.run("sh", clone / "install.sh", bare, *WHO, env=env)
    assert first.code == 0, first.all
    program = home / "current/bin/gatekeeper"
    assert f"'{program}' doctor {bare}" in first.out
    (environment,) = (home / "environments").iterdir()

    # Again: the same sources, so nothing is built, nothing changes.
    once = snapshot(bare)
    second = world.run("sh", clone / "install.sh", bare, *WHO, env=env)
    assert second.code == 0, second.all
    assert "setting up" not in second.out
    assert snapshot(bare) == once
    assert list((home / "environments").iterdir()) == [environment]

    # The second repository is installed by a newer version; the first keeps its environment until it is upgraded.
    init = clone / "gatekeeper/__init__.py"
    init.write_text(init.read_text() + "\n# newer\n")
    other = world.bare("other.git")
    third = world.run("sh", clone / "install.sh", other, *WHO, env=env)
    assert third.code == 0, third.all
    assert len(list((home / "environments").iterdir())) == 2
    assert program.resolve().parents[1] != environment
    assert str(environment) in (bare / "hooks/pre-receive").read_text()
    assert str(environment) not in (other / "hooks/pre-receive").read_text()

    # The clone is not needed any more.
    shutil.rmtree(clone)
    for number, repository in enumerate((bare, other)):
        work = world.clone_of(repository, f"work-{number}")
        assert push(work, "main", "alice").returncode == 0
        honest = push(work, f"{agent_commit(work, 'src/_other.py')}:refs/heads/agent/honest")
        assert honest.returncode == 0, honest.stderr
        cheat = push(work, f"{agent_commit(work, 'tests/test_pkg.py')}:refs/heads/agent/cheat")
        assert "GK101" in cheat.codes
        doctor = world.run(program, "doctor", repository, env=hermetic_env(world.home))
        assert doctor.code == 0, doctor.all
    demo = world.run(program, "demo", "--fast", env=hermetic_env(world.home))
    assert demo.code == 0, demo.all

    upgraded = world.run(program, "install", bare, env=hermetic_env(world.home))
    assert "upgraded" in upgraded.out, upgraded.all
    assert str(environment) not in (bare / "hooks/pre-receive").read_text()
    removed = world.run(program, "uninstall", bare, env=hermetic_env(world.home))
    assert removed.code == 0, removed.all
    after = {path: state for path, state in snapshot(bare).items() if not path.startswith(("objects", "refs"))}
    assert after == {path: state for path, state in before.items() if not path.startswith(("objects", "refs"))}
    assert not (world.home / ".local").exists(), "nothing outside the private directory"
