"""The list of properties: its reader and its schema agree, and faults come with the line of their table."""

from __future__ import annotations

import datetime as dt
import json
import tomllib
from typing import Any

import jsonschema
import pytest

from gatekeeper.contracts.properties import read_properties
from gatekeeper.source.collection.items import Invocation
from tests.support.lab import CHECKOUT
from tests.support.seed import PROPERTIES

SCHEMA = json.loads((CHECKOUT / "contracts_schema/properties.schema.json").read_text())

ROW = """
[[property]]
id = "a"
module = "tests/test_a.py"
nodeid = "tests/test_a.py::test_a"
"""
RETIRED = '\n[[retired]]\nid = "b"\nticket = "QA-1"\ndate = 2026-01-31\n'
SEEDS = """# contracts/properties.toml
[budget]
min_collected = 8
forbid_delete = true
""" + PROPERTIES.decode().partition("forbid_delete = true")[2]


def problems(text: str) -> list[str]:
    return [f"{fault.line}: {fault.problem}" for fault in read_properties(text.encode()).faults]


def valid(text: str) -> bool:
    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(one) for key, one in value.items()}
        if isinstance(value, list):
            return [plain(one) for one in value]
        return value.isoformat() if isinstance(value, dt.date) else value

    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(plain(tomllib.loads(text))))


@pytest.mark.parametrize(
    "text",
    [
        "",
        SEEDS,
        ROW,
        ROW + RETIRED,
        ROW + 'guards = ["pkg.mod.f", "été"]\nmin_examples = 1\nticket = "QA-1"\n' + f'digest = "{"0a" * 32}"\n',
        ROW.replace("::test_a", "::TestA::test_a[a::b-1]"),
        "[budget]\n",
        '[budget]\nmin_collected = 0\nforbid_delete = false\nticket = "QA-9"\n',
        '[collect]\ncwd = "lib"\nargs = ["tests", "-k", "not slow"]\npytest = "7.4"\npython = "3.13"\n',
        '[collect]\npytest = "10.0.1"\nplatform = "win32"\naddopts = "-x"\nplugins = ["anyio"]\n',
        '[collect]\ncwd = "./a..b"\ninstalled = ["numpy", "!pandas"]\n',
        RETIRED.replace("2026-01-31", '"2026-01-31"'),
    ],
)
def test_what_both_accept(text: str) -> None:
    assert problems(text) == []
    assert valid(text)


@pytest.mark.parametrize(
    "text",
    [
        "min_collected = 2\n",
        "[budgets]\n",
        "[budget]\nmin_colected = 2\n",
        '[budget]\nmin_collected = "2"\n',
        "[budget]\nmin_collected = -1\n",
        "[budget]\nmin_collected = true\n",
        "[budget]\nforbid_delete = 1\n",
        "[[budget]]\n",
        "[budget]\nticket = 12\n",
        "[property]\n",
        "property = [1]\n",
        *(ROW.replace(f"{key} =", f"x{key} =") for key in ("id", "module", "nodeid")),
        ROW.replace('id = "a"', 'id = ""'),
        ROW.replace('id = "a"', "id = 1"),
        ROW.replace("::test_a", ""),
        ROW.replace("::test_a", "::"),
        ROW + "guards = 1\n",
        ROW + "guards = [1]\n",
        ROW + 'guards = ["a b"]\n',
        ROW + 'guards = ["a..b"]\n',
        ROW + "min_examples = 0\n",
        ROW + "min_examples = 1.5\n",
        ROW + 'digest = "abc"\n',
        ROW + f'digest = "{"0A" * 32}"\n',
        ROW + 'reason = "because"\n',
        RETIRED.replace('ticket = "QA-1"\n', ""),
        RETIRED.replace("date = 2026-01-31", ""),
        RETIRED.replace("2026-01-31", "2026"),
        RETIRED.replace("2026-01-31", "2026-01-31T10:00:00Z"),
        RETIRED.replace("2026-01-31", '"31.1.2026"'),
        RETIRED + 'why = "?"\n',
        "[collect]\npytest = 9.2\n",
        '[collect]\npytest = "9"\n',
        '[collect]\npytest = "7.3"\n',
        '[collect]\npytest = "9.x"\n',
        '[collect]\npython = "3"\n',
        '[collect]\nargs = "tests"\n',
        "[collect]\nplugins = [1]\n",
        '[collect]\nrootdir = "."\n',
        '[collect]\ncwd = "lib/.."\n',
        '[collect]\ninstalled = "numpy"\n',
    ],
)
def test_what_both_refuse(text: str) -> None:
    assert problems(text)
    assert not valid(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (ROW + ROW.replace("::test_a", "::test_b"), "7: repeats the id 'a' of line 2"),
        (ROW + ROW.replace('"a"', '"b"'), "7: repeats the nodeid of line 2"),
        (ROW.replace("test_a.py::", "test_b.py::"), "2: nodeid is not of the module 'tests/test_a.py'"),
        (ROW + RETIRED.replace('"b"', '"a"'), "7: retires 'a', which line 2 lists"),
    ],
)
def test_what_only_the_reader_can_see(text: str, problem: str) -> None:
    assert problems(text) == [problem]
    assert valid(text)


@pytest.mark.parametrize("data", [b"[budget", b"\xff", b"a = " + b"[" * 5000, b"a = " + b"9" * 5000])
def test_what_is_no_toml_is_a_fault(data: bytes) -> None:
    (fault,) = read_properties(data).faults
    assert fault.problem.startswith("is not TOML")


def test_what_is_read() -> None:
    found = read_properties((ROW + 'min_examples = 3\n\n[collect]\nargs = ["tests"]\npytest = "8.3.5"\n').encode())
    (row,) = found.properties
    assert (row.id, row.nodeid, row.min_examples, row.line) == ("a", "tests/test_a.py::test_a", 3, 2)
    assert found.invocation == Invocation(args=("tests",), pytest=(8, 3))
    assert found.forbid_delete


@pytest.mark.parametrize(
    ("said", "found"), [(".", ""), ("", ""), ("/", ""), ("./lib/", "lib"), (".hidden/a..b", ".hidden/a..b")]
)
def test_where_pytest_is_run(said: str, found: str) -> None:
    assert read_properties(f'[collect]\ncwd = "{said}"\n'.encode()).invocation.cwd == found


def test_a_row_with_a_fault_is_no_row() -> None:
    found = read_properties((ROW + 'digest = "abc"\n' + ROW.replace('"a"', '"b"')).encode())
    assert [row.id for row in found.properties] == ["b"]
    assert [(fault.line, fault.problem) for fault in found.faults] == [(2, "digest is not 64 hexadecimal digits")]
