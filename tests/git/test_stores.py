"""One suite for every implementation of the port: libgit2 by both ways in, dulwich, and the store in memory."""

from __future__ import annotations

import gc
import os
from typing import TYPE_CHECKING

import pytest

from gatekeeper.errors import MalformedObject, MissingObject, RepositoryError
from tests.adapters.memory import MemoryStore
from tests.git.backends import EVERY_WAY, ON_DISK, opened
from tests.git.repos import fill, make
from tests.support.git import Git
from tests.support.objects import ObjectWriter

if TYPE_CHECKING:
    from pathlib import Path

AWAY = b"\xee" * 20


@pytest.mark.parametrize("packed", [False, True], ids=["loose", "packed"])
@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_every_object_is_read_alike(tmp_path: Path, object_format: str, packed: bool) -> None:
    git = make(tmp_path, object_format)
    fill(git, packed=packed)
    memory = MemoryStore.load(git)
    assert len(memory.objects) == 30 * 6 + 2
    for way in ON_DISK if object_format == "sha1" else ("dulwich",):
        with opened(way, git) as store:
            assert store.oid_size == memory.oid_size
            for oid, (kind, data) in memory.objects.items():
                assert store.header(oid) == (kind, len(data))
                assert store.read(oid) == (kind, data)


@pytest.mark.parametrize("way", ON_DISK)
def test_deltas_that_name_their_base_by_oid_are_read_alike(git: Git, way: str) -> None:
    git.raw("config", "repack.useDeltaBaseOffset", "false")
    fill(git, packed=True)
    (index,) = (git.cwd / "objects/pack").glob("*.idx")
    assert "chain length = 5: " in git.out("verify-pack", "-v", index)
    memory = MemoryStore.load(git)
    with opened(way, git) as store:
        for oid, (kind, data) in memory.objects.items():
            assert store.header(oid) == (kind, len(data))
            assert store.read(oid) == (kind, data)


@pytest.mark.parametrize("way", EVERY_WAY)
def test_what_is_not_there(git: Git, way: str) -> None:
    with opened(way, git) as store:
        assert store.header(AWAY) is None
        with pytest.raises(MissingObject, match=AWAY.hex()):
            store.read(AWAY)


@pytest.mark.parametrize("way", ON_DISK)
def test_an_oid_of_the_other_hash_is_no_object(git: Git, way: str) -> None:
    with opened(way, git) as store:
        for ask in (store.header, store.read):
            with pytest.raises(MalformedObject):
                ask(b"\xee" * 32)


