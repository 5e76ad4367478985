"""What a policy changes about the day: additive tests, grafts, sandboxes, generators, marks, observing, tightening."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.lab import DEFAULT_POLICY, HONEST_FIX, SEED_FILES, WEAKENED_TEST, Lab, policy
from tests.workflows.kit import (
    MAIN,
    MINE,
    STRICTER,
    accepted,
    assert_only,
    bounded,
    commit,
    follow,
    move_main,
    push,
    refused,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.support.lab import Pushed
    from tests.support.objects import Value

OWN_TEST = {"tests/test_own.py": b"def test_own() -> None:\n    assert True\n"}
REPOSITORY = "contracts/policy.toml"


def offer(lab: Lab, changes: Mapping[str, Value], actor: str = "bot") -> Pushed:
    """Push one commit on the trusted tip to the agent's ref."""
    return lab.push("--force", f"{lab.commit(changes, parent=lab.tip())}:{MINE}", actor=actor)


class TestAdditive:
    """`tests = "additive"`: an agent may add tests of its own, and nothing else changes."""

    @pytest.fixture(autouse=True)
    def additive(self, lab: Lab) -> None:
        lab.write_policy(policy(more='tests = "additive"'))

    def test_a_new_test_is_the_agents_to_write_and_rewrite(self, lab: Lab) -> None:
        lab.git("checkout", "--quiet", "-b", "fix")
        commit(lab, {**HONEST_FIX, **OWN_TEST})
        accepted(push(lab))
        commit(lab, {"tests/test_own.py": b"def test_own_2() -> None:\n    assert 2\n", "tests/deep/test_two.py": b""})
        accepted(push(lab))
        commit(lab, {"tests/test_own.py": None})
        accepted(push(lab))
        assert_only(lab, MINE, {**HONEST_FIX, "tests/deep/test_two.py": b""})

    def test_once_merged_it_is_protected_like_any_other(self, lab: Lab) -> None:
        move_main(lab, OWN_TEST)
        refused(offer(lab, {"tests/test_own.py": b""}), "GK101")

    def test_the_new_test_may_come_with_a_stale_branch(self, lab: Lab) -> None:
        lab.git("checkout", "--quiet", "-b", "fix")
        commit(lab, OWN_TEST)
        move_main(lab, STRICTER)
        follow(lab, refused(push(lab), "GK003"))
        accepted(push(lab))
        assert_only(lab, MINE, OWN_TEST)

    @pytest.mark.parametrize(
        ("changes", "code"),
        [
            (WEAKENED_TEST, "GK101"),
            ({"tests/test_encoder.py": None}, "GK101"),
            ({"tests/helper.py": b""}, "GK101"),
            ({"tests/fixtures/new.bin": b""}, "GK101"),
            ({"src/test_own.py": b""}, "GK101"),
            ({"tests/conftest.py": b""}, "GK109"),
            ({"tests/deep/conftest.py": b""}, "GK109"),
            ({"tests/test_ENCODER.py": b""}, "GK101"),
            ({"tests/Properties/test_new.py": b""}, "GK101"),
            ({"tests/test_e\u200cncoder.py": b""}, "GK101"),
            ({"tests/test_encoder.py/test_new.py": b""}, "GK101"),
            ({"Tests/test_own.py": b""}, "GK104"),
            ({"tests/test_own.py": (0o120000, b"../src/encoder.py")}, "GK105"),
            ({"tests/test_encoder.py": (0o100755, b"")}, "GK106"),
            ({"tests/test_$(own).py": b""}, "GK110"),
        ],
        ids=lambda value: value if isinstance(value, str) else "-".join(value),
    )
    def test_everything_else_is_refused(self, lab: Lab, changes: Mapping[str, Value], code: str) -> None:
        refused(offer(lab, changes), code)


