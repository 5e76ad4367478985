"""What a person may do to the list of properties: the old list says what takes a ticket."""

from __future__ import annotations

import pytest

from gatekeeper.contracts.governance import govern
from gatekeeper.contracts.properties import Properties, Property, Retired
from gatekeeper.policy.defaults import TICKET

A = Property("a", "t.py", "t.py::test_a", line=3)
B = Property("b", "t.py", "t.py::test_b", min_examples=50, digest="0" * 64, ticket="QA-1", line=9)
OLD = Properties((A, B), min_collected=2)
GONE = Retired("b", "QA-2", "2026-01-31", 12)


def said(new: Properties, old: Properties = OLD) -> list[str]:
    return [fault.problem for fault in govern(old, new, TICKET)]


@pytest.mark.parametrize(
    "new",
    [
        OLD,
        OLD._replace(properties=(B, A)),
        OLD._replace(properties=(A, B, Property("c", "t.py", "t.py::test_c")), min_collected=3),
        Properties((A,), (GONE,), 1),
        Properties((A,), (GONE,), 2),
        Properties((), (GONE, Retired("a", "QA-2", "2026-01-31")), 0),
        OLD._replace(min_collected=0, ticket="QA-3"),
        OLD._replace(forbid_delete=False, ticket="QA-3"),
        OLD._replace(properties=(A, B._replace(digest="1" * 64, ticket="QA-4"))),
        OLD._replace(properties=(A, B._replace(min_examples=100))),
        OLD._replace(properties=(A._replace(digest="1" * 64), B)),
        OLD._replace(properties=(A._replace(nodeid="t.py::test_renamed", ticket="QA-4"), B)),
    ],
)
def test_a_person_may(new: Properties) -> None:
    assert said(new) == []


@pytest.mark.parametrize(
    ("new", "problem"),
    [
        (Properties((A,), (), 1), "b (t.py::test_b) was deleted without a ticket"),
        (Properties((A,), (GONE._replace(ticket="soon"),), 1), "b is retired with 'soon', which is no ticket"),
        (Properties((A,), (GONE,), 0), "min_collected is lowered from 2 to 0 without a ticket"),
        (OLD._replace(min_collected=1), "min_collected is lowered from 2 to 1 without a ticket"),
        (OLD._replace(min_collected=1, ticket="soon"), "min_collected is lowered from 2 to 1 without a ticket"),
        (OLD._replace(forbid_delete=False), "forbid_delete is turned off without a ticket"),
        (OLD._replace(properties=(A, B._replace(digest=""))), "b: its pinned digest was removed without a ticket"),
        (
            OLD._replace(properties=(A, B._replace(digest="1" * 64, min_examples=None))),
            "b: its pinned digest was replaced and min_examples was lowered from 50 without a ticket",
        ),
        (
            OLD._replace(properties=(A._replace(nodeid="t.py::test_renamed"), B)),
            "a: its nodeid moved from t.py::test_a without a ticket",
        ),
    ],
)
def test_a_person_needs_a_ticket(new: Properties, problem: str) -> None:
    assert said(new) == [problem]


def test_a_ticket_that_was_there_before_is_not_one_for_this_edit() -> None:
    assert said(OLD._replace(min_collected=1, ticket="QA-1"), OLD._replace(ticket="QA-1"))


def test_the_old_list_says_whether_rows_may_be_deleted() -> None:
    lax = OLD._replace(forbid_delete=False, min_collected=0)
    assert said(lax._replace(properties=(A,)), lax) == []
    assert said(Properties((A,), (), 0, forbid_delete=False, ticket="QA-9"))


def test_without_forbid_delete_the_count_still_takes_a_ticket() -> None:
    lax = OLD._replace(forbid_delete=False)
    assert said(lax._replace(properties=(A,), min_collected=1), lax) == [
        "min_collected is lowered from 2 to 1 without a ticket"
    ]


def test_a_removed_list_is_an_empty_one() -> None:
    assert len(said(Properties())) == 2
    assert said(Properties(), Properties(retired=(GONE,))) == []
