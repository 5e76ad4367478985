"""A git client in a few lines: it sends any ref name, any object and any pack to ``git receive-pack``.

``git push`` checks ref names and walks every tree it sends; an attacker's client does neither.
"""

from __future__ import annotations

import hashlib
import subprocess
import zlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

KINDS = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
ZERO = "0" * 40


class Answer(NamedTuple):
    """The lines of report-status (``unpack ok``, ``ok REF``, ``ng REF why``), and what the hook wrote."""

    report: list[bytes]
    said: str

    @property
    def accepted(self) -> bool:
        """Whether the pack was taken in and every ref was updated."""
        return (
            bool(self.report)
            and self.report[0] == b"unpack ok"
            and all(line.startswith(b"ok ") for line in self.report[1:])
        )


def packet(payload: bytes) -> bytes:
    """One pkt-line."""
    return b"%04x" % (len(payload) + 4) + payload


def packets(stream: bytes) -> list[bytes]:
    """The payloads of pkt-lines; b"" stands for a flush."""
    found = []
    while stream:
        size = int(stream[:4], 16)
        found.append(stream[4:size].removesuffix(b"\n"))
        stream = stream[max(size, 4) :]
    return found


def pack(objects: Iterable[tuple[str, bytes]]) -> bytes:
    """A pack of undeltified objects."""
    bodies = []
    for kind, data in objects:
        size = len(data)
        head = [KINDS[kind] << 4 | size & 15]
        size >>= 4
        while size:
            head[-1] |= 128
            head.append(size & 127)
            size >>= 7
        bodies.append(bytes(head) + zlib.compress(data, 1))
    whole = b"PACK" + (2).to_bytes(4, "big") + len(bodies).to_bytes(4, "big") + b"".join(bodies)
    return whole + hashlib.sha1(whole, usedforsecurity=False).digest()


def push(
    server: Path,
    commands: Sequence[tuple[str | None, str | None, bytes]],
    objects: Iterable[tuple[str, bytes]],
    env: Mapping[str, str],
) -> Answer:
    """Send ``(old, new, ref)`` commands and a pack."""
    sent = b""
    for index, (old, new, ref) in enumerate(commands):
        capabilities = b"\0report-status" if index == 0 else b""
        sent += packet(f"{old or ZERO} {new or ZERO} ".encode() + ref + capabilities)
    sent += b"0000"
    if any(new for _, new, _ in commands):
        sent += pack(objects)
    done = subprocess.run(
        ["git", "receive-pack", str(server)], input=sent, env=dict(env), capture_output=True, check=False
    )
    heard = packets(done.stdout)
    report = [line for line in heard[heard.index(b"") + 1 :] if line]
    return Answer(report, done.stderr.decode("utf-8", "backslashreplace"))
