"""``gatekeeper properties``: what is collected, what is not and why, and edits that keep a file what it was."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from gatekeeper.contracts.properties import read_properties
from tests.support.git import hermetic_env
from tests.support.lab import CHECKOUT, Lab
from tests.support.seed import PROPERTIES, TEST_TTL
from tests.workflows.kit import write

if TYPE_CHECKING:
    from pathlib import Path

LIST, TTL = "contracts/properties.toml", "tests/properties/test_cache_ttl.py"
WIRE = "tests/test_encoder.py::test_wire_bytes"
EMPTIED = b"def test_ttl_monotonic() -> None:\n    pass\n"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return Lab(tmp_path_factory.mktemp("properties"))


@pytest.fixture
def clean(lab: Lab) -> Lab:
    """The shared lab, its work tree as committed."""
    lab.git("reset", "--quiet", "--hard", str(lab.base))
    lab.git("clean", "--quiet", "-fd")
    return lab


def run(lab: Lab, *arguments: str, repo: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gatekeeper", "properties", *arguments, "--repo", str(repo or lab.work)],
        env=hermetic_env(lab.home, PYTHONPATH=str(CHECKOUT), **env),
        cwd=lab.home,
        capture_output=True,
        text=True,
        check=False,
    )


def test_list(clean: Lab) -> None:
    done = run(clean, "list")
    assert done.stdout.splitlines() == [
        "encoder.no_silent_truncation  tests/properties/test_encoder_bounds.py::test_no_silent_truncation  "
        "collected; provided: import hypothesis",
        "cache.ttl_monotonic  tests/properties/test_cache_ttl.py::test_ttl_monotonic  "
        "collected; provided: import hypothesis",
    ]
    lost = clean.commit({TTL: b"import pytest\n"})
    first, second = json.loads(run(clean, "list", lost, "--output-format", "json").stdout)["properties"]
    assert first["state"]["collected"]
    assert (second["id"], second["state"]["verdict"]) == ("cache.ttl_monotonic", "missing")
    assert second["state"]["why"] == "the module does not define test_ttl_monotonic"


def test_check_says_what_a_push_would_hear(clean: Lab) -> None:
    assert run(clean, "check").returncode == 0
    assert "2 named, 0 findings" in run(clean, "check", repo=clean.bare).stdout
    lost = clean.commit({TTL: None})
    done = run(clean, "check", lost, "--output-format", "json")
    codes = [finding["code"] for finding in json.loads(done.stdout)["findings"]]
    assert (done.returncode, codes) == (1, ["GK401", "GK406"])
    assert "GK401 cache.ttl_monotonic" in run(clean, "check", lost).stdout


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "there is no contracts/properties.toml"), (b"[budget]\nmin_colected = 1\n", "min_colected is not known")],
)
def test_check_needs_a_list(clean: Lab, content: bytes | None, says: str) -> None:
    done = run(clean, "check", clean.commit({LIST: content}))
    assert done.returncode == 3
    assert says in " ".join(done.stderr.split())


def test_add_names_what_is_on_disk(clean: Lab) -> None:
    new = b"def test_new(x):\n    assert x\n\n\ndef test_more():\n    assert len('a') == 1\n"
    write(clean.work, {"tests/test_new.py": new})
    done = run(clean, "add", "new.more", "tests/test_new.py::test_more", "--guards", "src.cache.Cache")
    assert done.stdout == "added new.more to contracts/properties.toml: collected\n"
    row = read_properties((clean.work / LIST).read_bytes()).properties[-1]
    assert (row.id, row.module, row.guards) == ("new.more", "tests/test_new.py", ("src.cache.Cache",))
    assert (clean.work / LIST).read_bytes().startswith(PROPERTIES)


def test_add_warns_of_what_proves_little(clean: Lab) -> None:
    write(clean.work, {"tests/test_new.py": b"def test_new():\n    pass\n"})
    done = run(clean, "add", "new", "tests/test_new.py::test_new", "--min-examples", "5")
    assert done.returncode == 0
    assert "tests/test_new.py:1: GK403 new: " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("more", "tests/test_encoder.py::test_gone"), "the module does not define test_gone"),
        (("more", "tests/test_encoder.py::test_wire_bytes[none]"), "it has no parameters [none]"),
        (("cache.ttl_monotonic", WIRE), "repeats the id"),
        (("more", "tests/properties/test_cache_ttl.py::test_ttl_monotonic"), "repeats the nodeid"),
        (("more", WIRE, "--guards", "a b"), "no dotted name"),
    ],
)
def test_what_cannot_be_added_leaves_the_list_alone(clean: Lab, arguments: tuple[str, ...], says: str) -> None:
    done = run(clean, "add", *arguments)
    assert done.returncode == 3
    assert says in " ".join(done.stderr.split())
    assert (clean.work / LIST).read_bytes() == PROPERTIES


def test_a_first_property_makes_the_list(clean: Lab) -> None:
    (clean.work / LIST).unlink()
    assert run(clean, "add", "wire", WIRE).returncode == 0
    found = read_properties((clean.work / LIST).read_bytes())
    assert (found.min_collected, found.forbid_delete, len(found.properties)) == (1, True, 1)


def test_a_bare_repository_has_no_list_to_edit(clean: Lab) -> None:
    done = run(clean, "add", "wire", WIRE, repo=clean.bare)
    assert done.returncode == 3
    assert "has no work tree" in " ".join(done.stderr.split())


def test_a_pinned_property_is_held_to_its_fingerprint(clean: Lab) -> None:
    assert "pinned to" in run(clean, "pin", "cache.ttl_monotonic").stdout
    assert "was pinned to that already" in run(clean, "pin", "cache.ttl_monotonic").stdout
    pinned = clean.commit({LIST: (clean.work / LIST).read_bytes()})
    assert run(clean, "check", pinned).returncode == 0
    assert run(clean, "list", pinned).stdout.count("as pinned") == 1

    rewritten = {TTL: TEST_TTL.replace(b"st.integers(0, 100)", b"st.integers(0, 1)")}
    moved = clean.commit(rewritten, parent=pinned)
    assert "NOT as pinned" in run(clean, "list", moved).stdout
    done = run(clean, "check", moved)
    assert done.returncode == 1
    assert "GK405 cache.ttl_monotonic: its fingerprint is" in done.stdout

    write(clean.work, rewritten)
    refused = run(clean, "pin", "cache.ttl_monotonic")
    assert refused.returncode == 3
    assert "is pinned to another fingerprint" in refused.stderr
    assert run(clean, "pin", "cache.ttl_monotonic", "--ticket", "QA-3").returncode == 0
    mended = clean.commit({LIST: (clean.work / LIST).read_bytes()}, parent=moved)
    assert run(clean, "check", mended).returncode == 0
    assert read_properties((clean.work / LIST).read_bytes()).properties[1].ticket == "QA-3"


def test_pin_names_what_it_does_not_know(clean: Lab) -> None:
    done = run(clean, "pin", "cache.gone")
    assert done.returncode == 3
    assert "no property has the id 'cache.gone'" in done.stderr


def test_audit_names_what_proves_little(clean: Lab) -> None:
    assert run(clean, "audit").returncode == 0
    hollow = clean.commit({TTL: EMPTIED})
    done = run(clean, "audit", hollow)
    assert done.returncode == 1
    assert f"{TTL}:1: GK403 cache.ttl_monotonic: " in done.stdout
    assert "2 audited, 1 of them prove little" in done.stdout
    assert run(clean, "audit", hollow, "--id", "encoder.no_silent_truncation").returncode == 0
    (finding,) = json.loads(run(clean, "audit", hollow, "--output-format", "json").stdout)["findings"]
    assert (finding["id"], finding["code"], finding["line"]) == ("cache.ttl_monotonic", "GK403", 1)


def test_audit_names_what_is_gone(clean: Lab) -> None:
    done = run(clean, "audit", clean.commit({TTL: None}))
    assert done.returncode == 1
    assert "GK401 cache.ttl_monotonic: it is not collected" in done.stdout
