"""What an import misses, and what it may yet find: each tree is judged, and imported for real beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.imports.kit import Tree, really, said, write

if TYPE_CHECKING:
    from pathlib import Path

INIT = {"pkg/__init__.py": ""}

MISSING: dict[str, tuple[Tree, tuple[str, str]]] = {
    "a name": ({"t.py": "from m import gone\n", "m.py": "here = 1\n"}, ("name", "m.gone")),
    "a module": ({**INIT, "t.py": "import pkg.gone\n"}, ("module", "pkg.gone")),
    "a module by from": ({**INIT, "t.py": "from pkg import gone\n"}, ("name", "pkg.gone")),
    "a module inside a module": ({"t.py": "import m.inner\n", "m.py": ""}, ("module", "m.inner")),
    "a name re-exported": (
        {"t.py": "import pkg\n", "pkg/__init__.py": "from .a import gone\n", "pkg/a.py": ""},
        ("name", "pkg.a.gone"),
    ),
    "a name of a package": ({**INIT, "t.py": "from pkg import gone as x\n"}, ("name", "pkg.gone")),
    "a relative name too far": (
        {**INIT, "t.py": "import pkg.a\n", "pkg/a.py": "from ..x import y\n"},
        ("relative", "..x"),
    ),
    "a relative name without a package": ({"t.py": "from . import y\n", "y.py": ""}, ("relative", ".")),
    "bytes that do not parse": ({"t.py": "import m\n", "m.py": "def f(:\n"}, ("broken", "m")),
    "a raise": ({"t.py": "import m\n", "m.py": "raise ImportError('old')\n"}, ("broken", "m")),
    "a return": ({"t.py": "import m\n", "m.py": "if f:\n    return\n"}, ("broken", "m")),
    "an annotation is no binding": ({"t.py": "from m import x\n", "m.py": "x: int\n"}, ("name", "m.x")),
    "what is deleted": ({"t.py": "from m import x\n", "m.py": "x = 1\ndel x\n"}, ("name", "m.x")),
    "the name of a caught error": (
        {"t.py": "from m import e\n", "m.py": "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    pass\n"},
        ("name", "m.e"),
    ),
    "what only a type checker imports": (
        {
            "t.py": "from m import x\n",
            "m.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from n import x\n",
            "n.py": "x = 1\n",
        },
        ("name", "m.x"),
    ),
    "what only a script binds": (
        {"t.py": "from m import x\n", "m.py": "if __name__ == '__main__':\n    x = 1\n"},
        ("name", "m.x"),
    ),
    "what a star leaves out": (
        {"t.py": "from m import x\n", "m.py": "from n import *\n", "n.py": "__all__ = ['y']\nx = y = 1\n"},
        ("name", "m.x"),
    ),
    "a private name behind a star": (
        {"t.py": "from m import _x\n", "m.py": "from n import *\n", "n.py": "_x = 1\n"},
        ("name", "m._x"),
    ),
    "a list of what is not there": (
        {"t.py": "from m import *\n", "m.py": "__all__ = ['x', 'y']\nx = 1\n"},
        ("name", "m.y"),
    ),
    "a failure that is passed on": (
        {"t.py": "try:\n    from m import x\nexcept ImportError as e:\n    raise RuntimeError from e\n", "m.py": ""},
        ("name", "m.x"),
    ),
    "a failure before a finally": (
        {"t.py": "try:\n    from m import x\nfinally:\n    y = 1\n", "m.py": ""},
        ("name", "m.x"),
    ),
    "a cycle": (
        {"t.py": "import a\n", "a.py": "import b\nx = 1\n", "b.py": "from a import x\nimport a\ny = 1\n"},
        ("none", ""),
    ),
    "a cycle that fails from every side": (
        {
            "t.py": "import pkg.a\n",
            "pkg/__init__.py": "from .a import x\n",
            "pkg/a.py": "from .b import y\nx = 1\n",
            "pkg/b.py": "from .a import x\ny = 1\n",
        },
        ("cycle", "pkg.a.x"),
    ),
    "the body of a class": ({"t.py": "class C:\n    from m import x\n", "m.py": ""}, ("name", "m.x")),
    "a name that its own module needs": (
        {"t.py": "import m\n", "m.py": "class C(Base):\n    pass\n"},
        ("name", "m.Base"),
    ),
    "a decorator": ({"t.py": "import m\n", "m.py": "@gone\ndef f():\n    pass\n"}, ("name", "m.gone")),
    "a default": ({"t.py": "def f(x=gone):\n    pass\n"}, ("name", "t.gone")),
    "the value of a class": ({"t.py": "class C:\n    x = gone\n"}, ("name", "t.gone")),
    "a name that only a type checker imports": (
        {"t.py": "import typing\nif typing.TYPE_CHECKING:\n    from m import x\ny = x\n", "m.py": "x = 1\n"},
        ("name", "t.x"),
    ),
    "an annotation that is evaluated": ({"t.py": "def f(x: gone): ...\n"}, ("name", "t.gone")),
    "a name beside __getattr__": (
        {"t.py": "class C(Base): ...\ndef __getattr__(name): ...\n"},
        ("name", "t.Base"),
    ),
    "an attribute of a module": ({"t.py": "import m\nclass C(m.Base):\n    pass\n", "m.py": ""}, ("name", "m.Base")),
    "an attribute of a submodule": (
        {**INIT, "t.py": "from pkg import a as b\nx = b.gone(1)\n", "pkg/a.py": ""},
        ("name", "pkg.a.gone"),
    ),
    "a namespace's module that is none": ({"t.py": "from ns.m import x\n", "ns/m.py": ""}, ("name", "ns.m.x")),
}
"""The tree, and the kind and target of the one failure; ``none`` for a failure that depends on who comes first."""

FINE: dict[str, Tree] = {
    "a submodule": {**INIT, "t.py": "from pkg import a\n", "pkg/a.py": ""},
    "a name bound by a submodule's import": {**INIT, "t.py": "import pkg.a\nfrom pkg import a\n", "pkg/a.py": ""},
    "a caught failure": {"t.py": "try:\n    from m import x\nexcept ImportError:\n    x = None\n", "m.py": ""},
    "a failure under a condition": {"t.py": "import sys\nif sys.argv == 0:\n    from m import x\n", "m.py": ""},
    "a failure in a function": {"t.py": "def f():\n    from m import x\n", "m.py": ""},
    "a failure in a suppressing block": {
        "t.py": "import contextlib\nwith contextlib.suppress(ImportError):\n    from m import x\n",
        "m.py": "",
    },
    "for type checkers": {
        "t.py": "import typing\nif typing.TYPE_CHECKING:\n    from m import x\nelse:\n    x = 1\n",
        "m.py": "",
    },
    "__getattr__": {"t.py": "from m import x\n", "m.py": "def __getattr__(name):\n    return name\n"},
    "globals": {"t.py": "from m import x\n", "m.py": "for name in 'xyz':\n    globals()[name] = 1\n"},
    "exec": {"t.py": "from m import x\n", "m.py": "exec('x = 1')\n"},
    "vars": {"t.py": "from m import x\n", "m.py": "vars()['x'] = 1\n"},
    "a global statement": {"t.py": "from m import x\n", "m.py": "def f():\n    global x\n    x = 1\nf()\n"},
    "setattr on itself": {"t.py": "from m import x\n", "m.py": "import sys\nsetattr(sys.modules[__name__], 'x', 1)\n"},
    "set from outside": {"t.py": "import n\nfrom m import x\n", "m.py": "", "n.py": "import m\nm.x = 1\n"},
    "set from outside by name": {
        "t.py": "import n\nfrom m import x\n",
        "m.py": "",
        "n.py": "import sys\nimport m\nsetattr(sys.modules['m'], 'x', 1)\n",
    },
    "a module made by hand": {
        **INIT,
        "t.py": "import sys\nimport types\nsys.modules['pkg.made'] = types.ModuleType('made')\nimport pkg.made\n",
    },
    "a module that replaces itself": {
        "t.py": "from m import x\n",
        "m.py": "import sys\nclass M:\n    x = 1\nsys.modules[__name__] = M()\n",
    },
    "a package whose path is its own affair": {
        **INIT,
        "t.py": "from pkg import a\n",
        "pkg/__init__.py": "import os\n__path__.append(os.path.join(__path__[0], 'more'))\n",
        "pkg/more/a.py": "",
    },
    "a path that grows": {
        "t.py": "import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), 'more'))\nimport grown\n",
        "more/grown.py": "",
    },
    "a star": {"t.py": "from m import x\n", "m.py": "from n import *\n", "n.py": "x = 1\n"},
    "a star and a list that is made": {
        "t.py": "from m import _x\n",
        "m.py": "from n import *\n",
        "n.py": "_x = 1\n__all__ = [name for name in globals()]\n",
    },
    "a star over a module of elsewhere": {"t.py": "from m import sep\n", "m.py": "from os.path import *\n"},
    "a walrus": {"t.py": "from m import x\n", "m.py": "print(end='') if (x := 1) else None\n"},
    "a loop": {"t.py": "from m import x, y\n", "m.py": "for x, (y, *z) in [(1, (2, 3))]:\n    pass\n"},
    "a match": {"t.py": "from m import x\n", "m.py": "match [1]:\n    case [x]:\n        pass\n"},
    "deleted and bound again": {"t.py": "from m import x\n", "m.py": "x = 1\ndel x\nx = 2\n"},
    "what every module has": {**INIT, "t.py": "from pkg import __name__, __file__, __path__, __doc__, __dict__\n"},
    "a cycle of modules": {
        "t.py": "import pkg\n",
        "pkg/__init__.py": "from . import a\n",
        "pkg/a.py": "from . import b\nx = 1\n",
        "pkg/b.py": "from . import a\nimport pkg.a as again\n",
    },
    "a cycle of names bound in time": {
        "t.py": "import a\n",
        "a.py": "x = 1\nfrom b import y\n",
        "b.py": "from a import x\ny = 2\n",
    },
    "a namespace": {"t.py": "from ns import a\nimport ns.a\n", "ns/a.py": ""},
    "a relative import of a package": {
        **INIT,
        "t.py": "import pkg.a\n",
        "pkg/a.py": "from . import b\n",
        "pkg/b.py": "",
    },
    "names in an annotation": {
        "t.py": "from __future__ import annotations\ndef f(x: gone) -> gone: ...\ny: gone = 1\n"
    },
    "names that may not be needed": {
        "t.py": "x = [a for i in ()]\ny = None and b\nz = 1 if True else c\nf = lambda: d\n1 > 2 > e\n",
    },
    "names that are given": {
        "t.py": "print(__name__, __file__, __doc__)\nclass C:\n    x = __qualname__, __module__\n"
    },
    "a name put into builtins": {"t.py": "import m\nx = made\n", "m.py": "import builtins\nbuiltins.made = 1\n"},
    "names of a class": {"t.py": "class C:\n    x = 1\n    y = x\n    @staticmethod\n    def f(z=y): ...\n"},
    "a submodule that another module imports": {
        **INIT,
        "t.py": "import pkg\nimport m\nx = pkg.a\n",
        "m.py": "import pkg.a\n",
        "pkg/a.py": "",
    },
    "one of two modules of a name": {
        "t.py": "try:\n    import gone as m\nexcept ImportError:\n    import other as m\nx = m.y\n",
        "other.py": "y = 1\n",
    },
    "a name of the standard library": {"t.py": "import types\ntypes.ModuleType\n", "types.py": "raise SystemError\n"},
}


@pytest.mark.parametrize("name", MISSING)
def test_what_fails_is_said(name: str) -> None:
    tree, (kind, target) = MISSING[name]
    found = said(tree)
    if kind == "none":
        assert found == []
    else:
        assert [(one.kind, one.target) for one in found] == [(kind, target)]
        assert found[0].starts == ("t.py",)


@pytest.mark.parametrize("name", FINE)
def test_what_may_work_is_not_reported(name: str) -> None:
    assert said(FINE[name]) == []


def test_python_agrees(tmp_path: Path) -> None:
    trees = [(name, tree, True) for name, (tree, _) in MISSING.items()]
    trees += [(name, tree, False) for name, tree in FINE.items()]
    roots = [(write(tree, tmp_path / str(place)), ["t"]) for place, (_, tree, _) in enumerate(trees)]
    for (name, _, fails), raised in zip(trees, really(roots), strict=True):
        assert ("t" in raised) is fails, (name, raised)


def test_an_importer_of_a_broken_module_is_not_blamed() -> None:
    tree = {"t.py": "import m\n", "m.py": "from n import x, y\nimport n.z\n", "n.py": "def f(:\n"}
    assert [(one.path, one.kind) for one in said(tree)] == [("n.py", "broken"), ("m.py", "module")]


def test_the_starts_that_meet_a_failure() -> None:
    tree = {
        "t.py": "import a\n",
        "u.py": "import b\n",
        "v.py": "try:\n    import a\nexcept ImportError:\n    pass\n",
        "a.py": "from c import gone\n",
        "b.py": "",
        "c.py": "",
    }
    (one,) = said(tree, ("t", "u", "v"))
    assert one.starts == ("t.py",)
    assert (one.path, one.line, one.why) == ("a.py", 1, "c has no gone")


def test_a_module_that_was_there() -> None:
    tree = {"t.py": "import gone\nimport elsewhere\nfrom ns import b\nimport ns.c\n", "ns/a.py": ""}
    assert said(tree) == []
    found = said(tree, existed=lambda name: name in {"gone", "ns.b"})
    assert [one.target for one in found] == ["gone", "ns.b"]


def test_a_chain_of_thousands_is_no_recursion() -> None:
    length = 3_000
    tree = {f"m{number}.py": f"import m{number + 1}\n" for number in range(length)}
    tree["t.py"] = "import m0\n"
    tree[f"m{length}.py"] = "from m0 import gone\n"
    (one,) = said(tree)
    assert one.target == "m0.gone"


def test_stars_over_thousands_of_modules_are_no_recursion() -> None:
    length = 2_000
    tree = {f"m{number}.py": f"from m{number + 1} import *\n" for number in range(length)}
    tree["t.py"] = "from m0 import gone\n"
    tree[f"m{length}.py"] = "x = 1\n"
    assert said(tree) == []  # too deep to be told


def test_stars_of_all_over_all_end() -> None:
    stars = "".join(f"from m{number} import *\n" for number in range(60))
    names = ", ".join(f"gone{number}" for number in range(4_000))
    tree = {f"m{number}.py": stars for number in range(60)}
    tree["t.py"] = f"from m0 import {names}\n"
    found = said(tree)
    assert 0 < len(found) < 4_000
    assert {one.kind for one in found} == {"name"}


def test_many_cycles_end() -> None:
    tree = {"t.py": "import pkg.a0\n", "pkg/__init__.py": "from . import a0\n"}
    for number in range(50):
        inner = "".join(f"from .a{other} import x{other}\n" for other in range(50) if other != number)
        tree[f"pkg/a{number}.py"] = f"{inner}x{number} = 1\n"
    assert {one.kind for one in said(tree)} == {"cycle"}
