"""A tree as a checkout of it shows itself: symbolic links followed, as the kernel does, and their paths kept.

A link that leads out of the tree, and anything below a gitlink, cannot be seen from here: its kind is ``OUTSIDE``.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.files import DIRECTORY, FILE, LINK, OTHER, Item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.files import Files

OUTSIDE = "outside"
HOPS = 40
"""Links that one path may pass through: the forty-first is ELOOP, which is how pytest's walk of a loop ends."""


class Place(NamedTuple):
    """Where a path leads: the path without links, the links passed on the way, the kind of what is there."""

    real: str
    hops: int
    kind: str


_TOP = Place("", 0, DIRECTORY)
_AWAY = Place("", 0, OUTSIDE)


class Tree:
    """Follows links over :class:`~gatekeeper.source.files.Files`; every answer is remembered."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self._places: dict[str, Place | None] = {"": _TOP}
        self._listed: dict[str, tuple[Item, ...]] = {}

    def follow(self, path: str) -> Place | None:
        """Where ``path`` leads, or None where nothing is (a broken link, a loop)."""
        if path in self._places:
            return self._places[path]
        known, rest = path, []
        while known not in self._places:
            known, _, name = known.rpartition("/")
            rest.append(name)
        place = self._places[known]
        while rest:
            name = rest.pop()
            known = f"{known}/{name}" if known else name
            place = place and self._step(place, name)
            self._places[known] = place
        return place

    def _step(self, above: Place, name: str) -> Place | None:
        """Where ``name`` in the place ``above`` leads."""
        place, pending = above, [name]
        while pending:
            part = pending.pop()
            if part in {"", "."}:
                continue
            if place.kind != DIRECTORY:
                return _AWAY if place.kind in {OTHER, OUTSIDE} else None
            following = self._link(place, part, pending) or self._plain(place, part)
            if following is None or following.kind == OUTSIDE:
                return following
            place = following
        return place

    def _plain(self, above: Place, part: str) -> Place | None:
        """Where a name that is no link leads from the directory ``above``."""
        if part == "..":
            return above._replace(real=above.real.rpartition("/")[0]) if above.real else _AWAY
        here = f"{above.real}/{part}" if above.real else part
        kind = self.files.kind(here)
        return Place(here, above.hops, kind) if kind is not None and kind != LINK else None

    def _link(self, above: Place, part: str, pending: list[str]) -> Place | None:
        """Where a link stays for now, its target put before what is ``pending``; None for what is no link."""
        here = f"{above.real}/{part}" if above.real else part
        if part == ".." or self.files.kind(here) != LINK:
            return None
        target = (self.files.read(here) or b"").decode("utf-8", "surrogateescape")
        if not target or above.hops >= HOPS:
            return None
        if target.startswith("/"):
            return _AWAY
        pending.extend(reversed(target.split("/")))
        return above._replace(hops=above.hops + 1)

    def kind(self, path: str) -> str | None:
        """What ``path`` leads to: FILE, DIRECTORY, OTHER (a gitlink), OUTSIDE, or None."""
        place = self.follow(path)
        return place.kind if place else None

    def is_file(self, path: str) -> bool:
        """Whether a file of the tree is at the end of ``path``."""
        return self.kind(path) == FILE

    def is_directory(self, path: str) -> bool:
        """Whether a directory of the tree is at the end of ``path``."""
        return self.kind(path) == DIRECTORY

    def real(self, path: str) -> str:
        """``path`` without links; the path itself where nothing is."""
        place = self.follow(path)
        return place.real if place and place.kind in {FILE, DIRECTORY} else path

    def read(self, path: str) -> bytes | None:
        """The bytes of the file at the end of ``path``, or None."""
        place = self.follow(path)
        return self.files.read(place.real) if place and place.kind == FILE else None

    def entries(self, path: str) -> tuple[Item, ...]:
        """What the directory at the end of ``path`` holds, by name; links by what they lead to, broken ones not."""
        if path not in self._listed:
            self._listed[path] = tuple(self._entries(path))
        return self._listed[path]

    def _entries(self, path: str) -> Iterator[Item]:
        place = self.follow(path)
        if place is None or place.kind != DIRECTORY:
            return
        # Names compare as text for pytest, as bytes for git: these differ beyond the basic plane.
        for item in sorted(self.files.list(place.real)):
            kind: str | None = item.kind
            if kind == LINK:
                kind = self.kind(f"{path}/{item.name}" if path else item.name)
            if kind is not None:
                yield Item(item.name, kind)

    def list(self, path: str) -> tuple[Item, ...]:
        """See :class:`~gatekeeper.source.files.Files`."""
        return self.entries(path)