class TestGraft:
    """`freshness = "graft"`: a branch that only lags behind is accepted."""

    @pytest.fixture(autouse=True)
    def graft(self, lab: Lab) -> None:
        lab.write_policy(policy(more='freshness = "graft"'))
        lab.git("checkout", "--quiet", "-b", "fix")

    def test_a_stale_branch_is_accepted(self, lab: Lab) -> None:
        commit(lab, HONEST_FIX)
        move_main(lab, {**STRICTER, "tests/test_encoder.py": b""})
        answer = accepted(push(lab))
        assert answer.codes == set()

    def test_a_tampered_one_is_not(self, lab: Lab) -> None:
        commit(lab, {**HONEST_FIX, **WEAKENED_TEST})
        move_main(lab, STRICTER)
        script = follow(lab, refused(push(lab), "GK101"))
        assert "rebase" not in script, "a stale branch is good enough here"
        accepted(push(lab))

    def test_one_that_has_some_of_the_new_tests_is_not(self, lab: Lab) -> None:
        commit(lab, HONEST_FIX)
        move_main(lab, STRICTER)
        newest = move_main(lab, {"tests/test_encoder.py": b"def test_more() -> None:\n    assert [1]\n"})
        lab.git("fetch", "--quiet", "origin")
        lab.git("checkout", newest, "--", "tests/test_encoder.py")
        lab.git("commit", "--quiet", "-m", "Take one test")
        follow(lab, refused(push(lab), "GK003", "GK108"))
        accepted(push(lab))
        assert_only(lab, MINE, HONEST_FIX)


def test_an_agent_that_takes_some_of_the_new_tests_is_shown_the_way(lab: Lab) -> None:
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, HONEST_FIX)
    move_main(lab, STRICTER)
    newest = move_main(lab, {"tests/test_encoder.py": b"def test_more() -> None:\n    assert [1]\n"})
    lab.git("fetch", "--quiet", "origin")
    lab.git("checkout", newest, "--", "tests/test_encoder.py")
    lab.git("commit", "--quiet", "-m", "Take one test")
    follow(lab, refused(push(lab), "GK003", "GK108"))
    accepted(push(lab))
    assert_only(lab, MINE, HONEST_FIX)


def test_a_sandbox_is_open_to_agents_and_nothing_beside_it(lab: Lab) -> None:
    lab.write_policy(policy(tail='[paths]\nsandbox = ["tests/snapshots/**"]'))
    accepted(offer(lab, {"tests/snapshots/a.txt": b"new\n", "tests/snapshots/deep/b.txt": b""}))
    for path, code in {
        "tests/snapshots": "GK101",
        "tests/a.txt": "GK101",
        "tests/snapshots/conftest.py": "GK109",
        "tests/snapshots/.gitattributes": "GK107",
    }.items():
        refused(offer(lab, {path: b"new\n"}), code)
    refused(offer(lab, {"tests/snapshots/link": (0o120000, b"x")}), "GK105")


def test_a_generator_rewrites_its_own_files_and_nobody_else_does(lab: Lab) -> None:
    lab.write_policy(policy(tail='[[paths.generated]]\nactor = "generator"\npatterns = ["tests/generated/**"]'))
    move_main(lab, {"tests/generated/test_api.py": b""})
    changes = {"tests/generated/test_api.py": b"# new\n", "tests/generated/test_more.py": b""}
    accepted(offer(lab, changes, actor="generator"))
    refused(offer(lab, changes, actor="bot"), "GK101")
    refused(offer(lab, WEAKENED_TEST, actor="generator"), "GK101")
    # what the generator has put on its branch is no other agent's to carry on
    accepted(offer(lab, changes, actor="generator"))
    head = lab.commit({"src/helper.py": b""}, parent=lab.tip(MINE))
    refused(lab.push(f"{head}:{MINE}", actor="bot"), "GK101")


