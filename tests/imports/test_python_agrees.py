"""Random packages, and packages that people use: what is said of their imports against what Python does."""

from __future__ import annotations

import os
import random
import sys
import sysconfig
from typing import TYPE_CHECKING

import pytest

from gatekeeper.source.imports.find import Finder
from gatekeeper.source.imports.resolve import Start, unresolved
from gatekeeper.source.imports.summary import summarise_source
from tests.imports.kit import really, said, write
from tests.imports.random_trees import random_tree

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gatekeeper.source.imports.summary import Summary

SITE = sysconfig.get_paths()["purelib"]
CASES = int(os.environ.get("GATEKEEPER_IMPORT_CASES", "80"))
DELETIONS = int(os.environ.get("GATEKEEPER_IMPORT_DELETIONS", "12"))
PACKAGES = os.environ.get("GATEKEEPER_IMPORT_PACKAGES", "click pluggy _pytest").split()
"""Of what is installed; the variables make for longer runs."""


@pytest.mark.parametrize(("soft", "uses"), [(False, False), (True, False), (False, True)])
def test_random_packages(tmp_path: Path, *, soft: bool, uses: bool) -> None:
    trees = [random_tree(random.Random(seed), soft=soft, uses=uses) for seed in range(CASES)]
    roots = [(write(tree, tmp_path / str(place)), ["t"]) for place, tree in enumerate(trees)]
    missed = met = 0
    for seed, (tree, raised) in enumerate(zip(trees, really(roots), strict=True)):
        found = said(tree)
        assert not found or "t" in raised, (seed, found)
        kind, message = raised.get("t", ("", ""))
        if kind in {"ImportError", "ModuleNotFoundError"} and "circular" not in message:
            met += bool(found)
            missed += not found and "No module named 'top'" not in message and "unknown location" not in message
    assert met > CASES // 8
    # without anything dynamic, silence nearly means that it imports: a star over half a module may bring less than all
    assert missed <= met // (8 if soft else 50)


class Site:
    """The installed packages, read from the disk."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.find = Finder(self.kind, [""], self.names)
        self.summaries: dict[str, Summary | None] = {}

    def kind(self, path: str) -> str | None:
        full = os.path.join(self.root, path)
        return "directory" if os.path.isdir(full) else "file" if os.path.isfile(full) else None

    def names(self, path: str) -> Sequence[str]:
        full = os.path.join(self.root, path)
        return os.listdir(full) if os.path.isdir(full) else ()

    def summary_of(self, path: str) -> Summary | None:
        if path not in self.summaries:
            with open(os.path.join(self.root, path), "rb") as file:
                self.summaries[path] = summarise_source(file.read(), python=sys.version_info[:2])
        return self.summaries[path]

    def starts(self, package: str) -> list[Start]:
        found = []
        for directory, _, names in os.walk(os.path.join(self.root, package)):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(directory, name), self.root)
                dotted = path.removesuffix(".py").replace(os.sep, ".").removesuffix(".__init__")
                if name.endswith(".py") and name != "__main__.py" and self.find(dotted) == path:
                    found.append(Start(dotted, path))
        return found


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_is_missed_in_what_people_use(package: str) -> None:
    site = Site(SITE)
    starts = site.starts(package)
    assert starts
    assert unresolved(starts, site.summary_of, site.find) == []


def test_a_deleted_name_is_missed_by_whoever_imports_it(tmp_path: Path) -> None:
    site = Site(SITE)
    trees: list[dict[str, str]] = []
    for seed in range(DELETIONS):
        package = ("click", "pluggy", "iniconfig", "jsonschema")[seed % 4]
        trees.append(_with_deletion(random.Random(seed), site, package))
    cases = []
    for place, tree in enumerate(trees):
        start = f"import {min(tree).partition('/')[0]}\n"
        cases.append((write({**tree, "t.py": start}, tmp_path / str(place)), ["t"]))
    failed = agreed = 0
    for place, raised in enumerate(really_with_site(cases)):
        found = said({**trees[place], "t.py": f"import {min(trees[place]).partition('/')[0]}\n"})
        kind, message = raised.get("t", ("", ""))
        assert not found or kind in {"ImportError", "NameError", "AttributeError"}, (place, found, raised)
        failed += bool(kind)
        agreed += any(one.target.rpartition(".")[2] in message for one in found)
    # a name that only a function needs may be missed
    assert agreed > 0
    assert agreed >= 0.9 * failed


def really_with_site(cases: list[tuple[Path, list[str]]]) -> list[dict[str, list[str]]]:
    """As :func:`tests.imports.kit.really`, with what the packages need besides themselves."""
    return really(cases, site=SITE)


def _with_deletion(draw: random.Random, site: Site, package: str) -> dict[str, str]:
    """A package with one name renamed where it is defined at the top level."""
    tree = {}
    for start in site.starts(package):
        with open(os.path.join(site.root, start.path), encoding="utf-8") as file:
            tree[start.path] = file.read()
    path = draw.choice(sorted(tree))
    lines = tree[path].splitlines(keepends=True)
    places = [place for place, line in enumerate(lines) if line.startswith(("def ", "class "))]
    if places:
        place = draw.choice(places)
        word = lines[place].split(maxsplit=1)[0]
        lines[place] = lines[place].replace(f"{word} ", f"{word} renamed_", 1)
    tree[path] = "".join(lines)
    return tree
