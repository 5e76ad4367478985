"""What the property budget costs at the hook: ``python -m tests.bench.properties [--rounds N] [--cache DIR]``.

Twenty properties are named in the suite of pandas, and an agent pushes a change of one source of its library. The same
push goes to the same repository with and without the list of properties, the cache warm, in turn: the difference is
the property check.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.pushes import HOOKS, compare, ratio, show
from tests.bench.surface import edited, repository, spread, unpacked, warm

if TYPE_CHECKING:
    from tests.bench.pushes import Bench

PROPERTIES = 20
CONTRACT = "contracts/properties.toml"


def named(files: dict[str, bytes]) -> bytes:
    """A list of properties: the first plain test function of twenty modules, each from another directory."""
    rows = [f'[budget]\nmin_collected = {PROPERTIES}\nforbid_delete = true\n\n[collect]\nargs = ["pandas"]\n']
    for path in spread({path: text for path, text in files.items() if "/tests/" in path}, "pandas/", 10**6):
        name = path.rpartition("/")[2]
        functions = [line for line in files[path].decode().splitlines() if line.startswith("def test_")]
        if name.startswith("test_") and functions and len(rows) <= PROPERTIES:
            function = functions[0].removeprefix("def ").partition("(")[0]
            rows.append(
                f'[[property]]\nid = "p{len(rows)}"\nmodule = "{path}"\nnodeid = "{path}::{function}"\n',
            )
    return "\n".join(rows).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cache", type=Path, help="where downloads are kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        cache = options.cache or root / "cache"
        cache.mkdir(parents=True, exist_ok=True)
        place = unpacked(cache, "pandas", "2.2.3")
        files = {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*.py")}
        files["pyproject.toml"] = b"[tool.pytest.ini_options]\n"
        more = {CONTRACT: named(files)}
        policy = '[paths]\nwritable = ["pandas/**"]\n'
        benches = {
            "without": repository(root, "without", files, policy),
            "with": repository(root, "with", {**files, **more}, policy),
        }
        numbers = iter(range(10**6))
        source = "pandas/core/frame.py"

        def push(bench: Bench) -> float:
            return bench.push(edited(bench, files, [source], next(numbers)))

        for bench in benches.values():
            bench.hook(HOOKS["gate"])
            warm(bench)
        taken = compare({name: partial(push, bench) for name, bench in benches.items()}, options.rounds)
        show("one source of pandas", taken)
        more_ms = statistics.median(a - b for a, b in zip(taken["with"], taken["without"], strict=True)) * 1e3
        print(f"  with / without {ratio(taken, 'with', 'without'):.2f}   the property check {more_ms:.0f} ms")


if __name__ == "__main__":
    main()
