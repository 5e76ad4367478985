"""The fingerprint of a property: a hash, in named parts, of all that decides what it does."""

from __future__ import annotations

from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.fingerprint.anatomy import PARTS, Anatomy, Anchor
from gatekeeper.source.fingerprint.follow import Library
from gatekeeper.source.fingerprint.settings import effective
from gatekeeper.source.fingerprint.shadows import shadows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

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
    """The properties of one tree, whose sources are read once.

    Args:
        files: the tree.
        target: gives what pytest would run under a nodeid, None where that is not collected.
        search: the file that a dotted name means for the source at a path.
        judges: whether a path belongs to what judges.
        roots: directories that stand on ``sys.path``.
        config_path: the configuration file that counts.
    """

    def __init__(
        self,
        files: Files,
        target: Callable[[str], Target | None],
        search: Callable[[str, str], str | None],
        judges: Judges | None = None,
        roots: Iterable[str] = ("",),
        config_path: str = "",
    ) -> None:
        self.files = files
        self.judges = judges or judging(files)
        self.library = Library(files, search, self.judges)
        self._target = target
        self._roots = tuple(roots)
        self._config_path = config_path
        self._anatomies: dict[str, Anatomy | None] = {}

    def anatomy(self, nodeid: str) -> Anatomy | None:
        """All that decides what the property does, None where it is not collected."""
        if nodeid not in self._anatomies:
            target = self._target(nodeid)
            self._anatomies[nodeid] = None if target is None else Anatomy(self.library, self._anchor(target, nodeid))
        return self._anatomies[nodeid]

    def fingerprint(self, nodeid: str) -> Fingerprint | None:
        """The hash of the property, None where it is not collected."""
        anatomy = self.anatomy(nodeid)
        if anatomy is None:
            return None
        parts = anatomy.parts()
        return Fingerprint(parts, whole(parts))

    def _anchor(self, target: Target, nodeid: str) -> Anchor:
        module = target.module
        self.library.page(module.path, module.name, module.tree)
        around = {one.path: one for one in (*target.conftests, *target.plugins)}
        for one in around.values():
            self.library.page(one.path, one.name, one.tree)
        places = {"", *self._roots, *(one.path.rpartition("/")[0] for one in (module, *target.conftests))}
        return Anchor(
            path=module.path,
            module=module.name,
            names=names_of(nodeid),
            conftests=tuple((one.path, one.name) for one in target.conftests),
            plugins=tuple((one.path, one.name) for one in target.plugins),
            config={**effective(target.config), "file": self._config_path},
            config_path=self._config_path,
            ids=tuple(target.found.ids) if target.found.verdict == "exact" else None,
            shadows=shadows(self.files, sorted(places)),
        )


def names_of(nodeid: str) -> tuple[str, ...]:
    """The classes and the function that a nodeid names: what follows the first ``[`` is parameters."""
    return tuple(nodeid.partition("::")[2].partition("[")[0].split("::"))
