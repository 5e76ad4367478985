"""What all files of one session share: configuration, imports, conftest.py files, plugins, and what they do."""

from __future__ import annotations

from functools import cached_property

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.arguments import arguments
from gatekeeper.source.collection.claims import Claims
from gatekeeper.source.collection.config import Refused, read_config
from gatekeeper.source.collection.conftests import Conftests
from gatekeeper.source.collection.effects import Reach, reach
from gatekeeper.source.collection.imports import Imports
from gatekeeper.source.collection.memory import Memory
from gatekeeper.source.collection.outline import Outline
from gatekeeper.source.collection.plugins import Plugins, load_plugins, multiplied
from gatekeeper.source.collection.registered import is_strict, registered, unregistered
from gatekeeper.source.collection.scope import Scope, Settings
from gatekeeper.source.collection.select import Selection
from gatekeeper.source.collection.walk import MODULE, Walk
from gatekeeper.source.evaluate.interpreter import Interpreter
from gatekeeper.source.files import DIRECTORY

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from gatekeeper.source.collection.items import Invocation
    from gatekeeper.source.collection.modules import Item
    from gatekeeper.source.collection.scope import Gathered
    from gatekeeper.source.collection.tree import Tree
    from gatekeeper.source.collection.walk import Spot
    from gatekeeper.source.evaluate.values import Module

    Examined = tuple[Scope, list[Item], Gathered]


class Engine:
    """A session whose configuration and arguments make sense; raises ``Refused`` where they do not."""

    def __init__(
        self, tree: Tree, invocation: Invocation, steps: int, parsed: dict[bytes, ast.Module] | None = None
    ) -> None:
        self.tree = tree
        self.config = read_config(tree, invocation)
        self.arguments = arguments(tree, self.config)
        self.selection = Selection(self.config)
        self.imports = Imports(tree, self.config)
        self.interpreter = Interpreter(
            tree,
            self.imports.search,
            python=invocation.python,
            platform=invocation.platform,
            steps=steps,
            parsed=parsed,
            installed=invocation.installed,
        )
        self.interpreter.cwd = invocation.cwd
        self.conftests = Conftests(tree, self.config, self.interpreter, self.interpreter.load)
        self.walk = Walk(tree, self.config, self.arguments, self.conftests)
        self.examined: dict[tuple[str, str], Examined] = {}
        """What was looked up before, by path and kind: properties tend to stand beside each other."""
        self.told: set[str] = set()
        """Why parts of the session are not static, as far as somebody was told."""
        self.given = frozenset(argument.path for argument in self.arguments)
        for module in self._sources():
            if module.error is not None:
                raise Refused(f"it cannot be imported: {module.error}", module.path)
        self.conftests.plugins = self.plugins.modules
        self.conftests.initial = frozenset(module.path for module in self._sources())

    @cached_property
    def plugins(self) -> Plugins:
        """The plugins that are in force everywhere."""
        return load_plugins(self.tree, self.config, self.interpreter, self._module_named, self._sources())

    def _initial(self, path: str) -> Iterator[Module]:
        """The conftest modules that are loaded first: those above an argument, and of its test directories."""
        directory = path if self.tree.is_directory(path) else path.rpartition("/")[0]
        yield from self.conftests.chain(directory)
        if directory == path:
            for item in self.tree.entries(directory):
                if item.kind == DIRECTORY and item.name.startswith("test"):
                    yield from self.conftests.chain(f"{directory}/{item.name}" if directory else item.name)

    def _module_named(self, name: str) -> Module | None:
        path = self.imports.search(name, None)
        return self.interpreter.load(path, name) if path is not None else None

    @cached_property
    def settings(self) -> Settings:
        """What decides on functions and ids."""
        config, invocation = self.config, self.config.invocation
        return Settings(
            pytest=invocation.pytest,
            python=invocation.python,
            python_classes=tuple(config.words("python_classes")),
            python_functions=tuple(config.words("python_functions")),
            usefixtures=tuple(config.words("usefixtures")),
            collect_imported_tests=config.flag("collect_imported_tests"),
            strict_ids=config.flag("strict_parametrization_ids"),
            long_ids=str(config.setting("parametrize_long_str_id_strategy")),
            empty_sets=str(config.setting("empty_parameter_set_mark")) or "skip",
            raw_ids=config.flag("disable_test_id_escaping_and_forfeit_all_rights_to_community_support"),
            plugins=(*invocation.plugins, *self.plugins.named),
            blocked=config.blocked,
            anyio_auto=config.texts.get("anyio_mode", "").strip() == "auto",
        )

    @cached_property
    def memory(self) -> Memory:
        """What the modules share."""
        return Memory(self.interpreter, self.settings)

    @cached_property
    def outline(self) -> Outline:
        """What the listings say."""
        return Outline(self.tree, self.config, self.arguments)

    @cached_property
    def everywhere(self) -> tuple[Module, ...]:
        """The conftest modules, wherever they are, whose hooks get hold of all items at once."""
        return tuple(module for path in self.outline.deciding() for module in self.conftests.chain(path)[-1:])

    def scope(self, spot: Spot, prefix: str, path: str, name: str) -> Scope:
        """What surrounds the module of a file: ``path`` is where its source is, ``name`` what it is imported as."""
        module = self.interpreter.load(path, name)
        plugins = self.plugins
        if "pytest_plugins" in module.namespace:
            plugins = load_plugins(
                self.tree, self.config, self.interpreter, self._module_named, [*self._sources(), module]
            )
        return Scope(
            interpreter=self.interpreter,
            module=module,
            prefix=prefix,
            conftests=self.conftests.chain(spot.path.rpartition("/")[0]),
            plugins=plugins.modules,
            settings=self.settings,
            opaque=plugins.opaque,
            memory=self.memory,
        )

    def _sources(self) -> list[Module]:
        """The conftest modules of all arguments that are loaded first."""
        return [module for argument in self.arguments for module in self._initial(argument.path)]

    @cached_property
    def marks(self) -> frozenset[str] | None:
        """The marks that are registered, None where pytest does not mind others."""
        if not is_strict(self.config):
            return None
        modules = (*self._sources(), *self.plugins.modules)
        return registered(self.config, (self.tree.read(module.path) or b"" for module in modules))

    def reach(self, spot: Spot, scope: Scope) -> Reach:
        """What conftest.py files and plugins do to the nodeids of this file."""
        option = multiplied(self.config)
        opaque = scope.opaque if option is None else (*scope.opaque, option)
        modules = dict.fromkeys((*scope.plugins, *scope.conftests, *self.everywhere))
        conditions = spot.conditions
        if self.marks is not None and spot.kind == MODULE:
            conditions = (*conditions, *unregistered(self.tree.read(spot.path) or b"", self.marks))
        return reach(self.conftests, tuple(modules), opaque, conditions)

    def claimed(self, path: str) -> tuple[str, str] | str:
        """What the module name of ``path`` stands for when its turn comes."""
        claims = Claims(self.tree, self.config)
        for other in self.outline.before(path):
            if not isinstance(self.walk.reach(other), str):
                claims.claim(other)
        return claims.claim(path)
