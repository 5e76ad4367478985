"""What sources can make of one another ends as a refusal, or by the caller's deadline."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import gatekeeper
from gatekeeper.errors import LimitExceeded
from gatekeeper.source.link.hierarchy import _c3
from gatekeeper.source.surface import surface

SITE = Path(gatekeeper.__file__).parents[1]
COUNT = 200


def _ring(more: str) -> dict[str, str]:
    """Modules that all take in one another."""
    stars = "".join(f"from m{number} import *\n" for number in range(COUNT))
    return {f"m{number}.py": stars + more.replace("#", str(number)) for number in range(COUNT)}


LISTED = "__all__ = [" + ",".join(f"'a{number}'" for number in range(20_000)) + "]\n"
TREES = {
    "wildcards": _ring("".join(f"x#_{name} = 1\n" for name in range(COUNT))),
    "wildcards and __all__": _ring("__all__ = [" + ",".join(f"'n{name}'" for name in range(2 * COUNT)) + "]\n"),
    "names that wildcards may bind": _ring("def f(a: " + " | ".join(f"u#_{name}" for name in range(300)) + "): ...\n"),
    "a long list taken in": {"m.py": LISTED} | {f"n{n}.py": "from m import *\n" for n in range(COUNT)},
    "a long list taken over": {"m.py": LISTED} | {f"n{n}.py": "import m\n__all__ = m.__all__\n" for n in range(COUNT)},
    "a chain of classes": {
        "m.py": "class C0: ...\n" + "".join(f"class C{n + 1}(C{n}): ...\n" for n in range(20_000)),
    },
    "two chains of classes": {
        "m.py": "class A0: ...\nclass B0: ...\n"
        + "".join(f"class A{n + 1}(A{n}, B{n}): ...\nclass B{n + 1}(B{n}): ...\n" for n in range(8_000)),
    },
    "classes of many bases": {
        "m.py": "".join(f"class B{n}: ...\n" for n in range(120))
        + "".join(f"class C{n}({', '.join(f'B{base}' for base in range(120))}): ...\n" for n in range(1_600)),
    },
    "members of a private base": {
        "m.py": "class _B:\n"
        + "".join(f" def m{n}(self): ...\n" for n in range(3_000))
        + "".join(f"class C{n}(_B): ...\n" for n in range(3_000)),
    },
}


@pytest.mark.parametrize("name", TREES)
def test_what_multiplies_is_refused(name: str) -> None:
    with pytest.raises(LimitExceeded, match="rows"):
        surface({path: text.encode() for path, text in TREES[name].items()})


def test_chains_of_wildcards_cost_each_module_once() -> None:
    """Quadratic in the modules: this one is allowed, and was minutes when every module was searched anew."""
    tree = {
        f"m{n}.py": f"from m{n + 1} import *\n" + "".join(f"from m{n + 1} import x{k} as y{k}\n" for k in range(COUNT))
        for n in range(COUNT)
    }
    assert {row.kind for row in surface({path: text.encode() for path, text in tree.items()})} >= {"module"}


DEADLINE = """
import sys
sys.path.insert(0, sys.argv[1])
from gatekeeper.entry import limits
from gatekeeper.errors import DeadlineExceeded
from gatekeeper.source.facts.module import facts
from gatekeeper.source.link.whole import link
from gatekeeper.source.modules import sources
from gatekeeper.source.link.tree import Module

blobs = {{}}
for number in range(150):
    stars = "".join(f"from m{{other}} import *\\n" for other in range(150))
    blobs[f"m{{number}}.py"] = (stars + "".join(f"x{{number}}_{{name}} = 1\\n" for name in range(150))).encode()
read = [
    (source, facts(source.module, source.is_package, source.stub, blobs[source.path]))
    for source in sources(blobs, [""])
]
limits.arm(1)
try:
    link([Module(source, lambda found=found: found) for source, found in read], max_rows=10**9)
except DeadlineExceeded:
    import gc
    sys.exit(0 if gc.isenabled() else 4)
sys.exit(5)
"""


def test_linking_ends_at_the_deadline_of_its_caller() -> None:
    """Without a bound on rows, only the clock can end it; and the collector of cycles is as it was."""
    code = DEADLINE.format()
    assert subprocess.run([sys.executable, "-I", "-c", code, str(SITE)], check=False).returncode == 0


@pytest.mark.parametrize(
    ("lines", "merged"),
    [
        ([["A", "o"], ["B", "o"], ["A", "B"]], ["A", "B", "o"]),
        ([["A", "B"], ["B", "A"], ["A", "B"]], None),
        ([["X"], ["X"], ["X", "X"]], None),
        ([["C", "A", "o"], ["D", "A", "B", "o"], ["C", "D"]], ["C", "D", "A", "B", "o"]),
        ([[], []], []),
    ],
)
def test_linearisation(lines: list[list[str]], merged: list[str] | None) -> None:
    assert _c3(list(lines)) == merged  # type: ignore[arg-type]
