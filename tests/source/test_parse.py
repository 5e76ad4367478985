from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gatekeeper
from gatekeeper.errors import DeadlineExceeded, GatekeeperError, LimitExceeded
from gatekeeper.source.bounded.reader import Request, SourceReader, read_facts
from gatekeeper.source.facts.module import facts
from gatekeeper.source.rows import REASONS
from gatekeeper.source.uncollected import Uncollected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SITE = Path(gatekeeper.__file__).parents[1]

# A worker like ours, but for what it does when a source holds a certain word.
FICKLE = """#!{python}
import os, signal, sys, time
sys.path.insert(0, {site!r})
from gatekeeper.source.bounded import worker
real = worker.facts
answered = 0
def fickle(module, is_package, stub, blob):
    global answered
    answered += 1
    if b"boom" in blob or (b"second" in blob and answered > 1):
        os.kill(os.getpid(), signal.SIGKILL)
    if b"slow" in blob:
        os.kill(os.getpid(), signal.SIGXCPU)
    if b"hang" in blob:
        time.sleep(60)
    if b"garbage" in blob:
        os.write(1, b"no number\\n")
    return real(module, is_package, stub, blob)
worker.facts = fickle
worker.main()
"""


@pytest.fixture
def fickle(tmp_path: Path) -> str:
    script = tmp_path / "fickle"
    script.write_text(FICKLE.format(python=sys.executable, site=str(SITE)))
    script.chmod(0o755)
    return str(script)


def reason(reader: SourceReader, blob: bytes) -> str | None:
    found = reader.facts("m", False, False, blob)
    return found.get("error")


def test_the_worker_answers_what_this_process_would() -> None:
    sources = [
        Request("p", True, False, b"from .a import *\n__all__ = ['x']\n"),
        Request("p.a", False, True, "def é(a: 'int' = -1): ...\nx = '\\ud800'\n".encode()),
        Request("p.b", False, False, b"def f(:\n"),
    ]
    assert read_facts(sources) == [facts(*source[:4]) for source in sources]


def test_nothing_to_read_starts_no_process() -> None:
    assert read_facts([]) == []
    with SourceReader(executable="/nonexistent") as reader:
        assert reason(reader, b"#" * ((1 << 20) + 1)) == "too-big"


HOSTILE: dict[str, tuple[Callable[[], bytes], set[str | None]]] = {
    "a dotted import": (lambda: b"import a" + b".a" * 100_000, {"too-deep"}),
    "a dotted import over lines": (lambda: b"import a" + b".\\\na" * 100_000, {"too-deep"}),
    "half a million statements": (lambda: b"a;" * 500_000, {"too-deep", "timeout", "killed"}),
    "many slices": (lambda: b"a[" + b":," * 300_000 + b"]", {None, "too-deep", "timeout", "killed"}),
    "201 brackets": (lambda: b"(" * 201 + b")" * 201, {"syntax"}),
    "199 brackets": (lambda: b"x=" + b"(" * 199 + b"1" + b")" * 199, {None}),
    "101 indents": (lambda: b"".join(b" " * n + b"if x:\n" for n in range(101)), {"syntax"}),
    "a chain of attributes": (lambda: b"x=a" + b".b" * 100_000, {"too-deep"}),
    "a shorter chain": (lambda: b"x=a" + b".b" * 2_000, {None}),
    "a chain of not": (lambda: b"x=" + b"not " * 10_000 + b"1", {"too-deep"}),
    "a chain of lambdas": (lambda: b"x=" + b"lambda:" * 100_000 + b"1", {"too-deep"}),
    "a chain of powers": (lambda: b"x=1" + b"**1" * 10_000, {"too-deep"}),
    "many minus signs": (lambda: b"x=" + b"-" * 100_000 + b"1", {"too-deep"}),
    "a chain of elif": (lambda: b"if a: pass\n" + b"elif a: pass\n" * 70_000, {"too-deep"}),
    "a sum of 400,000": (lambda: b"x=1" + b"+1" * 400_000, {"too-deep"}),
    "a long comment": (lambda: b"#" + b"x" * 1_000_000, {None}),
    "NUL": (lambda: b"# \0\n", {"encoding"}),
    "utf-7": (lambda: b"# coding: utf-7\n# +AAo-def f(): pass\n", {"cookie"}),
    "unicode_escape": (lambda: b"# coding: unicode_escape\n# \\ndef f(): pass\n", {"cookie"}),
    "a bare CR": (lambda: b"# c\rdef g(): pass\n", {"encoding"}),
    "a number of 5,000 digits": (lambda: b"x=" + b"9" * 5_000, {"syntax"}),
    "a hexadecimal one": (lambda: b"x=0x" + b"f" * 5_000, {None}),
    "10,000 bad escapes": (lambda: b"x='\\d'\n" * 10_000, {None}),
    "a quoted chain": (lambda: b"def f(x: '" + b"a." * 900 + b"a'): pass\n", {None}),
    "99 classes inside each other": (
        lambda: b"".join(b" " * n + b"class A:\n" for n in range(99)) + b" " * 99 + b"x=1\n",
        {None},
    ),
    "names that are not ASCII": ("def ﬁx(é): pass\n".encode, {None}),
}


