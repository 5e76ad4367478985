"""The policy parser: a layer, or a PolicyError that says what to do; and a layer reads back as itself."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from gatekeeper.checks import CODES
from gatekeeper.contracts.form import malformed
from gatekeeper.errors import PolicyError
from gatekeeper.policy import Layer, build, defaults
from gatekeeper.policy.parse import parse_policy
from gatekeeper.policy.write import to_toml
from tests.fuzz.effort import effort
from tests.support.lab import CHECKOUT, DEFAULT_POLICY

if TYPE_CHECKING:
    from collections.abc import Mapping

WHOLE = """\
version = 1
mode = "observe"
freshness = "graft"
tests = "additive"
deadline = 30
ticket = '[A-Z]+-\\d+'
[identity]
source = "http"
[lanes]
human = ["alice", "bob"]
agent_refs = ["refs/heads/agent/**"]
[refs]
agent = ["refs/heads/agent/**", "refs/heads/bot/*"]
human = ["refs/notes/**"]
[paths]
writable = ["src/**", "!src/vendor"]
protected = ["spec/", "*_spec.py"]
config = ["*.cfg"]
additive = ["tests/**/test_*.py"]
sandbox = ["tests/snapshots"]
[[paths.generated]]
actor = "codegen"
patterns = ["tests/generated"]
[[trusted]]
for = ["refs/heads/agent/rel-1/**"]
base = "refs/heads/rel-1"
[contracts]
properties = "ci/properties.toml"
[limits]
paths = 100
[severity.agent]
GK110 = "warn"
[severity.human]
GK203 = "error"
[evidence]
trailers = ["Co-authored-by: bot"]
unsigned = true
"""

VOCABULARY = """version mode paths lanes human writable limits severity agent GK101 GK001 GK102 ticket trusted for
base deadline generated actor patterns x contracts policy"""
SYNTAX = r"""= " ' [ ] [[ ]] { } , . # \ 1 -1 1.0 0x1 true nan 1979-05-27 '' "" [1] [[]] "enforce" "src/**" "!" "/"
"[z-a]" "[[:alpha:]" "a\\" "(?P<" "a{99999999999}" "(?a)(?u)x" "***" "a\u00a0" """
WORDS = st.sampled_from(VOCABULARY.split())
TOKENS = st.sampled_from([*SYNTAX.split(), "\n", " ", "\0", "\u00e9", "9" * 5000, '"' + "(" * 300 + '"'])
TOML_ISH = st.lists(WORDS | TOKENS, max_size=30).map("".join).map(str.encode) | st.binary(max_size=80)


def read(text: bytes, *, server: bool) -> Layer | None:
    try:
        layer = parse_policy(text, "policy.toml", codes=CODES, server=server)
    except PolicyError as fault:
        assert str(fault).startswith("policy.toml"), fault  # noqa: PT017 (a refusal is one of two good outcomes)
        assert fault.fix  # noqa: PT017
        return None
    build(layer) if server else build(Layer(), layer)
    return layer


@effort(500)
@given(
    TOML_ISH, st.sampled_from([b"", b"version = 1\n", b"version = 1\nticket = ", b"version = 1\n[paths]\nprotected = "])
)
@example(b'["[z-a]"]', b"version = 1\n[paths]\nprotected = ")
@example(b'"a{99999999999}"', b"version = 1\nticket = ")
@example(b'"(?a)(?u)x"', b"version = 1\nticket = ")
@example(b'"' + b"(" * 20_000 + b'"', b"version = 1\nticket = ")
@example(b"9" * 5000, b"version = ")
@example(b"[" * 100_000, b"version = ")
def test_noise(tail: bytes, head: bytes) -> None:
    for server in (True, False):
        read(head + tail, server=server)


@effort(500)
@given(st.data())
def test_damaged_policies(data: st.DataObject) -> None:
    """Lines dropped, doubled, moved and overwritten: never another error than PolicyError, and what is read, holds."""
    lines = WHOLE.splitlines(keepends=True)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        match data.draw(st.sampled_from(["drop", "double", "move", "value", "token"])):
            case "drop":
                del lines[at]
            case "double":
                lines.insert(at, lines[at])
            case "move":
                lines.insert(data.draw(st.integers(0, len(lines) - 1)), lines.pop(at))
            case "value":
                lines[at] = lines[at].partition("=")[0] + "= " + data.draw(TOKENS) + "\n"
            case _:
                lines[at] = lines[at][:-1] + data.draw(TOKENS) + "\n"
        lines = lines or ["\n"]
    text = "".join(lines).encode()
    layer = read(text, server=True)
    if layer is not None:
        assert parse_policy(to_toml(layer).encode(), "policy.toml", codes=CODES, server=True) == layer
    read(text, server=False)


@effort(300)
@given(TOML_ISH)
@example(b"a = " + b"9" * 5000)
@example(b"[" * 200_000)
@example(b'{"a":' * 100_000)
@example(b'{"a": ' + b"9" * 5000 + b"}")
@example(b"{}\r\x0b\x1c\xe2\x80\xa8{")
def test_contract_files_of_any_content_have_a_form_or_a_problem(data: bytes) -> None:
    for kind in defaults.LOCATIONS.keys() - {"policy"}:
        problem = malformed(kind, data)
        assert problem is None or problem


def patterns() -> st.SearchStrategy[object]:
    """Pattern lists: what both the schema and the parser judge; what only pathspec knows is another target's."""
    return st.lists(st.sampled_from(["src/**", "tests", "*.py", "!a/b"]), max_size=3) | st.just("src/**")


STRINGS = st.sampled_from(["", "x", "alice", "enforce", "refs/heads/main", "refs/heads/", "main"])
VALUES = st.none() | st.booleans() | st.integers(-1, 5000) | st.just(1.5) | STRINGS | st.lists(STRINGS, max_size=2)


def words(*choices: str) -> st.SearchStrategy[object]:
    return st.sampled_from(choices)


def table(**rows: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({}, optional=rows)


def severities() -> st.SearchStrategy[object]:
    codes = sorted(code for code in CODES if not code.startswith("GK0") and code != "GK102")
    return st.dictionaries(
        st.sampled_from([*codes, "GK001", "GK102"]), words("error", "warn", "off", "fatal"), max_size=3
    )


MAYBE = st.booleans()
NAMES = st.lists(st.sampled_from(["alice", "bob"]), max_size=3)
NUMBERS = st.integers(-2, 1 << 54)
DOCUMENTS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "version": st.sampled_from([1, 1, 1, 1, 2, "1"]),
        "mode": words("enforce", "observe", "off"),
        "freshness": words("tip", "graft", "base"),
        "tests": words("additive", "locked"),
        "additions": words("ask", "allow", "maybe"),
        "deadline": st.sampled_from([0, 1, 30, 3600, 3601]),
        "ticket": words("X-\\d+", ""),
        "identity": table(source=words("ssh", "http", "none", "ldap")),
        "lanes": table(human=NAMES, agent_refs=patterns(), robots=NAMES),
        "refs": table(agent=st.just(["refs/heads/agent/**"]), human=patterns()),
        "trusted": st.lists(
            table(
                **{"for": st.just(["refs/heads/agent/**"]), "base": words("refs/heads/rel-1", "rel-1", "refs/heads/")}
            ),
            max_size=2,
        ),
        "paths": table(
            writable=patterns(),
            protected=patterns(),
            config=patterns(),
            additive=patterns(),
            sandbox=patterns(),
            generated=st.lists(table(actor=words("codegen", ""), patterns=patterns()), max_size=2),
            owned=patterns(),
        ),
        "contracts": table(properties=words("ci/p.toml", ""), allow=words("ci/a.allow")),
        "limits": table(**dict.fromkeys(defaults.LIMITS, NUMBERS)),
        "severity": table(agent=severities(), human=severities(), robot=severities()),
        "evidence": table(trailers=NAMES, unsigned=st.booleans()),
        "extra": VALUES,
    },
)
PARSER_ONLY = (
    "names people, but no identity",
    "no agent could write",
    "says which tests may be added",
    "outside refs/heads/",
    "also matches its own base",
    "matches no ref",
    "would open",
    "not a plain path",
)
SCHEMA = Draft202012Validator(json.loads((CHECKOUT / "contracts_schema/policy.schema.json").read_text()))


def replaced(document: dict[str, Any], data: st.DataObject) -> dict[str, Any]:
    """The document with one value, at any depth, of another type."""
    place: Any = document
    while True:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if isinstance(place[key], (dict, list)) and place[key] and data.draw(MAYBE):
            place = place[key]
            continue
        place[key] = data.draw(VALUES.filter(lambda value: value is not None))
        return document


def only_the_parser_knows(document: Mapping[str, Any]) -> bool:
    """Whether a document is of a valid form and means something that no server can mean (combinations.py)."""
    problem = ""
    try:
        parse_policy(toml(document).encode(), "p", codes=CODES, server=True)
    except PolicyError as fault:
        problem = str(fault)
    return any(words in problem for words in PARSER_ONLY)


def toml(document: Mapping[str, Any], prefix: str = "") -> str:
    """A document as TOML, tables written inline."""

    def value(item: object) -> str:
        if isinstance(item, dict):
            return "{" + ", ".join(f"{key} = {value(each)}" for key, each in item.items()) + "}"
        if isinstance(item, list):
            return "[" + ", ".join(map(value, item)) + "]"
        return json.dumps(item)

    return "".join(f"{prefix}{key} = {value(item)}\n" for key, item in document.items())


@effort(500)
@given(st.data())
def test_the_schema_and_the_parser_agree(data: st.DataObject) -> None:
    document: dict[str, Any] = data.draw(DOCUMENTS)
    if data.draw(MAYBE) and document:
        document = replaced(copy.deepcopy(document), data)  # strategies share lists: changing one changes what is drawn
    layer = read(toml(document).encode(), server=True)
    valid = SCHEMA.is_valid(document)
    if only_the_parser_knows(document):
        assert layer is None
    else:
        assert valid == (layer is not None), [error.message for error in SCHEMA.iter_errors(document)]


@effort(300)
@given(DOCUMENTS.map(lambda document: {**document, "version": 1}))
def test_every_layer_reads_back_as_itself(document: dict[str, object]) -> None:
    layer = read(toml(document).encode(), server=True)
    if layer is not None:
        again = parse_policy(to_toml(layer).encode(), "again", codes=CODES, server=True)
        assert again == layer
        assert to_toml(again) == to_toml(layer)


@pytest.mark.parametrize("text", [WHOLE, DEFAULT_POLICY])
def test_the_policies_that_the_targets_start_from_are_good(text: str) -> None:
    layer = read(text.encode(), server=True)
    assert layer is not None
    assert read(to_toml(layer).encode(), server=True) == layer
