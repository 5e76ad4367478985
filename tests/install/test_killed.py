"""SIGKILL before every single write: the repository has the old hook or the whole new one; the next try ends well."""

from __future__ import annotations

import json
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from gatekeeper.installing import apply, policytext, target
from tests.install.kit import World, push, snapshot

if TYPE_CHECKING:
    from pathlib import Path

POLICY = policytext.text(policytext.Choice("ssh", ("alice",)), "project.git")

OLD = "#!/bin/sh\necho the old hook ran >&2\n"

# Python tells an audit hook of every write before it happens: the child counts them and dies at the one that it was
# given.
CHILD = """\
import json, os, signal, sys
from pathlib import Path

from gatekeeper.installing import apply, policytext, target

verb, repository, last = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
CHANGES = {"os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.symlink"}
seen = []


def watch(event, args):
    writes = event in CHANGES or (event == "open" and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    if writes and (isinstance(args[0], int) or os.fspath(args[0]).startswith(str(repository))):
        seen.append(event)
        if len(seen) == last:
            os.kill(os.getpid(), signal.SIGKILL)


place = target.bare(repository)
policy = policytext.text(policytext.Choice("ssh", ("alice",)), "project.git")
sys.addaudithook(watch)
apply.install(place, policy, replace_policy=True) if verb == "install" else apply.uninstall(place)
print(json.dumps(seen))
"""


def killed_at(world: World, verb: str, bare: Path, last: int) -> list[str] | None:
    """Run ``verb`` and die at write number ``last``; None when it died, else the writes of the whole run."""
    ran = world.run(sys.executable, "-c", CHILD, verb, bare, str(last))
    if ran.code == -signal.SIGKILL:
        return None
    assert ran.code == 0, ran.all
    return list(json.loads(ran.out))


def hook_works(world: World, bare: Path, number: int) -> None:
    """Whichever hook is there is a whole one and does its work."""
    text = (bare / "hooks/pre-receive").read_text()
    assert text == OLD or text.rstrip().count("\n") > 3
    clone = world.clone_of(bare, f"clone-{number}")
    pushed = push(clone, f"main:refs/heads/agent/n{number}")
    # Without a trusted ref the gate refuses an agent; the old hook lets everybody pass.
    assert (pushed.returncode == 0) == (text == OLD), pushed.stderr
    assert ("the old hook ran" in pushed.remote) == (text == OLD)


@pytest.mark.parametrize(("old", "again"), [(OLD, True), (None, True), (OLD, False)])
def test_install(world: World, old: str | None, again: bool) -> None:
    """``again``: the next thing that somebody does is to install; else, to uninstall."""
    last = 0
    writes = None
    while writes is None:
        last += 1
        assert last < 100
        bare = world.bare(f"{last}.git")
        if old is not None:
            world.hook(bare / "hooks/pre-receive", old)
        before = snapshot(bare)
        writes = killed_at(world, "install", bare, last)
        if old is not None:
            hook_works(world, bare, last)
        if again:
            apply.install(target.bare(bare), POLICY, replace_policy=True)
            assert not list((bare / "hooks").glob(".*")), "a temporary file was left"
            if old is not None:
                assert (bare / "hooks/pre-receive.chained").read_text() == old
        apply.uninstall(target.bare(bare, leaving=True))
        after = {path: state for path, state in snapshot(bare).items() if not path.startswith(("objects", "refs"))}
        assert after == {path: state for path, state in before.items() if not path.startswith(("objects", "refs"))} | (
            # A directory of ours that the killed process made and could not write down.
            {"hooks": after["hooks"]} if "hooks" in after else {}
        )
    assert writes.count("os.rename") == 4, "record, policy, two hooks: one rename each"
    assert last == len(writes) + 1


def test_uninstall(world: World) -> None:
    last = 0
    writes = None
    while writes is None:
        last += 1
        assert last < 100
        bare = world.bare(f"{last}.git")
        world.hook(bare / "hooks/pre-receive", OLD)
        before = snapshot(bare)
        apply.install(target.bare(bare), POLICY, replace_policy=True)
        writes = killed_at(world, "uninstall", bare, last)
        hook_works(world, bare, last)
        apply.uninstall(target.bare(bare, leaving=True))
        after = {path: state for path, state in snapshot(bare).items() if not path.startswith(("objects", "refs"))}
        assert after == {path: state for path, state in before.items() if not path.startswith(("objects", "refs"))}
    assert last == len(writes) + 1
