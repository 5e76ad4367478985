"""Sources that are made to hide from a reader of Python, to exhaust it or to end it, and what the gate must say.

Each is pushed as a new public module and in the place of one that holds ``BEFORE``. ``new`` and ``changed`` are the
rules that must then refuse it, "" where the push must pass.
"""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_LE, BOM_UTF32_LE
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

BEFORE = b"VALUE = 1\n"
HIDDEN = b"def hidden(): pass\n"
MIB = 1 << 20


class Hostile(NamedTuple):
    """One source; ``needs`` is the oldest Python that can read it.

    A ``close`` one takes about as much as the worker has: whether it is read is a matter of the machine.
    """

    make: Callable[[], bytes]
    new: str = "GK303"
    changed: str = "GK303"
    needs: tuple[int, int] = (3, 0)
    close: bool = False


def _read(make: Callable[[], bytes], needs: tuple[int, int] = (3, 0)) -> Hostile:
    """A source that can be read: a new module is an addition, and the old one's ``VALUE`` is gone."""
    return Hostile(make, "GK301", "GK301", needs)


def _harmless(make: Callable[[], bytes]) -> Hostile:
    """A source that says what ``BEFORE`` says."""
    return Hostile(lambda: BEFORE + make(), "GK301", "")


def _nest(opening: bytes, closing: bytes, count: int) -> bytes:
    return b"x = " + opening * count + b"1" + closing * count + b"\n"


