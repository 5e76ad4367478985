"""Hostile pushes: none passes, none hangs, each is refused with its reason, through the installed hook."""

from __future__ import annotations

import os
import resource
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.support.lab import HONEST_FIX, WEAKENED_TEST, Lab, policy
from tests.support.objects import TREE

if TYPE_CHECKING:
    from pathlib import Path

MIB = 1 << 20
ZERO = "0" * 40


def run_hook(lab: Lab, stdin: bytes, *, env: dict[str, str] | None = None) -> tuple[int, str]:
    """The hook as git starts it, with every object of the clone in reach; its exit code and what it prints."""
    (lab.bare / "objects/info/alternates").write_text(f"{lab.work}/.git/objects\n")
    done = subprocess.run(
        ["hooks/pre-receive"],
        cwd=lab.bare,
        input=stdin,
        env={**os.environ, "GIT_DIR": ".", "GATEKEEPER_ACTOR": "bot", **(env or {})},
        capture_output=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stderr.decode("ascii")


def update(new: str, ref: str = "refs/heads/agent/x") -> bytes:
    return f"{ZERO} {new} {ref}\n".encode()


@pytest.mark.parametrize(
    "stdin",
    [
        b"",
        b"\n",
        b"x",
        b"%s %s refs/heads/agent/x" % (ZERO.encode(), ZERO.encode()),
        b"%s %s\n" % (ZERO.encode(), ZERO.encode()),
        b"%s %s \n" % (ZERO.encode(), ZERO.encode()),
        b"%s  %s refs/heads/agent/x\n" % (ZERO.encode(), ZERO.encode()),
        b"%s %s refs/heads/agent/x\n" % (b"0" * 64, b"0" * 64),
        b"%s %s refs/heads/agent/x\n" % (ZERO.encode(), b"A" * 40),
        b"%s %s refs/heads/a\0b\n" % (ZERO.encode(), ZERO.encode()),
        b"%s %s refs/heads/agent/x\n\xff\xfe\n" % (ZERO.encode(), ZERO.encode()),
    ],
)
def test_malformed_input_is_no_verdict(lab: Lab, stdin: bytes) -> None:
    code, said = run_hook(lab, stdin)
    assert code == 3
    assert said.startswith("gatekeeper: ")
    assert "fix: " in said


def test_a_clean_update_passes_the_same_way(lab: Lab) -> None:
    assert run_hook(lab, update(lab.commit(HONEST_FIX)))[0] == 0


@pytest.mark.parametrize("what", ["commit", "tree", "blob"])
def test_missing_objects(lab: Lab, what: str) -> None:
    absent = "1" * 40
    if what == "commit":
        head = absent
    else:
        mode = TREE if what == "tree" else 0o100644
        entries = [(mode, b"tests", absent)] if what == "tree" else [(mode, b"README.md", absent)]
        head = lab.commit({}, tree=lab.objects.raw_tree(entries))
    code, said = run_hook(lab, update(head))
    # a blob that nobody asks for is not read; what is gone from the tree is found all the same
    assert code == {"commit": 3, "tree": 3, "blob": 2}[what]
    assert "refused" in said


def bomb(lab: Lab, top: bytes) -> str:
    """Twelve objects that name ten to the tenth paths below ``top``."""
    inner = lab.objects.raw_tree([(0o100644, b"%d" % n, lab.objects.blob(b"")) for n in range(10)])
    for _ in range(9):
        inner = lab.objects.raw_tree([(TREE, b"%d" % n, inner) for n in range(10)])
    rows = [(node.mode, path, node.oid) for path, node in top_level(lab).items() if path != top]
    rows.append((TREE, top, inner))
    return lab.commit({}, tree=lab.objects.raw_tree(sorted(rows, key=lambda row: row[1] + b"/" * (row[0] == TREE))))


def top_level(lab: Lab) -> dict[bytes, Row]:
    rows = lab.server.raw("ls-tree", "-z", str(lab.base)).split(b"\0")[:-1]
    return {path: Row(head) for head, _, path in (row.partition(b"\t") for row in rows)}


class Row:
    """One line of ls-tree."""

    def __init__(self, head: bytes) -> None:
        mode, _, oid = head.split(b" ")
        self.mode, self.oid = int(mode, 8), oid.decode()


@pytest.mark.parametrize("top", [b"src", b"tests"])
def test_a_tree_bomb_is_over_a_limit_in_both_lanes(lab: Lab, top: bytes) -> None:
    head = bomb(lab, top)
    pushed = lab.push(f"{head}:refs/heads/agent/x")
    assert pushed.codes == {"GK007"}, pushed.result.stderr
    assert pushed.exit == 1
    lab.write_policy(policy(tail="[limits]\nentries = 100000"))
    assert lab.push(f"{head}:refs/heads/topic", actor="alice").codes == {"GK007"}


def test_thirty_thousand_nested_directories(lab: Lab) -> None:
    inner = lab.objects.raw_tree([(0o100644, b"x.py", lab.objects.blob(b""))])
    for _ in range(30_000):
        inner = lab.objects.raw_tree([(TREE, b"d", inner)])
    rows = [(row.mode, path, row.oid) for path, row in top_level(lab).items() if path != b"src"]
    rows.append((TREE, b"src", inner))
    head = lab.commit({}, tree=lab.objects.raw_tree(sorted(rows, key=lambda row: row[1] + b"/" * (row[0] == TREE))))
    code, said = run_hook(lab, update(head))
    assert code == 1
    assert "GK007" in said


def test_a_hundred_thousand_files(tmp_path: Path) -> None:
    """More than any agent's patch; a person's first import of the same passes."""
    lab = Lab(tmp_path, files={"src/a.py": b""})
    stream = [
        b"blob\nmark :1\ndata 1\n\n\n",
        b"commit refs/heads/large\ncommitter A <a@example.invalid> 1700000000 +0000\ndata 1\nx\n",
    ]
    stream.append(b"from %s\n" % str(lab.base).encode())
    stream.extend(b"M 100644 :1 src/d%d/f%d.py\n" % (n // 100, n) for n in range(100_000))
    lab.fast_import(b"".join(stream))
    agents = lab.push("refs/heads/large:refs/heads/agent/large")
    assert agents.codes == {"GK007"}
    assert not agents.accepted
    assert lab.push("refs/heads/large:refs/heads/main", actor="alice").accepted


def gibibyte(lab: Lab) -> str:
    """A blob of 1 GiB of zeros: a megabyte on the wire."""
    with subprocess.Popen(["head", "-c", str(1 << 30), "/dev/zero"], stdout=subprocess.PIPE) as zeros:
        command = ["git", "-C", str(lab.work), "-c", "core.compression=1", "hash-object", "-w", "--stdin"]
        return subprocess.run(command, stdin=zeros.stdout, check=True, capture_output=True, text=True).stdout.strip()


def test_a_gibibyte_is_never_inflated(lab: Lab) -> None:
    """As source it is not read, as a policy it is over the limit by its header; memory stays small either way."""
    huge = gibibyte(lab)
    table = {path: (row.mode, row.oid) for path, row in top_level(lab).items()}
    source = lab.objects.raw_tree([(0o100644, b"data.txt", huge)])
    contracts = lab.objects.raw_tree([(0o100644, b"policy.toml", huge)])

    def commit(name: bytes, tree: str) -> str:
        rows = [(mode, path, oid) for path, (mode, oid) in {**table, name: (TREE, tree)}.items()]
        return lab.commit({}, tree=lab.objects.raw_tree(sorted(rows, key=lambda row: row[1] + b"/" * (row[0] == TREE))))

    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert run_hook(lab, update(commit(b"src", source)))[0] == 0
    code, said = run_hook(
        lab, update(commit(b"contracts", contracts), "refs/heads/main"), env={"GATEKEEPER_ACTOR": "alice"}
    )
    assert code == 1
    assert "GK007" in said
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert peak == before or peak < 512 * 1024


def test_a_commit_and_a_tree_over_the_limit(lab: Lab) -> None:
    lab.write_policy(policy(tail="[limits]\nobject_bytes = 100000"))
    long = lab.commit({}, b"x" * 200_000, tree=lab.server.out("rev-parse", f"{lab.base}^{{tree}}"))
    wide = lab.commit({f"src/m{n:05}.py": b"" for n in range(4_000)})
    for head in (long, wide):
        pushed = lab.push(f"{head}:refs/heads/agent/x")
        assert pushed.codes == {"GK007"}
        assert not pushed.accepted


def test_ten_thousand_parents(lab: Lab) -> None:
    head = lab.commit({}, parent=[str(lab.base), *[f"{n:040x}" for n in range(1, 10_000)]])
    code, said = run_hook(lab, update(head))
    assert code == 3
    assert "GK006" in said


def test_a_chain_of_tags(lab: Lab) -> None:
    lab.write_policy(policy(tail='[refs]\nagent = ["refs/heads/agent/**", "refs/tags/**"]'))
    oid, kind = str(lab.base), "commit"
    for number in range(100):
        oid, kind = lab.objects.tag(oid, kind, b"t%d" % number, b"x\n", b"A <a@example.invalid> 0 +0000"), "tag"
    assert lab.push(f"{oid}:refs/tags/deep").codes == {"GK007"}


def test_names_that_are_no_text(lab: Lab) -> None:
    head = lab.commit({b"src/\xff\x1b[31m.py": b""})
    pushed = lab.push(f"{head}:refs/heads/agent/x")
    assert pushed.codes == {"GK110"}
    assert pushed.result.stderr.isprintable() or all(c.isprintable() or c == "\n" for c in pushed.result.stderr)
    code, said = run_hook(lab, b"%s %s refs/heads/agent/\xff\r\n" % (ZERO.encode(), str(lab.base).encode()))
    assert code == 1
    assert "GK201" in said
    assert "\r" not in said


def test_replacements_and_grafts_on_the_server_change_nothing(lab: Lab) -> None:
    weak = lab.commit(WEAKENED_TEST)
    honest = lab.commit(HONEST_FIX)
    run_hook(lab, update(honest))  # brings the clone's objects into reach
    (lab.bare / f"refs/replace/{weak}").parent.mkdir(parents=True)
    (lab.bare / f"refs/replace/{weak}").write_text(f"{honest}\n")
    (lab.bare / "info").mkdir(exist_ok=True)
    (lab.bare / "info/grafts").write_text(f"{weak} {honest}\n")
    code, said = run_hook(lab, update(weak))
    assert code == 1
    assert "GK101" in said


def test_the_working_directory_and_the_environment_lend_no_code(lab: Lab) -> None:
    for name in ("os.py", "json.py", "pygit2.py", "zlib.py"):
        (lab.bare / name).write_text("raise SystemExit(0)\n")
    (lab.bare / "gatekeeper/__init__.py").write_text("raise SystemExit(0)\n")
    poison = {"PYTHONPATH": str(lab.bare), "PYTHONSTARTUP": str(lab.bare / "os.py"), "PYTHONHOME": str(lab.bare)}
    weak = lab.commit(WEAKENED_TEST)
    code, said = run_hook(lab, update(weak), env=poison)
    assert (code, "GK101" in said) == (1, True)
    code, said = run_hook(lab, update(lab.commit(HONEST_FIX)), env=poison)
    assert code == 0
    odd = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.bare",
        "GIT_CONFIG_VALUE_0": "false",
        "GIT_REPLACE_REF_BASE": "x",
    }
    assert run_hook(lab, update(weak), env=odd)[0] == 1
    elsewhere = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": "/nowhere:relative", "GIT_OBJECT_DIRECTORY": "/nowhere"}
    assert run_hook(lab, update(weak), env=elsewhere)[0] in (1, 3)


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_nobody_listening_changes_no_verdict(lab: Lab, closed: str) -> None:
    weak, fix = lab.commit(WEAKENED_TEST), lab.commit(HONEST_FIX)
    run_hook(lab, update(fix))
    for head, expected in ((weak, 1), (fix, 0)):
        done = subprocess.run(
            ["sh", "-c", f"hooks/pre-receive {closed}"],
            cwd=lab.bare,
            input=update(head),
            env={**os.environ, "GIT_DIR": ".", "GATEKEEPER_ACTOR": "bot"},
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == expected
