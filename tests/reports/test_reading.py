"""Real reports are read for what they say, and damaged or forged ones are not believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gatekeeper.reports import detect, model
from gatekeeper.reports.detect import read

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.reports.conftest import Project

TESTS = 19
MANY, FEW = "tests/test_a.py::test_many", "tests/test_a.py::test_few"
OUTCOMES = {
    "test_plain": "passed",
    "test_ids[PASSED  [ 50%]]": "passed",
    "test_skip": "skipped",
    "test_xfail": "xfailed",
    "test_xpass": "xpassed",
    "test_fail": "failed",
    "TestC::TestIn::test_deep": "passed",
    "U::test_sub": "passed",
    "test_teardown": "error",
    "test_setup": "error",
}


@pytest.mark.parametrize(("name", "form"), [("quiet", "text"), ("tree", "tree")])
def test_collections(project: Project, name: str, form: str) -> None:
    found = read(project.report(name))
    assert (found.kind, found.form, found.complete, found.faults) == (model.COLLECTION, form, True, ())
    assert list(found.collected) == project.nodeids
    assert len(project.nodeids) == TESTS


def test_a_choice(project: Project) -> None:
    assert b"\x1b[" in project.report("chosen")
    found = read(project.report("chosen"))
    assert (len(found.collected), found.deselected, found.complete) == (7, TESTS - 7, True)
    nothing = read(project.report("nothing"))
    assert (nothing.collected, nothing.deselected, nothing.complete) == ((), TESTS, True)


@pytest.mark.parametrize(("name", "form"), [("verbose", "verbose"), ("log", "reportlog"), ("lines", "lines")])
def test_runs(project: Project, name: str, form: str) -> None:
    found = read(project.report(name))
    assert (found.kind, found.form, found.complete, found.faults) == (model.RUN, form, True, ())
    assert sorted(found.collected) == sorted(project.nodeids)
    assert {name: found.outcomes[f"tests/test_a.py::{name}"] for name in OUTCOMES} == OUTCOMES
    if form != "verbose":
        assert found.examples == {MANY: 30, FEW: 2}


@pytest.mark.parametrize(("name", "form"), [("xunit1", "xunit1"), ("xunit2", "xunit2")])
def test_junit(project: Project, name: str, form: str) -> None:
    found = read(project.report(name))
    assert (found.kind, found.form, found.complete, found.faults) == (model.RUN, form, True, ())
    assert len(found.cases) == TESTS
    assert {case.file for case in found.cases} == ({"tests/test_a.py"} if form == "xunit1" else {""})
    assert found.examples == {MANY: 30, FEW: 2}


def test_a_run_of_some(project: Project) -> None:
    for name in ("some", "somelog", "somelines"):
        found = read(project.report(name))
        assert found.complete, found.faults
        assert found.outcomes == {"tests/test_a.py::test_plain": "passed"}
    assert read(project.report("somelines")).deselected == TESTS - 1


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("counts", "it only counts tests"),
        ("dots", "it names no tests"),
        ("errors", "1 files could not be collected"),
        ("finish", "it says that 19 tests are collected, and names 20"),
        ("summary", "it has more than one closing line|it says that 21 tests are collected, and names 19"),
        ("bad2", "broken.test_b could not be collected"),
        ("badlog", "broken/test_b.py could not be collected"),
        ("badlines", "pytest ended with status 2"),
    ],
)
def test_what_is_not_believed(project: Project, name: str, fault: str) -> None:
    found = read(project.report(name))
    assert not found.complete
    assert any(one.startswith(part) for part in fault.split("|") for one in found.faults), found.faults


def test_docstrings_look_like_tests(project: Project) -> None:
    found = read(project.report("documented"))
    assert [name for name in found.collected if name not in project.nodeids] == [
        "tests/test_a.py::TestC::test_m::test_docstring"
    ]


def without_end(data: bytes) -> bytes:
    return data[: data.rstrip().rfind(b"\n")]


def without_middle(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    del lines[len(lines) // 2]
    return b"".join(lines)


def doubled(data: bytes) -> bytes:
    return data + data


@pytest.mark.parametrize("damage", [without_end, doubled], ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("name", ["quiet", "tree", "verbose", "log", "lines", "xunit1", "xunit2"])
def test_a_damaged_report_is_not_complete(project: Project, name: str, damage: Callable[[bytes], bytes]) -> None:
    found = read(damage(project.report(name)))
    assert found.faults
    assert not found.complete


@pytest.mark.parametrize("name", ["quiet", "log", "lines"])
def test_a_line_that_is_missing(project: Project, name: str) -> None:
    assert not read(without_middle(project.report(name))).complete


def suite(tests: int, inner: bytes) -> bytes:
    return b"<testsuite errors='0' failures='0' skipped='0' tests='%d'>%s</testsuite>" % (tests, inner)


@pytest.mark.parametrize(
    ("form", "data"),
    [
        ("junit", b'<!DOCTYPE a [<!ENTITY b "c">]><testsuite errors="0" failures="0" skipped="0" tests="0"/>'),
        ("junit", b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><testsuite/>'),
        ("junit", b"<?xml-stylesheet href='x'?><testsuite/>"),
        ("junit", b"<testsuite>" * 100),
        ("junit", b"<testsuite errors='0' failures='0' skipped='0' tests='0'>"),
        ("junit", b"<testsuite errors='-1' failures='0' skipped='0' tests='0'/>"),
        ("junit", b"<testsuite errors='0' failures='0' skipped='0' tests='1'><testcase/></testsuite>"),
        ("junit", b"<testcase classname='a' name='b'/>"),
        ("junit", b"<a/>"),
        ("junit", suite(1, b"<testcase classname='a' name='b'/><testcase classname='a' name='c'/>")),
        ("junit", suite(1, b"<testcase classname='a' name='b'><failure/></testcase>")),
        ("junit", suite(0, b"<properties><property value='!' name='hypothesis-statistics-a'/></properties>")),
        ("lines", b'{"gatekeeper": "report", "version": 2}'),
        ("lines", b'{"gatekeeper": "report", "version": 1, "kind": "run", "kind": "run"}'),
        ("lines", b"[" * 100_000),
        ("lines", b'{"gatekeeper": NaN}'),
        ("lines", b""),
        ("lines", b'{"gatekeeper": "report", "version": 1, "kind": "walk"}'),
        ("reportlog", b'{"$report_type": "SessionFinish", "exitstatus": 0}'),
        ("reportlog", b'{"$report_type": "SessionStart"}\n{"$report_type": "SessionFinish", "exitstatus": true}'),
        ("reportlog", b"3"),
        ("text", b""),
        ("text", b"\xff"),
        ("text", b"a::b\x08\x08\n\n1 test collected in 0.1s\n"),
        ("text", b"a::b\nhello\n\n1 test collected in 0.1s\n"),
        ("text", b"a::b\na::b\n\n2 tests collected in 0.1s\n"),
        ("text", b"a::b\n\n1 test collected in 0.1s\nmore\n"),
        ("text", b"a::b PASSED [ 50%]\na::c FAILED [100%]\n\n=== 2 passed in 0.1s ===\n"),
    ],
)  # fmt: skip
def test_hostile_reports(form: str, data: bytes) -> None:
    found = read(data, form)
    assert found.faults
    assert not found.complete
    assert not found.outcomes or form == "text"


def test_a_report_that_is_too_large() -> None:
    assert read(bytes(model.MAX_BYTES + 1)).faults == ("it has more than 128 MB",)


def test_each_form_is_known_by_its_beginning(project: Project) -> None:
    for name, form in (("quiet", "text"), ("xunit2", "junit"), ("log", "reportlog"), ("lines", "lines")):
        assert detect.FORMS[form](project.report(name)) == read(project.report(name))


def test_workers_of_xdist() -> None:
    lines = b"[gw0] [ 50%] PASSED t.py::test_a[x] \n[gw1] [100%] SKIPPED t.py::test_b \n"
    found = read(lines + b"\n=== 1 passed, 1 skipped in 1.00s ===\n")
    assert found.complete
    assert found.outcomes == {"t.py::test_a[x]": "passed", "t.py::test_b": "skipped"}
