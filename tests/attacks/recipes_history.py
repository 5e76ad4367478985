"""Histories that hide a write: merges, reverts, rewrites, laundering through other refs, bases that are not the tip."""

from __future__ import annotations

from tests.attacks.catalogue import BRANCH, Attempt, Bench, Update, attack, rows, send
from tests.attacks.seed import LAX, MAIN, STRICT, WEAK
from tests.attacks.workshop import link

TEST, LIMITS, CORE = b"tests/test_encoder.py", b"tests/test_limits.py", b"src/pkg/core.py"
CONFTEST, PROPERTIES = b"conftest.py", b"contracts/properties.toml"


@attack("G17.merges", codes={"GK108"}, title="one merge brings a weakening in, a second one drops it")
def two_merges(bench: Bench) -> Attempt:
    honest = bench.edit({CORE: b"LIMIT = 10\n"})
    weak = bench.edit({TEST: LAX})
    taken = bench.merge(honest, weak, edits={TEST: LAX})
    return send(bench.merge(bench.edit({CORE: b"LIMIT = 11\n"}, on=honest), taken))


@attack("G17.side", codes={"GK108"}, title="a side branch weakens, the merge keeps the strict side")
def dropped_side(bench: Bench) -> Attempt:
    return send(bench.merge(bench.edit({CORE: b"LIMIT = 10\n"}), bench.edit({TEST: LAX})))


@attack("G17.new", codes={"GK108"}, title="a conftest.py comes and goes")
def conftest_in_transit(bench: Bench) -> Attempt:
    return send(bench.edit({CONFTEST: None}, on=bench.edit({CONFTEST: b"import os\n"})))


@attack("G17.link", codes={"GK108"}, title="tests/ is a link for one commit")
def link_in_transit(bench: Bench) -> Attempt:
    files = bench.seed.tip.files
    linked = bench.edit({b"tests": link(b"src")})
    back = {path: node for path, node in files.items() if path.startswith(b"tests/")}
    return send(bench.edit({b"tests": None, **back}, on=linked))


@attack("G17.mode", codes={"GK108"}, title="the mode of a test changes and changes back")
def mode_in_transit(bench: Bench) -> Attempt:
    return send(bench.edit({TEST: STRICT}, on=bench.edit({TEST: (0o100755, STRICT)})))


@attack("G17.twin", codes={"GK108"}, title="a twin of tests/ comes and goes")
def twin_in_transit(bench: Bench) -> Attempt:
    return send(bench.edit({b"Tests": None}, on=bench.edit({b"Tests/test_encoder.py": LAX})))


@attack("G17.contract", codes={"GK102"}, title="a contract is edited and restored")
def contract_in_transit(bench: Bench) -> Attempt:
    edited = bench.edit({PROPERTIES: b"[budget]\nmin_collected = 0\n"})
    return send(bench.edit({PROPERTIES: bench.seed.tip.files[PROPERTIES]}, on=edited))


@attack("G17.long", codes={"GK108"}, title="forty commits, one of which is not like the others")
def long_history(bench: Bench) -> Attempt:
    at = bench.seed.tip
    for number in range(40):
        test = {19: LAX, 20: STRICT}.get(number)
        at = bench.edit({CORE: b"LIMIT = %d\n" % number, **({TEST: test} if test else {})}, on=at)
    return send(at)


@attack("G17.old", codes={"GK108"}, title="a commit goes back to the lax tests of m0, the next one forth")
def old_state_in_transit(bench: Bench) -> Attempt:
    old = {path: node for path, node in bench.seed.m0.files.items() if path.startswith(b"tests/")}
    lax = bench.edit({b"tests": None, **old})
    new = {path: node for path, node in bench.seed.tip.files.items() if path.startswith(b"tests/")}
    return send(bench.edit({b"tests": None, **new}, on=lax))


@attack("G17.root", codes={"GK108"}, title="a root of its own with weak tests is merged in and dropped")
def foreign_root(bench: Bench) -> Attempt:
    weak = bench.shop.point(bench.shop.edited(bench.seed.tip.files, {TEST: LAX}), ())
    return send(bench.merge(bench.edit({CORE: b"LIMIT = 10\n"}), weak))


@attack("G17.own-branch", codes={"GK108"}, title="the weakening lies on the agent's other branch, which the server has")
def laundered_on_own_branch(bench: Bench) -> Attempt:
    weak = bench.edit({TEST: LAX})
    head = bench.edit({TEST: STRICT}, on=weak)
    return send(head, server={b"refs/heads/agent/scratch": weak.oid})


@attack("G18.later", codes={"GK101"}, title="an evil merge with an honest commit on top")
def evil_merge_below(bench: Bench) -> Attempt:
    evil = bench.merge(bench.edit({CORE: b"LIMIT = 10\n"}), bench.edit({b"src/extra.py": b""}), edits={TEST: LAX})
    return send(bench.edit({b"src/extra.py": b""}, on=evil))


