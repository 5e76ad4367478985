"""The G rows of the catalogue: a patch that goes round the tests through git itself. Each name is the row's."""

from __future__ import annotations

from tests.attacks.catalogue import BRANCH, Attempt, Bench, Update, attack, rows, send
from tests.attacks.seed import GITMODULES, LAX, MAIN, STRICT, WEAK
from tests.attacks.workshop import Point, copied, gitlink, link, moved, subtree
from tests.support.objects import FILE, TREE

STRICT_TEST = b"tests/test_encoder.py"
FIXTURE = b"tests/fixtures/golden.json"


@attack("G01", codes={"GK101"}, title="a failing test is renamed out of tests/, byte for byte")
def g01(bench: Bench) -> Attempt:
    return bench.offer({STRICT_TEST: None, b"src/examples.py": STRICT})


@attack("G01b", codes={"GK101"}, title="the same with half of it rewritten on the way")
def g01b(bench: Bench) -> Attempt:
    return bench.offer({STRICT_TEST: None, b"src/examples.py": LAX + b"# and nothing long\n" * 9})


@attack("G02", codes={"GK101", "GK103", "GK105", "GK109"}, title="tests/ is renamed and becomes a link to a weak copy")
def g02(bench: Bench) -> Attempt:
    weak = {b"attic/w/test_encoder.py": LAX, b"tests": link(b"attic/w")}
    return bench.offer({**moved(bench.seed.tip.files, b"tests/", b"attic/t/"), **weak})


@attack(
    "G03",
    codes={"GK102", "GK103", "GK101"},
    title="contracts/ becomes a link to a weak copy, its property test is renamed away",
)
def g03(bench: Bench) -> Attempt:
    files = bench.seed.tip.files
    property_test = moved(files, b"tests/test_properties.py", b"attic/properties.py")
    return bench.offer({**moved(files, b"contracts/", b"attic/c/"), **property_test, b"contracts": link(b"attic/c")})


@attack("G04", codes={"GK101"}, title="a test whose name git prints quoted is weakened")
def g04(bench: Bench) -> Attempt:
    return bench.offer({"tests/test_unit\N{LATIN SMALL LETTER E WITH ACUTE}.py".encode(): WEAK})


@attack("G05", codes={"GK110"}, title="a fixture whose name holds a newline, a tab and a quote")
def g05(bench: Bench) -> Attempt:
    return bench.offer({b'tests/fixtures/a\nb\tc".json': b"[]\n"})


@attack("G06", codes={"GK104"}, title="Tests/ lands on tests/ where case does not count")
def g06(bench: Bench) -> Attempt:
    return bench.offer({b"Tests/test_encoder.py": LAX})


@attack("G07", codes={"GK104"}, title="te<U+200C>sts/ is tests/ to HFS+")
def g07(bench: Bench) -> Attempt:
    return bench.offer({"te\u200csts/test_encoder.py".encode(): LAX})


@attack("G08", codes={"GK105"}, title="a fixture becomes a link to a copy in src/")
def g08(bench: Bench) -> Attempt:
    return bench.offer({FIXTURE: link(b"../../src/golden.json"), b"src/golden.json": b'["b", 2]\n'})


@attack("G09", codes={"GK101", "GK103", "GK105", "GK109"}, title="tests/ is deleted and becomes a link")
def g09(bench: Bench) -> Attempt:
    return bench.offer({b"tests": link(b"attic"), b"attic/helper.txt": b"weak\n"})


@attack(
    "G10", codes={"GK101", "GK103", "GK105", "GK107", "GK109"}, title="tests/ is renamed away and becomes a submodule"
)
def g10(bench: Bench) -> Attempt:
    modules = GITMODULES.replace(b"tests/vendor", b"tests")
    away = moved(bench.seed.tip.files, b"tests/", b"attic/t/")
    return bench.offer({**away, b"tests": gitlink("weak tests"), b".gitmodules": modules})


@attack("G11", codes={"GK105", "GK107"}, title="a submodule of the tests is moved, with ignore = all")
def g11(bench: Bench) -> Attempt:
    return bench.offer({b"tests/vendor": gitlink("vendor, weak"), b".gitmodules": GITMODULES + b"\tignore = all\n"})


@attack("G11b", codes={"GK105"}, title="a submodule of the tests is moved")
def g11b(bench: Bench) -> Attempt:
    return bench.offer({b"tests/vendor": gitlink("vendor, weak")})


@attack("G12", codes={"GK106"}, title="nothing but the mode of a test changes")
def g12(bench: Bench) -> Attempt:
    return bench.offer({STRICT_TEST: (0o100755, STRICT)})


@attack("G14", codes={"GK107"}, title="export-ignore empties git archive")
def g14(bench: Bench) -> Attempt:
    return bench.offer({b".gitattributes": b"tests/** export-ignore\n"})


