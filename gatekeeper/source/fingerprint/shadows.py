"""Files that take the place of a library, or act by existing, because they stand where imports start."""

from __future__ import annotations

import sys
from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.files import DIRECTORY
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gatekeeper.source.files import Files

TOOLS = words(
    "pytest _pytest py hypothesis _hypothesis_pytestplugin pluggy iniconfig packaging attr attrs "
    "sortedcontainers exceptiongroup tomli pygments colorama xdist pytest_cov coverage anyio "
    "pytest_asyncio pytest_mock pytest_timeout sitecustomize usercustomize site"
)
_NATIVE = (".pyc", ".so", ".pyd")
"""What is found before, or without, a source of that name."""
_ACTING = (".pth", ".dist-info", ".egg-info", ".egg-link")


def shadows(files: Files, roots: Iterable[str], needed: Iterable[str] = ()) -> tuple[tuple[str, str], ...]:
    """``(path, hash)`` of everything directly in ``roots`` that is found in place of a library.

    Args:
        files: the tree.
        roots: directories that stand on ``sys.path``, the top of the tree and those of test files among them.
        needed: more names that must come from elsewhere.
    """
    names = TOOLS | sys.stdlib_module_names | {name.partition(".")[0] for name in needed}
    return tuple(sorted({item for root in roots for item in _in(files, root, names)}))


def _in(files: Files, root: str, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    prefix = root.strip("/") + "/" if root.strip("/") else ""
    for item in files.list(root.strip("/")):
        path = prefix + item.name
        if item.name.endswith(_ACTING):
            yield path, "" if item.kind == DIRECTORY else _hash(files, path)
        elif item.kind == DIRECTORY:
            # A directory without __init__.py gives way to what is installed.
            first = path + "/__init__.py"
            if item.name in names and files.kind(first) is not None:
                yield first, _hash(files, first)
        elif item.name.endswith(_NATIVE) or (item.name.endswith(".py") and item.name.partition(".")[0] in names):
            yield path, _hash(files, path)


def _hash(files: Files, path: str) -> str:
    return sha256(files.read(path) or b"").hexdigest()
