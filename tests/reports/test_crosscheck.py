"""Only what the sources explain is believed of a report, and a property that did not run is said so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gatekeeper.reports.crosscheck import Crosschecked, cross_check
from gatekeeper.reports.detect import read
from gatekeeper.reports.model import COLLECTION, RUN, Case, Report
from gatekeeper.reports.ran import unmet
from gatekeeper.source.collection.items import EXACT, NOT_STATIC, UNKNOWN, Collected, Found, Trouble

if TYPE_CHECKING:
    from tests.reports.conftest import Project

STATIC = Collected(
    (
        Found("t.py::test_a", EXACT),
        Found("t.py::test_p", EXACT, ("[1]", "[2]")),
        Found("t.py::test_u", UNKNOWN, (), "a function"),
        Found("t.py::TestC::test_m", NOT_STATIC, (), "a hook"),
        Found("t.py::test_c", EXACT, ("",), conditions=("importorskip numpy",)),
    ),
    opaque=(Trouble("plug", "a plugin makes the tests"),),
)


def collection(*nodeids: str) -> Report:
    return Report(COLLECTION, "text", nodeids, complete=True)


def run(outcomes: dict[str, str], examples: dict[str, int] | None = None) -> Report:
    return Report(RUN, "lines", tuple(outcomes), outcomes=outcomes, examples=examples or {}, complete=True)


def defines(path: str) -> frozenset[str] | None:
    return frozenset({"check", "TestX"}) if path == "plug/test_x.py" else None


@pytest.mark.parametrize("name", ["quiet", "tree", "verbose", "log", "lines", "xunit1", "xunit2"])
def test_a_real_report_is_accepted(project: Project, name: str) -> None:
    found = cross_check(read(project.report(name)), project.collected)
    assert (found.faults, found.forged, found.missing, found.unknown) == ((), (), (), ())
    assert sorted(found.accepted) == sorted(project.nodeids)


@pytest.mark.parametrize("name", ["finish", "summary", "dots", "counts", "bad2"])
def test_a_faulty_report_has_nothing_accepted(project: Project, name: str) -> None:
    found = cross_check(read(project.report(name)), project.collected)
    assert found.faults
    assert found.accepted == ()


def test_a_forged_text_that_counts_right(project: Project) -> None:
    text = project.report("quiet").replace(b"::test_plain\n", b"::test_plain\ntests/test_a.py::test_forged\n")
    report = read(text.replace(b"19 tests", b"20 tests"))
    assert report.complete
    found = cross_check(report, project.collected)
    assert [(one.said, one.why) for one in found.forged] == [
        ("tests/test_a.py::test_forged", "the tree has no tests/test_a.py::test_forged that pytest collects")
    ]
    assert sorted(found.accepted) == sorted(project.nodeids)


@pytest.mark.parametrize(
    ("nodeid", "why"),
    [
        ("t.py::test_z", "the tree has no t.py::test_z that pytest collects"),
        ("u.py::test_a", "the tree has no u.py::test_a that pytest collects"),
        ("t.py::test_a[1]", "t.py::test_a has no parameters [1]"),
        ("t.py::test_p[3]", "t.py::test_p has no parameters [3]"),
        ("t.py::test_p", "t.py::test_p has no parameters (none)"),
        ("t.py::test_u[x", "its brackets are not closed"),
        ("plug/test_y.py::check", "the tree has no file plug/test_y.py"),
        ("plug/test_x.py::other", "no function of plug/test_x.py is called other"),
        ("plugged/test_x.py::check", "the tree has no plugged/test_x.py::check that pytest collects"),
        ("plug/test_x.py", "no function of plug/test_x.py is called plug/test_x.py"),
    ],
)
def test_forged(nodeid: str, why: str) -> None:
    found = cross_check(collection(nodeid), STATIC, defines)
    assert [tuple(one) for one in found.forged] == [(nodeid, why)]
    assert found.accepted == ()


@pytest.mark.parametrize(
    "nodeid",
    ["t.py::test_u[any::thing]", "t.py::test_u", "t.py::TestC::test_m[x]", "plug/test_x.py::TestX::check[a]"],
)
def test_what_the_sources_cannot_tell(nodeid: str) -> None:
    found = cross_check(collection(nodeid), STATIC, defines)
    assert (found.accepted, found.unknown, found.forged) == ((nodeid,), (nodeid,), ())


def test_what_is_lacking() -> None:
    found = cross_check(collection("t.py::test_p[1]", "t.py::test_u[x]"), STATIC)
    assert found.missing == ("t.py::test_a", "t.py::test_p[2]", "t.py::TestC::test_m")
    assert found.conditional == ("t.py::test_c",)


def test_a_case_that_may_be_two_tests() -> None:
    static = Collected(tuple(Found(node, EXACT) for node in ("a/b.py::C::test", "a/b/C.py::test", "a/d.py::test")))
    two = Case("a.b.C", "test", "", "passed")
    found = cross_check(Report(RUN, "xunit2", cases=(two, Case("a.d", "test", "", "passed")), complete=True), static)
    assert found.accepted == ("a/d.py::test",)
    assert [tuple(one) for one in found.forged] == [("a.b.C.test", "it may be a/b.py::C::test or a/b/C.py::test")]
    one = Report(RUN, "xunit1", cases=(two._replace(file="a/b.py"),), complete=True)
    assert cross_check(one, static).outcomes == {"a/b.py::C::test": "passed"}


def test_cases_of_what_is_not_static() -> None:
    static = Collected((), opaque=(Trouble("plug/test_x.py", "a plugin"),))
    cases = (Case("plug.test_x.TestX", "check[1]", "", "passed"), Case("other", "check", "", "passed"))
    found = cross_check(Report(RUN, "xunit2", cases=cases, complete=True), static, defines)
    assert found.accepted == ("plug/test_x.py::TestX::check[1]",)
    assert [one.said for one in found.forged] == ["other.check"]


def test_a_test_that_failed_twice() -> None:
    cases = (Case("t", "test_a", "", "passed"), Case("t", "test_a", "", "error"))
    assert cross_check(Report(RUN, "xunit2", cases=cases, complete=True), STATIC).outcomes == {"t.py::test_a": "error"}


def judged(named: dict[str, int], checked: Crosschecked) -> list[tuple[str, str]]:
    return [(one.nodeid, one.kind) for one in unmet(named, checked)]


def test_properties_that_did_not_run(project: Project) -> None:
    checked = cross_check(read(project.report("lines")), project.collected)
    names = ("test_plain", "test_skip", "test_xfail", "test_fail", "test_setup", "test_ids", "test_gone")
    assert judged({f"tests/test_a.py::{name}": 0 for name in names}, checked) == [
        ("tests/test_a.py::test_skip", "skipped"),
        ("tests/test_a.py::test_xfail", "xfailed"),
        ("tests/test_a.py::test_fail", "failed"),
        ("tests/test_a.py::test_setup", "error"),
        ("tests/test_a.py::test_gone", "missing"),
    ]
    some = cross_check(read(project.report("somelines")), project.collected)
    assert judged({"tests/test_a.py::test_plain": 0, "tests/test_a.py::test_many": 0}, some) == [
        ("tests/test_a.py::test_many", "missing")
    ]


def test_too_few_examples(project: Project) -> None:
    for name in ("lines", "log", "xunit1", "xunit2"):
        checked = cross_check(read(project.report(name)), project.collected)
        many, few, plain = (f"tests/test_a.py::{name}" for name in ("test_many", "test_few", "test_plain"))
        assert judged({many: 30, few: 2, plain: 0}, checked) == []
        found = unmet({many: 31, few: 3, plain: 1}, checked)
        assert [one.why for one in found] == [
            f"{many} ran with 30 examples, and 31 are asked for",
            f"{few} ran with 2 examples, and 3 are asked for",
            f"the report does not say with how many examples {plain} ran, and 1 are asked for",
        ]


def test_one_parameter_set() -> None:
    checked = cross_check(run({"t.py::test_p[1]": "passed", "t.py::test_p[2]": "skipped"}), STATIC)
    assert judged({"t.py::test_p[1]": 0}, checked) == []
    assert judged({"t.py::test_p[2]": 0}, checked) == [("t.py::test_p[2]", "skipped")]
    assert judged({"t.py::test_p": 0}, checked) == [("t.py::test_p[2]", "skipped")]


def test_examples_of_what_was_forged() -> None:
    checked = cross_check(run({"t.py::test_z": "passed"}, {"t.py::test_z": 100}), STATIC)
    assert (checked.outcomes, checked.examples) == ({}, {})
