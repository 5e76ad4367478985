from __future__ import annotations

import ast
import io
import keyword
import os
import random
import shutil
import subprocess
import sys
import tokenize
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gatekeeper
from gatekeeper.source.digest import HEADER, digest
from gatekeeper.source.rows import Row, row_hash, row_text, short_hash
from tests.source.kit import digest_of, rows_of
from tests.source.sample import SAMPLE

if TYPE_CHECKING:
    from collections.abc import Iterator

SITE = Path(gatekeeper.__file__).parents[1]
PRINT = """
import json, sys
sys.path.insert(0, sys.argv[1])
from gatekeeper.source.digest import digest
from gatekeeper.source.surface import surface
files = {path: text.encode() for path, text in json.load(sys.stdin).items()}
print(digest(surface(files)).tree)
"""
EXPECTED = digest_of({**SAMPLE})
WORDS = {"True": "False", "False": "True", "None": "0"}


def elsewhere(python: str, seed: str) -> str:
    """The sample's digest as another process makes it."""
    import json

    done = subprocess.run(
        [python, "-S", "-c", PRINT, str(SITE)],
        input=json.dumps(SAMPLE),
        env={"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_the_hash_seed_does_not_matter(seed: str) -> None:
    assert elsewhere(sys.executable, seed) == EXPECTED


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_the_interpreter_does_not_matter(version: str) -> None:
    found = shutil.which(f"python{version}")
    command = [found or "false", "-c", "import sys; print(sys.executable)"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no python{version} here")
    assert elsewhere(done.stdout.strip(), "7") == EXPECTED


def test_the_order_of_files_does_not_matter() -> None:
    items = list(SAMPLE.items())
    for seed in range(5):
        random.Random(seed).shuffle(items)
        assert digest_of(dict(items)) == EXPECTED


def test_a_round_trip_through_the_syntax_tree_does_not_matter() -> None:
    turned = {path: ast.unparse(ast.parse(text)) for path, text in SAMPLE.items()}
    assert digest_of({**turned}) == EXPECTED


@pytest.mark.parametrize("options", [["--line-length", "40"], ["--config", "format.quote-style='single'"]])
@pytest.mark.skipif(find_spec("ruff") is None, reason="ruff is not installed")
def test_a_formatter_does_not_matter(tmp_path: Path, options: list[str]) -> None:
    for path, text in SAMPLE.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    environment = {"PATH": os.environ["PATH"], "RUFF_NO_CACHE": "true"}
    command = [sys.executable, "-m", "ruff", "format", "--isolated", *options, str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True, env=environment)
    formatted = {path: (tmp_path / path).read_text() for path in SAMPLE}
    assert formatted != SAMPLE
    assert digest_of({**formatted}) == EXPECTED


def test_the_order_of_imports_and_of_definitions_does_not_matter() -> None:
    lines = SAMPLE["pkg/values.py"].strip().split("\n")
    assert digest_of({**SAMPLE, "pkg/values.py": "\n".join([lines[0], *lines[:0:-1]]) + "\n"}) == EXPECTED


def test_comments_docstrings_and_blank_lines_do_not_matter() -> None:
    edited = {path: f'"""Other words."""\n# and more\n\n{text}\n# end\n' for path, text in SAMPLE.items()}
    edited["pkg/py.typed"] = ""
    assert digest_of({**edited}) == EXPECTED


def mutants(text: str) -> Iterator[tuple[int, str, str]]:
    """Every source that differs in one token: the line, the token, the source."""
    lines = text.splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        replaced = other_token(token)
        if replaced is None:
            continue
        row, column = token.start
        line = lines[row - 1]
        changed = line[:column] + replaced + line[token.end[1] :]
        yield row, token.string, "".join([*lines[: row - 1], changed, *lines[row:]])


def other_token(token: tokenize.TokenInfo) -> str | None:
    if token.type == tokenize.NAME:
        if keyword.iskeyword(token.string):
            return WORDS.get(token.string)
        return token.string + "_x" if token.string != "_" else None
    if token.type == tokenize.NUMBER:
        return token.string + "1"
    if token.type == tokenize.STRING:
        return token.string[:-1] + "z" + token.string[-1] if not token.string.startswith('"""') else '"""other"""'
    return None


def mutated(path: str) -> Iterator[tuple[str, str, bool]]:
    """Every mutant: where it differs, its source, whether the line's comment says that no caller can notice."""
    lines = SAMPLE[path].splitlines()
    last = {(row, token): number for number, (row, token, _) in enumerate(mutants(SAMPLE[path]))}
    for number, (row, token, source) in enumerate(mutants(SAMPLE[path])):
        words = lines[row - 1].rpartition("#")[2].replace(":", "").split() if "#" in lines[row - 1] else []
        free = words[:1] == ["free"] and token in words[1:] and last[row, token] == number
        yield f"{path}:{row} {token}: {lines[row - 1].strip()}", source, free or words == ["body"]


@pytest.mark.parametrize("path", [path for path in SAMPLE if path.endswith(".py")])
def test_every_change_of_one_token_moves_the_digest_or_is_of_a_body(path: str) -> None:
    tried = list(mutated(path))
    assert [where for where, source, still in tried if (digest_of({**SAMPLE, path: source}) == EXPECTED) != still] == []
    assert len(tried) > 5


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("yield value", "print(value)"),
        ("self.path = path", "self.other = path"),
        ("async def agen", "def agen"),
        ("@dataclass(frozen=True)", "@dataclass"),
        ("(a, b: ", "(b, a: "),
        ("*args, ", "*, "),
        ("*args, ", ""),
        (", **kwargs", ""),
        ("limit: int = 10, /,", "limit: int = 10,"),
        ("    RED = auto()\n    BLUE = auto()", "    BLUE = auto()\n    RED = auto()"),
        ("@staticmethod\n", "@classmethod\n"),
        ("    @size.setter\n    def size(self, value: int) -> None: ...  # free: self value None\n", ""),
        ("__slots__ = ", "_slots = "),
        ("def only(self, fd", "def only(self, df"),
        ('== "linux"', '== "win32"'),
        ("= -1", "= 1"),
        ("x: int\n    y: float = 1.5", "y: float = 1.5\n    x: int"),
        ("(_Hidden)", ""),
        ("Union[int, dict", "Union[str, dict"),
        ("-> list[str]:", ":"),
        ("mode: str", "mode"),
        ("class Base(_Hidden)", "class Base(_Hidden, metaclass=M)"),
    ],
)
def test_changes_that_a_caller_can_notice(before: str, after: str) -> None:
    changed = {path: text.replace(before, after) for path, text in SAMPLE.items()}
    assert changed != SAMPLE
    assert digest_of({**changed}) != EXPECTED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("0x10", "16"),
        ("read(self, size", "read(me, size"),
        ("*args", "*rest"),
        ("**kwargs", "**more"),
        ("limit: int = 10", "bound: int = 10"),
        ("Optional[int]", "None | int"),
        ("Union[int, dict", "Union[int, int, dict"),
        ('("one", "two")', '("two", "one")'),
        ("import typing as t", "import typing as t, typing"),
        ("t.Sequence[int]", "'t.Sequence[int]'"),
        ("frozen=True", "frozen=True, eq=True"),
        ("(cls, text", "(klass, text"),
        ("_secret", "_other"),
        ("_T", "_K"),
    ],
)
def test_changes_that_no_caller_can_notice(before: str, after: str) -> None:
    changed = {path: text.replace(before, after) for path, text in SAMPLE.items()}
    if (before, after) == ("_T", "_K"):
        # A type variable's own name is what it says it is.
        changed = {path: text.replace('"_K"', '"_T"') for path, text in changed.items()}
    assert digest_of({**changed}) == EXPECTED


def test_the_digest_has_two_levels_and_a_header() -> None:
    base, other = (
        digest(rows_of({**SAMPLE})),
        digest(rows_of({**SAMPLE, "pkg/values.py": SAMPLE["pkg/values.py"] + "__all__ += ('x',)\nx = 1\n"})),
    )
    assert HEADER == "gatekeeper-contract-v1"
    assert set(base.modules) == {"pkg", "pkg.values"}
    assert base.modules["pkg.values"] != other.modules["pkg.values"]
    assert base.tree != other.tree
    assert digest([]).modules == {}


def test_a_row_is_hashed_without_its_place() -> None:
    row = Row("m.f", "", 0, "function", {"b": 1, "a": "é"}, "m.py", 3)
    assert row_text(row) == '["m.f","",0,"function",{"a":"\\u00e9","b":1}]'
    assert row_hash(row) == row_hash(row._replace(file="n.py", line=9))
    assert row_hash(row) != row_hash(row._replace(guard="x"))
    assert row_hash(row).startswith(short_hash(row))
    assert len(short_hash(row)) == 12
