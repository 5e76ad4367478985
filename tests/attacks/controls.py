"""What honest people and agents do every day: every row must pass without a finding."""

from __future__ import annotations

from tests.attacks.catalogue import BRANCH, HUMAN, Attempt, Bench, Update, control, rows, send
from tests.attacks.seed import ENCODER, MAIN
from tests.attacks.workshop import script

ENCODED, CORE, TEST = b"src/encoder.py", b"src/pkg/core.py", b"tests/test_encoder.py"
FIX = {ENCODED: ENCODER.replace(b"runs[:9]", b"runs")}


@control("nothing", title="a branch at the trusted tip, without a commit of its own")
def nothing(bench: Bench) -> Attempt:
    return send(bench.seed.tip)


@control("empty-commit", title="a commit that changes nothing")
def empty_commit(bench: Bench) -> Attempt:
    return bench.offer({})


@control("honest-fix", title="the bug is mended")
def honest_fix(bench: Bench) -> Attempt:
    return bench.offer({**FIX})


@control("helper", title="a new private helper")
def helper(bench: Bench) -> Attempt:
    return bench.offer({ENCODED: ENCODER + b"\n\ndef _same(run, char):\n    return run[0] == char\n"})


@control("module", title="a new source module without public names")
def module(bench: Bench) -> Attempt:
    return bench.offer({b"src/_runs.py": b"_LIMIT = 9\n"})


@control("package", title="a new package, deep in src/")
def package(bench: Bench) -> Attempt:
    return bench.offer({b"src/pkg/deep/__init__.py": b"", b"src/pkg/deep/er/mod.py": b"X = 1\n"})


@control("body", title="a body is rewritten, the signature stays")
def body(bench: Bench) -> Attempt:
    rewritten = b'"""Run-length encoding."""\n\nfrom itertools import groupby\n\n\ndef encode(text):\n'
    return bench.offer({ENCODED: rewritten + b"    return [(char, len(list(run))) for char, run in groupby(text)]\n"})


@control("formatting", title="formatting only")
def formatting(bench: Bench) -> Attempt:
    return bench.offer({ENCODED: ENCODER.replace(b"    ", b"  ")})


@control("rename", title="a source file is renamed inside src/")
def rename(bench: Bench) -> Attempt:
    return bench.offer({CORE: None, b"src/pkg/kernel.py": bench.seed.tip.files[CORE]})


@control("delete", title="a source file is deleted")
def delete(bench: Bench) -> Attempt:
    return bench.offer({CORE: None})


@control("unlink", title="a link in src/ is deleted")
def unlink(bench: Bench) -> Attempt:
    return bench.offer({b"src/current": None})


@control("executable", title="a script in src/ becomes executable")
def executable(bench: Bench) -> Attempt:
    return bench.offer({b"src/run.sh": script(b"exec python -m src.encoder\n")})


@control("data", title="new data files under src/")
def data(bench: Bench) -> Attempt:
    return bench.offer({b"src/pkg/data/table.json": b"[]\n", b"src/pkg/py.typed": b"", b"src/locale/de.po": b"msgid\n"})


@control("unicode", title="Unicode in contents and in names")
def unicode(bench: Bench) -> Attempt:
    name, text = "src/\u65e5\u672c.py".encode(), "NAME = '\u65e5\u672c \u202e'\n".encode()
    return bench.offer(
        {
            name: text,
            "src/caf\u00e9.py".encode(): b"X = 1\n",
            "src/cafe\u0301s.py".encode(): b"",
            b"src/latin1.txt": b"\xe9",
        }
    )


@control("near-names", title="names that only look like protected ones")
def near_names(bench: Bench) -> Attempt:
    names = (
        b"testing.py",
        b"contest.py",
        b"attest.py",
        b"pytest_plugin.py",
        b"conftest_helpers.py",
        b"latest/x.py",
        b"contracts/x.py",
    )
    return bench.offer({b"src/pkg/" + name: b"" for name in names})


