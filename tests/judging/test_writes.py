"""The write-block as a table: what an agent's head writes, and the one code that each path gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gatekeeper.model import RefUpdate
from gatekeeper.policy import Layer
from gatekeeper.verdict import ABSENT, HELD, NOT_JUDGED, REFUSED
from tests.judging.world import FILES, FIX, POLICY, WEAK, Content, World, found

if TYPE_CHECKING:
    from gatekeeper.model import Severity

LINK, SUBMODULE, SCRIPT = 0o120000, 0o160000, 0o100755
TEST = b"def test_encode():\n    assert True\n"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        (FIX, []),
        ({"src/new.py": b""}, []),
        ({"src/encoder.py": None}, []),
        ({"src/encoder.py": (SCRIPT, b"")}, []),
        ({"src/déjà.txt": b""}, []),
        (WEAK, ["GK101 tests/test_encoder.py"]),
        ({"tests/test_encoder.py": None}, ["GK101 tests/test_encoder.py"]),
        ({"tests/test_encoder.py": None, "src/moved.py": TEST}, ["GK101 tests/test_encoder.py"]),
        ({"tests/new.txt": b""}, ["GK101 tests/new.txt"]),
        ({"src/pkg/tests/test_inner.py": b""}, ["GK101 src/pkg/tests/test_inner.py"]),
        ({"src/pkg/test_more.py": b""}, ["GK101 src/pkg/test_more.py"]),
        ({"contracts/fixtures.lock": b"x"}, ["GK102 contracts/fixtures.lock"]),
        ({"contracts/contract.allow": b""}, ["GK102 contracts/contract.allow"]),
        ({"contracts/.gitattributes": b""}, ["GK102 contracts/.gitattributes"]),
        ({"contracts/link": (LINK, b"x")}, ["GK102 contracts/link"]),
        ({"ci/contract.allow": b""}, ["GK102 ci/contract.allow"]),
        ({"README.md": b""}, ["GK103 README.md"]),
        ({"pytest.py": b""}, ["GK103 pytest.py"]),
        ({"src/a.so": b""}, ["GK103 src/a.so"]),
        ({"src/__pycache__/a.pyc": b""}, ["GK103 src/__pycache__/a.pyc"]),
        ({"Tests/test_encoder.py": b""}, ["GK104 Tests/test_encoder.py"]),
        ({"Tests/x.txt": b""}, ["GK104 Tests/x.txt"]),
        ({"te\u200csts/x": b""}, ["GK104 te\u200csts/x"]),
        ({"src/Conftest.py": b""}, ["GK104 src/Conftest.py"]),
        ({"src/link": (LINK, b"x")}, ["GK105 src/link"]),
        ({"src/mod": (SUBMODULE, b"\1" * 20)}, ["GK105 src/mod"]),
        ({"link": (LINK, b"x")}, ["GK105 link"]),
        ({"tests/data/a.bin": (LINK, b"x")}, ["GK105 tests/data/a.bin"]),
        ({"Tests": (LINK, b"tests")}, ["GK105 Tests"]),
        ({"tests/test_encoder.py": (SCRIPT, TEST)}, ["GK106 tests/test_encoder.py"]),
        ({"tests/test_encoder.py": (SCRIPT, b"")}, ["GK106 tests/test_encoder.py"]),
        ({"pyproject.toml": (SCRIPT, b"[project]\n")}, ["GK109 pyproject.toml"]),
        ({".gitattributes": b""}, ["GK107 .gitattributes"]),
        ({"src/.gitattributes": b""}, ["GK107 src/.gitattributes"]),
        ({"tests/.gitignore": b""}, ["GK107 tests/.gitignore"]),
        ({".gitmodules": (LINK, b"x")}, ["GK107 .gitmodules"]),
        ({"pyproject.toml": b""}, ["GK109 pyproject.toml"]),
        ({"pytest.ini": b""}, ["GK109 pytest.ini"]),
        ({"src/conftest.py": b""}, ["GK109 src/conftest.py"]),
        ({"tests/conftest.py": b""}, ["GK109 tests/conftest.py"]),
        ({"conftest.py": (LINK, b"x")}, ["GK109 conftest.py"]),
        ({"src/a\nb.py": b""}, ["GK110 src/a\nb.py"]),
        ({"tests/a\tb": b""}, ["GK110 tests/a\tb"]),
        ({"src/.git/config": b""}, ["GK110 src/.git/config"]),
        ({"src/.GIT/config": b""}, ["GK110 src/.GIT/config"]),
        ({"src/git~1": b""}, ["GK110 src/git~1"]),
        ({"src/$(id).py": b""}, ["GK110 src/$(id).py"]),
        ({"src/-rf": b""}, ["GK110 src/-rf"]),
        ({"tests\\x.py": b""}, ["GK110 tests\\x.py"]),
        ({b"src/\xff.py": b""}, ["GK110 src/\\xff.py"]),
        ({b"src/\xff.py": (LINK, b"")}, ["GK105 src/\\xff.py"]),
        ({**WEAK, "README.md": b"", **FIX}, ["GK101 tests/test_encoder.py", "GK103 README.md"]),
    ],
)
def test_what_a_head_writes(changes: dict[str, Content], expected: list[str]) -> None:
    world = World()
    verdict = world.judge(world.commit(changes))
    assert found(verdict) == expected
    assert verdict.budgets["write-block"] == (REFUSED if expected else HELD)
    assert verdict.exit == (0 if not expected else 2 if expected[0].startswith("GK102") else 1)


@pytest.mark.parametrize("replaced", [{"tests": (LINK, b"attic")}, {"tests": b""}, {"tests": (SUBMODULE, b"\2" * 20)}])
def test_a_tree_replaced_by_something_of_its_name(replaced: dict[str, Content]) -> None:
    world = World()
    gone: dict[str, Content] = {"tests/test_encoder.py": None, "tests/data/a.bin": None}
    verdict = world.judge(world.commit({**gone, **replaced}))
    code = "GK101" if replaced["tests"] == b"" else "GK105"
    assert found(verdict) == [
        *([f"{code} tests"] if code == "GK105" else []),
        *([f"{code} tests"] if code == "GK101" else []),
        "GK101 tests/data/a.bin",
        "GK101 tests/test_encoder.py",
    ]


def test_a_mode_that_loses_its_bit_is_a_change_too() -> None:
    world = World({**FILES, "tests/run.sh": (SCRIPT, b"")})
    assert found(world.judge(world.commit({"tests/run.sh": b""}))) == ["GK106 tests/run.sh"]


def test_an_existing_odd_name_may_be_edited() -> None:
    world = World({**FILES, "src/a b;c.py": b"", "src/link": (LINK, b"x")})
    assert found(world.judge(world.commit({"src/a b;c.py": b"x"}))) == []
    assert found(world.judge(world.commit({"src/link": None}))) == []
    assert found(world.judge(world.commit({"src/link": (LINK, b"y")}))) == ["GK105 src/link"]


def test_a_tree_that_spells_its_tests_its_own_way_has_no_twin() -> None:
    world = World({"src/a.py": b"", "Tests/check_a.py": b""})
    assert found(world.judge(world.commit({"Tests/check_a.py": b"x"}))) == ["GK101 Tests/check_a.py"]
    assert found(world.judge(world.commit({"Tests/check_b.py": b"x"}))) == ["GK101 Tests/check_b.py"]
    assert found(world.judge(world.commit({"tests/check_b.py": b"x"}))) == ["GK101 tests/check_b.py"]


def test_a_rule_that_is_off_does_not_shadow_a_stricter_one() -> None:
    off = POLICY._replace(severity={"agent": {"GK110": "off", "GK105": "warn"}})
    world = World(server=off)
    assert found(world.judge(world.commit({"tests/a\tb": b""}))) == ["GK101 tests/a\tb"]
    assert found(world.judge(world.commit({"tests/link": (LINK, b"")}))) == ["GK101 tests/link"]
    assert found(world.judge(world.commit({"src/link": (LINK, b"")}))) == ["GK105 src/link (warn)"]
    assert found(world.judge(world.commit({"src/a\tb": b""}))) == []


def test_a_stale_branch_is_not_tampering() -> None:
    world = World()
    fix = world.commit(FIX)
    tip = world.commit({"tests/test_more.py": b""})
    world.trust(tip)
    verdict = world.judge(fix)
    assert found(verdict) == ["GK003"]
    assert tip.hex()[:12] in verdict.findings[0].message
    assert verdict.mend == ("git fetch origin refs/heads/main", "git rebase FETCH_HEAD")


def test_a_stale_branch_that_also_writes_names_its_own_writes_only() -> None:
    world = World()
    weak = world.commit({**WEAK, **FIX})
    world.trust(world.commit({"tests/test_more.py": b""}))
    verdict = world.judge(weak)
    assert found(verdict) == ["GK101 tests/test_encoder.py"]
    assert verdict.mend == (
        f"git reset --soft {world.base.hex()[:12]}",
        f"git restore -s {world.base.hex()[:12]} -SW -- :/tests",
        "git commit -C ORIG_HEAD",
        "git fetch origin refs/heads/main",
        "git rebase FETCH_HEAD",
    )


def test_an_old_trusted_state_on_a_fresh_base_is_tampering() -> None:
    world = World()
    tip = world.commit({"tests/test_more.py": b""})
    world.trust(tip)
    assert found(world.judge(world.commit({"tests/test_more.py": None}, [tip]))) == ["GK101 tests/test_more.py"]


def test_some_paths_of_the_tip_and_some_of_the_base_are_stale() -> None:
    world = World()
    tip = world.commit({"tests/a.py": b"", "tests/b.py": b""})
    world.trust(tip)
    mixed = world.commit({"tests/a.py": b"", **FIX})
    verdict = world.judge(mixed)
    assert found(verdict) == ["GK003", "GK108 tests/a.py"]
    world.server = POLICY._replace(freshness="graft")
    assert "GK003" in found(world.judge(mixed))


def test_graft_accepts_what_is_only_stale() -> None:
    world = World(server=POLICY._replace(freshness="graft"))
    fix, weak = world.commit(FIX), world.commit(WEAK)
    world.trust(world.commit({"tests/test_more.py": b""}))
    assert found(world.judge(fix)) == []
    assert found(world.judge(weak)) == ["GK101 tests/test_encoder.py"]


def test_a_merge_of_the_trusted_branch_carries_its_tests() -> None:
    world = World()
    fix = world.commit(FIX)
    tip = world.commit({"tests/test_more.py": b""})
    world.trust(tip)
    merge = world.commit(FIX, [tip, fix])
    assert found(world.judge(merge)) == []
    ours = world.commit({}, [fix, tip])
    assert found(world.judge(ours)) == ["GK101 tests/test_more.py"]


def test_an_evil_merge_is_named_even_when_the_head_is_clean() -> None:
    world = World()
    left, right = world.commit(FIX), world.commit({"src/other.py": b""})
    evil = world.commit({"src/other.py": b"", **WEAK}, [left, right])
    assert found(world.judge(evil)) == ["GK101 tests/test_encoder.py"]
    clean = world.commit({"tests/test_encoder.py": TEST}, [evil])
    verdict = world.judge(clean)
    assert found(verdict) == ["GK108 tests/test_encoder.py"]
    assert verdict.findings[0].commit == evil
    assert f"in {evil.hex()[:7]}, undone in {clean.hex()[:7]}" in verdict.findings[0].message


def test_a_clean_merge_of_two_branches_passes() -> None:
    world = World()
    left, right = world.commit(FIX), world.commit({"src/other.py": b""})
    assert found(world.judge(world.commit({"src/other.py": b""}, [left, right]))) == []


def test_written_and_undone_in_one_push() -> None:
    world = World()
    weak = world.commit(WEAK)
    more = world.commit({"src/other.py": b""}, [weak])
    back = world.commit({"tests/test_encoder.py": TEST}, [more])
    verdict = world.judge(back)
    assert found(verdict) == ["GK108 tests/test_encoder.py"]
    assert f"in {weak.hex()[:7]}, undone in {back.hex()[:7]}" in verdict.findings[0].message
    assert verdict.mend == (f"git reset --soft {world.base.hex()[:12]}", "git commit -C ORIG_HEAD")


@pytest.mark.parametrize(("severity", "expected"), [("warn", ["GK108 tests/test_encoder.py (warn)"]), ("off", [])])
def test_a_policy_may_soften_what_was_undone(severity: Severity, expected: list[str]) -> None:
    world = World(server=POLICY._replace(severity={"agent": {"GK108": severity}}))
    back = world.commit({"tests/test_encoder.py": TEST}, [world.commit(WEAK)])
    assert found(world.judge(back)) == expected


def test_a_contract_written_and_undone_still_exits_2() -> None:
    world = World()
    wrote = world.commit({"contracts/fixtures.lock": b"x"})
    back = world.commit({"contracts/fixtures.lock": b""}, [wrote])
    verdict = world.judge(back)
    assert found(verdict) == ["GK102 contracts/fixtures.lock"]
    assert verdict.exit == 2


def test_a_commit_that_restores_a_trusted_state_on_the_way_passes() -> None:
    world = World()
    second = world.commit({"tests/test_more.py": b"1"})
    tip = world.commit({"tests/test_more.py": b"2"}, [second])
    world.trust(tip)
    picked = world.commit({"tests/test_more.py": b"1", **FIX})
    head = world.commit({"tests/test_more.py": b"2"}, [picked])
    assert found(world.judge(head)) == []


def test_a_trusted_ref_that_no_terminal_shows_gets_no_command() -> None:
    world = World()
    world.store.head = "refs/heads/été".encode()
    world.trust(world.base, "refs/heads/été".encode())
    fix = world.commit(FIX)
    world.trust(world.commit({"tests/test_more.py": b""}), "refs/heads/été".encode())
    verdict = world.judge(fix)
    assert found(verdict) == ["GK003"]
    assert verdict.mend == ()


def test_refs_of_one_push_share_their_zones() -> None:
    """The import roots of the trusted tree are looked up once, however many refs are judged by them."""
    world = World({f"pkg{n}/__init__.py": b"%d" % n for n in range(9)})
    heads = [world.commit({"pkg0/new.py": b"%d" % n}) for n in range(5)]
    updates = [RefUpdate(b"refs/heads/agent/%d" % n, None, head) for n, head in enumerate(heads)]
    reads = []
    for some in (updates[:1], updates):
        world.store.reads.clear()
        assert world.push(some).exit == 0
        reads.append(len(world.store.reads))
    assert reads[1] < 3 * reads[0]


def test_a_branch_that_took_the_tips_tests_and_gave_them_back_is_only_stale() -> None:
    world = World()
    tip = world.commit({"tests/test_more.py": b""})
    world.trust(tip)
    took = world.commit({"tests/test_more.py": b"", **FIX})
    gave = world.commit({"tests/test_more.py": None}, [took])
    assert found(world.judge(gave)) == ["GK003"]


def test_a_persons_push_is_not_walked_unless_evidence_counts() -> None:
    world = World()
    lost = world.commit(FIX)
    head = world.commit({"src/more.py": b""}, [world.commit({"src/next.py": b""}, [lost])])
    del world.store.objects[lost]
    assert found(world.judge(head, ref=b"refs/heads/main", actor="alice")) == []
    world.server = POLICY._replace(unsigned=True)
    assert found(world.judge(head, ref=b"refs/heads/main", actor="alice")) == ["GK006"]


def test_an_orphan_merged_in_hides_nothing() -> None:
    world = World()
    orphan = world.commit({"tests/weak.py": b""}, ())
    merge = world.commit(FIX, [world.base, orphan])
    assert found(world.judge(merge)) == [
        "GK102 contracts/fixtures.lock",
        "GK108 pyproject.toml",
        "GK108 src/pkg/tests/test_inner.py",
        "GK108 tests/data/a.bin",
        "GK108 tests/test_encoder.py",
        "GK108 tests/weak.py",
    ]


def test_no_common_history() -> None:
    world = World()
    orphan = world.commit(FILES, ())
    verdict = world.judge(orphan)
    assert found(verdict) == ["GK004"]
    assert "no common history" in verdict.findings[0].message
    assert verdict.mend == ()


def test_two_merge_bases() -> None:
    world = World()
    one, two = world.commit({"src/one.py": b""}), world.commit({"src/two.py": b""})
    left = world.commit({"src/two.py": b""}, [one, two])
    world.trust(world.commit({"src/one.py": b""}, [two, one]))
    verdict = world.judge(world.commit(FIX, [left]))
    assert found(verdict) == ["GK004"]
    assert "2 merge bases" in verdict.findings[0].message
    assert verdict.mend == ("git fetch origin refs/heads/main", "git rebase FETCH_HEAD")


def test_two_merge_bases_with_older_tests_are_stale_too() -> None:
    world = World()
    one, two = world.commit({"src/one.py": b""}), world.commit({"src/two.py": b""})
    left = world.commit({"src/two.py": b""}, [one, two])
    world.trust(world.commit({"src/one.py": b"", "tests/test_more.py": b""}, [two, one]))
    assert found(world.judge(left)) == ["GK004", "GK003"]


class TestAdditive:
    server = POLICY._replace(tests="additive")

    def test_a_new_test_may_come_from_an_agent(self) -> None:
        world = World(server=self.server)
        new = world.commit({"tests/test_new.py": b"", **FIX})
        assert found(world.judge(new)) == []
        assert found(world.judge(world.commit({"tests/test_new.py": b"x"}, [new]))) == []
        assert found(world.judge(world.commit({"tests/test_new.py": None}, [new]))) == []

    @pytest.mark.parametrize(
        ("changes", "expected"),
        [
            (WEAK, ["GK101 tests/test_encoder.py"]),
            ({"tests/conftest.py": b""}, ["GK109 tests/conftest.py"]),
            ({"tests/data/b.bin": b""}, ["GK101 tests/data/b.bin"]),
            ({"tests/helper.py": b""}, ["GK101 tests/helper.py"]),
            ({"tests/test_link.py": (LINK, b"x")}, ["GK105 tests/test_link.py"]),
            ({"Tests/test_new.py": b""}, ["GK104 Tests/test_new.py"]),
            ({"tests/test_a\tb.py": b""}, ["GK110 tests/test_a\tb.py"]),
            ({"src/pkg/test_new.py": b""}, ["GK101 src/pkg/test_new.py"]),
        ],
    )
    def test_nothing_else_may(self, changes: dict[str, Content], expected: list[str]) -> None:
        world = World(server=self.server)
        assert found(world.judge(world.commit(changes))) == expected

    def test_a_test_that_the_trusted_branch_has_since_is_not_new(self) -> None:
        world = World(server=self.server)
        mine = world.commit({"tests/test_new.py": b"weak"})
        world.trust(world.commit({"tests/test_new.py": b"strict"}))
        assert found(world.judge(mine)) == ["GK101 tests/test_new.py"]

    def test_a_test_that_the_trusted_branch_deleted_does_not_come_back(self) -> None:
        world = World(server=self.server)
        world.trust(world.commit({"tests/test_encoder.py": None}))
        assert found(world.judge(world.commit({"tests/test_encoder.py": b"weak"}))) == ["GK101 tests/test_encoder.py"]


class TestMarked:
    server = POLICY._replace(trailers=(b"Agent:",))

    def test_a_marked_commit_keeps_the_write_block_in_a_persons_push(self) -> None:
        world = World(server=self.server)
        human = world.commit(WEAK)
        marked = world.commit({"tests/data/a.bin": b"x", "README.md": b"x"}, [human], b"Fix\n\nagent: bot\n")
        head = world.commit({"tests/more.py": b""}, [marked])
        verdict = world.judge(head, ref=b"refs/heads/main", actor="alice")
        assert found(verdict) == ["GK101 tests/data/a.bin", "GK103 README.md"]
        assert {finding.commit for finding in verdict.findings} == {marked}
        assert verdict.mend == ()

    def test_a_marked_commit_that_writes_source_passes(self) -> None:
        world = World(server=self.server)
        head = world.commit(FIX, None, b"Fix\n\nAgent: bot\n")
        assert found(world.judge(head, ref=b"refs/heads/main", actor="alice")) == []

    def test_a_marked_merge_that_equals_a_parent_passes(self) -> None:
        world = World(server=self.server)
        left, right = world.commit(WEAK), world.commit(FIX)
        merge = world.commit(FIX, [left, right], b"Merge\n\nAgent: bot\n")
        assert found(world.judge(merge, ref=b"refs/heads/main", actor="alice")) == []

    def test_a_marked_merge_answers_for_protected_paths_only(self) -> None:
        world = World(server=self.server)
        left, right = world.commit(FIX), world.commit({"README.md": b"by a person"})
        merge = world.commit({"README.md": b"by a person"}, [left, right], b"Merge\n\nAgent: bot\n")
        assert found(world.judge(merge, ref=b"refs/heads/main", actor="alice")) == []

    def test_a_missing_signature_marks(self) -> None:
        world = World(server=POLICY._replace(unsigned=True))
        head = world.commit(WEAK)
        assert found(world.judge(head, ref=b"refs/heads/main", actor="alice")) == ["GK101 tests/test_encoder.py"]

    def test_nothing_marks_by_default(self) -> None:
        world = World()
        head = world.commit(WEAK, None, b"Fix\n\nAgent: bot\n")
        assert found(world.judge(head, ref=b"refs/heads/main", actor="alice")) == []


class TestRoots:
    """Without a word from a policy, the writable set is what Python would import."""

    @pytest.mark.parametrize(
        ("files", "writable", "closed"),
        [
            ({"src/a.py": b"", "pkg/__init__.py": b""}, ["src/x.py"], ["pkg/x.py", "x.py"]),
            ({"pkg/__init__.py": b"", "tests/__init__.py": b"", "setup.py": b""}, ["pkg/x.py"], ["x.py", "setup.py"]),
            ({"pkg/__init__.pyi": b"", "docs/__init__.py": b""}, ["pkg/x.pyi"], ["docs/x.py"]),
            ({"mod.py": b"", "manage.py": b""}, ["mod.py"], ["other.py", "manage.py", "mod.py/x"][:2]),
            ({"pkg/a.py": b""}, [], ["pkg/x.py"]),
            ({"Tests/__init__.py": b"", ".hidden/__init__.py": b"", "Build/__init__.py": b""}, [], ["Build/x.py"]),
            ({"a*b/__init__.py": b""}, [], ["a*b/x.py"]),
            ({"README.md": b""}, [], ["x.py", "src/x.py"]),
        ],
    )
    def test_roots(self, files: dict[str, Content], writable: list[str], closed: list[str]) -> None:
        world = World(files)
        for path in writable:
            assert found(world.judge(world.commit({path: b"changed"}))) == [], path
        for path in closed:
            assert found(world.judge(world.commit({path: b"changed"}))) != [], path


def test_limits_of_an_agents_push() -> None:
    world = World(server=POLICY._replace(limits={"paths": 2, "commits": 2}))
    assert found(world.judge(world.commit({"src/a.py": b"", "src/b.py": b""}))) == []
    assert found(world.judge(world.commit({"src/a.py": b"", "src/b.py": b"", "src/c.py": b""}))) == ["GK007"]
    assert found(world.judge(world.commit({"tests/a.py": b"", "tests/b.py": b"", "tests/c.py": b""}))) == ["GK007"]
    head = world.base
    for _ in range(3):
        head = world.commit(FIX, [head])
    assert found(world.judge(head)) == ["GK007"]
    assert found(world.judge(head, ref=b"refs/heads/main", actor="alice")) == []


def test_budgets_that_nobody_has_built_are_never_held() -> None:
    world = World()
    budgets = world.judge(world.commit(FIX)).budgets
    assert budgets == {
        "refs": HELD,
        "write-block": HELD,
        "properties": ABSENT,
        "fixtures": NOT_JUDGED,
        "flakes": ABSENT,
        "contract": NOT_JUDGED,
        "oracle": NOT_JUDGED,
    }


def test_equal_subtrees_are_never_descended() -> None:
    """Reads grow with the change: a thousand directories beside it cost nothing."""
    few = World({**FILES, "src/deep/a/b/c.py": b""})
    many = World({**FILES, "src/deep/a/b/c.py": b"", **{f"src/d{n}/m.py": b"" for n in range(1000)}, "docs/x/y/z": b""})
    counts = []
    for world in (few, many):
        head = world.commit({"src/deep/a/b/c.py": b"x"})
        world.store.reads.clear()
        assert found(world.judge(head)) == []
        counts.append(len(world.store.reads))
        untouched = {world.store.objects[oid][1] for oid in world.store.reads}
        assert not any(b"test_encoder.py" in data for data in untouched)
    assert counts[0] == counts[1]


def test_one_push_judges_every_ref() -> None:
    world = World()
    fix, weak = world.commit(FIX), world.commit(WEAK)
    good, bad = RefUpdate(b"refs/heads/agent/a", None, fix), RefUpdate(b"refs/heads/agent/b", None, weak)
    for updates in ([good, bad], [bad, good]):
        card = world.push(updates)
        assert card.exit == 1
        assert sorted(verdict.exit for verdict in card.verdicts) == [0, 1]


def test_a_sha256_repository_is_judged_alike() -> None:
    world = World(oid_size=32)
    assert found(world.judge(world.commit(FIX))) == []
    assert found(world.judge(world.commit(WEAK))) == ["GK101 tests/test_encoder.py"]


def test_an_empty_policy_still_blocks_writes() -> None:
    world = World(server=Layer())
    assert found(world.judge(world.commit(WEAK), actor=None)) == ["GK101 tests/test_encoder.py"]
