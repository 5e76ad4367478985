"""The hook as a process: killed, starved, out of time or with nobody listening, it never lets a push pass unjudged."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import termios
from typing import TYPE_CHECKING

import pytest

from tests.hostile.kit import PATIENCE, reach, run_hook, update
from tests.support.git import hermetic_env
from tests.support.lab import HONEST_FIX, WEAKENED_TEST, Lab, policy

if TYPE_CHECKING:
    from pathlib import Path

COMMITS = 16_000


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """One repository for all that only run the hook."""
    made = Lab(tmp_path_factory.mktemp("lab"))
    reach(made)
    return made


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """A repository in whose clone ``refs/heads/long`` has more new commits than a second is enough to read."""
    made = Lab(tmp_path_factory.mktemp("slow"), policy=policy(more="deadline = 1", tail="[limits]\ncommits = 1000000"))
    stream = [b"reset refs/heads/long\nfrom %s\n" % str(made.base).encode()]
    for number in range(COMMITS):
        stamp = b"A <a@example.invalid> %d +0000" % (1_700_000_000 + number)
        stream.append(b"commit refs/heads/long\ncommitter %s\ndata 1\nx\nM 100644 inline tests/n.py\n" % stamp)
        stream.append(b"data 6\n%6d\n" % number)
    made.fast_import(b"".join(stream))
    reach(made)
    return made


def start(lab: Lab, stderr: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    env = hermetic_env(lab.home, GIT_DIR=".", GATEKEEPER_ACTOR="bot")
    return subprocess.Popen(["hooks/pre-receive"], cwd=lab.bare, env=env, stdin=subprocess.PIPE, stderr=stderr)


def interpreter(lab: Lab, path: Path, text: str) -> None:
    """Put a script in the place of the interpreter; ``$real`` is the real one."""
    hook = lab.bare / "hooks/pre-receive"
    path.write_text(f'#!/bin/sh\nreal="{sys.executable}"\n{text}\n')
    path.chmod(0o755)
    hook.write_text(hook.read_text().replace(f"python='{sys.executable}'", f"python='{path}'"))


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGKILL, 3),
        (signal.SIGTERM, 3),
        (signal.SIGHUP, 3),
        (signal.SIGQUIT, 3),
        (signal.SIGSEGV, 3),
        (signal.SIGABRT, 3),
        (signal.SIGXCPU, 3),
        (signal.SIGUSR1, 3),
        (signal.SIGALRM, 3),
        (signal.SIGINT, 130),
        (signal.SIGRTMAX, 3),
    ],
)
def test_a_signal_on_the_way_is_a_refusal(tmp_path: Path, number: signal.Signals, code: int) -> None:
    lab = Lab(tmp_path / "lab")
    interpreter(lab, tmp_path / "python", f'echo $$ >"{tmp_path}/pid"; exec "$real" "$@"')
    with start(lab) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        running.stdin.write(update(str(lab.base))[:-1])  # it waits for the rest of the line
        running.stdin.flush()
        while unread(running.stdin.fileno()):
            assert running.poll() is None
        pid = int((tmp_path / "pid").read_text())
        os.kill(pid, number)
        assert running.wait(PATIENCE) == code
        said = running.stderr.read()
    assert b"interrupted" in said if code == 130 else b"refused" in said


def unread(pipe: int) -> bool:
    """Whether bytes wait in a pipe: once the gate has taken them, its handlers are in place."""
    return fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4) != b"\0" * 4


@pytest.mark.parametrize("number", [9, 15, 11, 2])
def test_a_gate_that_is_killed_after_its_verdict_has_given_none(lab: Lab, number: int) -> None:
    """The chained hook runs before the gate's process ends: what kills that now must not look like a pass."""
    chained = lab.bare / "hooks/pre-receive.chained"
    chained.write_text(f"#!/bin/sh\nkill -{number} $PPID\nsleep 0.2\nexit 0\n")
    chained.chmod(0o755)
    try:
        pushed = lab.push(f"{lab.commit(HONEST_FIX)}:refs/heads/agent/x")
        assert not pushed.accepted
        assert pushed.exit in {3, 130}
        assert lab.tip("refs/heads/agent/x") is None
    finally:
        chained.unlink()


@pytest.mark.parametrize("code", [0, 1, 7, 31, 32, 33, 64, 70, 96, 130, 255])
def test_only_a_zero_of_the_chained_hook_is_a_pass(lab: Lab, code: int) -> None:
    chained = lab.bare / "hooks/pre-receive.chained"
    chained.write_text(f"cat >/dev/null; exit {code}\n")  # no #! line: git would run it with sh
    chained.chmod(0o755)
    try:
        ended = run_hook(lab, update(lab.commit(HONEST_FIX)))
        assert ended.code == (code if code < 32 else 1)
        assert (f"ended with code {code}" in ended.said) == (code != 0)
        assert run_hook(lab, update(lab.commit(WEAKENED_TEST))).code == 1
    finally:
        chained.unlink()


def test_the_chained_hook_has_the_limits_that_the_gate_was_given(lab: Lab) -> None:
    chained = lab.bare / "hooks/pre-receive.chained"
    chained.write_text("#!/bin/sh\nulimit -t >&2; ulimit -d >&2; trap >&2; kill -PIPE $$; exit 0\n")
    chained.chmod(0o755)
    try:
        ended = run_hook(lab, update(lab.commit(HONEST_FIX)), limits="ulimit -S -t 50")
        assert ended.said.splitlines()[-3:-1] == ["50", "unlimited"]
        assert "ended with code -13" in ended.said  # SIGPIPE, which Python ignores, kills it again
        assert ended.code == 1
    finally:
        chained.unlink()


