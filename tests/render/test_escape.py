"""Text of a push as it is printed: one line, printable, and each text as something of its own."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatekeeper.render.escape import escape
from tests.fuzz.effort import effort

TEXTS = st.text(st.characters(), max_size=20) | st.text(
    "\\xu0129af \n\r\t\x1b\x7f\x80\xa0\udc80\udcff\u202e", max_size=8
)
BYTES = st.binary(max_size=20) | TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass"))


@effort(400)
@given(TEXTS | BYTES)
def test_always_one_printable_line(raw: str | bytes) -> None:
    shown = escape(raw)
    assert shown.isascii()
    assert shown.isprintable()


@effort(600)
@given(BYTES, BYTES)
def test_two_names_never_look_alike(one: bytes, other: bytes) -> None:
    assert (escape(one) == escape(other)) == (one == other)


@effort(400)
@given(TEXTS, TEXTS)
def test_two_texts_never_look_alike(one: str, other: str) -> None:
    assert (escape(one) == escape(other)) == (one == other)


@effort(300)
@given(TEXTS.filter(lambda text: not any("\ud800" <= char <= "\udfff" for char in text)))
def test_what_is_printed_reads_back_in_python(text: str) -> None:
    """The escapes are those of a Python literal, so that anybody can undo them."""
    assert ast.literal_eval('"' + escape(text).replace('"', '\\"') + '"') == text


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"src/a.py", "src/a.py"),
        (b"a b", "a b"),
        (b"a\\b", "a\\\\b"),
        (b"a\nb\rc\td", r"a\nb\rc\td"),
        (b"\x1b[31m", r"\x1b[31m"),
        (b"\xff\xfe", r"\xff\xfe"),
        ("é".encode(), r"\u00e9"),
        (b"\xe9", r"\xe9"),
        ("\u202e".encode(), r"\u202e"),
        ("\U0001f600".encode(), r"\U0001f600"),
        (b"", ""),
        ("text", "text"),
        (b"\x7f\x00", r"\x7f\x00"),
    ],
)
def test_forms(raw: str | bytes, shown: str) -> None:
    assert escape(raw) == shown
