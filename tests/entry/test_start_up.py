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


READERS = {"typing", "re", "enum", "collections", "functools", "contextlib", "json", "signal"}
"""What the parent of the process that reads sources needs."""


LISTS = READERS | {"tomllib"}
"""What is needed to read the list of properties, and to ask a worker about them."""
KEPT = {f"gatekeeper.source.{name}" for name in ("cache", "depends", "files", "gitfiles", "telltale")}
"""What tells that a push changes nothing that the properties of the trusted tree depend on."""


def read(modules: set[str]) -> set[str]:
    return {name for name in modules if name.startswith(("gatekeeper.source", "gatekeeper.contracts"))}


def test_a_push_imports_only_what_judges_it(lab: Lab) -> None:
    data, weak = lab.commit({"src/data.txt": b"more\n"}), lab.commit(WEAKENED_TEST)
    assert lab.push(f"{data}:refs/heads/agent/first").accepted  # reads the policy, and remembers it
    for head, ref, more in ((data, "refs/heads/agent/data", set()), (weak, "refs/heads/agent/weak", LISTS)):
        modules = imported(lab, head, ref)
        assert "gatekeeper.gate" in modules
        assert "pygit2._pygit2" in modules
        assert not modules & (HEAVY - more)
        assert more or not read(modules) - {"gatekeeper.source", *KEPT}


def test_a_push_of_sources_parses_none_in_the_hook(lab: Lab) -> None:
    fix = lab.commit(HONEST_FIX)
    assert lab.push(f"{fix}:refs/heads/agent/first").accepted
    modules = imported(lab, fix, "refs/heads/agent/fix")
    assert "gatekeeper.source.bounded.reader" in modules
    assert "gatekeeper.source.facts.module" not in modules
    assert not modules & (HEAVY - LISTS)


def test_a_new_policy_is_read_by_what_reads_policies(lab: Lab) -> None:
    modules = imported(lab, lab.commit({"src/data.txt": b"more\n"}), "refs/heads/agent/first")
    assert "tomllib" in modules
    assert not modules & (HEAVY - LISTS)
