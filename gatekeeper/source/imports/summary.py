"""What importing one source does, as far as other modules can tell: the imports it makes and the names it may bind.

A summary is JSON and depends on the bytes of the source alone, so it may be kept under the oid of the blob and
:data:`gatekeeper.source.imports.form.FORM`. Its keys, absent where there is nothing to say:

``steps``
    The imports that run when the module does, in order: ``["import", line, flag, dotted]`` or
    ``["from", line, flag, level, module, [name, ...]]``; ``flag`` is ``ALWAYS``, or ``MAYBE`` under a condition, in a
    loop, or where a failure may be caught.
``lazy``
    The imports inside functions, in the same form.
``names``
    Every name that may be bound at the top level, with the number of steps before that can first happen.
``gone``
    Those of them that are surely deleted in the end.
``all``
    ``__all__`` where it can be read, False where it is there and cannot.
``open``
    True when names may appear that nothing here shows: ``globals()[...]``, ``exec``.
``fails``
    ``[line, why, number of steps before]`` of what surely ends the import: a ``raise``, or bytes that do not parse.
``uses``
    ``[line, name]`` of each name that the top level surely evaluates and nothing here binds; ``[line, name, attribute,
    origin]`` of what it surely takes from a name that one import alone binds (``origin``: ``module`` or
    ``module:name``).
``patches``, ``made``, ``wild``, ``ways``, ``loads``
    See :mod:`gatekeeper.source.imports.dynamic`.
"""

from __future__ import annotations

import ast
import sys

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.precheck import Unreadable, read_tree
from gatekeeper.source.imports.dynamic import dynamic
from gatekeeper.source.imports.toplevel import reading

if TYPE_CHECKING:
    from typing import Any

    Summary = dict[str, Any]
    Step = list[Any]

LAZY = (3, 14)
"""Since when annotations are only evaluated when somebody looks at them."""


def summarise_source(data: bytes, *, python: tuple[int, int] | None = None) -> Summary | None:
    """The summary of a source; None for one that this process cannot judge.

    Args:
        data: the bytes.
        python: the version that the project runs on. What does not parse here may be the syntax of a newer one.
    """
    try:
        return summarise(read_tree(data), data, lazy=python is None or python >= LAZY)
    except Unreadable as error:
        newer = python is not None and python > sys.version_info[:2]
        return {"names": {}, "fails": [1, "it does not parse", 0]} if error.reason == "syntax" and not newer else None
    except (RecursionError, MemoryError):
        return None


def summarise(tree: ast.Module, data: bytes, *, lazy: bool = True) -> Summary:
    """The summary of a parsed source; ``data`` are its bytes, ``lazy`` says that annotations are not evaluated."""
    reader = reading(tree, data, annotations=not lazy and not _is_deferred(tree))
    found = reader.summary()
    found.update(dynamic(tree, data, reader.imported, frozenset(reader.defined)))
    return {key: value for key, value in found.items() if value not in ([], {}, None) or key == "names"}


def _is_deferred(tree: ast.Module) -> bool:
    """Whether ``from __future__ import annotations`` stands in a source."""
    return any(
        isinstance(stmt, ast.ImportFrom)
        and stmt.module == "__future__"
        and any(item.name == "annotations" for item in stmt.names)
        for stmt in tree.body
    )
