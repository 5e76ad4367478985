"""What people and agents do at their desks: edit and commit with git itself, push, follow the advice they get."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from tests.support.git import hermetic_env

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.support.git import Arg
    from tests.support.lab import Lab, Pushed

MAIN = "refs/heads/main"
MINE = "refs/heads/agent/fix"

STRICTER = {"tests/test_stricter.py": b"def test_stricter() -> None:\n    assert 1 + 1 == 2\n"}
"""What a person adds to the tests while an agent is at work."""


def write(folder: Path, files: Mapping[str, bytes | None]) -> None:
    """Write files of a work tree; None removes one."""
    for name, content in files.items():
        path = folder / name
        if content is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def commit(lab: Lab, files: Mapping[str, bytes | None], message: str = "Change") -> None:
    """Edit the work tree and commit everything, as an agent does."""
    write(lab.work, files)
    record(lab, message)


def record(lab: Lab, message: str = "Change") -> None:
    """Commit whatever is in the work tree."""
    lab.git("add", "--all")
    lab.git("commit", "--quiet", "-m", message)


def push(lab: Lab, *options: Arg, ref: str = MINE, actor: str = "bot") -> Pushed:
    """Push what is checked out to a ref of the agent lane."""
    return lab.push(*options, f"HEAD:{ref}", url="origin", actor=actor)


def move_main(lab: Lab, files: Mapping[str, bytes | None], message: str = "Change") -> str:
    """A person pushes a further commit to the trusted branch; the clone does not know of it yet."""
    new = lab.commit(files, message, parent=lab.tip())
    accepted(lab.push(f"{new}:{MAIN}", actor="alice"))
    return new


def accepted(pushed: Pushed) -> Pushed:
    """The push went through, and what was said about it stays within bounds."""
    assert pushed.accepted, pushed.result.stderr
    bounded(pushed)
    return pushed


def refused(pushed: Pushed, *codes: str, exit: int = 1) -> Pushed:  # noqa: A002
    """The push was refused by exactly these rules, within bounds, and with something to do next."""
    assert not pushed.accepted, pushed.result.stderr
    # whoever writes a test breaks the properties that it is part of as well
    of_properties = {code for code in pushed.codes if code.startswith("GK4")} - set(codes)
    assert pushed.codes - (of_properties if any(code.startswith("GK1") for code in codes) else set()) == set(codes), (
        pushed.result.stderr
    )
    assert pushed.exit == exit, pushed.result.stderr
    bounded(pushed)
    assert any(line.startswith(("mend: ", "fix: ")) for line in pushed.remote), pushed.result.stderr
    assert any(line.startswith("refused: ") for line in pushed.remote), pushed.result.stderr
    return pushed


def bounded(pushed: Pushed) -> None:
    """At most 20 lines of 72 columns of printable ASCII."""
    assert len(pushed.remote) <= 20, pushed.result.stderr
    for line in pushed.remote:
        assert len(line) <= 72, line
        assert line.isascii(), line
        assert line.isprintable(), line


def advice(pushed: Pushed) -> str | None:
    """The commands that a refusal prints, as they are copied from the screen; None when it prints none."""
    lines = iter(pushed.remote)
    for line in lines:
        if line.startswith("mend: "):
            copied = [line.removeprefix("mend: ")]
            while copied[-1].endswith("\\"):
                copied.append(next(lines))
            return "\n".join(copied)
    return None


def follow(lab: Lab, pushed: Pushed, folder: Path | None = None) -> str:
    """Run the printed commands, whatever they are, with a shell in the work tree; returns them.

    No command may need an editor.
    """
    script = advice(pushed)
    assert script is not None, pushed.result.stderr
    done = subprocess.run(
        ["sh", "-eu"],
        input=script.encode(),
        cwd=folder or lab.work,
        env=hermetic_env(lab.home, GIT_EDITOR="false"),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout.decode()}{done.stderr.decode()}"
    return script


def assert_only(lab: Lab, ref: str, work: Mapping[str, bytes | None]) -> None:
    """On the server, ``ref`` differs from the trusted branch in this work and in nothing else."""
    changed = lab.server.raw("diff-tree", "-r", "-z", "--name-only", "--no-renames", MAIN, ref).split(b"\0")[:-1]
    assert {path.decode() for path in changed} == set(work)
    for path, content in work.items():
        if content is not None:
            assert lab.server.raw("cat-file", "blob", f"{ref}:{path}") == content
