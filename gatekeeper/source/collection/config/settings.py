"""What a setting means: pytest's own ones with their types and defaults, and the text of any other."""

from __future__ import annotations

import shlex

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.config.errors import Refused

if TYPE_CHECKING:
    from gatekeeper.source.collection.config.files import Setting, Table

WORDS, LINES, PATHS, BOOL, TEXT = "args", "linelist", "paths", "bool", "string"

OPTIONS: dict[str, tuple[str, object]] = {
    "addopts": (WORDS, []),
    "collect_imported_tests": (BOOL, True),
    "consider_namespace_packages": (BOOL, False),
    "disable_test_id_escaping_and_forfeit_all_rights_to_community_support": (BOOL, False),
    "doctest_encoding": (TEXT, "utf-8"),
    "doctest_optionflags": (WORDS, ["ELLIPSIS"]),
    "empty_parameter_set_mark": (TEXT, ""),
    "filterwarnings": (LINES, []),
    "markers": (LINES, []),
    "minversion": (TEXT, ""),
    "norecursedirs": (WORDS, ["*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}"]),
    "parametrize_long_str_id_strategy": (TEXT, "short"),
    "python_classes": (WORDS, ["Test"]),
    "python_files": (WORDS, ["test_*.py", "*_test.py"]),
    "python_functions": (WORDS, ["test"]),
    "pythonpath": (PATHS, []),
    "required_plugins": (WORDS, []),
    "strict": (BOOL, False),
    "strict_config": (BOOL, None),
    "strict_markers": (BOOL, None),
    "strict_parametrization_ids": (BOOL, None),
    "strict_xfail": (BOOL, None),
    "testpaths": (WORDS, []),
    "usefixtures": (WORDS, []),
}
"""Name to type and default: those that decide what is collected and what it is called, and what a run of it means."""

READ_FIRST = (
    "addopts",
    "filterwarnings",
    "markers",
    "minversion",
    "norecursedirs",
    "python_classes",
    "python_files",
    "python_functions",
    "pythonpath",
    "required_plugins",
    "testpaths",
    "usefixtures",
)
"""What every run reads: a wrong kind ends it before anything is collected."""

SINCE = {
    "collect_imported_tests": (8, 4),
    "consider_namespace_packages": (8, 1),
    "parametrize_long_str_id_strategy": (9, 2),
    "strict": (9, 0),
    "strict_config": (9, 0),
    "strict_markers": (9, 0),
    "strict_parametrization_ids": (9, 0),
}
"""Older versions do not know these and go by the default."""

ALIASES = {"strict_xfail": "xfail_strict"}
"""The name under which a setting was known before 9.0, and still is."""

TRUE, FALSE = {"y", "yes", "t", "true", "on", "1"}, {"n", "no", "f", "false", "off", "0"}


def value(table: Table, name: str, version: tuple[int, int]) -> object:
    """What pytest takes setting ``name`` for; raises :class:`Refused` where it is of the wrong kind."""
    kind, default = OPTIONS[name]
    setting = None if version < SINCE.get(name, (0, 0)) else chosen(table, name)
    if setting is None:
        return default
    try:
        return _native(kind, setting.value) if setting.native else _written(kind, setting.value)
    except (TypeError, ValueError) as error:
        raise Refused(f"setting {name}: {error}") from error


def chosen(table: Table, name: str) -> Setting | None:
    """The setting under its name or the older one: what ``-o`` says first, then the name before the older one."""
    found = [table[known] for known in (name, ALIASES.get(name, "")) if known in table]
    return max(found, key=lambda setting: setting.override, default=None)


def _written(kind: str, given: object) -> object:
    """A value of INI mode: text, or a list where TOML holds it."""
    if kind in {WORDS, PATHS}:
        return shlex.split(given) if isinstance(given, str) else _texts(given)
    if kind == LINES:
        return [line.strip() for line in given.split("\n") if line.strip()] if isinstance(given, str) else _texts(given)
    if kind == BOOL:
        word = str(given).strip().lower()
        if word not in TRUE | FALSE:
            raise ValueError(f"invalid truth value {word!r}")
        return word in TRUE
    return given


def _native(kind: str, given: object) -> object:
    """A value of TOML mode: of exactly its type."""
    if kind in {WORDS, LINES, PATHS}:
        return _texts(given)
    if not isinstance(given, bool if kind == BOOL else str):
        raise TypeError(f"expects a {kind}, got {given!r}")
    return given


def _texts(given: object) -> list[str]:
    if not isinstance(given, list):
        raise TypeError(f"expects a list, got {given!r}")
    for item in given:
        if not isinstance(item, str):
            raise TypeError(f"expects a list of strings, got {item!r} in it")
    return list(given)


def shown(setting: Setting) -> str:
    """A setting as text, for those who compare configurations."""
    given = setting.value
    return "\n".join(str(item) for item in given) if isinstance(given, list) else str(given)