@control("file-to-directory", title="a source module becomes a package")
def module_to_package(bench: Bench) -> Attempt:
    return bench.offer({CORE: None, b"src/pkg/core/__init__.py": b"LIMIT = 8\n"})


@control("directory-to-file", title="a file takes the name of a directory")
def directory_to_file(bench: Bench) -> Attempt:
    first = bench.edit({b"src/lib/a.py": b""})
    return send(bench.edit({b"src/lib": b"plain\n"}, on=first))


@control("many-commits", title="three hundred commits")
def many_commits(bench: Bench) -> Attempt:
    at = bench.seed.tip
    for number in range(300):
        at = bench.edit({CORE: b"LIMIT = %d\n" % number}, on=at)
    return send(at)


@control("many-files", title="five hundred new files")
def many_files(bench: Bench) -> Attempt:
    return bench.offer({b"src/gen/m%03d.py" % number: b"X = 1\n" for number in range(500)})


@control("undone", title="a source file is written and undone")
def undone(bench: Bench) -> Attempt:
    return send(bench.edit({CORE: b"LIMIT = 8\n"}, on=bench.edit({CORE: b"LIMIT = 99\n"})))


@control("older-fork", title="forked before the tip, where everything protected was the same")
def older_fork(bench: Bench) -> Attempt:
    return send(bench.edit({**FIX}, on=bench.seed.m3))


@control("older-side", title="forked from a commit that main merged, where everything protected was the same")
def older_side(bench: Bench) -> Attempt:
    return send(bench.edit({**FIX}, on=bench.seed.s1))


@control("rebased", title="a branch of the agent's is rebased onto the newest tip and forced")
def rebased(bench: Bench) -> Attempt:
    stale = bench.edit({**FIX}, on=bench.seed.m0)
    return send(bench.edit({**FIX}), server={BRANCH: stale.oid})


@control("forced", title="a branch of the agent's is rewritten and forced")
def forced(bench: Bench) -> Attempt:
    return send(bench.edit({**FIX}), server={BRANCH: bench.edit({CORE: b"LIMIT = 10\n"}).oid})


@control("continued", title="a branch of the agent's goes on")
def continued(bench: Bench) -> Attempt:
    return send(bench.edit({**FIX}, on=bench.seed.open), b"refs/heads/agent/open")


@control("deleted", title="a branch of the agent's is deleted")
def deleted(_: Bench) -> Attempt:
    return send(None, b"refs/heads/agent/open")


@control("same", title="two branches of the agent's, one of them deleted, in one push")
def two_refs(bench: Bench) -> Attempt:
    return Attempt((Update(BRANCH, bench.edit({**FIX}).oid), Update(b"refs/heads/agent/open", None)))


@control("merged-tip", title="a stale branch merges the trusted ref, with the tests that people edited")
def merged_tip(bench: Bench) -> Attempt:
    mine = bench.edit({**FIX}, on=bench.seed.m0)
    return send(bench.shop.point(bench.shop.edited(bench.seed.tip.files, {**FIX}), (mine.oid, bench.seed.tip.oid)))


@control("merged-twice", title="the trusted ref is merged at m1, then again at its tip")
def merged_twice(bench: Bench) -> Attempt:
    seed, shop = bench.seed, bench.shop
    mine = bench.edit({**FIX}, on=seed.m0)
    once = shop.point(shop.edited(seed.m1.files, {**FIX}), (mine.oid, seed.m1.oid))
    return send(shop.point(shop.edited(seed.tip.files, {**FIX}), (once.oid, seed.tip.oid)))


@control("merged-into", title="the trusted ref merges the branch: the other parent comes first")
def merged_into(bench: Bench) -> Attempt:
    mine = bench.edit({**FIX}, on=bench.seed.m1)
    return send(bench.shop.point(bench.shop.edited(bench.seed.tip.files, {**FIX}), (bench.seed.tip.oid, mine.oid)))


