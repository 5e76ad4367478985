"""Packages of random statements that import from one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

MODULES = ("pkg/__init__.py", "pkg/a.py", "pkg/b.py", "pkg/sub/__init__.py", "pkg/sub/c.py", "pkg/sub/d.py", "top.py")
TARGETS = ("pkg", "pkg.a", "pkg.b", "pkg.sub", "pkg.sub.c", "pkg.sub.d", "top")
WRONG = ("pkg.nix", "pkg.a.q", "pkg.sub.nix")
NAMES = ("x", "y", "z", "_h", "a", "b", "c", "sub")
PLAIN = (
    "{n} = 1", "{n} = 1", "{n} = 1", "from {t} import {n}", "import {t}", "from {t} import {n} as {m}",
    "def {n}(): pass", "from {t} import *", "import {t} as {n}", "from {r} import {n}", "{n}: int", "{n}, {m} = 1, 2",
    "{n} = 1\ndel {n}", "class {n}: {m} = 1", "__all__ = ['{n}', '{m}']",
    "try:\n    from {t} import {n}\nfinally:\n    {m} = 1",
    "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from {t} import {n}\n    {m} = 1",
)  # fmt: skip
SOFT = (
    "try:\n    from {t} import {n}\nexcept ImportError:\n    {n} = None",
    "if __import__('os').environ.get('NOPE'):\n    from {t} import {n}\nelse:\n    {m} = 2",
    "def f():\n    from {t} import {n}\n", "def f():\n    from {t} import {n}\ntry: f()\nexcept ImportError: pass",
    "globals()['{n}'] = 1", "def __getattr__(name): return 1", "import sys\nsys.modules['{t}.extra'] = sys",
    "import {t} as mod\nmod.{n} = 2", "import {t} as mod\nsetattr(mod, '{n}', 2)", "for {n} in ():\n    pass",
    "exec('{n} = 1')", "def g():\n    global {n}\n    {n} = 1\ng()", "if ({n} := 3): pass", "raise ImportError('no')",
)  # fmt: skip


USES = (
    "q = {n}", "q = [{n}, {m}]", "import {t} as only\nq = only.{n}", "from {t} import {n} as only\nq = only.{m}",
    "class Q(object):\n    w = {n}", "@str\nclass Q:\n    {n} = 1\n    w = {n}, {m}", "q = None and {n}",
    "q = [{n} for i in ()]", "def f(a={n}): pass", "def f(a: {n}) -> int: pass", "q = lambda: {n}",
)  # fmt: skip


def random_tree(draw: Random, *, soft: bool, uses: bool = False) -> dict[str, str]:
    """A package, a module beside it, and ``t.py`` that imports of them.

    ``soft`` adds all that is dynamic, ``uses`` what evaluates names.
    """
    forms = PLAIN + (SOFT if soft else ()) + (USES if uses else ())
    tree = {}
    for path in MODULES:
        if path == "pkg/__init__.py" or draw.random() > 0.05:
            bound = [f"{name} = 0" for name in NAMES[:4] if draw.random() < 0.6]
            cut = draw.randrange(len(bound) + 1)
            body = [_statement(draw, forms) for _ in range(draw.randrange(4))]
            tree[path] = "\n".join([*bound[:cut], *body, *bound[cut:]]) + "\n"
    tree["t.py"] = "\n".join(_statement(draw, forms) for _ in range(3)) + "\n"
    return tree


def _statement(draw: Random, forms: tuple[str, ...]) -> str:
    targets = TARGETS + (WRONG if draw.random() < 0.15 else ())
    form = draw.choice(forms)
    relative = draw.choice((".", "..", ".a", ".sub", ".c", "..b"))
    return form.format(t=draw.choice(targets), n=draw.choice(NAMES), m=draw.choice(NAMES), r=relative)