class TestMarkedCommits:
    """`[evidence]` marks commits, not pushes."""

    def test_a_trailer_holds_its_commit_to_the_write_block_and_no_other(self, lab: Lab) -> None:
        lab.write_policy(policy(tail='[evidence]\ntrailers = ["Co-Authored-By: robot"]'))
        human = lab.commit({**STRICTER, "README.md": b"# New\n"}, "Write a test")
        marked = lab.commit(HONEST_FIX, "Fix\n\nCo-authored-by: Robot <r@example.invalid>", parent=human)
        accepted(lab.push(f"{marked}:{MAIN}", actor="alice"))
        more = lab.commit({"tests/test_more.py": b""}, "More tests", parent=marked)
        weak = lab.commit(WEAKENED_TEST, "Adapt\n\nco-authored-by: robot <r@example.invalid>", parent=more)
        last = lab.commit({"tests/test_last.py": b""}, "And more", parent=weak)
        answer = refused(lab.push(f"{last}:{MAIN}", actor="alice"), "GK101")
        found = [line for line in answer.remote if line.startswith("GK101")]
        assert len(found) == 1, answer.remote
        assert f"tests/test_encoder.py  protected file changed in {weak[:7]}" in found[0]
        accepted(lab.push(f"{more}:{MAIN}", actor="alice"))
        outside = lab.commit({"README.md": b""}, "Docs\n\nCo-Authored-By: robot", parent=more)
        refused(lab.push(f"{outside}:{MAIN}", actor="alice"), "GK103")
        contract = lab.commit({"contracts/new": b""}, "Contract\n\nCo-Authored-By: robot", parent=more)
        refused(lab.push(f"{contract}:{MAIN}", actor="alice"), "GK102", exit=2)

    def test_a_merge_that_a_person_makes_of_marked_commits(self, lab: Lab) -> None:
        lab.write_policy(policy(tail='[evidence]\ntrailers = ["Co-Authored-By: robot"]'))
        moved = move_main(lab, STRICTER)
        marked = lab.commit(HONEST_FIX, "Fix\n\nCo-Authored-By: robot")
        merge = lab.commit(HONEST_FIX, "Merge", parent=[moved, marked])
        accepted(lab.push(f"{merge}:{MAIN}", actor="alice"))

    def test_a_missing_signature_marks_a_commit(self, lab: Lab) -> None:
        lab.write_policy(policy(tail="[evidence]\nunsigned = true"))
        unsigned = lab.commit(STRICTER)
        refused(lab.push(f"{unsigned}:{MAIN}", actor="alice"), "GK101")
        raw = lab.git("cat-file", "commit", unsigned).encode()
        head, message = raw.split(b"\n\n", 1)
        block = b"gpgsig -----BEGIN SSH SIGNATURE-----\n AAAA\n -----END SSH SIGNATURE-----"
        signed = lab.objects.raw("commit", head + b"\n" + block + b"\n\n" + message + b"\n")
        accepted(lab.push(f"{signed}:{MAIN}", actor="alice"))
        accepted(lab.push(f"{lab.commit(HONEST_FIX, parent=signed)}:{MAIN}", actor="alice"))


def test_observing_says_what_would_have_happened_and_lets_it_happen(lab: Lab) -> None:
    lab.write_policy(DEFAULT_POLICY.replace('"enforce"', '"observe"'))
    cheat = lab.commit({**HONEST_FIX, **WEAKENED_TEST, "contracts/properties.toml": None})
    for ref in (MINE, MAIN):
        answer = lab.push(f"{cheat}:{ref}")
        bounded(answer)
        assert (answer.accepted, answer.exit) == (True, 0), answer.result.stderr
        assert {"GK101", "GK102"} <= answer.codes
        assert any(line.startswith("observe only, would be refused") for line in answer.remote), answer.remote
        assert not any(line.startswith("refused") for line in answer.remote), answer.remote
        assert lab.tip(ref) == cheat


