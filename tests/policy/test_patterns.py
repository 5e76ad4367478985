"""Patterns mean what pathspec says, whichever way they are matched."""

from __future__ import annotations

import pathspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatekeeper.policy import defaults
from gatekeeper.policy.patterns import REGEX, compile_pattern, compile_set

NAMES = st.sampled_from(
    [b"a", b"ab", b"tests", b"src", b"x.py", b"test_x.py", b"test_.py", b"Test", b".env", b"a b", b"\xff", b"", b"a\nb"]
)
PIECES = st.sampled_from(
    ["a", "ab", "*", "**", "?", "tests", "src", ".py", "test_", "x", "[ab]", "[!a]", "/", "/", "\\*"]
)
PATTERNS = st.lists(PIECES, min_size=1, max_size=6).map("".join).filter(lambda text: text.strip("/") != "")
PATHS = st.lists(NAMES.filter(bool), min_size=1, max_size=4).map(b"/".join)


def reference(lines: list[str], path: bytes) -> bool:
    """The last of pathspec's own patterns that matches decides; dot matches a newline, a negated class no slash."""
    import re

    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    for line in reversed(lines):
        regex, _ = GitIgnoreSpecPattern.pattern_to_regex(line.removeprefix("!").encode())
        if regex is not None and re.compile(regex.replace(b"[^a]", b"(?!/)[^a]"), re.DOTALL).search(path):
            return not line.startswith("!")
    return False


def usable(line: str) -> bool:
    try:
        compile_pattern(line.encode())
    except ValueError:
        return False
    return True


@given(st.lists(st.tuples(st.sampled_from(["", "", "", "!"]), PATTERNS).map("".join).filter(usable), max_size=5), PATHS)
def test_a_list_means_what_pathspec_says(lines: list[str], path: bytes) -> None:
    assert compile_set(line.encode() for line in lines).matches(path) == reference(lines, path)


@pytest.mark.parametrize(
    "line",
    sorted(
        {*defaults.CONTRACTS, *defaults.GIT_CONTROL, *defaults.CONFIG, *defaults.TESTS, *defaults.UNWRITABLE},
    ),
)
def test_no_built_in_pattern_needs_a_regular_expression(line: bytes) -> None:
    assert compile_pattern(line).shape != REGEX


@pytest.mark.parametrize("line", [b"", b"  ", b"#x", b"!", b"!!a", b"a\nb", b"a\0", b"[a"])
def test_what_is_no_pattern_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"pattern|meaning"):
        compile_pattern(line)


@pytest.mark.parametrize(
    ("line", "path", "covers"),
    [
        (b"tests", b"tests", True),
        (b"tests", b"a/tests/b", True),
        (b"tests", b"a/mytests/b", False),
        (b"/tests", b"a/tests/b", False),
        (b"/tests", b"tests/b", True),
        (b"src/**", b"src/a/b.py", True),
        (b"src/**", b"src", False),
        (b"test_*.py", b"src/test_.py", True),
        (b"test_*.py", b"src/test.py", False),
        (b"a*b*c", b"x/a-b-c", True),
        (b"a*b*c", b"x/a-c-b", False),
        (b"ab*ba", b"aba", False),
        (b"tests/**/test_*.py", b"tests/deep\nname/test_x.py", True),
    ],
)
def test_shapes(line: bytes, path: bytes, covers: bool) -> None:
    assert compile_set([line]).matches(path) is covers


def test_pathspec_itself_agrees_on_a_plain_list() -> None:
    lines = ["tests", "!tests/open", "*.so", "/ci"]
    spec = pathspec.PathSpec.from_lines("gitignore", lines)
    ours = compile_set(line.encode() for line in lines)
    for path in ("tests/a.py", "tests/open/a.py", "src/x.so", "ci/run", "src/ci/run", "src/a.py"):
        assert ours.matches(path.encode()) == spec.match_file(path)
