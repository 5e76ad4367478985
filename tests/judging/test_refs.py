"""Which refs a lane may move, and how, as a table."""

from __future__ import annotations

import pytest

from gatekeeper.model import AGENT, HUMAN
from gatekeeper.policy import Line
from tests.judging.world import FIX, POLICY, WEAK, World, found


@pytest.mark.parametrize(
    ("ref", "agent", "human"),
    [
        (b"refs/heads/agent/x", [], []),
        (b"refs/heads/agent/deep/er", [], []),
        (b"refs/heads/main", ["GK201"], []),
        (b"refs/heads/other", ["GK201"], []),
        (b"refs/heads/agent", ["GK201"], []),
        (b"refs/heads/agents/x", ["GK201"], []),
        (b"refs/tags/v1", ["GK201"], []),
        (b"refs/tags/origin/main", ["GK201"], []),
        (b"refs/heads/agent/$(id)", ["GK201"], ["GK201"]),
        (b"refs/heads/agent/a;b", ["GK201"], ["GK201"]),
        (b"refs/heads/agent/-x", ["GK201"], ["GK201"]),
        (b"refs/heads/agent/.x", ["GK201"], ["GK201"]),
        (b"refs/heads/agent/\xff", ["GK201"], ["GK201"]),
        (b"refs/heads/agent/caf\xc3\xa9", ["GK201"], ["GK201"]),
        (b"refs/heads/$(id)", ["GK201"], []),
        (b"refs/heads/agent/x.lock", ["GK201"], ["GK201"]),
        (b"refs/heads/agent/x.", ["GK201"], ["GK201"]),
        (b"refs/heads/agent/a..b", ["GK201"], ["GK201"]),
        (b"refs/heads/agent//x", ["GK201"], ["GK201"]),
        (b"refs/heads/agent/x@{1}", ["GK201"], ["GK201"]),
        (b"refs/heads/agent/x@1", [], []),
        (b"refs/heads/agent/a_b+c#1@2=3.4", [], []),
        (b"refs/replace/abc", ["GK205"], ["GK205"]),
        (b"refs/notes/commits", ["GK205"], ["GK205"]),
        (b"refs/meta/config", ["GK205"], ["GK205"]),
        (b"refs/pull/1/head", ["GK205"], ["GK205"]),
        (b"refs/for/main", ["GK205"], ["GK205"]),
        (b"HEAD", ["GK205"], ["GK205"]),
    ],
)
def test_where_a_lane_may_push(ref: bytes, agent: list[str], human: list[str]) -> None:
    world = World()
    fix = world.commit(FIX)
    assert found(world.judge(fix, ref=ref)) == agent
    assert found(world.judge(fix, ref=ref, actor="alice")) == human


def test_a_check_moves_no_ref() -> None:
    world = World()
    assert found(world.judge(world.commit(FIX), ref=b"", old=world.base)) == []
    assert found(world.judge(world.commit(FIX), ref=b"", old=world.commit({"src/x.py": b""}))) == []
    assert found(world.judge(world.commit(WEAK), ref=b"", old=world.base)) == ["GK101 tests/test_encoder.py"]


def test_a_namespace_may_be_opened_to_people_only() -> None:
    world = World(server=POLICY._replace(human_refs=(b"refs/for/**",)))
    fix = world.commit(FIX)
    assert found(world.judge(fix, ref=b"refs/for/main", actor="alice")) == []
    assert found(world.judge(fix, ref=b"refs/for/main")) == ["GK205"]
    assert found(world.judge(fix, ref=b"refs/other/main", actor="alice")) == ["GK205"]


def test_a_pinned_ref_is_the_agents_whoever_pushes() -> None:
    world = World()
    assert world.judge(world.commit(FIX), ref=b"refs/heads/agent/x", actor="alice").lane == AGENT
    assert world.judge(world.commit(FIX), ref=b"refs/heads/x", actor="alice").lane == HUMAN
    assert found(world.judge(world.commit(WEAK), actor="alice")) == ["GK101 tests/test_encoder.py"]


@pytest.mark.parametrize(
    ("ref", "agent", "human"),
    [
        (b"refs/heads/agent/x", [], []),
        (b"refs/heads/other", ["GK202"], []),
        (b"refs/heads/main", ["GK202"], ["GK202 (warn)"]),
        (b"refs/tags/v1", ["GK202"], []),
        (b"refs/notes/x", ["GK205"], ["GK205"]),
    ],
)
def test_deletion(ref: bytes, agent: list[str], human: list[str]) -> None:
    world = World()
    assert found(world.judge(None, ref=ref, old=world.base)) == agent
    verdict = world.judge(None, ref=ref, old=world.base, actor="alice")
    assert found(verdict) == human
    assert verdict.budgets["write-block"] == "not judged"


