"""Which files of a tree are modules, and what each is called."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_SUFFIXES = (".pyi", ".py")


class Source(NamedTuple):
    """A file that is a module."""

    path: str
    module: str
    is_package: bool
    stub: bool


def sources(paths: Iterable[str], roots: Sequence[str]) -> Iterator[Source]:
    """Every module among the paths, in the order of the paths' text.

    A directory without ``__init__.py`` is a package too (PEP 420); ``pkg-stubs/`` holds the stubs of ``pkg``. A part
    that is no identifier stays as it is: ``importlib`` imports ``0001_initial`` all the same.

    Args:
        paths: ``/`` between the parts, from the top of the tree.
        roots: directories that stand on ``sys.path``, ``""`` for the top.
    """
    for path in sorted(paths):
        parts = _below(path, roots)
        if parts is None:
            continue
        suffix = next((word for word in _SUFFIXES if parts[-1].endswith(word)), None)
        if suffix is None or len(parts[-1]) == len(suffix):
            continue
        parts[-1] = parts[-1][: -len(suffix)]
        if parts[0].endswith("-stubs") and suffix == ".pyi":
            parts[0] = parts[0].removesuffix("-stubs")
        is_package = parts[-1] == "__init__" and len(parts) > 1
        if is_package:
            parts.pop()
        # A dot in a file name would read as another module's path.
        yield Source(path, ".".join(part.replace(".", "\u2024") for part in parts), is_package, suffix == ".pyi")


def dotted(path: str, roots: Sequence[str]) -> str:
    """The dotted path that a file or link would have as a module, its suffix aside."""
    parts = _below(path, roots) or path.split("/")
    last = next((parts[-1].removesuffix(word) for word in _SUFFIXES if parts[-1].endswith(word)), parts[-1])
    return ".".join(part.replace(".", "\u2024") for part in (*parts[:-1], last))


def typed_packages(paths: Iterable[str], roots: Sequence[str]) -> Iterator[tuple[str, str]]:
    """``(path, package)`` for every ``py.typed``."""
    for path in sorted(paths):
        parts = _below(path, roots)
        if parts is not None and len(parts) > 1 and parts[-1] == "py.typed":
            yield path, ".".join(parts[:-1]).removesuffix("-stubs")


def is_partial(data: bytes) -> bool:
    """Whether a ``py.typed`` says that the stubs are partial (PEP 561)."""
    return data.strip() == b"partial"


def _below(path: str, roots: Sequence[str]) -> list[str] | None:
    """The parts of a path below the longest root that holds it."""
    for root in sorted(roots, key=len, reverse=True):
        prefix = root.strip("/") + "/" if root.strip("/") else ""
        if path.startswith(prefix):
            return path[len(prefix) :].split("/")
    return None
