"""Real packages, as installed beside the tests: what formatters and interpreters do must not move their digests."""

from __future__ import annotations

import ast
import json
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


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_interpreters_agree(version: str) -> None:
    found = shutil.which(f"python{version}")
    command = [found or "false", "-c", "import sys; print(sys.executable)"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no python{version} here")
    places = {name: place for name in PACKAGES if (place := place_of(name)) is not None}
    command = [done.stdout.strip(), "-S", "-c", PRINT, str(SITE), json.dumps(places)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "5"})
    assert json.loads(printed.stdout) == {name: digest(rows(name)).tree for name in places}


def test_there_are_enough_packages_to_mean_something() -> None:
    assert len([name for name in PACKAGES if place_of(name) is not None]) >= 10
    assert sys.version_info >= (3, 11)
