"""What a finding says, word for word: the text is what an agent mends its push by."""

from __future__ import annotations

import pytest

from gatekeeper.model import RefUpdate
from gatekeeper.verdict import Verdict
from tests.judging.world import FIX, WEAK, Content, World

LINK, SUBMODULE, SCRIPT = 0o120000, 0o160000, 0o100755
TEST = b"def test_encode():\n    assert True\n"


@pytest.mark.parametrize(
    ("changes", "message", "fix"),
    [
        (WEAK, "protected file changed", "restore it; a person changes tests in a push of their own"),
        ({"tests/new.txt": b""}, "protected file added", "restore it; a person changes tests in a push of their own"),
        (
            {"tests/data/a.bin": None},
            "protected file deleted",
            "restore it; a person changes tests in a push of their own",
        ),
        ({"contracts/x": b""}, "contract file added", "restore it, and ask a person to change the contract"),
        (
            {"README.md": b""},
            "outside the writable set: changed",
            "leave it out; `gatekeeper policy show` lists what is writable",
        ),
        ({"Tests/x": b""}, "twin of a protected path added", "rename or remove it"),
        ({"src/l": (LINK, b"")}, "symbolic link added", "commit plain files instead"),
        ({"src/encoder.py": (SUBMODULE, b"\1" * 20)}, "submodule changed", "commit plain files instead"),
        (
            {"tests/test_encoder.py": (SCRIPT, TEST)},
            "mode of a protected file: 100644 -> 100755",
            "restore its mode",
        ),
        ({"src/.gitattributes": b""}, "git control file added", "restore it; a person decides how git treats the tree"),
        ({"src/a\rb": b""}, "the name has a control character", "rename it"),
        ({"src/a\x7fb": b""}, "the name has a control character", "rename it"),
        ({"src/a\u0085b": b""}, "the name has a control character", "rename it"),
        ({"src/a\u202eb": b""}, "the name has a control character", "rename it"),
        ({"src/a\u2066b": b""}, "the name has a control character", "rename it"),
        ({"src/.git/a": b""}, "the name has a component that some system reads as .git", "rename it"),
        ({"src/.g\u200cit": b""}, "the name has a component that some system reads as .git", "rename it"),
        ({"src/GITMOD~1": b""}, "the name has a component that some system reads as .git", "rename it"),
        ({"src/../a": b""}, "the name has a component that is a relative path", "rename it"),
        ({b"src/\xff": b""}, "the name has bytes that are not UTF-8", "rename it"),
        ({"src/a\\b": b""}, "the name has a backslash, which Windows reads as a separator", "rename it"),
        ({"src/a&b": b""}, "the name has a character that shells read as syntax", "rename it"),
        ({"src/-a": b""}, "the name has a leading dash, which commands read as an option", "rename it"),
        ({"src/MODULE~1.PY": b""}, "the name has an 8.3 alias, which Windows reads as another file", "rename it"),
    ],
)
def test_what_a_write_is_called(changes: dict[str, Content], message: str, fix: str) -> None:
    world = World()
    verdict = world.judge(world.commit(changes))
    assert (verdict.findings[0].message, verdict.findings[0].fix) == (message, fix)


def test_configuration() -> None:
    world = World()
    (finding,) = world.judge(world.commit({"pyproject.toml": b""})).findings
    assert finding.message == "configuration changed"
    assert finding.fix == "restore it; a person changes how the project is built and tested"


def test_in_transit() -> None:
    world = World()
    weak = world.commit(WEAK)
    lost = world.commit({"tests/test_encoder.py": TEST}, [weak])
    (finding,) = world.judge(lost).findings
    assert finding.message == f"protected file changed in {weak.hex()[:7]}, undone in {lost.hex()[:7]}"
    assert finding.fix == "squash or rebase, so that no commit of the push writes it"
    again = world.commit(WEAK, [lost])
    back = world.commit({"tests/test_encoder.py": TEST}, [again])
    (finding,) = world.judge(back).findings
    assert finding.message == f"protected file changed in {weak.hex()[:7]}, undone in {lost.hex()[:7]}"


@pytest.mark.parametrize(
    ("ref", "old", "message", "fix"),
    [
        (b"refs/heads/main", None, "this ref is not open to the agent lane", "push to refs/heads/agent/NAME instead"),
        (
            b"refs/heads/agent/a;b",
            None,
            "the ref name is syntax to a shell or to git",
            "use letters, digits and . _ - only, between single slashes",
        ),
        (b"refs/notes/x", None, "only refs/heads/ and refs/tags/ may be pushed", "push a branch: refs/heads/..."),
    ],
)
def test_refs(ref: bytes, old: bytes | None, message: str, fix: str) -> None:
    world = World()
    finding = world.judge(world.commit(FIX), ref=ref, old=old).findings[0]
    assert (finding.message, finding.fix) == (message, fix)


