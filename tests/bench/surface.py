"""What the contract budget costs: ``python -m tests.bench.surface [--rounds N] [--griffe PYTHON] [--only PART]``.

Parts: ``cold`` (both trees of two releases, against ``ast.parse`` and griffe, in CPU seconds of a process and its
children), ``patch`` (a push of ten files of Django, warm and with the cache deleted, against griffe over both trees),
``seeds`` (a push of five files of SQLAlchemy with every budget on, against the seeds' scripts and a hook that only
imports pygit2). What is compared runs in turn in one run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import venv
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.bench.corpus import build, members, release
from tests.bench.pushes import CHECKOUT, ENV, HOOKS, Bench, compare, git, ratio, show
from tests.bench.seeds import GATE, SCORE
from tests.hostile.kit import WATCH

if TYPE_CHECKING:
    from collections.abc import Callable

PAIRS = (
    *(("Django", "5.1.4", "5.2.1"), ("SQLAlchemy", "1.4.54", "2.0.43"), ("pydantic", "2.9.2", "2.11.7")),
    *(("requests", "2.31.0", "2.32.4"), ("click", "8.1.7", "8.2.1"), ("attrs", "23.2.0", "25.3.0")),
)
OURS = """
import pathlib, sys
sys.path[:0] = [sys.argv[1]]
from hashlib import sha1
from gatekeeper.source.bounded.reader import SourceReader
from gatekeeper.source.compare.surfaces import compare
from gatekeeper.source.reading import Shelf
blobs, trees = {}, []
for place in sys.argv[2:]:
    tree = {}
    for path in pathlib.Path(place).rglob("*.py*"):
        if path.suffix in (".py", ".pyi") and path.is_file():
            data = path.read_bytes()
            oid = sha1(data).digest()
            blobs[oid] = data
            tree[str(path.relative_to(place)).encode()] = oid
    trees.append((tree, {}))
with Shelf(("",), blobs.__getitem__, None, SourceReader(seconds=600)) as shelf:
    old, new = shelf.surfaces(trees)
print(len(old.rows), len(new.rows), len(compare(old.rows, new.rows)))
"""
AST = """
import ast, pathlib, sys, warnings
warnings.simplefilter("ignore")
for place in sys.argv[2:]:
    for path in pathlib.Path(place).rglob("*.py*"):
        if path.suffix in (".py", ".pyi") and path.is_file():
            ast.parse(path.read_bytes())
"""
GRIFFE = """
import pathlib, sys
import griffe
loaded = []
for place in sys.argv[2:]:
    name = next(path.parent.name for path in sorted(pathlib.Path(place).glob("*/__init__.py")))
    loaded.append(griffe.load(name, search_paths=[place], allow_inspection=False, resolve_aliases=True))
