"""Where Python code that others import lies in a repository that does not say so: the import roots."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.model import TREE
from gatekeeper.policy import defaults
from gatekeeper.policy.fold import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.git.reader import Objects
    from gatekeeper.trust import TrustedTree


def import_roots(objects: Objects, tree: TrustedTree) -> Iterator[bytes]:
    """The writable set of a repository that names none, as pattern lines (facts: PyPA's src and flat layouts).

    ``src/**`` when the trusted tip has a ``src`` directory; else every top-level package (a directory with
    ``__init__.py``) and every top-level module, without tests, documentation, tooling and configuration.
    """
    entries = objects.tree(tree.oid)
    if any(entry.name == b"src" and entry.mode == TREE for entry in entries):
        yield b"src/**"
        return
    for entry in entries:
        key = fold(entry.name)
        if key.startswith(b".") or key in defaults.NOT_ROOTS or any(byte in b"*?[\\!# " for byte in entry.name):
            continue
        if entry.mode == TREE:
            if any(child.name in (b"__init__.py", b"__init__.pyi") for child in objects.tree(entry.oid)):
                yield entry.name + b"/**"
        elif entry.name.endswith((b".py", b".pyi")) and key not in defaults.NOT_MODULES:
            yield b"/" + entry.name