def test_forced_updates() -> None:
    world = World()
    one, two = world.commit(FIX), world.commit({"src/two.py": b""})
    assert found(world.judge(two, old=one)) == []
    assert found(world.judge(two, ref=b"refs/heads/topic", old=one, actor="alice")) == []
    world.trust(one)
    assert found(world.judge(two, ref=b"refs/heads/main", old=one, actor="alice")) == ["GK203 (warn)"]
    assert found(world.judge(two, ref=b"refs/heads/main", old=one)) == ["GK201", "GK203"]
    assert found(world.judge(two, ref=b"refs/heads/topic", old=one)) == ["GK201", "GK203"]


def test_an_agent_that_may_push_to_the_trusted_branch_only_moves_it_forward() -> None:
    world = World(server=POLICY._replace(agent_refs=(b"refs/heads/main",)))
    fix = world.commit(FIX)
    assert found(world.judge(fix, ref=b"refs/heads/main", old=world.base)) == []
    assert found(world.judge(world.commit(WEAK), ref=b"refs/heads/main", old=world.base)) == [
        "GK101 tests/test_encoder.py"
    ]
    world.trust(fix)
    assert found(world.judge(world.base, ref=b"refs/heads/main", old=fix)) == ["GK203"]


def test_tags() -> None:
    world = World(server=POLICY._replace(agent_refs=(b"refs/heads/agent/**", b"refs/tags/**")))
    fix = world.commit(FIX)
    assert found(world.judge(fix, ref=b"refs/tags/v1")) == []
    assert found(world.judge(fix, ref=b"refs/tags/v1", old=fix)) == []
    assert found(world.judge(fix, ref=b"refs/tags/v1", old=world.base)) == ["GK204"]
    assert found(world.judge(fix, ref=b"refs/tags/v1", old=world.base, actor="alice")) == ["GK204 (warn)"]
    assert found(world.judge(None, ref=b"refs/tags/v1", old=world.base)) == []


def tag(world: World, target: bytes, kind: str) -> bytes:
    lines = f"object {target.hex()}\ntype {kind}\ntag v1\ntagger A <a@example.invalid> 0 +0000\n\nv1\n"
    return world.store.put("tag", lines.encode())


def test_what_a_ref_may_name() -> None:
    world = World()
    tree, blob = world.store.tree([]), world.store.put("blob", b"")
    commit_tag, tree_tag = tag(world, world.base, "commit"), tag(world, tree, "tree")
    assert found(world.judge(commit_tag, ref=b"refs/tags/v1", actor="alice")) == []
    assert found(world.judge(tag(world, commit_tag, "tag"), ref=b"refs/tags/v1", actor="alice")) == []
    for oid in (tree, blob, tree_tag):
        assert found(world.judge(oid, ref=b"refs/tags/v1", actor="alice")) == ["GK206"]
        verdict = world.judge(oid)
        assert found(verdict) == ["GK206"]
        assert verdict.budgets["write-block"] == "not judged"
    assert found(world.judge(commit_tag, ref=b"refs/heads/x", actor="alice")) == ["GK206"]


@pytest.mark.parametrize(
    ("message", "steers"),
    [
        (b"Fix [skip ci]", True),
        (b"Fix\n\n[CI Skip]", True),
        (b"Fix\n\nskip-checks: true\n", True),
        (b"Fix\n\n  Skip-Checks:true\n", True),
        (b"Fix ***NO_CI***", True),
        (b"Fix [no ci]", True),
        (b"Do not skip ci", False),
        (b"Explain skip-checks: true", False),
        (b"Fix [ci]", False),
    ],
)
def test_messages_that_steer_ci(message: bytes, steers: bool) -> None:
    world = World()
    first = world.commit(FIX, None, message)
    head = world.commit({"src/more.py": b""}, [first])
    verdict = world.judge(head)
    assert found(verdict) == (["GK207"] if steers else [])
    assert found(world.judge(head, ref=b"refs/heads/x", actor="alice")) == []
    if steers:
        assert verdict.findings[0].commit == first
        assert verdict.mend == (f"git reset --soft {world.base.hex()[:12]}", "git commit -m 'Describe the change'")


def test_a_line_of_development_has_its_own_trusted_ref() -> None:
    world = World(server=POLICY._replace(trusted=(((b"refs/heads/agent/rel/**",), b"refs/heads/rel"),)))
    red = world.commit({"tests/test_red.py": b""})
    world.trust(red, b"refs/heads/rel")
    fix = world.commit(FIX, [red])
    assert found(world.judge(fix, ref=b"refs/heads/agent/rel/x")) == []
    assert found(world.judge(fix, ref=b"refs/heads/agent/x")) == ["GK101 tests/test_red.py"]
    assert world.judge(fix, ref=b"refs/heads/rel", actor="alice").trusted_ref == b"refs/heads/rel"


def test_lines_answer_in_order() -> None:
    assert Line._fields == ("refs", "base")
