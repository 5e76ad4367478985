"""Modules that Python itself executes beside the interpreter: equal, or unknown, and known where a table says so."""

from __future__ import annotations

import datetime as dt
import enum
import json
import re
import warnings
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from types import FunctionType, ModuleType
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatekeeper.source.evaluate.values import Class, External, Function, Generator, Instance, Member, Unknown
from tests.source.evaluate.world import values

REAL = (int, str, bytes, float, complex, type(None), range, Decimal, Fraction, dt.date, dt.time, dt.timedelta, UUID)

KNOWN = {
    "comprehensions": """
pairs = [(x, y) for x in range(4) if x % 2 for y in "ab"]
squares = {x: x * x for x in range(5)}
kinds = {type(x).__name__ for x in (1, 2)} if False else {1, 2}
nested = [[c for c in row] for row in ("ab", "cd")]
late = [f() for f in [lambda: 1, lambda: 2]]
x = 7
unshadowed = ([x for x in range(3)], x)
walrus = [y := 3, y ** 2]
""",
    "mutation": """
a = [3, 1, 2]
b = a
b.append(0)
a += [9]
a.sort()
d = {}
for i, c in enumerate("xyz"):
    d.setdefault(c, []).append(i)
    d[c].append(-i)
del d["y"]
d.update(q=1, **{"r": 2})
s = set()
s.add(1)
s |= {2}
t = (*a, *d)
first, *rest = a
a[1:2] = [7, 7]
popped = a.pop()
n = 5
n -= 2
n **= 3
""",
    "functions": """
def make(*args, sep="-", **words):
    return sep.join([*args, *sorted(words)])
def fib(n, memo={0: 0, 1: 1}):
    if n not in memo:
        memo[n] = fib(n - 1) + fib(n - 2)
    return memo[n]
def counter():
    count = 0
    def more(by=1):
        nonlocal count
        count += by
        return count
    return more
def early(values):
    for value in values:
        if value > 2:
            return value
    else:
        return None
def gen(n):
    for i in range(n):
        yield i
        if i == 2:
            return
    yield from "ab"
one = make("a", "b", z=1, sep="+")
two = fib(20)
tick = counter()
three = [tick(), tick(5), tick()]
four = [early([1, 2, 3]), early([1])]
five = list(gen(9)) + list(gen(1))
six = (lambda a, b=2, *c, d=4: (a, b, c, d))(1, *[5, 6], d=0)
del make, fib, counter, early, gen, tick
""",
    "flow": """
out = []
for i in range(10):
    if i == 3:
        continue
    if i == 6:
        break
    out.append(i)
else:
    out.append("never")
while len(out) < 8:
    out.append("w")
else:
    out.append("done")
def tried(given, key):
    try:
        given[key]
    except KeyError:
        out.append("key")
    else:
        out.append("no")
    finally:
        out.append("finally")
tried({}, "k")
tried({"k": 1}, "k")
match (1, "x"):
    case (2, _):
        out.append("two")
    case (1, name):
        out.append(name)
if out and not out[0] or 1 < 2 < 3:
    out.append(None is None)
del i, name, tried
""",
    "text": """
a = f"{3:>4}|{'x'!r}|{2.5:.2f}|{[1, 'b']}"
b = "%s-%d" % ("a", 3)
c = "{:03d}/{name}".format(7, name="n")
d = " A,b ".strip().lower().split(",")
e = "-".join(str(x) for x in (1, 2))
g = b"ab".hex() + bytes([65]).decode()
h = "abc"[::-1].replace("b", "B").zfill(5)
i = "x".encode("utf-8").decode("ascii").upper().startswith(("X", "Y"))
""",
    "library": """
import itertools, functools, operator, math, string, datetime, decimal, fractions, json, re, uuid, textwrap, os.path
from collections import OrderedDict
a = list(itertools.product("ab", [1, 2]))
b = list(itertools.chain.from_iterable([[1], (2,)])) + list(itertools.permutations([1, 2, 3], 2))
c = functools.reduce(operator.add, [1, 2, 3])
d = functools.partial(max, 3)(1, 2)
e = (math.pi, math.floor(2.7), string.digits)
f = datetime.date(2020, 1, 2) + datetime.timedelta(days=3)
g = decimal.Decimal("1.10") + 1
h = fractions.Fraction(1, 3) * 3
i = json.loads('{"a": [1, null, true]}')
j = uuid.UUID(int=5)
k = textwrap.dedent("  a\\n  b")
l = os.path.join("a", "b", "../c")
m = sorted({"b", "a"}, key=lambda one: one) if False else sorted({"b", "a"})
n = dict(zip("ab", map(abs, [-1, 2])))
o = [min(3, 1), max([1, 5]), sum([1, 2]), any([0, 1]), all([]), divmod(7, 2), round(2.567, 1), abs(-3)]
p = list(filter(None, [0, 1, "", "x"])) + list(reversed([1, 2]))
q = isinstance(1, (int, str)), issubclass(bool, int), callable(len), hasattr("", "upper"), type(3) is int
r = list(OrderedDict([("a", 1)]).items())
s = next(iter([4])) if False else 4
del itertools, functools, operator, math, string, datetime, decimal, fractions, json, re, uuid, textwrap, os
del OrderedDict
""",
    "classes": """
class Base:
    kind = "base"
    items = [kind, *"ab"]
    def __init__(self, x):
        self.x = x
    def twice(self):
        return self.x * 2
    @property
    def shown(self):
        return f"<{self.x}>"
    @classmethod
    def make(cls):
        return cls(3)
    @staticmethod
    def plain(a):
        return a + 1
class Child(Base):
    kind = Base.kind + "!"
a = (Base.kind, Child.kind, Base.items, Child(4).twice(), Child.make().x, Base.plain(1), Base(2).shown)
del Base, Child
""",
}


