"""Small real repositories for the tests of the object stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.git import Git
from tests.support.objects import ObjectWriter

if TYPE_CHECKING:
    from pathlib import Path


def make(tmp_path: Path, object_format: str) -> Git:
    """An empty bare repository and a home."""
    home, bare = tmp_path / "home", tmp_path / "bare.git"
    home.mkdir(exist_ok=True)
    Git(tmp_path, home).raw("init", "-q", "--bare", "--initial-branch=main", f"--object-format={object_format}", bare)
    return Git(bare, home)


def fill(git: Git, *, packed: bool) -> list[str]:
    """Thirty commits on main over a file large enough for deltas, with nested tags; the commits, oldest first."""
    form = git.out("rev-parse", "--show-object-format")
    writer = ObjectWriter(git.cwd / "objects", form)
    commits: list[str] = []
    for n in range(30):
        text = b"".join(b"line %d of many\n" % (line + n) for line in range(200))
        files = writer.apply({}, {"big": text, "sub/dir/f": b"%d" % n})
        person = b"A <a@example.invalid> %d +0000" % (1_700_000_000 + n)
        commits.append(writer.commit(writer.tree(files), commits[-1:], b"c%d\n" % n, person, person))
    git.raw("update-ref", "refs/heads/main", commits[-1])
    git.raw("tag", "-a", "-m", "one", "v1", commits[3])
    git.raw("tag", "-a", "-m", "two", "v2", "v1")
    if packed:
        git.raw("repack", "-adfq", "--depth=50", "--window=50")
        git.raw("pack-refs", "--all")
        git.raw("prune")
    return commits


def loose_path(git: Git, oid: str) -> Path:
    return git.cwd / "objects" / oid[:2] / oid[2:]


def overwrite(path: Path, data: bytes) -> None:
    """Replace an object file; git and the writer leave them read-only or shared."""
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(data)


def bare(home: Path, name: str, *options: str) -> Git:
    """An empty bare repository beside the home."""
    Git(home, home).raw("init", "-q", "--bare", "--initial-branch=main", *options, home.parent / name)
    return Git(home.parent / name, home)


def blob(git: Git, data: bytes, where: str = "objects") -> bytes:
    """A loose blob in one of a repository's object directories."""
    form = git.out("rev-parse", "--show-object-format")
    (git.cwd / where).mkdir(parents=True, exist_ok=True)
    return bytes.fromhex(ObjectWriter(git.cwd / where, form).blob(data))


def clone_with_commit(home: Path) -> tuple[Git, str]:
    """A clone with one commit on main."""
    tree = home.parent / "tree"
    Git(home, home).raw("init", "-q", "--initial-branch=main", tree)
    git = Git(tree, home)
    git.raw("commit", "-q", "--allow-empty", "-m", "one")
    return git, git.out("rev-parse", "HEAD")