@attack("G15", codes={"GK107"}, title="eol=crlf changes what a checkout of the fixtures holds")
def g15(bench: Bench) -> Attempt:
    return bench.offer({b"tests/fixtures/.gitattributes": b"* text eol=crlf\n"})


@attack("G16", codes={"GK107"}, title="merge=ours decides later merges of the tests")
def g16(bench: Bench) -> Attempt:
    return bench.offer({b".gitattributes": b"tests/** merge=ours\n"})


@attack("G17", codes={"GK108"}, title="a test is weakened and restored inside one push")
def g17(bench: Bench) -> Attempt:
    weak = bench.edit({STRICT_TEST: LAX})
    return send(bench.edit({STRICT_TEST: STRICT, b"src/pkg/core.py": b"LIMIT = 10\n"}, on=weak))


def _two_honest(bench: Bench) -> tuple[Point, Point]:
    return bench.edit({b"src/pkg/core.py": b"LIMIT = 10\n"}), bench.edit({b"src/extra.py": b"X = 1\n"})


@attack("G18", codes={"GK101"}, title="the weakening exists only in a merge commit")
def g18(bench: Bench) -> Attempt:
    return send(bench.merge(*_two_honest(bench), edits={b"src/extra.py": b"X = 1\n", STRICT_TEST: LAX}))


@attack("G19", codes={"GK101"}, title="the same in an octopus merge")
def g19(bench: Bench) -> Attempt:
    third = bench.edit({b"src/third.py": b"Y = 1\n"})
    edits = {b"src/extra.py": b"X = 1\n", b"src/third.py": b"Y = 1\n", STRICT_TEST: LAX}
    return send(bench.merge(*_two_honest(bench), third, edits={**edits}))


@attack("G20", codes={"GK003"}, title="forked before the strict tests")
def g20(bench: Bench) -> Attempt:
    return send(bench.edit({b"src/pkg/core.py": b"LIMIT = 10\n"}, on=bench.seed.m0))


@attack("G21", codes={"GK003", "GK201", "GK203"}, title="main is rolled back to before the strict tests")
def g21(bench: Bench) -> Attempt:
    return send(bench.edit({b"src/pkg/core.py": b"LIMIT = 10\n"}, on=bench.seed.m0), MAIN)


@attack("G22", codes={"GK101", "GK201"}, title="a weak test goes straight to main")
def g22(bench: Bench) -> Attempt:
    return send(bench.edit({STRICT_TEST: LAX}), MAIN)


@attack("G23", codes={"GK003"}, title="forked from a weakening that main merged and reverted")
def g23(bench: Bench) -> Attempt:
    return send(bench.edit({b"src/pkg/core.py": b"LIMIT = 10\n"}, on=bench.seed.weakened))


@attack("G24", codes={"GK003", "GK004"}, title="a criss-cross merge with -s ours drops a test")
def g24(bench: Bench) -> Attempt:
    return send(bench.merge(bench.seed.m2, bench.seed.s1))


@attack("G25", codes={"GK004"}, title="a history of its own")
def g25(bench: Bench) -> Attempt:
    return send(bench.shop.point(bench.seed.tip.files, (), b"Start afresh\n"))


@attack("G26", codes={"GK101", "GK205"}, title="refs/replace shows the server a benign commit")
def g26(bench: Bench) -> Attempt:
    weak, benign = bench.edit({STRICT_TEST: LAX}), bench.edit({b"src/pkg/core.py": b"LIMIT = 10\n"})
    return Attempt((Update(BRANCH, weak.oid), Update(b"refs/replace/" + weak.oid.encode(), benign.oid)))


@attack("G27", codes={"GK205"}, title="hidden namespaces: notes, configuration, pull requests")
def g27(bench: Bench) -> Attempt:
    names = (b"refs/notes/commits", b"refs/meta/config", b"refs/pull/1/head")
    return Attempt(tuple(Update(name, bench.edit({}).oid) for name in names))


@attack("G27b", codes={"GK201", "GK206"}, title="tags that name a blob and a tree")
def g27b(bench: Bench) -> Attempt:
    blob, tree = bench.shop.blob(b"not a commit\n"), bench.shop.tree(bench.seed.tip.files)
    return Attempt((Update(b"refs/tags/blob", blob), Update(b"refs/tags/tree", tree)))


@attack("G29", codes={"GK101", "GK201"}, title="a clean branch first, then a dirty main")
def g29(bench: Bench) -> Attempt:
    clean, dirty = bench.edit({b"src/pkg/core.py": b"LIMIT = 10\n"}), bench.edit({STRICT_TEST: LAX})
    return Attempt((Update(b"refs/heads/agent/a", clean.oid), Update(MAIN, dirty.oid)))


