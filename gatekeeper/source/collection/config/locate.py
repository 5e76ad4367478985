"""Finds rootdir and the configuration file, from where pytest is run and what it is given."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.config.errors import Refused
from gatekeeper.source.collection.config.files import load, names
from gatekeeper.source.collection.config.paths import common, parents, resolve

if TYPE_CHECKING:
    from gatekeeper.source.collection.config.files import Table
    from gatekeeper.source.collection.tree import Tree

LAST_RESORT = (8, 1)
"""Since then a ``pyproject.toml`` without a table makes its directory rootdir where nothing else does."""

ALL_READ = (9, 0)


class Located(NamedTuple):
    """rootdir, the file that counts (None where none does), what it says."""

    rootdir: str
    file: str | None
    table: Table


def locate(
    tree: Tree, cwd: str, args: list[str], *, file: str | None, rootdir: str | None, version: tuple[int, int]
) -> Located:
    """What ``-c`` (``file``) and ``--rootdir`` say, else what is found from ``args`` upwards.

    The top of the tree is the last directory that is looked at: above it nothing is known.
    """
    directories = _directories(tree, cwd, args)
    if file is not None:
        located = _given(tree, cwd, file, version)
    else:
        ancestor = common(directories) if directories else cwd
        located = _search(tree, [ancestor], version) or _fallback(tree, cwd, ancestor, directories, rootdir, version)
    if rootdir is not None:
        if "$" in rootdir:
            raise Refused(f"--rootdir={rootdir} depends on the environment")
        root = resolve(cwd, rootdir)
        if not tree.is_directory(root):
            raise Refused(f"directory {rootdir!r} not found: check --rootdir")
        located = located._replace(rootdir=root)
    return located


def _directories(tree: Tree, cwd: str, args: list[str]) -> list[str]:
    """The directories that the arguments lie in, those that exist."""
    found = []
    for arg in args:
        path = resolve(cwd, arg.partition("::")[0])
        kind = tree.kind(path)
        if kind is not None:
            found.append(path if tree.is_directory(path) else path.rpartition("/")[0])
    return found


def _given(tree: Tree, cwd: str, file: str, version: tuple[int, int]) -> Located:
    path = resolve(cwd, file)
    if not tree.is_file(path):
        raise Refused(f"configuration file {file!r} not found: check -c")
    table = load(tree, path, version)
    if table is None and not path.endswith((".ini", ".cfg", ".toml")) and version >= (9, 2):
        raise Refused(f"configuration file {file!r} has an unsupported format", path)
    return Located(path.rpartition("/")[0], path, table or {})


def _search(tree: Tree, starts: list[str], version: tuple[int, int]) -> Located | None:
    """The first file that counts, upwards from each of ``starts``."""
    resort = None
    for start in starts:
        for base in (start, *parents(start)):
            for name in names(version):
                path = f"{base}/{name}" if base else name
                if not tree.is_file(path):
                    continue
                if name == "pyproject.toml" and resort is None:
                    resort = Located(base, path, {})
                table = load(tree, path, version)
                if table is not None:
                    _rest(tree, base, name, version)
                    return Located(base, path, table)
    return resort if version >= LAST_RESORT else None


def _rest(tree: Tree, base: str, name: str, version: tuple[int, int]) -> None:
    """Since 9.0 the weaker files beside the one that counts are read too: a broken one ends the run all the same."""
    if version >= ALL_READ:
        for other in names(version)[names(version).index(name) + 1 :]:
            path = f"{base}/{other}" if base else other
            if tree.is_file(path):
                load(tree, path, version)


def _fallback(
    tree: Tree, cwd: str, ancestor: str, directories: list[str], rootdir: str | None, version: tuple[int, int]
) -> Located:
    """No file counts above the common ancestor: ``setup.py``, files above each argument, or where it was run."""
    if rootdir is not None:
        return Located("", None, {})
    for base in (ancestor, *parents(ancestor)):
        if tree.is_file(f"{base}/setup.py" if base else "setup.py"):
            return Located(base, None, {})
    if directories != [ancestor]:
        located = _search(tree, directories, version)
        if located is not None:
            return located
    return Located(common([cwd, ancestor]), None, {})
