"""Plain OpenSSH with a forced command: ``command="gatekeeper serve ACTOR"`` in ``authorized_keys`` (sshd(8)).

The forced command sets ``GATEKEEPER_ACTOR`` after it has dropped whatever the client sent, and sshd passes on only what
``AcceptEnv`` names; without the forced command there is no name and the push is judged as an agent's.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def actor_name(env: Mapping[str, str]) -> str | None:
    """The name that the forced command vouches for."""
    return env.get("GATEKEEPER_ACTOR")