@attack("G18.added", codes={"GK109"}, title="a merge adds a conftest.py that neither side has")
def evil_merge_adds(bench: Bench) -> Attempt:
    pair = bench.edit({CORE: b"LIMIT = 10\n"}), bench.edit({b"src/extra.py": b""})
    return send(bench.merge(*pair, edits={b"src/conftest.py": b"", b"src/extra.py": b""}))


@attack("G18.undone", codes={"GK108"}, title="a merge weakens, the commit after it restores")
def evil_merge_undone(bench: Bench) -> Attempt:
    evil = bench.merge(bench.edit({CORE: b"LIMIT = 10\n"}), bench.edit({b"src/extra.py": b""}), edits={TEST: LAX})
    return send(bench.edit({TEST: STRICT}, on=evil))


@attack("G18.self", codes={"GK101"}, title="a merge whose parents are one commit, twice")
def merged_with_itself(bench: Bench) -> Attempt:
    honest = bench.edit({CORE: b"LIMIT = 10\n"})
    return send(bench.merge(honest, honest, edits={TEST: LAX}))


@attack("G18.ours", codes={"GK101"}, title="main is merged with -s ours: its test updates are dropped")
def merge_ours(bench: Bench) -> Attempt:
    return send(bench.merge(bench.edit({CORE: b"LIMIT = 8\n"}, on=bench.seed.m0), bench.seed.tip))


@attack("G18.x-ours", codes={"GK101"}, title="main is merged with -X ours: an own edit wins the conflict")
def merge_x_ours(bench: Bench) -> Attempt:
    mine = bench.edit({TEST: LAX + b"# mine\n"}, on=bench.seed.m0)
    files = bench.shop.edited(bench.seed.tip.files, {TEST: LAX + b"# mine\n"})
    return send(bench.shop.point(files, (mine.oid, bench.seed.tip.oid)))


@attack("G18.topic", codes={"GK101"}, title="a person's unmerged branch brings its tests in")
def untrusted_human_branch(bench: Bench) -> Attempt:
    added = {b"tests/test_topic.py": bench.seed.topic.files[b"tests/test_topic.py"]}
    return send(bench.merge(bench.edit({CORE: b"LIMIT = 10\n"}), bench.seed.topic, edits={**added}))


@attack("G20.edited", codes={"GK101"}, title="stale, and a test that the tip did not touch is weakened as well")
def stale_and_edited(bench: Bench) -> Attempt:
    return send(bench.edit({LIMITS: WEAK}, on=bench.seed.m0))


@attack("G20.bare", codes={"GK003"}, title="a new branch at an old trusted commit")
def old_commit(bench: Bench) -> Attempt:
    return send(bench.seed.m0)


@attack("G20.tag", codes={"GK003"}, title="forked from a release that is older than a test")
def from_release(bench: Bench) -> Attempt:
    return send(bench.edit({CORE: b"LIMIT = 10\n"}, on=bench.seed.m2))


@attack("G20.dropped", codes={"GK003"}, title="main is rebased without the commit that made the tests strict")
def upstream_commit_dropped(bench: Bench) -> Attempt:
    again = bench.edit({}, on=bench.seed.m0, message=b"Lower the limit\n")
    return send(bench.edit({CORE: b"LIMIT = 10\n"}, on=again))


@attack("G20.picked", codes={"GK101"}, title="the lax tests of m0 are picked onto the tip")
def old_tests_picked(bench: Bench) -> Attempt:
    return bench.offer({TEST: bench.seed.m0.files[TEST]})


@attack("G20.reverted", codes={"GK101"}, title="a trusted commit that added a test is reverted")
def trusted_reverted(bench: Bench) -> Attempt:
    return bench.offer({b"tests/test_side.py": None})


@attack("G20.weakened", codes={"GK101"}, title="the weakening that main reverted is brought back")
def weakening_again(bench: Bench) -> Attempt:
    return bench.offer({LIMITS: bench.seed.weakened.files[LIMITS]})


@attack("G20.future", codes={"GK101"}, title="tests of a person's unmerged branch are picked")
def future_tests(bench: Bench) -> Attempt:
    return bench.offer({b"tests/test_topic.py": bench.seed.topic.files[b"tests/test_topic.py"]})


@attack("G21.back", codes={"GK003", "GK201", "GK203"}, title="main is moved back to an old commit, nothing new")
def main_back(bench: Bench) -> Attempt:
    return send(bench.seed.m1, MAIN)


@attack("G22.honest", codes={"GK201"}, title="an honest change goes straight to main")
def honest_to_main(bench: Bench) -> Attempt:
    return send(bench.edit({CORE: b"LIMIT = 10\n"}), MAIN)


@attack("G24.right", codes={"GK004"}, title="a criss-cross merge with the right tests")
def criss_cross(bench: Bench) -> Attempt:
    side = {b"tests/test_side.py": bench.seed.s1.files[b"tests/test_side.py"]}
    return send(bench.merge(bench.seed.m2, bench.seed.s1, edits={**side}))


