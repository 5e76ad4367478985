"""The object store on libgit2, without pygit2's Python layer.

``import pygit2`` costs more than the whole judgement (enums, ssl, cffi, dataclasses), nine tenths of it for things that
a gate never uses. Its C extension alone loads in a few milliseconds. It is not a public interface: it is used for the
versions that the tests ran on, and anything unexpected leads to the ordinary import, which answers the same suite.
"""

from __future__ import annotations

import os
import sys
import zlib
from _frozen_importlib_external import PathFinder

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import MalformedObject, MissingObject, RepositoryError
from gatekeeper.git import _layout

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType
    from typing import Any, Literal

    from gatekeeper.model import Kind, Oid

    Way = Literal["auto", "fast", "plain"]
else:
    ModuleType = type(sys)

TESTED = ((1, 19), (1, 21))
"""First and last pygit2 minor versions whose C extension is used directly."""

_OPEN = 1 | 4 | 8
"""GIT_REPOSITORY_OPEN_NO_SEARCH, _BARE, _NO_DOTGIT: this directory as it is, and nothing from the environment."""

_KINDS: tuple[Kind | None, ...] = (None, "commit", "tree", "blob", "tag")
_SYMREF_DEPTH = 10
_BLOCK = 1 << 18
_NAMES = ("GitError", "InvalidSpecError", "Odb", "Oid", "Repository", "_cache_enums", "init_file_backend")


class _Integers(ModuleType):
    """A stand-in for ``pygit2.enums``: every enumeration is ``int``, which is what the C extension then returns."""

    def __getattr__(self, name: str) -> type[int]:
        if name.startswith("__"):
            raise AttributeError(name)
        return int


class Pygit2Store:
    """One repository through libgit2; SHA-1 only, as libgit2 is built for it."""

    oid_size = 20

    def __init__(self, path: bytes, env: Mapping[str, str], way: Way = "auto") -> None:
        """Open a git directory with the object directories that ``env`` adds.

        Raises:
            ImportError: pygit2 is not installed.
            Unsupported: libgit2 does not know the repository's format.
            RepositoryError: not a repository, or owned by someone else.
        """
        self._lib = lib = _load(way)
        self._common = common = _layout.common_dir(path)
        try:
            self._repo = lib.open(os.fsdecode(path))
        except (lib.GitError, KeyError, ValueError, OSError) as error:
            raise _refusal(path, error) from error
        self._odb = self._repo.odb
        self._directories = _layout.object_dirs(common, env)
        for directory in self._directories[1:]:
            self._odb.add_disk_alternate(os.fsdecode(directory))

    def head_ref(self) -> bytes | None:
        """See the port."""
        target = self._target(b"HEAD")
        return target if target is not None and target.startswith(b"refs/") else None

    def ref(self, name: bytes) -> Oid | None:
        """See the port."""
        target: bytes | None = name
        for _ in range(_SYMREF_DEPTH):
            if target is None:
                return None
            found = self._lookup(target)
            if found is None:
                return None
            if not isinstance(found, bytes):
                return bytes(found.raw)
            target = found
        raise RepositoryError(f"ref {ascii(name)[1:]} is symbolic over more than {_SYMREF_DEPTH} levels")

    def symbolic(self, name: bytes) -> bytes | None:
        """See the port."""
        return self._target(name)

    def header(self, oid: Oid) -> tuple[Kind, int] | None:
        """See the port."""
        try:
            kind, size = self._odb.read_header(self._lib.Oid(raw=oid))
        except KeyError:
            return None
        except (self._lib.GitError, ValueError) as error:
            raise MalformedObject(f"object {oid.hex()} cannot be read: {error}") from error
        return self._kind(oid, kind), int(size)

    def read(self, oid: Oid) -> tuple[Kind, bytes]:
        """See the port."""
        self._check_loose(oid)
        try:
            kind, data = self._odb.read(self._lib.Oid(raw=oid))
        except KeyError as error:
            raise MissingObject(f"object {oid.hex()} is missing") from error
        except (self._lib.GitError, ValueError) as error:
            raise MalformedObject(f"object {oid.hex()} cannot be read: {error}") from error
        return self._kind(oid, kind), data

    def shallow(self) -> frozenset[Oid]:
        """See the port."""
        return _layout.shallow_commits(self._common, self.oid_size)

    def close(self) -> None:
        """See the port."""
        del self._odb
        self._repo.free()

    def _check_loose(self, oid: Oid) -> None:
        """Refuse a loose object whose stream has no end: libgit2 1.9 inflates it for ever."""
        name = os.fsencode(oid.hex())
        tail = b"/" + name[:2] + b"/" + name[2:]
        for directory in self._directories:
            try:
                file = open(directory + tail, "rb", buffering=0)  # noqa: SIM115 -- the miss is the common case
            except OSError:
                continue
            with file:
                stream = zlib.decompressobj()
                while not stream.eof:
                    block = stream.unconsumed_tail or file.read(_BLOCK)
                    if not block:
                        raise MalformedObject(f"object {oid.hex()} is truncated")
                    try:
                        stream.decompress(block, _BLOCK)
                    except zlib.error as error:
                        raise MalformedObject(f"object {oid.hex()} cannot be read: {error}") from error

    def _kind(self, oid: Oid, number: int) -> Kind:
        kind = _KINDS[number] if 0 < number < len(_KINDS) else None
        if kind is None:
            raise MalformedObject(f"object {oid.hex()} is of no known kind")
        return kind

    def _lookup(self, name: bytes) -> Any:
        """What a ref holds: the name of another ref as bytes, or libgit2's Oid; None when there is no such ref."""
        # libgit2 ends a name at a NUL and mends others: refs//heads/main\0x would find refs/heads/main.
        if not _layout.valid_ref(name):
            return None
        try:
            return self._repo.lookup_reference(os.fsdecode(name)).raw_target
        except (KeyError, self._lib.InvalidSpecError, UnicodeDecodeError):
            # UnicodeDecodeError: pygit2 fails to write its own "not found" about a name that is not UTF-8.
            return None
        except (self._lib.GitError, ValueError) as error:
            if "too long" in str(error):
                return None
            raise RepositoryError(f"ref {ascii(name)[1:]} cannot be read: {error}") from error

    def _target(self, name: bytes) -> bytes | None:
        found = self._lookup(name)
        return found if isinstance(found, bytes) else None


