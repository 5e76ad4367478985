"""GK1xx: what a push writes outside what its lane may write; :mod:`gatekeeper.writes` gives each path one code."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.checks._rule import rule
from gatekeeper.git.diff import diff_trees
from gatekeeper.model import AGENT
from gatekeeper.names import worst_name
from gatekeeper.writes import judge_writes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.checks._rule import Rule
    from gatekeeper.context import Context
    from gatekeeper.model import Finding
    from gatekeeper.writes import Write


def _found(ctx: Context, rule_: Rule, says: str, fix: str) -> Iterator[Finding]:
    """The findings for all writes that got this rule's code; ``says`` may ask for ``{verb}`` and ``{why}``."""
    for write in ctx.once(judge_writes).writes:
        if write.code == rule_.code:
            message = says.format(verb=_verb(write), why=write.why) + _where(write)
            yield rule_.finding(message, path=write.change.path, commit=write.commit, fix=fix)


def _verb(write: Write) -> str:
    if not write.change.old_mode:
        return "added"
    return "changed" if write.change.new_mode else "deleted"


def _where(write: Write) -> str:
    """In which commit, when the head does not show it."""
    if write.commit is None:
        return ""
    undone = f", undone in {write.undone.hex()[:7]}" if write.undone is not None else ""
    return f" in {write.commit.hex()[:7]}{undone}"


@rule("GK101", "protected path written")
def protected(ctx: Context) -> Iterator[Finding]:
    """An agent's push leaves every test exactly as the trusted ref has it: same paths, same bytes, same modes.

    Why: a suite that the patch may edit proves nothing about the patch. A rename is a delete and an add, and a
    directory that became a link or file of the same name has been replaced.

    Mend: take the listed paths back to the trusted version with the commands that the refusal prints. A change that
    tests really need is made by a person, in a push of its own.
    """
    yield from _found(
        ctx, protected, "protected file {verb}", "restore it; a person changes tests in a push of their own"
    )


@rule("GK102", "contract file written")
def contract(ctx: Context) -> Iterator[Finding]:
    """The contract files belong to people: an agent edits no property, lock, budget, allow row or policy.

    Why: they say what the suite must keep. Who may edit them can grant every other budget. The exit code is 2, and no
    policy can turn this rule off.

    Mend: take the file back to the trusted version. If the contract must move, ask its owner, and name the budget
    that broke.
    """
    yield from _found(ctx, contract, "contract file {verb}", "restore it, and ask a person to change the contract")


@rule("GK103", "outside the writable set")
def outside(ctx: Context) -> Iterator[Finding]:
    """An agent writes only inside the writable set: the import roots of the project, or what the server's policy names.

    Why: an allowlist of plain source files is the only list that is complete; a `pytest.py` at the root runs instead
    of pytest. Compiled, native and packed files are outside it wherever they lie, because nobody can read them.

    Mend: move the change into the writable set, or leave it to a person. An administrator can widen `[paths] writable`.
    """
    yield from _found(
        ctx,
        outside,
        "outside the writable set: {verb}",
        "leave it out; `gatekeeper policy show` lists what is writable",
    )


@rule("GK104", "twin of a protected path")
def twin(ctx: Context) -> Iterator[Finding]:
    """No new path is one that some file system, tool or eye takes for a protected one.

    Case, Unicode form, invisible characters, trailing dots and stream suffixes are folded before names are compared.

    Why: `Tests/x.py` overwrites `tests/x.py` on a disk that ignores case.

    Mend: remove the file, or give it a name that no protected name resembles.
    """
    yield from _found(ctx, twin, "twin of a protected path {verb}", "rename or remove it")


@rule("GK105", "symbolic link or submodule")
def link(ctx: Context) -> Iterator[Finding]:
    """An agent adds or changes no symbolic link and no submodule, anywhere.

    Why: a link named `tests` puts another tree where the tests were, and a submodule brings content that no rule can
    read.

    Mend: commit the files themselves.
    """
    yield from _found(ctx, link, "{why} {verb}", "commit plain files instead")


@rule("GK106", "mode of a protected path changed")
def mode(ctx: Context) -> Iterator[Finding]:
    """The mode of a protected file is part of it.

    Why: an executable test or fixture is another file to the tools that run it.

    Mend: restore it (`git update-index --chmod=-x PATH`, or the commands that the refusal prints).
    """
    yield from _found(ctx, mode, "mode of a protected file: {why}", "restore its mode")


@rule("GK107", "git control file written")
def git_control(ctx: Context) -> Iterator[Finding]:
    """`.gitattributes`, `.gitmodules`, `.gitignore` and their kin are protected at every depth.

    Why: one line of `.gitattributes` changes the bytes that a checkout writes, hides paths from an archive or keeps
    one side of a merge, while every blob stays the same.

    Mend: restore the file; a person changes how git treats the tree.
    """
    yield from _found(
        ctx, git_control, "git control file {verb}", "restore it; a person decides how git treats the tree"
    )


@rule("GK108", "written and undone inside the push")
def undone(ctx: Context) -> Iterator[Finding]:
    """Every new commit keeps the protected files of a parent or of a trusted commit; a clean tip washes nothing.

    Why: each commit can be checked out, tagged, cherry-picked or merged on its own, and a merge can carry an edit
    that no parent has.

    Mend: undoing it in a further commit is not enough. Squash or rebase the branch, as the refusal prints.
    """
    yield from _found(ctx, undone, "protected file {verb}", "squash or rebase, so that no commit of the push writes it")


@rule("GK109", "test runner, CI, build or dependency configuration")
def configuration(ctx: Context) -> Iterator[Finding]:
    """What configures the test runner, CI, the build or the dependencies is protected, present or absent.

    Why: an empty `.pytest.ini` takes over from `pyproject.toml`; a `conftest.py` or `sitecustomize.py` acts by
    existing.

    Mend: restore or remove the file; a person changes how the project is built and tested.
    """
    yield from _found(
        ctx, configuration, "configuration {verb}", "restore it; a person changes how the project is built and tested"
    )


@rule("GK110", "name that no tool should meet")
def bad_name(ctx: Context) -> Iterator[Finding]:
    """No new path holds a control character or an alias of `.git`, from an agent also no shell or Windows syntax.

    Why: a carriage return forges a line of the server's answer, and `.GIT/config` is the repository itself on some
    disks.

    Mend: rename the file.
    """
    if ctx.lane == AGENT:
        yield from _found(ctx, bad_name, "the name has {why}", "rename it")
    elif ctx.head is not None:
        trusted = None if ctx.trusted is None else ctx.trusted.tree.oid
        for change in diff_trees(ctx.objects, trusted, ctx.head.tree):
            if change.new_mode and not change.old_mode and (why := worst_name(change.path, strict=False)):
                yield bad_name.finding(f"the name has {why}", path=change.path, fix="rename it")
