"""The configuration that one invocation has in effect."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.config import settings
from gatekeeper.source.collection.config.errors import Refused as Refused
from gatekeeper.source.collection.config.files import Setting
from gatekeeper.source.collection.config.globs import expand
from gatekeeper.source.collection.config.locate import locate
from gatekeeper.source.collection.config.options import VACUOUS, Options, parse
from gatekeeper.source.collection.config.paths import resolve

if TYPE_CHECKING:
    from gatekeeper.source.collection.config.files import Table
    from gatekeeper.source.collection.config.locate import Located
    from gatekeeper.source.collection.items import Invocation
    from gatekeeper.source.collection.tree import Tree

STRICT = {"--strict": "strict", "--strict-config": "strict_config", "--strict-markers": "strict_markers"}
MODES = ("prepend", "append", "importlib")


@dataclass(frozen=True, slots=True)
class Config:
    """What pytest goes by: ``options`` of all words together, ``args`` the paths to collect, ``table`` the settings.

    ``file`` is the configuration file that counts; ``invocation`` what was asked for.
    """

    invocation: Invocation
    rootdir: str
    file: str | None
    table: Table
    options: Options
    args: tuple[str, ...]
    addopts: tuple[str, ...] = ()
    """The words that the file and the environment add."""
    texts: dict[str, str] = field(default_factory=dict)
    """All settings as text: for those who compare configurations."""

    @property
    def version(self) -> tuple[int, int]:
        """Pytest's major and minor version."""
        return self.invocation.pytest

    def setting(self, name: str) -> object:
        """The value of one of pytest's settings; raises :class:`Refused`."""
        return settings.value(self.table, name, self.version)

    def words(self, name: str) -> list[str]:
        """The value of a setting that is a list."""
        found = self.setting(name)
        return [str(word) for word in found] if isinstance(found, list) else []

    def flag(self, name: str) -> bool:
        """The value of a setting that is true or false; ``strict`` turns the strict ones on.

        One that is neither counts as not set: pytest reads it when a test asks for it, and fails then.
        """
        for known in (name, "strict"):
            try:
                found = self.setting(known)
            except Refused:
                continue
            if found is not None:
                return bool(found)
        return False

    @property
    def import_mode(self) -> str:
        """``prepend``, ``append`` or ``importlib``."""
        return self.options.last("--import-mode") or "prepend"

    @property
    def confcutdir(self) -> str:
        """Above this directory no conftest.py counts."""
        given = self.options.last("--confcutdir")
        if given is not None:
            return resolve(self.invocation.cwd, given)
        return self.file.rpartition("/")[0] if self.file is not None else self.rootdir

    @property
    def plugins(self) -> tuple[str, ...]:
        """The modules that ``-p`` loads."""
        return tuple(name for name in map(str.strip, self.options.all("-p")) if not name.startswith("no:"))

    @property
    def blocked(self) -> tuple[str, ...]:
        """The plugins that ``-p no:`` keeps out."""
        return tuple(name[3:] for name in map(str.strip, self.options.all("-p")) if name.startswith("no:"))

    @property
    def vacuous(self) -> tuple[str, ...]:
        """Why a run says nothing about any test: options that make it list or plan, with exit code 0 all the same."""
        return tuple(f"{name} {VACUOUS[name]}" for name, _ in self.options.given if name in VACUOUS)

    @property
    def base(self) -> str:
        """What settings of paths are relative to."""
        return self.file.rpartition("/")[0] if self.file is not None else self.invocation.cwd


def read_config(tree: Tree, invocation: Invocation) -> Config:
    """The effective configuration; raises :class:`Refused` where pytest would stop with a usage error."""
    cwd = resolve("", invocation.cwd)

    def exists(word: str) -> bool:
        try:
            return tree.kind(resolve(cwd, word.partition("::")[0])) is not None
        except Refused:
            return True

    words = [*_split(invocation.addopts, "PYTEST_ADDOPTS"), *invocation.args]
    first = parse(words, exists)
    located = locate(
        tree,
        cwd,
        first.args,
        file=first.last("-c", "--config-file"),
        rootdir=first.last("--rootdir") or None,
        version=invocation.pytest,
    )
    table = _override(located.table, first, invocation.pytest)
    added = _addopts(table, located, invocation.pytest)
    options = parse([*added, *words], exists)
    if invocation.pytest >= (9, 2):
        # Options of the file may override settings, once; before 9.2 only those of the command line did.
        table = _override(table, options, invocation.pytest)
    if (mode := options.last("--import-mode")) is not None and mode not in MODES:
        raise Refused(f"--import-mode={mode}: one of {', '.join(MODES)}", located.file or "")
    config = Config(
        invocation=invocation._replace(cwd=cwd),
        rootdir=located.rootdir,
        file=located.file,
        table=table,
        options=options,
        args=(),
        addopts=(*added, *_split(invocation.addopts, "PYTEST_ADDOPTS")),
        texts={name: settings.shown(setting) for name, setting in sorted(table.items())},
    )
    _check(config)
    return _with_args(tree, config)


def _split(text: str, where: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise Refused(f"{where}: {error}") from error


def _addopts(table: Table, located: Located, version: tuple[int, int]) -> list[str]:
    try:
        words = settings.value(table, "addopts", version)
    except Refused as error:
        raise Refused(error.reason, located.file or "") from error
    return [str(word) for word in words] if isinstance(words, list) else []


def _override(table: Table, options: Options, version: tuple[int, int]) -> Table:
    """``table`` with what ``-o`` and the strict options say."""
    changed = dict(table)
    for name, word in options.given:
        if name in {"-o", "--override-ini"}:
            key, equals, given = word.partition("=")
            if not equals:
                raise Refused(f"-o expects option=value, got {word!r}")
            changed[key] = Setting(given, override=True)
        elif name in STRICT and version >= (9, 0):
            changed[STRICT[name]] = Setting("true", override=True)
    return changed


def _check(config: Config) -> None:
    """What pytest reads before it collects must be of its kind, the version high enough."""
    for name in settings.READ_FIRST:
        try:
            config.setting(name)
        except Refused as error:
            raise Refused(error.reason, config.file or "") from error
    minimum = str(config.setting("minversion"))
    parts = [int(part) for part in minimum.split(".")[:2] if part.isdigit()]
    if minimum and tuple(parts) > config.version:
        raise Refused(f"the settings ask for pytest {minimum}", config.file or "")


def _with_args(tree: Tree, config: Config) -> Config:
    """The arguments, else the testpaths that match, else the directory of the invocation."""
    args = tuple(config.options.args)
    if not args and config.invocation.cwd == config.rootdir:
        args = tuple(found for pattern in config.words("testpaths") for found in expand(tree, config.rootdir, pattern))
    return Config(
        config.invocation,
        config.rootdir,
        config.file,
        config.table,
        config.options,
        args or (".",),
        config.addopts,
        config.texts,
    )