@control("rebased-through", title="a rebase stops at a trusted commit before it reaches the tip")
def rebased_through(bench: Bench) -> Attempt:
    first = bench.edit({**FIX}, on=bench.seed.m1)
    picked = bench.shop.point(bench.shop.edited(bench.seed.tip.files, {**FIX}), (bench.seed.tip.oid,))
    return send(picked, server={BRANCH: first.oid})


@control("two-branches", title="two branches of agents are merged")
def two_branches(bench: Bench) -> Attempt:
    return send(bench.merge(bench.edit({**FIX}), bench.seed.open, edits={CORE: b"LIMIT = 10\n"}))


@control("octopus", title="three branches of agents are merged at once")
def octopus(bench: Bench) -> Attempt:
    others = [bench.edit({b"src/extra%d.py" % n: b""}) for n in range(2)]
    return send(bench.merge(bench.edit({**FIX}), *others, edits={b"src/extra0.py": b"", b"src/extra1.py": b""}))


@control("old-fork-merged", title="an old branch and a new one are merged, with the new one's tests")
def old_fork_merged(bench: Bench) -> Attempt:
    return send(
        bench.merge(
            bench.edit({**FIX}), bench.edit({b"src/extra.py": b""}, on=bench.seed.m0), edits={b"src/extra.py": b""}
        )
    )


@control("criss-cross-mended", title="a criss-cross merge that then merges the tip")
def criss_cross_mended(bench: Bench) -> Attempt:
    crossed = bench.merge(bench.seed.m2, bench.seed.s1)
    return send(bench.shop.point(bench.seed.tip.files, (crossed.oid, bench.seed.tip.oid)))


@control("words", title="messages that talk about CI and steer nothing")
def words(bench: Bench) -> Attempt:
    first = bench.edit({**FIX}, message=b"Do not skip CI: mend the [limit]\n\nskip-checks were never set: true\n")
    return send(bench.edit({CORE: b"LIMIT = 10\n"}, on=first, message=b"Skip circular imports (ci skips none)\n"))


@control("no-newline", title="a message without a newline, an empty one, and one in Latin-1")
def odd_messages(bench: Bench) -> Attempt:
    at = bench.seed.tip
    for number, message in enumerate((b"Mend it", b"", b"R\xe9parer\n")):
        at = bench.edit({CORE: b"LIMIT = %d\n" % number}, on=at, message=message)
    return send(at)


@control("human-tests", title="a person edits tests and contracts on main")
def human_tests(bench: Bench) -> Attempt:
    flakes = b'{"capacity": 3, "entries": []}\n'
    return send(bench.edit({TEST: b"", b"contracts/flake_budget.json": flakes}), MAIN, actor=HUMAN)


@control("human-branch", title="a person opens a branch and edits CI")
def human_branch(bench: Bench) -> Attempt:
    return send(bench.edit({b".github/workflows/ci.yml": b"on: pull_request\n"}), b"refs/heads/ci", actor=HUMAN)


@control("human-merge", title="a person merges an agent's branch into main")
def human_merge(bench: Bench) -> Attempt:
    return send(bench.merge(bench.seed.tip, bench.seed.open, edits={CORE: b"LIMIT = 10\n"}), MAIN, actor=HUMAN)


@control("human-tag", title="a person tags a release")
def human_tag(bench: Bench) -> Attempt:
    return send(bench.shop.release(bench.seed.tip.oid), b"refs/tags/v9", actor=HUMAN)


@control("human-delete", title="a person deletes a branch of their own")
def human_delete(_: Bench) -> Attempt:
    return send(None, b"refs/heads/human/topic", actor=HUMAN)


@control("human-to-agent", title="a person helps on an agent's branch, within what agents may write")
def human_to_agent(bench: Bench) -> Attempt:
    return send(bench.edit({**FIX}, on=bench.seed.open), b"refs/heads/agent/open", actor=HUMAN)


CONTROLS = rows(vars())
