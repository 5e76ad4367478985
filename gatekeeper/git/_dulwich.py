"""The object store on dulwich: SHA-256 repositories, formats that libgit2 refuses, machines without its wheel.

Only dulwich's readers of packs and configuration files are used. Its ``Repo`` would also take in hooks, filters, grafts
and included configuration, opens alternates as SHA-1 whatever the repository's format is, and warns on stderr, which
the pusher sees.
"""

from __future__ import annotations

import hashlib
import os
import zlib

from dulwich.config import ConfigFile, StackedConfig
from dulwich.errors import ApplyDeltaError, ChecksumMismatch
from dulwich.object_format import OBJECT_FORMATS
from dulwich.objects import RawObjectID
from dulwich.pack import Pack, PackFileDisappeared

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import MalformedObject, MissingObject, RepositoryError
from gatekeeper.git import _layout
from gatekeeper.git._packheader import KINDS, packed_header
from gatekeeper.git._refs import Files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import BinaryIO, TypeVar

    from dulwich.object_format import ObjectFormat

    from gatekeeper.model import Kind, Oid

    _Found = TypeVar("_Found")

_NAMES: dict[bytes, Kind] = {b"commit": "commit", b"tree": "tree", b"blob": "blob", b"tag": "tag"}
_HARMLESS = {
    b"noop",
    b"objectformat",
    b"refstorage",
    b"worktreeconfig",
    b"relativeworktrees",
    b"preciousobjects",
    b"partialclone",
}
_HEADER_BYTES = 64
_FIRST_READ = 1024
_BROKEN = (
    ApplyDeltaError,
    AssertionError,
    ChecksumMismatch,
    EOFError,
    IndexError,
    KeyError,
    OSError,
    ValueError,
    zlib.error,
)


class DulwichStore:
    """One repository through dulwich, SHA-1 or SHA-256."""

    def __init__(self, path: bytes, env: Mapping[str, str]) -> None:
        """Open a git directory with the object directories that ``env`` adds.

        Raises:
            RepositoryError: not a repository, owned by someone else, or of an unknown format.
        """
        common = _layout.common_dir(path)
        _check_owner(path, env)
        self._format = _object_format(common)
        self.oid_size = self._format.oid_length
        self._common = common
        self._refs = Files(path, common, self.oid_size)
        self._directories = _layout.object_dirs(common, env)
        self._packs: dict[bytes, Pack] = {}
        self._list_packs()

    def head_ref(self) -> bytes | None:
        """See the port."""
        return self._refs.head()

    def ref(self, name: bytes) -> Oid | None:
        """See the port."""
        return self._refs.resolve(name)

    def symbolic(self, name: bytes) -> bytes | None:
        """See the port."""
        return self._refs.target(name)

    def header(self, oid: Oid) -> tuple[Kind, int] | None:
        """See the port."""
        return self._attempt(self._header, oid)

    def read(self, oid: Oid) -> tuple[Kind, bytes]:
        """See the port."""
        found = self._attempt(self._content, oid)
        if found is None:
            raise MissingObject(f"object {oid.hex()} is missing")
        kind, data = found
        name = hashlib.new(self._format.name, b"%s %d\0" % (kind.encode(), len(data)), usedforsecurity=False)
        name.update(data)
        if name.digest() != oid:
            raise MalformedObject(f"object {oid.hex()} does not hash to its name")
        return kind, data

    def shallow(self) -> frozenset[Oid]:
        """See the port."""
        return _layout.shallow_commits(self._common, self.oid_size)

    def close(self) -> None:
        """See the port."""
        for pack in self._packs.values():
            pack.close()
        self._packs.clear()

    def _attempt(self, look: Callable[[Oid], _Found | None], oid: Oid) -> _Found | None:
        """Look for an object; once more when nothing has it and there are new packs, since git may have repacked."""
        if len(oid) != self.oid_size:
            raise MalformedObject(f"object {oid.hex()} is named by another hash than this repository's")
        try:
            found = look(oid)
            return look(oid) if found is None and self._list_packs() else found
        except _BROKEN as error:
            raise MalformedObject(f"object {oid.hex()} cannot be read: {error}") from error

    def _header(self, oid: Oid) -> tuple[Kind, int] | None:
        packed = self._packed(oid)
        if packed is not None:
            return packed_header(packed, oid)
        found = self._loose(oid, whole=False)
        return None if found is None else found[:2]

    def _content(self, oid: Oid) -> tuple[Kind, bytes] | None:
        packed = self._packed(oid)
        if packed is not None:
            number, data = packed.get_raw(RawObjectID(oid))
            return KINDS[number], data
        found = self._loose(oid, whole=True)
        if found is None:
            return None
        kind, size, data = found
        if size != len(data):
            raise ValueError("its size is not what its header says")
        return kind, data

    def _packed(self, oid: Oid) -> Pack | None:
        for pack in self._packs.values():
            try:
                if RawObjectID(oid) in pack:
                    return pack
            except PackFileDisappeared:
                continue
        return None

    def _list_packs(self) -> bool:
        """Take notice of packs that are new; whether there are any."""
        before = len(self._packs)
        for directory in self._directories:
            place = os.path.join(directory, b"pack")
            try:
                names = set(os.listdir(place))
            except FileNotFoundError:
                continue
            for name in sorted(names):
                base = os.path.join(place, name[:-4])
                if name.endswith(b".idx") and name[:-4] + b".pack" in names and base not in self._packs:
                    self._packs[base] = Pack(os.fsdecode(base), object_format=self._format)
        return len(self._packs) > before

    def _loose(self, oid: Oid, *, whole: bool) -> tuple[Kind, int, bytes] | None:
        name = os.fsencode(oid.hex())
        for directory in self._directories:
            try:
                with open(os.path.join(directory, name[:2], name[2:]), "rb") as file:
                    return _inflate(file, whole=whole)
            except (FileNotFoundError, NotADirectoryError):
                continue
        return None


