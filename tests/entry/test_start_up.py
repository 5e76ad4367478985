"""Start-up is a feature: what a push does not need is not imported, as the interpreter itself reports of a real one."""

from __future__ import annotations

import re

from tests.support.lab import HONEST_FIX, WEAKENED_TEST, Lab

HEAVY = {
    *("rich", "jsonschema", "click", "typer", "dulwich", "pathspec", "pygit2", "cffi", "gatekeeper.commands"),
    *("typing", "re", "enum", "dataclasses", "collections", "functools", "contextlib", "json", "tomllib", "ast"),
    *("subprocess", "signal", "pathlib", "logging", "inspect", "tempfile", "argparse", "importlib.metadata", "site"),
}


def imported(lab: Lab, head: str, ref: str) -> set[str]:
    """Every module that the hook of one push imported."""
    hook = lab.bare / "hooks/pre-receive"
    hook.write_text(
        hook.read_text().replace(" -I -S -c", " -I -S -X importtime -c").replace(" -I -c", " -I -S -X importtime -c")
    )
    said = lab.push(f"{head}:{ref}").result.stderr
    return set(re.findall(r"import time: +\d+ \| +\d+ \| +(\S+)", said))


def test_a_push_imports_only_what_judges_it(lab: Lab) -> None:
    fix, weak = lab.commit(HONEST_FIX), lab.commit(WEAKENED_TEST)
    assert lab.push(f"{fix}:refs/heads/agent/first").accepted  # reads the policy, and remembers it
    for head, ref in ((fix, "refs/heads/agent/fix"), (weak, "refs/heads/agent/weak")):
        modules = imported(lab, head, ref)
        assert "gatekeeper.gate" in modules
        assert "pygit2._pygit2" in modules
        assert not modules & HEAVY


def test_a_new_policy_is_read_by_what_reads_policies(lab: Lab) -> None:
    modules = imported(lab, lab.commit(HONEST_FIX), "refs/heads/agent/first")
    assert "tomllib" in modules
    assert not modules & (HEAVY - {"typing", "re", "enum", "collections", "functools", "contextlib", "tomllib"})
