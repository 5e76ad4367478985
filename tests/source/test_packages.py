"""Real packages, as installed beside the tests: what formatters and interpreters do must not move their digests."""

from __future__ import annotations

import ast
import json
import os
import random
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

import gatekeeper
from gatekeeper.source.digest import digest
from gatekeeper.source.rows import Row, row_text
from gatekeeper.source.surface import surface

SITE = Path(gatekeeper.__file__).parents[1]
PACKAGES = (
    "_pytest",
    "attr",
    "attrs",
    "click",
    "dulwich",
    "gatekeeper",
    "iniconfig",
    "jsonschema",
    "markdown_it",
    "pathspec",
    "pluggy",
    "referencing",
    "rich",
    "xdist",
)
PRINT = """
import json, pathlib, sys
sys.path.insert(0, sys.argv[1])
from gatekeeper.source.digest import digest
from gatekeeper.source.surface import surface
found = {}
for name, place in json.loads(sys.argv[2]).items():
    root = pathlib.Path(place)
    files = {f"{name}/{path.relative_to(root)}": path.read_bytes() for path in sorted(root.rglob("*.py"))}
    found[name] = digest(surface(files)).tree
print(json.dumps(found))
"""


def place_of(name: str) -> str | None:
    spec = find_spec(name)
    return None if spec is None or not spec.submodule_search_locations else spec.submodule_search_locations[0]


@cache
def files_of(name: str) -> dict[str, bytes]:
    place = place_of(name)
    if place is None:
        pytest.skip(f"{name} is not installed")
    root = Path(place)
    return {f"{name}/{path.relative_to(root)}": path.read_bytes() for path in sorted(root.rglob("*.py"))}


@cache
def rows(name: str) -> tuple[Row, ...]:
    return surface(files_of(name))


def undocumented(data: bytes) -> bytes:
    tree = ast.parse(data)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and isinstance(
            body, list
        ):
            first = body[0] if body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(body) > 1:
                del body[0]
    return ast.unparse(tree).encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("name", PACKAGES)
def test_every_source_is_read_and_every_row_has_one_key(name: str) -> None:
    found = rows(name)
    keys = [row[:4] for row in found]
    assert [row for row in found if row.kind == "unparseable"] == []
    assert len(set(keys)) == len(keys)
    assert list(keys) == sorted(keys)
    assert all(row.file in files_of(name) for row in found)
    symbols = sum(row.kind in {"function", "class", "attribute", "alias"} for row in found)
    assert symbols > 3 or name.startswith("_")


@pytest.mark.parametrize("name", PACKAGES)
def test_a_round_trip_without_docstrings_does_not_matter(name: str) -> None:
    turned = surface({path: undocumented(data) for path, data in files_of(name).items()})
    assert [row_text(row) for row in turned] == [row_text(row) for row in rows(name)]


@pytest.mark.parametrize("name", PACKAGES)
def test_the_order_of_files_does_not_matter(name: str) -> None:
    items = list(files_of(name).items())
    random.Random(7).shuffle(items)
    assert surface(dict(items)) == rows(name)


def needs(tool: str) -> None:
    """In CI every tool is there; elsewhere the test says what it lacks."""
    if find_spec(tool) is None and not os.environ.get("CI"):
        pytest.skip(f"{tool} is not installed: pip install -e '.[dev]'")


def turned(name: str, place: Path, *words: str) -> dict[str, bytes]:
    """The sources of a package after a tool has gone over all of them."""
    for path, data in files_of(name).items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_bytes(data)
    environment = {"PATH": os.environ["PATH"], "RUFF_NO_CACHE": "true", "HOME": str(place), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-m", *words, str(place)], cwd=place, env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return {path: (place / path).read_bytes() for path in files_of(name)}


TOOLS = {
    "ruff format, narrow": ("ruff", "format", "--isolated", "--line-length=60", "--config=format.quote-style='single'"),
    "ruff isort": ("ruff", "check", "--isolated", "--select=I", "--fix", "--exit-zero", "--quiet"),
    "ruff isort, one a line": (
        *("ruff", "check", "--isolated", "--select=I", "--fix", "--exit-zero", "--quiet"),
        *("--config=lint.isort.force-single-line=true", "--config=lint.isort.force-sort-within-sections=true"),
    ),
    "black": ("black", "--quiet", "--fast", "--workers=1", "--config=/dev/null", "--line-length=70"),
}


LARGE = {"_pytest", "dulwich", "gatekeeper", "rich"}
"""Packages that a formatter in Python takes a while for; ten others are left."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "tool"), [(name, tool) for name in PACKAGES for tool in TOOLS if tool != "black" or name not in LARGE]
)
def test_a_round_trip_through_a_tool_does_not_matter(tmp_path: Path, name: str, tool: str) -> None:
    needs(TOOLS[tool][0])
    files = turned(name, tmp_path, *TOOLS[tool])
    assert tool != "ruff format, narrow" or files != files_of(name)
    assert [row_text(row) for row in surface(files)] == [row_text(row) for row in rows(name)]


def elsewhere(python: str, seed: str) -> dict[str, str]:
    """The digests of all packages as another process makes them."""
    places = {name: place for name in PACKAGES if (place := place_of(name)) is not None}
    command = [python, "-S", "-c", PRINT, str(SITE), json.dumps(places)]
    environment = {"PYTHONHASHSEED": seed}
    printed = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    found: dict[str, str] = json.loads(printed.stdout)
    return found


@cache
def digests() -> dict[str, str]:
    return {name: digest(rows(name)).tree for name in PACKAGES if place_of(name) is not None}


OTHERS = [python for python in os.environ.get("GATEKEEPER_TEST_PYTHONS", "").split(os.pathsep) if python]
"""Other interpreters, for what :mod:`tests.hostile.test_sources` says; here they need no packages."""


@pytest.mark.slow
@pytest.mark.parametrize("version", ["python3.11", "python3.12", "python3.13", "python3.14", *OTHERS])
def test_interpreters_agree(version: str) -> None:
    found = shutil.which(version)
    command = [found or "false", "-c", "import sys; print(sys.executable)"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        assert version not in OTHERS
        pytest.skip(f"no {version} here")
    assert elsewhere(done.stdout.strip(), "5") == digests()


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "4242"])
def test_the_hash_seed_does_not_matter(seed: str) -> None:
    assert elsewhere(sys.executable, seed) == digests()


def test_there_are_enough_packages_to_mean_something() -> None:
    assert len([name for name in PACKAGES if place_of(name) is not None]) >= 10
    assert sys.version_info >= (3, 11)
