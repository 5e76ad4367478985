"""The allow file: three forms, strict, every fault with its line."""

from __future__ import annotations

import pytest

from gatekeeper.contracts.allow import MAX_LINES, DigestRow, Row, line_for, read_allow, states
from gatekeeper.policy.defaults import TICKET

OLD, NEW, OTHER = "a" * 12, "b" * 12, "c" * 12
ROW = f"breaking call-rejected pkg.f {OLD}..{NEW}"
WHY = "  # API-12 moved to Options"


def test_the_three_forms() -> None:
    text = f"# rows\n\n{ROW}{WHY}\ndigest {'1' * 64}..{'2' * 64}{WHY}\n{'3' * 64}\n"
    allowed = read_allow(text.encode(), TICKET)
    assert allowed.faults == ()
    assert allowed.rows == (Row(3, "breaking", "call-rejected", "pkg.f", OLD, NEW),)
    assert allowed.digests == (DigestRow(4, "1" * 64, "2" * 64), DigestRow(5, None, "3" * 64))


def test_an_addition_has_no_old_row() -> None:
    allowed = read_allow(f"addition symbol-added pkg.g none..{NEW}{WHY}\n".encode(), TICKET)
    assert allowed.rows[0].old == "none"


@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
def test_line_ends(ending: str) -> None:
    assert len(read_allow(f"{ROW}{WHY}{ending}".encode(), TICKET).rows) == 1


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (ROW, "has no ticket"),
        (f"{ROW}  # ", "has no ticket"),
        (f"{ROW}  # because", "has no ticket"),
        (f"{ROW}  # XAPI-12x why", "has no ticket"),
        (f"{ROW}  # API-12", "gives no reason"),
        (f"{ROW}  # TICKET why", "has no ticket"),
        (f"digest {OLD}..{NEW}", "has no ticket"),
        (f"digest {OLD}{WHY}", "is no digest row"),
        (f"digest {OLD[:11]}..{NEW}{WHY}", "is no digest row"),
        (f"digest {OLD}..{NEW} more{WHY}", "is no digest row"),
        (f"digest{WHY}", "is no digest row"),
        (f"{OLD.upper()}{WHY}", "has 1 words"),
        (f"breaking call-rejected pkg.f{WHY}", "has 3 words"),
        (f"{ROW} x{WHY}", "has 5 words"),
        (f"Breaking call-rejected pkg.f {OLD}..{NEW}{WHY}", "starts with 'Breaking'"),
        (f"neutral deprecated-removed pkg.f {OLD}..{NEW}{WHY}", "starts with 'neutral'"),
        (f"breaking gone pkg.f {OLD}..{NEW}{WHY}", "is no kind of move"),
        (f"addition call-rejected pkg.f {OLD}..{NEW}{WHY}", "is breaking, not addition"),
        (f"breaking call-rejected pkg.f {OLD[:11]}..{NEW}{WHY}", "is no pair of row hashes"),
        (f"breaking call-rejected pkg.f {OLD}..{NEW}0{WHY}", "is no pair of row hashes"),
        (f"breaking call-rejected pkg.f {OLD}.{NEW}{WHY}", "is no pair of row hashes"),
        (f"breaking call-rejected pkg.f {OLD}..*{WHY}", "is no pair of row hashes"),
        (f"breaking call-rejected pkg.f {OLD}..{OLD}{WHY}", "to itself"),
        (f"breaking call-rejected pkg.\u202ef {OLD}..{NEW}{WHY}", "does not print"),
    ],
)
def test_a_fault_names_its_line(line: str, problem: str) -> None:
    allowed = read_allow(f"# first\n{line}\n{'3' * 64}\n".encode(), TICKET)
    (fault,) = allowed.faults
    assert fault.line == 2
    assert problem in fault.problem
    assert fault.fix
    assert not allowed.rows
    assert len(allowed.digests) == 1


def test_a_row_stands_once() -> None:
    (fault,) = read_allow(f"{ROW}{WHY}\n{ROW}  # API-13 again\n".encode(), TICKET).faults
    assert (fault.line, fault.problem) == (2, "repeats line 1")


def test_a_long_row_goes_on_after_a_backslash() -> None:
    symbol = "pkg." + "sub." * 40 + "f"
    text = f"# one\nbreaking call-rejected \\\n{symbol[:50]}\\\r\n{symbol[50:]} {OLD}..{NEW}{WHY}\nnonsense\n"
    allowed = read_allow(text.encode(), TICKET)
    assert [(row.line, row.symbol) for row in allowed.rows] == [(2, symbol)]
    assert [fault.line for fault in allowed.faults] == [5]
    assert read_allow(b"nonsense\\", TICKET).faults[0].line == 1


def test_bytes_that_are_no_text() -> None:
    (fault,) = read_allow(b"# fine\n# \xff\n", TICKET).faults
    assert (fault.line, fault.problem) == (2, "is not UTF-8")


def test_the_file_is_bounded() -> None:
    assert read_allow(b"\n" * MAX_LINES, TICKET).faults


def test_the_ticket_is_the_policy_s() -> None:
    assert not read_allow(f"{ROW}  # bug/7 why\n".encode(), r"bug/\d+").faults
    assert read_allow(f"{ROW}  # API-12 why\n".encode(), r"bug/\d+").faults


def test_the_printed_line_is_a_row_but_for_its_ticket() -> None:
    line = line_for("breaking", "call-rejected", "pkg.f", OLD, NEW)
    assert read_allow(line.encode(), TICKET).faults
    assert not read_allow(line.replace("TICKET why", "API-1 because").encode(), TICKET).faults


@pytest.mark.parametrize(("current", "state"), [(OLD, "pending"), (NEW, "spent"), (OTHER, "neither")])
def test_what_a_row_is_against_a_surface(current: str, state: str) -> None:
    allowed = read_allow(f"{ROW}{WHY}\n".encode(), TICKET)
    assert [found for _, found in states(allowed, lambda _: {current}, None)] == [state]


@pytest.mark.parametrize(
    ("line", "digest", "state"),
    [
        (f"digest {OLD}..{NEW}{WHY}", OLD + "0", "pending"),
        (f"digest {OLD}..{NEW}{WHY}", NEW + "0", "spent"),
        (f"digest {OLD}..{NEW}{WHY}", OTHER, "neither"),
        (NEW, NEW + "0", "spent"),
        (NEW, OLD, "pending"),
    ],
)
def test_what_a_digest_row_is_against_a_surface(line: str, digest: str, state: str) -> None:
    allowed = read_allow(line.encode(), TICKET)
    assert [found for _, found in states(allowed, lambda _: set(), digest)] == [state]
