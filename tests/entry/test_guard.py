"""Every way in which an entry point can end becomes an exit code, and every one but a verdict says why."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from gatekeeper import errors
from gatekeeper.entry.guard import EXIT_INTERRUPTED, guard, say

if TYPE_CHECKING:
    from collections.abc import Callable


def raising(error: BaseException) -> Callable[[], int]:
    def run() -> int:
        raise error

    return run


@pytest.mark.parametrize("code", [0, 1, 2, 3])
def test_a_verdict_passes_through(code: int, capfd: pytest.CaptureFixture[str]) -> None:
    assert guard(lambda: code) == code
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("error", "code", "rule"),
    [
        (errors.GatekeeperError("broke"), 3, "GK001"),
        (errors.RepositoryError("no repository"), 3, "GK001"),
        (errors.DeadlineExceeded("late"), 3, "GK002"),
        (errors.MalformedObject("odd"), 1, "GK005"),
        (errors.MissingObject("gone"), 3, "GK006"),
        (errors.LimitExceeded("much"), 1, "GK007"),
        (errors.PolicyError("unreadable", fix="mend it"), 3, "GK008"),
        (ValueError("x"), 3, "GK001"),
        (MemoryError(), 3, "GK001"),
        (RecursionError("deep"), 3, "GK001"),
        (OSError(5, "Input/output error"), 3, "GK001"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), 3, "GK001"),
        (AssertionError(), 3, "GK001"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_an_exception_is_a_refusal_with_its_rule(
    error: Exception, code: int, rule: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert guard(raising(error)) == code
    out, said = capfd.readouterr()
    assert out == ""
    assert said.startswith(f"{rule}  ")
    assert "fix: " in said
    assert f"refused: gate (no verdict). More: gatekeeper explain {rule}\n" in said


def test_what_is_no_gate_error_is_named_by_its_type(capfd: pytest.CaptureFixture[str]) -> None:
    guard(raising(ZeroDivisionError("a\r\x1b[31m" + "x" * 1_000)))
    said = capfd.readouterr().err
    assert r"ZeroDivisionError: a\r\x1b[31mxxx" in " ".join(said.split())
    assert "\x1b" not in said
    assert len(said) < 800
    assert max(map(len, said.splitlines())) <= 72


def test_wrong_usage_says_what_would_be_right(capfd: pytest.CaptureFixture[str]) -> None:
    assert guard(raising(errors.UsageError("no such thing \xe9", fix="name another"))) == 3
    assert capfd.readouterr().err == "gatekeeper: no such thing \\u00e9\nfix: name another\n"


def test_an_interrupt_is_no_verdict(capfd: pytest.CaptureFixture[str]) -> None:
    assert guard(raising(KeyboardInterrupt())) == EXIT_INTERRUPTED == 130
    assert "nothing was judged" in capfd.readouterr().err


@pytest.mark.parametrize("error", [SystemExit(0), GeneratorExit()])
def test_what_asks_to_leave_reaches_the_shim_which_refuses(error: BaseException) -> None:
    with pytest.raises(type(error)):
        guard(raising(error))


def test_all_of_a_text_is_written_however_little_goes_at_once() -> None:
    ours, theirs = os.pipe()
    text = "x" * 60_000 + "\xe9\n"
    say(text, theirs)
    os.close(theirs)
    with open(ours, "rb") as pipe:
        assert pipe.read() == text.encode("ascii", "backslashreplace")


def test_a_reader_that_is_gone_is_no_error() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    say("nobody hears this\n", theirs)
    os.close(theirs)
    say("nor this\n", theirs)


def test_a_full_pipe_that_does_not_block_is_no_error() -> None:
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    say("x" * (2 << 20), theirs)
    os.close(theirs)
    with open(ours, "rb") as pipe:
        assert 0 < len(pipe.read()) < 2 << 20
