"""The object store port: the little that the gate needs to know of git.

Three implementations answer it: libgit2 through pygit2 (the default), dulwich (SHA-256 repositories, machines without the
libgit2 wheel), and one in memory for tests. Parsing, diffing and walking are pure code above the port, so that every backend
gives the same verdict, byte for byte.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from gatekeeper.model import Kind, Oid
else:
    Protocol = object


class ObjectStore(Protocol):
    """Read access to the objects and refs of one repository, quarantined objects included."""

    oid_size: int
    """Bytes in an object id: 20 (SHA-1) or 32 (SHA-256)."""

    def head_ref(self) -> bytes | None:
        """The full name of the ref that HEAD points at, born or unborn; None when HEAD is detached or absent."""

    def ref(self, name: bytes) -> Oid | None:
        """The oid that a full ref name resolves to (symbolic refs followed); None when there is no such ref."""

    def header(self, oid: Oid) -> tuple[Kind, int] | None:
        """Kind and size in bytes without inflating the object; None when the store does not have it."""

    def read(self, oid: Oid) -> tuple[Kind, bytes]:
        """Kind and whole content.

        Raises:
            MissingObject: the store does not have it.
            MalformedObject: it is there and cannot be inflated or does not hash to its name.
        """

    def shallow(self) -> frozenset[Oid]:
        """Commits whose parents this repository does not have by design (a shallow clone's boundary)."""

    def close(self) -> None:
        """Release files and memory maps; the store must not be used afterwards."""


def open_store(path: bytes, env: Mapping[str, str], backend: str = "auto") -> ObjectStore:
    """Open the repository at ``path`` (a git directory) with the quarantine that ``env`` names.

    ``env`` is read for ``GIT_OBJECT_DIRECTORY`` and ``GIT_ALTERNATE_OBJECT_DIRECTORIES`` only (git-receive-pack(1),
    "Quarantine environment"). ``backend`` is ``auto``, ``pygit2`` or ``dulwich``; ``auto`` takes pygit2 and falls back to
    dulwich for repositories that libgit2 cannot open (SHA-256, reftable) and where the wheel is missing.

    Raises:
        RepositoryError: not a repository, foreign-owned, or of a format that no backend knows.
    """
    raise NotImplementedError
