"""JUnit XML as pytest writes it, ``xunit1`` (with the file of each test) and ``xunit2``.

The parser is expat with handlers: no document type, so no entity but XML's own five, and bounds on all that grows.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from xml.parsers import expat

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.reports.hypothesis_stats import passing
from gatekeeper.reports.model import (
    ERROR,
    FAILED,
    MAX_NAME,
    MAX_TESTS,
    PASSED,
    RUN,
    SKIPPED,
    XFAILED,
    Case,
    Report,
    Unusable,
    worst,
)

if TYPE_CHECKING:
    from typing import Any

_MAX_DEPTH = 8
_MAX_ATTRIBUTES = 16
_STATISTICS = "hypothesis-statistics-"
_COLLECTION = ("collection failure", "collection error")
_PARTS = {"failure": "failures", "error": "errors", "skipped": "skipped"}


def read(data: bytes) -> Report:
    """A JUnit report.

    Raises:
        Unusable: when it is none, or uses what no such report needs.
    """
    reader = _Reader()
    parser = expat.ParserCreate("utf-8")
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    parser.UnparsedEntityDeclHandler = _refuse
    parser.ExternalEntityRefHandler = _refuse
    parser.ProcessingInstructionHandler = _refuse
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.buffer_text = False
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise Unusable(f"it is no XML: {expat.errors.messages[error.code]} in line {error.lineno}") from None
    return reader.report()


def _refuse(*_: Any) -> int:
    raise Unusable("it declares a document type, an entity or an instruction, which no JUnit report needs")


class _Reader:
    def __init__(self) -> None:
        self._path: list[str] = []
        self._suites: list[dict[str, str]] = []
        self._cases: list[Case] = []
        self._case: Case | None = None
        self._parts: dict[str, int] = {}
        self._examples: dict[str, int] = {}
        self._faults: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element opens."""
        if len(self._path) >= _MAX_DEPTH or len(attributes) > _MAX_ATTRIBUTES or len(self._cases) > MAX_TESTS:
            raise Unusable("it has more than a JUnit report needs")
        above = self._path[-1] if self._path else ""
        self._path.append(name)
        if name == "testsuite":
            self._suites.append(attributes)
        elif name == "testcase":
            if above != "testsuite":
                raise Unusable("a testcase stands outside a testsuite")
            self._open(attributes)
        elif above == "testcase" and name in _PARTS:
            self._part(name, attributes)
        elif name == "property" and above == "properties" and "testcase" not in self._path:
            self._property(attributes)

    def end(self, name: str) -> None:
        """An element closes."""
        self._path.pop()
        if name == "testcase" and self._case is not None:
            self._cases.append(self._case)
            self._case = None

    def _open(self, attributes: dict[str, str]) -> None:
        classname, name = attributes.get("classname"), attributes.get("name")
        if classname is None or name is None or len(classname) + len(name) > MAX_NAME:
            raise Unusable("a testcase has no classname and name, or one that is too long")
        self._case = Case(classname, name, attributes.get("file", ""), PASSED)

    def _part(self, name: str, attributes: dict[str, str]) -> None:
        assert self._case is not None  # noqa: S101 (the parent is a testcase)
        self._parts[name] = self._parts.get(name, 0) + 1
        if name == "skipped":
            outcome = XFAILED if attributes.get("type") == "pytest.xfail" else SKIPPED
        else:
            outcome = FAILED if name == "failure" else ERROR
        if attributes.get("message", "").startswith(_COLLECTION) and name != "failure":
            self._faults.append(f"{self._case.name} could not be collected")
        self._case = self._case._replace(outcome=worst(self._case.outcome, outcome))

    def _property(self, attributes: dict[str, str]) -> None:
        name = attributes.get("name", "")
        if not name.startswith(_STATISTICS):
            return
        try:
            said = b64decode(attributes.get("value", ""), validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            raise Unusable("the statistics of Hypothesis in it cannot be read") from None
        number = passing(said)
        if number is not None:
            self._examples[name.removeprefix(_STATISTICS)] = number

    def report(self) -> Report:
        """What all elements say."""
        if not self._suites:
            raise Unusable("it has no testsuite")
        for part, key in _PARTS.items():
            said, number = sum(_number(suite, key) for suite in self._suites), self._parts.get(part, 0)
            if said != number:
                self._faults.append(f"it counts {said} {key}, and has {number}")
        # a test that fails twice (in its body and after it) has two elements and counts once; a subtest counts alone
        names = {case[:3] for case in self._cases}
        if len(names) > sum(_number(suite, "tests") for suite in self._suites):
            self._faults.append("it has more tests than it counts")
        form = "xunit1" if any(case.file for case in self._cases) else "xunit2"
        found = Report(RUN, form, cases=tuple(self._cases), examples=self._examples)
        return found._replace(faults=tuple(self._faults), complete=not self._faults)


def _number(attributes: dict[str, str], key: str) -> int:
    value = attributes.get(key, "")
    if not value.isascii() or not value.isdigit() or len(value) > 9:  # noqa: PLR2004 (no report has a thousand million)
        raise Unusable(f"{key} of its testsuite is no number")
    return int(value)
