"""What a collection is: the invocation that it is of, and what was found."""

from __future__ import annotations

from gatekeeper._tuples import NamedTuple

EXACT, UNKNOWN, NOT_STATIC = "exact", "unknown", "not static"
"""The three verdicts on a function: every id is known; it is there, its ids are not known; something else decides."""


class Invocation(NamedTuple):
    """How pytest is run, which decides rootdir and nodeids: the contract records it.

    ``cwd`` is relative to the top of the tree; ``args`` are the words of the command line (paths, options);
    ``environment`` what ``PYTEST_ADDOPTS`` holds. ``plugins`` are distributions known to be installed beside pytest
    (``anyio``, ``pytest-asyncio``, ``hypothesis``). ``installed`` are modules that can be imported there, and with
    a ``!`` before them those that cannot (``pytz``, ``!pyarrow``): what ``try: import pytz`` does is then decided.
    """

    cwd: str = ""
    args: tuple[str, ...] = ()
    pytest: tuple[int, int] = (9, 2)
    python: tuple[int, int] = (3, 11)
    platform: str = "linux"
    addopts: str = ""
    plugins: tuple[str, ...] = ()
    installed: tuple[str, ...] = ()


class Found(NamedTuple):
    """One function, method or doctest that pytest collects.

    ``node`` is its nodeid without parameters; ``ids`` what follows it, in pytest's order: ``("[a]", "[b]")``, ``("",)``
    for a plain one; none where the verdict is not ``exact``. ``conditions`` say on what its presence depends,
    ``reason`` why its ids are unknown or not static. ``path`` is the file and ``line`` the line of its definition.
    """

    node: str
    verdict: str
    ids: tuple[str, ...] = ("",)
    reason: str = ""
    conditions: tuple[str, ...] = ()
    path: str = ""
    line: int = 0

    @property
    def nodeids(self) -> list[str]:
        """The whole nodeids, in order."""
        return [self.node + text for text in self.ids]


class Trouble(NamedTuple):
    """A file or scope that pytest would stop at (a collection error), or that static reading cannot judge."""

    path: str
    reason: str
    line: int = 0


class Collected(NamedTuple):
    """All of one invocation: what was found in pytest's order, what fails to collect, what is not static.

    ``rootdir`` is relative to the top of the tree, ``config`` the path of the configuration file that counts.
    """

    found: tuple[Found, ...]
    errors: tuple[Trouble, ...] = ()
    opaque: tuple[Trouble, ...] = ()
    rootdir: str = ""
    config: str | None = None
    deselected: int = 0
