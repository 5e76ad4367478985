"""The seven files that can configure pytest: which of them counts, and what it says."""

from __future__ import annotations

import tomllib

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.config.errors import Refused
from gatekeeper.source.collection.config.ini import IniError, read_ini

if TYPE_CHECKING:
    from gatekeeper.source.collection.tree import Tree

Table = dict[str, "Setting"]


class Setting(NamedTuple):
    """One value as written; ``native`` where TOML's own types hold, else text or a list of texts.

    ``override`` is set for what ``-o`` says, which wins over the file also under another name.
    """

    value: object
    native: bool = False
    override: bool = False


def names(version: tuple[int, int]) -> tuple[str, ...]:
    """The files that pytest looks for, the strongest first."""
    own = ("pytest.toml", ".pytest.toml") if version >= (9, 0) else ()
    return (*own, "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")


def load(tree: Tree, path: str, version: tuple[int, int]) -> Table | None:
    """What the file ``path`` configures, None where it does not count; raises :class:`Refused`."""
    name = path.rpartition("/")[2]
    if name.endswith(".ini"):
        own = {"pytest.ini"} if version < (9, 0) else {"pytest.ini", ".pytest.ini"}
        return _section(_ini(tree, path), "pytest", {} if name in own else None)
    if name.endswith(".cfg"):
        sections = _ini(tree, path)
        if "tool:pytest" not in sections and "pytest" in sections:
            raise Refused("[pytest] section in setup.cfg is no longer supported, change it to [tool:pytest]", path)
        return _section(sections, "tool:pytest", None)
    if name.endswith(".toml"):
        return _toml(_document(tree, path), path, version)
    return None


def _text(tree: Tree, path: str) -> str:
    try:
        return (tree.read(path) or b"").decode()
    except UnicodeDecodeError as error:
        raise Refused("the file is not UTF-8", path) from error


def _ini(tree: Tree, path: str) -> dict[str, dict[str, str]]:
    try:
        return read_ini(_text(tree, path))
    except IniError as error:
        raise Refused(str(error), path) from error


def _section(sections: dict[str, dict[str, str]], name: str, absent: Table | None) -> Table | None:
    if name not in sections:
        return absent
    return {key: Setting(value) for key, value in sections[name].items()}


def _document(tree: Tree, path: str) -> dict[str, object]:
    try:
        return tomllib.loads(_text(tree, path).replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Refused(f"not TOML: {error}", path) from error


def _toml(document: dict[str, object], path: str, version: tuple[int, int]) -> Table | None:
    """A TOML file by its name: pytest's own, ``pyproject.toml``, or any that ``-c`` names."""
    name = path.rpartition("/")[2]
    own = name in {"pytest.toml", ".pytest.toml"}
    if version < (9, 0):
        return _ini_options(_table(document, path, "tool", "pytest"), path)
    if own:
        return _pytest_table(document, path, version) or {}
    found = _tool_pytest(document, path)
    if name == "pyproject.toml" or version < (9, 2):
        return found
    if found is None:
        return _pytest_table(document, path, version)
    if "pytest" in document:
        raise Refused("both [pytest] and [tool.pytest] in the same file", path)
    return found


def _pytest_table(document: dict[str, object], path: str, version: tuple[int, int]) -> Table | None:
    if "pytest" in document:
        return _native(_table(document, path, "pytest"))
    loose = [key for key, value in document.items() if not isinstance(value, dict)]
    if loose and version >= (9, 2):
        raise Refused(f"options outside of the [pytest] table: {', '.join(loose)}", path)
    return None


def _tool_pytest(document: dict[str, object], path: str) -> Table | None:
    table = _table(document, path, "tool", "pytest")
    native = {key: value for key, value in table.items() if key != "ini_options"}
    if native and table.get("ini_options"):
        raise Refused("both [tool.pytest] and [tool.pytest.ini_options]: pytest takes one of them", path)
    return _native(native) if native else _ini_options(table, path)


def _ini_options(table: dict[str, object], path: str) -> Table | None:
    if table.get("ini_options") is None:
        return None
    options = _table(table, path, "ini_options")
    return {key: Setting(value if isinstance(value, list) else str(value)) for key, value in options.items()}


def _native(table: dict[str, object]) -> Table:
    return {key: Setting(value, native=True) for key, value in table.items()}


def _table(document: dict[str, object], path: str, *keys: str) -> dict[str, object]:
    """The table under ``keys``, empty where there is none; pytest crashes where something else is."""
    for key in keys:
        found = document.get(key, {})
        if not isinstance(found, dict):
            raise Refused(f"[{key}] is not a table", path)
        document = found
    return document
