"""Objects that break git's own format in ways that two readers read differently, and objects that are not there.

Most of them no git client would send, so they go over the wire.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.attacks.catalogue import Attempt, Bench, attack, rows, send
from tests.attacks.seed import LAX, STRICT
from tests.attacks.workshop import AGENT_NAME, subtree
from tests.support.objects import EXECUTABLE, FILE, TREE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.attacks.catalogue import Row

    Entries = Sequence[tuple[int | bytes, bytes, str]]  # mode, name, blob or tree

IDENT = AGENT_NAME + b" 1767225600 +0000"
CORE = b"src/pkg/core.py"


def _tree(row: str, title: str, entries: Entries, code: str = "GK005", via: str = "push") -> Row:
    """A tree at src/odd of these entries, each with a blob or a tree."""

    def build(bench: Bench) -> Attempt:
        shop = bench.shop
        made = {"blob": shop.blob(b"x = 1\n"), "tree": shop.tree(shop.edited({}, {b"a.py": b""}))}
        odd = shop.raw_tree([(mode, name, made[kind]) for mode, name, kind in entries])
        return send(bench.edit({b"src/odd": subtree(odd)}), via=via)

    return attack(row, codes={code}, title=title)(build)


A, A_PY, B_PY = (FILE, b"a", "blob"), (FILE, b"a.py", "blob"), (FILE, b"b.py", "blob")
A_TREE = (TREE, b"a", "tree")
TREES = (
    _tree("G31.files", "one file name twice", [A_PY, A_PY]),
    _tree("G31.kinds", "a file and a directory of one name", [A, A_TREE]),
    _tree("G31.apart", "the same in git's order, with another entry between them", [A, A_PY, A_TREE]),
    _tree("G31.thrice", "three of a name", [A, (EXECUTABLE, b"a", "blob"), A]),
    _tree("G37.files", "two files in the wrong order", [B_PY, A_PY]),
    _tree("G37.directory", "a directory sorted as a file", [A_TREE, A_PY]),
    _tree("G37.file", "a file sorted as a directory", [A_PY, A]),
    _tree("G33.lead", "a name that begins with a slash", [(FILE, b"/etc", "blob")]),
    _tree("G33.trail", "a name that ends with a slash", [(FILE, b"a/", "blob")]),
    _tree("G33.tree", "a directory with a slash in its name", [(TREE, b"../tests", "tree")]),
    _tree("G33.empty", "an empty name", [(FILE, b"", "blob")], via="wire"),
    _tree("G33.dot", "an entry called .", [(TREE, b".", "tree")], "GK110"),
    _tree("G33.dotdot", "an entry called ..", [(TREE, b"..", "tree")], "GK110"),
    _tree("G12.group", "mode 100664", [(0o100664, b"a.py", "blob")]),
    _tree("G12.private", "mode 100600", [(0o100600, b"a.py", "blob")]),
    _tree("G12.setuid", "mode 104755", [(0o104755, b"a.py", "blob")]),
    _tree("G12.link", "mode 120777", [(0o120777, b"a", "blob")]),
    _tree("G12.padded", "mode 0100644 with a leading zero", [(b"0100644", b"a.py", "blob")]),
    _tree("G12.tree", "mode 040000 with a leading zero", [(b"040000", b"a", "tree")]),
    _tree("G12.zero", "mode 0", [(b"0", b"a.py", "blob")], via="wire"),
    _tree("G12.device", "mode 020000, a device", [(0o020000, b"a", "blob")], via="wire"),
    _tree("G12.octal", "a mode that is no octal number", [(b"100944", b"a.py", "blob")], via="wire"),
    _tree("G12.none", "no mode at all", [(b"", b"a.py", "blob")], via="wire"),
    _tree(
        "G12.huge", "forty digits that end like a file's mode", [(b"1" * 34 + b"100644", b"a.py", "blob")], via="wire"
    ),
)


def _cut(row: str, title: str, data: bytes) -> Row:
    """A tree at src/odd of any bytes; ``%B`` stands for the raw oid of a blob."""

    def build(bench: Bench) -> Attempt:
        whole = data.replace(b"%B", bytes.fromhex(bench.shop.blob(b"x = 1\n")))
        return send(bench.edit({b"src/odd": subtree(bench.shop.raw("tree", whole))}), via="wire")

    return attack(row, codes={"GK005"}, title=title)(build)


CUT_TREES = (
    _cut("G33.cut", "an object id that is cut short", b"100644 a.py\0" + b"\1" * 19),
    _cut("G33.nul", "a name that never ends", b"100644 a.py"),
    _cut("G33.tail", "bytes after the last entry", b"100644 a.py\0%B1"),
    _cut("G33.bare", "one byte", b"\0"),
)


def _commit(row: str, title: str, *headers: bytes) -> Row:
    """A commit of these headers; %S is the tip's tree (%U in capitals, %H cut short), %W a weak one, %P the tip."""

    def build(bench: Bench) -> Attempt:
        shop, files = bench.shop, bench.seed.tip.files
        strict, weak = shop.tree(files), shop.tree(shop.edited(files, {b"tests/test_encoder.py": LAX}))
        text = b"\n".join(headers)
        tokens = {b"%S": strict, b"%U": strict.upper(), b"%H": strict[:12], b"%W": weak, b"%P": bench.seed.tip.oid}
        for token, oid in tokens.items():
            text = text.replace(token, oid.encode())
        return send(shop.raw("commit", text + b"\n\nMend it\n"), via="wire")

    return attack(row, codes={"GK005"}, title=title)(build)


