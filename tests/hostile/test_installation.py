"""A gate that is broken, unreadable or killed refuses, and says how to repair it."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING
from unittest.mock import ANY

import pytest

from tests.hostile.kit import run_hook, update
from tests.support.lab import CHECKOUT, HONEST_FIX, SITE, Lab

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.lab import Pushed


WRONG = ("None", "True", "False", "0.0", "'0'", "[]", "-1", "32", "64", "256", "-32", "1 << 70", "b'0'", "float('nan')")
"""What is not one of the verdict's codes, or is one only by chance."""


@pytest.fixture(scope="module")
def shims(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """One repository for the shims, each of which a test writes anew."""
    lab = Lab(tmp_path_factory.mktemp("shims"))
    lab.install("pre-receive", "update", "pre-push")
    return lab


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
    # as installed, also where a coverage run has opened the hook to site
    hook.write_text(text.replace(old, new).replace('" -I -c', '" -I -S -c'))


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


BROKEN = {
    "exits": "raise SystemExit(0)",
    "exits at once": "import os; os._exit(0)",
    "exits as the gate does": "import sys; sys.exit(32)",
    "ends in an exception": "1 / 0",
    "is interrupted": "raise KeyboardInterrupt",
    "is no Python": "x = (",
    "is no text": "\0",
    "is empty": "",
    "has no main": "def judge(arguments): return 0",
    "main is no function": "main = 0",
    "main takes nothing": "def main(): return 0",
    "main raises": "def main(arguments): raise ValueError",
    "main exits": "def main(arguments): raise SystemExit(0)",
    "main exits at once": "def main(arguments): __import__('os')._exit(0)",
    "main never ends well": "def main(arguments): __import__('os').kill(__import__('os').getpid(), 9)",
    **{f"main gives {value}": f"def main(arguments): return {value}" for value in WRONG},
}


@pytest.mark.parametrize("hook", ["pre-receive", "update", "pre-push"])
@pytest.mark.parametrize("code", BROKEN)
def test_nothing_but_a_verdict_leaves_a_shim_as_a_pass(tmp_path: Path, shims: Lab, hook: str, code: str) -> None:
    package = tmp_path / "site/gatekeeper/entry"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("")
    (package / "__init__.py").write_text("")
    (package / f"{hook.replace('-', '_')}.py").write_text(f"{BROKEN[code]}\n")
    text = (CHECKOUT / "hooks" / hook).read_text()
    script = shims.bare / "hooks" / hook
    script.write_text(text.replace("@PYTHON@", sys.executable).replace("@SITE@", str(tmp_path / "site")))
    ended = run_hook(shims, update(str(shims.base)), "origin", "url", hook=hook)
    assert ended.code == 3
    assert "gatekeeper: refused, no verdict. Repair: ./install.sh" in ended.said


@pytest.mark.parametrize(("value", "code"), [("0", 0), ("1", 1), ("2", 2), ("3", 3), ("31", 31), ("130", 130)])
@pytest.mark.parametrize("hook", ["pre-receive", "update", "pre-push"])
def test_a_verdict_leaves_a_shim_as_it_is(tmp_path: Path, shims: Lab, hook: str, value: str, code: int) -> None:
    package = tmp_path / "site/gatekeeper/entry"
    package.mkdir(parents=True)
    (package / f"{hook.replace('-', '_')}.py").write_text(f"def main(arguments): return {value}\n")
    text = (CHECKOUT / "hooks" / hook).read_text()
    script = shims.bare / "hooks" / hook
    script.write_text(text.replace("@PYTHON@", sys.executable).replace("@SITE@", f"::relative:{tmp_path}/site:"))
    assert run_hook(shims, b"", "origin", "url", hook=hook) == (code, "", ANY)


@pytest.mark.parametrize("site", ["", ":", ".", "relative", "gatekeeper/.."])
def test_a_site_that_is_no_absolute_path_is_not_searched(shims: Lab, site: str) -> None:
    """The bare repository has a directory named gatekeeper: it must never become the package."""
    package = shims.bare / "gatekeeper/entry"
    package.mkdir(exist_ok=True)
    (package / "pre_receive.py").write_text("def main(arguments): return 0\n")
    script = shims.bare / "hooks/pre-receive"
    text = (CHECKOUT / "hooks/pre-receive").read_text()
    script.write_text(text.replace("@PYTHON@", sys.executable).replace("@SITE@", site))
    ended = run_hook(shims, update(str(shims.base)))
    assert ended.code == 3
    assert "broken" in ended.said


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
        shutil.rmtree(cache)
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
