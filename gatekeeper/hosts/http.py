"""Smart HTTP: the web server's authenticated user arrives as ``REMOTE_USER`` (git-http-backend(1))."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def actor_name(env: Mapping[str, str]) -> str | None:
    """The user that the web server authenticated."""
    return env.get("REMOTE_USER")
