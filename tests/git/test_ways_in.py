"""The two ways into libgit2 and the way around it, each in a process that starts as the hook starts."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gatekeeper.git._pygit2 import TESTED
from tests.git.repos import clone_with_commit


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
    "typing", "re", "enum", "dataclasses", "collections", "functools", "contextlib", "json", "tomllib", "signal",
    "subprocess", "pathlib", "logging", "inspect", "pathspec", "click", "rich", "jsonschema", "dulwich", "pygit2",
    "types", "importlib",
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
    """A pygit2 with the real extension and a version of our choice, whose ordinary import says that it was tried."""
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
    ("version", "fast"), [(f"{TESTED[0][0]}.{TESTED[0][1]}.9", True), (f"{TESTED[1][0]}.{TESTED[1][1]}.0", True),
    ("1.18.2", False), ("1.22.0", False),
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
    code = (
        "from gatekeeper.git._pygit2 import Pygit2Store\n"
        "try:\n    Pygit2Store(b'.git', {})\nexcept ImportError as error:\n    print(error)\n"
    )
    for source in ("raise ImportError('broken wheel')\n", "class Odb: read_header = 1\n", ""):
        (package / "_pygit2.py").write_text(source)
        assert isolated(code, tmp_path / "site", cwd=git.cwd) == "the ordinary way in\n"
