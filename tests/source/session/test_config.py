from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gatekeeper.source.collection.arguments import arguments
from gatekeeper.source.collection.config import Refused, read_config
from gatekeeper.source.collection.config.options import parse
from gatekeeper.source.collection.items import Invocation
from gatekeeper.source.collection.tree import Tree
from tests.source.session.real import Case, ask, memory, pytests, varying, version_of

if TYPE_CHECKING:
    from pathlib import Path

TEST = {"tests/test_a.py": "def test_a(): pass\n", "tests/deep/test_b.py": "def test_b(): pass\n"}
INI, NATIVE = "[tool.pytest.ini_options]\n", "[tool.pytest]\n"

CASES = {
    "nothing": Case(TEST),
    "nothing, an argument": Case(TEST, ["tests/deep"]),
    "two arguments": Case(TEST, ["tests/deep", "tests/test_a.py"]),
    "setup.py": Case({**TEST, "setup.py": ""}, ["tests/deep"], "tests"[:0]),
    "setup.py below": Case({**TEST, "tests/setup.py": ""}, ["tests/deep"]),
    "empty pytest.ini": Case({**TEST, "pytest.ini": "", "pyproject.toml": INI}),
    "empty .pytest.ini": Case({**TEST, ".pytest.ini": "", "pyproject.toml": INI}),
    "empty pytest.toml": Case({**TEST, "pytest.toml": "", "pytest.ini": ""}),
    "all seven": Case({**TEST, "pytest.toml": "[pytest]\n", ".pytest.toml": "", "pytest.ini": "", ".pytest.ini": "",
                       "pyproject.toml": INI, "tox.ini": "[pytest]\n", "setup.cfg": "[tool:pytest]\n"}),
    "tox.ini without section": Case({**TEST, "tox.ini": "[tox]\n", "setup.cfg": "[tool:pytest]\n"}),
    "tox.ini": Case({**TEST, "tox.ini": "[pytest]\n", "setup.cfg": "[tool:pytest]\n"}),
    "setup.cfg refused": Case({**TEST, "setup.cfg": "[pytest]\n"}),
    "setup.cfg not reached": Case({**TEST, "setup.cfg": "[pytest]\n", "tox.ini": "[pytest]\n"}),
    "pyproject without table": Case({**TEST, "pyproject.toml": "[project]\nname='x'\n"}, ["tests"]),
    "pyproject without table, ini above": Case(
        {"a/pyproject.toml": "", "pytest.ini": "", "a/test_a.py": "def test_a(): pass\n"}, ["a"]
    ),
    "native table": Case({**TEST, "pyproject.toml": NATIVE + "testpaths = ['tests/deep']\n"}),
    "empty native table": Case({**TEST, "pyproject.toml": NATIVE, "tox.ini": "[pytest]\n"}),
    "both tables": Case({**TEST, "pyproject.toml": NATIVE + "addopts = []\n" + INI + "addopts = ''\n"}),
    "native table, text for a list": Case({**TEST, "pyproject.toml": NATIVE + "addopts = '-q'\n"}),
    "native table, text for a flag": Case({**TEST, "pyproject.toml": NATIVE + "strict = 'yes'\n"}),
    "a flag that is none": Case({**TEST, "pytest.ini": "[pytest]\nxfail_strict = maybe\n"}),
    "not TOML": Case({**TEST, "pyproject.toml": "x"}),
    "not INI": Case({**TEST, "pytest.ini": "x"}),
    "tool.pytest is no table": Case({**TEST, "pyproject.toml": "[tool]\npytest = 1\n"}),
    "ini below the arguments": Case({**TEST, "tests/pytest.ini": ""}, ["tests"]),
    "ini below the arguments, not given": Case({**TEST, "tests/pytest.ini": ""}),
    "ini of one of two": Case({**TEST, "tests/deep/pytest.ini": ""}, ["tests/deep", "tests/test_a.py"]),
    "cwd": Case({**TEST, "pytest.ini": ""}, (), "tests"),
    "cwd, argument above": Case({**TEST, "pytest.ini": ""}, ["../test_a.py"], "tests/deep"),
    "-c": Case({**TEST, "ci/ours.ini": "[pytest]\naddopts = -k test_b\n"}, ["-c", "ci/ours.ini", "tests"]),
    "-c of nothing": Case(TEST, ["-c", "ci/ours.ini", "tests"]),
    "-c toml": Case({**TEST, "ci/x.toml": INI + "addopts = '-k test_b'\n"}, ["-c", "ci/x.toml", "tests"]),
    "--rootdir": Case({**TEST, "pytest.ini": ""}, ["--rootdir=tests", "tests"]),
    "--rootdir of nothing": Case({**TEST, "pytest.ini": ""}, ["--rootdir=none", "tests"]),
    "-c and --rootdir in addopts": Case({**TEST, "pytest.ini": "[pytest]\naddopts = --rootdir=tests -c x.ini\n"}),
    "addopts by shlex": Case({**TEST, "pytest.ini": "[pytest]\naddopts = -k 'not test_a'\n    -q\n"}),
    "addopts by a list": Case({**TEST, "pyproject.toml": INI + "addopts = ['-k', 'not test_a']\n"}),
    "addopts, then the command line": Case({**TEST, "pytest.ini": "[pytest]\naddopts = -k test_a\n"}, ["-k", "test_b"]),
    "the environment, then addopts": Case(
        {**TEST, "pytest.ini": "[pytest]\naddopts = -k test_a\n"}, (), "", "-k test_b"
    ),
    "an argument in addopts": Case({**TEST, "pytest.ini": "[pytest]\naddopts = tests/deep\ntestpaths = tests\n"}),
    "an argument in the environment": Case({**TEST, "tests/pytest.ini": ""}, (), "", "tests"),
    "-o on the command line": Case({**TEST, "pytest.ini": "[pytest]\naddopts = -q\n"}, ["-o", "addopts=-k test_b"]),
    "-o in addopts": Case({**TEST, "pytest.ini": "[pytest]\naddopts = -o python_functions=other\n"}),
    "-o without value": Case(TEST, ["-o", "addopts"]),
    "testpaths": Case({**TEST, "pytest.ini": "[pytest]\ntestpaths = tests/deep\n"}),
    "testpaths of a glob": Case(
        {**TEST, "pytest.ini": "[pytest]\ntestpaths = t*/d*\n", ".t/d/test_x.py": "def test_x(): pass"}
    ),
    "testpaths of a deep glob": Case({**TEST, "pytest.ini": "[pytest]\ntestpaths = **/deep\n"}),
    "testpaths of everything": Case({**TEST, "pytest.ini": "[pytest]\ntestpaths = **\n"}),
    "testpaths of nothing": Case({**TEST, "pytest.ini": "[pytest]\ntestpaths = none\n"}),
    "testpaths, cwd elsewhere": Case({**TEST, "pytest.ini": "[pytest]\ntestpaths = deep\n"}, (), "tests"),
    "minversion": Case({**TEST, "pytest.ini": "[pytest]\nminversion = 99\n"}),
    "not there": Case(TEST, ["tests/none.py"]),
    "node of a directory": Case(TEST, ["tests::test_a"]),
    "an option without its word": Case(TEST, ["-k"]),
    "a word for a flag": Case(TEST, ["--doctest-modules=1"]),
    "an import mode that is none": Case(TEST, ["--import-mode=magic"]),
    "two dashes": Case(TEST, ["--", "tests/deep"]),
    "not TOML, not reached": Case({**TEST, "pyproject.toml": "x", "pytest.ini": ""}),
    "a file that is no source": Case({**TEST, "x.toml": ""}, ["x.toml"]),
    "a text without examples": Case({**TEST, "x.txt": ""}, ["x.txt"]),
}  # fmt: skip


