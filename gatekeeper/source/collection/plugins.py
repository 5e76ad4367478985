"""The plugins in force: pytest's own, those of the tree, and others that are known to leave nodeids alone."""

from __future__ import annotations

import shlex
import tomllib

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.config.errors import Refused
from gatekeeper.source.collection.config.ini import IniError, read_ini
from gatekeeper.source.collection.config.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gatekeeper.source.collection.config import Config
    from gatekeeper.source.collection.scope import Evaluator
    from gatekeeper.source.collection.tree import Tree
    from gatekeeper.source.evaluate.values import Module

OWN = words("""
    mark main runner fixtures helpconfig python terminal debugging unittest capture skipping legacypath tmpdir
    monkeypatch recwarn pastebin assertion junitxml doctest cacheprovider setuponly setupplan stepwise
    unraisableexception threadexception warnings logging reports faulthandler subtests pytester pytester_assertions
    nose python_path freeze_support logging-plugin terminalreporter
""")
"""pytest's own plugins."""

HARMLESS = words("""
    xdist cov pytest_cov pytest_cov.plugin xdist.plugin xdist.looponfail pytest_timeout timeout pytest_mock mock
    hypothesis hypothesispytest _hypothesis_pytestplugin hypothesis.extra.pytestplugin pytest_asyncio asyncio
    pytest_asyncio.plugin anyio anyio.pytest_plugin pytest_trio trio pytest_randomly randomly pytest_random_order
    rerunfailures pytest_rerunfailures flaky flaky.flaky_pytest_plugin pytest_sugar sugar pytest_html html
    pytest_metadata metadata pytest_benchmark benchmark pytest_django django pytest_django.plugin pytest_subtests
    pytest_httpserver pytest_httpx pytest_httpbin httpbin pytest_responses pytest_socket socket pytest_env env
    pytest_dotenv pytest_freezer pytest_freezegun freezegun time_machine pytest_datadir datadir pytest_regressions
    regressions syrupy pytest_snapshot inline_snapshot pytest_insta pytest_instafail instafail pytest_memray memray
    pytest_profiling pytest_durations pytest_split pytest_forked forked pytest_order pytest_dependency
    pytest_ordering pytest_localserver localserver pytest_aiohttp aiohttp pytest_aiohttp.plugin pytest_tornado
    tornado pytest_tornasync pytest_twisted twisted pytest_flask flask pytest_docker docker pytest_postgresql
    pytest_redis pytest_mypy_plugins pytest_xvfb xvfb pytest_qt qt pytestqt pytest_console_scripts pytest_subprocess
    pytest_examples pytest_run_parallel pytest_reportlog reportlog pytest_json_report
    pytest_github_actions_annotate_failures pytest_pretty pytest_rich pytest_clarity pytest_icdiff pytest_picked
    pytest_monitor pytest_shutil pytest_virtualenv pytest_mpl pytest_arraydiff pytest_astropy_header
    pytest_openfiles pytest_filter_subpackage pytest_remotedata pytest_cython pytest_lazy_fixtures
    pytest_custom_exit_code pytest_recording pytest_vcr vcr pytest_codspeed pytest_celery celery pytest_cookies
    pytest_click click pytest_faker faker pytest_factoryboy pytest_watch nbval.noop
""")
"""Plugins, by module or entry point, that neither make, rename nor drop items unless they are told to."""

MODELLED = frozenset({"anyio", "hypothesis", "hypothesispytest"})
"""Plugins whose effects the collector knows: the project's own source of one is not asked."""

MULTIPLY = {"--count": "pytest-repeat", "--flake-finder": "pytest-flakefinder", "--splits": "pytest-split"}
"""Options that multiply or split a collection when they are given."""


class Plugins(NamedTuple):
    """``modules`` are those of the tree, in the order of loading; ``opaque`` the names of those that cannot be read."""

    modules: tuple[Module, ...] = ()
    opaque: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    """Every plugin that ``-p`` and ``pytest_plugins`` name."""