def test_moves() -> None:
    world = World()
    one, two = world.commit(FIX), world.commit({"src/two.py": b""})
    world.trust(one)
    forced = world.judge(two, ref=b"refs/heads/main", old=one, actor="alice").findings[0]
    assert (forced.message, forced.fix) == (
        f"the push drops {one.hex()[:12]} from this ref",
        "rebase onto it; do not force",
    )
    moved = world.judge(two, ref=b"refs/tags/v1", old=one, actor="alice").findings[0]
    assert (moved.message, moved.fix) == (f"the tag already names {one.hex()[:12]}", "make a new tag instead")
    gone = world.judge(None, ref=b"refs/heads/main", old=one, actor="alice").findings[0]
    assert gone.message == "this deletes the trusted ref that other pushes are judged by"
    assert gone.fix == "make sure that you mean it"
    theirs = world.judge(None, ref=b"refs/heads/x", old=one).findings[0]
    assert (theirs.message, theirs.fix) == (
        "an agent may not delete this ref",
        "leave it alone, or ask a person to delete it",
    )
    blob = world.judge(world.store.put("blob", b""), ref=b"refs/tags/v1", actor="alice").findings[0]
    assert (blob.message, blob.fix) == ("it names a blob, not a commit", "push or tag a commit")


@pytest.mark.parametrize("encoding", [b"UTF-8", b"ISO-8859-1", b"Latin1", b"windows-1252", b"us-ascii"])
def test_an_encoding_that_keeps_brackets_is_fine(encoding: bytes) -> None:
    assert encoded(encoding) == []


def encoded(encoding: bytes) -> list[str]:
    world = World()
    commit = world.store.objects[world.commit(FIX)][1]
    head = world.store.put("commit", commit.replace(b"\n\n", b"\nencoding " + encoding + b"\n\n", 1))
    return [finding.message for finding in world.judge(head).findings]


def test_an_encoding_that_hides_words_is_not() -> None:
    assert encoded(b"UTF-7") == ["the message says it is written in UTF-7"]


@pytest.mark.parametrize(
    ("message", "word"),
    [
        (b"x [skip ci]", "[skip ci]"),
        (b"x [CI_SKIP] [skip ci]", "[ci_skip]"),
        (b"x [skipci", None),
        (b"x [  ci -  skip ]", "[  ci -  skip ]"),
        (b"x [no-ci]", "[no-ci]"),
        (b"x [skip: see the long list of exceptions below]", None),
        (b"x [ci]", None),
        (b"x [skip" + b"a" * 20 + b"]", "[skip" + "a" * 20 + "]"),
        (b"x [skip" + b"a" * 21 + b"]", None),
        (b"x --skip-ci", "--skip-ci"),
        (b"x\nci-skip: yes", "ci-skip: yes"),
    ],
)
def test_words_that_steer(message: bytes, word: str | None) -> None:
    world = World()
    found = [finding.message for finding in world.judge(world.commit(FIX, None, message)).findings]
    assert found == ([] if word is None else [f"the message says {word}"])


def test_a_verdict_leaves_nothing_out_unless_it_says_so() -> None:
    update = RefUpdate(b"refs/heads/agent/x", None, None)
    assert Verdict(update, "agent", None, None, None, {}, ()).truncated == 0
    assert Verdict(update, "agent", None, None, None, {}, ()).mend == ()


def test_trusted_commits_are_compared_within_a_bound() -> None:
    """A state that was trusted long ago is no excuse: the bound is on commits, newest first."""
    from gatekeeper.writes import TRUSTED_COMMITS_COMPARED

    world = World()
    tip = world.commit({"tests/test_more.py": b"0"})
    for number in range(TRUSTED_COMMITS_COMPARED + 1):
        tip = world.commit({"tests/test_more.py": b"%d" % (number + 1)}, [tip])
    world.trust(tip)
    reachable = world.commit({"tests/test_more.py": b"10"})
    beyond = world.commit({"tests/test_more.py": b"0"})
    now = {"tests/test_more.py": b"%d" % (TRUSTED_COMMITS_COMPARED + 1)}
    assert [f.code for f in world.judge(world.commit({**now, **FIX}, [reachable])).findings] == []
    assert [f.code for f in world.judge(world.commit({**now, **FIX}, [beyond])).findings] == ["GK108"]
