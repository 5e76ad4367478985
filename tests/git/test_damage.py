"""Damaged objects, packs and refs: refused by every backend, never read as something else, never a loop."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import pytest

from gatekeeper.errors import MalformedObject, RepositoryError
from tests.adapters.memory import MemoryStore
from tests.git.backends import ON_DISK, opened
from tests.git.repos import fill, loose_path, overwrite
from tests.support.objects import ObjectWriter

if TYPE_CHECKING:
    from tests.support.git import Git

AWAY = b"\xee" * 20


@pytest.mark.parametrize("way", ON_DISK)
def test_a_damaged_ref_is_an_error_and_not_an_absent_one(git: Git, way: str) -> None:
    fill(git, packed=False)
    for content in (b"", b"nonsense\n", b"11\n", b"g" * 40 + b"\n"):
        (git.cwd / "refs/heads/main").write_bytes(content)
        with opened(way, git) as store, pytest.raises(RepositoryError, match="refs/heads/main"):
            store.ref(b"refs/heads/main")


@pytest.mark.parametrize("way", ON_DISK)
def test_symbolic_refs_in_a_circle_are_an_error(git: Git, way: str) -> None:
    (git.cwd / "refs/heads/a").write_bytes(b"ref: refs/heads/b\n")
    (git.cwd / "refs/heads/b").write_bytes(b"ref: refs/heads/a\n")
    with opened(way, git) as store, pytest.raises(RepositoryError):
        store.ref(b"refs/heads/a")


@pytest.mark.parametrize("way", ON_DISK)
def test_a_gigabyte_is_known_by_its_header_alone(git: Git, way: str) -> None:
    """The stream ends after the header: whatever inflated the content would fail."""
    stream = zlib.compressobj()
    start = stream.compress(b"blob 1073741824\0" + b"x" * 4096) + stream.flush(zlib.Z_SYNC_FLUSH)
    overwrite(loose_path(git, AWAY.hex()), start)
    with opened(way, git) as store:
        assert store.header(AWAY) == ("blob", 1 << 30)
        with pytest.raises(MalformedObject):
            store.read(AWAY)


@pytest.mark.parametrize("way", ON_DISK)
@pytest.mark.parametrize(
    "content",
    [
        zlib.compress(b"blob 3\0abx"),
        zlib.compress(b"blob 3\0abcd"),
        zlib.compress(b"blob 4\0abc"),
        zlib.compress(b"tree 3\0abc"),
        zlib.compress(b"blob 3\0abc")[:-6],
    ],
    ids=["bytes", "longer", "shorter", "kind", "truncated"],
)
def test_content_that_does_not_hash_to_its_name_is_refused(git: Git, way: str, content: bytes) -> None:
    oid = ObjectWriter(git.cwd / "objects", "sha1").blob(b"abc")
    overwrite(loose_path(git, oid), content)
    with opened(way, git) as store, pytest.raises(MalformedObject, match=oid):
        store.read(bytes.fromhex(oid))


@pytest.mark.parametrize("way", ON_DISK)
@pytest.mark.parametrize(
    "content", [b"", b"noise", zlib.compress(b"blob"), zlib.compress(b"blub 3\0abc"), zlib.compress(b"blob x\0abc")]
)
def test_a_loose_object_that_is_noise_is_refused(git: Git, way: str, content: bytes) -> None:
    overwrite(loose_path(git, AWAY.hex()), content)
    with opened(way, git) as store:
        for ask in (store.header, store.read):
            with pytest.raises(MalformedObject, match=AWAY.hex()):
                ask(AWAY)


@pytest.mark.parametrize("way", ON_DISK)
def test_a_damaged_object_in_a_pack_is_refused(git: Git, way: str) -> None:
    commits = fill(git, packed=True)
    (index,) = (git.cwd / "objects/pack").glob("*.idx")
    rows = [line.split() for line in git.out("verify-pack", "-v", index).splitlines() if line.startswith(commits[-1])]
    _, _, _, length, offset = rows[0]
    content = bytearray(index.with_suffix(".pack").read_bytes())
    content[int(offset) + int(length) - 1] ^= 0x55
    overwrite(index.with_suffix(".pack"), bytes(content))
    with opened(way, git) as store:
        with pytest.raises(MalformedObject, match=commits[-1]):
            store.read(bytes.fromhex(commits[-1]))
        assert store.read(bytes.fromhex(commits[0]))[0] == "commit"


def test_dulwich_reads_no_wrong_byte_from_a_ruined_pack(git: Git) -> None:
    """Not asked of libgit2, which crashes on some such packs: a refusal too, but not one that a test survives."""
    fill(git, packed=True)
    memory = MemoryStore.load(git)
    (pack,) = (git.cwd / "objects/pack").glob("*.pack")
    content = bytearray(pack.read_bytes())
    for at in range(40, len(content) - 20, 97):
        content[at] ^= 0x55
    overwrite(pack, bytes(content))
    refused = 0
    with opened("dulwich", git) as store:
        for oid, expected in memory.objects.items():
            try:
                assert store.read(oid) == expected
            except MalformedObject:
                refused += 1
    assert refused > len(memory.objects) // 2


@pytest.mark.parametrize("way", ON_DISK)
def test_a_damaged_list_of_shallow_commits_is_an_error(git: Git, way: str) -> None:
    (git.cwd / "shallow").write_bytes(b"11\n")
    # libgit2 itself reads the file as it opens, and says "graft".
    with pytest.raises(RepositoryError, match=r"shallow|graft"), opened(way, git) as store:
        store.shallow()
