"""Findings fold to one exit code and honest budget states."""

from __future__ import annotations

from itertools import product

import pytest

from gatekeeper.errors import (
    DeadlineExceeded,
    GatekeeperError,
    LimitExceeded,
    MalformedObject,
    MissingObject,
    PolicyError,
    RepositoryError,
    UsageError,
)
from gatekeeper.gate import Gate, explain
from gatekeeper.git.reader import Objects
from gatekeeper.model import Actor, Finding, Push, RefUpdate
from gatekeeper.policy import Layer
from gatekeeper.policy.load import Layers
from gatekeeper.verdict import Scorecard, Verdict, budget_states, exit_code, family, keep, worst
from tests.judging.world import FIX, POLICY, WEAK, World, found


def finding(code: str, severity: str = "error") -> Finding:
    return Finding(code, "", severity="warn" if severity == "warn" else "error")


def test_two_wins_over_three_wins_over_one() -> None:
    order = [0, 1, 3, 2]
    for left, right in product(order, order):
        assert worst([left, right]) == max(left, right, key=order.index)
    assert worst([]) == 0


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ([], 0),
        (["GK101"], 1),
        (["GK102"], 2),
        (["GK001"], 3),
        (["GK002"], 3),
        (["GK003"], 1),
        (["GK004"], 1),
        (["GK005"], 1),
        (["GK006"], 3),
        (["GK007"], 1),
        (["GK008"], 3),
        (["GK009"], 1),
        (["GK207", "GK102", "GK006"], 2),
        (["GK207", "GK006"], 3),
    ],
)
def test_exit_codes(codes: list[str], expected: int) -> None:
    assert exit_code(map(finding, codes)) == expected
    assert exit_code(finding(code, "warn") for code in codes) == 0


@pytest.mark.parametrize(
    ("code", "budget"),
    [
        ("GK001", "gate"),
        ("GK110", "write-block"),
        ("GK201", "refs"),
        ("GK301", "contract"),
        ("GK401", "properties"),
        ("GK501", "fixtures"),
        ("GK601", "flakes"),
        ("GK701", "oracle"),
    ],
)
def test_families(code: str, budget: str) -> None:
    assert family(code) == budget


def test_held_needs_evidence() -> None:
    judged = {"refs": "held", "write-block": "held", "properties": "absent", "contract": "not judged"}
    assert budget_states(judged, []) == judged
    assert budget_states(judged, [finding("GK101")]) == {**judged, "write-block": "refused"}
    assert budget_states(judged, [finding("GK101", "warn")]) == judged
    for code in ("GK003", "GK009"):
        assert budget_states(judged, [finding(code)]) == judged
    assert budget_states(judged, [finding("GK004")]) == {**judged, "write-block": "not judged"}
    assert budget_states(judged, [finding("GK004"), finding("GK101")]) == {**judged, "write-block": "refused"}
    for code in ("GK001", "GK002", "GK005", "GK006", "GK007", "GK008"):
        unfinished = {**judged, "refs": "not judged", "write-block": "not judged"}
        assert budget_states(judged, [finding(code)]) == unfinished
        assert budget_states(judged, [finding(code), finding("GK201")]) == {**unfinished, "refs": "refused"}


def test_what_decides_is_kept_when_findings_are_cut() -> None:
    rows = [finding("GK201", "warn"), finding("GK101"), finding("GK006"), finding("GK102")]
    assert keep(rows, 4) == tuple(rows)
    assert keep(rows, 3) == (rows[3], rows[2], rows[1])
    assert keep(rows, 1) == (rows[3],)


def scorecard(mode: str, *codes: str) -> Scorecard:
    update = RefUpdate(b"refs/heads/agent/x", None, None)
    verdicts = tuple(Verdict(update, "agent", None, None, None, {}, (finding(code),)) for code in codes)
    return Scorecard(Actor(None, "none"), "observe" if mode == "observe" else "enforce", verdicts)


def test_observing_computes_everything_and_refuses_nothing() -> None:
    assert scorecard("enforce", "GK101", "GK006").exit == 3
    assert scorecard("observe", "GK101", "GK006").exit == 0
    assert scorecard("observe", "GK101", "GK006").judged == 3
    assert scorecard("enforce").exit == 0


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (GatekeeperError("x"), "GK001"),
        (UsageError("x"), "GK001"),
        (RepositoryError("x"), "GK001"),
        (DeadlineExceeded("x"), "GK002"),
        (MalformedObject("x"), "GK005"),
        (MissingObject("x"), "GK006"),
        (LimitExceeded("x"), "GK007"),
        (PolicyError("x"), "GK008"),
    ],
)
def test_every_fault_is_exactly_one_finding(fault: GatekeeperError, code: str) -> None:
    findings = list(explain(fault))
    assert [f.code for f in findings] == [code]
    assert findings[0].severity == "error"
    assert findings[0].message == "x"


