"""Small trees that ask one question each of the walk, its options and its conftest.py files."""

from __future__ import annotations

from gatekeeper.source.files import Link
from tests.source.session.real import Case


def t(name: str) -> str:
    return f"def test_{name}(): pass\n"


A, B, C, D = t("a"), t("b"), t("c"), t("d")
DOC = '"""\n>>> 1\n1\n"""\n'


DOCUMENTED = """
class C:
    '>>> 2'
    def z(self):
        '>>> 3'
    def a(self):
        '>>> 4'
"""


SIBLING = """
import pytest
from sibling import more

@pytest.mark.parametrize("x", more)
def test_a(x): pass
"""
INHERITED = """
from .base import TestBase
from pkg.tests import base

class TestB(base.TestBase): pass
"""
IGNORES = "def pytest_ignore_collect(collection_path, config):\n    return "
MARKED = """
import pytest

slow, net = pytest.mark.slow, pytest.mark.net

@slow
def test_a(): pass

@pytest.mark.parametrize("x", ["p1", pytest.param("p2", marks=net), pytest.param("q", marks=[slow, net])])
def test_p(x): pass

@pytest.mark.at(level=2, name="y")
@pytest.mark.at(name="x")
def test_at(): pass

@pytest.mark.at(level="2")
def test_other(): pass

@slow
class TestX:
    def test_m(self): pass

    @net
    def test_n(self): pass

def test_level(): pass
test_level.reviewed = True
"""


def ini(text: str) -> str:
    return "[pytest]\n" + text + "\n"