def _inflate(file: BinaryIO, *, whole: bool) -> tuple[Kind, int, bytes]:
    stream = zlib.decompressobj()
    # a dynamic Huffman table alone can be longer than the header that it codes
    start = stream.decompress(file.read(_FIRST_READ), _HEADER_BYTES)
    head, nul, data = start.partition(b"\0")
    name, _, digits = head.partition(b" ")
    if not nul or name not in _NAMES or not digits.isdigit():
        raise ValueError("its header is damaged")
    size = int(digits)
    if whole:
        # One byte beyond the promised size is enough to see that there is more.
        room = max(size - len(data), 0) + 1
        data += stream.decompress(stream.unconsumed_tail + file.read(), room)
    return _NAMES[name], size, data


def _object_format(common: bytes) -> ObjectFormat:
    path = os.path.join(common, b"config")
    try:
        # Included files have no say in what git takes for the repository's format.
        config = ConfigFile.from_path(os.fsdecode(path), expand_includes=False)
    except FileNotFoundError:
        return OBJECT_FORMATS["sha1"]
    except (OSError, ValueError) as error:
        raise RepositoryError(f"cannot read {os.fsdecode(path)!r}: {error}") from error
    version = _value(config, b"core", b"repositoryformatversion") or b"0"
    if version == b"0":
        return OBJECT_FORMATS["sha1"]
    extensions = {key.lower(): value for key, value in config.items((b"extensions",))} if version == b"1" else None
    if extensions is None:
        raise RepositoryError(f"the repository has the unknown format version {version!r}")
    if extensions.get(b"refstorage", b"files") != b"files":
        raise RepositoryError("the repository keeps its refs in a reftable", fix="git refs migrate --ref-format=files")
    for name in sorted(extensions.keys() - _HARMLESS):
        raise RepositoryError(f"the repository uses the unknown extension {name!r}")
    wanted = extensions.get(b"objectformat", b"sha1")
    if wanted not in {b"sha1", b"sha256"}:
        raise RepositoryError(f"the repository uses the unknown object format {wanted!r}")
    return OBJECT_FORMATS[wanted.decode()]


def _value(config: ConfigFile, section: bytes, name: bytes) -> bytes | None:
    try:
        return config.get((section,), name)
    except KeyError:
        return None


def _check_owner(path: bytes, env: Mapping[str, str]) -> None:
    """Refuse another user's repository, as git and libgit2 do: its owner could make it lie about refs and objects."""
    owner, user = os.stat(path).st_uid, os.geteuid()
    if owner == user or (user == 0 and env.get("SUDO_UID") == str(owner)):
        return
    place = os.path.realpath(path)
    for allowed in StackedConfig.default().get_multivar((b"safe",), b"directory"):
        if allowed == b"*" or os.path.realpath(allowed) == place:
            return
    raise _layout.foreign(path)
