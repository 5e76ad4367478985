"""Where a repository keeps its things: git directory, common directory, object directories, shallow commits.

Both backends on disk read the same layout through these functions, so that they cannot differ in what they consider
part of the repository. Nothing here reads the process environment.
"""

from __future__ import annotations

import errno
import os

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import RepositoryError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gatekeeper.model import Oid

_ALTERNATE_DEPTH = 5
_LONGEST_REF = 1000
_FORBIDDEN = frozenset(b" ~^:?*[\\\x7f") | frozenset(range(32))
_MAX_FILE = 64 * 1024 * 1024
_QUOTE, _BACKSLASH, _DIGITS = 0x22, 0x5C, 3
_ESCAPES = {97: 7, 98: 8, 102: 12, 110: 10, 114: 13, 116: 9, 118: 11, 92: 92, 34: 34}


def read_file(path: bytes) -> bytes | None:
    """The bytes of a small administrative file; None when there is no such file.

    Raises:
        RepositoryError: it is there and cannot be read, or is larger than any file of its kind.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(_MAX_FILE + 1)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return None
        raise RepositoryError(f"cannot read {os.fsdecode(path)!r}: {error}") from error
    if len(data) > _MAX_FILE:
        raise RepositoryError(f"{os.fsdecode(path)!r} is larger than {_MAX_FILE} bytes")
    return data


def git_dir(path: bytes) -> bytes:
    """The git directory that ``path`` means: itself, or where a work tree's or submodule's ``.git`` points.

    Raises:
        RepositoryError: there is no repository at ``path``; parent directories are never searched.
    """
    found = path
    if not os.path.exists(os.path.join(path, b"HEAD")) and os.path.lexists(os.path.join(path, b".git")):
        found = os.path.join(path, b".git")
    if os.path.isfile(found):
        link = read_file(found) or b""
        if not link.startswith(b"gitdir: "):
            raise RepositoryError(f"{os.fsdecode(found)!r} is neither a git directory nor a link to one")
        found = os.path.join(os.path.dirname(found), link[8:].rstrip(b"\r\n"))
    if not os.path.isdir(os.path.join(common_dir(found), b"objects")):
        raise RepositoryError(f"no git repository at {os.fsdecode(path)!r}")
    return found


def common_dir(directory: bytes) -> bytes:
    """The directory that a worktree's git directory shares with its repository: refs, objects, configuration."""
    link = read_file(os.path.join(directory, b"commondir"))
    return directory if link is None else os.path.normpath(os.path.join(directory, link.rstrip(b"\r\n")))


def foreign(path: bytes) -> RepositoryError:
    """The refusal of a repository that another user owns, in the same words from every backend."""
    place = os.fsdecode(os.path.abspath(path))
    fix = f"run as the repository's owner, or: git config --global --add safe.directory {place}"
    return RepositoryError(f"the repository {place!r} belongs to another user", fix=fix)


def shallow_commits(common: bytes, oid_size: int) -> frozenset[Oid]:
    """The commits listed in the ``shallow`` file.

    Raises:
        RepositoryError: a line is not an object id.
    """
    commits = []
    for line in (read_file(os.path.join(common, b"shallow")) or b"").splitlines():
        try:
            oid = bytes.fromhex(line.decode("ascii"))
        except ValueError:
            oid = b""
        if len(oid) != oid_size:
            raise RepositoryError("the repository's file 'shallow' is damaged", fix="git fetch --unshallow")
        commits.append(oid)
    return frozenset(commits)


def valid_ref(name: bytes) -> bool:
    """Whether git accepts this as the full name of a ref (git-check-ref-format(1)), or as HEAD.

    Raises:
        RepositoryError: longer than libgit2 reads. Such a ref may exist, so that "no" would be a wrong answer.
    """
    if name == b"HEAD":
        return True
    if len(name) > _LONGEST_REF:
        raise RepositoryError(f"a ref's name has {len(name)} bytes, at most {_LONGEST_REF} can be read")
    if not name.startswith(b"refs/") or b"@{" in name or not _FORBIDDEN.isdisjoint(name) or name.endswith(b"."):
        return False
    parts = name.split(b"/")
    return not any(not part or part.startswith(b".") or b".." in part or part.endswith(b".lock") for part in parts)


def object_dirs(common: bytes, env: Mapping[str, str]) -> list[bytes]:
    """All object directories: the repository's own, its alternates, then those that ``env`` names.

    The quarantine of a push is in ``GIT_OBJECT_DIRECTORY`` and the main store in ``GIT_ALTERNATE_OBJECT_DIRECTORIES``.
    Relative names resolve against the working directory, as git does it.
    """
    found: dict[bytes, bytes] = {}
    _collect(os.path.join(common, b"objects"), 0, found)
    if own := env.get("GIT_OBJECT_DIRECTORY"):
        _collect(os.path.abspath(os.fsencode(own)), 0, found)
    listed = os.fsencode(env.get("GIT_ALTERNATE_OBJECT_DIRECTORIES", ""))
    for path in _split(listed, os.fsencode(os.pathsep)):
        _collect(os.path.abspath(path), 0, found)
    return list(found.values())


def _collect(path: bytes, depth: int, found: dict[bytes, bytes]) -> None:
    identity = os.path.realpath(path)
    # A directory that is gone is skipped, as git skips it: what it held is then missing, and missing is no verdict.
    if identity in found or not os.path.isdir(path):
        return
    found[identity] = path
    if depth < _ALTERNATE_DEPTH:
        listed = read_file(os.path.join(path, b"info", b"alternates")) or b""
        for alternate in _split(listed, b"\n"):
            _collect(os.path.join(path, alternate), depth + 1, found)


def _split(listed: bytes, separator: bytes) -> Iterator[bytes]:
    """The paths in a list of alternates: comments and empty items dropped, C-quoted items unquoted."""
    pos = 0
    while pos < len(listed):
        end = listed.find(separator, pos)
        end = len(listed) if end < 0 else end
        item = listed[pos:end]
        if item.startswith(b'"') and (quoted := _unquote(listed, pos + 1)) is not None:
            item, end = quoted
        pos = end + 1
        if item and not item.startswith(b"#"):
            yield item


def _unquote(text: bytes, pos: int) -> tuple[bytes, int] | None:
    """The C-quoted string that starts at ``pos`` and the position after its closing quote; None when it is not one."""
    out = bytearray()
    while pos < len(text):
        char = text[pos]
        if char == _QUOTE:
            return bytes(out), pos + 1
        if char != _BACKSLASH:
            out.append(char)
            pos += 1
            continue
        escape = text[pos + 1 : pos + 2]
        octal = text[pos + 1 : pos + 4]
        if escape and escape[0] in _ESCAPES:
            out.append(_ESCAPES[escape[0]])
            pos += 2
        elif len(octal) == _DIGITS and octal[0] in b"0123" and all(digit in b"01234567" for digit in octal):
            out.append(int(octal, 8))
            pos += 4
        else:
            return None
    return None