def test_a_fault_that_no_rule_claims_is_still_a_refusal() -> None:
    class Unheard(GatekeeperError):
        code = "GK099"

    assert [f.code for f in explain(Unheard("x"))] == ["GK001"]


class Broken:
    """Trusted refs that fail in every way that a backend can."""

    def __init__(self, error: BaseException) -> None:
        self.error = error
        self.asked = 0

    def find(self, ref: bytes | None) -> tuple[bytes, bytes | None]:  # noqa: ARG002 (the port's signature)
        self.asked += 1
        raise self.error


@pytest.mark.parametrize(
    "error", [ValueError("x"), MemoryError(), RecursionError(), KeyError(b"x"), OSError(28, "full")]
)
def test_whatever_a_check_dies_of_is_a_refusal(error: Exception) -> None:
    world = World()
    gate = Gate(world.store, refs=Broken(error), server=POLICY, layers=Layers(frozenset()))
    card = gate.judge(Push((RefUpdate(b"refs/heads/agent/x", None, world.commit(FIX)),), Actor("bot", "ssh")))
    assert card.exit == 3
    assert found(card.verdicts[0]) == ["GK001"]
    assert type(error).__name__ in card.verdicts[0].findings[0].message


def test_after_the_deadline_no_further_ref_is_judged() -> None:
    world = World()
    refs = Broken(DeadlineExceeded("late"))
    gate = Gate(world.store, refs=refs, server=POLICY, layers=Layers(frozenset()))
    fix = world.commit(FIX)
    updates = tuple(RefUpdate(b"refs/heads/agent/%d" % n, None, fix) for n in range(3))
    card = gate.judge(Push(updates, Actor("bot", "ssh")))
    assert [found(verdict) for verdict in card.verdicts] == [["GK002"]] * 3
    assert refs.asked == 1
    assert card.exit == 3


def test_interrupts_are_not_swallowed() -> None:
    world = World()
    gate = Gate(world.store, refs=Broken(KeyboardInterrupt()), server=POLICY, layers=Layers(frozenset()))
    with pytest.raises(KeyboardInterrupt):
        gate.judge(Push((RefUpdate(b"refs/heads/agent/x", None, world.base),), Actor("bot", "ssh")))


def test_before_the_trusted_ref_exists() -> None:
    world = World()
    del world.store.refs[b"refs/heads/main"]
    agents = world.judge(world.base)
    assert found(agents) == ["GK008"]
    assert agents.exit == 3
    assert "refs/heads/main" in agents.findings[0].message
    assert found(world.judge(world.base, ref=b"refs/heads/main")) == ["GK201", "GK008"]
    assert found(world.judge(world.base, ref=b"refs/heads/main", actor="alice")) == []
    assert found(world.judge(world.base, ref=b"refs/heads/topic", actor="alice")) == []
    assert found(world.judge(None, ref=b"refs/heads/agent/x", old=world.base)) == []


def test_a_detached_head_names_no_trusted_ref() -> None:
    world = World()
    world.store.head = None
    assert found(world.judge(world.commit(FIX))) == ["GK008"]


def test_missing_history_is_no_verdict() -> None:
    world = World()
    fix = world.commit(FIX)
    del world.store.objects[Objects(world.store).commit(world.base).tree]
    verdict = world.judge(fix)
    assert found(verdict) == ["GK006"]
    assert verdict.exit == 3
    assert verdict.budgets["write-block"] == "not judged"


