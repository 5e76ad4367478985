"""The policy file that the installer starts a repository with: few keys, each explained where an admin will read it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gatekeeper.errors import UsageError

if TYPE_CHECKING:
    from gatekeeper.policy import Layer

SOURCES = ("ssh", "http")


@dataclass(frozen=True, slots=True)
class Choice:
    """What the command line says about the policy. ``source`` is ``ssh``, ``http`` or empty."""

    source: str = ""
    humans: tuple[str, ...] = ()
    observe: bool = False

    @property
    def given(self) -> bool:
        """Whether anything was said at all."""
        return bool(self.source or self.humans or self.observe)

    @property
    def missing(self) -> str:
        """What is missing for enforcement, as options; empty when nothing is."""
        return " and ".join(
            option for option, value in (("--identity", self.source), ("--humans", self.humans)) if not value
        )

    @property
    def mode(self) -> str:
        """``enforce``, or ``observe``: without an identity or a human nobody could write the trusted ref any more."""
        return "observe" if self.observe or self.missing else "enforce"


def parse_humans(text: str) -> tuple[str, ...]:
    """The names in a comma-separated list, in order, once each.

    Raises:
        UsageError: a name is empty or holds a space, a quote or a control character.
    """
    names: list[str] = []
    for raw in text.split(","):
        name = raw.strip()
        if not name or not name.isprintable() or any(char in name for char in " \"'"):
            raise UsageError(f"--humans {text!r}: {name!r} is no login name", fix="write them as --humans alice,bob")
        if name not in names:
            names.append(name)
    return tuple(names)


WHO = {
    "ssh": "GATEKEEPER_ACTOR, which the forced command `gatekeeper serve NAME` sets for each key",
    "http": "REMOTE_USER, which git-http-backend hands on from the web server's login",
    "none": "nobody is known: every push is judged as an agent's",
}

TEMPLATE = """\
# Gatekeeper's policy for this repository. It is read for every push, from this file only: no push can change it.
# `gatekeeper install` wrote it and will not touch it again once you have edited it.
# Check an edit with: gatekeeper doctor {repository}

version = 1

# "enforce" refuses what breaks a budget. "observe" judges and prints everything, and refuses nothing.
mode = "{mode}"

[identity]
# Who is pushing. "ssh": {ssh}.
# "http": {http}. "none": {none}.
source = "{source}"

[lanes]
# Who may write the trusted branch and the contracts. Everybody else is an agent and may write refs/heads/agent/** only.
{humans}
"""


def text(choice: Choice, repository: str) -> bytes:
    """The policy file for ``choice``, with ``repository`` named in its comments."""
    shown = repository if repository.isprintable() else ascii(repository)
    row = f"human = [{', '.join(json.dumps(name, ensure_ascii=False) for name in choice.humans)}]"
    return TEMPLATE.format(
        repository=shown,
        mode=choice.mode,
        source=choice.source or "none",
        # The policy refuses names that no identity source can report: they wait in a comment.
        humans=row if choice.source else f"# {row}",
        **WHO,
    ).encode()


def must_parse(content: bytes, where: str) -> Layer:
    """Read ``content`` as the hook will: a policy that it would choke on must not be installed.

    Raises:
        PolicyError: every fault, by key path.
    """
    from gatekeeper.checks import CODES
    from gatekeeper.policy.parse import parse_policy

    return parse_policy(content, where, codes=CODES, server=True)
