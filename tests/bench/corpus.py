"""Repositories to measure on: a real release, several times over where a larger one is wanted."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

RELEASE = ("SQLAlchemy", "2.0.43")


def release(cache: Path) -> Path:
    """The release's source distribution, through pip from wherever pip is set up to look."""
    found = sorted(cache.glob("*.tar.gz"))
    if not found:
        name, version = RELEASE
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", f"--no-binary={name}"]
        subprocess.run([*command, "--dest", str(cache), f"{name}=={version}"], check=True)
        found = sorted(cache.glob("*.tar.gz"))
    return found[0]


def members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Every plain file below the archive's top folder; its ``lib`` becomes ``src``, its ``test`` becomes ``tests``."""
    with tarfile.open(archive) as opened:
        for info in opened:
            path = info.name.partition("/")[2]
            file = opened.extractfile(info) if info.isfile() and path else None
            if file is not None:
                top, _, rest = path.partition("/")
                yield "/".join(filter(None, ({"lib": "src", "test": "tests"}.get(top, top), rest))), file.read()


def times(files: Mapping[str, bytes], factor: int) -> Iterator[tuple[str, bytes]]:
    """The same tree ``factor`` times: copies of every directory beside the original, as a monorepo has them."""
    yield from files.items()
    for copy in range(1, factor):
        for path, data in files.items():
            top, slash, rest = path.partition("/")
            yield (f"{top}/copy{copy}/{rest}" if slash else f"docs/copy{copy}/{path}"), data


def build(bare: Path, files: Iterator[tuple[str, bytes]]) -> str:
    """A bare, packed repository with one commit of ``files`` on main; returns its hex oid."""
    run = ["git", "-C", str(bare)]
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", str(bare)], check=True)
    stream = [b"commit refs/heads/main\ncommitter B <b@example.invalid> 1700000000 +0000\ndata 6\nImport\n"]
    for path, data in files:
        quoted = b'"' + path.encode().replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
        stream.append(b"M 100644 inline %s\ndata %d\n%s\n" % (quoted, len(data), data))
    subprocess.run([*run, "fast-import", "--quiet"], input=b"".join(stream), check=True)
    return subprocess.run([*run, "rev-parse", "main"], check=True, capture_output=True, text=True).stdout.strip()