@attack("G30", codes={"GK101", "GK102", "GK103", "GK107", "GK109"}, title="a commit of the empty tree")
def g30(bench: Bench) -> Attempt:
    return send(bench.shop.point({}, (bench.seed.tip.oid,)))


@attack("G31", codes={"GK005"}, title="tests twice in one tree, the strict copy first")
def g31(bench: Bench) -> Attempt:
    return _spliced(bench, b"tests", twice=True)


@attack("G32", codes={"GK110"}, title="a .git directory in the tree")
def g32(bench: Bench) -> Attempt:
    return bench.offer({b".git/config": b"[core]\n\tfsmonitor = true\n"})


@attack("G33", codes={"GK005"}, title="an entry name with a slash in it")
def g33(bench: Bench) -> Attempt:
    shop = bench.shop
    inner = [(FILE, b"../tests/test_encoder.py", shop.blob(LAX)), (FILE, b"encoder.py", shop.blob(b""))]
    return bench.offer({b"src": subtree(shop.raw_tree(inner))})


@attack("G34", codes={"GK110"}, title="a backslash that Windows reads as a separator")
def g34(bench: Bench) -> Attempt:
    return bench.offer({b"tests\\test_encoder.py": LAX})


@attack("G36", codes={"GK101"}, title="author and committer say that a maintainer wrote it")
def g36(bench: Bench) -> Attempt:
    files = bench.shop.edited(bench.seed.tip.files, {STRICT_TEST: LAX})
    return send(bench.shop.point(files, (bench.seed.tip.oid,), who=b"Alice <alice@example.invalid>"))


@attack("G37", codes={"GK005"}, title="an unsorted tree hides tests from a binary search")
def g37(bench: Bench) -> Attempt:
    return _spliced(bench, b"tests", twice=False)


def _spliced(bench: Bench, name: bytes, *, twice: bool) -> Attempt:
    """The tip's root tree with a weak ``name`` put in front of all else, beside the strict one or instead of it."""
    shop, files = bench.shop, bench.seed.tip.files
    weak = shop.tree(shop.edited({}, {**copied(files, name + b"/", b""), b"test_encoder.py": LAX}))
    top = {path.partition(b"/")[0] for path in files}
    rest = []
    for entry in sorted(top - {name}):
        whole = files.get(entry)
        inner = {path[len(entry) + 1 :]: node for path, node in files.items() if path.startswith(entry + b"/")}
        rest.append((whole.mode, entry, whole.oid) if whole else (TREE, entry, shop.tree(inner)))
    strict = shop.tree({path[len(name) + 1 :]: node for path, node in files.items() if path.startswith(name + b"/")})
    entries = [*rest, (TREE, name, strict), (TREE, name, weak)] if twice else [(TREE, name, weak), *rest]
    return send(shop.commit_tree(shop.raw_tree(entries), (bench.seed.tip.oid,)))


@attack("G39", codes={"GK207"}, title="the commit message switches CI off")
def g39(bench: Bench) -> Attempt:
    return send(bench.edit({b"src/pkg/core.py": b"LIMIT = 10\n"}, message=b"Mend it [skip ci]\n"))


@attack("G40", codes={"GK101", "GK105", "GK107"}, title="src becomes a submodule that no reader of Python sees")
def g40(bench: Bench) -> Attempt:
    modules = GITMODULES + b'[submodule "src"]\n\tpath = src\n\turl = https://example.invalid/src.git\n'
    return bench.offer({b"src": gitlink("unseen code"), b".gitmodules": modules})


@attack("G42", codes={"GK107"}, title="an LFS filter and its server for the fixtures")
def g42(bench: Bench) -> Attempt:
    lfs = b"[lfs]\n\turl = https://example.invalid/lfs\n"
    return bench.offer({b".gitattributes": b"tests/fixtures/** filter=lfs\n", b".lfsconfig": lfs})


@attack("G43", codes={"GK201"}, title="a tag called origin/main")
def g43(bench: Bench) -> Attempt:
    return send(bench.edit({b"src/pkg/core.py": b"LIMIT = 10\n"}), b"refs/tags/origin/main")


@attack("G44", codes={"GK110", "GK201"}, title="shell metacharacters in a ref and in a path")
def g44(bench: Bench) -> Attempt:
    return send(bench.edit({b"src/$(id).py": b""}), b"refs/heads/agent/$(id)")


@attack("G47", codes={"GK105", "GK107"}, title="a new submodule among the fixtures, with ignore = all")
def g47(bench: Bench) -> Attempt:
    modules = (
        GITMODULES
        + b'[submodule "new"]\n\tpath = tests/newsub\n\tignore = all\n\turl = https://example.invalid/new.git\n'
    )
    return bench.offer({b"tests/newsub": gitlink("new"), b".gitmodules": modules})


ATTACKS = rows(vars())