def plain(value: Any) -> Any:
    """A real value with its kind, so that ``1`` and ``True`` differ; the same of what stands for one."""
    if isinstance(value, bool | None):
        return value
    if isinstance(value, list | tuple):
        return type(value).__name__, [plain(one) for one in value]
    if isinstance(value, dict):
        return "dict", [(plain(key), plain(one)) for key, one in value.items()]
    if isinstance(value, set | frozenset):
        return "set", sorted(map(repr, value))
    return type(value).__name__, repr(value)


def ran(text: str) -> dict[str, Any]:
    """What Python binds; the text is this test's own."""
    names: dict[str, Any] = {"__name__": "m"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(text, names)
    return {name: value for name, value in names.items() if not name.startswith("__")}


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_known_is_what_python_makes(name: str) -> None:
    real, ours = ran(KNOWN[name]), values(KNOWN[name])
    assert list(ours) == list(real)
    for each, value in real.items():
        assert plain(ours[each]) == plain(value), each


def doubtful(value: Any) -> bool:
    """Whether something in a value is not known."""
    if isinstance(value, dict):
        return any(doubtful(one) for pair in value.items() for one in pair)
    if isinstance(value, list | tuple | set | frozenset):
        return any(map(doubtful, value))
    return isinstance(value, Unknown)


def fits(ours: Any, real: Any) -> bool:  # noqa: PLR0911 (one line a kind)
    """Whether a value of the interpreter does not contradict Python's."""
    if doubtful(ours):
        return True
    if isinstance(ours, Function):
        return isinstance(real, FunctionType)
    if isinstance(ours, Class):
        return isinstance(real, type)
    if isinstance(ours, External):
        return not isinstance(real, (*REAL, list, dict, tuple))
    if isinstance(ours, Member):
        return isinstance(real, enum.Enum) and bool(real.name == ours.name)
    if isinstance(ours, Instance | Generator | ModuleType | PurePosixPath | re.Pattern):
        return True
    if isinstance(ours, list | tuple) and type(ours) is type(real):
        return len(ours) == len(real) and all(map(fits, ours, real))
    if isinstance(ours, dict) and type(real) is dict:
        return len(ours) == len(real) and all(map(fits, ours.values(), real.values()))
    return bool(plain(ours) == plain(real))


leaves = st.one_of(
    st.integers(-5, 5).map(repr),
    st.sampled_from(
        [
            "True",
            "None",
            "''",
            "'ab'",
            "b'x'",
            "1.5",
            "[]",
            "()",
            "{}",
            "xs",
            "d",
            "n",
            "unknown",
            "f",
            "f'{n:>3}{xs}{d!r}'",
        ]
    ),
)


SIGNS = ("+", "-", "*", "//", "%", "==", "<", "in", "is", "and", "or", "|", "&", "<<")
CALLS = (
    *("len", "list", "tuple", "set", "sorted", "str", "repr", "bool", "int", "sum", "max", "any", "reversed", "dict"),
    "frozenset",
)


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        st.builds("({0[0]} {1} {0[1]})".format, pair, st.sampled_from(SIGNS)),
        st.builds("[{0[0]}, *{0[1]}]".format, pair),
        st.builds("({0[0]}, {0[1]})".format, pair),
        st.builds("{{{0[0]}: {0[1]}}}".format, pair),
        st.builds("{{{0[0]}, {0[1]}}}".format, pair),
        st.builds("[a for a in {0[0]} if {0[1]}]".format, pair),
        st.builds("({0[0]} if {0[1]} else n)".format, pair),
        st.builds("{0[0]}[{0[1]}]".format, pair),
        st.builds("'{{!s:>4}}'.format({0})".format, inner),
        st.builds("('%s|%4s' % {0})".format, inner),
        st.builds("(not {0})".format, inner),
        st.builds(
            "{1}({0})".format,
            inner,
            st.sampled_from(CALLS),
        ),
        st.builds("list(zip({0[0]}, {0[1]}))".format, pair),
        st.builds("list(map(lambda a: (a, {0[1]}), {0[0]}))".format, pair),
        st.builds("xs.append({0})".format, inner),
        st.builds("(lambda a, *b, k=2: (a, b, k))({0[0]}, *{0[1]})".format, pair),
    )


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.recursive(leaves, grown, max_leaves=8), min_size=1, max_size=4))
def test_nothing_is_guessed(expressions: list[str]) -> None:
    """Whatever Python makes of an expression, the interpreter says the same, that it raises, or that it is unknown."""
    head = "import os\nunknown = os.urandom(1)[0] > 999\nxs = [3, 1]\nd = {'k': 1}\nn = 2\ndef f(a=1): return a\n"
    body = "".join(
        f"try:\n    r{i} = {text}\nexcept Exception:\n    r{i} = 'raised'\n" for i, text in enumerate(expressions)
    )
    real, ours = ran(head + body), values(head + body)
    for name, value in ours.items():
        if name in real and name not in {"os", "unknown"}:
            assert fits(value, real[name]), (name, body)


def test_a_file_of_the_tree_is_read() -> None:
    from gatekeeper.source.evaluate.interpreter import Interpreter
    from gatekeeper.source.files import MemoryFiles

    rows = [{"id": 1}, {"id": 2}]
    text = (
        "import json, pathlib, os\nHERE = pathlib.Path(__file__).parent\n"
        "with open(HERE / 'data' / 'rows.json') as file:\n    rows = json.load(file)\n"
        "again = json.loads((HERE / 'data/rows.json').read_text())\n"
        "third = json.load(open(os.path.join(os.path.dirname(__file__), 'data', 'rows.json'), encoding='utf-8'))\n"
        "absent = open(HERE / 'nothing').read()\n"
        "outside = open('/etc/passwd').read()\n"
    )
    files = MemoryFiles({"tests/m.py": text.encode(), "tests/data/rows.json": json.dumps(rows).encode()})
    made = Interpreter(files, lambda _name, _importer: None).load("tests/m.py", "m")
    found = {name: binding.value for name, binding in made.namespace.items()}
    assert found["rows"] == found["again"] == found["third"] == rows
    assert isinstance(found["absent"], Unknown)
    assert isinstance(found["outside"], Unknown)
