"""What a pusher sees: short, printable, and never without its reason."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatekeeper.judged import Judgement
from gatekeeper.mend import quote
from gatekeeper.model import AGENT, Actor, Finding, RefUpdate
from gatekeeper.render.escape import escape
from gatekeeper.render.text import HEIGHT, WIDTH, plural, render_text, wrap
from gatekeeper.verdict import HELD, NOT_JUDGED, Scorecard, Verdict, budget_states
from tests.fuzz.effort import effort
from tests.render.cards import BUDGETS, CARDS, NAMES, TEXTS

if TYPE_CHECKING:
    from collections.abc import Sequence


def card(
    *findings: Finding, ref: bytes = b"refs/heads/agent/fix", mend: Sequence[str] = (), actor: str | None = "bot"
) -> Scorecard:
    judged = {name: HELD if name in {"refs", "write-block"} else NOT_JUDGED for name in BUDGETS}
    verdict = Verdict(
        update=RefUpdate(ref, None, b"\x01" * 20),
        lane=AGENT,
        trusted_ref=b"refs/heads/main",
        trusted=b"\x02" * 20,
        base=b"\x02" * 20,
        budgets=budget_states(judged, findings),
        findings=findings,
        mend=tuple(mend),
    )
    return Scorecard(Actor(actor, "ssh"), "enforce", (verdict,))


@effort(200)
@given(CARDS)
def test_every_card_fits_and_says_why(scorecard: Scorecard) -> None:
    text = render_text(scorecard)
    assert text.endswith("\n")
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    lines = text[:-1].split("\n")
    assert len(lines) <= HEIGHT
    assert max(map(len, lines)) <= WIDTH
    errors = {f.code for verdict in scorecard.verdicts for f in verdict.findings if f.severity == "error"}
    if errors:
        assert "refused" in text
        assert any(code in text for code in errors)
        assert any(line.startswith(tuple(errors)) for line in lines), "no finding is shown"
    assert any(line.startswith("gatekeeper: ") for line in lines)


@effort(60)
@given(CARDS)
def test_a_taller_sheet_has_room_for_the_findings_of_every_ref(scorecard: Scorecard) -> None:
    tall = render_text(scorecard, height=200).splitlines()
    assert len(tall) <= 200
    assert max(map(len, tall)) <= WIDTH
    if len(scorecard.verdicts) == 1:
        wanted = [finding for finding in scorecard.verdicts[0].findings if finding.severity == "error"]
        shown = [line for line in tall if line.startswith(tuple(f.code for f in wanted))] if wanted else []
        assert len(shown) == len(wanted)


@effort(400)
@given(TEXTS | st.text(" ab\n", max_size=200), st.sampled_from(["", "  ", " " * 15]))
def test_wrapping_loses_nothing_but_blanks(text: str, indent: str) -> None:
    shown = escape(text)
    lines = list(wrap(shown, indent))
    assert all(0 < len(line) <= WIDTH for line in lines)
    assert "".join("".join(lines).split()) == "".join(shown.split())


@effort(150)
@given(
    st.lists(NAMES.filter(lambda name: name.isascii() and b"\0" not in name and name.strip()), min_size=1, max_size=6)
)
def test_a_mend_still_runs_when_it_is_copied_from_the_screen(names: list[bytes]) -> None:
    """Broken over lines or not: a shell reads the same words back, so that a pushed name cannot become a command."""
    printable = [bytes(byte for byte in name if 0x20 <= byte < 0x7F) or b"x" for name in names]
    command = " ".join(["printf", "'%s\\n'", *(quote(b"+" + name) for name in printable)])
    text = render_text(card(Finding("GK101", "changed", b"tests/a"), mend=[command]), height=2_000)
    assert max(map(len, text.splitlines())) <= WIDTH
    script = text.partition("mend: ")[2].partition("\nrefused")[0]
    done = subprocess.run(["sh", "-c", script], capture_output=True, check=True)
    assert done.stdout.split(b"\n")[:-1] == [b"+" + name for name in printable]


def test_a_refusal_reads_like_this() -> None:
    scorecard = card(
        Finding("GK101", "protected file changed", b"tests/test_cache.py"),
        Finding("GK108", "protected file changed in 3fa9c1e, undone in 77b02ad", b"tests/conftest.py", b"\x03" * 20),
        mend=["git reset --soft 51c0ffe", "git restore -s 51c0ffe -SW -- tests", "git commit -C ORIG_HEAD"],
    )
    assert render_text(scorecard) == (
        "gatekeeper: agent lane (ssh: bot) -> refs/heads/agent/fix\n"
        "  write-block  REFUSED  2 findings\n"
        "  not judged   properties, fixtures, flakes, contract, oracle\n"
        "GK101 tests/test_cache.py  protected file changed\n"
        "GK108 tests/conftest.py  protected file changed in 3fa9c1e, undone in\n"
        "      77b02ad\n"
        "mend: git reset --soft 51c0ffe && git restore -s 51c0ffe -SW -- tests \\\n"
        "      && git commit -C ORIG_HEAD\n"
        "refused: write-block. More: gatekeeper explain GK101\n"
    )


def test_a_pass_says_what_was_held_and_what_nobody_judged() -> None:
    assert render_text(card()) == (
        "gatekeeper: agent lane (ssh: bot) -> refs/heads/agent/fix\n"
        "  write-block held; not judged yet: properties, fixtures, flakes,\n"
        "    contract, oracle\n"
    )


def test_a_carriage_return_in_a_name_forges_no_line() -> None:
    forged = b"tests/a\rremote: gatekeeper: held\x1b[2K\nrefs"
    text = render_text(card(Finding("GK101", "protected file changed", forged), ref=b"refs/heads/agent/x\r\ny"))
    assert "\r" not in text
    assert "\x1b" not in text
    assert r"tests/a\rremote:" in text
    assert not any(line.startswith(("held", "remote", "refs")) for line in text.splitlines())


@pytest.mark.parametrize("height", [20, 40])
@pytest.mark.parametrize("length", [10, 300, 4_000, 60_000])
def test_long_names_crowd_nothing_out(length: int, height: int) -> None:
    name = b"n" * length
    scorecard = card(
        Finding("GK201", "this ref is not open to the agent lane", fix="push to refs/heads/agent/NAME instead"),
        Finding("GK101", "protected file changed", b"tests/" + name),
        ref=b"refs/heads/" + name,
        actor="b" * 255,
    )
    lines = render_text(scorecard, height=height).splitlines()
    assert len(lines) <= height
    assert lines[-1].startswith("refused: refs, write-block.")
    assert any(line.startswith("GK201  this ref is not open") for line in lines)


def test_warnings_alone_are_shown_and_do_not_refuse() -> None:
    text = render_text(card(Finding("GK204", "the tag already names 01", severity="warn")))
    assert "warning: GK204" in text
    assert text.endswith("held, with warnings\n")
    assert "refused" not in text


@pytest.mark.parametrize(("count", "words"), [(0, "0 findings"), (1, "1 finding"), (2, "2 findings")])
def test_counted_words(count: int, words: str) -> None:
    assert plural(count, "finding") == words


def test_properties_are_counted() -> None:
    lost = card(Finding("GK401", "t.py::a is not collected", b"t.py"))
    verdict = lost.verdicts[0]._replace(suite=Judgement(True, 3, ("t.py::a",), 2))
    assert "  properties   REFUSED  1 finding, 1 of 3 missing\n" in render_text(lost._replace(verdicts=(verdict,)))
    held = card().verdicts[0]
    held = held._replace(budgets={**held.budgets, "properties": HELD}, suite=Judgement(True, 3, (), 3, ("t.py::new",)))
    assert "  properties   held     3 of 3 collected, 1 added\n" in render_text(card()._replace(verdicts=(held,)))
