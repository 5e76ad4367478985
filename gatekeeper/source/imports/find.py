"""Where Python would find a module of the tree: the import roots in order, packages, then the namespaces they share."""

from __future__ import annotations

import sys

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.files import DIRECTORY, FILE, LINK

if TYPE_CHECKING:
    from collections.abc import Callable, ItemsView, Sequence

    Kind = Callable[[str], str | None]

NATIVE = (".so", ".pyd")
"""How the names of compiled modules end."""


class Finder:
    """Finds modules by dotted name.

    What is found is a path: a package's ``__init__.py``, a module's file, ``DIR/`` for a namespace package, and
    :data:`OPAQUE` for what is there and no source (a link, a compiled module). None: nothing in the tree has that name.

    Args:
        kind: what is at a path (:meth:`gatekeeper.source.files.Files.kind`).
        roots: the directories on ``sys.path``, in order; "" for the top of the tree.
        names: the names in a directory, to see compiled modules (:func:`natives`); none are looked for by default.
    """

    def __init__(self, kind: Kind, roots: Sequence[str], names: Callable[[str], Sequence[str]] | None = None) -> None:
        self._kind = kind
        self._roots = [root.strip("/") for root in roots]
        self._names = names
        self._found: dict[str, str | None] = {}
        self._places: dict[str, list[str]] = {}

    def __call__(self, name: str) -> str | None:
        """The path of a module."""
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    def found(self) -> ItemsView[str, str | None]:
        """All that was looked for so far, and its path."""
        return self._found.items()

    def _find(self, name: str) -> str | None:
        above, _, last = name.rpartition(".")
        if not above:
            # the standard library's are in ``sys.modules``, or come first, before a tree is on ``sys.path``
            return None if last in sys.stdlib_module_names else self._among(name, last, self._roots)
        if self(above) is None:
            return None
        return self._among(name, last, self._places.get(above, []))

    def _among(self, name: str, last: str, directories: Sequence[str]) -> str | None:
        spaces = []
        for directory in directories:
            base = f"{directory}/{last}" if directory else last
            kind = self._kind(base)
            if kind == LINK or self._is_native(directory, last):
                return OPAQUE
            if kind == DIRECTORY:
                inside = self._kind(f"{base}/__init__.py")
                if inside is not None:
                    self._places[name] = [base]
                    return f"{base}/__init__.py" if inside == FILE else OPAQUE
                if self._is_native(base, "__init__"):
                    return OPAQUE
            found = self._kind(f"{base}.py")
            if found is not None:
                return f"{base}.py" if found == FILE else OPAQUE
            if kind == DIRECTORY:
                spaces.append(base)
        if not spaces:
            return None
        self._places[name] = spaces
        return spaces[0] + "/"

    def _is_native(self, directory: str, name: str) -> bool:
        if self._names is None:
            return False
        prefix = name + "."
        return any(one.startswith(prefix) and one.endswith(NATIVE) for one in self._names(directory))


OPAQUE = "?"
"""The path of what is there and is no source: anything can be in it."""


def is_package(path: str) -> bool:
    """Whether what a finder found is a package."""
    return path.endswith(("/__init__.py", "/")) or path == "__init__.py"
