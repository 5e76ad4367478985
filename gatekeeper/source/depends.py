"""On which paths of a tree a result depends, and whether a change touches them; kept in a form that is read at once."""

from __future__ import annotations

import sys

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.model import FILE
from gatekeeper.source.files import EVERY

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from gatekeeper.model import Change
    from gatekeeper.source.gitfiles import Tree

_KIND = 0o170000
_SLASH = 0x2F
_MARK = b"depends 1"


TOOLS = frozenset(
    (
        *("pytest", "_pytest", "py", "hypothesis", "_hypothesis_pytestplugin", "pluggy", "iniconfig", "packaging"),
        *("attr", "attrs", "sortedcontainers", "exceptiongroup", "tomli", "pygments", "colorama", "xdist"),
        *("pytest_cov", "coverage", "anyio", "pytest_asyncio", "pytest_mock", "pytest_timeout"),
        *("sitecustomize", "usercustomize", "site"),
    )
)
"""Modules that a suite runs on: what stands in place of one decides what is run."""
NATIVE = (".pyc", ".so", ".pyd")
"""What is found before, or without, a source of that name."""
ACTING = (".pth", ".dist-info", ".egg-info", ".egg-link")
"""What acts by existing."""


class Depends(NamedTuple):
    """The paths that were looked at, absent ones too, and the directories whose entries were.

    ``soft`` are those of the first that are sources of which only an outline counts.
    """

    looked: frozenset[bytes] = frozenset()
    listed: frozenset[bytes] = frozenset()
    soft: frozenset[bytes] = frozenset()

    def touched(self, changes: Iterable[Change], before: Tree, after: Tree) -> bool:
        """Whether one of these changes from one tree to another can make a difference."""
        return self.rewritten(changes, before, after) != ()

    def rewritten(self, changes: Iterable[Change], before: Tree, after: Tree) -> tuple[bytes, ...] | None:
        """The sources whose outline has to be compared; None where something else makes a difference already."""
        changes = list(changes)
        soft = [one for one in changes if one.path in self.soft and one.old_mode == one.new_mode]
        if self._hard([one for one in changes if one not in soft], before, after):
            return None
        return tuple(one.path for one in soft)

    def _hard(self, changes: Iterable[Change], before: Tree, after: Tree) -> bool:
        above = {path[:end] for path in self.looked for end in _slashes(path)}
        names = {path.rpartition(b"/")[2] for path in self.looked}
        for change in changes:
            path = change.path
            if path in self.looked or path in above:
                return True
            # what is merely rewritten leaves every listing what it was
            if change.old_mode & _KIND != change.new_mode & _KIND:
                without = after if change.new_mode == 0 else before
                there, *new = _directories(without, path)
                if not (self.looked | self.listed).isdisjoint(new):
                    return True
                if there in self.listed and (_shows(change, there, names) or _every(there) in self.looked):
                    return True
        return False

    def written(self) -> bytes:
        """These paths as bytes; no path holds a NUL."""
        counts = (b"%d" % len(self.looked), b"%d" % len(self.listed))
        return b"\0".join((_MARK, *counts, *sorted(self.looked), *sorted(self.listed), *sorted(self.soft)))


def parsed(data: bytes) -> Depends | None:
    """The inverse of :meth:`Depends.written`; None for another form."""
    mark, *paths = data.split(b"\0")
    if mark != _MARK:
        return None
    looked, listed = int(paths[0]), int(paths[1]) + int(paths[0])
    paths = paths[2:]
    return Depends(frozenset(paths[:looked]), frozenset(paths[looked:listed]), frozenset(paths[listed:]))


def _shows(change: Change, directory: bytes, names: Collection[bytes]) -> bool:
    """Whether a file that comes or goes below a listed directory can matter to a suite.

    It can by its name: as the twin of a file that was looked at, in place of a library, or where names act. A link may
    lead to anything.
    """
    if any(mode and mode & _KIND != FILE & _KIND for mode in (change.old_mode, change.new_mode)):
        return True
    parts = change.path[len(directory) :].strip(b"/").split(b"/")
    if parts[-1] in names or parts[-1].endswith(_NATIVE):
        return True
    stems = {part.partition(b".")[0].decode("utf-8", "surrogateescape") for part in parts}
    known = any(stem in TOOLS or stem in sys.stdlib_module_names for stem in stems)
    return known or any(part.endswith(_ACTING) for part in parts)


_NATIVE = tuple(suffix.encode("ascii") for suffix in NATIVE)
_ACTING = tuple(suffix.encode("ascii") for suffix in ACTING)


def _every(directory: bytes) -> bytes:
    """What was looked at where every name in a directory counts (:func:`gatekeeper.source.files.watch`)."""
    return directory + b"/" + EVERY.encode("ascii") if directory else EVERY.encode("ascii")


def _directories(tree: Tree, path: bytes) -> list[bytes]:
    """The deepest directory above a path that a tree has, which gains or loses an entry; then those that it lacks."""
    found = [b""]
    for end in _slashes(path):
        if len(found) == 1 and tree.entries(path[:end]):
            found = [path[:end]]
        else:
            found.append(path[:end])
    return found


def _slashes(path: bytes) -> Iterator[int]:
    return (place for place, byte in enumerate(path) if byte == _SLASH)
