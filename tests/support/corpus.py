"""Real histories, made when a test runs: releases of real projects, cut into small commits, with the odd cases woven
in.

Each project becomes a branch. The change from one release to the next is split into commits of a few paths; between
them come submodules that appear, move and go, symbolic links, mode changes, and files and directories that change
places, on paths of the project itself. Everything is deterministic: the same releases give the same commits.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from tests.support.git import DATE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.git import Git

RELEASES = {
    "attrs": ("19.3.0", "23.2.0", "25.1.0"),
    "click": ("7.1.2", "8.0.4", "8.1.8"),
    "jinja2": ("3.0.3", "3.1.6"),
    "packaging": ("20.9", "24.2"),
    "pip": ("20.0.2", "22.3.1", "24.3.1"),
    "setuptools": ("60.10.0", "75.8.0"),
}
"""Projects with pure wheels; their order is the order of the branches."""

PATHS_A_COMMIT = 3
FILE, EXECUTABLE, SYMLINK, GITLINK = 0o100644, 0o100755, 0o120000, 0o160000


class Unavailable(Exception):
    """The releases cannot be had: no network, or an index without them."""


class Leaf(NamedTuple):
    """A file's mode and bytes; of a gitlink the bytes are the hex oid."""

    mode: int
    data: bytes


Files = dict[bytes, Leaf]


def download(cache: Path) -> dict[str, list[Files]]:
    """The releases of each project as tables of files, oldest first, from a directory that keeps the downloads.

    Raises:
        Unavailable: pip could not get one of them.
    """
    wanted = [(project, version) for project, versions in RELEASES.items() for version in versions]
    with ThreadPoolExecutor(2) as pool:
        wheels = list(pool.map(lambda each: _wheel(cache, *each), wanted))
    found: dict[str, list[Files]] = {project: [] for project in RELEASES}
    for (project, _), wheel in zip(wanted, wheels, strict=True):
        found[project].append(_unpack(wheel))
    return found


def _wheel(cache: Path, project: str, version: str) -> Path:
    place = cache / f"{project}-{version}"
    if not (have := list(place.glob("*.whl"))):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--only-binary=:all:", "--dest", str(place), f"{project}=={version}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        have = list(place.glob("*.whl"))
        if done.returncode or not have:
            raise Unavailable(f"pip cannot download {project} {version}: {done.stderr.strip()[-300:]}")
    return have[0]


def _unpack(wheel: Path) -> Files:
    """The files of a wheel, without the metadata directory, whose name changes with each version."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/") and ".dist-info/" not in name]
        return {os.fsencode(name): Leaf(FILE, archive.read(name)) for name in names}


Step = tuple[str, Files, set[bytes]]
"""A commit: its message, the paths to set, the paths to delete."""

Case = Callable[[int, bytes, Files], Step | None]
"""From a number, a path that it picks and the files as they are."""


def steps(releases: list[Files]) -> Iterator[Step]:
    """The commits of one project's branch."""
    now: Files = {}
    count = itertools.count()
    for release in releases:
        goal = {**release, **{path: leaf for path, leaf in now.items() if path.startswith(b"woven/")}}
        # A path that was woven into another shape is set back when its turn comes.
        paths = sorted(path for path in now.keys() | goal.keys() if now.get(path) != goal.get(path))
        for batch in _batched(paths):
            changes = {path: goal[path] for path in batch if path in goal}
            gone = {path for path in batch if path not in goal and path in now}
            yield from _applied(now, f"change {len(batch)} paths", changes, gone)
            odd = _weave(next(count), now)
            if odd is not None:
                yield from _applied(now, *odd)


def _batched(paths: list[bytes]) -> Iterator[list[bytes]]:
    for start in range(0, len(paths), PATHS_A_COMMIT):
        yield paths[start : start + PATHS_A_COMMIT]


def _applied(now: Files, message: str, changes: Files, gone: set[bytes]) -> Iterator[Step]:
    """The step, made to say all that it implies, and applied: a file may take the place of a directory, and back."""
    for path in changes:
        above = {path[:at] for at, char in enumerate(path) if char == ord("/")}
        gone |= {old for old in now if old in above or old.startswith(path + b"/")}
    gone = {path for path in gone if path in now} - changes.keys()
    for path in gone:
        del now[path]
    now.update(changes)
    if changes or gone:
        yield message, changes, gone


