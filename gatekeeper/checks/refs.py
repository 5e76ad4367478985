"""GK2xx: which refs a lane may move, and how."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.checks._rule import rule
from gatekeeper.errors import LimitExceeded
from gatekeeper.git.history import is_ancestor
from gatekeeper.model import AGENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.context import Context
    from gatekeeper.model import Finding

_HEADS, _TAGS = b"refs/heads/", b"refs/tags/"
_SAFE = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/@+#=-")
_SKIP_WORDS = (b"***no_ci***", b"--skip-ci", b"--ci-skip")
MAX_MESSAGE = 1 << 20
"""Bytes of an agent's commit message: every bracket in it is looked at."""
_LONGEST_KEY = 24
_STEERING_TRAILERS = (b"skip-checks:", b"skip-ci:", b"ci-skip:")
_ASCII_SUPERSETS = (
    b"utf-8",
    b"utf8",
    b"ascii",
    b"us-ascii",
    b"iso-8859-",
    b"iso8859-",
    b"latin",
    b"windows-125",
    b"cp125",
)


@rule("GK201", "ref not open to this lane", budget="refs", human="off")
def not_open(ctx: Context) -> Iterator[Finding]:
    """An agent writes only the refs that the policy opens to its lane, `refs/heads/agent/**` by default.

    Why: a push to the trusted branch is judged by nobody afterwards, and a tag named `origin/main` shadows the branch
    of that name in a script. Ref names with characters that a shell reads as syntax are closed to agents too.

    Mend: push to a ref of your lane, for example `git push origin HEAD:refs/heads/agent/NAME`, and let a person merge
    it.
    """
    ref = ctx.update.ref
    if not ref or ctx.lane != AGENT or ctx.update.new is None or _hidden(ctx):
        return
    if not ctx.open_to_agents:
        yield not_open.finding("this ref is not open to the agent lane", fix="push to refs/heads/agent/NAME instead")
    elif not _SAFE.issuperset(ref) or any(map(_odd, ref.split(b"/"))) or b"@{" in ref:
        fix = "use letters, digits and . _ - only, between single slashes"
        yield not_open.finding("the ref name is syntax to a shell or to git", fix=fix)


def _odd(part: bytes) -> bool:
    """Whether one component of a ref name is what git-check-ref-format(1) or a command line would trip over."""
    return not part or part.startswith((b".", b"-")) or part.endswith((b".", b".lock")) or b".." in part


@rule("GK202", "deletion of a ref", budget="refs", human="warn")
def deletion(ctx: Context) -> Iterator[Finding]:
    """An agent deletes only refs of its own lane; deleting a trusted ref is noted in the human lane.

    Why: deleting the trusted branch removes what every other push is judged by, and deleting a tag removes a release.

    Mend: leave the ref alone; a person deletes it on the server.
    """
    if not ctx.update.ref or ctx.update.new is not None or _hidden(ctx):
        return
    if ctx.lane == AGENT and not ctx.open_to_agents:
        yield deletion.finding("an agent may not delete this ref", fix="leave it alone, or ask a person to delete it")
    elif ctx.on_trusted:
        yield deletion.finding(
            "this deletes the trusted ref that other pushes are judged by", fix="make sure that you mean it"
        )


@rule("GK203", "not a fast-forward", budget="refs", human="warn")
def not_fast_forward(ctx: Context) -> Iterator[Finding]:
    """Outside its own refs an agent never rewrites history, and on a trusted ref neither; a person's rewrite is noted.

    Why: a forced update of the trusted branch rolls the tests back to a state that the patch passes.

    Mend: rebase onto the ref's current commit and push without `--force`.
    """
    old, new = ctx.update.old, ctx.update.new
    if not ctx.update.ref.startswith(_HEADS) or old is None or new is None or ctx.head is None:
        return
    free = ctx.lane == AGENT and ctx.open_to_agents and not ctx.on_trusted
    if free or (ctx.lane != AGENT and not ctx.on_trusted):
        return
    if not is_ancestor(ctx.objects, old, ctx.head.oid, ctx.policy.limits["entries"]):
        yield not_fast_forward.finding(
            f"the push drops {old.hex()[:12]} from this ref", fix="rebase onto it; do not force"
        )


