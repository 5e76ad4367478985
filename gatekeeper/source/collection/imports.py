"""Where ``import NAME`` in a module of the tree finds NAME, as far as the tree can say.

What is on ``sys.path``: the directory that pytest puts there for the importing file, those of the conftest.py files
above it, ``pythonpath``, and what the project's installation is taken to make importable: packages and modules at the
top of the tree and of rootdir, below ``src`` or ``lib``, and below the directories that hold packages in a
repository of several. The directory from which Python is run is not assumed.
"""

from __future__ import annotations

import sys

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.config.errors import Refused
from gatekeeper.source.collection.config.paths import parents, resolve
from gatekeeper.source.collection.modulenames import named
from gatekeeper.source.files import DIRECTORY

if TYPE_CHECKING:
    from gatekeeper.source.collection.config import Config
    from gatekeeper.source.collection.tree import Tree
    from gatekeeper.source.evaluate.values import Module

LAYOUTS = ("src", "lib", "python")
"""Directories that are known to hold the packages of a project."""
GROUPS = ("packages", "libs", "projects", "components")
"""Directories of which each entry is known to be a project of its own."""
LOADED = frozenset({"pytest", "_pytest", "pluggy"})
"""What runs before any test file is imported: nothing that a test directory holds can take its place."""
UNTAKEN = frozenset({"test", "this", "antigravity", "idlelib", "turtledemo", "lib2to3", "pydoc_data"})
"""Modules of the standard library that nobody has imported by then."""


class Imports:
    """``sys.path`` for every file of one session."""

    def __init__(self, tree: Tree, config: Config) -> None:
        self._tree = tree
        self._config = config
        self._mode = config.import_mode
        self._found: dict[tuple[str, str], str | None] = {}
        self._paths: dict[str, tuple[str, ...]] = {}
        self._installed = tuple(self._layouts())

    def search(self, name: str, importer: Module | None) -> str | None:
        """The file of the module or package ``name``, None where the tree has none."""
        return self.find(name, importer.path if importer is not None else None)

    def find(self, name: str, importer: str | None) -> str | None:
        """The same, with the importing source given by its path."""
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names and top not in UNTAKEN:
            return None
        for root in self._installed if top in LOADED else self.roots(importer):
            found = self._in(root, name)
            if found is not None:
                return found
        return None

    def roots(self, importer: str | None) -> tuple[str, ...]:
        """``sys.path`` for a source, as far as it is in the tree; for the session where none is given."""
        directory = importer.rpartition("/")[0] if importer is not None else self._config.rootdir
        if directory not in self._paths:
            own: list[str] = []
            if self._mode != "importlib":
                if importer is not None:
                    own.append(named(self._tree, importer).root)
                for above in (directory, *parents(directory)):
                    conftest = f"{above}/conftest.py" if above else "conftest.py"
                    if self._tree.is_file(conftest):
                        own.append(named(self._tree, conftest).root)
            fixed = [*self._pythonpath(), *self._installed]
            order = [*fixed, *own] if self._mode == "append" else [*own, *fixed]
            self._paths[directory] = tuple(dict.fromkeys(order))
        return self._paths[directory]

    def _pythonpath(self) -> list[str]:
        found = []
        for word in self._config.words("pythonpath"):
            try:
                found.append(resolve(self._config.base, word))
            except Refused:  # a directory outside of the tree: nothing of it can be read
                continue
        return found

    def _layouts(self) -> list[str]:
        tops = dict.fromkeys((self._config.rootdir, ""))
        found = [f"{top}/{name}" if top else name for top in tops for name in LAYOUTS]
        groups = [f"{top}/{name}" if top else name for top in tops for name in GROUPS]
        for group in groups:
            for item in self._tree.entries(group):
                if item.kind == DIRECTORY:
                    found += [f"{group}/{item.name}/src", f"{group}/{item.name}"]
        return [path for path in (*tops, *found) if self._tree.is_directory(path)]

    def _in(self, root: str, name: str) -> str | None:
        """The file of ``name`` below ``root``: a package before a module, a namespace package only on the way."""
        if (root, name) not in self._found:
            self._found[root, name] = self._look(root, name)
        return self._found[root, name]

    def _look(self, root: str, name: str) -> str | None:
        parts, directory = name.split("."), root
        for index, part in enumerate(parts):
            path = f"{directory}/{part}" if directory else part
            if self._tree.is_file(f"{path}/__init__.py"):
                if index == len(parts) - 1:
                    return f"{path}/__init__.py"
            elif self._tree.is_file(f"{path}.py"):
                return f"{path}.py" if index == len(parts) - 1 else None
            elif not self._tree.is_directory(path):
                return None
            directory = path
        return None
