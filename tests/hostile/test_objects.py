"""Objects that are missing, malformed, or far larger than their bytes: refused with a reason, and never unfolded."""

from __future__ import annotations

import hashlib
import subprocess
import zlib

import pytest

from tests.attacks import wire
from tests.hostile.kit import GIB, MIB, ZERO, Forge, huge, measured, reach, rooted, run_hook, update, zeros
from tests.support.git import hermetic_env
from tests.support.lab import DEFAULT_POLICY, HONEST_FIX, Lab, policy
from tests.support.objects import FILE, TREE, Node

IDENT = b"A <a@example.invalid> 1700000000 +0000"
SMALL = 128
"""MiB of memory that no judgement here comes near, a tenth of what it refuses to unfold."""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """One repository for all that only run the hook."""
    return Lab(tmp_path_factory.mktemp("lab"))


def head_of(lab: Lab, data: bytes) -> str:
    """A commit of these bytes, %(tree)s and %(base)s filled in."""
    tree = lab.git("rev-parse", f"{lab.base}^{{tree}}").encode()
    return lab.objects.raw("commit", data.replace(b"%(tree)s", tree).replace(b"%(base)s", str(lab.base).encode()))


@pytest.mark.parametrize("lane", ["agent", "human"])
@pytest.mark.parametrize("what", ["commit", "root", "tests", "src", "parent", "blob"])
def test_missing_objects(lab: Lab, what: str, lane: str) -> None:
    absent = "1" * 40
    head = {
        "commit": lambda: absent,
        "root": lambda: lab.commit({}, tree=absent),
        "tests": lambda: rooted(lab, b"tests", Node(TREE, absent)),
        "src": lambda: rooted(lab, b"src", Node(TREE, absent)),
        "parent": lambda: lab.commit(HONEST_FIX, parent=[str(lab.base), absent]),
        "blob": lambda: rooted(lab, b"contracts", Node(TREE, lab.objects.raw_tree([(FILE, b"policy.toml", absent)]))),
    }[what]()
    ref = "refs/heads/agent/x" if lane == "agent" else "refs/heads/main"
    ended = run_hook(lab, update(head, ref), actor="bot" if lane == "agent" else "alice")
    if (what, lane) == ("parent", "human"):
        assert ended.code == 0  # no rule for people asks for it; git itself does, before any ref moves
        return
    # a file that the agent may not write is refused without being read
    assert ended.code == (2 if (what, lane) == ("blob", "agent") else 3)
    assert ("GK102" if ended.code == 2 else "GK006") in ended.said


def test_a_tag_of_a_missing_object(lab: Lab) -> None:
    tag = lab.objects.tag("1" * 40, "commit", b"v1", b"x\n", IDENT)
    ended = run_hook(lab, update(tag, "refs/tags/v1"), actor="alice")
    assert ended.code == 3
    assert "GK006" in ended.said


@pytest.mark.parametrize("length", [16, 17, 100])
def test_a_chain_of_tags(lab: Lab, length: int) -> None:
    oid, kind = str(lab.base), "commit"
    for number in range(length):
        oid, kind = lab.objects.tag(oid, kind, b"t%d" % number, b"x\n", IDENT), "tag"
    ended = run_hook(lab, update(oid, "refs/tags/v1"), actor="alice")
    assert ended.code == (0 if length == 16 else 1)
    assert ("GK007" in ended.said) == (length != 16)


