"""``gatekeeper properties``: what is collected, what is not and why, and edits that keep a file what it was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple, Protocol

import pytest

from gatekeeper.commands.main import main
from gatekeeper.contracts.properties import read_properties
from tests.support.lab import Lab
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


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


class Run(Protocol):
    def __call__(self, *arguments: str, repo: Path | None = None) -> Done: ...


@pytest.fixture
def run(clean: Lab, capfd: pytest.CaptureFixture[str]) -> Run:
    """The command in this process: only the worker that it starts is another one."""

    def call(*arguments: str, repo: Path | None = None) -> Done:
        code = main(["properties", *arguments, "--repo", str(repo or clean.work)])
        return Done(code, *capfd.readouterr())

    return call


def test_list(clean: Lab, run: Run) -> None:
    done = run("list")
    bounds, ttl = "tests/properties/test_encoder_bounds.py::test_no_silent_truncation", f"{TTL}::test_ttl_monotonic"
    assert done.stdout.splitlines() == [
        f"encoder.no_silent_truncation  {bounds}  collected; provided: import hypothesis",
        f"cache.ttl_monotonic  {ttl}  collected; provided: import hypothesis",
    ]
    lost = clean.commit({TTL: b"import pytest\n"})
    first, second = json.loads(run("list", lost, "--output-format", "json").stdout)["properties"]
    assert first["state"]["collected"]
    assert (second["id"], second["state"]["verdict"]) == ("cache.ttl_monotonic", "missing")
    assert second["state"]["why"] == "the module does not define test_ttl_monotonic"


def test_check_says_what_a_push_would_hear(clean: Lab, run: Run) -> None:
    assert run("check").returncode == 0
    assert "2 named, 0 findings" in run("check", repo=clean.bare).stdout
    lost = clean.commit({TTL: None})
    done = run("check", lost, "--output-format", "json")
    codes = [finding["code"] for finding in json.loads(done.stdout)["findings"]]
    assert (done.returncode, codes) == (1, ["GK401", "GK406"])
    assert "GK401 cache.ttl_monotonic" in run("check", lost).stdout


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "there is no contracts/properties.toml"), (b"[budget]\nmin_colected = 1\n", "min_colected is not known")],
)
def test_check_needs_a_list(clean: Lab, run: Run, content: bytes | None, says: str) -> None:
    done = run("check", clean.commit({LIST: content}))
    assert done.returncode == 3
    assert says in " ".join(done.stderr.split())


def test_add_names_what_is_on_disk(clean: Lab, run: Run) -> None:
    new = b"def test_new(x):\n    assert x\n\n\ndef test_more():\n    assert len('a') == 1\n"
    write(clean.work, {"tests/test_new.py": new})
    done = run("add", "new.more", "tests/test_new.py::test_more", "--guards", "src.cache.Cache")
    assert done.stdout == "added new.more to contracts/properties.toml: collected\n"
    row = read_properties((clean.work / LIST).read_bytes()).properties[-1]
    assert (row.id, row.module, row.guards) == ("new.more", "tests/test_new.py", ("src.cache.Cache",))
    assert (clean.work / LIST).read_bytes().startswith(PROPERTIES)


def test_add_warns_of_what_proves_little(clean: Lab, run: Run) -> None:
    write(clean.work, {"tests/test_new.py": b"def test_new():\n    pass\n"})
    done = run("add", "new", "tests/test_new.py::test_new", "--min-examples", "5")
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
def test_what_cannot_be_added_leaves_the_list_alone(
    clean: Lab, run: Run, arguments: tuple[str, ...], says: str
) -> None:
    done = run("add", *arguments)
    assert done.returncode == 3
    assert says in " ".join(done.stderr.split())
    assert (clean.work / LIST).read_bytes() == PROPERTIES


def test_a_first_property_makes_the_list(clean: Lab, run: Run) -> None:
    (clean.work / LIST).unlink()
    assert run("add", "wire", WIRE).returncode == 0
    found = read_properties((clean.work / LIST).read_bytes())
    assert (found.min_collected, found.forbid_delete, len(found.properties)) == (1, True, 1)


def test_a_bare_repository_has_no_list_to_edit(clean: Lab, run: Run) -> None:
    done = run("add", "wire", WIRE, repo=clean.bare)
    assert done.returncode == 3
    assert "has no work tree" in " ".join(done.stderr.split())


def test_a_pinned_property_is_held_to_its_fingerprint(clean: Lab, run: Run) -> None:
    assert "pinned to" in run("pin", "cache.ttl_monotonic").stdout
    assert "was pinned to that already" in run("pin", "cache.ttl_monotonic").stdout
    pinned = clean.commit({LIST: (clean.work / LIST).read_bytes()})
    assert run("check", pinned).returncode == 0
    assert run("list", pinned).stdout.count("as pinned") == 1

    rewritten = {TTL: TEST_TTL.replace(b"st.integers(0, 100)", b"st.integers(0, 1)")}
    moved = clean.commit(rewritten, parent=pinned)
    assert "NOT as pinned" in run("list", moved).stdout
    done = run("check", moved)
    assert done.returncode == 1
    assert "GK405 cache.ttl_monotonic: its fingerprint is" in done.stdout

    write(clean.work, rewritten)
    refused = run("pin", "cache.ttl_monotonic")
    assert refused.returncode == 3
    assert "is pinned to another fingerprint" in refused.stderr
    assert run("pin", "cache.ttl_monotonic", "--ticket", "QA-3").returncode == 0
    mended = clean.commit({LIST: (clean.work / LIST).read_bytes()}, parent=moved)
    assert run("check", mended).returncode == 0
    assert read_properties((clean.work / LIST).read_bytes()).properties[1].ticket == "QA-3"


def test_pin_names_what_it_does_not_know(run: Run) -> None:
    done = run("pin", "cache.gone")
    assert done.returncode == 3
    assert "no property has the id 'cache.gone'" in done.stderr


def test_audit_names_what_proves_little(clean: Lab, run: Run) -> None:
    assert run("audit").returncode == 0
    hollow = clean.commit({TTL: EMPTIED})
    done = run("audit", hollow)
    assert done.returncode == 1
    assert f"{TTL}:1: GK403 cache.ttl_monotonic: " in done.stdout
    assert "2 audited, 1 of them prove little" in done.stdout
    assert run("audit", hollow, "--id", "encoder.no_silent_truncation").returncode == 0
    (finding,) = json.loads(run("audit", hollow, "--output-format", "json").stdout)["findings"]
    assert (finding["id"], finding["code"], finding["line"]) == ("cache.ttl_monotonic", "GK403", 1)


def test_audit_names_what_is_gone(clean: Lab, run: Run) -> None:
    done = run("audit", clean.commit({TTL: None}))
    assert done.returncode == 1
    assert "GK401 cache.ttl_monotonic: it is not collected" in done.stdout
