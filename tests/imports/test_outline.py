"""The parts of a source: each with a hash of what it does, and with what it mentions."""

from __future__ import annotations

from typing import Any

import pytest

from gatekeeper.source.imports.outline import outline_source


def parts(text: str) -> dict[str, Any]:
    found = outline_source(text.encode())
    assert found is not None
    table: dict[str, Any] = found["parts"]
    return table


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "def f(): pass\nclass C:\n    x = 1\n    def m(self): pass\n    class D:\n        def n(self): pass",
            "f C C.m C.D C.D.n",
        ),
        ("if a:\n    def f(): pass\nelse:\n    x = 1\ntry:\n    class C: pass\nexcept E:\n    y = 2", "f x C y "),
        ("x = y = 1\n(a, *b) = 1, 2\nz: int = 3\nfor i in x: k = 1", "x y a b z i k "),
        ("import a\nfrom b import c", ""),
        ("print(1)", " "),
        ("match a:\n    case 1:\n        def f(): pass", "f "),
        ("with a as b:\n    def f(): pass", "b f "),
        ("class C:\n    if a:\n        def m(self): pass", "C C.m"),
        ("async def f(): pass\n__all__ = ['f']", "f "),
    ],
)
def test_parts(text: str, names: str) -> None:
    expected = set(names.split(" ")) if names else set()
    assert set(parts(text)) - {""} == expected - {""}
    assert ("" in parts(text)) is ("" in expected)


BASE = """\
import q
def f(a, b=1):
    return a + g(b)
class C(B):
    x = 1
    def m(self):
        return self.x
y = 2
h()
"""


@pytest.mark.parametrize(
    ("old", "new", "moved"),
    [
        ("a + g(b)", "a  +  g( b )  # why", ""),
        ("    return a", '    """Said."""\n    return a', ""),
        ("a + g(b)", "a - g(b)", "f"),
        ("b=1", "b=2", "f"),
        ("def f", "@d\ndef f", "f"),
        ("C(B)", "C(A)", "C"),
        ("x = 1", "x = 2", "C"),
        ("self.x", "self.y", "C.m"),
        ("y = 2", "y = 3", "y"),
        ("h()", "h(1)", ""),
        ("import q", "import r", ""),
    ],
)
def test_the_hash_of_the_part_that_moved(old: str, new: str, moved: str) -> None:
    before, after = parts(BASE), parts(BASE.replace(old, new))
    found = {name for name in {*before, *after} if before.get(name, {}).get("d") != after.get(name, {}).get("d")}
    assert found == ({moved} if moved or old == "h()" else set())


@pytest.mark.parametrize(
    ("text", "names", "attributes"),
    [
        ("def f(a):\n    b = c\n    return a.d(b)", "c", "a d"),
        ("def f():\n    global x\n    x = y", "x y", ""),
        ("def f():\n    return [i for i in a if i.ok]", "a", "ok"),
        ("def f():\n    def g(x): return x + y\n    return g", "y", "x"),
        ("def f(x=g):\n    g = 1", "g", "x"),
        ("@d(k=1)\ndef f() -> T: pass", "T d", "k"),
        ("def f():\n    import a.b as c\n    return c", "c", "a b"),
        ("def f(): getattr(o, 'word')\n", "getattr o", "word"),
        ("def f(): getattr(o, f'visit_{n}')\n", "getattr n o", "visit_ visit_*"),
        ("def f(): getattr(o, 'visit_' + n)\n", "getattr n o", "visit_ visit_*"),
        ("def f():\n    try: pass\n    except E as e: e", "E", ""),
        ("f = lambda x: x + y", "f y", "x"),
    ],
)
def test_mentions(text: str, names: str, attributes: str) -> None:
    part = parts(text)["f"]
    assert (" ".join(sorted(part["n"])), " ".join(part["a"])) == (names, attributes)


def test_what_a_decorator_may_keep() -> None:
    found = parts("@app.route('/')\ndef f(): pass\n@functools.wraps(x)\ndef g(): pass\n@property\ndef h(): pass")
    assert [name for name, part in found.items() if "r" in part] == ["f"]


@pytest.mark.parametrize("data", [b"def f(:", b"\xff", b"-" * 100_000 + b"1", b"\0"])
def test_what_cannot_be_read(data: bytes) -> None:
    assert outline_source(data) is None
