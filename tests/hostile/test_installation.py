"""A gate that is broken, unreadable or killed refuses, and says how to repair it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.lab import HONEST_FIX, SITE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.lab import Lab, Pushed


def push(lab: Lab) -> Pushed:
    return lab.push(f"{lab.commit(HONEST_FIX)}:refs/heads/agent/x")


def refused(pushed: Pushed, *words: str) -> None:
    said = " ".join(pushed.remote)
    assert not pushed.accepted
    assert pushed.exit not in (0, None)
    for word in words:
        assert word in said, said


def shim(lab: Lab, old: str, new: str) -> None:
    hook = lab.bare / "hooks/pre-receive"
    text = hook.read_text()
    assert old in text
    hook.write_text(text.replace(old, new))


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    "interpreter",
    ["exit 0", "kill -9 $$", "kill -15 $$", "exit 70", "echo hello; exit 0", "exec true", "exit 127"],
    ids=lambda text: text.replace(" ", "-"),
)
def test_an_interpreter_that_is_none(lab: Lab, tmp_path: Path, interpreter: str) -> None:
    shim(lab, sys.executable, script(tmp_path / "python", interpreter))
    refused(push(lab), "refused", "install.sh")


def test_no_interpreter(lab: Lab) -> None:
    shim(lab, sys.executable, "/nowhere/python3")
    refused(push(lab), "no interpreter", "install.sh")


@pytest.mark.parametrize(
    "code", ["raise SystemExit(0)", "import os; os._exit(0)", "x = (", "def main(arguments): pass"]
)
def test_a_package_that_is_none(lab: Lab, tmp_path: Path, code: str) -> None:
    package = tmp_path / "site/gatekeeper/entry"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("")
    (package / "__init__.py").write_text("")
    (package / "pre_receive.py").write_text(f"{code}\n")
    shim(lab, SITE[0], str(tmp_path / "site"))
    refused(push(lab), "refused")


def test_no_package(lab: Lab) -> None:
    shim(lab, os.pathsep.join(SITE), "/nowhere")
    refused(push(lab), "broken", "install.sh")


def test_no_dependency(lab: Lab) -> None:
    shim(lab, os.pathsep.join(SITE), SITE[0])
    refused(push(lab), "refused")


@pytest.mark.parametrize("kind", ["directory", "fifo", "large", "nul", "latin", "deep", "empty", "loop"])
def test_a_policy_that_cannot_be_read(lab: Lab, kind: str) -> None:
    path = lab.bare / "gatekeeper/policy.toml"
    path.unlink()
    if kind == "directory":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "loop":
        path.symlink_to(path)
    else:
        path.write_bytes(
            {
                "large": b"# " + b"x" * (100 << 20),
                "nul": b"version = 1\0",
                "latin": b"version = 1 # \xe9",
                "deep": b"version = 1\nx = " + b"[" * 100_000,
                "empty": b"",
            }[kind]
        )
    refused(push(lab), "GK008", "fix:")


def test_a_policy_without_permission(lab: Lab) -> None:
    if os.geteuid() == 0:
        # nothing is unreadable to root but what is below a file
        path = lab.bare / "gatekeeper/policy.toml"
        path.unlink()
        path.symlink_to(lab.bare / "HEAD" / "policy.toml")
    else:
        (lab.bare / "gatekeeper/policy.toml").chmod(0)
    refused(push(lab), "GK008", "fix:")


@pytest.mark.parametrize("kind", ["file", "garbage", "directory", "truncated"])
def test_a_cache_that_is_none_costs_nothing(lab: Lab, kind: str) -> None:
    assert push(lab).accepted
    cache = lab.bare / "gatekeeper/cache"
    slot = cache / "server"
    whole = slot.read_bytes()
    if kind == "file":
        slot.unlink()
        cache.rmdir()
        cache.write_bytes(b"")
    elif kind == "directory":
        slot.unlink()
        slot.mkdir()
    else:
        slot.write_bytes(b"garbage" * 1000 if kind == "garbage" else whole[: len(whole) // 2])
    fix = lab.commit(HONEST_FIX, "Again")
    assert lab.push(f"{fix}:refs/heads/agent/y").accepted
    weak = lab.commit({"tests/test_encoder.py": b""})
    assert lab.push(f"{weak}:refs/heads/agent/z").codes == {"GK101"}


def test_a_full_disk_costs_the_cache_only(lab: Lab, tmp_path: Path) -> None:
    """A file size limit of zero is what a full disk is to a process that writes."""
    python = script(tmp_path / "python", f'ulimit -f 0\nexec "{sys.executable}" "$@"')
    shim(lab, sys.executable, python)
    assert push(lab).accepted
    weak = lab.commit({"tests/test_encoder.py": b""})
    assert lab.push(f"{weak}:refs/heads/agent/z").codes == {"GK101"}


def test_too_little_memory_is_a_refusal(lab: Lab, tmp_path: Path) -> None:
    python = script(tmp_path / "python", f'ulimit -v 30000\nexec "{sys.executable}" "$@"')
    shim(lab, sys.executable, python)
    refused(push(lab), "refused")
