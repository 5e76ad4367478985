"""``gatekeeper demo``: real pushes, and an exit code that tells whether the gate did what it must."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.support.lab import CHECKOUT

if TYPE_CHECKING:
    from tests.install.kit import World

ESC = "\x1b"


def test_every_verdict_is_the_expected_one(world: World) -> None:
    ran = world.gatekeeper("demo", "--fast", env=world.env(TMPDIR=str(world.home)))
    assert ran.code == 0, ran.all
    assert ESC not in ran.out
    assert ran.err == ""
    for code in ("GK101", "GK102", "GK105", "GK108", "GK109", "GK201", "GK207"):
        assert code in ran.out
    assert ran.out.count("-> accepted") == 2
    assert ran.out.count("-> refused") == 8
    assert "git push origin agent/straight:main" in ran.out
    assert "NOT AS IT MUST BE" not in ran.out
    assert list(world.home.iterdir()) == [], "the throw-away repositories are thrown away"


def test_keep_leaves_what_really_happened(world: World) -> None:
    ran = world.gatekeeper("demo", "--fast", "--keep", env=world.env(TMPDIR=str(world.home)))
    assert ran.code == 0, ran.all
    (root,) = world.home.glob("gatekeeper-demo-*")
    assert str(root) in ran.out
    refs = world.run("git", f"--git-dir={root}/project.git", "for-each-ref", "--format=%(refname)").out.split()
    assert refs == ["refs/heads/agent/honest", "refs/heads/main"]


def test_a_gate_that_lets_a_cheat_pass_is_told_so(world: World) -> None:
    """The demo on a copy of the package whose shim passes the installer's probe and then accepts every push."""
    copy = world.root / "copy"
    shutil.copytree(CHECKOUT / "gatekeeper", copy / "gatekeeper", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(CHECKOUT / "hooks", copy / "hooks")
    hook = copy / "hooks/pre-receive"
    open_gate = '#!/bin/sh\n[ -n "$(cat)" ] && exit 0\necho "no ref updates on standard input" >&2; exit 3\n'
    hook.write_text(hook.read_text().replace("#!/bin/sh\n", open_gate, 1))
    ran = world.gatekeeper("demo", "--fast", env={**world.env(), "PYTHONPATH": str(copy)})
    assert ran.code == 1, ran.all
    assert ran.out.count("NOT AS IT MUST BE") == 8


def on_a_terminal(world: World, **env: str) -> tuple[int, str]:
    """Run the demo with a terminal as its output; its exit code and what the terminal got."""
    ours, theirs = pty.openpty()
    try:
        child = subprocess.Popen(
            [sys.executable, "-m", "gatekeeper", "demo", "--fast"],
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
            env=world.env(TERM="xterm-256color", **env),
        )
        os.close(theirs)
        seen = b""
        while select.select([ours], [], [], 60)[0]:
            try:
                block = os.read(ours, 65536)
            except OSError:
                break
            if not block:
                break
            seen += block
        return child.wait(60), seen.decode()
    finally:
        os.close(ours)


def test_colour_on_a_terminal(world: World) -> None:
    code, seen = on_a_terminal(world)
    assert code == 0, seen
    assert re.search(ESC + r"\[[0-9;]*31m", seen), "refusals are red"
    assert re.search(ESC + r"\[[0-9;]*32m", seen), "acceptances are green"


def test_no_color_is_respected(world: World) -> None:
    code, seen = on_a_terminal(world, NO_COLOR="1")
    assert code == 0, seen
    assert not re.search(ESC + r"\[[0-9;]*3[0-9]m", seen)
    assert "GK102" in seen
