"""Edits of the property list keep its comments and layout, and are refused where lines do not show what they do."""

from __future__ import annotations

import pytest

from gatekeeper.contracts.edit import add, assign
from gatekeeper.contracts.properties import Property, read_properties
from gatekeeper.errors import UsageError

LIST = b"""\
# who to ask: QA
[budget]
min_collected = 1   # raised in spring
forbid_delete = true

# frames
[[property]]
id = "a"            # the oldest
module = "t.py"
nodeid = "t.py::test_a"
guards = [
  "pkg.f",
]
digest = "%s"  # looked at by ann

# given up
[[retired]]
id = "z"
ticket = "QA-1"
date = 2026-01-31
""" % (b"0" * 64)
ROW = Property("b", "t.py", 't.py::test_b["\\x7f-\u00e9\x7f]', ("pkg.g", "pkg.h"), 5)
ADDED = """
[[property]]
id = "b"
module = "t.py"
nodeid = "t.py::test_b[\\"\\\\x7f-\u00e9\\u007f]"
guards = ["pkg.g", "pkg.h"]
min_examples = 5
"""


def test_a_property_is_added_after_the_last_one() -> None:
    assert add(LIST, ROW).decode() == LIST.decode().replace("ann\n", f"ann\n{ADDED}")


def test_a_first_property_comes_before_the_retired_ones() -> None:
    start, _, end = LIST.decode().partition("# given up\n")
    start = start.partition("# frames")[0]
    assert add(f"{start}# given up\n{end}".encode(), ROW).decode() == f"{start}{ADDED[1:]}\n# given up\n{end}"


def test_a_new_file_has_a_budget() -> None:
    found = read_properties(add(None, ROW))
    assert not found.faults
    assert (found.min_collected, found.forbid_delete, found.properties[0].nodeid) == (1, True, ROW.nodeid)


def test_a_key_is_replaced_where_it_stands_and_another_added_at_the_end() -> None:
    new = assign(LIST, {"a": {"digest": "1" * 64, "ticket": "QA-2"}}).decode()
    assert new == LIST.decode().replace("0" * 64, "1" * 64).replace("ann\n", 'ann\nticket = "QA-2"\n')


def test_several_rows_at_once() -> None:
    both = assign(add(LIST, ROW), {name: {"ticket": f"QA-{name}"} for name in ("b", "a")})
    assert [row.ticket for row in read_properties(both).properties] == ["QA-a", "QA-b"]


def test_line_ends_stay() -> None:
    new = add(LIST.replace(b"\n", b"\r\n"), ROW)
    assert new.count(b"\r\n") == new.count(b"\n")


def test_a_file_without_an_end_of_line() -> None:
    assert read_properties(add(LIST.rstrip(), ROW)).properties[1] == ROW._replace(line=16)


@pytest.mark.parametrize(
    "data",
    [
        b'property = [{id = "a", module = "t.py", nodeid = "t.py::test_a"}]\n',
        LIST.replace(b"id = ", b"'id' = ", 1).replace(b'"t.py::test_a"', b"'''t.py::test_a\n[x]'''"),
        LIST.replace(b"digest", b"digset"),
        b"\xff",
    ],
)
def test_what_lines_do_not_show_is_left_to_people(data: bytes) -> None:
    with pytest.raises(UsageError):
        assign(data, {"a": {"digest": "2" * 64}})


@pytest.mark.parametrize(
    "row",
    [
        ROW._replace(id="a"),
        ROW._replace(nodeid="t.py::test_a"),
        ROW._replace(nodeid="u.py::test_b"),
        ROW._replace(id="z"),
        ROW._replace(guards=("a b",)),
        ROW._replace(id="\udc80"),
    ],
)
def test_a_row_that_cannot_be_in_the_file(row: Property) -> None:
    with pytest.raises(UsageError):
        add(LIST, row)


def test_an_id_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="'c'"):
        assign(LIST, {"c": {"digest": "2" * 64}})
