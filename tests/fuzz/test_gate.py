"""The whole judgement over random histories: it always ends in a verdict, and what passes keeps what it must.

The oracle knows nothing of zones, projections or merge bases: it lists files and ancestors by plain recursion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from gatekeeper.errors import GatekeeperError
from gatekeeper.git.reader import Objects
from gatekeeper.model import EXECUTABLE, FILE, GITLINK, SYMLINK, TREE, RefUpdate
from gatekeeper.render.json_v1 import render_json
from gatekeeper.render.text import render_text
from tests.fuzz.effort import effort
from tests.judging.world import World

if TYPE_CHECKING:
    from gatekeeper.model import Oid
    from tests.adapters.memory import MemoryStore
    from tests.judging.world import Content

JUDGES = (
    b"tests/",
    b"contracts/",
    b"src/conftest.py",
    b"src/.gitattributes",
    b"src/test_",
    b"pyproject.toml",
    b"src/tests",
)
NAMES = [
    b"src",
    b"tests",
    b"Tests",
    b"contracts",
    b"a.py",
    b"b.py",
    b"conftest.py",
    b".gitattributes",
    b"pytest.ini",
    b"test_x.py",
]
NAMES += [b"x", b"te\xe2\x80\x8csts", b"tests.", b".git", b"a\nb", b"\xff", b"README.md", b"test_a:b.py", b"c.so"]
FILES = ["src/encoder.py", "src/new.py", "src/pkg/deep.py", "tests/test_encoder.py", "tests/new.py", "src/conftest.py"]
FILES += [
    "contracts/properties.toml",
    "src/test_new.py",
    "README.md",
    "src/link",
    "src/.gitattributes",
    "pyproject.toml",
]
CONTENTS: list[Content] = [b"", b"1\n", b"def test_encode():\n    assert True\n", (EXECUTABLE, b"1\n")]
CONTENTS += [(SYMLINK, b"../tests"), (GITLINK, b"\x07" * 20)]
Table = dict[bytes, tuple[int, bytes]]


class Scene(NamedTuple):
    """A world and the pool of commits in it; the last one is pushed."""

    world: World
    commits: list[bytes]


@st.composite
def trees(draw: st.DrawFn, store: MemoryStore, depth: int = 2) -> Oid:
    """Any tree: unsorted, doubled, odd modes, blobs for trees, and what is not there."""
    rows = []
    for name in draw(st.lists(st.sampled_from(NAMES), max_size=4)):
        kind = draw(st.sampled_from(["file", "file", "tree", "link", "odd", "gone"]))
        if kind == "tree" and depth:
            rows.append((TREE, name, draw(trees(store, depth - 1))))
        elif kind == "link":
            rows.append((draw(st.sampled_from([SYMLINK, GITLINK])), name, store.put("blob", b"link")))
        elif kind == "odd":
            rows.append((draw(st.sampled_from([0o100664, TREE, 0o1])), name, store.put("blob", b"odd")))
        elif kind == "gone":
            rows.append((draw(st.sampled_from([FILE, TREE])), name, b"\x0f" * 20))
        else:
            rows.append((FILE, name, store.put("blob", draw(st.sampled_from([b"", b"x\n"])))))
    if draw(st.sampled_from([True, True, False])):
        unique = {name: (mode, name, oid) for mode, name, oid in rows}
        rows = sorted(unique.values(), key=lambda row: row[1] + b"/" * (row[0] == TREE))
    return store.tree(rows)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    world = World()
    pool, flat = [world.base], [world.base]
    for _ in range(draw(st.integers(1, 6))):
        parents = draw(st.lists(st.sampled_from(pool), min_size=0, max_size=3, unique=True))
        if draw(st.sampled_from([True, True, True, False])) and (parents and parents[0] in flat):
            changes = {
                path: draw(st.sampled_from(CONTENTS))
                for path in draw(st.lists(st.sampled_from(FILES), max_size=2, unique=True))
            }
            pool.append(world.commit(changes, parents))
            flat.append(pool[-1])
        else:
            date = draw(st.sampled_from([0, 1, 1_700_000_000, 1 << 40]))
            pool.append(world.store.commit(draw(trees(world.store)), parents, date))
        if draw(st.sampled_from([False, False, True])):
            world.trust(draw(st.sampled_from(flat)))
    return Scene(world, pool)


def listed(store: MemoryStore, tree: Oid, prefix: bytes = b"") -> Table:
    """Every file below a tree."""
    found: Table = {}
    for entry in Objects(store).tree(tree):
        path = prefix + entry.name
        found.update(listed(store, entry.oid, path + b"/") if entry.mode == TREE else {path: (entry.mode, entry.oid)})
    return found


def judging(table: Table) -> Table:
    return {path: row for path, row in table.items() if path.startswith(JUDGES)}


def reached(objects: Objects, oid: Oid) -> set[Oid]:
    """A commit and its ancestors, as far as they are there."""
    seen: set[Oid] = set()
    waiting = [oid]
    while waiting:
        at = waiting.pop()
        if at not in seen:
            seen.add(at)
            waiting.extend(objects.commit(at).parents)
    return seen


def must_deserve_its_pass(world: World, head: Oid) -> None:
    store = world.store
    objects = Objects(store)
    tip = store.refs[b"refs/heads/main"]
    trusted, pushed = (listed(store, objects.commit(oid).tree) for oid in (tip, head))
    assert judging(pushed) == judging(trusted)
    changed = {path for path in trusted.keys() | pushed.keys() if trusted.get(path) != pushed.get(path)}
    assert not any(pushed.get(path, (0,))[0] in {SYMLINK, GITLINK} for path in changed)
    old = reached(objects, tip)
    try:
        known = [judging(listed(store, objects.commit(oid).tree)) for oid in old]
    except GatekeeperError:
        return  # the server's own history cannot be read: what is equal to it need not be
    for oid in reached(objects, head) - old:
        commit = objects.commit(oid)
        own = judging(listed(store, commit.tree))
        parents = [judging(listed(store, objects.commit(parent).tree)) for parent in commit.parents]
        assert own in parents or own in known, "a commit on the way writes what judges it"


@effort(250)
@given(scenes(), st.sampled_from([b"refs/heads/agent/x", b"refs/heads/main", b"refs/tags/v1"]))
def test_an_agent_s_push(scene: Scene, ref: bytes) -> None:
    world, head = scene.world, scene.commits[-1]
    card = world.push([RefUpdate(ref, None, head)])
    assert card.exit in {0, 1, 2, 3}
    assert render_text(card)
    assert render_json(card)
    assert not any(finding.code == "GK001" for verdict in card.verdicts for finding in verdict.findings)
    if card.exit == 0:
        assert ref == b"refs/heads/agent/x"
        must_deserve_its_pass(world, head)


@effort(150)
@given(scenes())
def test_a_person_s_push(scene: Scene) -> None:
    """Nothing but a verdict either; what passes has no name that forges a line and no object that has two readings."""
    world, head = scene.world, scene.commits[-1]
    for ref in (b"refs/heads/main", b"refs/heads/topic", b"refs/tags/v1"):
        card = world.push([RefUpdate(ref, None, head)], actor="alice")
        assert card.exit in {0, 1, 3}
        assert not any(finding.code == "GK001" for verdict in card.verdicts for finding in verdict.findings)
        if card.exit == 0 and head not in reached(Objects(world.store), world.store.refs[b"refs/heads/main"]):
            table = listed(world.store, Objects(world.store).commit(head).tree)
            assert not any(b"\n" in path or b".git" in path.split(b"/") for path in table)


@effort(100)
@given(scenes(), st.permutations(range(3)))
def test_many_refs_are_as_bad_as_the_worst(scene: Scene, order: list[int]) -> None:
    world = scene.world
    heads = [scene.commits[number % len(scene.commits)] for number in range(3)]
    updates = [RefUpdate(b"refs/heads/agent/%d" % number, None, head) for number, head in enumerate(heads)]
    whole = world.push([updates[number] for number in order])
    alone = [world.push([update]).exit for update in updates]
    rank = {0: 0, 1: 1, 3: 2, 2: 3}
    assert whole.exit == max(alone, key=rank.__getitem__)
    try:
        passed = [head for head, code in zip(heads, alone, strict=True) if code == 0]
        for head in passed:
            must_deserve_its_pass(world, head)
    except GatekeeperError as fault:
        raise AssertionError("a passed history cannot be read") from fault
