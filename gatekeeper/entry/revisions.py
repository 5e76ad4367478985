"""Revisions and trusted refs of a clone, by full names and oids only.

``git rev-parse origin/main`` prefers a tag of that name to the branch; a pushed tag must not choose what a patch is
compared with. So names are tried in an order that puts tags last, and nothing is guessed.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.errors import LimitExceeded, MalformedObject, MissingObject, PolicyError, UsageError
from gatekeeper.git.reader import Objects
from gatekeeper.render.escape import escape

if TYPE_CHECKING:
    from gatekeeper.git import ObjectStore
    from gatekeeper.model import Oid

_HEX = frozenset("0123456789abcdef")
_REMOTES = b"refs/remotes/"
_PREFIXES = ("refs/remotes/", "refs/heads/", "refs/tags/")


def resolve(store: ObjectStore, name: str) -> tuple[bytes, Oid]:
    """The full ref name (empty for a bare oid) and the oid that ``name`` means.

    Accepts a full oid, a full ref name, ``HEAD``, a remote-tracking branch, a branch, then a tag; each with ``~N`` or
    ``^`` after it for first parents, as gitrevisions(7) has them.

    Raises:
        UsageError: nothing of that name exists.
    """
    cut = next((place for place, sign in enumerate(name) if sign in "~^"), 0)
    if cut:  # no ref name holds either sign
        return b"", _ancestor(store, resolve(store, name[:cut])[1], name[cut:])
    if len(name) == 2 * store.oid_size and _HEX.issuperset(name):
        return b"", bytes.fromhex(name)
    candidates = [name] if name == "HEAD" or name.startswith("refs/") else [prefix + name for prefix in _PREFIXES]
    for candidate in candidates:
        full = candidate.encode("utf-8", "surrogateescape")
        if (oid := store.ref(full)) is not None:
            return full, oid
    if name.startswith("refs/remotes/") or name in ("origin/main", "origin/master"):
        fix = "fetch it first: git fetch origin"
    else:
        fix = "give a full oid, a branch or a full ref name; `git rev-parse NAME` prints an oid"
    raise UsageError(f"no revision {escape(name)!r} here", fix=fix)


def _ancestor(store: ObjectStore, oid: Oid, steps: str) -> Oid:
    objects = Objects(store)
    oid = commit_of(store, oid)
    for _ in range(_generations(steps)):
        parents = objects.commit(oid).parents
        if not parents:
            raise UsageError(f"{oid.hex()[:12]} has no parent", fix="name a later commit")
        oid = parents[0]
    return oid


def _generations(steps: str) -> int:
    """How many first parents ``~2^`` goes back."""
    count = 0
    while steps:
        sign, steps = steps[0], steps[1:]
        digits = steps[: len(steps) - len(steps.lstrip("0123456789"))]
        if sign not in "~^" or (sign == "^" and digits):
            raise UsageError(f"{escape(sign + steps)!r} names no first parent", fix="write NAME~N, or give a full oid")
        count += int(digits[:9] or 1)
        steps = steps[len(digits) :]
    return count


def default_base(store: ObjectStore, remote: str = "origin") -> str:
    """The remote-tracking name of the remote's default branch.

    Raises:
        UsageError: the clone does not know it.
    """
    for name in ("HEAD", "main", "master"):
        full = f"refs/remotes/{remote}/{name}"
        if store.ref(full.encode()) is not None:
            return full
    raise UsageError(
        f"the default branch of {remote} is not known here", fix=f"git remote set-head {remote} -a, or name BASE"
    )


def commit_of(store: ObjectStore, oid: Oid) -> Oid:
    """The commit that ``oid`` is or, for a tag, names; what cannot be read is left for the gate to find.

    Raises:
        UsageError: it is no commit.
    """
    try:
        kind, peeled = Objects(store).peel(oid)
    except (LimitExceeded, MalformedObject, MissingObject):
        return oid
    if kind != "commit":
        raise UsageError(
            f"{oid.hex()[:12]} names a {kind}, not a commit", fix="give a commit, a branch or a tag of one"
        )
    return peeled


class RemoteRefs:
    """Trusted refs as a clone last saw them: the remote-tracking branches of one remote."""

    def __init__(self, store: ObjectStore, remote: str) -> None:
        self._store = store
        self._remote = remote.encode("utf-8", "surrogateescape")

    def find(self, ref: bytes | None) -> tuple[bytes, Oid | None]:
        """See :class:`gatekeeper.gate.TrustedRefs`.

        Raises:
            PolicyError: the clone has fetched from the remote and still cannot tell its default branch.
        """
        if ref is not None:
            return ref, self._tracked(ref.removeprefix(b"refs/heads/"))
        target = self._store.symbolic(b"refs/remotes/" + self._remote + b"/HEAD")
        prefix = b"refs/remotes/" + self._remote + b"/"
        if target is not None and target.startswith(prefix):
            name = target.removeprefix(prefix)
            return b"refs/heads/" + name, self._tracked(name)
        known = [name for name in (b"main", b"master") if self._tracked(name) is not None]
        if len(known) > 1:
            remote = self._remote.decode("utf-8", "backslashreplace")
            raise PolicyError(
                f"the default branch of {remote} is not known here", fix=f"git remote set-head {remote} -a"
            )
        name = known[0] if known else b"main"
        return b"refs/heads/" + name, self._tracked(name)

    def _tracked(self, name: bytes) -> Oid | None:
        return self._store.ref(b"refs/remotes/" + self._remote + b"/" + name)


class FixedRef:
    """One commit that stands for every trusted ref: the BASE of ``gatekeeper check``."""

    def __init__(self, store: ObjectStore, ref: bytes, oid: Oid) -> None:
        target = store.symbolic(ref) or ref
        remote, slash, branch = target.removeprefix(_REMOTES).partition(b"/")
        tracking = bool(slash) and target.startswith(_REMOTES)
        self.remote = remote.decode("utf-8", "surrogateescape") if tracking else None
        """The remote whose branch this is, as last fetched; None for any other revision."""
        self._found = (b"refs/heads/" + branch if tracking else target, commit_of(store, oid))

    def find(self, ref: bytes | None) -> tuple[bytes, Oid | None]:  # noqa: ARG002 (the port's signature)
        """See :class:`gatekeeper.gate.TrustedRefs`."""
        return self._found