MEMORY: dict[str, Hostile] = {
    "import of 20 KB": Hostile(lambda: b"import a" + b".a" * 10_000),
    "import of 40 KB": Hostile(lambda: b"import a" + b".a" * 20_000),
    "import of 80 KB": Hostile(lambda: b"import a" + b".a" * 40_000),
    "import of 200 KB": Hostile(lambda: b"import a" + b".a" * 100_000),
    "import from of 200 KB": Hostile(lambda: b"from a" + b".a" * 100_000 + b" import b"),
    "import over lines": Hostile(lambda: b"import a" + b".\\\na" * 100_000),
    "import of spaced dots": Hostile(lambda: b"import a" + b" . a" * 100_000),
    "import of 999 parts": Hostile(lambda: b"import a" + b".a" * 998 + b"\n", "GK301", "GK301"),
    "statements of 5 MB": Hostile(lambda: b"a;" * 2_500_000),
    "statements of 1 MiB": Hostile(lambda: b"a;" * (MIB // 2)),
    "assignments of 1 MiB": Hostile(lambda: b"x=1\n" * (MIB // 4)),
    "names of 1 MiB": Hostile(lambda: b"x=" + b"a," * (MIB // 2 - 8)),
    "slices of 4 MB": Hostile(lambda: b"a[" + b":," * 2_000_000 + b"]"),
    "slices of 1 MiB": Hostile(lambda: b"a[" + b":," * (MIB // 2 - 8) + b"]"),
    "list of 20 MB": Hostile(lambda: b"x=[" + b"1," * 10_000_000 + b"]"),
    "list of 1 MiB": Hostile(lambda: b"x=[" + b"1," * (MIB // 2 - 8) + b"]"),
    "sum of a million terms": Hostile(lambda: b"x=1" + b"+1" * 1_000_000),
    "sum of half a million terms": Hostile(lambda: b"x=1" + b"+1" * 500_000),
    "chain of a million attributes": Hostile(lambda: b"x=a" + b".b" * 1_000_000),
    "chain of half a million attributes": Hostile(lambda: b"x=a" + b".b" * 500_000),
    "f-string of 100,000 parts": Hostile(lambda: b"x=f'" + b"{a}" * 100_000 + b"'\n", close=True),
    "f-string of 340,000 parts": Hostile(lambda: b"x=f'" + b"{a}" * 340_000 + b"'\n", close=True),
    "definitions of 1 MiB": Hostile(lambda: b"".join(b"def f%d():pass\n" % n for n in range(55_000))),
    "definitions of 200 KB": _read(lambda: b"".join(b"def f%d():pass\n" % n for n in range(11_000))),
    "bases of 300 KB": Hostile(
        lambda: b"class c0: x=1\n" + b"".join(b"class c%d(c%d): pass\n" % (n + 1, n) for n in range(10_000)),
        "GK007",
        "GK007",
    ),
    "classes of 1 MiB": Hostile(lambda: b"".join(b"class c%d:x=1\n" % n for n in range(60_000))),
    "parameters of 1 MiB": _read(lambda: b"def f(" + b",".join(b"a%d" % n for n in range(140_000)) + b"): pass\n"),
    "overloads of 1 MiB": _read(
        lambda: b"from typing import overload\n" + b"@overload\ndef f(a: int) -> int: ...\n" * 28_000
    ),
    "branches of 1 MiB": _read(lambda: b"if a:\n x=1\nelse:\n x=2\n" * 40_000),
    "bases of 1 MiB": Hostile(
        lambda: b"class c0: x=1\n" + b"".join(b"class c%d(c%d): pass\n" % (n + 1, n) for n in range(35_000)),
    ),
    "dunder all of 1 MiB": Hostile(lambda: b"__all__=[" + b"'a'," * 250_000 + b"]\n", "GK301", "GK301 GK304"),
}

DEPTH: dict[str, Hostile] = {
    "201 brackets": Hostile(lambda: _nest(b"(", b")", 201)),
    "199 brackets": _read(lambda: _nest(b"(", b")", 199)),
    "199 lists": _read(lambda: _nest(b"[", b"]", 199)),
    "190 dictionaries": _read(lambda: _nest(b"{1:", b"}", 190)),
    "101 indents": Hostile(lambda: b"".join(b" " * n + b"if x:\n" for n in range(101)) + b" " * 101 + b"pass\n"),
    "99 classes inside each other": _read(
        lambda: b"".join(b" " * n + b"class A:\n" for n in range(99)) + b" " * 99 + b"x=1\n"
    ),
    "not of 10,000": Hostile(lambda: b"x=" + b"not " * 10_000 + b"1\n"),
    "lambda of 100,000": Hostile(lambda: b"x=" + b"lambda:" * 100_000 + b"1\n"),
    "power of 10,000": Hostile(lambda: b"x=1" + b"**1" * 10_000 + b"\n"),
    "minus of 100,000": Hostile(lambda: b"x=" + b"-" * 100_000 + b"1\n"),
    "minus of 2,500": _read(lambda: b"x=" + b"-" * 2_500 + b"1\n"),
    "elif of 70,000": Hostile(lambda: b"if a: pass\n" + b"elif a: pass\n" * 70_000),
    "elif of 100,000": Hostile(lambda: b"if a: pass\n" + b"elif a: pass\n" * 100_000),
    "default of 900 additions": _read(lambda: b"def f(a=1" + b"+1" * 900 + b"): pass\n"),
    "attributes of 2,900": _read(lambda: b"x=a" + b".b" * 2_900 + b"\n"),
    "quoted annotation of 900": _read(lambda: b"def f(x: '" + b"a." * 900 + b"a'): pass\n"),
    "quoted annotation of 200 brackets": _read(lambda: b"def f(x: '" + b"a[" * 150 + b"]" * 150 + b"'): pass\n"),
    "ternaries of 50,000": Hostile(lambda: b"x=" + b"1 if a else " * 50_000 + b"1\n"),
    "comprehension of 5,000": Hostile(lambda: b"x=[1 " + b"for a in b " * 5_000 + b"]\n", "GK301", "GK301"),
    "unclosed brackets of 1 MiB": Hostile(lambda: b"(" * MIB),
    "awaits of 50,000": Hostile(lambda: b"x=" + b"await " * 50_000 + b"a\n"),
    "stars of 100,000": Hostile(lambda: b"x=[" + b"*" * 100_000 + b"a]\n"),
    "walrus of 150": Hostile(lambda: b"x=" + b"(a:=" * 150 + b"1" + b")" * 150 + b"\n", "GK301", "GK301"),
}

_COMMENT = b"# +AAo-def hidden(): pass\n# \\ndef hidden(): pass\n"
"""What some codecs make a definition of."""
COOKIES = (
    *(b"utf-7", b"UTF7", b"u7", b"unicode_escape", b"unicode-escape", b"raw_unicode_escape", b"rot13", b"rot_13"),
    *(b"utf-16", b"utf-16-le", b"utf-32", b"cp037", b"punycode", b"idna", b"hz", b"iso2022_jp", b"shift_jis", b"gbk"),
    *(b"latin-1", b"iso-8859-15", b"cp1252", b"mbcs", b"undefined", b"string_escape", b"hex", b"bz2", b"unknown"),
)

ENCODING: dict[str, Hostile] = {
    "cookie after a form feed": Hostile(lambda: b"\f# coding: utf-7\n" + _COMMENT),
    "cookie after CRLF": Hostile(lambda: b"\r\n# coding: utf-7\r\n" + _COMMENT),
    "cookie after a CR": Hostile(lambda: b"# a\r# coding: utf-7\n" + _COMMENT),
    "cookie on line 3": _harmless(lambda: b"#\n# coding: utf-7\n" + _COMMENT),
    "utf-8 cookie": Hostile(lambda: b"# coding: utf-8\n" + BEFORE, "GK301", ""),
    "double BOM": Hostile(lambda: BOM_UTF8 * 2 + HIDDEN),
    "BOM": Hostile(lambda: BOM_UTF8 + BEFORE, "GK301", ""),
    "UTF-16": Hostile(lambda: BOM_UTF16_LE + HIDDEN.decode().encode("utf-16-le")),
    "UTF-32": Hostile(lambda: BOM_UTF32_LE + HIDDEN.decode().encode("utf-32-le")),
    "latin-1 without a cookie": Hostile(lambda: b"# caf\xe9\n" + HIDDEN),
    "NUL": Hostile(lambda: BEFORE + b"\0"),
    "NUL in a comment": Hostile(lambda: BEFORE + b"# \0\n"),
    "NUL after a million": Hostile(lambda: BEFORE + b"#" * 1_000_000 + b"\0\n"),
    "CR only": Hostile(lambda: b"VALUE = 1\r" + HIDDEN.replace(b"\n", b"\r")),
    "CR in a comment": Hostile(lambda: BEFORE + b"# c\r" + HIDDEN),
    "CR in a string": Hostile(lambda: BEFORE + b"'''\r'''\n"),
    "CRLF": Hostile(lambda: BEFORE.replace(b"\n", b"\r\n"), "GK301", ""),
    "U+2028 in a comment": _harmless("# c\u2028def hidden(): pass\n".encode),
    "form feed in a comment": _harmless(lambda: b"# c\fdef hidden(): pass\n"),
    "a raw surrogate": Hostile(lambda: b"x = '\xed\xa0\x80'\n"),
    "surrogate escapes": _read(lambda: b"x = '\\ud800'\n\ndef f(a='\\udfff'): pass\n"),
    "names that normalise": _read("def ﬁx(): pass\nＡ = 1\n".encode),
}

MEANING: dict[str, Hostile] = {
    "comment of 50 MB": Hostile(lambda: BEFORE + b"#" + b"x" * 50_000_000),
    "comment of 1 MB": _harmless(lambda: b"#" + b"x" * 1_000_000),
    "string of 10 MB": Hostile(lambda: BEFORE + b"_s = '" + b"x" * 10_000_000 + b"'\n"),
    "string of 1 MB": _harmless(lambda: b"_s = '" + b"x" * 1_000_000 + b"'\n"),
    "public string of 1 MB": _read(lambda: b"s = '" + b"x" * 1_000_000 + b"'\n"),
    "identifier of 10 MB": Hostile(lambda: b"x" * 10_000_000 + b" = 1\n"),
    "identifier of 1 MB": _read(lambda: b"x" * 1_000_000 + b" = 1\n"),
    "number of 4,301 digits": Hostile(lambda: b"x = " + b"9" * 4_301 + b"\n"),
    "number of 4,301 digits, underscored": Hostile(lambda: b"x = " + b"9_" * 4_300 + b"9\n"),
    "number of 500,000 digits": Hostile(lambda: b"x = " + b"9" * 500_000 + b"\n"),
    "hexadecimal of 1 MB": _read(lambda: b"x = 0x" + b"f" * 1_000_000 + b"\n"),
    "binary of 1 MB": _read(lambda: b"def f(a=0b" + b"1" * 1_000_000 + b"): pass\n"),
    "100,000 bad escapes": _read(lambda: b"x = '\\d'\n" * 90_000),
    "bad escapes in one string": _read(lambda: b"x = '" + b"\\d" * 400_000 + b"'\n"),
    "duplicate parameters": Hostile(lambda: b"def f(a, a): pass\n"),
    "return at module level": Hostile(lambda: b"def f(): pass\nreturn\n"),
    "late __future__": Hostile(lambda: b"def f(): pass\nfrom __future__ import annotations\n"),
    "unknown __future__": _read(lambda: b"from __future__ import braces\n"),
    "break outside a loop": _read(lambda: b"def f(): pass\nbreak\n"),
    "yield outside a function": _read(lambda: b"def f(): pass\nyield\n"),
    "await at module level": _read(lambda: b"def f(): pass\nawait f()\n"),
    "nonlocal at module level": _read(lambda: b"def f(): pass\nnonlocal f\n"),
    "two stars in a target": _read(lambda: b"*a, *b = 1, 2\n"),
    "type parameters (PEP 695)": _read(lambda: b"def f[T](a: T) -> T: ...\ntype X[T] = list[T]\n", (3, 12)),
    "quotes in an f-string (PEP 701)": _read(lambda: b"x = f'{'a'}'\n", (3, 12)),
    "default of a type parameter (PEP 696)": _read(lambda: b"class C[T = int]: ...\n", (3, 13)),
    "except without brackets (PEP 758)": _read(lambda: b"try:\n x = 1\nexcept A, B:\n x = 2\n", (3, 14)),
    "template string (PEP 750)": _read(lambda: b"x = t'{a}'\n", (3, 14)),
    "Python 2": Hostile(lambda: b"print 'a'\n"),
    "merge conflict": Hostile(lambda: b"<<<<<<< ours\nVALUE = 1\n=======\nVALUE = 2\n>>>>>>> theirs\n"),
    "nothing but a backslash": Hostile(lambda: b"\\"),
    "unclosed string": Hostile(lambda: b"VALUE = '''1\n"),
    "empty": Hostile(lambda: b"", "GK301", "GK301"),
    "module __getattr__": Hostile(lambda: BEFORE + b"def __getattr__(name): return 1\n", "GK304", "GK304"),
    "computed __all__": Hostile(lambda: BEFORE + b"__all__ = [n for n in dir()]\n", "GK301", "GK304"),
    "exec": Hostile(lambda: BEFORE + b"exec('def hidden(): pass')\n", "GK301", "GK304"),
    "names by globals()": Hostile(lambda: BEFORE + b"globals()['hidden'] = 1\n", "GK301", "GK304"),
    "names by sys.modules": Hostile(
        lambda: BEFORE + b"import sys\nsys.modules[__name__].hidden = 1\n", "GK301", "GK304"
    ),
    "two wildcard cycles": Hostile(
        lambda: b"from src.codec import *\nfrom src.fresh import *\n", "GK301", "GK301 GK304"
    ),
}


def cookied(name: bytes) -> tuple[bytes, ...]:
    """Sources with a coding cookie in each place where Python looks for one."""
    first, second = b"# coding: %s\n" % name, b"#!/x\n# -*- coding=%s -*-\n" % name
    return tuple(cookie + _COMMENT for cookie in (first, second, BOM_UTF8 + first))


EVERY = {**MEMORY, **DEPTH, **ENCODING, **MEANING}
