"""Which files pytest collects, and in which order."""

from __future__ import annotations

from fnmatch import fnmatchcase

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.config.errors import Refused
from gatekeeper.source.collection.config.paths import absolute, beside, parents, resolve
from gatekeeper.source.collection.items import Trouble
from gatekeeper.source.collection.patterns import matches, text_patterns
from gatekeeper.source.collection.tree import OUTSIDE
from gatekeeper.source.files import DIRECTORY, FILE, OTHER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from gatekeeper.source.collection.arguments import Argument
    from gatekeeper.source.collection.config import Config
    from gatekeeper.source.collection.tree import Tree
    from gatekeeper.source.files import Item
else:
    Protocol = object

MODULE, DOCTESTS, TEXT = "module", "doctests", "text"
DIRECTORY_NODES = (8, 0)
"""Since then directories are nodes: files and directories are walked together, by name."""
LIMIT = 10_000
"""Directories walked: links in a loop multiply them beyond any use."""


class Ignored(NamedTuple):
    """What conftest.py files say about a directory's entries: whole paths, patterns, and what is not known.

    ``doubted`` are the paths that may be among what is not known, None for any.
    """

    paths: frozenset[str] = frozenset()
    globs: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    doubted: frozenset[str] | None = None

    def doubts(self, path: str) -> tuple[str, ...]:
        """On what it depends that ``path`` is not ignored."""
        return self.unknown if self.doubted is None or path in self.doubted else ()


class Guide(Protocol):
    """What the walk needs of the conftest.py files."""

    def ignored(self, directory: str) -> Ignored:
        """``collect_ignore`` and ``collect_ignore_glob`` that hold for the entries of ``directory``."""

    def hook(self, path: str) -> str | bool | None:
        """What a ``pytest_ignore_collect`` says on ``path``: a reason where nobody can know."""

    def error(self, directory: str) -> Trouble | None:
        """Why the conftest.py of ``directory`` cannot be imported."""


class Spot(NamedTuple):
    """One collector of a file: ``kind`` is ``module``, ``doctests`` or ``text``.

    ``conditions`` say on what it depends that the file is collected.
    """

    path: str
    kind: str
    argument: Argument
    conditions: tuple[str, ...] = ()


