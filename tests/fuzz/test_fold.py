"""Folded keys: one key for what some file system takes for one name, and stable under folding again."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from gatekeeper.policy import Layer, build
from gatekeeper.policy.fold import fold
from gatekeeper.policy.zones import Zones, build_zones
from tests.fuzz.effort import effort

PIECES = st.sampled_from(
    [
        b"tests",
        b"Test_",
        b"test_",
        b".py",
        b":",
        b".",
        b" ",
        b"a",
        b"src",
        b"/",
        b"CONFTEST",
        b"conftest",
        b".pth",
        b".egg",
    ]
    + [
        b"requirements",
        b".txt",
        b".pyc",
        b".so",
        b"$DATA",
        b"~1",
        b"\xff",
        b"\xe2",
        b"\x80\x8b",
        b"\xc3\xa9",
        b"contracts",
    ]
    + [
        text.encode()
        for text in (
            "\u200b",
            "\uff54",
            "\uff0f",
            "\uff0e",
            "\u017f",
            "\u00ad",
            "\u0130",
            "\u0345",
            "\u2024",
            "\U000e0041",
        )
    ]
)
PATHS = st.lists(PIECES, min_size=1, max_size=8).map(b"".join) | st.text(max_size=12).map(
    lambda text: text.encode("utf-8", "surrogatepass")
)


def zones(*, protected: tuple[bytes, ...] = (), config: tuple[bytes, ...] = ()) -> Zones:
    return build_zones(build(Layer(protected=protected, config=config)), (b"src/**",), "bot")


BUILT_IN = zones()
INTRICATE = zones(
    protected=(b"[A-z]x", b"spec?", b"!tests/open", b"*_Spec.py", b"odd."), config=(b"[!a-z]*.cfg", b"a:b")
)


@effort(600)
@given(PATHS)
@example(b"te\xe2\xe2\x80\x8b\x80\x8bsts")
def test_folding_again_changes_nothing(path: bytes) -> None:
    assert fold(fold(path)) == fold(path)


@effort(600)
@given(PATHS)
@example(b"src/test_a:b.py")
@example(b"src/spec.")
def test_what_a_list_claims_by_its_bytes_is_protected(path: bytes) -> None:
    """The folded look can only add: no spelling of the key takes a path out of its zone."""
    for each in (BUILT_IN, INTRICATE):
        claimed = next((zone.name for zone in each.protected if zone.claims(path)), None)
        if claimed is not None:
            assert each.zone(path) == claimed


@effort(400)
@given(PATHS)
@example(b"src/a:b.pyc")
def test_compiled_and_packed_files_stay_out_in_every_spelling(path: bytes) -> None:
    for suffix in (b".so", b".pyc", b".ZIP", b".whl"):
        assert not BUILT_IN.writable(b"src/" + path + suffix)


@effort(300)
@given(st.lists(st.sampled_from(["tests", "src", "conftest.py", "pyproject.toml"]), min_size=1, max_size=3), st.data())
def test_a_twin_has_the_key_of_what_it_resembles(parts: list[str], data: st.DataObject) -> None:
    """Case, full width, ignorable characters, trailing dots and streams in any mix lead back to the plain name."""

    def spelled(name: str) -> str:
        chars = [
            data.draw(st.sampled_from([char, char.upper(), chr(ord(char) + 0xFEE0), char + "\u200c", "\ufeff" + char]))
            for char in name
        ]
        return "".join(chars) + data.draw(st.sampled_from(["", ".", " ", ". .", ":x", "::$DATA", "."]))

    plain = "/".join(parts).encode()
    assert fold("/".join(map(spelled, parts)).encode()) == plain
