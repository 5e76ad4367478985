"""The decision tables of both seeds as one table: what was observed, what the gate says, what to do next.

The README prints it, and the log of ``gatekeeper check`` marks the row that applies, so that no reviewer has to
reconstruct the policy from a conversation.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.verdict import Scorecard


class Row(NamedTuple):
    """One row; ``codes`` are the prefixes of the rules that lead to it, and ``exit`` the scorecard's exit code."""

    observed: str
    exit: int
    action: str
    codes: tuple[str, ...]


ROWS: tuple[Row, ...] = (
    Row("budgets held", 0, "review the implementation only", ()),
    Row("tests, configuration or links written", 1, "strip those edits; re-run", ("GK10", "GK110")),
    Row("contract path written in the agent lane", 2, "reject closed; a person moves contracts", ("GK102",)),
    Row("branch older than the trusted tests", 1, "rebase onto the trusted ref; re-run", ("GK003", "GK004")),
    Row("ref not open to the lane", 1, "push to an agent ref; a person merges", ("GK2",)),
    Row("public API moved, no allow row", 1, "a person updates the allow file and properties", ("GK3",)),
    Row("named property missing or hollowed out", 1, "reject; restore the property", ("GK4",)),
    Row("fixture bytes differ from the lock", 1, "a person regenerates the lock, or reject", ("GK5",)),
    Row("flake capacity or lease broken", 1, "reject; capacity is the budget", ("GK6",)),
    Row("source acts on how it is judged", 1, "reject the patch", ("GK7",)),
    Row("no verdict", 3, "repair the gate or fetch the history; re-run", ("GK001", "GK002", "GK006", "GK008")),
    Row("object or contract malformed, or over a limit", 1, "recreate the push", ("GK005", "GK007", "GK009")),
    Row("ordinary tests fail, budgets held", 0, "reject for the product bug, not for suite spend", ()),
)
"""The last row is the ordinary suite's signal: a held budget does not excuse a red suite."""


def applies(card: Scorecard) -> Row:
    """The row of a scorecard: that of its weightiest error, by the longest code prefix."""
    errors = [f for verdict in card.verdicts for f in verdict.findings if f.severity == "error"]
    if not errors:
        return ROWS[0]
    by_code = {finding.code: _row(finding.code) for finding in errors}
    return next((row for row in by_code.values() if row.exit == card.judged), next(iter(by_code.values())))


def _row(code: str) -> Row:
    fitting = [(len(prefix), row) for row in ROWS for prefix in row.codes if code.startswith(prefix)]
    return max(fitting, key=lambda pair: pair[0])[1]


def render_table(card: Scorecard) -> str:
    """The table for a log, 72 columns, with a mark at the row that applies."""
    return "".join(f"{line}\n" for line in _lines(applies(card)))


def _lines(marked: Row) -> Iterator[str]:
    yield "  exit  observed / next action"
    for row in ROWS:
        yield f"{'>' if row is marked else ' '} {row.exit:<5} {row.observed}"
        yield f"          {row.action}"


def markdown() -> str:
    """The table as it stands in the README."""
    lines = ["| observed | exit | next action |", "|---|---|---|"]
    lines += [f"| {row.observed} | {row.exit} | {row.action} |" for row in ROWS]
    return "\n".join(lines)
