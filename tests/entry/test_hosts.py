"""Who is pushing: the adapter that the policy names is asked, and nothing else of the environment is believed."""

from __future__ import annotations

import pytest

from gatekeeper.hosts import identify, ssh
from gatekeeper.hosts.http import actor_name as by_http
from gatekeeper.model import Actor

EVERYTHING = {"GATEKEEPER_ACTOR": "bot", "REMOTE_USER": "alice", "USER": "root", "GIT_COMMITTER_NAME": "carol"}


@pytest.mark.parametrize(
    ("source", "name"), [("ssh", "bot"), ("http", "alice"), ("none", None), ("", None), ("SSH", None), ("ldap", None)]
)
def test_only_the_named_source_is_asked(source: str, name: str | None) -> None:
    assert identify(source, EVERYTHING) == Actor(name, source)


@pytest.mark.parametrize("source", ["ssh", "http", "none"])
def test_who_is_not_named_is_nobody(source: str) -> None:
    assert identify(source, {}) == Actor(None, source)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a\nb",
        "alice\n",
        "alice\0",
        "\x1b[31malice",
        "alice\r",
        "\udcff",
        "\u202ealice",
        "\xa0",
        "x" * 256,
        "\u200balice",
    ],
)
def test_a_name_that_cannot_be_shown_is_no_name(name: str) -> None:
    """Two names that look the same, or that forge a line of the answer, must not be told apart by a policy."""
    assert identify("ssh", {"GATEKEEPER_ACTOR": name}).name is None
    assert identify("http", {"REMOTE_USER": name}).name is None


@pytest.mark.parametrize("name", ["alice", "a b", " alice", "alice@example.invalid", "é", "x" * 255, "0"])
def test_any_other_name_is_taken_as_it_is(name: str) -> None:
    assert identify("ssh", {"GATEKEEPER_ACTOR": name}) == Actor(name, "ssh")


def test_the_adapters() -> None:
    assert ssh.actor_name(EVERYTHING) == "bot"
    assert by_http(EVERYTHING) == "alice"
    assert ssh.actor_name({}) is by_http({}) is None
