"""No rule is decoration: with its body blanked, the push that it refuses no longer names it."""

from __future__ import annotations

import ast
import shutil
from typing import TYPE_CHECKING

import pytest

from gatekeeper.checks import CODES
from tests.checks.test_cases import CHECKS, load, names, policy_for
from tests.support.lab import SITE, Lab

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def _rules(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and isinstance(code := decorator.args[0], ast.Constant):
                    yield str(code.value), node


def blank(package: Path, code: str) -> None:
    """Leave a bare return of a rule's body in a copy of the package."""
    for path in (package / "checks").glob("*.py"):
        tree = ast.parse(path.read_text())
        for found, node in _rules(tree):
            if found == code:
                node.body = ast.parse("def f():\n    return\n    yield").body[0].body  # type: ignore[attr-defined]
                path.write_text(ast.unparse(tree))
                return
    raise AssertionError(f"no rule {code}")


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_blanked_rule_is_missed(tmp_path: Path, code: str) -> None:
    copy = tmp_path / "site"
    # what is compiled comes along: it is found by the time of its source, and the blanked one is written anew
    shutil.copytree(CHECKS.parent, copy / "gatekeeper", ignore=shutil.ignore_patterns("_hooks", "_schemas"))
    blank(copy / "gatekeeper", code)
    lab = Lab(tmp_path / "lab", site=(str(copy), *SITE[1:]), policy=policy_for(code))
    pushed = load(code).failing(lab)
    assert not names(code, pushed)