print(sum(1 for _ in griffe.find_breaking_changes(*loaded)))
"""


class Spent(NamedTuple):
    """What a process and its children took."""

    cpu: float
    peak: int
    said: str
    code: int


def spend(python: str, script: str, *arguments: str) -> Spent:
    """Run a script; CPU seconds, and the peak of its largest process in MiB."""
    command = [python, "-c", script, str(CHECKOUT), *arguments]
    with tempfile.TemporaryFile() as out, subprocess.Popen(command, stdout=out, stderr=out, env=ENV) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said = out.read().decode(errors="replace").strip()
    return Spent(usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024, said, process.returncode)


def wall(python: str, script: str, *arguments: str) -> float:
    """Seconds by the clock on the wall that a script takes."""
    start = time.perf_counter()
    spend(python, script, *arguments)
    return time.perf_counter() - start


def unpacked(cache: Path, name: str, version: str) -> Path:
    """The wheel of a release, unpacked, through pip from wherever pip is set up to look."""
    place = cache / f"{name}-{version}"
    if not place.exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--target"]
        subprocess.run([*command, str(place), f"{name}=={version}"], check=True)
    return place


def griffe_python(cache: Path, named: str | None) -> str | None:
    """An interpreter that has griffe: the named one, or one of our own; None, loudly, where there is none to be had."""
    if named:
        return named
    place = cache / "griffe"
    python = str(place / "bin/python")
    try:
        if not place.exists():
            venv.create(place, with_pip=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "griffe"], check=True)
        subprocess.run([python, "-c", "import griffe"], check=True)
    except (subprocess.CalledProcessError, OSError) as error:
        print(f"NOT MEASURED: griffe cannot be installed ({error})", file=sys.stderr)
        return None
    return python


def cold(cache: Path, griffe: str | None, rounds: int) -> None:
    """Both trees of each pair of releases, read from nothing and compared."""
    for name, *versions in PAIRS:
        places = [str(unpacked(cache, name, version)) for version in versions]
        tools = {"ours": (sys.executable, OURS), "ast": (sys.executable, AST)}
        if griffe:
            tools["griffe"] = (griffe, GRIFFE)
        last: dict[str, Spent] = {}

        def run(tool: str, tools: dict[str, tuple[str, str]], places: list[str], last: dict[str, Spent]) -> float:
            last[tool] = spend(*tools[tool], *places)
            if last[tool].code and tool != "griffe":  # griffe ends with an error on some trees; that is its figure
                raise RuntimeError(last[tool].said)
            return last[tool].cpu

        taken = compare({tool: partial(run, tool, tools, places, last) for tool in tools}, rounds)
        show(f"{name} {' -> '.join(versions)}", taken)
        print(
            f"  ours / ast.parse {ratio(taken, 'ours', 'ast'):.2f}   peak {last['ours'].peak} MiB   {last['ours'].said}"
        )
        if griffe:
            ended = last["griffe"].said.rsplit("\n", 1)[-1][:60]
            print(f"  ours / griffe    {ratio(taken, 'ours', 'griffe'):.2f}   exit {last['griffe'].code}: {ended}")


def repository(root: Path, name: str, files: dict[str, bytes], policy: str = "") -> Bench:
    bare = root / f"{name}.git"
    bench = Bench(bare, root / f"{name}-work.git", build(bare, iter(files.items())))
    with (bare / "gatekeeper/policy.toml").open("a") as file:
        file.write(policy)
    return bench


def warm(bench: Bench) -> None:
    """What an installation does: read the trusted branch ahead."""
    code = "import os, sys; from gatekeeper.entry.post_receive import read_ahead; read_ahead(sys.argv[1].encode(), {})"
    subprocess.run([sys.executable, "-c", code, str(bench.bare)], check=True, env={**ENV, "PYTHONPATH": str(CHECKOUT)})


def chill(bench: Bench) -> None:
    subprocess.run(["rm", "-rf", str(bench.bare / "gatekeeper/cache/surface")], check=True)


def edited(bench: Bench, files: dict[str, bytes], paths: list[str], number: int) -> str:
    """A commit that adds a private function to each of some files, on a ref of its own; its oid."""
    stream = [b"reset refs/heads/edit\nfrom %s\n" % bench.base.encode()]
    stream.append(b"commit refs/heads/edit\ncommitter B <b@x> %d +0000\ndata 1\nx\n" % (1_700_000_000 + number))
    for path in paths:
        text = files[path] + b"\n\ndef _probe_%d(a, b=%d):\n    return a + b\n" % (number, number)
        stream.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(text), text))
    git(bench.work, "fast-import", "--quiet", "--force", stdin=b"".join(stream))
    return git(bench.work, "rev-parse", "refs/heads/edit")


def spread(files: dict[str, bytes], top: str, count: int) -> list[str]:
    """Sources of some size, each from another directory."""
    by_folder: dict[str, str] = {}
    for path in sorted(files):
        if path.startswith(top) and path.endswith(".py") and len(files[path]) > 4_000:
            by_folder.setdefault(path.rpartition("/")[0], path)
    return list(by_folder.values())[:count]


def patch(root: Path, cache: Path, griffe: str | None, rounds: int) -> None:
    """Ten files of Django's tree: the push with a warm cache, with none, and griffe over both trees."""
    place = unpacked(cache, "Django", "5.2.1")
    files = {f"src/{path.relative_to(place)}": path.read_bytes() for path in place.rglob("*.py")}
    bench, paths, numbers = repository(root, "django", files), spread(files, "src/django/", 10), iter(range(10**6))
    bench.hook(HOOKS["gate"])
    after = root / "after"
    subprocess.run(["cp", "-r", str(place), str(after)], check=True)
    for path in paths:
        with (after / path.removeprefix("src/")).open("a") as file:
            file.write("\n\ndef _probe(a, b=1):\n    return a + b\n")

    def push(state: str) -> float:
        if state == "cold":
            chill(bench)
        elif not (bench.bare / "gatekeeper/cache/surface").exists():
            warm(bench)
        return bench.push(edited(bench, files, paths, next(numbers)))

    runs: dict[str, Callable[[], float]] = {state: partial(push, state) for state in ("warm", "cold")}
    if griffe:
        runs["griffe"] = partial(wall, griffe, GRIFFE, str(place), str(after))
    push("warm")
    taken = compare(runs, rounds)
    show("ten files of Django", taken)
    print(f"  cold / warm   {ratio(taken, 'cold', 'warm'):.2f}")
    for state in ("warm", "cold"):
        push(state)
        if state == "cold":
            chill(bench)
        print(f"  peak, {state}  {peak(bench, edited(bench, files, paths, next(numbers)))} MiB")
    if griffe:
        print(
            f"  warm / griffe {ratio(taken, 'warm', 'griffe'):.3f}   cold / griffe {ratio(taken, 'cold', 'griffe'):.3f}"
        )


