from __future__ import annotations

import ast

import pytest

from gatekeeper.source.collection.sessionhooks import effects
from gatekeeper.source.evaluate.values import Binding, Function, Module


def module(source: str) -> Module:
    tree = ast.parse(source)
    made = Module("conftest", "tests/conftest.py", tree)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            made.namespace[node.name] = Binding(Function(node, made, node.name))
    return made


KEEPS = {
    "marks": "for item in items:\n  if 'slow' in item.keywords:\n    item.add_marker(pytest.mark.skip(reason='x'))",
    "sorts": "items.sort(key=lambda item: item.name)",
    "reverses": "items[:] = items[::-1]",
    "orders": "items[:] = sorted(items, key=key)",
    "shuffles": "random.shuffle(items)",
    "counts": "print(len(items), [item.nodeid for item in items])",
    "returns": "return",
    "asks a function": "for item in items:\n  if wanted(item): item.add_marker('x')",
    "wants a fixture": "for item in items:\n  item.fixturenames.append('x')",
    "groups": "groups = {}\nfor i, item in enumerate(items):\n  groups.setdefault(item.parent, []).append(item)",
}
REMOVES = {
    "selects": "items[:] = [item for item in items if item.get_closest_marker('x')]",
    "deselects": "config.hook.pytest_deselected(items=dropped)",
    "takes one": "items.remove(items[0])",
    "pops": "items.pop()",
    "clears": "items.clear()",
    "deletes": "del items[3:]",
    "hands them on": "drop(items)",
    "hands them out of the tree": "library.change(items)",
    "hands one out of the tree": "for item in items:\n  library.change(item)",
    "under another name": "tests = items\ntests[:] = []",
}
REWRITES = {
    "renames": "for item in items:\n  item._nodeid = item.nodeid + '[x]'",
    "renames by setattr": "for item in items:\n  setattr(item, '_nodeid', 'x')",
    "renames by a computed setattr": "for item in items:\n  setattr(item, attribute, 'x')",
    "adds": "items.append(made)",
    "adds more": "items += made",
    "inserts": "items.insert(0, made)",
}
HELPERS = (
    "def wanted(item):\n  return item.get_closest_marker('slow')\n\ndef drop(all_of_them):\n  all_of_them[:] = []\n\n"
)


def judged(body: str) -> list[str]:
    lines = "\n".join(f"  {line}" for line in body.split("\n"))
    source = f"{HELPERS}def pytest_collection_modifyitems(session, config, items):\n{lines}\n"
    return [effect.kind for effect in effects(module(source))]


@pytest.mark.parametrize("body", KEEPS.values(), ids=KEEPS)
def test_keeps(body: str) -> None:
    assert judged(body) == []


@pytest.mark.parametrize("body", REMOVES.values(), ids=REMOVES)
def test_removes(body: str) -> None:
    assert judged(body) == ["removes"]


@pytest.mark.parametrize("body", REWRITES.values(), ids=REWRITES)
def test_rewrites(body: str) -> None:
    assert judged(body) == ["rewrites"]


OTHERS = {
    "a collector": ("def pytest_collect_file(file_path, parent):\n  return Mine.from_parent(parent)\n", ["rewrites"]),
    "a collector that only looks": ("def pytest_collect_file(file_path):\n  print(file_path)\n", []),
    "a module of one's own": ("def pytest_pycollect_makemodule(module_path):\n  return x\n", ["rewrites"]),
    "a collection of one's own": (
        "def pytest_collection(session):\n  session.items = []\n  return True\n",
        ["rewrites"],
    ),
    "a collection that is watched": ("def pytest_collection():\n  gc.disable()\n", []),
    "options changed": ("def pytest_configure(config):\n  config.option.markexpr = 'fast'\n", ["rewrites"]),
    "settings added": (
        "def pytest_configure(config):\n  config.addinivalue_line('python_files', 'x.py')\n",
        ["rewrites"],
    ),
    "marks added": ("def pytest_configure(config):\n  config.addinivalue_line('markers', 'slow: x')\n", []),
    "a method of a plugin": (
        "class P:\n  def pytest_collection_modifyitems(self, items):\n    items.clear()\n",
        ["removes"],
    ),
    "another name": (
        "@pytest.hookimpl(specname='pytest_collection_modifyitems')\ndef mine(items):\n  items.clear()\n",
        ["removes"],
    ),
    "what exec is given": ("exec(open('x').read())\n", ["rewrites"]),
    "hooks that run tests": ("def pytest_runtest_setup(item):\n  pass\n", []),
}


@pytest.mark.parametrize(("source", "kinds"), OTHERS.values(), ids=OTHERS)
def test_other_hooks(source: str, kinds: list[str]) -> None:
    assert [effect.kind for effect in effects(module(source))] == kinds


def test_everything_of_a_library_may_bring_hooks() -> None:
    made = module("from library import *\n")
    made.wildcards = ("library",)
    assert [effect.kind for effect in effects(made)] == ["rewrites"]
