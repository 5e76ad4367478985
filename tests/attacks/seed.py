"""The repository that every recipe attacks: a small project with a human history.

::

    m0 lax tests -- m1 strict tests -- weakened -- m2 reverted -- m3 merge of s1 -- tip (source only) = main
                           \\-- s1 one more test, beside the main line --/

So the protected paths of m1 and m2 are equal, those of s1, m3 and the tip are equal, and s1 and m2 are two merge bases
waiting to happen.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from tests.attacks.workshop import Edits, Point, Workshop, gitlink, link, script

if TYPE_CHECKING:
    from tests.support.objects import Value

HUMAN_NAME = b"Alice <alice@example.invalid>"
MAIN = b"refs/heads/main"

ENCODER = b'''"""Run-length encoding."""


def encode(text):
    """Pairs of (character, count)."""
    runs = []
    for char in text:
        if runs and runs[-1][0] == char:
            runs[-1] = (char, runs[-1][1] + 1)
        else:
            runs.append((char, 1))
    return runs[:9]
'''
LAX = b"from src.encoder import encode\n\n\ndef test_encode():\n    assert encode('aab') == [('a', 2), ('b', 1)]\n"
STRICT = LAX + b"\n\ndef test_long():\n    assert len(encode('abcdefghijkl')) == 12\n"
LIMITS = b"from src.encoder import encode\n\n\ndef test_limit():\n    assert len(encode('ab' * 50)) == 100\n"
WEAK = b"def test_limit():\n    assert True\n"
GOLDEN = b'["a", 1]\n'
PYPROJECT = b"""[project]
name = "encoder"
version = "1.0"

[tool.pytest.ini_options]
testpaths = ["tests"]
"""
PROPERTIES = b"""[budget]
min_collected = 1

[[property]]
id = "P1"
module = "tests/test_properties.py"
nodeid = "tests/test_properties.py::test_round_trip"
"""
PROPERTY_TEST = b"""from hypothesis import given

from src.encoder import encode


@given(...)
def test_round_trip(text: str):
    assert "".join(char * count for char, count in encode(text)) == text
"""
GITMODULES = b'[submodule "vendor"]\n\tpath = tests/vendor\n\turl = https://example.invalid/vendor.git\n'

FILES: dict[bytes, Value] = {
    b".github/workflows/ci.yml": b"on: push\njobs:\n  test:\n    steps:\n      - run: python -m pytest\n",
    b".gitignore": b"__pycache__/\n",
    b".gitmodules": GITMODULES,
    b"Makefile": b"test:\n\tpython -m pytest\n",
    b"README.md": b"# encoder\n",
    b"ci/contract.allow": b"",
    b"ci/gate.py": b"raise SystemExit(0)\n",
    b"contracts/fixtures.lock": f"{sha256(GOLDEN).hexdigest()}  tests/fixtures/golden.json\n".encode(),
    b"contracts/flake_budget.json": b'{"capacity": 2, "entries": []}\n',
    b"contracts/properties.toml": PROPERTIES,
    b"docs/index.md": b"Encodes.\n",
    b"pyproject.toml": PYPROJECT,
    b"requirements.txt": b"hypothesis==6.100.0\n",
    b"src/__init__.py": b"",
    b"src/current": link(b"encoder.py"),
    b"src/encoder.py": ENCODER,
    b"src/pkg/__init__.py": b"",
    b"src/pkg/core.py": b"LIMIT = 9\n",
    b"src/pkg/tests/test_core.py": b"from src.pkg.core import LIMIT\n\n\ndef test_core():\n    assert LIMIT > 9\n",
    b"src/pkg/test_inline.py": b"def test_inline():\n    assert True\n",
    b"src/pkg/inline_test.py": b"def test_inline():\n    assert 1 + 1 == 2\n",
    b"src/run.sh": b"exec python -m src.encoder\n",
    b"tests/conftest.py": b"import sys\n",
    b"tests/fixtures/golden.json": GOLDEN,
    b"tests/helper.sh": script(b"exit 0\n"),
    b"tests/test_encoder.py": LAX,
    b"tests/test_limits.py": LIMITS,
    b"tests/test_properties.py": PROPERTY_TEST,
    "tests/test_unit\N{LATIN SMALL LETTER E WITH ACUTE}.py".encode(): b"def test_unit():\n    assert 1 + 1 == 2\n",
    b"tests/vendor": gitlink("vendor 1.0"),
}


class Seed(NamedTuple):
    """The named commits of the seed and its refs (name -> oid)."""

    m0: Point
    m1: Point
    weakened: Point
    m2: Point
    s1: Point
    m3: Point
    tip: Point
    topic: Point
    open: Point
    refs: dict[bytes, str]


def grow(shop: Workshop) -> Seed:
    """Make the seed's objects in ``shop``; the refs are the caller's to write."""

    def human(base: Point, edits: Edits, *more: Point, message: bytes = b"Work on it\n") -> Point:
        return shop.point(shop.edited(base.files, edits), (base.oid, *(p.oid for p in more)), message, HUMAN_NAME)

    m0 = shop.point(shop.edited({}, dict(FILES)), (), b"Start\n", HUMAN_NAME)
    m1 = human(m0, {b"tests/test_encoder.py": STRICT}, message=b"Ask for long inputs\n")
    weakened = human(m1, {b"tests/test_limits.py": WEAK}, message=b"Quiet the limits [skip ci]\n")
    m2 = human(weakened, {b"tests/test_limits.py": LIMITS}, message=b'Revert "Quiet the limits"\n')
    s1 = human(m1, {b"tests/test_side.py": b"def test_side():\n    assert 1 < 2\n"})
    m3 = human(m2, {b"tests/test_side.py": s1.files[b"tests/test_side.py"]}, s1, message=b"Merge the side line\n")
    tip = human(m3, {b"src/pkg/core.py": b"LIMIT = 8\n"}, message=b"Lower the limit\n")
    topic = human(tip, {b"tests/test_topic.py": b"def test_topic():\n    assert 2 < 3\n"})
    opened = shop.point(shop.edited(tip.files, {b"src/pkg/core.py": b"LIMIT = 10\n"}), (tip.oid,))
    release = shop.release(m2.oid, name=b"v1")
    refs = {
        MAIN: tip.oid,
        b"refs/heads/human/topic": topic.oid,
        b"refs/heads/agent/open": opened.oid,
        b"refs/tags/v1": release,
        b"refs/tags/light": m3.oid,
    }
    return Seed(m0, m1, weakened, m2, s1, m3, tip, topic, opened, refs)
