"""What a push can break is found by looking at what it changed, and equals what looking at everything finds."""

from __future__ import annotations

import json
import random

import pytest

from gatekeeper.source.files import MemoryFiles
from gatekeeper.source.imports.closure import Closure, Tree, closure, read
from gatekeeper.source.imports.find import Finder
from gatekeeper.source.imports.resolve import Start, Unresolved, unresolved
from tests.imports.kit import summary
from tests.imports.random_trees import random_tree

EDITS = 120


class Sources:
    """A tree in memory that counts what is read of it."""

    def __init__(self, tree: dict[str, str]) -> None:
        files = MemoryFiles({path: text.encode() for path, text in tree.items()})
        self.read: list[str] = []

        def summary_of(path: str) -> dict[str, object] | None:
            self.read.append(path)
            data = files.read(path)
            return None if data is None else summary(data)

        self.tree = Tree(files.kind, lambda path: [item.name for item in files.list(path)], summary_of)


def starts_of(tree: dict[str, str]) -> list[Start]:
    return [Start(name, f"{name}.py") for name in ("t", "u") if f"{name}.py" in tree]


def whole(base: Closure, tree: dict[str, str]) -> list[Unresolved]:
    """The answer without anything kept."""
    sources = Sources(tree).tree
    find = Finder(sources.kind, [""], sources.names)
    found = unresolved(starts_of(tree), sources.summary_of, find, existed=base.names.__contains__)
    return [one for one in found if one.target not in base.missing]


def edited(draw: random.Random, tree: dict[str, str], other: dict[str, str]) -> dict[str, str]:
    """A tree with one or two edits of every kind."""
    result = dict(tree)
    for _ in range(draw.randrange(1, 3)):
        path = draw.choice(sorted(result))
        lines = result[path].splitlines(keepends=True)
        kind = draw.randrange(7)
        if kind == 0 and lines:
            del lines[draw.randrange(len(lines))]
            result[path] = "".join(lines)
        elif kind == 1:
            result[path] = "# a comment\n" + result[path]
        elif kind == 2:
            result[path] = other.get(path, "")
        elif kind == 3 and path != "t.py":
            del result[path]
        elif kind == 4:
            result[draw.choice(("pkg/nix.py", "pkg/a/__init__.py", "top/__init__.py", "pkg/sub/x.py"))] = "x = 1\n"
        elif kind == 5:
            result["notes/readme.txt"] = "nothing\n"
        else:
            result[path] = result[path] + f"{draw.choice('xyz')} = 2\n"
    return result


@pytest.mark.parametrize("soft", [False, True], ids=["plain", "dynamic"])
def test_random_edits(*, soft: bool) -> None:
    stood = broke = 0
    for seed in range(EDITS):
        draw = random.Random(seed)
        before = random_tree(draw, soft=soft)
        after = edited(draw, before, random_tree(draw, soft=soft))
        base = closure(starts_of(before), [""], Sources(before).tree)
        kept = read(json.loads(json.dumps(base.said())))
        assert kept == base
        changed = [path for path in {**before, **after} if before.get(path) != after.get(path)]
        found = base.broken(starts_of(after), changed, Sources(after).tree)
        assert found == whole(base, after), seed
        stood += base.stands(changed, Sources(after).tree)
        broke += bool(found)
    assert stood > EDITS // 10
    assert broke > EDITS // 40


BASE = {
    "t.py": "from pkg.a import f\n",
    "pkg/__init__.py": "from ._version import version\n",
    "pkg/a.py": "import numpy\ndef f():\n    return 1\n",
    "pkg/other.py": "x = 1\n",
}


@pytest.mark.parametrize(
    ("changes", "read"),
    [
        ({"pkg/other.py": "x = 2\n"}, []),
        ({"pkg/new.py": "def f(:\n", "docs/index.md": ""}, []),
        ({"pkg/a.py": "import numpy\n\n\ndef f(x=2):\n    return x\n"}, ["pkg/a.py"]),
    ],
    ids=["elsewhere", "added", "a body"],
)
def test_only_what_can_matter_is_read(changes: dict[str, str], read: list[str]) -> None:
    base = closure([Start("t", "t.py")], [""], Sources(BASE).tree)
    after = Sources(BASE | changes)
    assert base.broken([Start("t", "t.py")], list(changes), after.tree) == []
    assert after.read == read


def test_what_the_tree_never_had_is_not_missed() -> None:
    base = closure([Start("t", "t.py")], [""], Sources(BASE).tree)
    assert base.missing == {"pkg._version"}
    after = Sources(BASE | {"pkg/a.py": "from pkg._version import version\nfrom pkg.b import y\ndef f(): pass\n"})
    (one,) = base.broken([Start("t", "t.py")], ["pkg/a.py"], after.tree)
    assert (one.target, one.why) == ("pkg.b", "there is no module pkg.b")


def test_a_whole_package_that_goes() -> None:
    base = closure([Start("t", "t.py")], [""], Sources(BASE).tree)
    after = Sources({"t.py": BASE["t.py"]})
    (one,) = base.broken([Start("t", "t.py")], [path for path in BASE if path != "t.py"], after.tree)
    assert (one.target, one.why, one.starts) == ("pkg", "there is no module pkg any more", ("t.py",))
