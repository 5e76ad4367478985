"""The values that every layer speaks in. Immutable, hashable, free of I/O.

Paths, ref names and object ids are ``bytes`` (an oid is the raw 20 or 32 bytes); text appears only in messages.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal

    Lane = Literal["agent", "human"]
    Severity = Literal["error", "warn", "off"]
    Mode = Literal["enforce", "observe"]
    Kind = Literal["commit", "tree", "blob", "tag"]

Oid = bytes

AGENT: Lane = "agent"
HUMAN: Lane = "human"

TREE, FILE, EXECUTABLE, SYMLINK, GITLINK = 0o040000, 0o100644, 0o100755, 0o120000, 0o160000
"""The five modes that git writes today; anything else is not canonical."""

BUDGETS = ("write-block", "properties", "fixtures", "flakes", "contract", "oracle")
"""What a scorecard has a line for, in the order in which it prints them."""


class RefUpdate(NamedTuple):
    """One line of a push: ``old`` and ``new`` are None where git sends the zero oid (creation, deletion)."""

    ref: bytes
    old: Oid | None
    new: Oid | None


class Actor(NamedTuple):
    """Who the transport says is pushing; ``name`` is None when it says nothing."""

    name: str | None
    source: str


class Push(NamedTuple):
    """All ref updates of one ``git push``, with one actor."""

    updates: tuple[RefUpdate, ...]
    actor: Actor


class Entry(NamedTuple):
    """One entry of one tree object."""

    name: bytes
    mode: int
    oid: Oid


class Change(NamedTuple):
    """One path whose (mode, oid) differs between two trees; the absent side is (0, b"")."""

    path: bytes
    old_mode: int
    old_oid: Oid
    new_mode: int
    new_oid: Oid


class Commit(NamedTuple):
    """What the gate reads of a commit; ``date`` is the committer's, in epoch seconds, and the pusher's to choose.

    ``encoding`` is the header that says how the message is written; empty means UTF-8.
    """

    oid: Oid
    tree: Oid
    parents: tuple[Oid, ...]
    date: int
    message: bytes
    signed: bool
    encoding: bytes = b""


class Finding(NamedTuple):
    """One rule broken at one place."""

    code: str
    message: str
    path: bytes | None = None
    commit: Oid | None = None
    line: int | None = None
    fix: str = ""
    severity: Severity = "error"
