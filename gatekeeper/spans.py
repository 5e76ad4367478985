"""The trees between which a push is judged as a whole suite, and what of that is kept for the next one."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.git.diff import diff_trees
from gatekeeper.listing import is_file, policy_key
from gatekeeper.model import AGENT
from gatekeeper.source.depends import parsed
from gatekeeper.source.gitfiles import GitTree, Graft
from gatekeeper.source.telltale import tells

if TYPE_CHECKING:
    from gatekeeper.context import Context
    from gatekeeper.model import Change, Oid
    from gatekeeper.source.depends import Depends
    from gatekeeper.source.gitfiles import Tree

_PYTHON = b".py"
_SOURCES = (b".py", b".pyw")


class Span(NamedTuple):
    """Two trees and what differs between them; ``name`` is of the first one, which is trusted."""

    before: Tree
    after: Tree
    changes: tuple[Change, ...]
    name: str

    def touches(self, depends: Depends) -> bool:
        """Whether something that a result depends on differs."""
        return depends.touched(self.changes, self.before, self.after)


def span(ctx: Context, base: Oid, head: Oid) -> Span:
    """From the base of a push to what is judged: the head, or under ``freshness = "graft"`` what a merge leads to."""
    if ctx.trusted is None or ctx.lane != AGENT or not ctx.policy.graft:
        changes = tuple(diff_trees(ctx.objects, base, head))
        return Span(GitTree(ctx.objects, base), GitTree(ctx.objects, head), changes, base.hex())
    tip, pushed = GitTree(ctx.objects, ctx.trusted.tree.oid), GitTree(ctx.objects, head)
    changes = tuple(change for change in diff_trees(ctx.objects, tip.oid, head) if ctx.zone(change.path) is None)
    return Span(tip, Graft(tip, pushed, lambda path: ctx.zone(path) is not None), changes, tip.oid.hex())


def added_tests(ctx: Context, between: Span) -> tuple[bytes, ...]:
    """The Python files that an agent adds where the policy lets tests be added."""
    if ctx.lane != AGENT or not ctx.policy.additive:
        return ()
    return tuple(
        change.path
        for change in between.changes
        if not change.old_mode and is_file(change.new_mode) and change.path.endswith(_PYTHON) and _is_test(ctx, change)
    )


def _is_test(ctx: Context, change: Change) -> bool:
    return all(patterns.matches(change.path) for patterns in ctx.policy.additive)


def suspects(ctx: Context, between: Span) -> tuple[bytes, ...]:
    """The changed sources that may do something to the run in which an agent's push is judged.

    A source of the tests may do anything; one that is judged gives itself away by a word.
    """
    if ctx.lane != AGENT:
        return ()
    return tuple(change.path for change in between.changes if _is_suspect(ctx, change))


def _is_suspect(ctx: Context, change: Change) -> bool:
    if not change.path.endswith(_SOURCES) or not is_file(change.new_mode):
        return False
    if ctx.zone(change.path) is not None:
        return True
    before = ctx.objects.blob(change.old_oid) if is_file(change.old_mode) else b""
    return tells(before, ctx.objects.blob(change.new_oid))


def held(ctx: Context, contract: Oid, between: Span) -> tuple[int, Depends] | None:
    """How many properties a trusted tree holds by a contract, and on what that depends; None where it is not known."""
    cache = ctx.shared.cache
    kept = None if cache is None else cache.get(held_key(ctx, contract, between.name))
    number, mark, rest = (kept or b"").partition(b"\0")
    depends = parsed(rest) if mark else None
    return None if depends is None else (int(number), depends)


def keep_held(ctx: Context, contract: Oid, name: str, number: int, depends: Depends) -> None:
    """Remember that a trusted tree holds all of its properties."""
    cache = ctx.shared.cache
    if cache is not None:
        cache.put(held_key(ctx, contract, name), b"%d\0%s" % (number, depends.written()))


def held_key(ctx: Context, contract: Oid, name: str) -> str:
    """Tree, contract, policy and interpreter: what a verdict on a suite depends on."""
    import sys

    return f"{name}-{contract.hex()}-{policy_key(ctx)}-held-{sys.version_info.major}.{sys.version_info.minor}"
