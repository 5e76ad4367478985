"""What is fed to a hook and is not what git feeds it: no verdict, and soon, whatever the bytes or their number."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.attacks import wire
from tests.hostile.kit import MIB, ZERO, run_hook, update
from tests.support.git import hermetic_env
from tests.support.lab import HONEST_FIX, WEAKENED_TEST, Lab, policy

if TYPE_CHECKING:
    from pathlib import Path

NOUGHT = ZERO.encode()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """One repository for all of them: nothing here ever changes it."""
    made = Lab(tmp_path_factory.mktemp("lab"))
    made.install("pre-receive", "update")
    return made


@pytest.fixture(scope="module")
def fix(lab: Lab) -> str:
    return lab.commit(HONEST_FIX)


def test_well_formed_input_is_judged(lab: Lab, fix: str) -> None:
    """The control: the hook, started in this way, passes what it should and refuses what it should."""
    assert run_hook(lab, update(fix)).code == 0
    weak = lab.commit(WEAKENED_TEST)
    assert run_hook(lab, update(weak)).code == 1
    assert run_hook(lab, update(fix) + update(weak, "refs/heads/agent/y")).code == 1
    assert run_hook(lab, b"", "refs/heads/agent/x", ZERO, fix, hook="update").code == 0
    assert run_hook(lab, b"", "refs/heads/agent/x", ZERO, weak, hook="update").code == 1


@pytest.mark.parametrize(
    "stdin",
    [
        b"",
        b"\n",
        b"x",
        b"%s %s refs/heads/agent/x" % (NOUGHT, NOUGHT),
        b"%s %s refs/hea" % (NOUGHT, NOUGHT),
        b"%s %s\n" % (NOUGHT, NOUGHT),
        b"%s %s \n" % (NOUGHT, NOUGHT),
        b"%s  %s refs/heads/agent/x\n" % (NOUGHT, NOUGHT),
        b" %s %s refs/heads/agent/x\n" % (NOUGHT, NOUGHT),
        b"%s\t%s\trefs/heads/agent/x\n" % (NOUGHT, NOUGHT),
        b"%s %s refs/heads/agent/x\n" % (b"0" * 64, b"0" * 64),
        b"%s %s refs/heads/agent/x\n" % (b"0" * 39, NOUGHT),
        b"%s %s refs/heads/agent/x\n" % (NOUGHT, b"A" * 40),
        b"%s %s refs/heads/agent/x\n" % (NOUGHT, b"+" * 40),
        b"%s %s refs/heads/a\0b\n" % (NOUGHT, NOUGHT),
        b"\0" * 4096 + b"\n",
        b"%s %s refs/heads/agent/x\n\xff\xfe\n" % (NOUGHT, NOUGHT),
        b"%s %s refs/heads/agent/x\n\n" % (NOUGHT, NOUGHT),
    ],
    ids=range(18),
)
def test_malformed_lines(lab: Lab, stdin: bytes) -> None:
    ended = run_hook(lab, stdin)
    assert ended.code == 3
    assert ended.said.startswith("gatekeeper: ")
    assert "fix: " in ended.said


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_the_update_hook_without_its_three_arguments(lab: Lab, count: int) -> None:
    ended = run_hook(lab, b"", *["refs/heads/agent/x"] * count, hook="update")
    assert ended.code == 3
    assert "fix: " in ended.said


@pytest.mark.parametrize(("old", "new"), [("", ""), ("x" * 40, ZERO), (ZERO, "F" * 40), (ZERO, "1" * 64), (ZERO, "-1")])
def test_the_update_hook_with_other_arguments(lab: Lab, old: str, new: str) -> None:
    ended = run_hook(lab, b"", "refs/heads/agent/x", old, new, hook="update")
    assert ended.code == 3
    assert "not an object id" in ended.said


@pytest.mark.parametrize(
    ("head", "byte", "times", "words"),
    [
        (b"", b"0", 300 * MIB, "larger than 64 MiB"),
        (b"", b"0", 60 * MIB, "ends inside a line"),
        (b"", b"\n", 60 * MIB, "not a ref update"),
        (b"%s %s refs/heads/agent/" % (NOUGHT, NOUGHT), b"x", 60 * MIB, "ref name"),
    ],
    ids=["300 MB", "one line", "empty lines", "one ref"],
)
def test_input_beyond_all_measure(lab: Lab, head: bytes, byte: bytes, times: int, words: str) -> None:
    ended = run_hook(lab, head + byte * times + b"\n" * bool(head))
    assert ended.code == 3
    assert words in ended.said
    assert ended.peak < 256


def test_a_hundred_thousand_lines(lab: Lab, fix: str, tmp_path: Path) -> None:
    """More than can be judged in time are not judged; the last line of many is judged like the first."""
    quick = Lab(tmp_path, policy=policy(more="deadline = 1"))
    many = b"".join(update(str(quick.base), f"refs/heads/agent/x{number}") for number in range(100_000))
    ended = run_hook(quick, many)
    assert ended.code == 3
    assert "GK002" in ended.said
    assert ended.peak < 256
    clean = b"".join(update(str(lab.base), f"refs/tags/x{number}") for number in range(400))
    assert run_hook(lab, clean, actor="alice").code == 0
    assert run_hook(lab, clean + update(fix, "refs/replace/" + fix), actor="alice").code == 1


@pytest.mark.parametrize(
    "ref", [b"refs/heads/agent/\xff", b"refs/heads/agent/a\x1b[2Jb", b"refs/heads/agent/a\rb", b"agent", b"\xe9"]
)
def test_refs_that_are_no_text(lab: Lab, fix: str, ref: bytes) -> None:
    ended = run_hook(lab, b"%s %s %s\n" % (NOUGHT, fix.encode(), ref))
    assert ended.code == 1
    assert "GK2" in ended.said
    assert ended.said.replace("\n", "").isprintable()


def test_a_client_that_sends_a_ref_name_that_is_no_text(lab: Lab) -> None:
    answer = wire.push(lab.bare, [(None, lab.base, b"refs/heads/agent/\xff\xfe")], [], hermetic_env(lab.home))
    assert not answer.accepted
    assert "GK201" in answer.said
    assert "refs/heads/agent/\xff" not in lab.refs()


def test_an_input_that_never_ends_is_cut_off(lab: Lab) -> None:
    """Whoever keeps the pipe open waits for the default deadline, then for nothing."""
    hook = lab.bare / "hooks/pre-receive"
    text = hook.read_text().replace(
        "from gatekeeper.entry",
        "from gatekeeper.policy import defaults; defaults.DEADLINE = 1\n    from gatekeeper.entry",
    )
    hook.with_name("quick").write_text(text)
    hook.with_name("quick").chmod(0o755)
    with subprocess.Popen(
        ["hooks/quick"],
        cwd=lab.bare,
        env=hermetic_env(lab.home, GIT_DIR="."),
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as hanging:
        assert hanging.stdin is not None
        assert hanging.stderr is not None
        hanging.stdin.write(update(str(lab.base)))
        hanging.stdin.flush()
        assert hanging.wait(60) == 3
        assert b"GK002" in hanging.stderr.read()


@pytest.mark.parametrize(
    "stdin",
    [
        b"x",
        b"\n",
        b"refs/heads/x\n",
        b"a b c d\n",
        b"%s %s %s %s" % ((NOUGHT,) * 4),
        b"\0\n",
        b"x" * MIB,
        b"\xff\xfe \n",
    ],
    ids=range(8),
)
def test_what_pre_push_is_fed(lab: Lab, fix: str, stdin: bytes) -> None:
    """The hook of a clone: malformed lines stop the push as well, and a good one is judged."""
    hooks = lab.work / ".git/hooks"
    lab.install("pre-push")
    hooks.mkdir(exist_ok=True)
    (hooks / "pre-push").write_bytes((lab.bare / "hooks/pre-push").read_bytes())
    (hooks / "pre-push").chmod(0o755)

    def run(data: bytes) -> tuple[int, bytes]:
        done = subprocess.run(
            [".git/hooks/pre-push", "origin", str(lab.bare)],
            cwd=lab.work,
            input=data,
            env=hermetic_env(lab.home),
            capture_output=True,
            check=False,
        )
        return done.returncode, done.stderr

    code, said = run(stdin)
    assert code == 3
    assert b"fix: " in said
    good = b"refs/heads/x %s refs/heads/agent/x %s\n" % (fix.encode(), NOUGHT)
    assert run(good)[0] == 0
    assert run(good + stdin)[0] == 3
    weak = lab.commit(WEAKENED_TEST).encode()
    assert run(good + b"refs/heads/x %s refs/heads/agent/y %s\n" % (weak, NOUGHT))[0] == 1
