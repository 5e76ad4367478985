"""The fingerprint of a property: a hash, in named parts, of all that decides what it does."""

from __future__ import annotations

from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.items import EXACT
from gatekeeper.source.files import FILE
from gatekeeper.source.fingerprint.anatomy import PARTS, Anatomy, Anchor
from gatekeeper.source.fingerprint.effects import Effects
from gatekeeper.source.fingerprint.follow import Library
from gatekeeper.source.fingerprint.place import Place
from gatekeeper.source.fingerprint.shadows import shadows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gatekeeper.source.collection.session import Session
    from gatekeeper.source.collection.target import Target
    from gatekeeper.source.files import Files

    Judges = Callable[[str], bool]
    """Whether a path belongs to what judges; what is judged itself is known by its names only."""

VERSION = 1
_TESTS = ("test", "tests", "testing")


class Fingerprint(NamedTuple):
    """Part name to hash, and the hash of all parts together."""

    parts: Mapping[str, str]
    digest: str


def judging(files: Files) -> Judges:
    """What judges where nobody says so: everything but the sources under ``src``, or the packages at the top.

    Tests, conftest files and what stands in a directory of tests judge wherever they are.
    """
    names = {item.name for item in files.list("")}
    if "src" in names:
        roots = {"src"}
    else:
        packages = (name for name in names if files.kind(name + "/__init__.py") is not None)
        roots = {name for name in packages if not name.startswith(_TESTS)}

    def judges(path: str) -> bool:
        parts = path.split("/")
        last = parts[-1]
        if last == "conftest.py" or last.startswith("test_") or last.endswith("_test.py"):
            return True
        return parts[0] not in roots or any(part in _TESTS for part in parts[:-1])

    return judges


def whole(parts: Mapping[str, str]) -> str:
    """One hash of all parts; ``parameters`` is left out, since the decorators say it already."""
    digest = sha256(b"gatekeeper-property-%d" % VERSION)
    for part in PARTS:
        digest.update(f"{part}={parts.get(part, '')}\n".encode())
    return digest.hexdigest()


class Prints:
    """The properties of one session, whose sources are read once.

    Args:
        session: the collection.
        judges: whether a path belongs to what judges; by default :func:`judging` says it.
    """

    def __init__(self, session: Session, judges: Judges | None = None) -> None:
        self.session = session
        self.place = Place(session)
        self.judges = judges or judging(self.place)
        self.library = Library(self.place, self.place.search, self.judges, self.place.parse)
        self.effects = Effects(self.library)
        self._in_place: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}
        self._anatomies: dict[str, Anatomy | None] = {}

    def anatomy(self, nodeid: str) -> Anatomy | None:
        """All that decides what the property does, None where it is not collected."""
        if nodeid not in self._anatomies:
            target = self.session.target(nodeid)
            self._anatomies[nodeid] = None if target is None else self._made(nodeid, target)
        return self._anatomies[nodeid]

    def fingerprint(self, nodeid: str) -> Fingerprint | None:
        """The hash of the property, None where it is not collected."""
        anatomy = self.anatomy(nodeid)
        if anatomy is None:
            return None
        parts = anatomy.parts()
        return Fingerprint(parts, whole(parts))

    def remains(self, nodeid: str, was: Anatomy) -> Anatomy | None:
        """What is left where a property that is not collected any more was: None where its file is gone."""
        if self.place.kind(was.anchor.path) != FILE or not self.place.known:
            return None
        around = self.place.around(was.anchor.path)
        anchor = Anchor(
            was.anchor.path,
            was.anchor.module,
            names_of(nodeid),
            conftests=around.conftests,
            plugins=around.plugins,
            others=around.others,
            config=around.config,
            config_path=around.config_path,
            ids=was.anchor.ids,
            shadows=self._shadows(around.roots),
        )
        return Anatomy(self.library, anchor, self.effects)

    def _shadows(self, roots: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        if roots not in self._in_place:
            self._in_place[roots] = shadows(self.place, roots, self.judges)
        return self._in_place[roots]

    def _made(self, nodeid: str, target: Target) -> Anatomy:
        module = target.module
        for one in (module, *target.conftests, *target.plugins):
            self.library.page(one.path, one.name, one.tree)
        around = self.place.around(module.path)
        anchor = Anchor(
            module.path,
            module.name,
            names_of(nodeid),
            conftests=tuple((one.path, one.name) for one in target.conftests),
            plugins=tuple((one.path, one.name) for one in target.plugins),
            others=around.others,
            config=around.config,
            config_path=around.config_path,
            ids=target.found.ids if target.found.verdict == EXACT else None,
            shadows=self._shadows(around.roots),
        )
        return Anatomy(self.library, anchor, self.effects)


def fingerprint(session: Session, nodeid: str, judges: Judges | None = None) -> Fingerprint | None:
    """The hash of one property, None where it is not collected; for several make :class:`Prints` once."""
    return Prints(session, judges).fingerprint(nodeid)


def names_of(nodeid: str) -> tuple[str, ...]:
    """The classes and the function that a nodeid names: what follows the first ``[`` is parameters."""
    return tuple(nodeid.partition("::")[2].partition("[")[0].split("::"))
