"""Refs kept in files: one file a ref, or a line in ``packed-refs``."""

from __future__ import annotations

import os

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import RepositoryError
from gatekeeper.git._layout import read_file, valid_ref

if TYPE_CHECKING:
    from gatekeeper.model import Oid

SYMREF_DEPTH = 10
"""How many symbolic refs may lead to one another."""

_PER_WORKTREE = (b"refs/bisect/", b"refs/worktree/", b"refs/rewritten/")


class Files:
    """The refs of one repository, or of one of its worktrees; read anew at each question."""

    def __init__(self, git_dir: bytes, common: bytes, oid_size: int) -> None:
        self._git_dir = git_dir
        self._common = common
        self._oid_size = oid_size

    def head(self) -> bytes | None:
        """The ref that HEAD names; None when it is detached or absent."""
        target = self.target(b"HEAD")
        return target if target is not None and target.startswith(b"refs/") else None

    def target(self, name: bytes) -> bytes | None:
        """The name that a symbolic ref holds; None when the ref is absent or holds an oid."""
        found = self._read(name)
        return found if isinstance(found, bytes) else None

    def resolve(self, name: bytes) -> Oid | None:
        """Follow a ref to an object id; None when there is no such ref, or its name is none.

        Raises:
            RepositoryError: the ref is damaged, or symbolic refs form a loop.
        """
        for _ in range(SYMREF_DEPTH):
            found = self._read(name)
            if not isinstance(found, bytes):
                return None if found is None else found.oid
            name = found
        raise RepositoryError(f"ref {ascii(name)[1:]} is symbolic over more than {SYMREF_DEPTH} levels")

    def _read(self, name: bytes) -> bytes | _Direct | None:
        # Also what keeps refs/../../../etc/passwd from being opened.
        if not valid_ref(name):
            return None
        own = name == b"HEAD" or name.startswith(_PER_WORKTREE)
        text = read_file(os.path.join(self._git_dir if own else self._common, name))
        if text is None:
            return self._packed(name)
        if text.startswith(b"ref: "):
            return text[5:].strip()
        return self._direct(name, text.strip())

    def _packed(self, name: bytes) -> _Direct | None:
        text = (read_file(os.path.join(self._common, b"packed-refs")) or b"") + b"\n"
        # One search in C: a line by line reading of 50,000 refs costs more than the judgement.
        end = text.find(b" " + name + b"\n")
        return None if end < 0 else self._direct(name, text[text.rfind(b"\n", 0, end) + 1 : end])

    def _direct(self, name: bytes, text: bytes) -> _Direct:
        try:
            oid = bytes.fromhex(text.decode("ascii"))
        except ValueError:
            oid = b""
        if len(oid) != self._oid_size:
            raise RepositoryError(f"ref {ascii(name)[1:]} is damaged")
        return _Direct(oid)


class _Direct:
    """An object id, told apart from the name of another ref."""

    def __init__(self, oid: Oid) -> None:
        self.oid = oid