MALFORMED = {
    "no author": b"tree %(tree)s\nparent %(base)s\ncommitter " + IDENT + b"\n\nx\n",
    "no committer": b"tree %(tree)s\nparent %(base)s\nauthor " + IDENT + b"\n\nx\n",
    "no date": b"tree %(tree)s\nparent %(base)s\nauthor " + IDENT + b"\ncommitter A <a>\n\nx\n",
    "no end": b"tree %(tree)s",
    "no tree": b"parent %(base)s\nauthor " + IDENT + b"\ncommitter " + IDENT + b"\n\nx\n",
    "two trees": b"tree %(tree)s\ntree %(tree)s\nauthor " + IDENT + b"\ncommitter " + IDENT + b"\n\nx\n",
    "late parent": b"tree %(tree)s\nauthor " + IDENT + b"\ncommitter " + IDENT + b"\nparent %(base)s\n\nx\n",
    "short oid": b"tree %(tree)s\nparent 1234\nauthor " + IDENT + b"\ncommitter " + IDENT + b"\n\nx\n",
    "nul": b"tree %(tree)s\nparent %(base)s\nauthor A\0 <a> 1 +0000\ncommitter " + IDENT + b"\n\nx\n",
    "nothing": b"",
    "million lines": b"tree %(tree)s\nparent %(base)s\nauthor "
    + IDENT
    + b"\ncommitter "
    + IDENT
    + b"\nx y" * 1_000_000
    + b"\n\nx\n",
    "million parents": b"tree %(tree)s\n"
    + b"parent %(base)s\n" * 300_000
    + b"author "
    + IDENT
    + b"\ncommitter "
    + IDENT
    + b"\n\n",
}


@pytest.mark.parametrize("form", MALFORMED)
def test_malformed_commits(lab: Lab, form: str) -> None:
    head = head_of(lab, MALFORMED[form])
    for ref, actor in (("refs/heads/agent/x", "bot"), ("refs/heads/main", "alice")):
        ended = run_hook(lab, update(head, ref), actor=actor)
        assert ended.code == 1
        assert "GK005" in ended.said


@pytest.mark.parametrize("date", [b"0", b"-1", b"99999999999", b"18446744073709551615", b"9" * 5_000])
def test_dates_of_any_size_decide_nothing(lab: Lab, date: bytes) -> None:
    by = b"A <a@example.invalid> " + date + b" +0000"
    head = head_of(lab, b"tree %(tree)s\nparent %(base)s\nauthor " + by + b"\ncommitter " + by + b"\n\nx\n")
    assert run_hook(lab, update(head)).code == 0
    weak = lab.commit({"tests/test_encoder.py": b""}, parent=head)
    assert run_hook(lab, update(weak)).code == 1


def test_ten_thousand_parents(lab: Lab) -> None:
    absent = lab.commit({}, parent=[str(lab.base), *[f"{n:040x}" for n in range(1, 10_000)]])
    ended = run_hook(lab, update(absent))
    assert ended.code == 3
    assert "GK006" in ended.said
    forge = Forge()
    tree = lab.git("rev-parse", f"{lab.base}^{{tree}}")
    body = b"tree %s\nparent %s\nauthor %s\ncommitter %s\n\n" % (tree.encode(), str(lab.base).encode(), IDENT, IDENT)
    parents = [forge.raw("commit", body + b"%d\n" % number) for number in range(10_000)]
    forge.place(lab)
    ended = run_hook(lab, update(lab.commit({}, parent=[str(lab.base), *parents])))
    assert ended.code == 1
    assert "GK007" in ended.said


@pytest.mark.parametrize(("size", "code"), [(100 * MIB, "object_bytes"), (2 * MIB, "message")])
def test_a_long_message(lab: Lab, size: int, code: str) -> None:
    head = head_of(
        lab, b"tree %(tree)s\nparent %(base)s\nauthor " + IDENT + b"\ncommitter " + IDENT + b"\n\n" + b"[" * size
    )
    ended = run_hook(lab, update(head))
    assert ended.code == 1
    assert "GK007" in ended.said
    assert code in ended.said
    assert ended.peak < SMALL


