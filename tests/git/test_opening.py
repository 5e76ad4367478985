"""Which backend opens what, which environment counts, and what a refusal says."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gatekeeper.errors import MissingObject, RepositoryError
from gatekeeper.git import open_store
from gatekeeper.git._dulwich import DulwichStore
from gatekeeper.git._pygit2 import TESTED, Pygit2Store
from tests.git.backends import ON_DISK, opened
from tests.support.git import Git
from tests.support.objects import ObjectWriter

BACKENDS = ("pygit2", "dulwich")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    return place


def bare(home: Path, name: str, *options: str) -> Git:
    """An empty bare repository beside the home."""
    Git(home, home).raw("init", "-q", "--bare", "--initial-branch=main", *options, home.parent / name)
    return Git(home.parent / name, home)


def blob(git: Git, data: bytes, where: str = "objects") -> bytes:
    """A loose blob in one of a repository's object directories."""
    form = git.out("rev-parse", "--show-object-format")
    (git.cwd / where).mkdir(parents=True, exist_ok=True)
    return bytes.fromhex(ObjectWriter(git.cwd / where, form).blob(data))


def has(way: str, git: Git, oid: bytes, env: dict[str, str] | None = None) -> bool:
    with opened(way, git, env) as store:
        try:
            return store.read(oid)[0] == "blob"
        except MissingObject:
            assert store.header(oid) is None
            return False


def test_auto_takes_the_backend_that_can(home: Path) -> None:
    for options, expected in (((), Pygit2Store), (("--object-format=sha256",), DulwichStore)):
        git = bare(home, f"{len(options)}.git", *options)
        store = open_store(os.fsencode(git.cwd), {})
        assert type(store) is expected
        store.close()


def test_libgit2_says_that_it_cannot_read_sha256(home: Path) -> None:
    git = bare(home, "a.git", "--object-format=sha256")
    with pytest.raises(RepositoryError, match="sha256"):
        open_store(os.fsencode(git.cwd), {}, "pygit2")


def test_an_extension_that_libgit2_refuses_and_dulwich_knows(home: Path) -> None:
    git = bare(home, "a.git")
    git.raw("config", "core.repositoryformatversion", "1")
    git.raw("config", "extensions.partialClone", "origin")
    oid = blob(git, b"x")
    store = open_store(os.fsencode(git.cwd), {})
    assert store.read(oid) == ("blob", b"x")
    store.close()


@pytest.mark.parametrize("backend", ["auto", *BACKENDS])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("core.repositoryformatversion", "2"),
        ("extensions.unheardOf", "true"),
        ("extensions.refStorage", "reftable"),
        ("extensions.objectFormat", "md5"),
    ],
)
def test_a_format_that_nobody_knows_is_refused(home: Path, backend: str, name: str, value: str) -> None:
    git = bare(home, "a.git")
    if name != "core.repositoryformatversion":
        git.raw("config", "core.repositoryformatversion", "1")
    git.raw("config", name, value)
    with pytest.raises(RepositoryError):
        open_store(os.fsencode(git.cwd), {}, backend)  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_extension_without_its_format_version_says_nothing(home: Path, backend: str) -> None:
    git = bare(home, "a.git")
    git.raw("config", "extensions.unheardOf", "true")
    open_store(os.fsencode(git.cwd), {}, backend).close()  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", ["auto", *BACKENDS])
def test_what_is_no_repository(home: Path, tmp_path: Path, backend: str) -> None:
    inside = bare(home, "a.git").cwd / "objects"
    (tmp_path / "file").write_text("gitdir elsewhere\n")
    (tmp_path / "link").mkdir()
    (tmp_path / "link/.git").write_text("gitdir: ../nowhere\n")
    for place in (home, inside, tmp_path / "none", tmp_path / "file", tmp_path / "link"):
        with pytest.raises(RepositoryError):
            open_store(os.fsencode(place), {}, backend)  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_damaged_configuration_is_refused(home: Path, backend: str) -> None:
    git = bare(home, "a.git")
    (git.cwd / "config").write_bytes(b"[core\n\xff")
    with pytest.raises(RepositoryError):
        open_store(os.fsencode(git.cwd), {}, backend)  # type: ignore[arg-type]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a repository to someone else")