def peak(bench: Bench, head: str) -> int:
    """MiB that the hook and the process that reads sources have together at most in one push."""
    hook, report, script = bench.bare / "hooks/gate", bench.bare / "peak", bench.bare / "watch.py"
    bench.hook(HOOKS["gate"])
    (bench.bare / "hooks/pre-receive").rename(hook)
    script.write_text(WATCH)
    bench.hook(f"#!/bin/sh\nexec {sys.executable} -I -S {script} {report} hooks/gate\n")
    bench.push(head)
    bench.hook(HOOKS["gate"])
    return int(report.read_text()) // 1024


CONTRACTS = {
    "contracts/properties.toml": b"property = []\n",
    "contracts/fixtures.lock": b"",
    "contracts/flake_budget.json": b'{"capacity": 1, "entries": []}\n',
    "ci/fixtures.lock": b"{}\n",
    "tests/fixtures/characterization/one.bin": b"one",
    "tests/properties/test_one.py": b"def test_one():\n    assert True\n",
}


def seeds(root: Path, cache: Path, rounds: int) -> None:
    """Five files of SQLAlchemy: the push with every budget on, against both scripts on a checkout of the same patch."""
    files = {**dict(members(release(cache))), **CONTRACTS, "tools/score_suite_delta.py": SCORE.encode()}
    files = {path: data for path, data in files.items() if path not in ("tox.ini", "setup.cfg", "pyproject.toml")}
    files["conftest.py"] = files["tests/conftest.py"] = b""
    bench, paths = repository(root, "sqlalchemy", files), spread(files, "src/sqlalchemy/", 5)
    head = edited(bench, files, paths, 0)
    trees = {name: root / f"tree-{name}" for name in ("base", "head")}

    def scripts() -> None:
        for name, oid in (("base", bench.base), ("head", head)):
            subprocess.run(["rm", "-rf", str(trees[name])], check=True)
            git(bench.work, "worktree", "prune")
            git(bench.work, "worktree", "add", "--quiet", "--detach", str(trees[name]), oid)
        git(bench.work, "update-ref", "refs/remotes/origin/main", bench.base)
        command = [sys.executable, "-c", GATE, bench.base, head, str(trees["base"]), str(trees["head"])]
        environment = {**ENV, "PATH": f"{Path(sys.executable).parent}:{ENV['PATH']}"}
        for words in ([sys.executable, "tools/score_suite_delta.py"], command):
            done = subprocess.run(words, cwd=trees["head"], env=environment, capture_output=True, check=False)
            if done.returncode not in (0, 1):
                raise RuntimeError(done.stderr.decode(errors="replace"))

    def timed_scripts() -> float:
        start = time.perf_counter()
        scripts()
        return time.perf_counter() - start

    numbers = iter(range(1, 10**6))

    def push(hook: str) -> float:
        bench.hook(HOOKS[hook])
        return bench.push(edited(bench, files, paths, next(numbers)))

    warm(bench)
    runs: dict[str, Callable[[], float]] = {
        "gate": partial(push, "gate"),
        "pygit2": partial(push, "pygit2"),
        "scripts": timed_scripts,
    }
    taken = compare(runs, rounds)
    show("five files of SQLAlchemy", taken)
    print(
        f"  scripts / gate {ratio(taken, 'scripts', 'gate'):.1f}   gate / pygit2 {ratio(taken, 'gate', 'pygit2'):.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--griffe", help="an interpreter that has griffe; an environment is made for it otherwise")
    parser.add_argument("--only", choices=("cold", "patch", "seeds"))
    parser.add_argument("--cache", type=Path, help="where downloads and environments are kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        cache = options.cache or root / "cache"
        (cache / "release").mkdir(parents=True, exist_ok=True)
        griffe = None if options.only == "seeds" else griffe_python(cache, options.griffe)
        if options.only in (None, "seeds"):
            seeds(root, cache / "release", options.rounds)
        if options.only in (None, "patch"):
            patch(root, cache, griffe, options.rounds)
        if options.only in (None, "cold"):
            cold(cache, griffe, options.rounds)


if __name__ == "__main__":
    main()