def test_a_wide_tree(lab: Lab) -> None:
    """Tree objects have a limit of their own, and one below it is still bounded by the paths it changes."""
    forge = Forge()
    empty = forge.raw("blob", b"")
    wide = forge.tree((FILE, b"%07d.py" % number, empty) for number in range(150_000))
    wider = forge.tree((FILE, b"%07d.py" % number, empty) for number in range(500_000))
    forge.place(lab)
    for name, tree in ((b"src", wide), (b"tests", wide), (b"src", wider)):
        ended = run_hook(lab, update(rooted(lab, name, Node(TREE, tree))))
        assert ended.code == 1
        assert "GK007" in ended.said
        assert ended.peak < SMALL


@pytest.mark.parametrize("leaf", ["file", "empty tree"])
@pytest.mark.parametrize("top", [b"src", b"tests", b"docs"])
def test_a_tree_bomb(lab: Lab, top: bytes, leaf: str) -> None:
    """Twelve objects that name 10^10 paths; with empty trees at the bottom there is not even a path to count."""
    forge = Forge()
    inner = (
        forge.tree([])
        if leaf == "empty tree"
        else forge.tree((FILE, b"%d" % n, forge.raw("blob", b"")) for n in range(10))
    )
    for _ in range(9):
        inner = forge.tree((TREE, b"%d" % n, inner) for n in range(10))
    forge.place(lab)
    head = rooted(lab, top, Node(TREE, inner))
    lab.write_policy(policy(tail="[limits]\npaths = 2000\nentries = 40000"))
    for ref, actor in (("refs/heads/agent/x", "bot"), ("refs/heads/main", "alice")):
        ended = run_hook(lab, update(head, ref), actor=actor)
        assert ended.code == 1, ended.said
        assert "GK007" in ended.said
        assert ended.peak < SMALL
    lab.write_policy(DEFAULT_POLICY)


def test_a_tree_bomb_in_a_real_push(tmp_path_factory: pytest.TempPathFactory) -> None:
    lab = Lab(tmp_path_factory.mktemp("own"))
    forge = Forge()
    inner = forge.tree((FILE, b"%d" % n, forge.raw("blob", b"")) for n in range(10))
    for _ in range(9):
        inner = forge.tree((TREE, b"%d" % n, inner) for n in range(10))
    forge.place(lab)
    pushed = lab.push(f"{rooted(lab, b'tests', Node(TREE, inner))}:refs/heads/agent/x")
    assert not pushed.accepted
    assert pushed.exit == 1
    assert pushed.codes == {"GK007"}


@pytest.mark.parametrize("top", [b"src", b"tests"])
def test_thirty_thousand_nested_directories(lab: Lab, top: bytes) -> None:
    forge = Forge()
    inner = forge.tree([(FILE, b"x.py", forge.raw("blob", b""))])
    for _ in range(30_000):
        inner = forge.tree([(TREE, b"d", inner)])
    forge.place(lab)
    head = rooted(lab, top, Node(TREE, inner))
    for ref, actor in (("refs/heads/agent/x", "bot"), ("refs/heads/main", "alice")):
        ended = run_hook(lab, update(head, ref), actor=actor)
        assert ended.code == 1
        assert "GK007" in ended.said
        assert "256 directories" in ended.said


