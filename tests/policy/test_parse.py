"""A policy file says exactly what it says: every fault is named by its key path, with what to do."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from gatekeeper.checks import CODES
from gatekeeper.errors import PolicyError
from gatekeeper.model import AGENT, HUMAN, Actor
from gatekeeper.policy import Layer, build, defaults
from gatekeeper.policy.load import Layers, read_server_file
from gatekeeper.policy.parse import parse_policy
from gatekeeper.policy.write import to_toml

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "contracts_schema/policy.schema.json").read_text())

FULL = """
version = 1
mode = "observe"
freshness = "graft"
tests = "additive"
additions = "allow"
deadline = 4
ticket = "QA-[0-9]+"

[identity]
source = "http"

[lanes]
human = ["alice", "bob"]
agent_refs = ["refs/heads/agent/**", "refs/heads/bots/**"]

[refs]
agent = "refs/heads/agent/**"
human = ["refs/for/**"]

[[trusted]]
for = ["refs/heads/agent/rel-1/**"]
base = "refs/heads/rel-1"

[paths]
writable = ["lib/**"]
protected = ["/spec", "!lib/test"]
config = ["/build"]
additive = ["tests/new/test_*.py"]
sandbox = ["tests/snapshots"]

[[paths.generated]]
actor = "codegen"
patterns = ["tests/generated"]

[contracts]
properties = "ci/properties.toml"
policy = "ci/policy.toml"

[limits]
paths = 50
commits = 7

[severity.agent]
GK207 = "warn"

[severity.human]
GK204 = "error"

