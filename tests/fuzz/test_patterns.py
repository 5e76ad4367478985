"""Patterns mean what git means by them, by whichever way they are matched."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from gatekeeper.policy.patterns import REGEX, compile_pattern, compile_set
from tests.fuzz.effort import WANTED, effort
from tests.support.git import Git

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PIECES = [
    "a",
    "b",
    "ab",
    "*",
    "**",
    "?",
    "[ab]",
    "[!a]",
    "[^b]",
    "[a-c]",
    "[]a]",
    "[!]a]",
    "/",
    "/",
    "/",
    ".",
    "\\*",
    "\\a",
]
PIECES += ["é", "à", "\u0085", " ", "-", "]", "^", "tests", ".py"]
NAMES = [
    "a",
    "b",
    "ab",
    "c",
    "aab",
    "é",
    "à",
    "\u0085",
    "*",
    "a b",
    "a.b",
    "x",
    "a\nb",
    "[",
    "]",
    "^",
    "-",
    "ba ",
    "tests",
]
LINES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join).map(str.encode)


def usable(line: str) -> bool:
    try:
        compile_pattern(line.encode())
    except ValueError:
        return False
    return True


def last_match(lines: Sequence[str], path: bytes) -> bool:
    """What pathspec makes of each line alone; the last line that matches decides."""
    for line in reversed(lines):
        regex, _ = GitIgnoreSpecPattern.pattern_to_regex(line.removeprefix("!").encode())
        if regex is not None and re.compile(regex, re.DOTALL).search(path):
            return not line.startswith("!")
    return False


PLAIN = (
    st.lists(st.sampled_from(["a", "b", "ab", "*", "*", "/", ".", " ", "-", "tests", ".py"]), min_size=1, max_size=5)
    .map("".join)
    .flatmap(lambda line: st.sampled_from([line, "/" + line.strip("/"), line.replace("*", "x") + "/**"]))
    .filter(lambda line: usable(line) and compile_pattern(line.encode()).shape != REGEX)
)


@effort(400)
@given(st.lists(st.tuples(st.sampled_from(["", "", "!"]), PLAIN).map("".join), max_size=6), PATHS)
def test_the_short_ways_agree_with_pathspec(lines: list[str], path: bytes) -> None:
    assert compile_set(line.encode() for line in lines).matches(path) == last_match(lines, path)


@effort(250)
@given(st.lists(st.tuples(st.sampled_from(["", "", "!"]), LINES.filter(usable)).map("".join), max_size=6), PATHS)
def test_a_set_is_its_lines_one_by_one(lines: list[str], path: bytes) -> None:
    """However a set sorts its patterns, the last line that matches alone decides."""
    alone = [line for line in lines if compile_set([line.removeprefix("!").encode()]).matches(path)]
    whole = compile_set(line.encode() for line in lines)
    assert whole.matches(path) == (bool(alone) and not alone[-1].startswith("!"))


@effort(400)
@given(st.text(max_size=12).map(str.encode) | st.binary(max_size=12), PATHS)
def test_a_line_is_a_pattern_or_a_value_error(line: bytes, path: bytes) -> None:
    try:
        compiled = compile_pattern(line)
    except ValueError as error:
        assert str(error)  # noqa: PT017 (one of two good outcomes)
        return
    assert compiled.matches(path, path.split(b"/")) in {True, False}


@pytest.mark.parametrize("seed", range(4 if not WANTED else WANTED // 20 + 1))
def test_one_line_means_what_it_means_to_git(tmp_path: Path, seed: int) -> None:
    """Against ``git check-ignore``: a pattern that is taken at all matches the paths that git ignores by it."""
    chance = random.Random(seed)
    git = Git(tmp_path, tmp_path)
    git.out("init", "--quiet", "--template=")
    for _ in range(25):
        line = "".join(chance.choices(PIECES, k=chance.randint(1, 6)))
        if not usable(line):
            continue
        paths = {"/".join(chance.choices(NAMES, k=chance.randint(1, 4))).encode() for _ in range(60)}
        (tmp_path / "ignored").write_bytes(line.encode() + b"\n")
        ask = ("-c", f"core.excludesFile={tmp_path}/ignored", "check-ignore", "--no-index", "-z", "--stdin")
        found = git.run(*ask, input=b"".join(path + b"\0" for path in sorted(paths)))
        assert found.returncode in {0, 1}, found.stderr
        ours = compile_set([line.encode()])
        assert {path for path in paths if ours.matches(path)} == set(found.stdout.split(b"\0")) - {b""}, line