class Unsupported(RepositoryError):
    """libgit2 does not know this repository's format; another backend may."""


class _Library:
    """The names that the store uses, from either way in."""

    def __init__(self, names: Any, *, fast: bool) -> None:
        if not hasattr(names.Odb, "read_header"):
            raise ImportError("pygit2 1.19.2 or newer is needed")
        self.GitError: type[Exception] = names.GitError
        self.InvalidSpecError: type[Exception] = names.InvalidSpecError
        self.Oid = names.Oid
        self._names = names
        self.fast = fast

    def open(self, path: str) -> Any:
        if self.fast:
            return self._names.Repository(self._names.init_file_backend(path, _OPEN))
        return self._names.Repository(path, _OPEN)


def _load(way: Way) -> _Library:
    if way != "plain" and "pygit2" not in sys.modules:
        extension = _extension(must=way == "fast")
        if extension is not None:
            return _Library(extension, fast=True)
    elif way == "fast":
        raise ImportError("pygit2 is imported already; its extension cannot be loaded alone")
    import pygit2

    return _Library(pygit2, fast=False)


def _extension(*, must: bool) -> Any:
    """Load ``pygit2._pygit2`` while stand-ins take the place of the package; None when that is not safe."""
    spec = PathFinder.find_spec("pygit2")
    places = spec.submodule_search_locations if spec is not None else None
    if not places:
        raise ImportError("pygit2 is not installed")
    if not (TESTED[0] <= _version(places[0]) <= TESTED[1]):
        if must:
            raise ImportError("this version of pygit2 was not tested")
        return None
    package = ModuleType("pygit2")
    package.__path__ = list(places)
    sys.modules["pygit2"] = package
    sys.modules["pygit2.enums"] = _Integers("pygit2.enums")
    try:
        from pygit2 import _pygit2 as extension

        if all(hasattr(extension, name) for name in _NAMES):
            extension._cache_enums()  # noqa: SLF001 -- what the package's own start calls
            return extension
    except (ImportError, AttributeError):
        if must:
            raise
    finally:
        # A later "import pygit2" must find the real package.
        for name in ("pygit2", "pygit2.enums", "pygit2._pygit2"):
            sys.modules.pop(name, None)
    return None


def _version(place: str) -> tuple[int, int]:
    """The minor version of the package in a directory, read as text, since importlib.metadata is slow to import."""
    text = _layout.read_file(os.fsencode(os.path.join(place, "_build.py"))) or b""
    quoted = text.partition(b"__version__ = ")[2][:32]
    fields = quoted[1:].partition(quoted[:1])[0].split(b".") if quoted else []
    major, minor = fields[:2] if fields[1:] else (b"", b"")
    return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else (0, 0)


def _refusal(path: bytes, error: Exception) -> RepositoryError:
    text, where = str(error), os.fsdecode(path)
    if "not owned by" in text:
        return _layout.foreign(path)
    if "unsupported" in text or "unknown object format" in text:
        return Unsupported(f"libgit2 cannot open {where!r}: {text}")
    return RepositoryError(f"cannot open {where!r}: {text}")