def test_no_hostile_source_goes_unnamed_or_ends_this_process() -> None:
    seen: dict[str, str | None] = {}
    with SourceReader(seconds=300) as reader:
        for name, (make, _) in HOSTILE.items():
            seen[name] = reason(reader, make())
            assert reason(reader, b"x = 1\n") is None
    assert {name: found for name, found in seen.items() if found not in HOSTILE[name][1]} == {}
    assert set(seen.values()) - {None} <= set(REASONS)


def test_a_source_that_kills_its_worker_is_named_and_the_next_is_read(fickle: str) -> None:
    with SourceReader(executable=fickle) as reader:
        assert [reason(reader, blob) for blob in (b"a = 1", b"boom", b"b = 1", b"slow", b"c = 1")] == [
            None,
            "killed",
            None,
            "timeout",
            None,
        ]


def test_a_source_that_only_a_tired_worker_cannot_read_is_read_by_a_fresh_one(fickle: str) -> None:
    with SourceReader(executable=fickle) as reader:
        assert reason(reader, b"a = 1") is None
        assert reason(reader, b"second = 1") is None


def test_sources_sent_ahead_of_one_that_kills_are_read_by_the_next_worker(fickle: str) -> None:
    wide = b"#" * 200_000  # more than is sent ahead, and than a pipe takes
    blobs = [
        b"a = 1",
        b"",
        b"boom",
        b"b = 1",
        wide,
        b"second = 1",
        b"slow",
        b"garbage",
        b"#" * ((1 << 20) + 1),
        b"c = 1",
    ]
    with SourceReader(executable=fickle) as reader:
        found = reader.read(Request(f"m{place}", False, False, blob) for place, blob in enumerate(blobs))
        again = reader.read([Request("n", False, False, b"d = 1")])
    assert [facts.get("error") for facts in found] == [
        None, None, "killed", None, None, None, "timeout", "killed", "too-big", None,
    ]  # fmt: skip
    assert [facts["module"] for facts in (*found, *again)] == [*(f"m{place}" for place in range(len(blobs))), "n"]


def test_no_answer_is_taken_for_that_of_another_reading(fickle: str) -> None:
    def torn() -> Iterator[Request]:
        yield Request("a", False, False, b"a = 1")
        raise KeyError("b")

    with SourceReader(executable=fickle) as reader:
        with pytest.raises(KeyError):
            reader.read(torn())
        assert reader.facts("c", False, False, b"c = 1")["module"] == "c"


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(enabled: bool) -> None:
    (gc.enable if enabled else gc.disable)()
    try:
        with Uncollected():
            assert not gc.isenabled()
        assert gc.isenabled() == enabled
    finally:
        gc.enable()


def test_an_answer_that_is_none_is_a_death(fickle: str) -> None:
    with SourceReader(executable=fickle) as reader:
        assert reason(reader, b"garbage") == "killed"
        assert reason(reader, b"a = 1") is None


def test_too_many_deaths_are_refused(fickle: str) -> None:
    with SourceReader(executable=fickle, seconds=300) as reader:
        assert [reason(reader, b"boom") for _ in range(16)] == ["killed"] * 16
        with pytest.raises(LimitExceeded, match="16"):
            reason(reader, b"boom")


def test_the_deadline_holds(fickle: str) -> None:
    with SourceReader(executable=fickle, seconds=4) as reader, pytest.raises(DeadlineExceeded):
        reason(reader, b"hang")


@pytest.mark.parametrize("executable", ["/nonexistent", "/bin/true"])
def test_a_worker_that_does_not_start_is_no_verdict(executable: str) -> None:
    with (
        SourceReader(executable=executable) as reader,
        pytest.raises(GatekeeperError, match="process that reads sources"),
    ):
        reason(reader, b"a = 1")


def children() -> set[str]:
    found = set()
    for name in os.listdir("/proc"):
        try:
            fields = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[1] == str(os.getpid()):
            found.add(name)
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_no_process_and_no_descriptor_is_left_behind(fickle: str) -> None:
    before, open_before = children(), os.listdir("/proc/self/fd")
    with SourceReader(executable=fickle) as reader:
        reason(reader, b"a = 1")
        assert children() - before
        reason(reader, b"boom")
        reason(reader, b"b = 1")
    reader.close()
    assert children() == before
    assert len(os.listdir("/proc/self/fd")) == len(open_before)


@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="needs /proc")
def test_the_worker_is_bounded_and_alone() -> None:
    before = children()
    with SourceReader() as reader:
        reason(reader, b"a = 1")
        (pid,) = children() - before
        limits = Path("/proc", pid, "limits").read_text()
        found = {line[:26].strip(): line[26:].split()[0] for line in limits.splitlines()[1:]}
        assert found["Max address space"] == str(384 << 20)
        assert found["Max open files"] == "0"
        assert found["Max file size"] == "0"
        assert found["Max core file size"] == "0"
        assert found["Max cpu time"] != "unlimited"
        assert os.getsid(int(pid)) == int(pid)
        assert Path("/proc", pid, "environ").read_bytes() == b""


def test_the_parser_is_not_imported_where_the_sources_are_only_linked() -> None:
    import subprocess

    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import gatekeeper.source.bounded.reader, "
        "gatekeeper.source.link.whole, gatekeeper.source.digest; sys.exit('ast' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, str(SITE)], check=False)
    assert done.returncode == 0
