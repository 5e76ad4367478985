"""Refs that are not the lane's to write: names, deletions, rewinds, tags, hidden namespaces, refs to no commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.attacks.catalogue import BRANCH, HUMAN, Attempt, Bench, Update, attack, rows, send
from tests.attacks.seed import MAIN

if TYPE_CHECKING:
    from tests.attacks.catalogue import Row

CORE = b"src/pkg/core.py"
HONEST = {CORE: b"LIMIT = 10\n"}


def _named(row: str, code: str, ref: bytes, via: str = "push") -> Row:
    """An honest commit under a ref name that matters."""

    def build(bench: Bench) -> Attempt:
        return send(bench.edit({**HONEST}), ref, via=via)

    return attack(row, codes={code}, title=f"honest commit to {ref!r}")(build)


NAMES = tuple(
    _named(*row)
    for row in (
        ("G22.topic", "GK201", b"refs/heads/topic"),
        ("G22.case", "GK201", b"refs/heads/Agent/x"),
        ("G22.exact", "GK201", b"refs/heads/agent", "wire"),
        ("G22.prefix", "GK201", b"refs/heads/agents/x"),
        ("G22.nested", "GK201", b"refs/heads/refs/heads/main"),
        ("G22.head", "GK201", b"refs/heads/HEAD"),
        ("G22.origin", "GK201", b"refs/heads/origin/main"),
        ("G22.twin", "GK201", "refs/heads/age\u200cnt/x".encode()),
        ("G22.main-case", "GK201", b"refs/heads/Main"),
        ("G43.tag", "GK201", b"refs/tags/v9"),
        ("G43.agent", "GK201", b"refs/tags/agent/x"),
        ("G43.heads", "GK201", b"refs/tags/heads/main"),
        ("G44.ref-tick", "GK201", b"refs/heads/agent/`id`"),
        ("G44.ref-pipe", "GK201", b"refs/heads/agent/x|id"),
        ("G44.ref-and", "GK201", b"refs/heads/agent/x&&id"),
        ("G44.ref-semicolon", "GK201", b"refs/heads/agent/x;id"),
        ("G44.ref-quote", "GK201", b"refs/heads/agent/x'y"),
        ("G44.ref-redirect", "GK201", b"refs/heads/agent/x>y"),
        ("G44.ref-latin1", "GK201", b"refs/heads/agent/caf\xe9"),
        ("G44.ref-bidi", "GK201", "refs/heads/agent/\u202exif".encode()),
        ("G44.ref-dash", "GK201", b"refs/heads/agent/-x"),
        ("G44.ref-dots", "GK201", b"refs/heads/agent/../main", "wire"),
        ("G44.ref-range", "GK201", b"refs/heads/agent/x..y", "wire"),
        ("G44.ref-dot", "GK201", b"refs/heads/agent/x.", "wire"),
        ("G44.ref-empty", "GK201", b"refs/heads/agent//x", "wire"),
        ("G44.ref-slash", "GK201", b"refs/heads/agent/x/", "wire"),
        ("G44.ref-lock", "GK201", b"refs/heads/agent/x.lock", "wire"),
        ("G44.ref-hidden", "GK201", b"refs/heads/agent/.x", "wire"),
        ("G44.ref-space", "GK201", b"refs/heads/agent/x y", "wire"),
        ("G44.ref-escape", "GK201", b"refs/heads/agent/\x1b[2Jx", "wire"),
        ("G44.ref-at", "GK201", b"refs/heads/agent/x@{1}", "wire"),
        ("G44.ref-backslash", "GK201", b"refs/heads/agent\\x", "wire"),
        ("G44.ref-return", "GK201", b"refs/heads/agent/x\rremote: ok", "wire"),
        ("G27.head", "GK205", b"HEAD", "wire"),
        ("G27.fetch-head", "GK205", b"FETCH_HEAD", "wire"),
        ("G27.for", "GK205", b"refs/for/main"),
        ("G27.changes", "GK205", b"refs/changes/01/1/1"),
        ("G27.merge-requests", "GK205", b"refs/merge-requests/1/head"),
        ("G27.stash", "GK205", b"refs/stash", "wire"),
        ("G27.remotes", "GK205", b"refs/remotes/origin/main"),
        ("G27.original", "GK205", b"refs/original/refs/heads/main"),
        ("G27.bisect", "GK205", b"refs/bisect/bad"),
        ("G27.keep", "GK205", b"refs/keep-around/x"),
        ("G27.prefetch", "GK205", b"refs/prefetch/remotes/origin/main"),
        ("G27.heads-case", "GK205", b"refs/Heads/agent/x"),
        ("G27.head-twin", "GK205", b"refs/head/agent/x"),
        ("G27.short", "GK205", b"refs/agent", "wire"),
    )
)


@attack("G22.human-branch", codes={"GK101", "GK201"}, title="a person's branch, with its own tests, is moved on")
def humans_branch(bench: Bench) -> Attempt:
    return send(bench.edit({**HONEST}, on=bench.seed.topic), b"refs/heads/human/topic")


@attack("G22.delete-main", codes={"GK202"}, title="main is deleted")
def main_deleted(_: Bench) -> Attempt:
    return send(None, MAIN)


@attack("G22.delete-topic", codes={"GK202"}, title="a person's branch is deleted")
def topic_deleted(_: Bench) -> Attempt:
    return send(None, b"refs/heads/human/topic")


@attack("G22.delete-tag", codes={"GK202"}, title="a release tag is deleted")
def tag_deleted(_: Bench) -> Attempt:
    return send(None, b"refs/tags/v1")


@attack("G22.delete-pair", codes={"GK202"}, title="main is deleted behind an honest push")
def deleted_behind(bench: Bench) -> Attempt:
    return Attempt((Update(BRANCH, bench.edit({**HONEST}).oid), Update(MAIN, None)))


@attack("G43.moved", codes={"GK201", "GK204"}, title="a release tag is moved")
def tag_moved(bench: Bench) -> Attempt:
    return send(bench.shop.release(bench.seed.tip.oid, name=b"v1"), b"refs/tags/v1")


@attack("G43.moved-light", codes={"GK201", "GK204"}, title="a lightweight tag is moved to an agent's commit")
def light_tag_moved(bench: Bench) -> Attempt:
    return send(bench.edit({**HONEST}), b"refs/tags/light")


@attack("G26.human", codes={"GK205"}, title="refs/replace is closed to people, too")
def replace_by_human(bench: Bench) -> Attempt:
    return send(bench.edit({**HONEST}), b"refs/replace/" + bench.seed.tip.oid.encode(), actor=HUMAN)


@attack("G26.planted", codes={"GK101"}, title="a replace ref that was there before shows a benign commit")
def replace_planted(bench: Bench) -> Attempt:
    weak, benign = bench.edit({b"tests/test_encoder.py": b""}), bench.edit({**HONEST})
    return send(weak, server={b"refs/replace/" + weak.oid.encode(): benign.oid})


@attack("G26.delete", codes={"GK205"}, title="a replace ref is deleted")
def replace_deleted(bench: Bench) -> Attempt:
    ref = b"refs/replace/" + bench.seed.m0.oid.encode()
    return send(None, ref, server={ref: bench.seed.m1.oid})


@attack("G27.notes-human", codes={"GK205"}, title="notes are closed to people, too")
def notes_by_human(bench: Bench) -> Attempt:
    return send(bench.edit({**HONEST}), b"refs/notes/gate", actor=HUMAN)


def _no_commit(row: str, title: str, kinds: str, ref: bytes, actor: str) -> Row:
    """``kinds`` says what the ref leads to, tags outermost: ``tag tag tree``."""

    def build(bench: Bench) -> Attempt:
        *tags, kind = kinds.split()
        made = {
            "blob": bench.shop.blob(b"no commit\n"),
            "tree": bench.shop.tree(bench.seed.tip.files),
            "commit": bench.edit({**HONEST}).oid,
        }
        oid = made[kind]
        for outer in tags:
            oid, kind = bench.shop.release(oid, kind), outer
        return send(oid, ref, via="wire" if ref.startswith(b"refs/heads/") else "push", actor=actor)

    return attack(row, codes={"GK206"}, title=title)(build)


NO_COMMITS = tuple(
    _no_commit(*row)
    for row in (
        ("G27.blob-branch", "a blob at a branch", "blob", BRANCH, "build-bot"),
        ("G27.tree-branch", "a tree at a branch", "tree", BRANCH, "build-bot"),
        ("G27.tag-branch", "an annotated tag at a branch", "tag commit", BRANCH, "build-bot"),
        ("G27.tag-tree-branch", "a tag of a tree at a branch", "tag tree", BRANCH, "build-bot"),
        ("G27.tag-blob", "a person tags a blob", "tag blob", b"refs/tags/v9", HUMAN),
        ("G27.tag-tree", "a person tags a tree", "tag tree", b"refs/tags/v9", HUMAN),
        ("G27.tag-chain", "a chain of tags that ends at a tree", "tag tag tag tree", b"refs/tags/v9", HUMAN),
        ("G27.light-blob", "a person's lightweight tag of a blob", "blob", b"refs/tags/v9", HUMAN),
    )
)


ATTACKS = (*rows(vars()), *NAMES, *NO_COMMITS)