@pytest.mark.parametrize("size", [5_000, 500_000, 8_000_000])
@pytest.mark.parametrize("char", ["\u0301\u0316", "'", "\udcff"])
def test_a_name_longer_than_any_path(lab: Lab, char: str, size: int) -> None:
    """Normalising a run of combining characters takes time by the square of its length, in one uninterruptible call."""
    name = b"a" + char.encode("utf-8", "surrogateescape") * (size // len(char.encode("utf-8", "surrogateescape")))
    blob = lab.objects.blob(b"")
    nested = rooted(lab, b"src", Node(TREE, lab.objects.raw_tree([(FILE, name, blob)])))
    for head in (nested, rooted(lab, name, Node(FILE, blob))):
        for ref, actor in (("refs/heads/agent/x", "bot"), ("refs/heads/main", "alice")):
            ended = run_hook(lab, update(head, ref), actor=actor)
            assert ended.code == 1
            assert "GK007" in ended.said
            assert len(ended.said) < 2_000


def test_a_gibibyte_that_nobody_needs_to_read(lab: Lab) -> None:
    blob = huge(lab, "blob")
    sources = [(FILE, path[4:], node.oid) for path, node in lab.files(str(lab.base)).items() if path[:4] == b"src/"]
    beside = sorted([*sources, (FILE, b"data.txt", blob)], key=lambda row: row[1])
    ended = run_hook(lab, update(rooted(lab, b"src", Node(TREE, lab.objects.raw_tree(beside)))))
    assert (ended.code, ended.peak < SMALL) == (0, True)
    contracts = rooted(lab, b"contracts", Node(TREE, lab.objects.raw_tree([(FILE, b"policy.toml", blob)])))
    ended = run_hook(lab, update(contracts))
    assert (ended.code, ended.peak < SMALL) == (2, True)
    ended = run_hook(lab, update(contracts, "refs/heads/main"), actor="alice")
    assert (ended.code, ended.peak < SMALL) == (1, True)
    assert "GK007" in ended.said
    assert "blob_bytes" in ended.said


@pytest.mark.parametrize("kind", ["blob", "tree", "commit", "tag"])
def test_a_gibibyte_by_its_header(lab: Lab, kind: str) -> None:
    """A loose object that claims a gigabyte is refused by the claim; its bytes, which are other ones, are not read."""
    forged = huge(lab, kind, honest=False)
    heads = [(forged, "refs/heads/agent/x", "bot"), (forged, "refs/tags/v1", "alice")]
    if kind == "tree":
        heads += [(lab.commit({}, tree=forged), "refs/heads/agent/x", "bot")]
        heads += [(rooted(lab, name, Node(TREE, forged)), "refs/heads/agent/x", "bot") for name in (b"src", b"tests")]
    for head, ref, actor in heads:
        ended = run_hook(lab, update(head, ref), actor=actor)
        assert ended.code == 1
        assert "GK007" in ended.said or "GK206" in ended.said
        assert ended.peak < SMALL


def packed(kind: str, size: int, stream: bytes) -> bytes:
    """One object of a pack, its stream made already."""
    head = [wire.KINDS[kind] << 4 | size & 15]
    size >>= 4
    while size:
        head[-1] |= 128
        head.append(size & 127)
        size >>= 7
    return bytes(head) + stream


def test_a_gibibyte_in_a_real_push(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A megabyte on the wire, a gigabyte to git, and to the gate its header."""
    lab = Lab(tmp_path_factory.mktemp("own"))
    report = measured(lab)
    blob = huge(lab, "blob")
    contracts = Forge()
    tree = contracts.tree([(FILE, b"policy.toml", blob)])
    contracts.place(lab)
    head = rooted(lab, b"contracts", Node(TREE, tree))
    objects = [packed("blob", GIB, zeros(b"", GIB))]
    for oid in (head, lab.git("rev-parse", f"{head}^{{tree}}"), tree):
        kind = lab.git("cat-file", "-t", oid)
        data = subprocess.run(["git", "-C", lab.work, "cat-file", kind, oid], capture_output=True, check=True).stdout
        objects.append(packed(kind, len(data), zlib.compress(data)))
    whole = b"PACK" + (2).to_bytes(4, "big") + len(objects).to_bytes(4, "big") + b"".join(objects)
    lab.server.out("config", "receive.unpackLimit", "1")
    sent = wire.packet(f"{lab.base} {head} refs/heads/main\0report-status".encode()) + b"0000"
    sent += whole + hashlib.sha1(whole, usedforsecurity=False).digest()
    assert len(sent) < 2 * MIB
    done = subprocess.run(
        ["git", "receive-pack", str(lab.bare)],
        input=sent,
        env=hermetic_env(lab.home, GATEKEEPER_ACTOR="alice"),
        capture_output=True,
        check=False,
    )
    assert b"GK007" in done.stderr
    assert b"ng refs/heads/main pre-receive hook declined" in done.stdout
    assert lab.tip() == lab.base
    assert int(report.read_text()) < SMALL * 1024


def test_a_hundred_thousand_files(tmp_path_factory: pytest.TempPathFactory) -> None:
    """More than any agent's patch; a person's first import of the same passes."""
    lab = Lab(tmp_path_factory.mktemp("own"), files={"src/a.py": b""})
    forge = Forge()
    empty = forge.raw("blob", b"")
    folders = [
        (TREE, b"d%03d" % each, forge.tree((FILE, b"f%05d.py" % (each * 100 + n), empty) for n in range(100)))
        for each in range(1_000)
    ]
    tree = forge.tree([(TREE, b"src", forge.tree(folders))])
    forge.place(lab)
    agents = lab.push(f"{lab.commit({}, tree=tree)}:refs/heads/agent/large")
    assert agents.codes == {"GK007"}
    assert not agents.accepted
    assert lab.push(f"{lab.commit({}, tree=tree)}:refs/heads/main", actor="alice").accepted
    first = Lab(tmp_path_factory.mktemp("first"), files={})
    forge.place(first)
    assert first.push(f"{first.commit({}, tree=tree, parent=None)}:refs/heads/main", actor="alice").accepted


def test_objects_of_a_repository_in_sha256(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The other backend refuses the same: a claim of a gigabyte, a bomb, a depth, a missing tree, a loop."""
    lab = Lab(tmp_path_factory.mktemp("own"), "sha256", policy=policy(tail="[limits]\npaths = 2000\nentries = 20000"))
    inner = lab.objects.raw_tree([(FILE, b"%d" % n, lab.objects.blob(b"")) for n in range(10)])
    for _ in range(9):
        inner = lab.objects.raw_tree([(TREE, b"%d" % n, inner) for n in range(10)])
    deep = lab.objects.raw_tree([(FILE, b"x.py", lab.objects.blob(b""))])
    for _ in range(300):
        deep = lab.objects.raw_tree([(TREE, b"d", deep)])
    claim = hashlib.sha256(b"claimed").hexdigest()
    place = lab.objects.objects / claim[:2] / claim[2:]
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(zeros(b"tree %d\0" % GIB, MIB))
    reach(lab)
    for tree, code in ((inner, "GK007"), (deep, "GK007"), (claim, "GK007"), ("1" * 64, "GK006")):
        for top in (b"src", b"tests"):
            ended = run_hook(lab, update(rooted(lab, top, Node(TREE, tree))))
            assert ended.code == (3 if code == "GK006" else 1)
            assert code in ended.said
            assert ended.peak < SMALL
    assert run_hook(lab, f"{ZERO} {ZERO} refs/heads/agent/x\n".encode()).code == 3
    assert run_hook(lab, update(lab.commit(HONEST_FIX))).code == 0


def test_limits_of_the_policy_in_real_pushes(tmp_path_factory: pytest.TempPathFactory) -> None:
    lab = Lab(tmp_path_factory.mktemp("own"), policy=policy(tail="[limits]\nobject_bytes = 100000"))
    long = lab.commit({}, b"x" * 200_000)
    wide = lab.commit({f"src/m{number:05}.py": b"" for number in range(4_000)})
    for head in (long, wide):
        pushed = lab.push(f"{head}:refs/heads/agent/x")
        assert pushed.codes == {"GK007"}
        assert not pushed.accepted


@pytest.mark.parametrize("name", [b"src/\xff\x1b[31m.py", b"src/a\rremote: ok\nb.py", b"src/\xe2\x80\xae.py"])
def test_names_that_are_no_text_are_shown_as_what_they_are(lab: Lab, name: bytes) -> None:
    pushed = lab.push(f"{lab.commit({name: b''})}:refs/heads/agent/x")
    assert not pushed.accepted
    assert pushed.codes == {"GK110"}
    assert pushed.result.stderr.replace("\n", "").isprintable()
    assert not any(line.startswith("ok") for line in pushed.remote)