class Walk:
    """Walks the arguments; ``errors``, ``opaque`` and the ``directories`` walked grow with :meth:`spots`."""

    def __init__(self, tree: Tree, config: Config, arguments: list[Argument], guide: Guide) -> None:
        self._tree = tree
        self._config = config
        self._arguments = arguments
        self._guide = guide
        self._patterns = config.words("python_files")
        self._norecurse = config.words("norecursedirs")
        self._texts = text_patterns(config)
        self._doctests = config.options.has("--doctest-modules")
        self._plain = "doctest" in config.blocked
        self._given = frozenset(argument.path for argument in arguments)
        self._above = self._given | {above for path in self._given for above in parents(path)}
        self._ignore = frozenset(_inside(config, config.options.all("--ignore")))
        self._ignore_globs = tuple(absolute(path) for path in _inside(config, config.options.all("--ignore-glob")))
        self._venvs = config.options.has("--collect-in-virtualenv")
        self.errors: list[Trouble] = []
        self.opaque: list[Trouble] = []
        self.directories: list[str] = []

    def spots(self) -> Iterator[Spot]:
        """The collectors of all files, in pytest's order, each once."""
        seen: set[tuple[str, str, Argument]] = set()
        for argument in self._arguments:
            for spot in self._argument(argument):
                whole = argument if argument.names else argument._replace(path="")
                if (spot.path, spot.kind, whole) not in seen:
                    seen.add((spot.path, spot.kind, whole))
                    yield spot

    def _argument(self, argument: Argument) -> Iterator[Spot]:
        if self._tree.is_directory(argument.path):
            yield from self._directory(argument)
        else:
            broken = self._broken(argument.path.rpartition("/")[0])
            if broken is None:
                yield from self._file(argument.path, argument, ())
            else:
                self._fail(broken)

    def reach(self, path: str) -> list[Spot] | str:
        """The collectors of the file ``path``, or why pytest does not get to it: the rest of the tree is not walked."""
        if not self._tree.is_file(path):
            return "there is no such file in the tree"
        reason = "no argument of the invocation holds the file"
        for argument in self._arguments:
            inside = beside(path, argument.path)
            if inside is None:
                continue
            broken = self._broken(path.rpartition("/")[0])
            if broken is not None:
                return f"{broken.path} cannot be imported: {broken.reason}"
            conditions = self._way(argument.path, inside)
            if isinstance(conditions, str):
                reason = conditions
                continue
            spots = list(self._file(path, argument, conditions))
            if spots:
                return spots
            reason = f"no pattern of python_files ({' '.join(self._patterns)}) matches its name"
        return reason

    def _way(self, start: str, inside: str) -> tuple[str, ...] | str:
        """The conditions on the way from the directory ``start`` down to the file ``inside`` it, or why it ends."""
        current = start
        conditions: tuple[str, ...] = ()
        for part in inside.split("/") if inside else ():
            current = f"{current}/{part}" if current else part
            kind = FILE if self._tree.is_file(current) else DIRECTORY
            if not self._exempt(current, kind):
                verdict = self.ignores(current, kind)
                if isinstance(verdict, str):
                    return f"{current} is ignored: {verdict}"
                conditions = (*conditions, *verdict)
        return conditions

    def _broken(self, directory: str) -> Trouble | None:
        """The conftest.py that cannot be imported, in or above ``directory``."""
        for above in (*reversed(parents(directory)), directory):
            error = self._guide.error(above)
            if error is not None:
                return error
        return None

    def _fail(self, error: Trouble) -> None:
        if error not in self.errors:
            self.errors.append(error)

    def _directory(self, argument: Argument) -> Iterator[Spot]:
        """The directory and all below, depth first; before 8.0 the files of each before its directories."""
        broken = self._broken(argument.path)
        if broken is not None:
            self._fail(broken)
            return
        together = self._config.version >= DIRECTORY_NODES
        waiting: list[tuple[str, str, tuple[str, ...]]] = [(DIRECTORY, argument.path, ())]
        walked = 0
        while waiting:
            kind, path, conditions = waiting.pop()
            if kind == FILE:
                yield from self._file(path, argument, conditions)
                continue
            walked += 1
            if walked > LIMIT:
                self.opaque.append(Trouble(argument.path, f"more than {LIMIT} directories, by links to directories"))
                return
            error = self._guide.error(path)
            if error is not None:
                self._fail(error)
                continue
            self.directories.append(path)
            entries = self._entries(path)
            if not together:
                entries.sort(key=lambda item: item.kind == DIRECTORY)
            for item in reversed(entries):
                below = f"{path}/{item.name}" if path else item.name
                verdict = self._enter(below, item.kind)
                if verdict is not None:
                    waiting.append((item.kind, below, (*conditions, *verdict)))

    def _entries(self, path: str) -> list[Item]:
        """What the directory holds, the ``__init__.py`` of a package first."""
        entries = list(self._tree.entries(path))
        if any(item.name == "__init__.py" and item.kind == FILE for item in entries):
            entries.sort(key=lambda item: (item.name != "__init__.py", item.name))
        return entries

    def _enter(self, path: str, kind: str) -> tuple[str, ...] | None:
        """None where pytest passes ``path`` by, else the conditions under which it does not."""
        exempt = self._exempt(path, kind)
        if kind == FILE and not exempt and not self._wanted(path):
            return None
        verdict = () if exempt else self.ignores(path, kind)
        if isinstance(verdict, str):
            return None
        if kind in {OUTSIDE, OTHER}:
            what = "a link out of the tree" if kind == OUTSIDE else "a submodule, whose files are not in the tree"
            if kind == OTHER or "." not in path.rpartition("/")[2] or self._wanted(path):
                self.opaque.append(Trouble(path, what))
            return None
        return verdict

    def _exempt(self, path: str, kind: str) -> bool:
        """Whether nothing is asked about ``path`` since an argument names it or, since 8.0, something below it."""
        if kind == DIRECTORY:
            return path in self._above and self._config.version >= DIRECTORY_NODES
        return path in self._given

    def _wanted(self, path: str) -> bool:
        """Whether a file of this name can be collected at all: what is not is not asked about."""
        if path.endswith(".py"):
            return self._doctests or matches(path, self._patterns)
        return not self._plain and matches(path, self._texts)

    def ignores(self, path: str, kind: str) -> tuple[str, ...] | str:
        """Why pytest ignores ``path`` (a text), or the conditions under which it does not."""
        hook = self._guide.hook(path)
        if hook is True:
            return "pytest_ignore_collect says so"
        if hook is False:  # the first hook that answers decides: pytest's own rules are not asked
            return ()
        ignored = self._guide.ignored(path.rpartition("/")[0])
        reason = self._named(path, ignored) or (self._passed_by(path) if kind != FILE else None)
        if reason is not None:
            return reason
        return (*ignored.doubts(path), hook) if hook is not None else ignored.doubts(path)

    def _named(self, path: str, ignored: Ignored) -> str | None:
        """Which option or conftest.py ignores ``path``."""
        whole = absolute(path)
        if path.rpartition("/")[2] == "__pycache__":
            return "__pycache__ is never collected"
        if path in ignored.paths:
            return "collect_ignore names it"
        if path in self._ignore:
            return "--ignore names it"
        if any(fnmatchcase(whole, pattern) for pattern in ignored.globs):
            return "collect_ignore_glob matches it"
        if any(fnmatchcase(whole, pattern) for pattern in self._ignore_globs):
            return "--ignore-glob matches it"
        return None

    def _passed_by(self, path: str) -> str | None:
        """Why the directory ``path`` is not entered."""
        if not self._venvs and self._environment(path):
            return "it is a virtual environment"
        pattern = next((pattern for pattern in self._norecurse if matches(path, [pattern])), None)
        return None if pattern is None else f"norecursedirs has {pattern}"

    def _environment(self, path: str) -> bool:
        if self._config.version < (8, 3):
            # Until then by the scripts of its bin directory, since then by the file that every one has.
            names = {item.name for item in self._tree.entries(f"{path}/bin")}
            return not names.isdisjoint(
                {"activate", "activate.csh", "activate.fish", "Activate", "Activate.bat", "Activate.ps1"}
            )
        return self._tree.is_file(f"{path}/pyvenv.cfg") or self._tree.is_file(f"{path}/conda-meta/history")

    def _file(self, path: str, argument: Argument, conditions: tuple[str, ...]) -> Iterator[Spot]:
        if path.endswith(".py"):
            if self._doctests and not self._plain and not self._script(path):
                yield Spot(path, DOCTESTS, argument, conditions)
            if "python" not in self._config.blocked and (path in self._given or matches(path, self._patterns)):
                yield Spot(path, MODULE, argument, conditions)
        elif not self._plain:
            named = path in self._given and path.endswith((".txt", ".rst"))
            if named or matches(path, self._texts):
                yield Spot(path, TEXT, argument, conditions)

    def _script(self, path: str) -> bool:
        """What is never searched for doctests: importing it would run a program."""
        name = path.rpartition("/")[2]
        if name == "__main__.py":
            return True
        if name != "setup.py":
            return False
        contents = self._tree.read(path) or b""
        return b"setuptools" in contents or b"distutils" in contents


def _inside(config: Config, words: list[str]) -> list[str]:
    """The paths of the tree among ``words``; others ignore nothing that is here."""
    found = []
    for word in words:
        try:
            found.append(resolve(config.invocation.cwd, word))
        except Refused:
            continue
    return found


def nodeid(config: Config, path: str, given: frozenset[str]) -> str:
    """What the nodeids of the file ``path`` begin with: relative to rootdir, else to the argument it is found by."""
    inside = beside(path, config.rootdir)
    if inside is not None:
        return inside
    for above in (path, *parents(path)):
        if above in given:
            return beside(path, above) or ""
    return path
