"""``install.sh``: what it says when something is missing, and that nothing is left when it says so."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.install.kit import POWERLESS, SCRIPT, Ran, agent_commit, push, snapshot
from tests.support.git import hermetic_env

if TYPE_CHECKING:
    from pathlib import Path

    from tests.install.kit import World

WHO = ("--identity", "ssh", "--humans", "alice")
TOOLS = ("sh", "dirname", "mktemp", "rm", "rmdir", "mkdir", "cat", "tail", "git", "ln", "cksum", "touch", "grep", "env")


def fake_python(folder: Path, name: str, version: str, rest: str = "exit 1") -> None:
    """An interpreter that knows its version and nothing else."""
    script = folder / name
    script.write_text(f'#!/bin/sh\ncase "$2" in *version_info*) echo {version}; exit 0 ;; esac\n{rest}\n')
    script.chmod(0o755)


def tools(world: World, *without: str) -> Path:
    """A PATH that holds a few tools and no Python."""
    folder = world.root / "bin"
    folder.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        if name not in without and found is not None:
            (folder / name).symlink_to(found)
    return folder


def run(world: World, path: Path, *words: str | Path, **env: str) -> Ran:
    """Run the script with nothing but ``path`` to find programs in."""
    shell = shutil.which("sh")
    assert shell is not None
    return world.run(shell, SCRIPT, *words, env={**hermetic_env(world.home, **env), "PATH": str(path)})


def nothing_left(world: World, bare: Path, before: dict[str, tuple[int, bytes]]) -> None:
    assert snapshot(bare) == before
    assert list(world.home.iterdir()) == []


def test_help(world: World) -> None:
    ran = world.script("--help")
    assert ran.code == 0
    for word in ("--demo", "--test", "--clone", "--uninstall", "--identity ssh|http", "GATEKEEPER_HOME", "PYTHON"):
        assert word in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "usage:"),
        (("--frobnicate",), "--frobnicate is not an option"),
        (("--identity", "ssh"), "no repository"),
        (("x.git", "--humans"), "--humans needs a value"),
        (("--uninstall",), "no repository"),
    ],
)
def test_usage(world: World, words: tuple[str, ...], said: str) -> None:
    ran = world.script(*words)
    assert ran.code == 3
    assert said in ran.err


def test_no_python(world: World) -> None:
    bare = world.bare()
    before = snapshot(bare)
    ran = run(world, tools(world), bare, *WHO)
    assert ran.code == 3
    assert "no python3 on PATH" in ran.err
    assert "apt install python3" in ran.err
    nothing_left(world, bare, before)


def test_an_old_python(world: World) -> None:
    bare = world.bare()
    before = snapshot(bare)
    path = tools(world)
    fake_python(path, "python3", "3.9")
    ran = run(world, path, bare, *WHO)
    assert ran.code == 3
    assert "python3 is Python 3.9; 3.11 or later is needed" in ran.err
    nothing_left(world, bare, before)


@pytest.mark.parametrize("version", ["2.7", "3.10", "3.2"])
def test_versions_are_compared_as_numbers(world: World, version: str) -> None:
    path = tools(world)
    fake_python(path, "python3", version)
    ran = run(world, path, world.bare(), *WHO)
    assert ran.code == 3
    assert f"is Python {version}" in ran.err


def test_a_python_that_does_not_run(world: World) -> None:
    path = tools(world)
    (path / "python3").write_text("#!/bin/sh\nexit 127\n")
    (path / "python3").chmod(0o755)
    ran = run(world, path, world.bare(), *WHO)
    assert ran.code == 3
    assert "python3 does not run" in ran.err


def test_debians_python_without_ensurepip(world: World) -> None:
    bare = world.bare()
    before = snapshot(bare)
    path = tools(world)
    fake_python(path, "python3", "3.13")
    ran = run(world, path, bare, *WHO)
    assert ran.code == 3
    assert "apt install python3-venv (or python3.13-venv)" in ran.err
    nothing_left(world, bare, before)


def test_each_python_is_given_its_reason(world: World) -> None:
    path = tools(world)
    fake_python(path, "python3.12", "3.12")
    fake_python(path, "python3", "3.9")
    ran = run(world, path, world.bare(), *WHO)
    assert ran.code == 3
    assert "python3.12 (Python 3.12) has no venv" in ran.err
    assert "python3 is Python 3.9" in ran.err


def test_the_next_python_is_taken_when_one_will_not_do(world: World) -> None:
    """A newer interpreter without venv does not hide an older one; a build that then fails leaves nothing."""
    bare = world.bare()
    before = snapshot(bare)
    path = tools(world)
    fake_python(path, "python3.13", "3.13")
    fails = 'case "$2 $3" in "venv "*) echo no space left >&2; exit 1 ;; "import venv"*) exit 0 ;; esac'
    good = f'{fails}\nexec {sys.executable} "$@"'
    fake_python(path, "python3", "3.12", good)
    ran = run(world, path, bare, *WHO)
    assert ran.code == 3
    assert "venv failed" in ran.err
    assert "no space left" in ran.err
    nothing_left(world, bare, before)


def test_a_python_of_ones_choice(world: World) -> None:
    path = tools(world)
    fake_python(path, "mine", "3.9")
    ran = run(world, path, world.bare(), *WHO, PYTHON="mine")
    assert ran.code == 3
    assert "mine is Python 3.9" in ran.err
    assert "PYTHON=mine was given" in ran.err


def test_no_git(world: World) -> None:
    bare = world.bare()
    before = snapshot(bare)
    path = tools(world, "git")
    fake_python(path, "python3", "3.13", "exit 0")
    ran = run(world, path, bare, *WHO)
    assert ran.code == 3
    assert "git is not on PATH" in ran.err
    assert "apt install git" in ran.err
    nothing_left(world, bare, before)


def test_pip_fails(world: World) -> None:
    """Offline: the environment is made and then taken away again."""
    bare = world.bare()
    before = snapshot(bare)
    path = tools(world)
    script = "#!/bin/sh\\necho Network is unreachable >&2; exit 1\\n"
    venv = f'mkdir -p "$5/bin"; printf "{script}" >"$5/bin/python"; chmod +x "$5/bin/python"'
    (path / "chmod").symlink_to(str(shutil.which("chmod")))
    good = f'case "$2" in venv) {venv}; exit 0 ;; "import venv"*) exit 0 ;; esac\nexec {sys.executable} "$@"'
    fake_python(path, "python3", "3.12", good)
    ran = run(world, path, bare, *WHO, TMPDIR=str(world.root))
    assert ran.code == 3
    assert "pip could not install" in ran.err
    assert "Network is unreachable" in ran.err
    assert "PIP_INDEX_URL" in ran.err
    assert not list(world.root.glob("tmp.*"))
    nothing_left(world, bare, before)


def test_a_repository_that_will_not_do_is_refused_before_anything_is_built(world: World) -> None:
    path = tools(world)
    fake_python(path, "python3", "3.12", f'case "$2" in "import venv"*) exit 0 ;; esac\nexec {sys.executable} "$@"')
    clone = world.clone_of(world.bare())
    ran = run(world, path, clone.cwd, world.root / "nowhere", *WHO)
    assert ran.code == 3
    assert "setting up" not in ran.out
    assert "not a bare repository" in ran.err
    assert "nowhere does not exist" in ran.err
    assert "mend:" in ran.err
    assert list(world.home.iterdir()) == []


def test_a_relative_home_is_refused(world: World) -> None:
    ran = world.script(world.bare(), *WHO, GATEKEEPER_ENV="", GATEKEEPER_HOME="somewhere")
    assert ran.code == 3
    assert "not an absolute path" in ran.err


def test_a_home_that_cannot_be_written(world: World) -> None:
    bare = world.bare()
    before = snapshot(bare)
    locked = world.root / "locked"
    locked.mkdir(mode=0o555)
    env = hermetic_env(world.home, GATEKEEPER_HOME=str(locked / "home"), PYTHON=sys.executable)
    ran = world.run(*POWERLESS, "sh", SCRIPT, bare, *WHO, env=env)
    assert ran.code == 3
    assert "cannot write there" in ran.err
    nothing_left(world, bare, before)


@pytest.mark.parametrize("value", ["/nowhere", "{root}"])
def test_an_environment_without_our_command(world: World, value: str) -> None:
    bare = world.bare()
    before = snapshot(bare)
    ran = world.script(bare, *WHO, GATEKEEPER_ENV=value.format(root=world.root))
    assert ran.code == 3
    assert "GATEKEEPER_ENV=" in ran.err
    nothing_left(world, bare, before)


def test_install_and_uninstall(world: World) -> None:
    bare = world.bare()
    before = snapshot(bare)
    ran = world.script(bare, *WHO)
    assert ran.code == 0, ran.all
    assert f"{world.ready()}/bin/gatekeeper doctor {bare}" in ran.out
    clone = world.clone_of(bare)
    assert push(clone, f"{agent_commit(clone, 'conftest.py')}:refs/heads/agent/x").returncode != 0
    again = world.script(bare, *WHO)
    assert again.code == 0
    assert "unchanged" in again.out
    # Taking it out needs no environment: it may have been deleted.
    gone = world.script("--uninstall", bare, GATEKEEPER_ENV="")
    assert gone.code == 0, gone.all
    assert snapshot(bare) == before


def test_without_identity_it_observes(world: World) -> None:
    ran = world.script(world.bare())
    assert ran.code == 0, ran.all
    assert "OBSERVE MODE" in ran.out


def test_a_clone_and_back(world: World) -> None:
    clone = world.clone_of(world.bare())
    before = snapshot(clone.cwd)
    policy = world.root / "published.toml"
    policy.write_text("version = 1\n")
    ran = world.script("--clone", clone.cwd, "--policy", policy)
    assert ran.code == 0, ran.all
    assert (clone.cwd / ".git/hooks/pre-push").stat().st_mode & 0o111
    assert (clone.cwd / ".git/gatekeeper/policy.toml").read_text() == "version = 1\n"
    gone = world.script("--uninstall", "--clone", clone.cwd)
    assert gone.code == 0, gone.all
    assert snapshot(clone.cwd) == before


def test_paths_with_spaces_and_from_elsewhere(world: World) -> None:
    bare = world.bare("my project.git")
    ran = world.run(
        "sh",
        os.path.relpath(SCRIPT, world.root),
        "my project.git",
        *WHO,
        env=hermetic_env(world.home, GATEKEEPER_ENV=str(world.ready()), PYTHON=sys.executable),
    )
    assert ran.code == 0, ran.all
    assert f"uninstall '{bare}'" in ran.out


TOOL = """\
#!/bin/sh
name=$(basename "$0")
echo "$name $*" >>"$LOG"
echo "$name says something"
exit "$(cat "$CODES/$name")"
"""


@pytest.mark.parametrize(
    ("words", "codes", "expected"),
    [
        ((), {}, 0),
        (("-k", "two words"), {}, 0),
        ((), {"ruff": 1}, 1),
        ((), {"mypy": 2}, 1),
        ((), {"lint-imports": 1}, 1),
        ((), {"python": 1}, 1),
        ((), {"python": 5, "ruff": 1}, 5),
    ],
)
def test_the_test_command(world: World, words: tuple[str, ...], codes: dict[str, int], expected: int) -> None:
    """Every step runs, pytest last; one that fails fails the command. The tools are stand-ins."""
    checkout = world.root / "checkout"
    checkout.mkdir()
    shutil.copy(SCRIPT, checkout)
    (checkout / "pyproject.toml").write_text("")
    (world.root / "codes").mkdir()
    template = world.root / "template"
    template.mkdir()
    for tool in ("python", "ruff", "mypy", "lint-imports"):
        (template / tool).write_text(TOOL)
        (template / tool).chmod(0o755)
        (world.root / "codes" / tool).write_text(str(codes.get(tool, 0)))
    python = world.root / "python3"
    venv = f'[ "$2" = venv ] && {{ mkdir -p "$5" && cp -r {template} "$5/bin"; exit; }}'
    python.write_text(f'#!/bin/sh\n{venv}\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    # pip runs through the stand-in for python as well, and must not be told to fail.
    (template / "python").write_text(TOOL.replace("exit ", '[ "$2" = pip ] && exit 0\nexit '))
    log = world.root / "log"
    env = hermetic_env(world.home, PYTHON=str(python), LOG=str(log), CODES=str(world.root / "codes"))
    ran = world.run("sh", checkout / "install.sh", "--test", *words, env=env)
    assert ran.code == expected, ran.all
    steps = [line for line in log.read_text().splitlines() if " pip " not in line]
    assert [step.split()[0] for step in steps] == ["ruff", "mypy", "lint-imports", "python"]
    assert steps[-1] == " ".join(["python -m pytest -n auto", *words])
    assert ran.out.rstrip().endswith("python says something")
    broken = [tool for tool in codes if tool != "python"]
    assert (f"FAILED: {' '.join(broken)}" in ran.err) == bool(broken)


@pytest.mark.parametrize("shell", ["dash", "sh", "bash"])
def test_the_script_is_plain_sh(shell: str) -> None:
    found = shutil.which(shell)
    assert found is not None
    assert subprocess.run([found, "-n", SCRIPT], check=False).returncode == 0


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
@pytest.mark.parametrize("name", ["install.sh", "hooks/pre-receive", "hooks/update", "hooks/pre-push"])
def test_shellcheck_has_nothing_to_say(name: str) -> None:
    done = subprocess.run(
        ["shellcheck", "--shell=sh", SCRIPT.parent / name], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_interrupted_while_it_builds(world: World) -> None:
    """Ctrl-C reaches the whole process group: 130, and what was built so far is gone."""
    bare = world.bare()
    before = snapshot(bare)
    path = tools(world)
    (path / "sleep").symlink_to(str(shutil.which("sleep")))
    build = 'mkdir -p "$5/bin"; touch started; sleep 60; exit 1'
    rest = f'case "$2" in venv) {build} ;; "import venv"*) exit 0 ;; esac\nexec {sys.executable} "$@"'
    fake_python(path, "python3", "3.12", rest)
    shell = str(shutil.which("sh"))
    env = {**hermetic_env(world.home), "PATH": str(path)}
    running = subprocess.Popen([shell, SCRIPT, bare, *WHO], env=env, cwd=world.root, start_new_session=True)
    started = world.root / "started"
    while running.poll() is None and not started.exists():
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    assert running.wait(60) == 130
    nothing_left(world, bare, before)