@attack("G24.edited", codes={"GK004", "GK101"}, title="a criss-cross merge that weakens a test")
def criss_cross_edited(bench: Bench) -> Attempt:
    side = {b"tests/test_side.py": bench.seed.s1.files[b"tests/test_side.py"]}
    return send(bench.merge(bench.seed.m2, bench.seed.s1, edits={**side, LIMITS: WEAK}))


@attack("G25.weak", codes={"GK004", "GK101"}, title="a history of its own, with weak tests")
def orphan_weak(bench: Bench) -> Attempt:
    return send(bench.shop.point(bench.shop.edited(bench.seed.tip.files, {TEST: LAX}), ()))


@attack("G25.two", codes={"GK004"}, title="two orphans merged")
def two_orphans(bench: Bench) -> Attempt:
    first, second = (bench.shop.point(bench.seed.tip.files, ()) for _ in range(2))
    return send(bench.merge(first, second))


@attack("G29.reversed", codes={"GK101", "GK201"}, title="a dirty main first, then a clean branch")
def dirty_first(bench: Bench) -> Attempt:
    clean, dirty = bench.edit({CORE: b"LIMIT = 10\n"}), bench.edit({TEST: LAX})
    return Attempt((Update(b"refs/heads/a", dirty.oid), Update(b"refs/heads/agent/z", clean.oid)))


@attack("G29.many", codes={"GK101"}, title="one dirty branch among thirty")
def one_of_thirty(bench: Bench) -> Attempt:
    clean, dirty = bench.edit({CORE: b"LIMIT = 10\n"}), bench.edit({TEST: LAX})
    return Attempt(tuple(Update(b"refs/heads/agent/%02d" % n, (dirty if n == 17 else clean).oid) for n in range(30)))


@attack("G29.scratch", codes={"GK101"}, title="laundering: the commits already lie on a scratch ref")
def laundered(bench: Bench) -> Attempt:
    weak = bench.edit({TEST: LAX})
    return send(weak, server={b"refs/scratch/x": weak.oid})


@attack("G29.merged", codes={"GK108"}, title="laundering: written and undone below a scratch ref")
def laundered_in_transit(bench: Bench) -> Attempt:
    restored = bench.edit({TEST: STRICT}, on=bench.edit({TEST: LAX}))
    head = bench.edit({CORE: b"LIMIT = 10\n"}, on=restored)
    return send(head, server={b"refs/heads/scratch": restored.oid})


@attack("G29.onto", codes={"GK101"}, title="laundering: the branch itself already holds the weakening")
def on_old_value(bench: Bench) -> Attempt:
    weak = bench.edit({TEST: LAX})
    return send(bench.edit({CORE: b"LIMIT = 10\n"}, on=weak), server={BRANCH: weak.oid})


@attack("G29.twice", codes={"GK101"}, title="one ref twice in one push, the clean commit first")
def one_ref_twice(bench: Bench) -> Attempt:
    clean, dirty = bench.edit({CORE: b"LIMIT = 10\n"}), bench.edit({TEST: LAX})
    return Attempt((Update(BRANCH, clean.oid), Update(BRANCH, dirty.oid)), via="wire")


@attack("G29.claimed", codes={"GK101"}, title="the client claims that the branch was weak before")
def claimed_old(bench: Bench) -> Attempt:
    weak = bench.edit({TEST: LAX})
    return Attempt((Update(BRANCH, bench.edit({CORE: b"LIMIT = 10\n"}, on=weak).oid, weak.oid),), via="wire")


@attack("G22.claimed", codes={"GK101", "GK201"}, title="the client claims that main was weak before")
def claimed_main(bench: Bench) -> Attempt:
    weak = bench.edit({TEST: LAX})
    return Attempt((Update(MAIN, bench.edit({CORE: b"LIMIT = 10\n"}, on=weak).oid, weak.oid),), via="wire")


@attack("G36.empty", codes={"GK101"}, title="the push is made without any identity")
def nobody(bench: Bench) -> Attempt:
    return send(bench.edit({TEST: LAX}), actor=None)


@attack("G36.case", codes={"GK101"}, title="an actor whose name is nearly a person's")
def nearly_alice(bench: Bench) -> Attempt:
    return send(bench.edit({TEST: LAX}), actor="Alice")


@attack("G36.space", codes={"GK101"}, title="an actor whose name is a person's and a space")
def alice_and_space(bench: Bench) -> Attempt:
    return send(bench.edit({TEST: LAX}), actor="alice ")


@attack("G36.other-source", codes={"GK101"}, title="a person's name in the variable of another transport")
def wrong_transport(bench: Bench) -> Attempt:
    names = dict.fromkeys(("REMOTE_USER", "GL_USERNAME", "GITEA_PUSHER_NAME", "GL_USER", "LOGNAME", "USER"), "alice")
    return send(bench.edit({TEST: LAX}), env=names)


@attack("G36.pinned", codes={"GK101"}, title="a person pushes weak tests to an agent's branch")
def pinned_lane(bench: Bench) -> Attempt:
    return send(bench.edit({TEST: LAX}), actor="alice")


ATTACKS = rows(vars())
