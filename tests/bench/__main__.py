"""All figures of the README's speed claims, in one run: ``python -m tests.bench [--rounds N] [--quick]``."""

from __future__ import annotations

import argparse
import tempfile
from functools import partial
from pathlib import Path

from tests.bench.corpus import build, members, release, times
from tests.bench.pushes import HOOKS, Bench, compare, git, peak_memory, ratio, show

REFS = (10, 1_000, 50_000)
COMMITS = (1, 100, 1_000)


def make(root: Path, name: str, files: dict[str, bytes], factor: int) -> Bench:
    bare = root / f"{name}.git"
    bench = Bench(bare, root / f"{name}-work.git", build(bare, times(files, factor)))
    # the write-block alone: what the public API costs is measured in tests.bench.surface
    rules = "".join(f'{code} = "off"\n' for code in ("GK301", "GK302", "GK303", "GK304", "GK305"))
    with (bare / "gatekeeper/policy.toml").open("a") as file:
        file.write(f"[severity.agent]\n{rules}")
    return bench


def five_files(files: dict[str, bytes]) -> list[str]:
    """Five source files in different directories."""
    by_folder = {
        path.rpartition("/")[0]: path for path in sorted(files) if path.startswith("src/") and path.endswith(".py")
    }
    return list(by_folder.values())[:5]


def hooks(bench: Bench, paths: list[str], rounds: int) -> None:
    """The gate against hooks that do nothing."""

    def run(text: str | None) -> float:
        bench.hook(text)
        return bench.push(bench.patch(paths))

    taken = compare({name: partial(run, text) for name, text in HOOKS.items()}, rounds)
    show("five-file patch", taken)
    for other in ("pygit2", "empty", "no hook"):
        print(f"  gate / {other:<8} {ratio(taken, 'gate', other):.2f}")


def sizes(benches: dict[str, Bench], paths: list[str], rounds: int) -> None:
    """The same patch on the same repository, ten and fifty times as large."""

    def run(bench: Bench) -> float:
        bench.hook(HOOKS["gate"])
        return bench.push(bench.patch(paths))

    taken = compare({name: partial(run, bench) for name, bench in benches.items()}, rounds)
    show("repository size", taken)
    for name in list(benches)[1:]:
        print(f"  {name} / 1x  {ratio(taken, name, '1x'):.2f}")


def commits(bench: Bench, paths: list[str], rounds: int) -> None:
    """Pushes of one, a hundred and a thousand new commits, with and without the gate."""

    def run(hook: str, count: int) -> float:
        bench.hook(HOOKS[hook])
        return bench.push(bench.patch(paths[:1], count))

    for count in COMMITS:
        runs = {name: partial(run, name, count) for name in ("no hook", "gate")}
        taken = compare(runs, rounds)
        show(f"{count} new commits", taken)
        extra = [gate - bare for gate, bare in zip(taken["gate"], taken["no hook"], strict=True)]
        print(f"  gate's own part: {sorted(extra)[len(extra) // 2] * 1e3:.1f} ms")


def refs(root: Path, files: dict[str, bytes], paths: list[str], rounds: int) -> None:
    """The same push where the server has ten, a thousand and fifty thousand refs."""
    benches = {}
    for count in REFS:
        bench = make(root, f"refs{count}", files, 1)
        git(
            bench.bare,
            "update-ref",
            "--stdin",
            stdin="".join(f"create refs/heads/n{n} {bench.base}\n" for n in range(count)).encode(),
        )
        git(bench.bare, "pack-refs", "--all")
        benches[count] = bench

    def run(hook: str, bench: Bench) -> float:
        bench.hook(HOOKS[hook])
        return bench.push(bench.patch(paths))

    for count, bench in benches.items():
        runs = {name: partial(run, name, bench) for name in ("no hook", "gate")}
        taken = compare(runs, rounds)
        show(f"{count} refs", taken)
        extra = [gate - bare for gate, bare in zip(taken["gate"], taken["no hook"], strict=True)]
        print(f"  gate's own part: {sorted(extra)[len(extra) // 2] * 1e3:.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--quick", action="store_true", help="only the comparison of hooks")
    parser.add_argument("--cache", type=Path, help="where the downloaded release is kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        cache = options.cache or root
        files = dict(members(release(cache)))
        print(f"{len(files)} files")
        paths = five_files(files)
        one = make(root, "1x", files, 1)
        hooks(one, paths, options.rounds)
        head = one.patch(paths)
        git(one.work, "push", "--quiet", str(one.bare), f"{head}:refs/heads/agent/memory-objects")
        print(f"peak memory of the gate: {peak_memory(one.bare, head)} MiB")
        if options.quick:
            return
        sizes(
            {"1x": one, "10x": make(root, "10x", files, 10), "50x": make(root, "50x", files, 50)}, paths, options.rounds
        )
        commits(one, paths, max(5, options.rounds // 3))
        refs(root, files, paths, max(5, options.rounds // 3))


if __name__ == "__main__":
    main()
