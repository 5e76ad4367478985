"""What a test can come to use: all that it really runs, and not everything there is."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from typing import TYPE_CHECKING

import pytest

from gatekeeper.source.files import MemoryFiles
from gatekeeper.source.imports.find import Finder
from gatekeeper.source.imports.outline import outline_source
from gatekeeper.source.imports.program import Program, Source
from gatekeeper.source.imports.reach import Reach

if TYPE_CHECKING:
    from pathlib import Path

    from tests.imports.kit import Tree

LIBRARY = {
    "p/__init__.py": "from .a import f as public\nfrom .star import *\n",
    "p/a.py": "from . import b\ndef f(): return b.g()\ndef unused(): return b.other()\n",
    "p/b.py": "def g(): return 1\ndef other(): return 2\nVALUE = g\n",
    "p/c.py": """\
from p.b import other
class Base:
    def run(self): return self.step()
    def rest(self): pass
class C(Base):
    def __init__(self): self.v = other()
    def step(self): return 1
    def spare(self): pass
""",
    "p/star.py": "def starred(): pass\ndef _hidden(): pass\n",
    "p/lazy.py": "def late(): pass\n",
    "p/reg.py": "REG = []\ndef keep(f): REG.append(f); return f\n@keep\ndef kept(): pass\ndef free(): pass\nfree()\n",
    "p/json.py": """\
import json
class E(json.JSONEncoder):
    def default(self, o): pass
class F(E):
    def extra(self): pass
""",
    "p/visit.py": """\
class V:
    def go(self, n): return getattr(self, f'visit_{n}')()
    def visit_a(self): pass
    def leave_a(self): pass
""",
}


def reached(tree: Tree, *names: str, conftest: bool = False) -> set[str]:
    files = MemoryFiles({path: text.encode() for path, text in tree.items()})

    def outline_of(path: str) -> dict[str, object] | None:
        data = files.read(path)
        return None if data is None else outline_source(data)

    def listing(path: str) -> list[str]:
        return [item.name for item in files.list(path)]

    reach = Reach(Program(outline_of, Finder(files.kind, [""]), listing))
    if conftest:
        reach.start(Source("conftest", "conftest.py"), (), collected=True)
    reach.start(Source("t", "t.py"), names, collected=True)
    return {f"{path.removesuffix('.py')}:{name}" for path, name in reach.parts}


@pytest.mark.parametrize(
    ("test", "there", "not_there"),
    [
        ("from p import public\ndef t(): public()", "p/a:f p/b:g", "p/a:unused p/b:other"),
        ("import p\ndef t(): p.public()", "p/a:f p/b:g", "p/a:unused p/b:other"),
        ("import p.a as q\ndef t(): q.unused()", "p/a:unused p/b:other", "p/a:f p/b:g"),
        ("import p.b\ndef t(): p.b.VALUE()", "p/b:VALUE p/b:g", "p/b:other"),
        ("from p.c import C\ndef t(): C().run()", "p/c:C p/c:C.__init__ p/c:C.step p/c:Base.run p/b:other",
         "p/c:C.spare p/c:Base.rest"),
        ("from p import starred\ndef t(): starred()", "p/star:starred", "p/star:_hidden"),
        ("import p\ndef t(): p.starred()", "p/star:starred", "p/star:_hidden"),
        ("def t():\n    from p.lazy import late\n    late()", "p/lazy:late", "p/a:f"),
        ("import p.reg\ndef t(): pass", "p/reg:kept p/reg:free p/reg:keep", "p/a:f"),
        ("from p.json import E\ndef t(): E().encode(1)", "p/json:E.default", "p/json:F"),
        ("from p.json import F\ndef t(): F()", "p/json:E.default p/json:F.extra", ""),
        ("from p.visit import V\ndef t(): V().go('a')", "p/visit:V.visit_a", "p/visit:V.leave_a"),
        ("import p.a\ndef t(): getattr(p.a, 'f')()", "p/a:f", "p/a:unused"),
        ("import p.b\n@pytest.fixture\ndef made(): return p.b.g()\ndef t(made): pass", "p/b:g", "p/b:other"),
        ("import p.b\n@pytest.fixture\ndef other(): return p.b.g()\ndef t(made): pass", "", "p/b:g"),
        ("import p.b\n@pytest.fixture(autouse=True)\ndef made(): return p.b.g()\ndef t(): pass", "p/b:g", "p/b:other"),
        ("import p.b\n@pytest.fixture(name='x')\ndef made(): return p.b.g()\ndef t(x): pass", "p/b:g", "p/b:other"),
        ("import p.b\nclass T:\n    def setup_method(self): p.b.g()\n    def t(self): pass", "p/b:g", ""),
    ],
)  # fmt: skip
def test_reach(test: str, there: str, not_there: str) -> None:
    names = ("T.t", "T", "t") if "class T" in test else ("t",)
    found = reached({**LIBRARY, "t.py": test}, *names)
    assert set(there.split()) <= found
    assert found.isdisjoint(not_there.split())


def test_conftest() -> None:
    conftest = (
        "import p.b\nimport pytest\n@pytest.fixture\ndef made(): return p.b.g()\ndef pytest_configure(): p.b.other()\n"
    )
    tree = {**LIBRARY, "conftest.py": conftest}
    assert {"p/b:g", "p/b:other"} <= reached({**tree, "t.py": "def t(made): pass"}, "t", conftest=True)
    found = reached({**tree, "t.py": "def t(): pass"}, "t", conftest=True)
    assert "p/b:other" in found
    assert "p/b:g" not in found


@pytest.mark.parametrize(
    ("dotted", "parts"),
    [
        ("p.b.g", "p/b.py:g"),
        ("p.public", "p/__init__.py:public p/a.py:f"),
        ("p.starred", "p/star.py:starred"),
        ("p.c.C", "p/c.py:C p/c.py:C.__init__ p/c.py:C.spare p/c.py:C.step"),
        ("p.c.C.step", "p/c.py:C p/c.py:C.step"),
        ("p.star", "p/star.py:_hidden p/star.py:starred"),
        ("q.nothing", ""),
        ("p.a.nothing", ""),
    ],
)
def test_definitions(dotted: str, parts: str) -> None:
    files = MemoryFiles({path: text.encode() for path, text in LIBRARY.items()})

    def outline_of(path: str) -> dict[str, object] | None:
        data = files.read(path)
        return None if data is None else outline_source(data)

    program = Program(outline_of, Finder(files.kind, [""]), lambda path: [item.name for item in files.list(path)])
    assert " ".join(f"{path}:{name}" for path, name in program.definition(dotted)) == parts


def test_a_name_through_thousands_of_modules() -> None:
    tree = {f"m{number}.py": f"from m{number + 1} import x\n" for number in range(2_000)}
    assert "m0:x" in reached({**tree, "t.py": "from m0 import x\ndef t(): x()"}, "t")


SUITE = """\
import click
from click.testing import CliRunner
import pluggy