@rule("GK204", "tag moved", budget="refs", human="warn")
def tag_moved(ctx: Context) -> Iterator[Finding]:
    """A tag that exists is never moved by an agent; a person's move is noted.

    Why: a release that has been tested under a name must stay what it was.

    Mend: make a new tag.
    """
    old, new = ctx.update.old, ctx.update.new
    if ctx.update.ref.startswith(_TAGS) and old is not None and new is not None and old != new:
        yield tag_moved.finding(f"the tag already names {old.hex()[:12]}", fix="make a new tag instead")


@rule("GK205", "hidden namespace", budget="refs")
def hidden(ctx: Context) -> Iterator[Finding]:
    """Only branches and tags are pushed: replace refs, notes and every other namespace are closed in both lanes.

    Why: `refs/replace/*` shows git another object than the one that was judged; `refs/meta/config`, `refs/pull/*` and
    `refs/notes/*` steer hosts and carry verdicts. No reader of branches would see them.

    Mend: push a branch. An administrator can open a namespace to people with `[refs] human = ["refs/..."]`.
    """
    if ctx.update.ref and _hidden(ctx):
        yield hidden.finding("only refs/heads/ and refs/tags/ may be pushed", fix="push a branch: refs/heads/...")


def _hidden(ctx: Context) -> bool:
    ref = ctx.update.ref
    if ref.startswith((_HEADS, _TAGS)):
        return False
    return ctx.lane == AGENT or not ctx.policy.human_refs.matches(ref)


@rule("GK206", "ref does not name a commit", budget="refs")
def no_commit(ctx: Context) -> Iterator[Finding]:
    """A branch names a commit, and a tag a commit or a tag of one.

    Why: a tag of a tree or blob carries content that no rule about commits would look at.

    Mend: tag or push the commit itself.
    """
    if ctx.target is None:
        return
    kind, oid = ctx.target
    if kind != "commit":
        yield no_commit.finding(f"it names a {kind}, not a commit", fix="push or tag a commit")
    elif ctx.update.ref.startswith(_HEADS) and oid != ctx.update.new:
        yield no_commit.finding(
            "a branch must name a commit, not a tag of one", fix="push the commit: git push origin TAG^{}:REF"
        )


@rule("GK207", "commit message that steers CI", budget="refs", human="off")
def steers_ci(ctx: Context) -> Iterator[Finding]:
    """No commit message of an agent tells CI to skip, whatever commit of the push it is in.

    Why: `[skip ci]` switches off the run that would have shown the failure.

    Mend: reword the commit (`git commit --amend`, or `git rebase -i` for an older one) and push again.
    """
    if ctx.history is None:
        return
    for oid in ctx.history.new:
        commit = ctx.objects.commit(oid)
        if len(commit.message) > MAX_MESSAGE:
            what = f"the message of commit {oid.hex()[:12]} has {len(commit.message)} bytes"
            raise LimitExceeded(f"{what}, the limit is {MAX_MESSAGE}", fix="reword it")
        word = _steers(commit.message.lower())
        if word is None and commit.encoding and not commit.encoding.lower().startswith(_ASCII_SUPERSETS):
            word = b"it is written in " + commit.encoding  # UTF-7 spells "[" so that only a decoder sees it
        if word is not None:
            shown = word.strip().decode("utf-8", "backslashreplace")
            yield steers_ci.finding(f"the message says {shown}", commit=oid, fix="reword the commit without it")


def _steers(message: bytes) -> bytes | None:
    """The words of a lower-case message that some CI takes for an order to skip.

    Every service spells it a little differently: in brackets, "skip" and a name in either order, with spaces, dashes or
    underscores between, or none.
    """
    for part in message.split(b"[")[1:]:
        inner, bracket, _ = part.partition(b"]")
        key = bytes(byte for byte in inner if byte not in b" _-\t")
        if (
            bracket
            and len(key) <= _LONGEST_KEY
            and (key == b"noci" or key.startswith(b"skip") or key.endswith(b"skip"))
        ):
            return b"[" + inner + b"]"
    for line in message.splitlines():
        if line.lstrip().startswith(_STEERING_TRAILERS):
            return line
    return next((word for word in _SKIP_WORDS if word in message), None)