@pytest.mark.parametrize("python", pytests())
def test_is_what_pytest_takes(tmp_path: Path, python: str) -> None:
    version = version_of(python, tmp_path)
    cases = varying(CASES, version, answer)
    real = ask(cases, tmp_path, python)
    ours = {name: answer(case, version) for name, case in cases.items()}
    theirs = {
        name: None if said.rootdir is None or said.code == 4 else (said.rootdir, said.file)
        for name, said in real.items()
    }
    assert ours == theirs


def answer(case: Case, version: tuple[int, int]) -> tuple[str, str | None] | None:
    tree = Tree(memory(case.files))
    try:
        config = read_config(tree, Invocation(case.cwd, tuple(case.args), pytest=version, addopts=case.addopts))
        arguments(tree, config)
    except Refused:
        return None
    return config.rootdir, config.file


def test_options_that_run_nothing_are_told_from_all_three_places() -> None:
    tree = Tree(memory({"pytest.ini": "[pytest]\naddopts = -q --co\n"}))
    config = read_config(tree, Invocation(args=("--setup-plan",), addopts="--fixtures -x"))
    assert config.vacuous == (
        "--co collects and runs nothing",
        "--fixtures lists fixtures and runs nothing",
        "--setup-plan plans fixtures and runs no test",
    )


@pytest.mark.parametrize(
    ("words", "given", "args", "unknown"),
    [
        ("-vvx -k a", [("-v", ""), ("-v", ""), ("-x", ""), ("-k", "a")], [], []),
        ("-ka -pno:x", [("-k", "a"), ("-p", "no:x")], [], []),
        ("--tb=short -n 4 d", [("--tb", "short"), ("-n", "4")], ["d"], []),
        ("--cov --cov=x d", [("--cov", ""), ("--cov", "x")], ["d"], []),
        ("--mine x d", [("--mine", "x")], ["d"], ["--mine"]),
        ("--mine d", [("--mine", "")], ["d"], ["--mine"]),
        ("--mine=d d", [("--mine", "d")], ["d"], ["--mine"]),
        ("-- -k", [], ["-k"], []),
    ],
)
def test_words_of_a_command_line(words: str, given: list[tuple[str, str]], args: list[str], unknown: list[str]) -> None:
    options = parse(words.split(), lambda word: word == "d")
    assert (options.given, options.args, options.unknown) == (given, args, unknown)
