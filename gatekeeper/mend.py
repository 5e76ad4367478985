"""The commands that mend a refused push: followed literally, in the clone that pushed, they lead to one that passes."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.model import AGENT
from gatekeeper.writes import judge_writes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gatekeeper.context import Context
    from gatekeeper.model import Finding
    from gatekeeper.writes import Write

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/@+=-,")
_MAGIC = frozenset("*?[:\\")
_PATHS_SHOWN = 12


def mend(ctx: Context, findings: Iterable[Finding], remote: str = "origin") -> tuple[str, ...]:
    """Shell commands, in order, or nothing when no command alone can mend the push.

    Args:
        ctx: the judged update.
        findings: what the rules found in it.
        remote: what the pusher calls the repository; a server cannot know it.
    """
    codes = {finding.code for finding in findings if finding.severity == "error"}
    if ctx.lane != AGENT or ctx.trusted is None or ctx.head is None or not codes:
        return ()
    if not all(code.startswith("GK1") or code in ("GK003", "GK004", "GK207") for code in codes):
        return ()
    catch_up = (f"git fetch {quote(remote)} {quote(ctx.trusted.ref)}", "git rebase FETCH_HEAD")
    if ctx.base is None:
        # replaying an unrelated history would only conflict; a criss-cross one flattens
        return catch_up if ctx.history is not None and ctx.history.bases else ()
    base_tree = ctx.objects.commit(ctx.base).tree
    behind = bool(ctx.drift(ctx.trusted.tree.oid, base_tree)) and not ctx.policy.graft
    if codes <= {"GK003"}:
        return catch_up
    commands = _squash(ctx, ctx.once(judge_writes).writes, reword="GK207" in codes)
    return (*commands, *catch_up) if behind and commands else commands


def _squash(ctx: Context, writes: tuple[Write, ...], *, reword: bool) -> tuple[str, ...]:
    """Make one commit of the branch that leaves out what the push may not write."""
    assert ctx.base is not None and ctx.head is not None  # noqa: S101, PT018 (the caller has looked)
    base = ctx.base.hex()[:12]
    errors = [write for write in writes if ctx.severities[write.code] == "error"]
    final = {write.change.path for write in errors if write.commit is None}
    kept = any(change.path not in final for change in ctx.changes(ctx.objects.commit(ctx.base).tree, ctx.head.tree))
    if not kept:
        return (f"git reset --keep {base}",)  # nothing else is in it
    commands = [f"git reset --soft {base}"]
    if final:
        paths = sorted({_shortest(ctx, path) for path in final})
        if len(paths) > _PATHS_SHOWN or not all(_printable(path) for path in paths):
            return ()
        shown = [quote(path) for path in paths]
        git = "git --literal-pathspecs" if any(_MAGIC.intersection(path) for path in shown) else "git"
        commands.append(f"{git} restore -s {base} -SW -- {' '.join(shown)}")
    commands.append("git commit -m 'Describe the change'" if reword else "git commit -C ORIG_HEAD")
    return tuple(commands)


def _shortest(ctx: Context, path: bytes) -> bytes:
    """The topmost protected directory on the way to ``path``, or the path itself where parts of it are open."""
    if not ctx.policy.additive and not ctx.zones.carved:
        parts = path.split(b"/")
        for size in range(1, len(parts)):
            prefix = b"/".join(parts[:size])
            if ctx.zone(prefix) is not None:
                return prefix
    return path


def _printable(path: bytes) -> bool:
    return all(0x20 <= byte < 0x7F for byte in path)  # noqa: PLR2004


def quote(word: str | bytes) -> str:
    """One word for a POSIX shell; a pushed name must not become syntax in the terminal of whoever pastes it."""
    text = word if isinstance(word, str) else word.decode("ascii", "replace")
    if text and not text.startswith("-") and _SAFE.issuperset(text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"
