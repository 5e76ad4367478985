"""Trees by trust: contracts and policy are read from a :class:`TrustedTree`, and only :func:`trust` makes one."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.errors import MissingObject
from gatekeeper.model import FILE

if TYPE_CHECKING:
    from gatekeeper.git.reader import Objects
    from gatekeeper.model import Entry, Oid


class _Tree:
    """Reads single paths of one tree; the two subclasses keep trust apart for the type checker."""

    def __init__(self, objects: Objects, oid: Oid) -> None:
        self._objects = objects
        self.oid = oid

    def entry(self, path: bytes) -> Entry | None:
        """The entry at ``path``, or None."""
        return self._objects.find(self.oid, path)

    def blob(self, path: bytes) -> bytes | None:
        """The bytes of a plain file at ``path``; None when there is no entry.

        Raises:
            MissingObject: the entry is a link, gitlink or directory: there is no file to read.
        """
        entry = self.entry(path)
        if entry is None:
            return None
        if entry.mode & 0o170000 != FILE & 0o170000:
            raise MissingObject(
                f"{path.decode('utf-8', 'backslashreplace')} is not a plain file", fix="restore it as a file"
            )
        return self._objects.blob(entry.oid)


class TrustedTree(_Tree):
    """A tree of the trusted ref: what contracts and policy are read from. Only :func:`trust` makes one."""


class PushedTree(_Tree):
    """A tree that somebody pushed: what is judged, never what judges."""


class Trusted(NamedTuple):
    """The trusted ref as the server holds it before the push."""

    ref: bytes
    commit: Oid
    tree: TrustedTree


def trust(objects: Objects, ref: bytes, oid: Oid) -> Trusted:
    """Read the trusted commit that a ref names; the one place where a tree becomes trusted."""
    commit = objects.commit(oid)
    return Trusted(ref, oid, TrustedTree(objects, commit.tree))