[evidence]
trailers = ["Agent: "]
unsigned = true
"""


def parse(text: str, *, server: bool = True) -> Layer:
    return parse_policy(text.encode(), "policy.toml", codes=CODES, server=server)


def test_every_key_is_read() -> None:
    layer = parse(FULL)
    assert all(value != default for value, default in zip(layer, Layer(), strict=True))
    policy = build(layer)
    assert (policy.mode, policy.graft, policy.deadline, policy.ticket) == ("observe", True, 4, "QA-[0-9]+")
    assert policy.additions
    assert not build(layer, Layer(additions="ask")).additions
    assert not build(Layer(), Layer(additions="allow")).additions
    assert policy.limits["paths"] == 50
    assert policy.limits["depth"] == defaults.LIMITS["depth"]
    assert policy.locations["properties"] == b"ci/properties.toml"
    assert policy.base_ref(b"refs/heads/agent/rel-1/fix") == b"refs/heads/rel-1"
    assert policy.base_ref(b"refs/heads/rel-1") == b"refs/heads/rel-1"
    assert policy.base_ref(b"refs/heads/agent/fix") is None
    assert policy.severity(AGENT, "GK207", "error") == "warn"
    assert policy.severity(HUMAN, "GK207", "off") == "off"


def test_the_written_form_reads_back() -> None:
    layer = parse(FULL)
    assert parse(to_toml(layer)) == layer


def test_the_smallest_policy_means_the_defaults() -> None:
    assert parse("version = 1") == Layer()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["version", "must be 1"]),
        ("version = 2", ["version", "must be 1"]),
        ("version = true", ["version", "a boolean"]),
        ("version = 1\nmode = 'off'", ["mode", "enforce, observe"]),
        ("version = 1\nmode = 3", ["mode", "a number", "a string"]),
        ("version = 1\nfreshnes = 'tip'", ["freshnes", "no known key"]),
        ("version = 1\n[paths]\nwriteable = ['src']", ["paths.writeable", "no known key"]),
        ("version = 1\n[paths]\nwritable = []", ["paths.writable", "is empty"]),
        ("version = 1\n[paths]\nwritable = ['[a']", ["paths.writable[0]"]),
        ("version = 1\n[paths]\nwritable = [3]", ["paths.writable[0]", "a number"]),
        ("version = 1\n[paths]\nwritable = ['src', 'src']", ["paths.writable[1]", "repeats"]),
        ("version = 1\n[lanes]\nhuman = ['alice']", ["lanes.human", "identity"]),
        ("version = 1\n[identity]\nsource = 'none'\n[lanes]\nhuman = ['alice']", ["lanes.human", "identity"]),
        ("version = 1\n[lanes]\nhuman = 'alice'", ["lanes.human", "a list"]),
        ("version = 1\n[identity]\nsource = 'ldap'", ["identity.source", "ssh, http, none"]),
        ("version = 1\nidentity = 'ssh'", ["identity", "a table"]),
        ("version = 1\n[refs]\nagent = ['agent/**']", ["refs.agent", "refs/heads/"]),
        ("version = 1\n[refs]\nagent = ['refs/notes/**']", ["refs.agent", "outside"]),
        ("version = 1\n[[trusted]]\nfor = ['refs/heads/**']\nbase = 'refs/heads/rel'", ["trusted[0].for", "own base"]),
        ("version = 1\n[[trusted]]\nfor = ['refs/heads/a/**']\nbase = 'rel'", ["trusted[0].base", "branch name"]),
        ("version = 1\n[[trusted]]\nfor = ['refs/heads/a/**']", ["trusted[0].base", "missing"]),
        ("version = 1\n[[trusted]]\nbase = 'refs/heads/rel'", ["trusted[0].for", "no ref"]),
        ("version = 1\ntrusted = [3]", ["trusted[0]", "a table"]),
        ("version = 1\n[contracts]\nproperties = '../p.toml'", ["contracts.properties", "plain path"]),
        ("version = 1\n[contracts]\nproperties = '/p.toml'", ["contracts.properties", "plain path"]),
        ("version = 1\n[contracts]\nproperties = ''", ["contracts.properties", "empty"]),
        ("version = 1\n[paths]\nsandbox = ['contracts']", ["paths.sandbox", "contracts/"]),
        (
            "version = 1\n[paths]\nsandbox = ['quality']\n[contracts]\nallow = 'quality/a'",
            ["paths.sandbox", "quality/a"],
        ),
        ("version = 1\n[[paths.generated]]\nactor = 'x'", ["paths.generated[0].patterns", "is missing"]),
        ("version = 1\n[[paths.generated]]\nactor = 'x'\npatterns = ['**']", ["paths.generated[x]", "would open"]),
        ("version = 1\n[limits]\npaths = 0", ["limits.paths", "from 1"]),
        ("version = 1\n[limits]\npaths = true", ["limits.paths", "a boolean"]),
        ("version = 1\ndeadline = 4000", ["deadline", "3600"]),
        ("version = 1\nticket = '['", ["ticket", "regular expression"]),
        ("version = 1\ntests = 'locked'\n[paths]\nadditive = ['tests/x']", ["paths.additive", "locked"]),
        ("version = 1\n[severity.agent]\nGK999 = 'warn'", ["severity.agent.GK999", "no rule"]),
        ("version = 1\n[severity.agent]\nGK001 = 'off'", ["severity.agent.GK001", "cannot be changed"]),
        ("version = 1\n[severity.agent]\nGK102 = 'warn'", ["severity.agent.GK102", "cannot be changed"]),
        ("version = 1\n[severity.agent]\nGK101 = 'loud'", ["severity.agent.GK101", "error, warn, off"]),
        ("version = 1\n[severity.robot]\nGK101 = 'warn'", ["severity.robot", "no known key"]),
        ("version = 1\n[evidence]\nunsigned = 'yes'", ["evidence.unsigned", "true or false"]),
        ("version = \nmode = 1", ["TOML", "line 1"]),
        ("version = 1\nversion = 1\n", ["TOML", "line 2"]),
        ("\ufeffversion = 1", ["TOML"]),
    ],
)
def test_faults_are_named(text: str, words: list[str]) -> None:
    with pytest.raises(PolicyError) as caught:
        parse(text)
    said = f"{caught.value} {caught.value.fix}"
    assert "policy.toml" in said
    assert caught.value.fix
    for word in words:
        assert word in said


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(PolicyError, match=r"mode: .*deadline: .*colour: "):
        parse("version = 1\nmode = 'x'\ndeadline = 0\ncolour = 1")


def test_bytes_that_are_not_text_are_refused() -> None:
    with pytest.raises(PolicyError, match="not TOML"):
        parse_policy(b"version = 1 # \xff", "policy.toml", codes=CODES, server=True)


@pytest.mark.parametrize(
    "text",
    [
        "mode = 'observe'",
        "deadline = 3",
        "[identity]\nsource = 'ssh'",
        "[lanes]\nhuman = ['mallory']",
        "[refs]\nagent = ['refs/heads/**']",
        "[[trusted]]\nfor = ['refs/heads/a/**']\nbase = 'refs/heads/weak'",
        "[contracts]\nproperties = 'src/p.toml'",
        "[evidence]\nunsigned = true",
        "[paths]\nsandbox = ['tests']",
        "[[paths.generated]]\nactor = 'x'\npatterns = ['tests']",
    ],
)
def test_a_repository_cannot_say_what_only_a_server_may(text: str) -> None:
    with pytest.raises(PolicyError, match="server"):
        parse(f"version = 1\n{text}", server=False)


def test_a_repository_only_tightens() -> None:
    server = parse(
        "version = 1\nfreshness = 'graft'\ntests = 'additive'\n[limits]\npaths = 10\n[severity.agent]\nGK207 = 'warn'"
    )
    loose = parse(
        "version = 1\nfreshness = 'graft'\ntests = 'additive'\n[limits]\npaths = 99\n[severity.agent]\nGK207 = 'off'",
        server=False,
    )
    tight = parse(
        "version = 1\nfreshness = 'tip'\ntests = 'locked'\n[limits]\npaths = 3\n[severity.agent]\nGK207 = 'error'",
        server=False,
    )
    assert build(server, loose)._replace(layers=()) == build(server)._replace(
        layers=(), additive=build(server, loose).additive
    )
    assert build(server, loose).severity(AGENT, "GK207", "error") == "warn"
    strict = build(server, tight)
    assert (strict.graft, strict.additive, strict.limits["paths"]) == (False, (), 3)
    assert strict.severity(AGENT, "GK207", "error") == "error"


def test_a_repository_without_a_word_on_tests_keeps_the_servers() -> None:
    server = parse("version = 1\ntests = 'additive'\nfreshness = 'graft'")
    policy = build(server, parse("version = 1", server=False))
    assert policy.additive
    assert policy.graft


def test_a_server_that_locks_is_not_opened_by_a_repository() -> None:
    policy = build(Layer(), parse("version = 1\ntests = 'additive'\nfreshness = 'graft'", server=False))
    assert not policy.additive
    assert not policy.graft


def test_lanes() -> None:
    policy = build(parse("version = 1\n[identity]\nsource = 'ssh'\n[lanes]\nhuman = ['alice']"))
    assert policy.lane(Actor("alice", "ssh"), b"refs/heads/main") == HUMAN
    assert policy.lane(Actor("alice", "ssh"), b"refs/heads/agent/x") == AGENT
    assert policy.lane(Actor("Alice", "ssh"), b"refs/heads/main") == AGENT
    assert policy.lane(Actor("bot", "ssh"), b"refs/heads/main") == AGENT
    assert policy.lane(Actor(None, "ssh"), b"refs/heads/main") == AGENT


def test_the_schema_describes_the_same_form() -> None:
    import tomllib

    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.validate(tomllib.loads(FULL))
    for text in ("version = 2", "version = 1\nfoo = 1", "version = 1\n[severity.agent]\nGK102 = 'off'"):
        assert not validator.is_valid(tomllib.loads(text))
    shared, own = set(SCHEMA["properties"]["limits"]["properties"]), set(defaults.LIMITS)
    assert shared == own
    assert set(SCHEMA["properties"]["contracts"]["properties"]) == set(defaults.LOCATIONS)


def test_the_cache_answers_for_the_same_bytes_only(tmp_path: Path) -> None:
    cache = bytes(tmp_path / "cache")
    first = Layers(CODES, cache).server(FULL.encode(), "x")
    assert (tmp_path / "cache" / "server").exists()
    assert Layers(CODES, cache).server(FULL.encode(), "x") == first
    assert Layers(CODES, cache).server(b"version = 1", "x") == Layer()
    assert Layers(frozenset(), cache).server(b"version = 1", "x") == Layer()


@pytest.mark.parametrize("junk", [b"", b"\x00" * 9, b"(", b"i\x01\x00\x00\x00", b"garbage" * 100])
def test_a_corrupt_cache_is_rebuilt(tmp_path: Path, junk: bytes) -> None:
    slot = tmp_path / "server"
    slot.write_bytes(junk)
    assert Layers(CODES, bytes(tmp_path)).server(b"version = 1", "x") == Layer()
    assert slot.read_bytes() != junk


def test_a_cache_that_cannot_be_written_costs_nothing_else(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_bytes(b"")
    assert Layers(CODES, bytes(blocker / "cache")).server(b"version = 1", "x") == Layer()


def test_reading_the_servers_file(tmp_path: Path) -> None:
    assert read_server_file(bytes(tmp_path / "absent")) is None
    with pytest.raises(PolicyError, match="cannot be read"):
        read_server_file(bytes(tmp_path))
    (tmp_path / "big").write_bytes(b"#" * (1 << 21))
    with pytest.raises(PolicyError, match="1 MiB"):
        read_server_file(bytes(tmp_path / "big"))
