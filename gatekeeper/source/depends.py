"""On which paths of a tree a result depends, and whether a change touches them; kept in a form that is read at once."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gatekeeper.model import Change
    from gatekeeper.source.gitfiles import Tree

_KIND = 0o170000
_SLASH = 0x2F
_MARK = b"depends 1"


class Depends(NamedTuple):
    """The paths that were looked at, absent ones too, and the directories whose entries were."""

    looked: frozenset[bytes] = frozenset()
    listed: frozenset[bytes] = frozenset()

    def touched(self, changes: Iterable[Change], before: Tree, after: Tree) -> bool:
        """Whether one of these changes from one tree to another can make a difference."""
        above = {path[:end] for path in self.looked for end in _slashes(path)}
        for change in changes:
            path = change.path
            if path in self.looked or path in above:
                return True
            # what is merely rewritten leaves every listing what it was
            if change.old_mode & _KIND != change.new_mode & _KIND:
                without = after if change.new_mode == 0 else before
                there, *new = _directories(without, path)
                if there in self.listed or not (self.looked | self.listed).isdisjoint(new):
                    return True
        return False

    def written(self) -> bytes:
        """These paths as bytes; no path holds a NUL."""
        return b"\0".join((_MARK, b"%d" % len(self.looked), *sorted(self.looked), *sorted(self.listed)))


def parsed(data: bytes) -> Depends | None:
    """The inverse of :meth:`Depends.written`; None for another form."""
    mark, *paths = data.split(b"\0")
    if mark != _MARK:
        return None
    number = int(paths.pop(0))
    return Depends(frozenset(paths[:number]), frozenset(paths[number:]))


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