def _weave(number: int, now: Files) -> Step | None:
    """The odd case that follows commit ``number``, on a path of the project that the number picks."""
    paths = sorted(now)
    picked = paths[number * 7919 % len(paths)]
    return CASES[number % len(CASES)](number, picked, now)


def _id(number: int) -> bytes:
    return b"%040x" % (number + 1)


def _sub(number: int) -> bytes:
    return b"woven/sub%d" % (number % 3)


def _mode(number: int, picked: bytes, now: Files) -> Step | None:
    leaf = now[picked]
    swapped = {FILE: EXECUTABLE, EXECUTABLE: FILE}.get(leaf.mode)
    return None if swapped is None else (f"change a mode {number}", {picked: Leaf(swapped, leaf.data)}, set())


def _grow(number: int, picked: bytes, now: Files) -> Step:
    leaf = now[picked]
    return f"turn a file into a directory {number}", {picked + b"/part": leaf, picked + b"/deep/er": leaf}, set()


def _over_directory(mode: int) -> Case:
    def case(number: int, picked: bytes, _: Files) -> Step | None:
        folder, slash, _name = picked.rpartition(b"/")
        return (f"turn a directory into {mode:o}", {folder: Leaf(mode, _id(number))}, set()) if slash else None

    return case


def _twins(number: int, picked: bytes, _: Files) -> Step:
    ends = (b"-", b".", b"0", b"\xff", b' \t"')
    return "add names that sort around a directory", {picked + end: Leaf(FILE, _id(number)) for end in ends}, set()


def _drop(number: int, picked: bytes, now: Files) -> Step:
    top = picked.partition(b"/")[0] + b"/"
    return f"remove a directory {number}", {}, {path for path in now if path.startswith(top)}


CASES: tuple[Case, ...] = (
    lambda *_: None,
    lambda number, *_: ("move a submodule", {_sub(number): Leaf(GITLINK, _id(number))}, set()),
    lambda _, picked, __: ("link", {b"woven/link": Leaf(SYMLINK, picked)}, set()),
    _mode,
    _grow,
    _over_directory(FILE),
    lambda _, picked, __: ("turn a file into a link", {picked: Leaf(SYMLINK, b"elsewhere")}, set()),
    _over_directory(GITLINK),
    lambda number, *_: ("remove a submodule", {}, {_sub(number)}),
    _twins,
    lambda number, *_: ("turn a submodule into a directory", {_sub(number) + b"/f": Leaf(FILE, _id(number))}, set()),
    _drop,
)
"""What is woven in, in turn."""


def build(git: Git, projects: dict[str, list[Files]]) -> list[str]:
    """Write the histories into an empty repository, one branch a project, in one process; all commits, oldest first."""
    # An oid of SHA-256 is longer; a gitlink's commit need not exist.
    longer = b"0" * 24 if git.out("rev-parse", "--show-object-format") == "sha256" else b""
    stream: list[bytes] = []
    mark = 0
    for project, releases in projects.items():
        branch = b"refs/heads/" + project.encode()
        for number, (message, changes, gone) in enumerate(steps(releases)):
            mark += 1
            stream.append(b"commit %s\nmark :%d\n" % (branch, mark))
            stream.append(b"committer A <a@example.invalid> %d +0000\n%s" % (DATE + mark, _data(message.encode())))
            if not number:
                stream.append(b"deleteall\n")
            # Deletions first: a directory must be gone before a file takes its name.
            stream += [b"D %s\n" % _quoted(path) for path in sorted(gone)]
            for path, leaf in sorted(changes.items()):
                if leaf.mode == GITLINK:
                    stream.append(b"M 160000 %s %s\n" % (longer + leaf.data, _quoted(path)))
                else:
                    stream.append(b"M %o inline %s\n%s" % (leaf.mode, _quoted(path), _data(leaf.data)))
    marks = git.cwd / "corpus-marks"
    git.raw("fast-import", "--quiet", f"--export-marks={marks}", input=b"".join(stream))
    order = sorted((int(line.split()[0][1:]), line.split()[1]) for line in marks.read_text().splitlines())
    return [oid for _, oid in order]


def _data(content: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(content), content)


def _quoted(path: bytes) -> bytes:
    return b'"%s"' % b"".join(
        bytes([char]) if 32 < char < 127 and char not in b'"\\' else b"\\%03o" % char for char in path
    )
