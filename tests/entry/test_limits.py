"""The bounds of the process, each in a process of its own: they outlive the test that would set them here."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.git import hermetic_env
from tests.support.lab import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """
import resource, time
from gatekeeper.entry import limits
from gatekeeper.entry.limits import arm, disarm
from gatekeeper.errors import DeadlineExceeded
CPU, DATA = resource.RLIMIT_CPU, resource.RLIMIT_DATA
def soft(which): return resource.getrlimit(which)[0]
"""


@pytest.fixture
def ended(tmp_path: Path, request: pytest.FixtureRequest) -> subprocess.CompletedProcess[str]:
    """A process that runs the code after the limits given as shell commands."""
    before, code = request.param
    command = [sys.executable, "-c", HEAD + code]
    return subprocess.run(
        ["/bin/sh", "-c", f'{before}\nexec "$@"', "sh", *command],
        env=hermetic_env(tmp_path, PYTHONPATH=str(CHECKOUT)),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def runs(code: str, before: str = "") -> pytest.MarkDecorator:
    return pytest.mark.parametrize("ended", [(before, code)], indirect=True, ids=[""])


Ended = subprocess.CompletedProcess


@runs("""
arm(1)
try:
    time.sleep(30)
except DeadlineExceeded as fault:
    print(fault)
""")
def test_the_deadline_ends_a_wait(ended: Ended[str]) -> None:
    assert ended.stdout == "no verdict within 1 s\n"


@runs("""
arm(1)
for number in range(2):
    try:
        time.sleep(30)
    except DeadlineExceeded:
        print(number)
""")
def test_the_deadline_comes_again_for_whoever_has_swallowed_it(ended: Ended[str]) -> None:
    assert ended.stdout == "0\n1\n"


@runs("""
arm(30); print(soft(CPU), soft(DATA) >> 20)
arm(600); print(soft(CPU))
arm(2); print(soft(CPU))
disarm(); print(soft(CPU), soft(DATA))
""")
def test_a_later_deadline_replaces_an_earlier_one(ended: Ended[str]) -> None:
    assert ended.stdout.splitlines() == ["35 2048", "605", "7", "-1 -1"]


@runs(
    "arm(600); print(soft(CPU), soft(DATA) >> 10); disarm(); print(soft(CPU), soft(DATA) >> 10)",
    "ulimit -S -t 50; ulimit -S -d 400000",
)
def test_what_was_given_is_never_exceeded_and_comes_back(ended: Ended[str]) -> None:
    assert ended.stdout.splitlines() == ["50 400000", "50 400000"]


@runs(
    "arm(600); print(resource.getrlimit(CPU), resource.getrlimit(DATA)[1] >> 10); disarm()",
    "ulimit -S -t 80; ulimit -H -t 100; ulimit -d 400000",
)
def test_hard_limits_stay(ended: Ended[str]) -> None:
    assert ended.stdout == "(80, 100) 400000\n"


@runs("arm(1); disarm(); time.sleep(1.2); print('slept')")
def test_a_disarmed_deadline_is_silent(ended: Ended[str]) -> None:
    assert ended.stdout == "slept\n"


@runs("""
limits._GRACE = 0
arm(1)
import unicodedata
unicodedata.normalize("NFC", "a" + "\\u0301\\u0316" * 300_000)
print("came back")
""")
def test_what_python_cannot_interrupt_is_killed(ended: Ended[str]) -> None:
    assert ended.stdout == ""
    assert ended.returncode == -24  # SIGXCPU


@runs("""
arm(30)
try:
    bytearray(3 << 30)
except MemoryError:
    print("no memory")
""")
def test_memory_is_bounded(ended: Ended[str]) -> None:
    assert ended.stdout == "no memory\n"