AUTHOR, COMMITTER = b"author " + IDENT, b"committer " + IDENT
REST = (b"parent %P", AUTHOR, COMMITTER)
COMMITS = (
    _commit("G31.commit", "two tree headers, the strict one first", b"tree %S", b"tree %W", *REST),
    _commit("G31.parent", "a parent behind the author", b"tree %S", AUTHOR, b"parent %P", COMMITTER),
    _commit("G31.order", "the parent before the tree", b"parent %P", b"tree %S", AUTHOR, COMMITTER),
    _commit("G31.upper", "the tree in capital letters", b"tree %U", *REST),
    _commit("G31.short", "an abbreviated tree", b"tree %H", *REST),
    _commit("G31.space", "two spaces before the tree", b"tree  %S", *REST),
    _commit("G31.return", "a carriage return behind the tree", b"tree %S\r", *REST),
    _commit("G31.no-tree", "no tree", *REST),
    _commit("G31.no-author", "nobody wrote it", b"tree %S", b"parent %P"),
    _commit("G31.is-commit", "its tree is a commit", b"tree %P", *REST),
    _commit("G31.is-tree", "its parent is a tree", b"tree %S", b"parent %S", AUTHOR, COMMITTER),
)


@attack("G37.below", codes={"GK005"}, title="an unsorted tree in an earlier commit of the push")
def unsorted_in_transit(bench: Bench) -> Attempt:
    blob = bench.shop.blob(b"")
    odd = bench.shop.raw_tree([(FILE, b"b.py", blob), (FILE, b"a.py", blob)])
    first = bench.edit({b"tests/odd": subtree(odd)})
    return send(bench.edit({b"tests/odd": None}, on=first))


@attack("G31.tests", codes={"GK005"}, title="a test twice in tests/, the strict copy last")
def twice_in_tests(bench: Bench) -> Attempt:
    shop = bench.shop
    files = bench.seed.tip.files
    rest = [
        (node.mode, path[6:], node.oid)
        for path, node in sorted(files.items())
        if path.startswith(b"tests/") and b"/" not in path[6:]
    ]
    fixtures = shop.tree({path[15:]: node for path, node in files.items() if path.startswith(b"tests/fixtures/")})
    entries = sorted(
        [*rest, (TREE, b"fixtures", fixtures), (FILE, b"test_encoder.py", shop.blob(LAX))], key=lambda row: row[1]
    )
    strict = (FILE, b"test_encoder.py", shop.blob(STRICT))
    entries.remove(strict)
    entries.insert(entries.index((FILE, b"test_encoder.py", shop.blob(LAX))) + 1, strict)
    return bench.offer({b"tests": subtree(shop.raw_tree(entries))})


@attack("G33.blob-tree", codes={"GK005"}, title="a directory that is a blob")
def blob_as_tree(bench: Bench) -> Attempt:
    return send(bench.edit({b"src/odd": subtree(bench.shop.blob(b"no tree\n"))}), via="wire")


@attack("G32.null", codes={"GK005"}, title="a directory of the zero oid")
def zero_tree(bench: Bench) -> Attempt:
    return send(bench.edit({b"src/odd": subtree("0" * 40)}), via="wire")


@attack("G30.no-tree", codes={"GK006"}, title="a tree that was not sent")
def missing_tree(bench: Bench) -> Attempt:
    lost = bench.shop.tree(bench.shop.edited({}, {b"a.py": b"lost = 1\n"}))
    return send(bench.edit({b"src/odd": subtree(lost)}), via="wire", held_back=(lost,))


@attack("G25.no-parent", codes={"GK006"}, title="a parent that was not sent")
def missing_parent(bench: Bench) -> Attempt:
    lost = bench.edit({CORE: b"LIMIT = 10\n"})
    return send(bench.edit({CORE: b"LIMIT = 11\n"}, on=lost), via="wire", held_back=(lost.oid,))


@attack("G25.no-head", codes={"GK006"}, title="a head that was not sent")
def missing_head(bench: Bench) -> Attempt:
    lost = bench.edit({CORE: b"LIMIT = 10\n"})
    return send(lost, via="wire", held_back=(lost.oid,))


@attack("G40.deep", codes={"GK007"}, title="four hundred directories in one another")
def deep(bench: Bench) -> Attempt:
    return bench.offer({b"src/" + b"a/" * 400 + b"x.py": b""})


@attack("G40.wide", codes={"GK007"}, title="two trees name 22,500 paths")
def wide(bench: Bench) -> Attempt:
    names = [b"%03d" % number for number in range(150)]
    tree = bench.shop.raw_tree([(FILE, name, bench.shop.blob(b"")) for name in names])
    return bench.offer({b"src/wide": subtree(bench.shop.raw_tree([(TREE, name, tree) for name in names]))})


@attack("G37.human", codes={"GK005"}, title="a person's unsorted tree")
def unsorted_by_human(bench: Bench) -> Attempt:
    blob = bench.shop.blob(b"")
    odd = bench.shop.raw_tree([(FILE, b"b.py", blob), (FILE, b"a.py", blob)])
    return send(bench.edit({b"docs/odd": subtree(odd)}), b"refs/heads/topic", actor="alice")


@attack("G31.bad-tag", codes={"GK005"}, title="a person's tag says commit and names a tree")
def lying_tag(bench: Bench) -> Attempt:
    tag = bench.shop.release(bench.shop.tree(bench.seed.tip.files), "commit")
    return send(tag, b"refs/tags/v9", actor="alice", via="wire")


@attack("G31.empty-tag", codes={"GK005"}, title="a person's tag without a word in it")
def empty_tag(bench: Bench) -> Attempt:
    return send(bench.shop.raw("tag", b""), b"refs/tags/v9", actor="alice", via="wire")


ATTACKS = (*rows(vars()), *TREES, *CUT_TREES, *COMMITS)
