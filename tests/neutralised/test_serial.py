"""The hash of a definition: blind to layout and to what locals are called, and to nothing else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gatekeeper.source.files import MemoryFiles
from gatekeeper.source.fingerprint.closure import judging
from gatekeeper.source.fingerprint.follow import Library, Symbol
from gatekeeper.source.fingerprint.locals import names_of, spelling_counts

_HERE = Path(__file__).parents[2] / "gatekeeper"
_FILES = sorted([*(_HERE / "source" / "fingerprint").rglob("*.py"), *(_HERE / "policy").glob("*.py")])
_DEFINITIONS = [
    node
    for path in _FILES
    for node in ast.parse(path.read_bytes()).body
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and sum(1 for _ in ast.walk(node)) < 800
]
_QUIET = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def digest(text: str, name: str = "it", *, around: str = "") -> str:
    """The hash of what binds ``name`` in a source."""
    files = MemoryFiles({"tests/test_it.py": (around + text).encode()})
    library = Library(files, nowhere, judging(files))
    assert library.page("tests/test_it.py") is not None
    return library.content(Symbol("tests/test_it.py", name)).digest


def nowhere(dotted: str, path: str) -> None:
    """Nothing but the one source is in the tree."""
    del dotted, path


class Renamed(ast.NodeTransformer):
    """Every local of every function under another name, arguments aside."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = self.names.get(node.name, node.name) if node.name else None
        return self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> ast.AST:
        node.name = self.names.get(node.name, node.name) if node.name else None
        return self.generic_visit(node)


def renamable(node: ast.FunctionDef) -> list[str]:
    """Locals that are not also the name of something else in the function."""
    taken: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.arg):
            taken.add(part.arg)
        elif isinstance(part, (ast.Global, ast.Nonlocal)):
            taken.update(part.names)
        elif isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            taken.add(part.name)
        elif isinstance(part, ast.alias):
            taken.add((part.asname or part.name).partition(".")[0])
    return sorted(names_of(node) - taken)


@_QUIET
@given(st.sampled_from(_DEFINITIONS))
def test_layout_does_not_count(node: ast.FunctionDef | ast.ClassDef) -> None:
    written = ast.unparse(node)
    spread = written.replace("\n", "  # so\n\n").replace("    ", "\t")
    assert digest(written, node.name) == digest(spread, node.name)


@_QUIET
@given(st.sampled_from([node for node in _DEFINITIONS if isinstance(node, ast.FunctionDef)]), st.randoms())
def test_what_locals_are_called_does_not_count(node: ast.FunctionDef, random: object) -> None:
    del random
    names = {} if spelling_counts(node) else {name: f"other_{index}" for index, name in enumerate(renamable(node))}
    renamed = Renamed(names).visit(ast.parse(ast.unparse(node)))
    assert digest(ast.unparse(node), node.name) == digest(ast.unparse(renamed), node.name)


def edits(node: ast.AST) -> list[tuple[ast.AST, str, object]]:  # noqa: C901, PLR0912 (a line a kind of token)
    """Every change of one token: which node, which field, what it becomes."""
    found: list[tuple[ast.AST, str, object]] = []
    quiet = {
        id(part.value) for part in ast.walk(node) if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
    }
    quiet |= {
        id(part.msg) for part in ast.walk(node) if isinstance(part, ast.Assert) and isinstance(part.msg, ast.Constant)
    }
    quiet |= {id(inner) for part in ast.walk(node) for note in _annotations(part) for inner in ast.walk(note)}
    own = {
        name for part in ast.walk(node) if isinstance(part, (ast.FunctionDef, ast.Lambda)) for name in names_of(part)
    }
    own |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    for part in ast.walk(node):
        if id(part) in quiet:
            continue
        if isinstance(part, ast.Constant):
            found.append((part, "value", "another" if part.value != "another" else 7))
        elif isinstance(part, ast.Attribute):
            found.append((part, "attr", part.attr + "x"))
        elif isinstance(part, ast.Name) and part.id not in own:
            found.append((part, "id", part.id + "x"))
        elif isinstance(part, ast.keyword) and part.arg:
            found.append((part, "arg", part.arg + "x"))
        elif isinstance(part, ast.Compare):
            found.append((part, "ops", [ast.Lt() if not isinstance(op, ast.Lt) else ast.GtE() for op in part.ops]))
        elif isinstance(part, ast.BinOp):
            found.append((part, "op", ast.Sub() if not isinstance(part.op, ast.Sub) else ast.Add()))
        elif isinstance(part, ast.BoolOp):
            found.append((part, "op", ast.Or() if isinstance(part.op, ast.And) else ast.And()))
        elif isinstance(part, ast.If):
            found.append((part, "test", ast.UnaryOp(ast.Not(), part.test)))
        elif isinstance(part, ast.Return) and part.value is not None:
            found.append((part, "value", None))
        elif isinstance(part, ast.Call) and len(part.args) > 1 and ast.dump(part.args[0]) != ast.dump(part.args[1]):
            found.append((part, "args", [part.args[1], part.args[0], *part.args[2:]]))
        elif isinstance(part, (ast.For, ast.With)) and len(part.body) > 1:
            found.append((part, "body", part.body[:-1]))
    return found


