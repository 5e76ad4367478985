"""Scorecards of every shape: any bytes in names, any number of refs and findings, any code, long words and none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from gatekeeper.judged import Judgement
from gatekeeper.mend import quote
from gatekeeper.model import AGENT, HUMAN, Actor, Finding, RefUpdate
from gatekeeper.verdict import ABSENT, FAMILIES, HELD, NOT_JUDGED, Scorecard, Verdict, budget_states

if TYPE_CHECKING:
    from gatekeeper.model import Severity

BUDGETS = ("refs", "write-block", "properties", "fixtures", "flakes", "contract", "oracle")
CODES = st.sampled_from(["GK001", "GK002", "GK003", "GK005", "GK007", "GK008", "GK101", "GK102", "GK110"]) | st.builds(
    "{}{:02}".format, st.sampled_from(sorted(FAMILIES)), st.integers(1, 9)
)
OIDS = st.binary(min_size=20, max_size=20) | st.binary(min_size=32, max_size=32)
LONG = st.sampled_from([1, 1, 1, 1, 40, 71, 72, 73, 900])
NAMES = st.builds(
    lambda raw, times: raw * times or b"x",
    st.binary(max_size=12)
    | st.sampled_from([b"src/a.py", b"\r", b"\x1b[2J", b"a b", b"\xe2\x80\xae", b"\\", b"'", b"dir/"]),
    LONG,
)
WORDS = st.sampled_from(
    ["protected", "file", "changed", "a\nb", "\r", "\x1b[31m", "\u202e", "", " ", "x" * 80, "\udcff", "é", "\\"]
)
TEXTS = st.lists(WORDS, max_size=14).map(" ".join) | st.text(max_size=30)
SEVERITIES: st.SearchStrategy[Severity] = st.sampled_from(["error", "error", "warn"])
FINDINGS = st.builds(
    Finding,
    code=CODES,
    message=TEXTS,
    path=st.none() | NAMES,
    commit=st.none() | OIDS,
    line=st.none() | st.integers(1, 99),
    fix=TEXTS,
    severity=SEVERITIES,
)
NODEIDS = st.lists(TEXTS, max_size=3).map(tuple)
SUITES = st.builds(
    Judgement,
    judged=st.just(value=True),
    required=st.integers(0, 10**6),
    missing=NODEIDS,
    collected=st.integers(0, 10**6),
    credit=NODEIDS,
    faults=st.just(()),
)
COMMANDS = st.lists(NAMES, min_size=1, max_size=5).map(lambda words: " ".join(["git", "restore", *map(quote, words)]))


@st.composite
def verdicts(draw: st.DrawFn) -> Verdict:
    """One verdict, its budgets folded as the gate folds them."""
    findings = draw(st.lists(FINDINGS, max_size=draw(st.sampled_from([0, 1, 2, 8]))))
    judged = {name: draw(st.sampled_from([HELD, NOT_JUDGED, ABSENT])) for name in BUDGETS}
    return Verdict(
        update=RefUpdate(draw(st.just(b"") | NAMES), draw(st.none() | OIDS), draw(st.none() | OIDS)),
        lane=draw(st.sampled_from([AGENT, HUMAN])),
        trusted_ref=draw(st.none() | NAMES),
        trusted=draw(st.none() | OIDS),
        base=draw(st.none() | OIDS),
        budgets=budget_states(judged, findings),
        findings=tuple(findings),
        mend=tuple(draw(st.lists(COMMANDS, max_size=3))),
        suite=draw(st.none() | SUITES),
        truncated=draw(st.sampled_from([0, 0, 0, 7])) if findings else 0,
    )


ACTORS = st.builds(
    Actor,
    name=st.none() | st.sampled_from(["bot", "alice bob", "é", "x" * 255, "\u4e2d" * 255, "b o t " * 20]),
    source=st.sampled_from(["ssh", "http", "none", "pre-push"]),
)
CARDS = st.builds(
    Scorecard,
    actor=ACTORS,
    mode=st.sampled_from(["enforce", "enforce", "observe"]),
    verdicts=st.lists(verdicts(), min_size=1, max_size=4).map(tuple)
    | st.builds(lambda verdict, times: (verdict,) * times, verdicts(), st.sampled_from([7, 40])),
)
