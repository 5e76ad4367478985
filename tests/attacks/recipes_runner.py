"""The P rows that a path, a name or a mode decides: what configures the test run, or acts merely by being there.

P14 is not here: a Hypothesis profile in a source file is decided by reading that file.
"""

from __future__ import annotations

from tests.attacks.catalogue import Attempt, Bench, attack, one_path, rows
from tests.attacks.workshop import link, script

FORCE_PASS = b"def pytest_runtest_makereport(item, call):\n    call.excinfo = None\n"
ENTRY_POINT = b"[pytest11]\nevil = src.evil\n"
PYPROJECT = b'[project]\nname = "encoder"\nversion = "1.0"\n\n[tool.pytest.ini_options]\n'


@attack("P05", codes={"GK109"}, title="addopts loads a plugin out of src/")
def p05(bench: Bench) -> Attempt:
    return bench.offer({b"pyproject.toml": PYPROJECT + b'addopts = "-p src.evil"\n', b"src/evil.py": FORCE_PASS})


@attack("P06", codes={"GK109"}, title="a committed distribution registers a plugin without being installed")
def p06(bench: Bench) -> Attempt:
    metadata = b"Metadata-Version: 2.1\nName: evil\nVersion: 1\n"
    return bench.offer({b"evil.dist-info/METADATA": metadata, b"evil.dist-info/entry_points.txt": ENTRY_POINT})


@attack("P11", codes={"GK109"}, title="PYTEST_ADDOPTS set by tox and the Makefile")
def p11(bench: Bench) -> Attempt:
    tox = b"[testenv]\nsetenv = PYTEST_ADDOPTS=--co\n"
    return bench.offer({b"tox.ini": tox, b"Makefile": b"export PYTEST_ADDOPTS=--co\ntest:\n\tpython -m pytest\n"})


@attack("P15", codes={"GK109"}, title="example database and coverage configuration committed")
def p15(bench: Bench) -> Attempt:
    return bench.offer(
        {b".hypothesis/examples/0": b"\0", b".coveragerc": b"[run]\nomit = src/*\n", b".coverage": b"SQLite"}
    )


@attack("P20", codes={"GK109"}, title="src/sitecustomize.py, and CI puts src on the path")
def p20(bench: Bench) -> Attempt:
    return bench.offer(
        {b"src/sitecustomize.py": b"import os\n", b".github/workflows/ci.yml": b"env:\n  PYTHONPATH: src\n"}
    )


@attack("P04.link", codes={"GK109"}, title="setup.cfg as a link into src/")
def setup_cfg_link(bench: Bench) -> Attempt:
    return bench.offer({b"setup.cfg": link(b"src/options.cfg"), b"src/options.cfg": b"[tool:pytest]\naddopts = --co\n"})


@attack("P01.mode", codes={"GK109"}, title="nothing but the mode of a conftest.py changes")
def conftest_mode(bench: Bench) -> Attempt:
    return bench.offer({b"tests/conftest.py": script(b"import sys\n")})


@attack("P01.gone", codes={"GK109"}, title="tests/conftest.py is deleted")
def conftest_gone(bench: Bench) -> Attempt:
    return bench.offer({b"tests/conftest.py": None})


@attack("P17.gone", codes={"GK101"}, title="a test inside the package is deleted")
def inline_gone(bench: Bench) -> Attempt:
    return bench.offer({b"src/pkg/test_inline.py": None})


@attack("P17.dir", codes={"GK101"}, title="a test file becomes a directory of the same name")
def test_to_directory(bench: Bench) -> Attempt:
    return bench.offer({b"src/pkg/test_inline.py/__init__.py": b""})


@attack("P17.fixture", codes={"GK106"}, title="a fixture becomes executable")
def fixture_mode(bench: Bench) -> Attempt:
    return bench.offer({b"tests/fixtures/golden.json": script(b'["a", 1]\n')})


@attack("P17.plain", codes={"GK106"}, title="a helper of the tests loses its executable bit")
def helper_mode(bench: Bench) -> Attempt:
    return bench.offer({b"tests/helper.sh": b"exit 0\n"})


@attack("P17.emptied", codes={"GK101"}, title="a test keeps its name and loses its content")
def test_emptied(bench: Bench) -> Attempt:
    return bench.offer({b"tests/test_encoder.py": b""})


