"""Hostile Python, pushed for real at an installed hook: each source is named by a finding, in time and in memory.

``GATEKEEPER_TEST_PYTHONS`` names other interpreters that have the dependencies, separated as ``PATH`` is: the hook is
installed with each of them as well.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.hostile.kit import measured, run_hook, update
from tests.hostile.sources import BEFORE, COOKIES, EVERY, HIDDEN, Hostile, cookied
from tests.support.lab import CHECKOUT, PROPERTIES_ASIDE, SITE, Lab, Pushed, policy

if TYPE_CHECKING:
    from collections.abc import Iterator

OTHERS = [python for python in os.environ.get("GATEKEEPER_TEST_PYTHONS", "").split(os.pathsep) if python]
MEMORY = 512
"""MiB that the hook and the process that reads sources may have together."""
STRICT = policy().replace('additions = "allow"', 'additions = "ask"')
HURRY = policy(more="deadline = 6").replace('additions = "allow"', 'additions = "ask"')
MODULES = 3
UID = 54_321
"""An account that runs nothing else."""
ASK = """
import os, sys, sysconfig
import pygit2
site = map(sysconfig.get_path, ("purelib", "platlib"))
print(os.path.realpath(sys.executable), *sys.version_info[:2], *site, sep="\\n")
"""


class Server(NamedTuple):
    """A gate that is measured, run by some interpreter of some version."""

    lab: Lab
    peak: Path
    version: tuple[int, int]

    def push(self, files: dict[str, bytes]) -> Pushed:
        """Push a commit with these files as an agent; whatever comes of it, it takes no more memory than it may."""
        head = self.lab.commit(files)
        pushed = self.lab.push(f"{head}:refs/heads/agent/{head}")
        assert int(self.peak.read_text()) >> 10 <= MEMORY
        return pushed

    def wants(self, source: Hostile, *, changed: bool) -> list[set[str]]:
        """Each set of rules that may refuse a source; an empty one where it passes."""
        if source.needs > self.version:
            return [{"GK303"}]
        found = [set((source.changed if changed else source.new).split())]
        return [*found, {"GK301"}] if source.close else found


def serve(tmp: Path, python: str, text: str = STRICT) -> Server:
    done = subprocess.run([python, "-c", ASK], capture_output=True, text=True, check=True, env={})
    real, major, minor, *site = done.stdout.split("\n")[:-1]
    files = {"src/__init__.py": b"", **{f"src/codec{number}.py": BEFORE for number in range(MODULES)}}
    lab = Lab(tmp, policy=text, files=files, site=(SITE[0], *dict.fromkeys(site)), python=real)
    return Server(lab, measured(lab, together=True), (int(major), int(minor)))


@pytest.fixture(scope="module", params=[sys.executable, *OTHERS])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Server:
    return serve(tmp_path_factory.mktemp("server"), request.param)


def test_other_interpreters_are_tried() -> None:
    if not OTHERS:
        pytest.skip("GATEKEEPER_TEST_PYTHONS names no other interpreter: hostile sources met this one only")
    assert all(shutil.which(python) for python in OTHERS)


def judged(pushed: Pushed, wanted: list[set[str]], *paths: str) -> None:
    """The push passed, or was refused by exactly these rules in words that name its files."""
    assert set(pushed.codes) in wanted, pushed.result.stderr
    assert pushed.accepted == (not pushed.codes), pushed.result.stderr
    assert pushed.exit == (1 if pushed.codes else 0), pushed.result.stderr
    said = pushed.result.stderr.replace("remote: ", "")
    assert all(path in said for path in paths) or pushed.codes <= {"GK007"}, said


@pytest.mark.parametrize("name", EVERY)
def test_a_hostile_source_is_named(server: Server, name: str) -> None:
    source = EVERY[name]
    data = source.make()
    judged(server.push({"src/fresh.py": data}), server.wants(source, changed=False), "src/fresh.py")
    pushed = server.push({"src/codec0.py": data})
    judged(pushed, server.wants(source, changed=True), *(["src/codec0.py"] if pushed.codes else []))


@pytest.mark.parametrize("name", COOKIES)
def test_no_codec_hides_a_definition(server: Server, name: bytes) -> None:
    for pattern in ("src/fresh{}.py", "src/codec{}.py"):
        files = {pattern.format(number): data for number, data in enumerate(cookied(name))}
        judged(server.push(files), [{"GK303"}], *files)


def test_what_a_codec_would_hide_is_there() -> None:
    """The inputs are what they claim: to Python itself, some cookies turn a comment into a definition."""
    names = {b"utf-7", b"unicode_escape", b"raw_unicode_escape"}
    for name in names:
        found: dict[str, object] = {}
        exec(compile(cookied(name)[0], "hidden", "exec"), found)
        assert ("hidden" in found) == (name != b"raw_unicode_escape")
    assert HIDDEN.startswith(b"def hidden")


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("definitions of 1 MiB", 20),
        ("branches of 1 MiB", 20),
        ("classes of 1 MiB", 20),
        ("f-string of 340,000 parts", 20),
        ("sum of half a million terms", 60),
        ("names of 1 MiB", 60),
        ("elif of 70,000", 60),
        ("100,000 bad escapes", 20),
        ("import of 200 KB", 300),
    ],
)
def test_many_of_them_in_one_push_never_pass(tmp_path: Path, name: str, count: int) -> None:
    """What one source may cost, times their number, stays under the deadline and the memory, or is refused for it."""
    server = serve(tmp_path, sys.executable, HURRY)
    data = EVERY[name].make()
    pushed = server.push({f"src/m{number}.py": data + b"\n# %d\n" % number for number in range(count)})
    assert not pushed.accepted
    assert pushed.exit in {1, 3}
    assert pushed.codes <= {"GK002", "GK007", "GK301", "GK303"}
    assert pushed.codes
    assert pushed.exit == (3 if "GK002" in pushed.codes else 1)


def test_one_among_honest_ones_is_found(server: Server) -> None:
    honest = {f"src/_m{number}.py": b"def f(a, b=%d): ...\n" % number for number in range(200)}
    judged(server.push({**honest, "src/_n.py": EVERY["import of 200 KB"].make()}), [{"GK303"}], "src/_n.py")


def copied(tmp: Path) -> Path:
    place = tmp / "site"
    shutil.copytree(CHECKOUT / "gatekeeper", place / "gatekeeper", ignore=shutil.ignore_patterns("__pycache__"))
    return place


@pytest.mark.parametrize("broken", ["", "import sys; sys.exit(0)\n", "def main(): print('gatekeeper reader 0')\n", "x"])
def test_a_reader_that_does_not_start_is_no_verdict(tmp_path: Path, broken: str) -> None:
    """A half-deleted installation: the hook starts, what it starts does not."""
    site = copied(tmp_path)
    (site / "gatekeeper/source/bounded/worker.py").write_text(broken)
    lab = Lab(tmp_path / "lab", site=(str(site), *SITE[1:]), policy=PROPERTIES_ASIDE)
    pushed = lab.push(f"{lab.commit({'src/cache.py': HIDDEN})}:refs/heads/agent/x")
    assert not pushed.accepted
    assert pushed.exit == 3
    assert pushed.codes == {"GK001"}
    assert "did not start" in " ".join(pushed.remote)
    # and what needs no reader is judged as ever
    assert lab.push(f"{lab.commit({'src/data.txt': HIDDEN})}:refs/heads/agent/y").accepted


LIMITED = """#!{python} -IS
import os, resource, sys
limit = resource.{name}
resource.setrlimit(limit, ({most}, {most}))
os.execv({python!r}, [{python!r}, *sys.argv[1:]])
"""


@pytest.fixture
def public() -> Iterator[Path]:
    """A directory that every account can reach: access(2) does not count what else a process may do."""
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        yield Path(place)


@pytest.mark.parametrize(("name", "most"), [("RLIMIT_NPROC", 1), ("RLIMIT_NOFILE", 6)])
def test_no_process_or_pipe_is_left_for_the_reader(public: Path, name: str, most: int) -> None:
    """An account that may start no further process. Root always may: a test as root takes the gate to another one."""
    python = public / "python"
    python.write_text(LIMITED.format(python=sys.executable, name=name, most=most))
    python.chmod(0o755)
    lab = Lab(public / "lab", python=str(python), policy=PROPERTIES_ASIDE)
    within = []
    if os.geteuid() == 0:
        may = "+dac_override,+dac_read_search"
        within = ["setpriv", f"--reuid={UID}", "--clear-groups", f"--inh-caps={may}", f"--ambient-caps={may}"]
        for folder, _, names in os.walk(lab.bare):
            for path in (folder, *(os.path.join(folder, each) for each in names)):
                os.chown(path, UID, -1)
    head = lab.commit({"src/cache.py": HIDDEN})
    ended = run_hook(lab, update(head), within=within)
    assert ended.code == 3, ended.said
    assert "GK001" in ended.said
    ended = run_hook(lab, update(lab.commit({"src/data.txt": HIDDEN})), within=within)
    assert ended.code == 0, ended.said