@pytest.mark.parametrize("way", EVERY_WAY)
@pytest.mark.parametrize("packed", [False, True], ids=["loose", "packed"])
def test_refs(git: Git, way: str, packed: bool) -> None:
    commits = fill(git, packed=packed)
    git.raw("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    git.raw("symbolic-ref", "refs/heads/dangling", "refs/heads/none")
    git.raw("update-ref", b"refs/heads/caf\xe9", commits[1])
    git.raw("update-ref", "refs/heads/deep/er", commits[2])
    with opened(way, git) as store:
        assert store.head_ref() == b"refs/heads/main"
        for name in (b"HEAD", b"refs/heads/main", b"refs/heads/alias"):
            assert store.ref(name) == bytes.fromhex(commits[-1]), name
        assert store.ref(b"refs/heads/caf\xe9") == bytes.fromhex(commits[1])
        assert store.ref(b"refs/heads/deep/er") == bytes.fromhex(commits[2])
        tag = store.ref(b"refs/tags/v2")
        assert tag is not None
        assert store.header(tag) == ("tag", len(store.read(tag)[1]))


NO_REFS = [
    b"refs/heads/none", b"refs/heads/dangling", b"refs/heads/deep", b"refs/heads/main/x", b"main", b"heads/main", b"",
    b"refs/heads/main\0x", b"refs/heads/", b"refs//heads/main", b"refs/heads/../heads/main",
    b"../bare.git/refs/heads/main", b"refs/heads/.main", b"refs/heads/main.lock", b"refs/heads/ma in",
    b"refs/heads/main~1", b"refs/heads/main^{tree}", b"refs/heads/main@{0}", b"refs/heads/\xff", b"config",
    b"refs/heads/" + b"x" * 300, b"refs/heads/ma\nin", b"refs",
]  # fmt: skip


@pytest.mark.parametrize("way", EVERY_WAY)
@pytest.mark.parametrize("packed", [False, True], ids=["loose", "packed"])
def test_what_is_no_ref(git: Git, way: str, packed: bool) -> None:
    commits = fill(git, packed=packed)
    git.raw("symbolic-ref", "refs/heads/dangling", "refs/heads/none")
    git.raw("update-ref", "refs/heads/deep/er", commits[2])
    with opened(way, git) as store:
        for name in NO_REFS:
            assert store.ref(name) is None, name


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_loose_ref_wins_over_a_packed_one(git: Git, way: str) -> None:
    commits = fill(git, packed=True)
    git.raw("update-ref", "refs/heads/main", commits[0])
    with opened(way, git) as store:
        assert store.ref(b"refs/heads/main") == bytes.fromhex(commits[0])


@pytest.mark.parametrize("way", EVERY_WAY)
def test_an_unborn_and_a_detached_head(git: Git, way: str) -> None:
    with opened(way, git) as store:
        assert store.head_ref() == b"refs/heads/main"
        assert store.ref(b"HEAD") is None
    commits = fill(git, packed=False)
    git.raw("update-ref", "--no-deref", "HEAD", commits[4])
    with opened(way, git) as store:
        assert store.head_ref() is None
        assert store.ref(b"HEAD") == bytes.fromhex(commits[4])


@pytest.mark.parametrize("way", ON_DISK)
def test_a_ref_is_read_anew_each_time(git: Git, way: str) -> None:
    commits = fill(git, packed=True)
    with opened(way, git) as store:
        assert store.ref(b"refs/heads/main") == bytes.fromhex(commits[-1])
        git.raw("update-ref", "refs/heads/main", commits[0])
        assert store.ref(b"refs/heads/main") == bytes.fromhex(commits[0])


@pytest.mark.parametrize("way", ON_DISK)
def test_a_name_that_libgit2_cannot_read_is_an_error_everywhere(git: Git, way: str) -> None:
    with opened(way, git) as store, pytest.raises(RepositoryError, match="1000 can be read"):
        store.ref(b"refs/heads/" + b"x/" * 500 + b"x")


@pytest.mark.parametrize("way", EVERY_WAY)
def test_what_a_symbolic_ref_holds(git: Git, way: str) -> None:
    commits = fill(git, packed=False)
    git.raw("update-ref", "refs/remotes/origin/main", commits[0])
    git.raw("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    git.raw("symbolic-ref", "refs/heads/dangling", "refs/heads/none")
    with opened(way, git) as store:
        assert store.symbolic(b"HEAD") == b"refs/heads/main"
        assert store.symbolic(b"refs/remotes/origin/HEAD") == b"refs/remotes/origin/main"
        if way in ON_DISK:
            assert store.symbolic(b"refs/heads/dangling") == b"refs/heads/none"
        for name in (b"refs/heads/main", b"refs/heads/none", b"refs/heads/ma in"):
            assert store.symbolic(name) is None


@pytest.mark.parametrize("way", ON_DISK)
def test_fifty_thousand_packed_refs(git: Git, way: str) -> None:
    oid = ObjectWriter(git.cwd / "objects", "sha1").blob(b"")
    lines = [b"# pack-refs with: peeled fully-peeled sorted \n"]
    lines += [b"%s refs/heads/b%05d\n" % (oid.encode(), n) for n in range(50_000)]
    (git.cwd / "packed-refs").write_bytes(b"".join(lines))
    with opened(way, git) as store:
        for n in (0, 1, 25_000, 49_999):
            assert store.ref(b"refs/heads/b%05d" % n) == bytes.fromhex(oid)
        for name in (b"refs/heads/b", b"refs/heads/b50000", b"refs/heads/a", b"refs/heads/c", b"heads/b00001"):
            assert store.ref(name) is None


@pytest.mark.parametrize("way", ON_DISK)
def test_a_repack_under_an_open_store_loses_nothing(git: Git, way: str) -> None:
    commits = fill(git, packed=False)
    with opened(way, git) as store:
        assert store.header(bytes.fromhex(commits[0])) is not None
        git.raw("repack", "-adq")
        git.raw("prune-packed")
        assert store.read(bytes.fromhex(commits[1]))[0] == "commit"


@pytest.mark.parametrize("way", EVERY_WAY)
def test_the_boundary_of_a_shallow_clone(git: Git, tmp_path: Path, way: str) -> None:
    commits = fill(git, packed=False)
    with opened(way, git) as store:
        assert store.shallow() == frozenset()
    git.raw("clone", "-q", "--bare", "--depth=5", f"file://{git.cwd}", tmp_path / "shallow.git")
    shallow = Git(tmp_path / "shallow.git", git.home)
    with opened(way, shallow) as store:
        if isinstance(store, MemoryStore):
            store.cut = frozenset(bytes.fromhex(line) for line in (shallow.cwd / "shallow").read_text().split())
        assert store.shallow() == {bytes.fromhex(commits[25])}
        assert store.header(bytes.fromhex(commits[25])) is not None
        assert store.header(bytes.fromhex(commits[24])) is None


@pytest.mark.parametrize("way", ON_DISK)
def test_nothing_of_the_repository_acts(git: Git, way: str, tmp_path: Path) -> None:
    """Filters, replaced objects, grafts, included configuration: git itself would follow each of them."""
    commits = fill(git, packed=False)
    marker = tmp_path / "acted"
    (tmp_path / "more.config").write_text("[extensions]\n\tobjectformat = sha256\n\tunheardof = true\n")
    for name, value in (
        ("filter.x.smudge", f"touch {marker}"),
        ("core.fsmonitor", f"touch {marker}"),
        ("core.hooksPath", str(tmp_path)),
        ("include.path", str(tmp_path / "more.config")),
    ):
        git.raw("config", name, value)
    git.raw("update-ref", f"refs/replace/{commits[-1]}", commits[0])
    (git.cwd / "info").mkdir(exist_ok=True)
    (git.cwd / "info/attributes").write_text("* filter=x\n")
    (git.cwd / "info/grafts").write_text(f"{commits[-1]}\n")
    with opened(way, git) as store:
        kind, data = store.read(bytes.fromhex(commits[-1]))
    assert kind == "commit"
    assert commits[-2].encode() in data
    assert not marker.exists()


@pytest.mark.parametrize("way", ON_DISK)
def test_a_closed_store_leaves_nothing_open(git: Git, way: str) -> None:
    """The pusher would see a warning from a finalizer; under pytest it is an error."""
    fill(git, packed=True)
    for commit in (b"HEAD", b"refs/heads/main"):
        with opened(way, git) as store:
            oid = store.ref(commit)
            assert oid is not None
            store.read(oid)
    gc.collect()
    held = [
        os.readlink(f"/proc/self/fd/{fd}")
        for fd in os.listdir("/proc/self/fd")
        if os.path.lexists(f"/proc/self/fd/{fd}")
    ]
    assert not [path for path in held if path.startswith(str(git.cwd))]