@pytest.mark.parametrize("backend", ["auto", *BACKENDS])
def test_a_repository_of_another_user_is_refused_with_the_fix(
    home: Path, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = bare(home, "a.git")
    for place in (git.cwd, *git.cwd.rglob("*")):
        os.chown(place, 12345, 12345)
    with pytest.raises(RepositoryError, match="another user") as caught:
        open_store(os.fsencode(git.cwd), {}, backend)  # type: ignore[arg-type]
    assert f"safe.directory {git.cwd}" in caught.value.fix
    # The fix, followed literally.
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    subprocess.run(["git", "config", "--global", "--add", "safe.directory", str(git.cwd)], check=True)
    script = "import os, sys; sys.path[:0] = %r; from gatekeeper.git import open_store; open_store(%r, {}, %r).close()"
    subprocess.run([sys.executable, "-c", script % (sys.path, os.fsencode(git.cwd), backend)], check=True)


@pytest.mark.parametrize("way", ON_DISK)
def test_the_quarantine_is_read_from_the_mapping_given(home: Path, way: str) -> None:
    git = bare(home, "a.git")
    old, new = blob(git, b"old"), blob(git, b"new", "objects/incoming-xyz")
    env = {
        "GIT_OBJECT_DIRECTORY": str(git.cwd / "objects/incoming-xyz"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(git.cwd / "objects"),
    }
    assert has(way, git, old, env)
    assert has(way, git, new, env)
    assert has(way, git, old)
    assert not has(way, git, new)


@pytest.mark.parametrize("way", ON_DISK)
def test_relative_directories_count_from_the_working_directory(
    home: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = bare(home, "a.git")
    new = blob(git, b"new", "objects/incoming-xyz")
    monkeypatch.chdir(git.cwd)
    assert has(way, git, new, {"GIT_OBJECT_DIRECTORY": "./objects/incoming-xyz"})


@pytest.mark.parametrize("way", ON_DISK)
def test_a_list_of_alternates_may_quote_its_items(home: Path, way: str) -> None:
    git = bare(home, "a.git")
    names = ["pl ain", 'qu"ote', "co:lon", "new\nline", "caf\u00e9", "back\\slash", "#hash"]
    oids = {name: blob(git, name.encode(), f"pool/{name}") for name in names}
    quoted = {
        "pl ain": "{}/pl ain", 'qu"ote': '{}/qu"ote', "co:lon": '"{}/co:lon"', "new\nline": '"{}/new\\nline"',
        "caf\u00e9": '"{}/caf\\303\\251"', "back\\slash": '"{}/back\\\\slash"', "#hash": "{}/#hash",
    }  # fmt: skip
    pool = str(git.cwd / "pool")
    listed = os.pathsep.join(text.replace("{}", pool) for text in quoted.values())
    env = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": f"#comment:{listed}:/nowhere::"}
    for name, oid in oids.items():
        assert has(way, git, oid, env), name
    for broken in ('"', '"\\', '"\\9"', '"\\777"', '"abc'):
        assert not has(way, git, oids["co:lon"], {"GIT_ALTERNATE_OBJECT_DIRECTORIES": broken})


@pytest.mark.parametrize("way", ON_DISK)
def test_git_reads_the_same_alternates(home: Path, way: str) -> None:
    """What the mapping opens for us is what it opens for git: neither more nor less."""
    git = bare(home, "a.git")
    oids = [blob(git, b"%d" % n, f"pool/{n}") for n in range(3)]
    pool = git.cwd / "pool"
    for env in (
        {"GIT_ALTERNATE_OBJECT_DIRECTORIES": f'{pool}/0:"{pool}/1"'},
        {"GIT_ALTERNATE_OBJECT_DIRECTORIES": f'"{pool}/1:{pool}/2'},
        {"GIT_ALTERNATE_OBJECT_DIRECTORIES": f"#{pool}/0:{pool}/2:"},
        {"GIT_ALTERNATE_OBJECT_DIRECTORIES": ""},
    ):
        for oid in oids:
            seen = git.run("cat-file", "-e", oid.hex(), env=env).returncode == 0
            assert has(way, git, oid, env) is seen, env


@pytest.mark.parametrize("way", ON_DISK)
def test_a_fork_reads_its_pool(home: Path, way: str) -> None:
    pool, fork, leaf = bare(home, "pool.git"), bare(home, "fork.git"), bare(home, "leaf.git")
    oid = blob(pool, b"shared")
    (fork.cwd / "objects/info/alternates").write_text(f"# a comment\n{pool.cwd}/objects\n")
    (leaf.cwd / "objects/info/alternates").write_text("../../fork.git/objects\n")
    assert has(way, fork, oid)
    assert has(way, leaf, oid)
    # A quarantine whose main store is a fork: git-receive-pack(1) names the main store, not the pool behind it.
    new = blob(leaf, b"new", "objects/incoming-xyz")
    env = {
        "GIT_OBJECT_DIRECTORY": str(leaf.cwd / "objects/incoming-xyz"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(fork.cwd / "objects"),
    }
    assert has(way, leaf, new, env)
    other = bare(home, "other.git")
    assert has(way, other, oid, env)


@pytest.mark.parametrize("way", ON_DISK)
def test_alternates_in_a_circle_end(home: Path, way: str) -> None:
    one, two = bare(home, "one.git"), bare(home, "two.git")
    (one.cwd / "objects/info/alternates").write_text(f"{two.cwd}/objects\n")
    (two.cwd / "objects/info/alternates").write_text(f"{one.cwd}/objects\n")
    assert has(way, one, blob(two, b"x"))


@pytest.mark.parametrize("way", ON_DISK)
def test_no_git_variable_of_the_process_has_an_effect(home: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    git, other = bare(home, "a.git"), bare(home, "b.git")
    mine, foreign = blob(git, b"mine"), blob(other, b"foreign")
    bad = home / "bad.config"
    bad.write_text("[core]\n\trepositoryformatversion = 99\n")
    for name, value in {
        "GIT_DIR": other.cwd, "GIT_COMMON_DIR": other.cwd, "GIT_WORK_TREE": home, "GIT_INDEX_FILE": home / "index",
        "GIT_OBJECT_DIRECTORY": other.cwd / "objects", "GIT_ALTERNATE_OBJECT_DIRECTORIES": other.cwd / "objects",
        "GIT_QUARANTINE_PATH": other.cwd / "objects", "GIT_CONFIG": bad, "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.repositoryformatversion", "GIT_CONFIG_VALUE_0": "99", "GIT_NAMESPACE": "x",
        "GIT_CEILING_DIRECTORIES": home.parent, "GIT_DEFAULT_HASH": "sha256",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, str(value))
    with opened(way, git) as store:
        assert store.head_ref() == b"refs/heads/main"
        assert store.read(mine) == ("blob", b"mine")
        assert store.header(foreign) is None


def clone_with_commit(home: Path) -> tuple[Git, str]:
    """A clone with one commit on main."""
    tree = home.parent / "tree"
    Git(home, home).raw("init", "-q", "--initial-branch=main", tree)
    git = Git(tree, home)
    git.raw("commit", "-q", "--allow-empty", "-m", "one")
    return git, git.out("rev-parse", "HEAD")


@pytest.mark.parametrize("way", ON_DISK)
def test_a_worktree_has_its_own_head_and_shares_the_rest(home: Path, way: str) -> None:
    main, first = clone_with_commit(home)
    work = Git(home.parent / "work", home)
    main.raw("worktree", "add", "-q", "-b", "side", work.cwd)
    work.raw("commit", "-q", "--allow-empty", "-m", "two")
    second = work.out("rev-parse", "HEAD")
    work.raw("update-ref", "refs/worktree/mine", first)
    main.raw("pack-refs", "--all")
    for place in (work.cwd, work.cwd / ".git", Path(work.out("rev-parse", "--absolute-git-dir"))):
        with opened(way, Git(place, home)) as store:
            assert store.head_ref() == b"refs/heads/side"
            assert store.ref(b"HEAD") == bytes.fromhex(second)
            assert store.ref(b"refs/heads/main") == bytes.fromhex(first)
            assert store.ref(b"refs/worktree/mine") == bytes.fromhex(first)
            assert store.read(bytes.fromhex(second))[0] == "commit"
    for place in (main.cwd, main.cwd / ".git"):
        with opened(way, Git(place, home)) as store:
            assert store.head_ref() == b"refs/heads/main"
            assert store.ref(b"refs/heads/side") == bytes.fromhex(second)
            assert store.ref(b"refs/worktree/mine") is None


@pytest.mark.parametrize("way", ON_DISK)
def test_a_submodule_is_opened_by_its_link(home: Path, way: str) -> None:
    inner, first = clone_with_commit(home)
    outer = home.parent / "outer"
    Git(home, home).raw("init", "-q", outer)
    git = Git(outer, home)
    git.raw("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.cwd, "sub")
    for place in (outer / "sub", outer / "sub/.git"):
        with opened(way, Git(place, home)) as store:
            assert store.ref(b"HEAD") == bytes.fromhex(first)


def isolated(code: str, *places: Path, cwd: Path) -> str:
    """Run code as the hook runs: no site, no environment, only these directories to import from."""
    checkout = Path(__file__).resolve().parents[2]
    script = f"import sys; sys.path += {[str(place) for place in (checkout, *places)]!r}\n{code}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], cwd=cwd, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout


def site_of(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]).parent


READ = """
from gatekeeper.git import open_store
from gatekeeper.git.diff import diff_trees
from gatekeeper.git.history import relate
from gatekeeper.git.reader import Objects
store = open_store(b".", {})
objects = Objects(store)
head = store.ref(b"HEAD")
relate(objects, head, head, limit=1)
list(diff_trees(objects, None, objects.commit(head).tree))
"""

FORBIDDEN = {
    "typing", "re", "enum", "dataclasses", "collections", "functools", "contextlib", "json", "tomllib", "signal", "subprocess",
    "pathlib", "logging", "inspect", "pathspec", "click", "rich", "jsonschema", "dulwich", "pygit2", "types", "importlib",
}  # fmt: skip


def test_the_hot_path_imports_next_to_nothing(home: Path) -> None:
    git, _ = clone_with_commit(home)
    out = isolated(READ + "print(type(store).__name__, *sys.modules)", site_of("pygit2"), cwd=git.cwd)
    backend, *modules = out.split()
    assert backend == "Pygit2Store"
    assert not FORBIDDEN & {name.partition(".")[0] for name in modules}


def test_the_ordinary_pygit2_can_be_imported_afterwards(home: Path) -> None:
    git, first = clone_with_commit(home)
    code = READ + (
        "import pygit2\n"
        "repo = pygit2.Repository('.')\n"
        "kind, _ = repo.odb.read_header(pygit2.Oid(raw=head))\n"
        "print(repo.head.target, type(kind).__name__, kind.name, store.header(head)[0])"
    )
    out = isolated(code, site_of("pygit2"), site_of("cffi"), cwd=git.cwd).split()
    assert out == [first, "ObjectType", "COMMIT", "commit"]


def link_packages(place: Path, *names: str) -> Path:
    """A directory to import from that holds these installed packages and nothing else."""
    place.mkdir()
    for name in names:
        found = site_of(name) / name
        os.symlink(found, place / name)
    return place


def test_without_the_wheel_dulwich_reads(home: Path, tmp_path: Path) -> None:
    git, _ = clone_with_commit(home)
    site = link_packages(tmp_path / "site", "dulwich")
    extra = [name for name in ("typing_extensions",) if importlib.util.find_spec(name)]
    for name in extra:
        module = importlib.util.find_spec(name)
        assert module is not None
        assert module.origin is not None
        shutil.copy(module.origin, site)
    assert isolated(READ + "print(type(store).__name__)\nstore.close()", site, cwd=git.cwd) == "DulwichStore\n"


def test_without_either_backend_the_refusal_names_both(home: Path) -> None:
    git, _ = clone_with_commit(home)
    code = (
        "from gatekeeper.errors import RepositoryError\nfrom gatekeeper.git import open_store\n"
        "try:\n    open_store(b'.', {})\nexcept RepositoryError as error:\n    print(error, '|', error.fix)"
    )
    said = isolated(code, cwd=git.cwd)
    assert "pygit2" in said
    assert "dulwich" in said
    assert "reinstall" in said


def fake_pygit2(site: Path, version: str) -> Path:
    """A package called pygit2 with the real extension and this version, whose ordinary import says that it was tried."""
    package = site / "pygit2"
    package.mkdir(parents=True)
    for file in (site_of("pygit2") / "pygit2").glob("_pygit2*"):
        os.symlink(file, package / file.name)
    # The wheel keeps libgit2 in a directory beside the package.
    if (libraries := site_of("pygit2") / "pygit2.libs").exists():
        os.symlink(libraries, site / "pygit2.libs")
    (package / "__init__.py").write_text("raise ImportError('the ordinary way in')\n")
    (package / "_build.py").write_text(f"# comment\n__version__ = '{version}'\n")
    return site


@pytest.mark.parametrize(
    ("version", "fast"),
    [(f"{TESTED[0][0]}.{TESTED[0][1]}.9", True), (f"{TESTED[1][0]}.{TESTED[1][1]}.0", True), ("1.18.2", False), ("1.22.0", False),
     ("2.20.0", False), ("nonsense", False)],
)  # fmt: skip
def test_only_tested_versions_are_loaded_without_their_package(
    home: Path, tmp_path: Path, version: str, fast: bool
) -> None:
    git, _ = clone_with_commit(home)
    code = (
        "from gatekeeper.git._pygit2 import Pygit2Store\n"
        "try:\n    print(Pygit2Store(b'.git', {}).head_ref())\nexcept ImportError as error:\n    print(error)\n"
        "print([name for name in sys.modules if name.startswith('pygit2')])"
    )
    said = isolated(code, fake_pygit2(tmp_path / "site", version), cwd=git.cwd).splitlines()
    assert said == ["b'refs/heads/main'" if fast else "the ordinary way in", "[]"]


def test_an_extension_that_lacks_a_name_is_not_used(home: Path, tmp_path: Path) -> None:
    git, _ = clone_with_commit(home)
    package = tmp_path / "site/pygit2"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('the ordinary way in')\n")
    (package / "_build.py").write_text("__version__ = '1.21.0'\n")
    code = "from gatekeeper.git._pygit2 import Pygit2Store\ntry:\n    Pygit2Store(b'.git', {})\nexcept ImportError as error:\n    print(error)\n"
    for source in ("raise ImportError('broken wheel')\n", "class Odb: read_header = 1\n", ""):
        (package / "_pygit2.py").write_text(source)
        assert isolated(code, tmp_path / "site", cwd=git.cwd) == "the ordinary way in\n"