class TestRepositoryPolicy:
    def test_it_tightens(self) -> None:
        world = World(
            {
                "src/pkg/a.py": b"",
                "src/b.py": b"",
                "contracts/policy.toml": b'version = 1\n[paths]\nwritable = ["src/pkg/**"]\n',
            }
        )
        assert found(world.judge(world.commit({"src/pkg/a.py": b"x"}))) == []
        assert found(world.judge(world.commit({"src/b.py": b"x"}))) == ["GK103 src/b.py"]

    def test_a_pushed_one_judges_nothing(self) -> None:
        world = World()
        loose = world.commit({"contracts/policy.toml": b"version = 1\n", **WEAK})
        assert found(world.judge(loose)) == ["GK102 contracts/policy.toml", "GK101 tests/test_encoder.py"]

    def test_an_unreadable_one_stops_everybody_but_its_repair(self) -> None:
        world = World({"src/a.py": b"", "contracts/policy.toml": b"version = 9\n"})
        assert found(world.judge(world.commit({"src/a.py": b"x"}))) == ["GK008"]
        still = world.commit({"src/a.py": b"x"})
        assert found(world.judge(still, ref=b"refs/heads/main", actor="alice")) == ["GK008"]
        repaired = world.commit({"contracts/policy.toml": b"version = 1\n"})
        removed = world.commit({"contracts/policy.toml": None})
        for head in (repaired, removed):
            assert found(world.judge(head, ref=b"refs/heads/main", actor="alice")) == ["GK008 (warn)"]
        assert found(world.judge(repaired, ref=b"refs/heads/topic", actor="alice")) == ["GK008"]
        assert found(world.judge(repaired, ref=b"refs/heads/main")) == ["GK008"]
        worse = world.commit({"contracts/policy.toml": b"version = 8\n"})
        assert found(world.judge(worse, ref=b"refs/heads/main", actor="alice")) == [
            "GK008 (warn)",
            "GK009 contracts/policy.toml",
        ]
        assert found(world.judge(None, ref=b"refs/heads/main", actor="alice", old=world.base)) == ["GK008"]

    def test_a_link_in_its_place_is_no_policy(self) -> None:
        world = World({"src/a.py": b"", "contracts/policy.toml": (0o120000, b"../src/a.py")})
        assert found(world.judge(world.commit({"src/a.py": b"x"}))) == ["GK006"]


@pytest.mark.parametrize(
    ("path", "data", "valid"),
    [
        ("contracts/policy.toml", b"version = 1\n", True),
        ("contracts/policy.toml", b"mode = 'observe'\n", False),
        ("contracts/properties.toml", b"[budget]\nmin_collected = 8\n", True),
        ("contracts/properties.toml", b"[budget\n", False),
        ("contracts/properties.toml", b"\xff", False),
        ("contracts/flake_budget.json", b'{"capacity": 5, "entries": []}', True),
        ("contracts/flake_budget.json", b"[]", False),
        ("contracts/flake_budget.json", b"{", False),
        ("contracts/flake-ledger.jsonl", b'{"nodeid": "x"}\n\n{}\n', True),
        ("contracts/flake-ledger.jsonl", b"{}\n3\n", False),
        ("contracts/fixtures.lock", b'{"a": "b"}', True),
        ("contracts/fixtures.lock", b"0" * 64 + b"  a\n", True),
        ("contracts/fixtures.lock", b"0" * 63 + b"  a\n", False),
        ("contracts/fixtures.lock", b"0" * 64 + b"\n", False),
        ("contracts/contract.allow", b"# nothing\n", True),
    ],
)
def test_a_pushed_contract_has_its_form(path: str, data: bytes, valid: bool) -> None:
    world = World()
    verdict = world.judge(world.commit({path: data}), ref=b"refs/heads/main", actor="alice")
    assert found(verdict) == ([] if valid else [f"GK009 {path}"])


def test_a_pushed_contract_is_a_plain_file() -> None:
    world = World()
    head = world.commit({"contracts/policy.toml": (0o120000, b"x")})
    assert found(world.judge(head, ref=b"refs/heads/main", actor="alice")) == ["GK009 contracts/policy.toml"]


def test_people_may_not_push_names_that_forge_output() -> None:
    world = World()
    for path, refused in (("a\rb", True), (".git/config", True), ("docs/a b;c", False), ("a\\b", False)):
        verdict = world.judge(world.commit({path: b""}), ref=b"refs/heads/main", actor="alice")
        assert found(verdict) == ([f"GK110 {path}"] if refused else []), path


def test_findings_beyond_the_limit_are_counted() -> None:
    world = World(server=POLICY._replace(limits={"findings": 2}))
    verdict = world.judge(world.commit({f"tests/n{n}": b"" for n in range(5)}))
    assert len(verdict.findings) == 2
    assert verdict.truncated == 3
    assert verdict.exit == 1


def test_a_flood_of_warnings_does_not_push_out_what_decides() -> None:
    world = World(server=POLICY._replace(limits={"findings": 2}, severity={"agent": {"GK105": "warn"}}))
    links = {f"src/l{n}": (0o120000, b"x") for n in range(5)}
    assert found(world.judge(world.commit({**links, **WEAK})))[0] == "GK101 tests/test_encoder.py"
    assert world.judge(world.commit({**links, **WEAK})).exit == 1
    assert world.judge(world.commit({**links, **WEAK, "contracts/x": b""})).exit == 2
    assert world.judge(world.commit(links)).exit == 0


def test_the_lane_of_nobody() -> None:
    world = World(server=Layer())
    assert world.judge(world.commit(FIX), actor=None).lane == "agent"
