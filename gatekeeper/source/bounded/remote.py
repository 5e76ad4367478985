"""The files of a tree that another process holds: the worker's side, which asks for what it reads.

A question is a frame ``length`` newline ``kind side path``; the answer ``length`` newline bytes, length -1 for nothing.
What was asked is noted, because that is what the result depends on.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.files import DIRECTORY, FILE, LINK, Item

if TYPE_CHECKING:
    from typing import BinaryIO

    Entry = tuple[str, bool, str]
    Entries = dict[str, Entry]

LIST, READ, FOUND, END = b"L", b"R", b"F", b"E"
"""The kinds of frames that a worker sends: two questions, a part of the result, and its end."""


class Wire:
    """The two pipes of a worker."""

    def __init__(self, source: BinaryIO, answers: BinaryIO) -> None:
        self._source = source
        self._answers = answers

    def send(self, kind: bytes, payload: bytes) -> None:
        """One frame."""
        self._answers.write(b"%d\n%s" % (len(payload) + len(kind), kind))
        self._answers.write(payload)
        self._answers.flush()

    def receive(self) -> bytes | None:
        """One answer or task; None for nothing, and at the end of the pipe."""
        length = int(self._source.readline() or b"-1")
        return None if length < 0 else self._source.read(length)

    def ask(self, kind: bytes, side: int, path: str) -> bytes | None:
        """The answer to one question."""
        self.send(kind, b"%d " % side + path.encode("utf-8", "surrogateescape"))
        return self.receive()


class RemoteFiles:
    """One tree of the asking process (:class:`gatekeeper.source.files.Files`).

    ``looked`` are the paths that were looked at, and ``listed`` the directories whose entries were, absent ones as
    well: while none of them changes, neither does what was made of them.
    """

    def __init__(self, wire: Wire, side: int, blobs: dict[str, bytes]) -> None:
        self._wire = wire
        self._side = side
        self._blobs = blobs
        self._directories: dict[str, Entries] = {}
        self.looked: set[str] = set()
        self.listed: set[str] = set()

    def is_protected(self, path: str) -> bool:
        """Whether what is at ``path`` judges the suite."""
        return self._entry(path)[1]

    def oid(self, path: str) -> str:
        """The object id of what is at ``path``, in hexadecimal digits; empty where nothing is."""
        return self._entry(path)[2]

    def kind(self, path: str) -> str | None:
        """See :class:`gatekeeper.source.files.Files`."""
        self.looked.add(path)
        return self._entry(path)[0] or None

    def read(self, path: str) -> bytes | None:
        """See :class:`gatekeeper.source.files.Files`."""
        self.looked.add(path)
        kind, _, oid = self._entry(path)
        if kind not in (FILE, LINK):
            return None
        if oid not in self._blobs:
            blob = self._wire.ask(READ, self._side, path)
            if blob is None:
                return None
            self._blobs[oid] = blob
        return self._blobs[oid]

    def list(self, path: str) -> tuple[Item, ...]:
        """See :class:`gatekeeper.source.files.Files`."""
        self.listed.add(path)
        return tuple(Item(name, entry[0]) for name, entry in sorted(self._entries(path).items()))

    def _entry(self, path: str) -> Entry:
        if not path:
            return DIRECTORY, False, ""
        above, _, name = path.rpartition("/")
        return self._entries(above).get(name, ("", False, ""))

    def _entries(self, path: str) -> Entries:
        found = self._directories.get(path)
        if found is None:
            found = {}
            # what is in a directory that is not there needs no question
            if self._entry(path)[0] == DIRECTORY:
                for line in (self._wire.ask(LIST, self._side, path) or b"").split(b"\0")[:-1]:
                    kind, protected, oid, name = line.split(b" ", 3)
                    found[name.decode("utf-8", "surrogateescape")] = (
                        kind.decode("ascii"),
                        protected == b"1",
                        oid.decode("ascii"),
                    )
            self._directories[path] = found
        return found
