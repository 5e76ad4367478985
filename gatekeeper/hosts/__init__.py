"""Who is pushing: one adapter a transport; the policy says which is asked, the environment never does."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.hosts import http, ssh
from gatekeeper.model import Actor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Adapter = Callable[[Mapping[str, str]], str | None]

_ADAPTERS: dict[str, Adapter] = {"ssh": ssh.actor_name, "http": http.actor_name}
_MAX_NAME = 255


def identify(source: str, env: Mapping[str, str]) -> Actor:
    """The actor that the transport named by ``source`` vouches for; without an adapter or a usable name, nobody."""
    adapter = _ADAPTERS.get(source)
    name = None if adapter is None else adapter(env)
    usable = name is not None and 0 < len(name) <= _MAX_NAME and name.isprintable()
    return Actor(name if usable else None, source)
