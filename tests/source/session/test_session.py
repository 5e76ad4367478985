from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gatekeeper.source.collection.items import Invocation
from gatekeeper.source.collection.session import Session, collect
from tests.source.session.layouts import LAYOUTS
from tests.source.session.real import ask, memory, pytests, varying, version_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.source.session.real import Case


def run(case: Case, version: tuple[int, int]) -> tuple[list[str], list[str]]:
    session = Session(memory(case.files), Invocation(case.cwd, tuple(case.args), pytest=version, addopts=case.addopts))
    collected = session.collect()
    return [name for found in collected.found for name in found.nodeids], [error.path for error in collected.errors]


@pytest.mark.parametrize("python", pytests())
def test_collects_what_pytest_collects(tmp_path: Path, python: str) -> None:
    version = version_of(python, tmp_path)
    cases = varying(LAYOUTS, version, run)
    real = ask(cases, tmp_path, python)
    ours = {name: run(case, version) for name, case in cases.items()}
    differ = {
        name: (found, errors, real[name].nodeids, real[name].errors, real[name].crashed)
        for name, (found, errors) in ours.items()
        if list(dict.fromkeys(found)) != real[name].collected
        or bool(errors) != bool(real[name].errors or real[name].code == 4)
    }
    assert differ == {}


def test_what_rewrites_a_collection_is_said_once_and_nothing_in_its_reach_is_static() -> None:
    files = {
        "conftest.py": "from elsewhere import *\n",
        "test_a.py": "def test_a(): pass\n",
        "test_b.py": "def test_b(): pass\n",
    }
    collected = collect(memory(files), Invocation())
    reason = "conftest.py imports everything of elsewhere, which is not in the tree"
    assert [(found.verdict, found.ids, found.reason) for found in collected.found] == [("not static", (), reason)] * 2
    assert [(trouble.path, trouble.reason) for trouble in collected.opaque] == [("test_a.py", reason)]


PLUGINS = {
    "unknown": (Invocation(args=("-p", "somebody")), {}, "plugin somebody cannot be read"),
    "unknown, installed": (Invocation(plugins=("pytest-somebody",)), {}, "plugin pytest-somebody cannot be read"),
    "unknown, required": (
        Invocation(),
        {"pytest.ini": "[pytest]\nrequired_plugins = x>1\n"},
        "plugin x cannot be read",
    ),
    "unknown, of a conftest": (
        Invocation(),
        {"conftest.py": "pytest_plugins = ['x.y']\n"},
        "plugin x.y cannot be read",
    ),
    "not a name": (
        Invocation(),
        {"conftest.py": "import os\npytest_plugins = os.environ['X']\n"},
        "plugin pytest_plugins of conftest.py cannot be read",
    ),
    "known": (Invocation(args=("-p", "xdist"), plugins=("pytest-cov",)), {}, ""),
    "pytest's own": (Invocation(), {"conftest.py": "pytest_plugins = 'pytester'\n"}, ""),
    "blocked": (Invocation(args=("-p", "no:mine")), {"conftest.py": "pytest_plugins = 'mine'\n"}, ""),
    "of the tree": (Invocation(args=("-p", "plug")), {"plug.py": "def pytest_runtest_setup(item): pass\n"}, ""),
    "of the tree, adding": (
        Invocation(args=("-p", "plug")),
        {"plug.py": "def pytest_collection_modifyitems(items): items.append(1)\n"},
        "pytest_collection_modifyitems in plug.py",
    ),
    "of the tree, by an entry point": (
        Invocation(),
        {
            "pyproject.toml": "[project.entry-points.pytest11]\nmine = 'pkg.plug'\n",
            "src/pkg/__init__.py": "",
            "src/pkg/plug.py": "def pytest_collect_file(file_path, parent): return Mine(parent)\n",
        },
        "pytest_collect_file in src/pkg/plug.py",
    ),
    "multiplying": (Invocation(args=("--count=3",)), {}, "plugin pytest-repeat (--count) cannot be read"),
}


@pytest.mark.parametrize(("how", "files", "reason"), PLUGINS.values(), ids=PLUGINS)
def test_plugins_that_cannot_be_read_leave_nothing_static(how: Invocation, files: dict[str, str], reason: str) -> None:
    (found,) = collect(memory({"test_a.py": "def test_a(): pass\n", **files}), how).found
    assert (found.verdict, found.reason) == (("not static", reason) if reason else ("exact", ""))


CONDITIONS = {
    "a conftest imports": ({"conftest.py": "import elsewhere\n"}, ("import elsewhere",)),
    "a hook may drop": (
        {"d/conftest.py": "def pytest_collection_modifyitems(items): items[:] = items[1:]\n"},
        ("pytest_collection_modifyitems in d/conftest.py",),
    ),
    "a hook may ignore": (
        {"conftest.py": "def pytest_ignore_collect(collection_path, config): return config.getoption('x')\n"},
        ("pytest_ignore_collect in conftest.py",),
    ),
    "a hook does not ignore": (
        {"conftest.py": "def pytest_ignore_collect(collection_path): return collection_path.name == 'x'\n"},
        (),
    ),
    "ignored by the environment": (
        {"conftest.py": "import os\ncollect_ignore = os.environ['X'].split()\n"},
        ("collect_ignore of conftest.py",),
    ),
    "ignored by what is installed, another file": (
        {"conftest.py": "collect_ignore = []\ntry: import x\nexcept ImportError: collect_ignore += ['test_b.py']\n"},
        (),
    ),
    "ignored by what is installed": (
        {"conftest.py": "collect_ignore = []\ntry: import x\nexcept ImportError: collect_ignore += ['test_a.py']\n"},
        ("collect_ignore of conftest.py",),
    ),
    "a mark that nobody registers": (
        {"pytest.ini": "[pytest]\naddopts = --strict-markers\n", "test_a.py": "import pytest\n@pytest.mark.odd\n"},
        ("mark odd is registered",),
    ),
    "a mark that is registered": (
        {
            "pytest.ini": "[pytest]\naddopts = --strict-markers\nmarkers =\n    odd(x): what\n",
            "test_a.py": "import pytest\n@pytest.mark.odd\n",
        },
        (),
    ),
}


@pytest.mark.parametrize(("files", "conditions"), CONDITIONS.values(), ids=CONDITIONS)
def test_what_presence_depends_on_is_said(files: dict[str, str], conditions: tuple[str, ...]) -> None:
    files = {**files, "test_a.py": files.get("test_a.py", "") + "def test_a(): pass\n"}
    (found,) = collect(memory(files), Invocation()).found
    assert (found.verdict, found.conditions) == ("exact", conditions)
