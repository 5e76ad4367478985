"""Files that take the place of a library, or act by existing, because they stand where imports start."""

from __future__ import annotations

import ast
import sys
from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.depends import ACTING, NATIVE, TOOLS
from gatekeeper.source.facts.structure import structure_hash
from gatekeeper.source.files import DIRECTORY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gatekeeper.source.files import Files


def shadows(files: Files, roots: Iterable[str], judges: Callable[[str], bool]) -> tuple[tuple[str, str], ...]:
    """``(path, hash)`` of everything directly in ``roots`` that is found in place of a library.

    What is judged may be such a library itself: there it counts that the file is there, not what it says.

    Args:
        files: the tree.
        roots: directories that stand on ``sys.path``, the top of the tree and those of test files among them.
        judges: whether a path belongs to what judges.
    """
    names = TOOLS | sys.stdlib_module_names
    found = {path for root in roots for path in _in(files, root, names)}
    return tuple((path, _hash(files, path) if judges(path) else "") for path in sorted(found))


def _in(files: Files, root: str, names: frozenset[str]) -> Iterator[str]:
    prefix = root.strip("/") + "/" if root.strip("/") else ""
    for item in files.list(root.strip("/")):
        path = prefix + item.name
        if item.name.endswith(ACTING):
            yield path
        elif item.kind == DIRECTORY:
            # A directory without __init__.py gives way to what is installed.
            first = path + "/__init__.py"
            if item.name in names and files.kind(first) is not None:
                yield first
        elif item.name.endswith(NATIVE) or (item.name.endswith(".py") and item.name.partition(".")[0] in names):
            yield path


def _hash(files: Files, path: str) -> str:
    data = files.read(path)
    if data is None:
        return ""
    try:
        return structure_hash(ast.parse(data).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return sha256(data).hexdigest()