def _annotations(node: ast.AST) -> list[ast.AST]:
    values = [getattr(node, "annotation", None), getattr(node, "returns", None)]
    return [value for value in values if isinstance(value, ast.AST)]


@settings(_QUIET, max_examples=100)
@given(st.sampled_from(_DEFINITIONS), st.integers(0, 10_000))
def test_every_other_token_counts(node: ast.FunctionDef | ast.ClassDef, index: int) -> None:
    before = ast.unparse(node)
    tree = ast.parse(before).body[0]
    every = edits(tree)
    if not every:
        return
    part, field, value = every[index % len(every)]
    setattr(part, field, value)
    after = ast.unparse(ast.fix_missing_locations(tree))
    assert digest(before, node.name) != digest(after, node.name), after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def it(a):\n    x = a\n    return x", "def it(a):\n    y = a\n    return y"),
        ("def it(a):\n    return [b for b in a]", "def it(a):\n    return [c for c in a]"),
        ("it = lambda a: a", "it = lambda b: b"),
        ("def it():\n    def f(): return 1\n    return f()", "def it():\n    def g(): return 1\n    return g()"),
        (
            "def it():\n    try: f()\n    except ValueError as e: g(e)",
            "def it():\n    try: f()\n    except ValueError as x: g(x)",
        ),
        (
            "def it(a):\n    match a:\n        case [b, *c]: f(b, c)",
            "def it(a):\n    match a:\n        case [x, *y]: f(x, y)",
        ),
        ("def it():\n    from m import a\n    return a", "def it():\n    from m import a as b\n    return b"),
        ("def it():\n    x: int = 3\n    return x", "def it():\n    x = 3\n    return x"),
        ("def it():\n    x: int\n    x = 3\n    return x", "def it():\n    x = 3\n    return x"),
        ("def it() -> None:\n    f()", "def it():\n    f()"),
        ("def it(a: int): return a", "def it(a): return a"),
        ("def it():\n    '''Says.'''\n    return 1", "def it():\n    return 1"),
        ("def it():\n    pass\n    return 1", "def it():\n    ...\n    return 1"),
        ("def it(a):\n    assert a, 'no'", "def it(a):\n    assert a"),
        ("def it():\n    del a, b", "def it():\n    del (a, b)"),
        ("import m\ndef it(): return m.a.b", "from m import a\ndef it(): return a.b"),
        ("import m.n\ndef it(): return m.n.a", "from m.n import a as c\ndef it(): return c"),
        ("def it(): return 0x10 + 1_0", "def it(): return 16 + 10"),
        ("def it(): return 'a' 'b'", 'def it(): return "ab"'),
        ("if __name__ == '__main__':\n    f()\ndef it(): return 1", "def it(): return 1"),
        ("if True:\n    def it(): return 1", "def it(): return 1"),
    ],
)
def test_means_the_same(before: str, after: str) -> None:
    assert digest(before) == digest(after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def it(a):\n    x = a\n    return x", "def it(a):\n    x = a\n    return a"),
        ("def it(a): return a", "def it(b): return b"),
        ("def it():\n    x = 1\n    return locals()", "def it():\n    y = 1\n    return locals()"),
        ("def it():\n    x = 1\n    return x", "def it():\n    global x\n    x = 1\n    return x"),
        ("def it(): return len", "len = 1\ndef it(): return len"),
        ("def it(): return f(1, 2)", "def it(): return f(2, 1)"),
        ("def it(): return 1", "def it(): return True"),
        ("def it(): return 1", "def it(): return 1.0"),
        ("def it(): return 'a'", "def it(): return b'a'"),
        ("def it(a): return a[1:]", "def it(a): return a[:1]"),
        ("def it(*a): return a", "def it(**a): return a"),
        ("def it(a, /): return a", "def it(a): return a"),
        ("def it(a=1): return a", "def it(a=2): return a"),
        ("def it(): return 1", "async def it(): return 1"),
        ("def it(): return 1", "def it(): yield 1"),
        ("def it():\n    assert a, skip()", "def it():\n    assert a"),
        ("def it() -> f(): pass", "def it(): pass"),
        ("from m import a\ndef it(): return a", "from n import a\ndef it(): return a"),
        ("def it(): return 1", "def it(): return 1\nit = f(it)"),
        ("def it(): return 1", "def it(): return 1\nit.__code__ = f"),
        ("def it(): return 1", "if f():\n    def it(): return 1"),
        ("def it():\n    if a: f()\n    g()", "def it():\n    if a:\n        f()\n        g()"),
        ("def it(a):\n    return [b for b in a for c in b]", "def it(a):\n    return [c for b in a for c in b]"),
        ("class it:\n    a: int", "class it:\n    a: str"),
        ("class it(a): pass", "class it(b): pass"),
    ],
)
def test_means_something_else(before: str, after: str) -> None:
    assert digest(before) != digest(after)
