"""Which file a module name stands for, when two files would be called the same.

Without packages every test file of the mode ``prepend`` is a top-level module: the second file of one name cannot be
imported (``import file mismatch``). A package that exists twice is imported from where it is met first.
"""

from __future__ import annotations

import sys

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.imports import UNTAKEN
from gatekeeper.source.collection.modulenames import in_checkout, module_name, named

if TYPE_CHECKING:
    from gatekeeper.source.collection.config import Config
    from gatekeeper.source.collection.modulenames import Named
    from gatekeeper.source.collection.tree import Tree


class Claims:
    """Names in the order in which files claim them."""

    def __init__(self, tree: Tree, config: Config) -> None:
        self._tree = tree
        self._config = config
        self._owners: dict[str, str] = {}
        self._tops: dict[str, str] = {}

    def claim(self, path: str) -> tuple[str, str] | str:
        """The file whose module pytest takes for ``path`` and its name, or why the import fails."""
        mode = self._config.import_mode
        if mode == "importlib":
            name = module_name(self._tree, path, mode, self._config.rootdir, self._config.version)
            # A name that is taken gives the module that has it: the tests of the first file, twice.
            return self._owners.setdefault(name, path), name
        found = named(self._tree, path)
        refusal = _refusal(path, found)
        if refusal is not None:
            return refusal
        if in_checkout(self._tree, path):
            # The package is called as the directory of the checkout: it is one, whatever that is.
            return path, found.name
        if found.packaged:
            return self._packaged(path, found.name, found.root)
        owner = self._owners.setdefault(found.name, path)
        if self._tree.real(owner) != self._tree.real(path):
            return f"import file mismatch: {found.name} is {owner} already, and neither is in a package"
        return owner, found.name

    def _packaged(self, path: str, name: str, root: str) -> tuple[str, str] | str:
        top = name.partition(".")[0]
        first = self._tops.setdefault(top, root)
        if self._tree.real(_join(first, top)) != self._tree.real(_join(root, top)):
            return f"the package {top} is that of {_join(first, top)} already: {name} cannot be imported from here"
        return self._owners.setdefault(name, path), name


def _refusal(path: str, found: Named) -> str | None:
    """Why no file of this name can be imported by it."""
    stem = path.rpartition("/")[2].removesuffix(".py")
    if "." in stem:
        return f"{stem} is no name of a module: it would be one inside {stem.partition('.')[0]}"
    if not found.packaged and found.name in sys.stdlib_module_names and found.name not in UNTAKEN:
        return f"import file mismatch: {found.name} is a module of the standard library"
    return None


def _join(directory: str, name: str) -> str:
    return f"{directory}/{name}" if directory else name
