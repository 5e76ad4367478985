"""Which zone a path lies in, by exact bytes and by folded key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatekeeper.policy import Layer, build
from gatekeeper.policy.fold import fold
from gatekeeper.policy.zones import CONFIG, CONTRACT, GIT_CONTROL, TESTS, TWIN, Zones, build_zones


def zones(server: Layer | None = None, repository: Layer | None = None, actor: str | None = "bot") -> Zones:
    return build_zones(build(server or Layer(), repository), (b"src/**",), actor)


@pytest.mark.parametrize(
    ("path", "zone"),
    [
        ("tests/test_a.py", TESTS),
        ("tests", TESTS),
        ("src/pkg/tests/helper.py", TESTS),
        ("src/pkg/test_a.py", TESTS),
        ("src/pkg/a_test.py", TESTS),
        ("testing/a.py", TESTS),
        ("src/testing/a.py", None),
        ("contracts/properties.toml", CONTRACT),
        ("contracts", CONTRACT),
        ("src/contracts/x.py", None),
        ("ci/contract.allow", CONTRACT),
        ("ci/run.sh", CONFIG),
        (".gitattributes", GIT_CONTROL),
        ("src/a/.gitattributes", GIT_CONTROL),
        ("contracts/.gitattributes", CONTRACT),
        ("src/conftest.py", CONFIG),
        ("pytest.ini/x", CONFIG),
        (".pytest.ini", CONFIG),
        ("src/evil.dist-info/entry_points.txt", CONFIG),
        ("src/pkg/tasks.py", None),
        ("tasks.py", CONFIG),
        ("requirements-dev.txt", CONFIG),
        (".github/workflows/ci.yml", CONFIG),
        ("src/encoder.py", None),
        ("README.md", None),
        ("Tests/a.py", TWIN),
        ("te\u200csts/a.py", TWIN),
        ("\uff54ests/a.py", TWIN),
        ("tests./a.py", TWIN),
        ("tests /a.py", TWIN),
        ("src/Conftest.py", TWIN),
        ("src/conftest.py::$DATA", TWIN),
        ("PYPROJECT.TOML", TWIN),
        ("Contracts/x", TWIN),
        (".GitModules", TWIN),
        ("src/te\u0455ts.py", None),
    ],
)
def test_built_in_zones(path: str, zone: str | None) -> None:
    assert zones().zone(path.encode()) == zone


@pytest.mark.parametrize(
    ("path", "writable"),
    [
        ("src/a.py", True),
        ("src/a.cpython-311.so", False),
        ("src/__pycache__/a.pyc", False),
        ("src/__PYCACHE__/a.PYC", False),
        ("src", False),
        ("a.py", False),
        ("docs/a.md", False),
    ],
)
def test_built_in_writable_set(path: str, writable: bool) -> None:
    assert zones().writable(path.encode()) is writable


def test_a_server_carves_with_a_bang_and_a_repository_cannot() -> None:
    carved = Layer(protected=(b"!django/test",))
    assert zones(carved).zone(b"django/test/client.py") is None
    assert zones(Layer(), carved).zone(b"django/test/client.py") == TESTS


def test_a_repository_adds_to_the_protected_set() -> None:
    assert zones(Layer(), Layer(protected=(b"/spec",))).zone(b"spec/a.py") == TESTS
    assert zones(Layer(), Layer(config=(b"*.cfg",))).zone(b"src/a.cfg") == CONFIG


def test_a_repository_narrows_the_writable_set_and_never_widens_it() -> None:
    narrow = zones(Layer(), Layer(writable=(b"src/pkg/**", b"docs/**")))
    assert narrow.writable(b"src/pkg/a.py")
    assert not narrow.writable(b"src/other/a.py")
    assert not narrow.writable(b"docs/a.md")
    assert not zones(Layer(), Layer(writable=())).writable(b"src/a.py")


def test_a_sandbox_opens_tests_and_nothing_stricter() -> None:
    opened = zones(Layer(sandbox=(b"tests/snapshots",)))
    assert opened.zone(b"tests/snapshots/a.txt") is None
    assert opened.writable(b"tests/snapshots/a.txt")
    assert opened.zone(b"tests/snapshots/conftest.py") == CONFIG
    assert opened.zone(b"tests/snapshots/.gitattributes") == GIT_CONTROL
    assert opened.zone(b"tests/a.txt") == TESTS


def test_a_generator_writes_its_own_patterns_only() -> None:
    layer = Layer(generated=(("codegen", (b"tests/generated",)),))
    assert zones(layer, actor="codegen").zone(b"tests/generated/test_pb.py") is None
    assert zones(layer, actor="bot").zone(b"tests/generated/test_pb.py") == TESTS
    assert zones(layer, actor=None).zone(b"tests/generated/test_pb.py") == TESTS


def test_contract_locations_of_a_policy_are_protected_wherever_they_lie() -> None:
    moved = Layer(locations={"properties": "quality/properties.toml"})
    assert zones(moved).zone(b"quality/properties.toml") == CONTRACT
    assert zones(moved).zone(b"contracts/properties.toml") == CONTRACT


def test_a_trailing_slash_covers_what_replaces_the_directory() -> None:
    assert zones(Layer(protected=(b"spec/",))).zone(b"spec") == TESTS


@given(st.text(max_size=12).map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary(max_size=12))
def test_folding_is_idempotent(path: bytes) -> None:
    assert fold(fold(path)) == fold(path)


@given(st.sampled_from(["tests/a.py", "src/conftest.py", "contracts/x", ".gitmodules", "pyproject.toml"]), st.data())
def test_no_change_of_case_leaves_the_protected_set(path: str, data: st.DataObject) -> None:
    spelled = "".join(data.draw(st.sampled_from([char.lower(), char.upper()])) for char in path)
    assert zones().zone(spelled.encode()) is not None