LAYOUTS = {
    # Order, packages and names of files
    "files and directories": Case({"tests/b/test_1.py": A, "tests/test_a.py": B, "tests/test_c.py": C, "test_z.py": D}),
    "packages": Case(
        {
            "p/__init__.py": "",
            "p/test_b.py": A,
            "p/a/__init__.py": "",
            "p/a/test_a.py": B,
            "p/c/test_c.py": C,
            "p/z/__init__.py": t("z"),
            "a_test.py": D,
        }
    ),
    "__init__.py matches": Case(
        {"pytest.ini": ini("python_files = *.py"), "p/__init__.py": A, "p/A.py": B, "p/_b.py": C, "p/q/x.py": D}
    ),
    "python_files of a path": Case(
        {
            "pytest.ini": ini("python_files = tests/*/check_*.py"),
            "tests/x/check_a.py": A,
            "tests/check_b.py": B,
            "x/tests/y/z/check_c.py": C,
        }
    ),
    "python_files in a class": Case(
        {"pytest.ini": ini("python_files = t[0-9].py ?x.py"), "t1.py": A, "tx.py": B, "t11.py": C}
    ),
    "a file given": Case({"other.py": A, "test_b.py": B}, ["other.py"]),
    "a file given twice": Case({"test_b.py": B}, ["test_b.py", "test_b.py"]),
    "conftest matches": Case({"pytest.ini": ini("python_files = *.py"), "conftest.py": A}),
    "file in its directory": Case({"d/test_a.py": A, "d/test_b.py": B}, ["d/test_b.py", "d"]),
    "directory, then file": Case({"d/test_a.py": A, "d/test_b.py": B}, ["d", "d/test_b.py"]),
    "arguments in reverse": Case({"a/test_a.py": A, "b/test_b.py": B}, ["b", "a"]),
    "a dotted directory": Case({"t.d/test_a.py": A, "t.d/__init__.py": ""}),
    "cwd below": Case({"pytest.ini": "", "tests/test_a.py": A, "test_b.py": B}, (), "tests"),
    "argument above the cwd": Case({"pytest.ini": "", "tests/test_a.py": A, "x/test_b.py": B}, ["../x"], "tests"),
    # rootdir
    "ini in the argument": Case({"tests/pytest.ini": "", "tests/test_a.py": A, "tests/d/test_b.py": B}, ["tests"]),
    "rootdir elsewhere": Case({"pytest.ini": "", "tests/d/test_a.py": A, "other/x": ""}, ["--rootdir=other", "tests"]),
    "rootdir elsewhere, a file": Case(
        {"pytest.ini": "", "tests/d/test_a.py": A, "other/x": ""}, ["--rootdir=other", "tests/d/test_a.py"]
    ),
    # What is passed by
    "norecursedirs": Case(
        {
            f"{d}/test_{i}.py": t(str(i))
            for i, d in enumerate(
                ["build", "dist", "x.egg", ".h", "CVS", "node_modules", "venv", "_darcs", "{arch}", "ok"]
            )
        }
    ),
    "norecursedirs set": Case(
        {
            "pytest.ini": ini("norecursedirs = no* x/y"),
            "build/test_a.py": A,
            "nope/test_b.py": B,
            "z/x/y/test_c.py": C,
            "y/test_d.py": D,
        }
    ),
    "start in an ignored directory": Case(
        {"pytest.ini": "", "build/test_a.py": A, "build/build/test_b.py": B}, ["build"]
    ),
    "start below an ignored directory": Case(
        {"pytest.ini": "", "build/x/test_a.py": A, "build/test_b.py": B}, ["build/x", "build/test_b.py"]
    ),
    "ignored, and around it": Case(
        {"pytest.ini": "", "build/x/test_a.py": A, "build/test_b.py": B, "test_c.py": C}, [".", "build/x"]
    ),
    "__pycache__": Case({"__pycache__/test_a.py": A, "test_b.py": B}),
    "environments": Case(
        {
            "env/pyvenv.cfg": "",
            "env/test_a.py": A,
            "conda/conda-meta/history": "",
            "conda/test_b.py": B,
            "old/bin/activate": "",
            "old/test_c.py": C,
        }
    ),
    "environments collected": Case({"env/pyvenv.cfg": "", "env/test_a.py": A}, ["--collect-in-virtualenv"]),
    "collect_ignore": Case(
        {
            "conftest.py": "collect_ignore = ['test_a.py', 'd', 'e/test_c.py']",
            "test_a.py": A,
            "d/test_b.py": B,
            "e/test_c.py": C,
            "test_d.py": D,
        }
    ),
    "collect_ignore of the nearest": Case(
        {
            "conftest.py": "collect_ignore = ['e/test_c.py']",
            "e/conftest.py": "collect_ignore = ['test_x.py']",
            "e/test_c.py": C,
            "e/test_x.py": A,
        }
    ),
    "collect_ignore_glob": Case(
        {
            "conftest.py": "collect_ignore_glob = ['*_a.py', 'd/*']",
            "test_a.py": A,
            "x/test_a.py": B,
            "d/test_b.py": C,
            "d/e/test_e.py": D,
            "test_d.py": D,
        }
    ),
    "collect_ignore of a given file": Case(
        {"conftest.py": "collect_ignore = ['test_a.py']", "test_a.py": A}, ["test_a.py"]
    ),
    "--ignore": Case({"d/test_a.py": A, "e/test_b.py": B, "f/test_c.py": C}, ["--ignore=d", "--ignore", "e/test_b.py"]),
    "--ignore-glob": Case(
        {"d/test_a.py": A, "e/test_b.py": B, "f/test_c.py": C}, ["--ignore-glob=*/d/*", "--ignore-glob", "e*"]
    ),
    "--ignore of a cwd": Case({"pytest.ini": "", "t/d/test_a.py": A, "t/e/test_b.py": B}, ["--ignore=d"], "t"),
    "ignored in addopts": Case({"pytest.ini": ini("addopts = --ignore=d"), "d/test_a.py": A, "test_b.py": B}),
    # Links
    "link to a file": Case({"test_a.py": A, "test_b.py": Link(b"test_a.py")}),
    "link to a file, importlib": Case({"test_a.py": A, "test_b.py": Link(b"test_a.py")}, ["--import-mode=importlib"]),
    "link to a directory": Case({"d/test_a.py": A, "e": Link(b"d")}),
    "link out of a link": Case({"d/x/test_a.py": A, "e": Link(b"d/x/../x"), "f": Link(b"e")}),
    "loop": Case({"d/test_a.py": A, "d/loop": Link(b".")}),
    "loop of two": Case({"a/to": Link(b"../b"), "b/to": Link(b"../a"), "b/test_b.py": B}),
    "broken links": Case(
        {"test_a.py": A, "test_b.py": Link(b"none.py"), "x": Link(b"x"), "test_c.py": Link(b"test_c.py")}
    ),
    "link to a conftest": Case(
        {
            "c.py": "collect_ignore = ['test_b.py']",
            "d/conftest.py": Link(b"../c.py"),
            "d/test_b.py": B,
            "d/test_a.py": A,
        }
    ),
    # Names of modules
    "two of a name": Case({"a/test_x.py": A, "b/test_x.py": B, "c/test_y.py": C}),
    "two of a name, importlib": Case({"a/test_x.py": A, "b/test_x.py": B}, ["--import-mode=importlib"]),
    "two of a name, append": Case({"a/test_x.py": A, "b/test_x.py": B}, ["--import-mode=append"]),
    "two of a name, one in a package": Case({"a/test_x.py": A, "b/test_x.py": B, "b/__init__.py": ""}),
    "two packages of a name": Case(
        {"a/tests/test_x.py": A, "a/tests/__init__.py": "", "b/tests/test_y.py": B, "b/tests/__init__.py": ""}
    ),
    "two packages of a name, importlib": Case(
        {
            "a/tests/test_x.py": A,
            "a/tests/__init__.py": "",
            "b/tests/test_x.py": B,
            "b/tests/__init__.py": "",
            "b/tests/test_y.py": C,
        },
        ["--import-mode=importlib"],
    ),
    "top_is_a_package": Case(
        {"__init__.py": "", "test_x.py": A, "tests/test_x.py": B, "q/__init__.py": "", "q/test_x.py": C}
    ),
    "a module of the standard library": Case(
        {"pytest.ini": ini("python_files = json.py test_a.py"), "json.py": B, "test_a.py": A}
    ),
    # conftest.py
    "a broken conftest": Case({"conftest.py": "x(", "test_a.py": A}),
    "a broken conftest below": Case(
        {"d/conftest.py": "raise ValueError", "d/test_a.py": A, "d/e/test_c.py": C, "test_b.py": B}
    ),
    "a broken conftest, not loaded": Case(
        {"d/conftest.py": "raise ValueError", "d/test_a.py": A, "test_b.py": B}, ["--noconftest"]
    ),
    "a broken conftest above the cut": Case(
        {"conftest.py": "raise ValueError", "d/test_a.py": A, "d/pytest.ini": ""}, ["d"]
    ),
    "a broken conftest, cut": Case(
        {"conftest.py": "raise ValueError", "d/test_a.py": A, "pytest.ini": ""}, ["--confcutdir=d", "d"]
    ),
    "a broken test": Case({"test_a.py": "x(", "test_b.py": B}),
    "plugins of a conftest below": Case({"d/conftest.py": "pytest_plugins = []", "d/test_a.py": A, "test_b.py": B}),
    "plugins of a conftest below, loaded first": Case(
        {"tests/conftest.py": "pytest_plugins = []", "tests/test_a.py": A}
    ),
    "no Python": Case({"test_a.py": A, "test_x.txt": ">>> 1"}, ["-p", "no:python"]),
    "two conftests, append": Case(
        {"conftest.py": "", "b/conftest.py": "", "b/test_a.py": A, "test_b.py": B}, ["--import-mode=append"]
    ),
    # Options that select
    "-k": Case(
        {"test_a.py": A + B, "test_b.py": C, "d/test_d.py": D + "class TestX:\n    def test_m(self): pass\n"},
        ["-k", "test_b or X and not a"],
    ),
    "-k of a directory": Case(
        {"pytest.ini": "", "deep/test_a.py": A, "x/deep/test_c.py": C, "test_b.py": B}, ["-k", "DEEP"]
    ),
    "-k of a package": Case(
        {"pytest.ini": "", "deep/test_a.py": A, "deep/__init__.py": "", "test_b.py": B}, ["-k", "deep"]
    ),
    "-k empty": Case({"test_a.py": A}, ["-k", ""]),
    "-k malformed": Case({"test_a.py": A}, ["-k", "a or"]),
    "-k brackets": Case({"test_a.py": A + B}, ["-k", "(a)and(not(b))"]),
    "--deselect": Case(
        {"test_a.py": A + t("ab"), "test_b.py": B}, ["--deselect", "test_a.py::test_a", "--deselect=test_b"]
    ),
    "a node": Case({"test_a.py": A + B}, ["test_a.py::test_b"]),
    "two nodes": Case({"test_a.py": A + B}, ["test_a.py::test_b", "test_a.py::test_a"]),
    "a node of a class": Case(
        {"test_a.py": "class TestX:\n    def test_a(self): pass\n    def test_b(self): pass\n" + A},
        ["test_a.py::TestX"],
    ),
    "a node that is not there": Case({"test_a.py": A + B}, ["test_a.py::test_c", "test_a.py::test_a"]),
    "-m": Case({"test_a.py": MARKED}, ["-m", "slow and not net"]),
    "-m not": Case({"test_a.py": MARKED}, ["-m", "not slow"]),
    "-m of parameters": Case({"test_a.py": MARKED}, ["-m", "net"]),
    "-m of a module": Case(
        {"test_a.py": "import pytest\npytestmark = [pytest.mark.slow]\n" + A, "test_b.py": B}, ["-m", "slow"]
    ),
    "-m with arguments": Case({"test_a.py": MARKED}, ["-m", "at(level=2) or at(name='x')"]),
    "-m twice": Case({"pytest.ini": ini("addopts = -m slow"), "test_a.py": MARKED}, ["-m", "net"]),
    "-m and -k": Case({"test_a.py": MARKED}, ["-m", "slow", "-k", "not TestX"]),
    "-k of marks": Case({"test_a.py": MARKED}, ["-k", "SLOW or level"]),
    "-k of parameters": Case({"test_a.py": MARKED}, ["-k", "p1 or test_m"]),
    "-k with arguments": Case({"test_a.py": MARKED}, ["-k", "slow(x=1)"]),
    "--deselect of parameters": Case({"test_a.py": MARKED}, ["--deselect=test_a.py::test_p[p"]),
    "a node with parameters": Case({"test_a.py": MARKED}, ["test_a.py::test_p[p1]"]),
    "a node with parameters that is not there": Case({"test_a.py": MARKED}, ["test_a.py::test_p[p3]"]),
    "a node of a function": Case({"test_a.py": MARKED}, ["test_a.py::test_p"]),
    "a class and its method": Case({"test_a.py": MARKED}, ["test_a.py::TestX", "test_a.py::TestX::test_m"]),
    "a method and its class": Case({"test_a.py": MARKED}, ["test_a.py::TestX::test_m", "test_a.py::TestX"]),
    "a node and its file": Case({"test_a.py": MARKED, "test_b.py": B}, ["test_a.py::test_p", "test_a.py", "test_b.py"]),
    "a file and its node": Case({"test_a.py": MARKED, "test_b.py": B}, ["test_a.py", "test_a.py::test_p", "test_b.py"]),
    "duplicates kept": Case({"d/test_a.py": A, "d/test_b.py": B}, ["--keep-duplicates", "d", "d/test_a.py"]),
    # Hooks
    "files that a hook ignores": Case(
        {
            "conftest.py": IGNORES + "collection_path.name == 'test_a.py' or None\n",
            "test_a.py": A,
            "test_b.py": B,
            "build/test_c.py": C,
        }
    ),
    "a hook that answers always": Case(
        {
            "conftest.py": IGNORES + "collection_path.name == 'test_a.py'\n",
            "test_a.py": A,
            "build/test_c.py": C,
        }
    ),
    "a hook below": Case(
        {
            "d/conftest.py": IGNORES + "True\n",
            "d/test_a.py": A,
            "test_b.py": B,
        }
    ),
    "a plugin of the tree": Case(
        {
            "pytest.ini": ini("pythonpath = lib"),
            "conftest.py": "pytest_plugins = ['plug']\n",
            "lib/plug.py": IGNORES + "collection_path.suffix == '.py' and 'x' in collection_path.name\n",
            "test_x.py": A,
            "test_y.py": B,
        }
    ),
    "first-party imports": Case(
        {
            "pytest.ini": ini("pythonpath = . lib"),
            "lib/helper.py": "names = ['u', 'v']\n",
            "tests/sibling.py": "from helper import names\nmore = names + ['w']\n",
            "tests/test_a.py": SIBLING,
            "pkg/__init__.py": "",
            "pkg/tests/__init__.py": "",
            "pkg/tests/base.py": "class TestBase:\n    def test_b(self): pass\n",
            "pkg/tests/test_b.py": INHERITED,
        }
    ),
    # Doctests
    "a text": Case({"test_x.txt": "\n>>> 1\n1\n", "x.txt": ">>> 1\n1\n", "d/test_none.txt": "nothing", "test_a.py": A}),
    "a text given": Case({"x.rst": ">>> 1\n1\n", "y.txt": ">>> 1\n"}, ["x.rst", "y.txt"]),
    "--doctest-glob": Case(
        {"x.rst": ">>> 1\n1\n", "d/y.md": ">>> 1\n", "test_a.txt": ">>> 1\n"},
        ["--doctest-glob=*.rst", "--doctest-glob", "d/*.md"],
    ),
    "no doctests": Case({"test_x.txt": ">>> 1\n1\n", "test_a.py": A}, ["-p", "no:doctest"]),
    "a text of comments": Case({"test_x.txt": ">>> # nothing\n"}),
    "a text that is malformed": Case({"test_x.txt": ">>> 1\n  1\n>>>2\n"}),
    "--doctest-modules": Case(
        {
            "m.py": DOC + "def f():\n    '''>>> 1\n    1\n    '''\n" + DOCUMENTED,
            "p/__init__.py": DOC,
            "p/m.py": DOC,
            "q/m2.py": DOC,
            "test_a.py": DOC + A,
            "setup.py": DOC + "# setuptools\n",
            "d/setup.py": DOC,
            "d/__main__.py": DOC,
            "conftest.py": DOC,
            "e/none.py": "x = 1",
        },
        ["--doctest-modules"],
    ),
    "--doctest-modules, importlib": Case(
        {"m.py": DOC, "p/__init__.py": DOC, "p/m.py": DOC, "q/m2.py": DOC, "q/a.b.py": DOC},
        ["--doctest-modules", "--import-mode=importlib"],
    ),
    "doctests of __test__": Case(
        {"m.py": "def f():\n    '>>> 1'\ng = f\n__test__ = {'b': '>>> 1', 'a': 'nothing'}\n"}, ["--doctest-modules"]
    ),
    "doctests malformed": Case({"m.py": "def f():\n    '''>>>1'''\n", "n.py": DOC}, ["--doctest-modules"]),
    "doctests of a file given": Case({"m.py": DOC + A}, ["--doctest-modules", "m.py"]),
}