def test_out_of_time_is_no_verdict_whatever_else_is_broken(slow: Lab) -> None:
    head = slow.git("rev-parse", "refs/heads/long")
    for ref in ("refs/heads/agent/x", "refs/heads/elsewhere"):
        ended = run_hook(slow, update(head, ref))
        assert ended.code == 3, ended.said
        assert "GK002" in ended.said
    pushed = slow.push("refs/heads/long:refs/heads/agent/x", f"{slow.commit(HONEST_FIX)}:refs/heads/agent/y")
    assert not pushed.accepted
    assert pushed.exit == 3
    assert "GK002" in pushed.codes
    many = b"".join(update(head, f"refs/heads/agent/{number}") for number in range(2_000))
    ended = run_hook(slow, update(slow.commit(HONEST_FIX)) + many)
    assert ended.code == 3
    assert "GK002" in ended.said


@pytest.mark.parametrize("pattern", ["src/*a*a*a*a*a*a*a*b", "src/**/*a*a*a*a*a*a*a*b", "**/x/*a*a*a*a*a*a*a*b"])
def test_a_name_made_for_a_pattern_does_not_outlast_the_deadline(tmp_path: Path, pattern: str) -> None:
    """What a pattern of several stars backtracks over is bounded by the length of a path, and by the clock."""
    tail = f'[paths]\nprotected = ["{pattern}"]'
    lab = Lab(tmp_path, policy=policy(more="deadline = 1", tail=tail))
    head = lab.commit({f"src/x/{'a' * 4_000}c.py": b""})
    ended = run_hook(lab, update(head))
    assert ended.code in {0, 3}, ended.said
    assert ended.code == 0 or "GK002" in ended.said


@pytest.mark.parametrize("kind", ["fix", "weak"])
def test_a_reader_that_does_not_read_changes_no_verdict(tmp_path: Path, kind: str) -> None:
    """The pusher's end of the pipe is full and stays so; the hook must neither hang nor forget."""
    lab = Lab(tmp_path, policy=policy(more="deadline = 1"))
    head = lab.commit(HONEST_FIX if kind == "fix" else WEAKENED_TEST)
    reach(lab)
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    assert os.write(theirs, b"x" * (1 << 20)) == fcntl.fcntl(theirs, fcntl.F_GETPIPE_SZ)
    os.set_blocking(theirs, True)
    try:
        with start(lab, theirs) as running:
            assert running.stdin is not None
            running.stdin.write(update(head))
            running.stdin.close()
            assert running.wait(PATIENCE) == (0 if kind == "fix" else 1)
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "2>/dev/full >/dev/full"])
def test_nobody_listening_changes_no_verdict(lab: Lab, closed: str) -> None:
    for changes, expected in ((WEAKENED_TEST, 1), (HONEST_FIX, 0)):
        within = ["sh", "-c", f'exec "$@" {closed}', "sh"]
        assert run_hook(lab, update(lab.commit(changes)), within=within).code == expected


def test_no_standard_input_is_no_verdict(lab: Lab) -> None:
    ended = run_hook(lab, b"", within=["sh", "-c", 'exec "$@" <&-', "sh"])
    assert ended.code == 3
    ended = run_hook(lab, b"", within=["sh", "-c", 'exec "$@" </', "sh"])
    assert ended.code == 3


@pytest.mark.parametrize(
    "limit", ["v 20000", "v 40000", "v 60000", "v 80000", "d 2000", "d 5000", "n 4", "n 7", "n 8", "s 16"]
)
def test_too_little_of_anything_passes_nothing(lab: Lab, limit: str) -> None:
    """Address space, data, open files, stack: what cannot be judged any more is refused."""
    ended = run_hook(lab, update(lab.commit(WEAKENED_TEST)), limits=f"ulimit -{limit}")
    assert ended.code != 0
    assert run_hook(lab, update(lab.commit(HONEST_FIX)), limits=f"ulimit -{limit}").code in {0, 1, 2, 3, 127, 139}


def test_too_little_memory_on_the_way_is_a_refusal(lab: Lab) -> None:
    """Enough to start with, not enough for what the push names."""
    empty = lab.objects.blob(b"")
    wide = lab.objects.raw_tree((0o100644, b"%07d.py" % number, empty) for number in range(150_000))
    head = lab.commit({"src/wide": (0o040000, wide.encode())})
    ended = run_hook(lab, update(head), limits="ulimit -v 90000")
    assert ended.code == 3
    assert "MemoryError" in ended.said or "GK001" in ended.said or "GK005" in ended.said


def test_no_process_to_be_had_is_a_refusal(lab: Lab) -> None:
    """As a user who may start no further process; the shim cannot even start its interpreter."""
    prepare = "import os, resource, sys; os.getuid() or os.setuid(65534); "
    prepare += "resource.setrlimit(resource.RLIMIT_NPROC, (0, 0)); os.execv(sys.argv[1], sys.argv[1:])"
    ended = run_hook(lab, update(lab.commit(HONEST_FIX)), within=[sys.executable, "-I", "-S", "-c", prepare])
    assert ended.code == 3
    assert "refused, no verdict" in ended.said
