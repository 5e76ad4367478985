"""Fold findings into a verdict, verdicts into a scorecard, and a scorecard into one exit code."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gatekeeper.judged import Judgement
    from gatekeeper.model import Actor, Finding, Lane, Mode, Oid, RefUpdate

HELD, REFUSED, NOT_JUDGED, ABSENT = "held", "refused", "not judged", "absent"

EXIT_HELD, EXIT_BROKEN, EXIT_CONTRACT, EXIT_NO_VERDICT = 0, 1, 2, 3
"""Exit codes of every entry point (README, "Exit codes"); 130 is an interrupt."""

NO_VERDICT = frozenset(("GK001", "GK002", "GK006", "GK008"))
"""Rules that say "could not judge"; everything else says "judged"."""

_SEVERITY = {EXIT_HELD: 0, EXIT_BROKEN: 1, EXIT_NO_VERDICT: 2, EXIT_CONTRACT: 3}

FAMILIES: Mapping[str, str] = {
    "GK0": "gate",
    "GK1": "write-block",
    "GK2": "refs",
    "GK3": "contract",
    "GK4": "properties",
    "GK5": "fixtures",
    "GK6": "flakes",
    "GK7": "oracle",
}
"""Which budget a rule code belongs to, by its first digit."""


class Verdict(NamedTuple):
    """The judgement of one ref update.

    ``budgets`` maps every budget's name to held, refused, not judged or absent. ``mend`` is a list of shell commands
    that, run in the pusher's clone, make the push acceptable; empty when no command can. ``digest`` is that of the
    head's public API, None where it was not made. ``suite`` is what became of the named properties, None where they
    were not judged.
    """

    update: RefUpdate
    lane: Lane
    trusted_ref: bytes | None
    trusted: Oid | None
    base: Oid | None
    budgets: Mapping[str, str]
    findings: tuple[Finding, ...]
    mend: tuple[str, ...] = ()
    truncated: int = 0
    digest: str | None = None
    suite: Judgement | None = None

    @property
    def exit(self) -> int:
        """The exit code that this update alone would give in enforce mode."""
        return exit_code(self.findings)


class Scorecard(NamedTuple):
    """All verdicts of one push."""

    actor: Actor
    mode: Mode
    verdicts: tuple[Verdict, ...]

    @property
    def judged(self) -> int:
        """The exit code of the judgement, whatever the mode: contract files over no verdict over a broken budget."""
        return worst(verdict.exit for verdict in self.verdicts)

    @property
    def exit(self) -> int:
        """The exit code of the process: the judgement's, or 0 where the policy only observes."""
        return EXIT_HELD if self.mode == "observe" else self.judged


def exit_code(findings: Iterable[Finding]) -> int:
    """The exit code that a list of findings asks for; warnings ask for nothing."""
    return worst(_weight(finding) for finding in findings if finding.severity == "error")


def worst(codes: Iterable[int]) -> int:
    """The exit code that wins: 2 over 3 over 1 over 0."""
    return max(codes, key=_SEVERITY.__getitem__, default=EXIT_HELD)


def keep(findings: Sequence[Finding], limit: int) -> tuple[Finding, ...]:
    """At most ``limit`` findings, those that decide the exit code first: warnings must not push out an error."""
    if len(findings) <= limit:
        return tuple(findings)
    return tuple(sorted(findings, key=lambda finding: -_SEVERITY[exit_code((finding,))])[:limit])


def _weight(finding: Finding) -> int:
    if finding.code == "GK102":
        return EXIT_CONTRACT
    return EXIT_NO_VERDICT if finding.code in NO_VERDICT else EXIT_BROKEN


def family(code: str) -> str:
    """The budget that a rule code belongs to."""
    return FAMILIES[code[:3]]


def budget_states(judged: Mapping[str, str], findings: Iterable[Finding]) -> dict[str, str]:
    """Budget states with every budget that has an error turned to refused.

    Args:
        judged: what each budget would be without findings. findings: of one update. When one of them says that no
        verdict was reached, a budget that found nothing is not judged,
            because ``held`` needs evidence that was read.
    """
    errors = [finding for finding in findings if finding.severity == "error"]
    broken = {family(finding.code) for finding in errors}
    unfinished = any(finding.code.startswith("GK0") and finding.code not in _FINISHED for finding in errors)
    # without one merge base nobody has looked at what lies outside the writable set
    unlooked = {"write-block"} if any(finding.code == "GK004" for finding in errors) else set()
    states = {}
    for name, state in judged.items():
        if name in broken:
            states[name] = REFUSED
        else:
            states[name] = NOT_JUDGED if state == HELD and (unfinished or name in unlooked) else state
    return states


_FINISHED = frozenset(("GK003", "GK004", "GK009"))
"""Gate rules that are findings of a finished judgement; the other GK0xx end it."""
