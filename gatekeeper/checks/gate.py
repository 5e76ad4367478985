"""GK0xx: why a judgement could not be made, or could not be made against this trusted ref."""

from __future__ import annotations

from gatekeeper import errors
from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.checks._rule import fault_rule, rule
from gatekeeper.model import EXECUTABLE, FILE
from gatekeeper.writes import judge_writes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.context import Context
    from gatekeeper.errors import GatekeeperError
    from gatekeeper.model import Entry, Finding


@fault_rule("GK001", "a check failed to run")
def check_failed(fault: GatekeeperError) -> Iterator[Finding]:
    """No verdict is a refusal: a check that could not run must never look like one that found nothing.

    Why: a gate that passes what it could not judge is open to whoever can make it fail. The exit code is 3, so that a
    harness can tell "judged bad" from "not judged".

    Mend: the message names what failed. It is for the administrator of the gate, not for the author of the push; run
    `gatekeeper doctor REPO.git` on the server. Push again once it is repaired.
    """
    if fault.code == "GK001":
        yield check_failed.finding(
            str(fault), fix=fault.fix or "tell the administrator: `gatekeeper doctor REPO.git` finds the cause"
        )


@fault_rule("GK002", "the deadline passed")
def deadline(fault: GatekeeperError) -> Iterator[Finding]:
    """The judgement must end within the policy's deadline, and running out of time is a refusal.

    Why: hosts kill slow hooks, and some count that as a pass; a push built to be slow must not win by it.

    Mend: push fewer commits or paths at once. An administrator can raise `deadline` in the server's policy.
    """
    if isinstance(fault, errors.DeadlineExceeded):
        yield deadline.finding(
            str(fault), fix=fault.fix or "push in smaller parts, or raise `deadline` in the server's policy"
        )


@rule("GK003", "the branch is older than the trusted ref's protected files", human="off")
def stale(ctx: Context) -> Iterator[Finding]:
    """The protected files of a branch must be those of the trusted ref's newest commit, not of an older one.

    Why: a branch from before a test was made stricter goes green without meeting it. Nobody tampered with anything,
    so this is its own code: the branch only has to catch up.

    Mend: rebase onto the trusted ref, or merge it, with the commands that the refusal prints, and push again. With
    `freshness = "graft"` the policy accepts such a branch and judges it as it would look after the merge.
    """
    block = ctx.once(judge_writes)
    if block.stale is None or ctx.trusted is None or (ctx.policy.graft and not block.mixed):
        return
    yield stale.finding(
        f"protected files are older than the trusted tip {ctx.trusted.commit.hex()[:12]}; nothing is tampered with",
        fix="rebase onto the trusted ref",
    )


@rule("GK004", "no unique merge base", human="off")
def merge_base(ctx: Context) -> Iterator[Finding]:
    """There must be exactly one merge base with the trusted ref.

    Why: with an unrelated history there is nothing to compare with, and with a criss-cross history git picks a base
    by the committer dates, which the pusher sets. A gate must not guess.

    Mend: rebase the work onto the trusted ref. In CI, `gatekeeper check --merge-base OID` pins one that you know to
    be right.
    """
    if ctx.history is not None and len(ctx.history.bases) != 1:
        count = len(ctx.history.bases)
        what = "no common history with" if count == 0 else f"{count} merge bases with"
        yield merge_base.finding(f"{what} the trusted ref", fix="rebase the work onto the trusted ref")


@fault_rule("GK005", "malformed object")
def malformed(fault: GatekeeperError) -> Iterator[Finding]:
    """Every object that is read must have git's own form: sorted trees, unique names without a slash, canonical modes.

    Why: where a tree holds a name twice, a look-up sees the strict file and a checkout writes the weak one.

    Mend: no ordinary git command makes such an object. Recreate the commit from a clean checkout (`git fsck` names
    the object).
    """
    if isinstance(fault, errors.MalformedObject):
        yield malformed.finding(
            str(fault), fix=fault.fix or "recreate the commit from a clean checkout; `git fsck` names the object"
        )


@fault_rule("GK006", "shallow or missing history")
def missing(fault: GatekeeperError) -> Iterator[Finding]:
    """Everything that the verdict depends on must be there: commits down to the merge base and the trees that differ.

    Why: what cannot be read cannot be judged; a shallow clone hides where a branch started.

    Mend: fetch the whole history (`git fetch --unshallow`; in GitHub Actions `fetch-depth: 0`) and push or check again.
    """
    if isinstance(fault, errors.MissingObject):
        yield missing.finding(str(fault), fix=fault.fix or "fetch the whole history: git fetch --unshallow")


@fault_rule("GK007", "over a limit of size, depth or number")
def limits(fault: GatekeeperError) -> Iterator[Finding]:
    """A push stays within the policy's limits for paths, commits, tree entries, depth and object sizes.

    Why: twelve objects can name 10^10 paths, and thirty thousand nested directories crash other tools. The bounds are
    far above what honest work needs.

    Mend: push in smaller parts; an administrator can raise `[limits]` in the server's policy.
    """
    if isinstance(fault, errors.LimitExceeded):
        yield limits.finding(
            str(fault), fix=fault.fix or "push in smaller parts, or raise [limits] in the server's policy"
        )


@fault_rule("GK008", "policy or trusted contract unreadable")
def unreadable(fault: GatekeeperError) -> Iterator[Finding]:
    """The policy and the contracts of the trusted ref must be readable before anything is judged by them.

    Why: a gate without its policy would have to guess what is protected. The same holds when the trusted ref does not
    exist: an agent must not create what it will be judged by.

    Mend: a person repairs the file that the message names (the server's policy on the server, the repository's on the
    trusted ref), or creates the trusted branch with a first push.
    """
    if isinstance(fault, errors.PolicyError):
        yield unreadable.finding(str(fault), fix=fault.fix)


@rule("GK009", "pushed contract or policy is invalid", budget="gate", agent="off")
def invalid(ctx: Context) -> Iterator[Finding]:
    """A pushed contract file or policy must be well-formed, because the next push will be judged by it.

    Why: once it is on the trusted ref, an unreadable contract refuses every later push.

    Mend: correct the file at the place that the message names and push again.
    """
    pushed, trusted = ctx.pushed, None if ctx.trusted is None else ctx.trusted.tree
    if pushed is None:
        return
    for kind, path in sorted(ctx.policy.locations.items()):
        entry = pushed.entry(path)
        if entry is None or (trusted is not None and trusted.entry(path) == entry):
            continue
        if problem := _problem(ctx, kind, path, entry):
            yield invalid.finding(problem, path=path, fix="correct the file; nothing else of the push is wrong with it")


def _problem(ctx: Context, kind: str, path: bytes, entry: Entry) -> str | None:
    if entry.mode not in (FILE, EXECUTABLE):
        return "is not a plain file"
    data = ctx.objects.blob(entry.oid)
    if kind != "policy":
        from gatekeeper.contracts.form import malformed as malformed_contract

        return malformed_contract(kind, data)
    from gatekeeper.policy.parse import parse_policy

    try:
        parse_policy(data, path.decode("utf-8", "backslashreplace"), codes=ctx.severities.keys(), server=False)
    except errors.PolicyError as error:
        return f"{error} ({error.fix})"
    return None