def entry_points(tree: Tree, config: Config) -> dict[str, str]:
    """The project's own ``pytest11`` entry points, which its installation brings into force: name to module."""
    found: dict[str, str] = {}
    for base in dict.fromkeys((config.rootdir, "")):
        found.update(_from_pyproject(tree.read(f"{base}/pyproject.toml" if base else "pyproject.toml")))
        found.update(_from_setup_cfg(tree.read(f"{base}/setup.cfg" if base else "setup.cfg")))
    return {name: module.partition(":")[0].strip() for name, module in found.items()}


def _from_pyproject(data: bytes | None) -> dict[str, str]:
    if data is None or b"pytest11" not in data:
        return {}
    try:
        table: object = tomllib.loads(data.decode())
    except (ValueError, RecursionError):
        return {}
    found: dict[str, str] = {}
    for keys in (("project", "entry-points", "pytest11"), ("tool", "poetry", "plugins", "pytest11")):
        inner = table
        for key in keys:
            inner = inner.get(key) if isinstance(inner, dict) else None
        if isinstance(inner, dict):
            found.update((str(name), str(module)) for name, module in inner.items())
    return found


def _from_setup_cfg(data: bytes | None) -> dict[str, str]:
    if data is None or b"pytest11" not in data:
        return {}
    try:
        section = read_ini(data.decode()).get("options.entry_points", {})
    except (ValueError, IniError):
        return {}
    lines = [line.partition("=") for line in section.get("pytest11", "").split("\n")]
    return {name.strip(): module.strip() for name, equals, module in lines if equals}


def load_plugins(
    tree: Tree,
    config: Config,
    interpreter: Evaluator,
    load: Callable[[str], Module | None],
    sources: Iterable[Module],
) -> Plugins:
    """All plugins of ``-p``, of the project's own entry points, and of ``pytest_plugins`` in ``sources``.

    ``load`` gives the module of a dotted name where the tree has it.
    """
    own = entry_points(tree, config)
    blocked = set(config.blocked)
    names = [*config.plugins, *(own if not config.options.has("--disable-plugin-autoload") else ())]
    opaque: dict[str, None] = dict.fromkeys(
        name for name in (*config.invocation.plugins, *required(config)) if not harmless(name) and name not in own
    )
    for source in sources:
        _specified(interpreter, source, names, opaque)
    modules: dict[str, Module] = {}
    seen: list[str] = []
    while names:
        name = names.pop(0)
        if name in seen or name in OWN or name in blocked:
            continue
        seen.append(name)
        module = None if _top(name) in MODELLED else load(own.get(name, name))
        if module is None:
            if not harmless(name):
                opaque[name] = None
        elif module.path not in modules:
            modules[module.path] = module
            _specified(interpreter, module, names, opaque)
    return Plugins(tuple(modules.values()), tuple(opaque), tuple(seen))


def harmless(name: str) -> bool:
    """Whether a plugin, by module, entry point or distribution, is known to leave nodeids alone."""
    plain = name.lower().replace("-", "_")
    return plain in HARMLESS or _top(plain) in HARMLESS or plain.removeprefix("pytest_") in HARMLESS


def _top(name: str) -> str:
    return name.partition(".")[0]


def _specified(interpreter: Evaluator, module: Module, names: list[str], opaque: dict[str, None]) -> None:
    """Adds what ``pytest_plugins`` of a module names."""
    binding = module.namespace.get("pytest_plugins")
    if binding is None:
        return
    value = binding.value
    found: object = [part.strip() for part in value.split(",")] if isinstance(value, str) else interpreter.items(value)
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        opaque[f"pytest_plugins of {module.path}"] = None
        return
    names.extend(str(name) for name in found if name)


def multiplied(config: Config) -> str | None:
    """The plugin that an option makes multiply or split the collection, if one is given."""
    return next((f"{plugin} ({name})" for name, plugin in MULTIPLY.items() if config.options.has(name)), None)


def required(config: Config) -> list[str]:
    """The distributions that ``required_plugins`` names, without versions."""
    found = []
    for word in config.words("required_plugins"):
        try:
            name = shlex.split(word)[0]
        except (ValueError, IndexError) as error:
            raise Refused(f"required_plugins: {word!r}", config.file or "") from error
        for mark in "<>=!~[; ":
            name = name.split(mark)[0]
        found.append(name)
    return found
