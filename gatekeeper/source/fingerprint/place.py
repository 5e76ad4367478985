"""A session as fingerprints see it: its files, where imports lead, and what surrounds the tests of a file."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.files import DIRECTORY, FILE
from gatekeeper.source.fingerprint.settings import effective

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gatekeeper.source.collection.engine import Engine
    from gatekeeper.source.collection.session import Session
    from gatekeeper.source.files import Item

_STARTS = ("", "src", "lib", "python")


class Around(NamedTuple):
    """What surrounds the tests of one file: sources as path and dotted name, the outermost first.

    ``others`` are conftest files elsewhere, whose hooks may act on the whole session; ``roots`` is where imports start.
    """

    conftests: tuple[tuple[str, str], ...]
    plugins: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str], ...]
    config: Mapping[str, str]
    config_path: str
    roots: tuple[str, ...]


class Place:
    """The tree of a session with its links followed; where the configuration is refused, nothing is known of it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._engine: Engine | None = session.engine
        self._around: dict[str, Around] = {}

    @property
    def known(self) -> bool:
        """Whether pytest would get as far as looking for tests."""
        return self._engine is not None

    def kind(self, path: str) -> str | None:
        """What a path leads to; see :class:`~gatekeeper.source.files.Files`."""
        engine = self._engine
        if engine is None:
            return None
        return FILE if engine.tree.is_file(path) else DIRECTORY if engine.tree.is_directory(path) else None

    def read(self, path: str) -> bytes | None:
        """See :class:`~gatekeeper.source.files.Files`."""
        return self._engine.tree.read(path) if self._engine is not None else None

    def list(self, path: str) -> tuple[Item, ...]:
        """See :class:`~gatekeeper.source.files.Files`."""
        return tuple(self._engine.tree.entries(path)) if self._engine is not None else ()

    def search(self, name: str, importer: str) -> str | None:
        """The file that a dotted name means for the source at ``importer``."""
        return self._session.find(name, importer)

    def parse(self, data: bytes) -> ast.Module:
        """The syntax of a source, which the session may have already; raises what ``ast.parse`` raises."""
        return self._engine.interpreter.parse(data) if self._engine is not None else ast.parse(data)

    def around(self, path: str) -> Around:
        """What surrounds the tests of the file at ``path``."""
        directory = path.rpartition("/")[0]
        if directory not in self._around:
            assert self._engine is not None  # noqa: S101 (whoever has a path has a session that collects)
            self._around[directory] = _around(self._engine, path)
        return self._around[directory]


def _around(engine: Engine, path: str) -> Around:
    directory = path.rpartition("/")[0]
    chain = engine.conftests.chain(directory)
    mine = {module.path for module in chain}
    others = [path for path in _conftests(engine) if path not in mine]
    config = engine.config
    places = {*_STARTS, config.rootdir, config.invocation.cwd, directory, *engine.imports.roots(path)}
    return Around(
        conftests=tuple((module.path, module.name) for module in chain),
        plugins=tuple((module.path, module.name) for module in engine.plugins.modules),
        others=tuple((path, path.removesuffix(".py").replace("/", ".")) for path in others),
        config={**effective(config.texts), "file": config.file or ""},
        config_path=config.file or "",
        roots=tuple(sorted(place for place in places if engine.tree.is_directory(place))),
    )


def _conftests(engine: Engine) -> list[str]:
    """Every conftest file that a whole run reads."""
    found = []
    for directory in engine.outline.directories:
        path = f"{directory}/conftest.py" if directory else "conftest.py"
        if engine.tree.is_file(path):
            found.append(path)
    return found
