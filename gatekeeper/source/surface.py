"""The public surface of a tree of Python files: paths and bytes in, rows out.

The convenience of tests and of the worker: it parses in this process. Pushed bytes go through
:mod:`gatekeeper.source.bounded.reader`.
"""

from __future__ import annotations

from functools import partial

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.module import facts
from gatekeeper.source.link.tree import Module
from gatekeeper.source.link.whole import link
from gatekeeper.source.modules import is_partial, sources, typed_packages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gatekeeper.source.rows import Row


def surface(files: Mapping[str, bytes], roots: Sequence[str] = ("",), *, reexport: str = "package") -> tuple[Row, ...]:
    """The rows of the modules found under the import roots.

    Args:
        files: path to bytes, ``/`` between the parts.
        roots: the directories that stand on ``sys.path``: ``""`` for the top of the tree, or ``"src"``.
        reexport: see :func:`gatekeeper.source.link.whole.link`.
    """
    modules = [
        Module(source, partial(facts, source.module, source.is_package, source.stub, files[source.path]))
        for source in sources(files, roots)
    ]
    typed = {package: is_partial(files[path]) for path, package in typed_packages(files, roots)}
    return link(modules, typed=typed, reexport=reexport)
