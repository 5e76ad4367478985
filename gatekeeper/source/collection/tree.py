"""A tree as a checkout of it shows itself: symbolic links followed, as the kernel does, and their paths kept.

A link that leads out of the tree, and anything below a gitlink, cannot be seen from here: its kind is ``OUTSIDE``.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.files import DIRECTORY, FILE, LINK, OTHER, Item

if TYPE_CHECKING:
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
        if above.kind in {OUTSIDE, OTHER}:
            return _AWAY
        real, hops, kind, pending = above.real, above.hops, above.kind, [name]
        while pending:
            part = pending.pop()
            if part in {"", "."}:
                continue
            if kind != DIRECTORY:
                return _AWAY if kind == OTHER else None
            if part == "..":
                if not real:
                    return _AWAY
                real = real.rpartition("/")[0]
                continue
            here = f"{real}/{part}" if real else part
            found = self.files.kind(here)
            if found is None:
                return None
            if found == LINK:
                hops += 1
                target = (self.files.read(here) or b"").decode("utf-8", "surrogateescape")
                if hops > HOPS or not target:
                    return None
                if target.startswith("/"):
                    return _AWAY
                pending.extend(reversed(target.split("/")))
                continue
            real, kind = here, found
        return Place(real, hops, kind)

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
        """What the directory at the end of ``path`` holds, by name, links by what they lead to; broken ones left out."""
        if path not in self._listed:
            self._listed[path] = tuple(self._entries(path))
        return self._listed[path]

    def _entries(self, path: str) -> list[Item]:
        place = self.follow(path)
        if place is None or place.kind != DIRECTORY:
            return []
        found = []
        for item in self.files.list(place.real):
            kind: str | None = item.kind
            if kind == LINK:
                kind = self.kind(f"{path}/{item.name}" if path else item.name)
            if kind is not None:
                found.append(Item(item.name, kind))
        # Names compare as text for pytest, as bytes for git: these differ beyond the basic plane.
        return sorted(found)
