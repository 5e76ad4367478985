"""Real pushes over a local path, ssh and smart HTTP: the same verdict, and identity from the transport alone."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from tests.support.lab import HONEST_FIX, WEAKENED_TEST, Lab, policy

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.conftest import World
    from tests.support.servers import HttpServer, Transport

MAIN = "refs/heads/main"

LIES = {"GATEKEEPER_ACTOR": "alice", "REMOTE_USER": "alice", "GATEKEEPER_LANE": "human"}
"""What an agent may write into its own environment; the test's sshd lets all of it through."""


def assert_nothing_moved(lab: Lab, *pushed: str) -> None:
    assert lab.refs() == {MAIN: lab.base}
    for oid in pushed:
        assert lab.server.run("cat-file", "-e", oid).returncode != 0, "a refused push left its objects behind"


def test_an_honest_patch_is_accepted(world: World) -> None:
    fix = world.lab.commit(HONEST_FIX)
    pushed = world.push(f"{fix}:refs/heads/agent/fix", actor="bot")
    assert pushed.accepted, pushed.result.stderr
    assert pushed.codes == frozenset()
    assert world.lab.refs() == {MAIN: world.lab.base, "refs/heads/agent/fix": fix}


def test_a_push_that_touches_tests_is_refused(world: World) -> None:
    cheat = world.lab.commit({**HONEST_FIX, **WEAKENED_TEST})
    pushed = world.push(f"{cheat}:refs/heads/agent/fix", actor="bot")
    assert not pushed.accepted
    assert any(line.startswith("GK101 tests/test_encoder.py") for line in map(str.strip, pushed.remote)), pushed.remote
    assert pushed.codes == {"GK101"}
    assert_nothing_moved(world.lab, cheat)


@pytest.mark.parametrize("order", [("clean", "dirty"), ("dirty", "clean")], ids="-then-".join)
def test_one_dirty_ref_refuses_the_clean_one_beside_it(world: World, order: tuple[str, str]) -> None:
    commits = {"clean": world.lab.commit(HONEST_FIX), "dirty": world.lab.commit(WEAKENED_TEST)}
    # Named so that git, whether it keeps the refspecs' order or sorts, sends them in the order that is tested.
    pushed = world.push(*(f"{commits[kind]}:refs/heads/agent/{n}-{kind}" for n, kind in enumerate(order)), actor="bot")
    assert not pushed.accepted
    assert pushed.codes == {"GK101"}
    assert_nothing_moved(world.lab, *commits.values())


def test_two_clean_refs_are_accepted_together(world: World) -> None:
    one, two = world.lab.commit(HONEST_FIX), world.lab.commit({"src/helper.py": b"def _help() -> None:\n    pass\n"})
    pushed = world.push(f"{one}:refs/heads/agent/one", f"{two}:refs/heads/agent/two", actor="bot")
    assert pushed.accepted, pushed.result.stderr
    assert world.lab.refs() == {MAIN: world.lab.base, "refs/heads/agent/one": one, "refs/heads/agent/two": two}


def test_a_person_may_write_main_and_the_tests(world: World) -> None:
    change = world.lab.commit({**HONEST_FIX, **WEAKENED_TEST})
    pushed = world.push(f"{change}:{MAIN}", actor="alice")
    assert pushed.accepted, pushed.result.stderr
    assert world.lab.tip() == change


def test_an_agent_may_not_write_main(world: World) -> None:
    fix = world.lab.commit(HONEST_FIX, author=b"Alice <alice@example.invalid>")
    pushed = world.push(f"{fix}:{MAIN}", actor="bot")
    assert not pushed.accepted
    assert pushed.codes == {"GK201"}
    assert_nothing_moved(world.lab, fix)


def test_an_agent_that_calls_itself_alice_is_still_an_agent(world: World) -> None:
    lies = dict(LIES)
    if world.transport.source == "ssh" and world.transport.env("bot").get("GATEKEEPER_ACTOR"):
        # Over a local path the hook runs in the pusher's own environment: this one variable is the identity there.
        del lies["GATEKEEPER_ACTOR"]
    lies |= {"GIT_CONFIG_COUNT": "2"}
    for n, header in enumerate(("Remote-User: alice", "Gatekeeper-Actor: alice")):
        lies |= {f"GIT_CONFIG_KEY_{n}": "http.extraHeader", f"GIT_CONFIG_VALUE_{n}": header}
    fix = world.lab.commit(HONEST_FIX)
    pushed = world.push(f"{fix}:{MAIN}", actor="bot", env=lies)
    assert not pushed.accepted
    assert pushed.codes == {"GK201"}
    assert_nothing_moved(world.lab, fix)


def test_a_pusher_without_a_name_is_an_agent(world: World) -> None:
    fix, cheat = world.lab.commit(HONEST_FIX), world.lab.commit(WEAKENED_TEST)
    assert world.push(f"{fix}:{MAIN}", actor=None).codes == {"GK201"}
    assert world.push(f"{cheat}:refs/heads/agent/fix", actor=None).codes == {"GK101"}
    assert_nothing_moved(world.lab, fix, cheat)
    pushed = world.push(f"{fix}:refs/heads/agent/fix", actor=None)
    assert pushed.accepted, pushed.result.stderr


def test_a_push_of_megabytes_is_judged_like_any_other(world: World) -> None:
    def noise(seed: int) -> bytes:
        """64 KiB that no compression makes smaller than half, so that the client sends the pack in chunks."""
        return b"# " + b"".join(hashlib.sha256(b"%d %d" % (seed, n)).hexdigest().encode() for n in range(1024)) + b"\n"

    big = world.lab.commit({f"src/table{n}.py": noise(n) for n in range(48)})
    pushed = world.push(f"{big}:refs/heads/agent/big", actor="bot")
    assert pushed.accepted, pushed.result.stderr
    cheat = world.lab.commit(WEAKENED_TEST | {f"src/other{n}.py": noise(-n) for n in range(48)})
    assert world.push(f"{cheat}:refs/heads/agent/cheat", actor="bot").codes == {"GK101"}


def test_the_policy_alone_says_where_identity_comes_from(tmp_path: Path, transport: Transport) -> None:
    """A policy for the other transport does not take this one's word, nor guess from what the environment holds."""
    other = {"ssh": "http", "http": "ssh"}[transport.source]
    lab = Lab(tmp_path, policy=policy(other))
    fix = lab.commit(HONEST_FIX)
    pushed = lab.push(f"{fix}:{MAIN}", actor=None, url=transport.url(lab.bare, "alice"), env=transport.env("alice"))
    assert pushed.codes == {"GK201"}
    assert_nothing_moved(lab, fix)


def test_a_name_claimed_where_no_login_is_asked_counts_for_nothing(tmp_path: Path, http: HttpServer) -> None:
    lab = Lab(tmp_path, policy=policy("http"))
    fix = lab.commit(HONEST_FIX)
    claimed = http.url(lab.bare, None).replace("http://", "http://alice:guess@")
    assert lab.push(f"{fix}:{MAIN}", actor=None, url=claimed).codes == {"GK201"}
    assert_nothing_moved(lab, fix)
