"""Where a row is fought out: a copy of the attacked server, the attacker's repository, and the push between them."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, NamedTuple

from tests.attacks import wire
from tests.attacks.catalogue import Attempt, Bench
from tests.attacks.seed import Seed, grow
from tests.attacks.workshop import Workshop
from tests.support.git import Git, hermetic_env
from tests.support.lab import WRITES_ONLY, Lab
from tests.support.objects import ObjectWriter

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.attacks.catalogue import Row, Update

AROUND_THE_HOOK = "--receive-pack=git -c core.hooksPath=/dev/null -c receive.denyDeleteCurrent=ignore receive-pack"


class Quarry(NamedTuple):
    """The repository that every row starts from: the seed, the gate installed, one pack."""

    bare: Path
    seed: Seed


class Outcome(NamedTuple):
    """How a push ended: whether every ref was updated, what the hook said, git's own report where the wire shows it."""

    accepted: bool
    said: str
    report: Sequence[bytes] = ()


def open_quarry(tmp: Path) -> Quarry:
    """Make the seed repository."""
    lab = Lab(tmp, files={}, policy=WRITES_ONLY)
    seed = grow(Workshop(lab.bare / "objects"))
    _write_refs(lab.bare, seed.refs)
    lab.server.out("repack", "-a", "-d", "-q")
    lab.server.out("prune-packed", "-q")
    return Quarry(lab.bare, seed)


def _write_refs(bare: Path, refs: dict[bytes, str]) -> None:
    lines = [b"%s %s\n" % (oid.encode(), ref) for ref, oid in sorted(refs.items())]
    (bare / "packed-refs").write_bytes(b"# pack-refs with: sorted \n" + b"".join(lines))


class Arena:
    """One row: ``server`` is the attacked copy, ``home`` where the attacker works."""

    def __init__(self, quarry: Quarry, row: Row, tmp: Path) -> None:
        self.server, self.home, self.row = tmp / "server.git", tmp / "attacker.git", row
        shutil.copytree(quarry.bare, self.server)
        for folder in ("objects/info", "refs"):
            (self.home / folder).mkdir(parents=True)
        (self.home / "HEAD").write_text("ref: refs/heads/none\n")
        (self.home / "objects/info/alternates").write_text(f"{quarry.bare / 'objects'}\n")
        self.shop = Workshop(self.home / "objects")
        self.attempt: Attempt = row.build(Bench(quarry.seed, self.shop))
        self.git = Git(self.home, tmp)
        self.refs = {
            ref.decode("utf-8", "surrogateescape"): oid
            for ref, oid in {**quarry.seed.refs, **self.attempt.server}.items()
        }
        if self.attempt.server:
            self.git.raw(
                "push",
                "-q",
                AROUND_THE_HOOK,
                self.server,
                *(f"+{o}:".encode() + r for r, o in self.attempt.server.items()),
            )

    def old(self, update: Update) -> str | None:
        """The old side of an update: what the server has, unless the client claims something else."""
        return update.claimed or self.refs.get(update.ref.decode("utf-8", "surrogateescape"))

    def refs_now(self) -> dict[str, str]:
        """Every ref of the server."""
        rows = (
            Git(self.server, self.home)
            .raw("for-each-ref", "--format=%(objectname) %(refname)")
            .decode("utf-8", "surrogateescape")
        )
        return {ref: oid for oid, ref in (line.split(" ", 1) for line in rows.splitlines())}

    def sent(self) -> dict[str, tuple[str, bytes]]:
        """The objects that reach the server."""
        return {oid: made for oid, made in self.shop.made.items() if oid not in self.attempt.held_back}

    def identity(self) -> dict[str, str]:
        """The environment that the transport gives the hook."""
        actor = self.attempt.actor
        return {**self.attempt.env, **({} if actor is None else {"GATEKEEPER_ACTOR": actor})}

    def refs_wanted(self) -> dict[str, str]:
        """Every ref of the server once the push has been accepted."""
        wanted = {update.ref.decode("utf-8", "surrogateescape"): update.new for update in self.attempt.updates}
        return {ref: oid for ref, oid in {**self.refs, **wanted}.items() if oid}

    def with_the_objects_arrived(self) -> Git:
        """Git in the server's copy, where the objects of the push are and no ref has moved."""
        arrived = ObjectWriter(self.server / "objects", "sha1")
        for kind, data in self.sent().values():
            arrived.raw(kind, data)
        return Git(self.server, self.home)

    def push(self, *options: str) -> Outcome:
        """Push for real, with git's own client or past it."""
        attempt = self.attempt
        env = self.identity()
        if attempt.via == "wire":
            commands = [(self.old(update), update.new, update.ref) for update in attempt.updates]
            answer = wire.push(self.server, commands, self.sent().values(), hermetic_env(self.home, **env))
            return Outcome(answer.accepted, answer.said, answer.report)
        refspecs = [b"+%s:%s" % (u.new.encode(), u.ref) if u.new else b":" + u.ref for u in attempt.updates]
        result = self.git.push(*options, self.server, *refspecs, env=env)
        return Outcome(result.returncode == 0, "\n".join(result.remote))
