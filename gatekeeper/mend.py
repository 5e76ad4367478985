"""The commands that mend a refused push: followed literally, in the clone that pushed, they lead to one that passes."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.model import AGENT
from gatekeeper.writes import judge_writes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gatekeeper.context import Context
    from gatekeeper.model import Finding, Oid

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/@+=-,")
_PATHS_NAMED, _PATHS_SHOWN = 5, 12


def mend(ctx: Context, findings: Iterable[Finding], remote: str | None = "origin") -> tuple[str, ...]:
    """Shell commands, in order, or nothing when no command alone can mend the push.

    Args:
        ctx: the judged update.
        findings: what the rules found in it.
        remote: what the pusher calls the repository, which a server cannot know; None where the trusted commit is at
        hand and need not be fetched.
    """
    errors = [finding for finding in findings if finding.severity == "error"]
    if ctx.lane != AGENT or ctx.trusted is None or ctx.head is None:
        return ()
    # a property that a written test file has broken is whole again with the file
    codes = {finding.code for finding in errors if not _of_written(ctx, finding)}
    if not codes or not all(code.startswith("GK1") or code in ("GK003", "GK004", "GK207") for code in codes):
        return ()
    tip = ctx.trusted.commit.hex()[:12] if remote is None else "FETCH_HEAD"
    fetch = () if remote is None else (f"git fetch {quote(remote)} {quote(ctx.trusted.ref)}",)
    catch_up = (*fetch, f"git rebase {tip}")
    bases = () if ctx.history is None else ctx.history.bases
    if not bases or not _printable(ctx.trusted.ref):
        return ()  # replaying an unrelated history would only conflict; what a terminal cannot show it cannot paste
    if codes <= {"GK003", "GK004"}:
        return catch_up
    reword = "GK207" in codes or not ctx.head.message.strip()
    if ctx.base is None:
        # a criss-cross history has no one commit to squash onto before it is flattened
        commands = _squash(ctx, tip, ctx.trusted.tree.oid, reword=reword)
        return (*catch_up, *commands) if commands else ()
    base_tree = ctx.objects.commit(ctx.base).tree
    # a graft takes a branch that only lags, but not one that has some of the new tests
    behind = bool(ctx.drift(ctx.trusted.tree.oid, base_tree)) and (not ctx.policy.graft or "GK003" in codes)
    commands = _squash(ctx, ctx.base.hex()[:12], base_tree, reword=reword)
    return (*commands, *catch_up) if behind and commands else commands


def _of_written(ctx: Context, finding: Finding) -> bool:
    """Whether a finding about a property names a file that may not be written: that is restored anyway."""
    if not finding.code.startswith("GK4") or finding.path is None:
        return False
    return ctx.zone(finding.path) is not None or any(
        write.change.path == finding.path for write in ctx.once(judge_writes).writes
    )


def _squash(ctx: Context, onto: str, tree: Oid, *, reword: bool) -> tuple[str, ...]:
    """Make one commit, on the commit ``onto`` with its ``tree``, that leaves out what the push may not write."""
    assert ctx.head is not None  # noqa: S101 (the caller has looked)
    errors = [write for write in ctx.once(judge_writes).writes if ctx.severities[write.code] == "error"]
    final = {write.change.path for write in errors if write.commit is None}
    kept = {change.path for change in ctx.changes(tree, ctx.head.tree)} - final
    if not kept:
        return (f"git reset --keep {onto}",)  # nothing else is in it
    commands = [f"git reset --soft {onto}"]
    if final:
        paths = _shortened(ctx, final, kept)
        if len(paths) > _PATHS_SHOWN or not all(map(_printable, paths)):
            return ()
        commands.append(f"git restore -s {onto} -SW -- {' '.join(map(_pathspec, paths))}")
    commands.append("git commit -m 'Describe the change'" if reword else "git commit -C ORIG_HEAD")
    return tuple(commands)


def _shortened(ctx: Context, paths: set[bytes], kept: set[bytes]) -> list[bytes]:
    """The same paths, by the topmost directory that holds nothing to keep: a protected one, or any if they are many."""
    busy = kept.union(*map(_above, kept))
    many = len(paths) > _PATHS_NAMED
    short = set()
    for path in paths:
        idle = (above for above in _above(path) if above not in busy and (many or ctx.zone(above) is not None))
        short.add(next(idle, path))
    return sorted(short)


def _above(path: bytes) -> list[bytes]:
    """The directories on the way to a path, topmost first."""
    parts = path.split(b"/")
    return [b"/".join(parts[:size]) for size in range(1, len(parts))]


def _printable(path: bytes) -> bool:
    return all(0x20 <= byte < 0x7F for byte in path)  # noqa: PLR2004


def _pathspec(path: bytes) -> str:
    """One word that names this path and no other, from any directory of the work tree (gitglossary(7), pathspec)."""
    text = path.decode("ascii")
    # git reads most punctuation after ":/" as further magic
    plain = _SAFE.issuperset(text) and (text[0].isalnum() or text[0] == ".")
    return f":/{text}" if plain else quote(f":(top,literal){text}")


def quote(word: str | bytes) -> str:
    """One word for a POSIX shell; a pushed name must not become syntax in the terminal of whoever pastes it."""
    text = word if isinstance(word, str) else word.decode("ascii", "replace")
    if text and not text.startswith("-") and _SAFE.issuperset(text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"