@attack("P17.blob", codes={"GK101", "GK109"}, title="tests/ becomes a plain file")
def tests_as_file(bench: Bench) -> Attempt:
    return bench.offer({b"tests": b"nothing to see\n"})


NEW_FILES = tuple(
    one_path(row, code, path)
    for row, code, path in (
        ("P01", "GK109", b"conftest.py"),
        ("P02", "GK109", b"src/conftest.py"),
        ("P03", "GK109", b"src/pkg/deep/er/conftest.py"),
        ("P04", "GK109", b"pytest.ini"),
        ("P04.dot", "GK109", b".pytest.ini"),
        ("P04.toml", "GK109", b"pytest.toml"),
        ("P04.dottoml", "GK109", b".pytest.toml"),
        ("P04.setup", "GK109", b"setup.cfg"),
        ("P04.dir", "GK109", b"pytest.ini/x"),
        ("P04.deep", "GK109", b"src/pkg/pytest.ini"),
        ("P04.setuppy", "GK109", b"setup.py"),
        ("P04.nox", "GK109", b"noxfile.py"),
        ("P06.egg", "GK109", b"evil.egg-info/entry_points.txt"),
        ("P06.src", "GK109", b"src/evil.egg-info/entry_points.txt"),
        ("P06.link", "GK109", b"src/evil.egg-link"),
        ("P07", "GK109", b"sitecustomize.py"),
        ("P07.user", "GK109", b"usercustomize.py"),
        ("P07.package", "GK109", b"src/sitecustomize/__init__.py"),
        ("P07.pth", "GK109", b"src/evil.pth"),
        ("P07.venv", "GK109", b"src/pyvenv.cfg"),
        ("P08", "GK103", b"pytest.py"),
        ("P08.package", "GK103", b"_pytest/__init__.py"),
        ("P09", "GK103", b"hypothesis/__init__.py"),
        ("P10", "GK103", b"random.py"),
        ("P11.make", "GK109", b"GNUmakefile"),
        ("P11.lower", "GK109", b"makefile"),
        ("P11.env", "GK109", b".env"),
        ("P17.new", "GK101", b"src/pkg/test_new.py"),
        ("P17.suffix", "GK101", b"src/pkg/core_test.py"),
        ("P17.tests", "GK101", b"src/pkg/tests.py"),
        ("P17.tree", "GK101", b"src/pkg/deep/tests/helper.py"),
        ("P17.name", "GK101", b"src/pkg/deep/tests"),
        ("P17.test", "GK101", b"src/test/__init__.py"),
        ("P17.init", "GK101", b"tests/__init__.py"),
        ("P20.user", "GK109", b"src/usercustomize.py"),
        # compiled and packed files run without being read, wherever they lie
        ("S13", "GK103", b"src/__pycache__/encoder.cpython-311.pyc"),
        ("S32", "GK103", b"src/encoder.pyc"),
        ("S32.native", "GK103", b"src/encoder.cpython-311-x86_64-linux-gnu.so"),
        ("S32.windows", "GK103", b"src/encoder.pyd"),
        ("S32.zip", "GK103", b"src/encoder.zip"),
        ("S32.wheel", "GK103", b"src/encoder-1.0-py3-none-any.whl"),
        ("S32.twin", "GK103", b"src/encoder.PYC."),
        ("S32.conftest", "GK103", b"src/conftest.pyc"),
        ("S32.site", "GK103", b"src/sitecustomize.pyc"),
    )
)


@attack("P11b", codes={"GK109"}, title="make test is edited")
def p11b(bench: Bench) -> Attempt:
    return bench.offer({b"Makefile": b"test:\n\tpython -m pytest || true\n"})


@attack("P17", codes={"GK101"}, title="a test inside the package is edited")
def p17(bench: Bench) -> Attempt:
    return bench.offer({b"src/pkg/tests/test_core.py": b"def test_core():\n    assert True\n"})


@attack("P18", codes={"GK109"}, title="pyproject.toml registers a plugin and moves testpaths")
def p18(bench: Bench) -> Attempt:
    plugin = b'testpaths = ["src/samples"]\n\n[project.entry-points.pytest11]\nevil = "src.evil"\n'
    return bench.offer({b"pyproject.toml": PYPROJECT + plugin})


ATTACKS = (*rows(vars()), *NEW_FILES)
