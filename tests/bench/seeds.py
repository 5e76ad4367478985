"""The scripts of the two documents that this gate was asked to implement, as they stand there, to be measured against.

The second document gives its steps as functions; what calls them one after the other is at the end of ``GATE``.
"""

from __future__ import annotations

SCORE = r"""from __future__ import annotations

import hashlib, json, subprocess, sys, tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONTRACTS = ROOT / "contracts"


def git_names(rev_range: str) -> set[str]:
    out = subprocess.check_output(
        ["git", "diff", "--name-only", rev_range], text=True
    )
    return {line.strip() for line in out.splitlines() if line.strip()}


def load_properties() -> dict:
    return tomllib.loads((CONTRACTS / "properties.toml").read_text())


def fixture_hash_ok() -> bool:
    locked = (CONTRACTS / "fixtures.lock").read_text()
    current = subprocess.check_output(
        "find tests/fixtures/characterization -type f -print0 | sort -z | xargs -0 sha256sum",
        shell=True, text=True,
    )
    return locked == current


def flake_spend() -> dict:
    budget = json.loads((CONTRACTS / "flake_budget.json").read_text())
    occupied = len(budget["entries"])
    return {
        "capacity": budget["capacity"],
        "occupied": occupied,
        "remaining": budget["capacity"] - occupied,
    }


def collect_nodeids() -> set[str]:
    raw = subprocess.check_output(
        ["pytest", "--collect-only", "-q", "tests/properties"], text=True
    )
    return {line.strip() for line in raw.splitlines() if "::" in line}


def main() -> int:
    changed = git_names("origin/main...HEAD")
    if any(path.startswith("contracts/") for path in changed):
        print(json.dumps({"error": "agent_touched_contracts", "changed": sorted(changed)}))
        return 2

    props = load_properties()
    collected = collect_nodeids()
    missing = [
        row["nodeid"] for row in props["property"] if row["nodeid"] not in collected
    ]
    flakes = flake_spend()
    score = {
        "properties_required": len(props["property"]),
        "properties_missing": missing,
        "fixture_hash_ok": fixture_hash_ok(),
        "flake_remaining": flakes["remaining"],
        "contract_files_untouched": True,
    }
    print(json.dumps(score, indent=2))
    if missing or not score["fixture_hash_ok"] or flakes["remaining"] < 0:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
"""

GATE = r"""from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

BLOCKED_PREFIXES = ("tests/", "ci/fixtures.lock", "ci/flake-ledger.jsonl")

def changed_paths(base: str, head: str) -> list[str]:
    out = subprocess.check_output(
        ["git", "diff", "--name-only", f"{base}...{head}"],
        text=True,
    )
    return [line.strip() for line in out.splitlines() if line.strip()]

def assert_test_tree_readonly(base: str, head: str) -> None:
    blocked = [
        p for p in changed_paths(base, head)
        if p.startswith(BLOCKED_PREFIXES) or p in BLOCKED_PREFIXES
    ]
    if blocked:
        raise SystemExit("test-tree write blocked:\n" + "\n".join(blocked))

import ast
from pathlib import Path

def public_signatures(root: Path) -> list[str]:
    rows: list[str] = []
    for path in sorted(root.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        rel = path.as_posix()
        for node in tree.body:
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            if node.name.startswith("_"):
                continue
            args = [a.arg for a in node.args.args]
            returns = ast.unparse(node.returns) if node.returns else ""
            rows.append(f"{rel}::{node.name}({','.join(args)})->{returns}")
    return rows

def contract_digest(root: Path) -> str:
    payload = "\n".join(public_signatures(root)).encode()
    return hashlib.sha256(payload).hexdigest()

def load_lock(path: Path) -> dict[str, str]:
    return json.loads(path.read_text(encoding="utf-8"))

def assert_fixtures(lock: dict[str, str]) -> None:
    for rel, expected in sorted(lock.items()):
        blob = Path(rel).read_bytes()
        actual = hashlib.sha256(blob).hexdigest()
        if actual != expected:
            raise SystemExit(f"fixture drift {rel}: {actual} != {expected}")

base, head, base_tree, head_tree = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
assert_test_tree_readonly(base, head)
before, after = contract_digest(base_tree / "src"), contract_digest(head_tree / "src")
allowed = Path("ci/contract.allow").read_text() if Path("ci/contract.allow").exists() else ""
if before != after and after not in allowed:
    raise SystemExit(f"contract moved: {after}")
assert_fixtures(load_lock(Path("ci/fixtures.lock")))
"""
