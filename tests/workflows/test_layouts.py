"""Projects come in every shape: the writable and protected sets that nobody configured fit them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.lab import HONEST_FIX, SEED_FILES, WEAKENED_TEST, Lab, policy
from tests.workflows.kit import MINE, accepted, assert_only, commit, follow, push, refused

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

X = b"x = 1\n"
Y = b"x = 1  # the same to a caller\n"
TEST = b"def test_x() -> None:\n    assert True\n"
NO_CONTRACTS = {path: data for path, data in SEED_FILES.items() if not path.startswith("contracts/")}


def judge(lab: Lab, changes: Mapping[str, bytes | None], *codes: str, exit: int = 1) -> None:  # noqa: A002
    """An agent's patch of one commit is refused by these rules, or accepted when there are none."""
    pushed = lab.push("--force", f"{lab.commit(changes)}:{MINE}")
    if codes:
        refused(pushed, *codes, exit=exit)
    else:
        accepted(pushed)


def test_tests_inside_packages(tmp_path: Path) -> None:
    files = {
        "src/pkg/__init__.py": b"",
        "src/pkg/core.py": X,
        "src/pkg/tests/__init__.py": b"",
        "src/pkg/tests/test_core.py": TEST,
        "src/pkg/tests/data/input.json": b"{}",
        "src/pkg/sub/core_test.py": TEST,
        "src/pkg/conftest.py": b"",
    }
    lab = Lab(tmp_path, files=files)
    judge(lab, {"src/pkg/core.py": Y, "src/pkg/testing_tools.py": X, "src/pkg/latest.py": X})
    for path in ("tests/test_core.py", "tests/data/input.json", "tests/helper.py", "sub/core_test.py", "test_new.py"):
        judge(lab, {f"src/pkg/{path}": b"weak\n"}, "GK101")
    judge(lab, {"src/pkg/tests": X}, "GK101")
    judge(lab, {"src/pkg/conftest.py": b"weak\n"}, "GK109")
    lab.git("checkout", "--quiet", "-b", "fix")
    commit(lab, {"src/pkg/core.py": Y, "src/pkg/tests/test_core.py": b"", "src/pkg/sub/core_test.py": None})
    follow(lab, refused(push(lab, "--force"), "GK101"))
    accepted(push(lab, "--force"))
    assert_only(lab, MINE, {"src/pkg/core.py": Y})


def test_flat_layout(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": b"",
        "pkg/core.py": X,
        "second/__init__.py": b"",
        "tests/__init__.py": b"",
        "tests/test_core.py": TEST,
        "docs/conf.py": X,
        "scripts/__init__.py": b"",
        "data/table.csv": b"1\n",
        "setup.py": X,
    }
    lab = Lab(tmp_path, files=files)
    judge(lab, {"pkg/core.py": Y, "pkg/new/deep.py": X, "second/__init__.py": X})
    judge(lab, {"tests/test_core.py": b""}, "GK101")
    judge(lab, {"setup.py": b""}, "GK109")
    for path in ("docs/conf.py", "scripts/tool.py", "data/table.csv", "third/__init__.py", "pytest.py", "json.py"):
        judge(lab, {path: b"other\n"}, "GK103")


def test_a_single_module(tmp_path: Path) -> None:
    lab = Lab(tmp_path, files={"mod.py": X, "tests/test_mod.py": TEST, "pyproject.toml": b"", "README": b""})
    judge(lab, {"mod.py": Y})
    judge(lab, {"mod.py": Y, "tests/test_mod.py": b""}, "GK101")
    for path in ("mod/__init__.py", "other.py", "README", "random.py"):
        judge(lab, {path: b"other\n"}, "GK103")


def test_nothing_is_writable_where_there_is_no_import_root(tmp_path: Path) -> None:
    lab = Lab(tmp_path, files={"tests/test_mod.py": TEST, "docs/a.md": b"", "lib/a.js": b""})
    judge(lab, {"lib/a.js": b"x\n"}, "GK103")
    judge(lab, {"src/new.py": X}, "GK103")
    lab.write_policy(policy(tail='[paths]\nwritable = ["lib/**"]'))
    judge(lab, {"lib/a.js": b"x\n"})


def test_a_repository_without_contracts(tmp_path: Path) -> None:
    lab = Lab(tmp_path, files=NO_CONTRACTS)
    fix = lab.commit(HONEST_FIX)
    accepted(lab.push(f"{fix}:{MINE}"))
    judge(lab, {**HONEST_FIX, **WEAKENED_TEST}, "GK101")
    judge(lab, {"contracts/flake_budget.json": b"{}"}, "GK102", exit=2)
    card = lab.scorecard(str(lab.base), fix)
    budgets = card.json["updates"][0]["budgets"]
    assert card.exit == 0
    assert budgets["write-block"] == "held"
    assert {budgets[name] for name in ("properties", "fixtures", "flakes")} == {"absent"}
    assert (budgets["contract"], budgets["oracle"]) == ("held", None)


def test_budgets_that_have_contract_files_are_not_called_held(lab: Lab) -> None:
    budgets = lab.scorecard(str(lab.base), lab.commit(HONEST_FIX)).json["updates"][0]["budgets"]
    assert {budgets[name] for name in ("fixtures", "flakes", "oracle")} == {None}


def test_a_repository_without_a_policy_file(tmp_path: Path) -> None:
    """Nobody is known to be human: everybody is judged as an agent, and the write-block holds."""
    lab = Lab(tmp_path, policy=None)
    judge(lab, HONEST_FIX)
    judge(lab, WEAKENED_TEST, "GK101")
    refused(lab.push(f"{lab.commit(HONEST_FIX)}:refs/heads/main", actor="alice"), "GK201")


@pytest.mark.parametrize("kind", ["contract.allow", "fixtures.lock", "flake-ledger.jsonl"])
def test_the_layout_of_the_other_seed(tmp_path: Path, kind: str) -> None:
    files = {
        "src/pkg.py": X,
        "ci/contract.allow": b"",
        "ci/fixtures.lock": b"{}\n",
        "ci/flake-ledger.jsonl": b"",
        "ci/run.sh": X,
    }
    located = 'allow = "ci/contract.allow"\nfixtures = "ci/fixtures.lock"\nflake_ledger = "ci/flake-ledger.jsonl"'
    lab = Lab(tmp_path, files=files, policy=policy(tail=f"[contracts]\n{located}"))
    judge(lab, {"src/pkg.py": Y})
    judge(lab, {f"ci/{kind}": b"{ }"}, "GK102", exit=2)
    judge(lab, {"ci/run.sh": b"true\n"}, "GK109")
    broken = lab.commit({"ci/fixtures.lock": b"{"})
    refused(lab.push(f"{broken}:refs/heads/main", actor="alice"), "GK009")
