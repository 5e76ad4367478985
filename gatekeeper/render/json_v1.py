"""The scorecard as JSON, version 1: a frozen wire format, described by ``contracts_schema/scorecard-v1.schema.json``.

The top level keeps the keys that the two seeds print, so that what reads them keeps working; null means "not judged".
The wire format is not the internal type: fields are named here one by one, and only ever added.
"""

from __future__ import annotations

import json

from gatekeeper import __version__
from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.render.escape import escape
from gatekeeper.verdict import EXIT_CONTRACT, HELD

if TYPE_CHECKING:
    from gatekeeper.judged import Judgement
    from gatekeeper.model import Finding, Oid
    from gatekeeper.verdict import Scorecard, Verdict

VERSION = 1


def render_json(card: Scorecard) -> str:
    """The scorecard as one JSON document with sorted keys, ending with a newline."""
    return json.dumps(scorecard(card), indent=2, sort_keys=True, ensure_ascii=True) + "\n"


def scorecard(card: Scorecard) -> dict[str, object]:
    """The scorecard as plain values."""
    suites = [verdict.suite for verdict in card.verdicts if verdict.suite is not None]
    document: dict[str, object] = {
        "version": VERSION,
        "gatekeeper": __version__,
        "mode": card.mode,
        "exit": card.judged,
        "verdict": {0: "held", 3: "no verdict"}.get(card.judged, "refused"),
        "actor": {"name": card.actor.name, "source": card.actor.source},
        "updates": [_verdict(verdict) for verdict in card.verdicts],
        "properties_required": max((suite.required for suite in suites), default=None),
        "properties_missing": sorted({name for suite in suites for name in suite.missing}) if suites else None,
        "fixture_hash_ok": None,
        "flake_remaining": None,
        "contract_files_untouched": _untouched(card),
    }
    if card.judged == EXIT_CONTRACT:
        document["error"] = "agent_touched_contracts"
        document["changed"] = sorted(
            _path(f.path) for v in card.verdicts for f in v.findings if f.code == "GK102" and f.path
        )
    return document


def _untouched(card: Scorecard) -> bool | None:
    """False when an agent wrote a contract file, True when every update was judged for it, None when one was not."""
    if any(finding.code == "GK102" for verdict in card.verdicts for finding in verdict.findings):
        return False
    judged = [verdict.budgets["write-block"] for verdict in card.verdicts if verdict.update.new is not None]
    return True if judged and all(state in (HELD, "refused") for state in judged) else None


def _verdict(verdict: Verdict) -> dict[str, object]:
    return {
        "ref": _path(verdict.update.ref),
        "old": _oid(verdict.update.old),
        "new": _oid(verdict.update.new),
        "lane": verdict.lane,
        "trusted_ref": None if verdict.trusted_ref is None else _path(verdict.trusted_ref),
        "trusted": _oid(verdict.trusted),
        "base": _oid(verdict.base),
        "exit": verdict.exit,
        "contract_digest": verdict.digest,
        "properties": None if verdict.suite is None else _suite(verdict.suite),
        "budgets": {name: None if state == "not judged" else state for name, state in verdict.budgets.items()},
        "findings": [_finding(finding) for finding in verdict.findings],
        "findings_left_out": verdict.truncated,
        "mend": list(verdict.mend),
    }


def _suite(suite: Judgement) -> dict[str, object]:
    return {
        "required": suite.required,
        "collected": suite.collected,
        "missing": list(suite.missing),
        "credit": list(suite.credit),
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": escape(finding.message),
        "path": None if finding.path is None else _path(finding.path),
        "path_hex": None if finding.path is None else finding.path.hex(),
        "line": finding.line,
        "commit": _oid(finding.commit),
        "fix": escape(finding.fix),
    }


def _path(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")


def _oid(oid: Oid | None) -> str | None:
    return None if oid is None else oid.hex()
