"""The object store port: the little that the gate needs to know of git.

Three implementations answer it: libgit2 through pygit2 (the default), dulwich (SHA-256 repositories, machines without
the libgit2 wheel), and one in memory for tests. Parsing, diffing and walking are pure code above the port, so that
every backend gives the same verdict, byte for byte.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import RepositoryError
from gatekeeper.git._layout import git_dir

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, Protocol

    from gatekeeper.model import Kind, Oid

    Backend = Literal["auto", "pygit2", "dulwich"]
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

    def symbolic(self, name: bytes) -> bytes | None:
        """The name that a symbolic ref holds, born or unborn; None when the ref is absent or holds an oid."""

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


def open_store(path: bytes, env: Mapping[str, str], backend: Backend = "auto") -> ObjectStore:
    """Open the repository at ``path`` with the quarantine that ``env`` names.

    ``path`` is a git directory (bare repository, ``.git``, a worktree's own), a work tree's root, or a ``.git`` file;
    parents are not searched. ``env`` is read for ``GIT_OBJECT_DIRECTORY`` and ``GIT_ALTERNATE_OBJECT_DIRECTORIES`` only
    (git-receive-pack(1), "Quarantine environment"): it need not be the environment of this process, and no other
    ``GIT_*`` variable of this process has an effect. ``backend`` is ``auto``, ``pygit2`` or ``dulwich``; ``auto`` takes
    pygit2 and falls back to dulwich for repositories that libgit2 cannot open (SHA-256) and where the wheel is missing.

    Raises:
        RepositoryError: not a repository, foreign-owned (``safe.directory`` of the user's own git configuration
            applies), or of a format that no backend knows.
    """
    path = git_dir(path)
    refused = ""
    if backend != "dulwich":
        try:
            # Imported here, not above: of the two backends a process loads the one that it needs.
            from gatekeeper.git._pygit2 import Pygit2Store, Unsupported

            return Pygit2Store(path, env)
        except ImportError as error:
            refused = f"pygit2 cannot be loaded ({error})"
        except Unsupported as error:
            refused = str(error)
        if backend == "pygit2":
            raise RepositoryError(refused)
    try:
        from gatekeeper.git._dulwich import DulwichStore
    except ImportError as error:
        reasons = f"{refused}; dulwich cannot be loaded ({error})".removeprefix("; ")
        raise RepositoryError(reasons, fix="reinstall gatekeeper") from error
    return DulwichStore(path, env)
