"""What a file is called as a module, and which directory that puts on ``sys.path``."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.config.paths import beside

if TYPE_CHECKING:
    from gatekeeper.source.collection.tree import Tree

BY_PACKAGE = (8, 1)
"""Since then the importlib mode calls a file by the package it is in, where it is in one."""


class Named(NamedTuple):
    """A module's name, the directory that holds its top package, and whether it is in a package at all."""

    name: str
    root: str
    packaged: bool


def package_root(tree: Tree, path: str) -> str | None:
    """The outermost directory above the file ``path`` that is a package without a break, None where none is."""
    found, directory = None, path.rpartition("/")[0]
    while directory:
        name = directory.rpartition("/")[2]
        if not name.isidentifier() or not tree.is_file(f"{directory}/__init__.py"):
            break
        found, directory = directory, directory.rpartition("/")[0]
    return found


def in_checkout(tree: Tree, path: str) -> bool:
    """Whether the package of the file ``path`` goes up to the top of the tree, whose own name nobody knows."""
    if not tree.is_file("__init__.py"):
        return False
    package = package_root(tree, path)
    return "/" not in path if package is None else "/" not in package


def named(tree: Tree, path: str) -> Named:
    """The name under which the modes prepend and append import the file ``path``."""
    package = package_root(tree, path)
    stem = path.removesuffix(".py")
    if package is None:
        root, _, name = stem.rpartition("/")
        return Named(name, root, packaged=False)
    root = package.rpartition("/")[0]
    parts = (beside(stem, root) or stem).split("/")
    if parts[-1] == "__init__":
        parts.pop()
    return Named(".".join(parts), root, packaged=True)


def module_name(tree: Tree, path: str, mode: str, rootdir: str, version: tuple[int, int]) -> str:
    """``__name__`` of the file ``path`` in this import mode."""
    if mode != "importlib":
        return named(tree, path).name
    if version >= BY_PACKAGE:
        found = named(tree, path)
        if found.packaged:
            return found.name
    parts = (beside(path, rootdir) or path).removesuffix(".py").split("/")
    if len(parts) > 1 and parts[-1] == "__init__":
        parts.pop()
    if version >= BY_PACKAGE:
        parts = [part.replace(".", "_") for part in parts]
    return ".".join(parts)