class TestRepositoryPolicy:
    """contracts/policy.toml at the trusted ref tightens what the server says, and never loosens it."""

    def publish(self, lab: Lab, text: str) -> Pushed:
        new = lab.commit({REPOSITORY: f"version = 1\n{text}\n".encode()}, parent=lab.tip())
        return lab.push(f"{new}:{MAIN}", actor="alice")

    def test_it_narrows_what_is_writable(self, lab: Lab) -> None:
        accepted(offer(lab, HONEST_FIX))
        accepted(self.publish(lab, '[paths]\nwritable = ["src/cache.py", "docs/**"]'))
        refused(offer(lab, HONEST_FIX), "GK103")
        accepted(offer(lab, {"src/cache.py": SEED_FILES["src/cache.py"] + b"\n"}))
        # the server does not call it writable
        refused(offer(lab, {"docs/a.md": b""}), "GK103")

    def test_it_protects_more(self, lab: Lab) -> None:
        accepted(self.publish(lab, '[paths]\nprotected = ["src/golden/**", "!tests"]\nconfig = ["src/settings.py"]'))
        refused(offer(lab, {"src/golden/a.py": b""}), "GK101")
        refused(offer(lab, {"src/settings.py": b""}), "GK109")
        refused(offer(lab, WEAKENED_TEST), "GK101")

    def test_it_raises_a_severity_and_lowers_none(self, lab: Lab) -> None:
        lab.write_policy(policy(tail='[severity.agent]\nGK103 = "warn"'))
        answer = accepted(offer(lab, {"README.md": b""}))
        assert answer.codes == {"GK103"}
        accepted(self.publish(lab, '[severity.agent]\nGK103 = "error"\nGK101 = "off"'))
        refused(offer(lab, {"README.md": b""}), "GK103")
        refused(offer(lab, WEAKENED_TEST), "GK101")

    def test_it_lowers_a_limit_and_raises_none(self, lab: Lab) -> None:
        lab.write_policy(policy(tail="[limits]\npaths = 4\ncommits = 2"))
        accepted(self.publish(lab, "[limits]\npaths = 2\ncommits = 10"))
        accepted(offer(lab, {"src/a.py": b"", "src/b.py": b""}))
        refused(offer(lab, {"src/a.py": b"", "src/b.py": b"", "src/c.py": b""}), "GK007")
        head = lab.tip()
        for number in range(3):
            head = lab.commit({f"src/n{number}.py": b""}, parent=head)
        refused(lab.push("--force", f"{head}:{MINE}"), "GK007")

    def test_it_locks_the_tests_and_the_tip_again(self, lab: Lab) -> None:
        lab.write_policy(policy(more='tests = "additive"\nfreshness = "graft"'))
        accepted(offer(lab, OWN_TEST))
        accepted(self.publish(lab, 'tests = "locked"\nfreshness = "tip"'))
        refused(offer(lab, OWN_TEST), "GK101")
        move_main(lab, STRICTER)
        refused(lab.push("--force", f"{lab.commit(HONEST_FIX)}:{MINE}"), "GK003")

    @pytest.mark.parametrize("text", ['freshness = "graft"', 'tests = "additive"'])
    def test_it_opens_nothing_that_the_server_keeps_closed(self, lab: Lab, text: str) -> None:
        accepted(self.publish(lab, text))
        refused(offer(lab, OWN_TEST), "GK101")
        fix = lab.commit(HONEST_FIX, parent=lab.tip())
        move_main(lab, STRICTER)
        refused(lab.push("--force", f"{fix}:{MINE}"), "GK003")

    @pytest.mark.parametrize(
        "text",
        [
            'mode = "observe"',
            '[lanes]\nhuman = ["bot"]',
            '[identity]\nsource = "none"',
            '[refs]\nagent = ["refs/heads/**"]',
            '[paths]\nsandbox = ["tests/**"]',
            '[severity.agent]\nGK102 = "off"',
            "tests = 1",
            "[paths",
        ],
    )
    def test_one_that_is_invalid_or_reaches_too_far_is_refused_when_it_is_pushed(self, lab: Lab, text: str) -> None:
        answer = self.publish(lab, text)
        refused(answer, *(answer.codes | {"GK009"}))
        assert lab.tip() == lab.base

    def test_a_broken_one_on_the_trusted_branch_stops_all_but_its_repair(self, lab: Lab) -> None:
        broken = lab.commit({REPOSITORY: b"version = 2\n"})
        lab.git("update-ref", "refs/heads/broken", broken)
        lab.server.out("fetch", "--quiet", lab.work, f"+refs/heads/broken:{MAIN}")
        refused(offer(lab, HONEST_FIX), "GK008", exit=3)
        beside = lab.commit(HONEST_FIX, parent=broken)
        refused(lab.push(f"{beside}:refs/heads/feature", actor="alice"), "GK008", exit=3)
        refused(lab.push(f"{beside}:{MAIN}", actor="alice"), "GK008", exit=3)
        still = lab.commit({REPOSITORY: b"version = 3\n"}, parent=broken)
        refused(lab.push(f"{still}:{MAIN}", actor="alice"), "GK008", "GK009", exit=1)
        for repair in ({REPOSITORY: b"version = 1\n"}, {REPOSITORY: None}):
            lab.server.out("update-ref", MAIN, broken)
            repaired = lab.commit({**repair, **STRICTER}, parent=broken)
            answer = accepted(lab.push(f"{repaired}:{MAIN}", actor="alice"))
            assert answer.codes == {"GK008"}
            accepted(offer(lab, HONEST_FIX))