def t_help():
    @click.group(name="top")
    @click.option("--count", type=click.IntRange(1, 5), default=1)
    def top(count): click.echo(click.style(str(count), fg="red"))
    @top.command()
    @click.argument("name")
    def sub(name): click.secho(name)
    for words in (["--help"], ["--count", "9", "sub"], ["sub", "x"], ["nothing"]):
        CliRunner().invoke(top, words)

def t_hooks():
    spec, impl = pluggy.HookspecMarker("x"), pluggy.HookimplMarker("x")
    class Spec:
        @spec(firstresult=True)
        def ask(self, a): pass
    class Impl:
        @impl(wrapper=True)
        def ask(self, a): return (yield)
    class Other:
        @impl
        def ask(self, a): return a
    manager = pluggy.PluginManager("x")
    manager.add_hookspecs(Spec)
    manager.register(Impl())
    manager.register(Other())
    assert manager.hook.ask(a=3) == 3
    manager.unregister(name="none")
"""

TRACER = """\
import json, sys
sys.dont_write_bytecode = True
site = sys.argv[1] + "/"
sys.path[:0] = [sys.argv[2], site]
import t
found = {}
for name in ("t_help", "t_hooks"):
    seen = found[name] = []
    def note(frame, event, arg):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(site):
            seen.append([code.co_filename[len(site):], code.co_qualname.partition(".<locals>")[0]])
    sys.setprofile(note)
    try:
        getattr(t, name)()
    except AssertionError:
        pass
    finally:
        sys.setprofile(None)
print(json.dumps(found))
"""


def test_all_that_really_runs_is_reached(tmp_path: Path) -> None:
    site = sysconfig.get_paths()["purelib"]
    (tmp_path / "t.py").write_text(SUITE)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", TRACER, site, str(tmp_path)], capture_output=True, text=True, check=True
    )
    executed = json.loads(done.stdout)
    tree = {"t.py": SUITE}
    for package in ("click", "pluggy"):
        tree |= {f"{package}/{path.name}": path.read_text() for path in _sources(site, package)}
    for name, calls in executed.items():
        found = reached(tree, name)
        ran = {f"{path.removesuffix('.py')}:{part}" for path, part in calls if "<" not in part and path in tree}
        assert len(ran) > 20
        assert ran <= found
    # a test of one package does not reach the inside of the other
    assert sum(name.startswith("click/") for name in reached(tree, "t_hooks")) < 0.6 * len(reached(tree, "t_help"))


def _sources(site: str, package: str) -> list[Path]:
    from pathlib import Path

    return sorted(Path(site, package).glob("*.py"))
