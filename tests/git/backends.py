"""The four ways to read a repository, opened alike, so that one suite can hold all of them to the port."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gatekeeper.git import open_store
from gatekeeper.git._layout import git_dir
from gatekeeper.git._pygit2 import Pygit2Store
from tests.adapters.memory import MemoryStore

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gatekeeper.git import ObjectStore
    from tests.support.git import Git

ON_DISK = ("fast", "plain", "dulwich")
EVERY_WAY = (*ON_DISK, "memory")


@contextmanager
def pygit2_not_imported() -> Iterator[None]:
    """Hide pygit2 for a while: its extension is loaded alone only where the package has not been imported."""
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "pygit2"}
    try:
        yield
    finally:
        sys.modules.update(hidden)


@contextmanager
def opened(way: str, git: Git, env: Mapping[str, str] | None = None) -> Iterator[ObjectStore]:
    """The repository in ``git.cwd``, read in one of the four ways, with the object directories of ``env``."""
    env = env or {}
    place = os.fsencode(git.cwd)
    store: ObjectStore
    if way == "memory":
        store = MemoryStore.load(git, env=env)
    elif way == "dulwich":
        store = open_store(place, env, "dulwich")
    elif way == "plain":
        store = Pygit2Store(git_dir(place), env, "plain")
    else:
        with pygit2_not_imported():
            store = Pygit2Store(git_dir(place), env, "fast")
    try:
        yield store
    finally:
        store.close()
