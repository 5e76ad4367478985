"""What one file of a session gives, and what stands behind one nodeid of it."""

from __future__ import annotations

from functools import cached_property

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.absence import absent
from gatekeeper.source.collection.arguments import arguments
from gatekeeper.source.collection.claims import Claims
from gatekeeper.source.collection.config import Refused, read_config
from gatekeeper.source.collection.config.paths import beside
from gatekeeper.source.collection.conftests import Conftests
from gatekeeper.source.collection.doctests import Malformed, doctests, examples
from gatekeeper.source.collection.effects import Reach, reach
from gatekeeper.source.collection.imports import Imports
from gatekeeper.source.collection.items import EXACT, Found, Trouble
from gatekeeper.source.collection.modulenames import module_name
from gatekeeper.source.collection.modules import collect_module, target
from gatekeeper.source.collection.outline import Outline
from gatekeeper.source.collection.plugins import Plugins, load_plugins, multiplied
from gatekeeper.source.collection.scope import Gathered, Scope, Settings
from gatekeeper.source.collection.select import Labels, Selection
from gatekeeper.source.collection.target import Target
from gatekeeper.source.collection.walk import DIRECTORY_NODES, DOCTESTS, MODULE, TEXT, Walk, nodeid
from gatekeeper.source.evaluate.interpreter import Interpreter
from gatekeeper.source.files import DIRECTORY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.collection.items import Invocation
    from gatekeeper.source.collection.scope import Rows
    from gatekeeper.source.collection.tree import Tree
    from gatekeeper.source.collection.walk import Spot
    from gatekeeper.source.evaluate.values import Module


class Batch(NamedTuple):
    """What one collector of one file gives, after selection."""

    path: str
    found: tuple[Found, ...] = ()
    errors: tuple[Trouble, ...] = ()
    deselected: int = 0


class Wanted(NamedTuple):
    """A nodeid taken apart: what it begins with, its names, its parameters with their brackets."""

    path: str
    names: tuple[str, ...]
    parameters: str

    @classmethod
    def of(cls, text: str) -> Wanted:
        """Takes ``text`` apart: a bracket counts after the path only."""
        path, _, rest = text.partition("::")
        names, bracket, inside = rest.partition("[")
        return cls(path, tuple(names.split("::")) if names else (), bracket + inside)

    @property
    def node(self) -> str:
        """The nodeid without parameters."""
        return "::".join((self.path, *self.names))


class Engine:
    """A session whose configuration and arguments make sense; raises ``Refused`` where they do not."""

    def __init__(self, tree: Tree, invocation: Invocation, steps: int) -> None:
        self.tree = tree
        self.config = read_config(tree, invocation)
        self.arguments = arguments(tree, self.config)
        self.selection = Selection(self.config)
        self.imports = Imports(tree, self.config)
        self.interpreter = Interpreter(
            tree, self.imports.search, python=invocation.python, platform=invocation.platform, steps=steps
        )
        self.conftests = Conftests(tree, self.config, self.interpreter, self.interpreter.load)
        self.walk = Walk(tree, self.config, self.arguments, self.conftests)
        self.given = frozenset(argument.path for argument in self.arguments)
        for module in self._sources():
            if module.error is not None:
                raise Refused(f"it cannot be imported: {module.error}", module.path)
        self.conftests.plugins = self.plugins.modules

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
        )

    @cached_property
    def outline(self) -> Outline:
        """What the listings say."""
        return Outline(self.tree, self.config, self.arguments)

    @cached_property
    def everywhere(self) -> tuple[Module, ...]:
        """The conftest modules, wherever they are, whose hooks get hold of all items at once."""
        return tuple(module for path in self.outline.deciding() for module in self.conftests.chain(path)[-1:])

    def batches(self) -> Iterator[Batch]:
        """Every file in pytest's order."""
        missing = self._missing()
        if missing is not None:
            yield Batch(missing.path, errors=(missing,))
            return
        claims, spots = Claims(self.tree, self.config), self.walk.spots()
        if self.config.version < DIRECTORY_NODES:
            # A conftest.py that cannot be imported ended the whole run, wherever it was.
            spots = iter(() if (all_spots := list(spots)) and self.walk.errors else all_spots)
        for spot in spots:
            yield self.batch(spot, claims.claim(spot.path))
        if self.walk.errors:
            yield Batch("", errors=tuple(self.walk.errors))

    def _missing(self) -> Trouble | None:
        """The node that an argument names and that is not there: pytest collects nothing at all then."""
        for argument in self.arguments:
            if not argument.names:
                continue
            spots = self.walk.reach(argument.path)
            if isinstance(spots, str):
                return Trouble(argument.path, spots)
            claimed = self._claimed(argument.path)
            batches = [self.batch(spot, claimed, select=False) for spot in spots if spot.argument == argument]
            if batches and not any(batch.found for batch in batches):
                errors = [error for batch in batches for error in batch.errors]
                return errors[0] if errors else Trouble(argument.path, f"not found: {'::'.join(argument.names)}")
        return None

    def batch(self, spot: Spot, claimed: tuple[str, str] | str, *, select: bool = True) -> Batch:
        """What one collector gives: ``claimed`` is what its name stands for."""
        prefix = nodeid(self.config, spot.path, self.given)
        if spot.kind == TEXT:
            return self._text(spot, prefix)
        if isinstance(claimed, str):
            return Batch(spot.path, errors=(Trouble(spot.path, claimed),))
        scope = self.scope(spot, prefix, *claimed)
        if scope.module.error is not None:
            return Batch(spot.path, errors=(Trouble(spot.path, scope.module.error),))
        return self._selected(spot, scope, self._gathered(spot, scope), select=select)

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
        )

    def _sources(self) -> list[Module]:
        """The conftest modules of all arguments that are loaded first."""
        return [module for argument in self.arguments for module in self._initial(argument.path)]

    def reach(self, spot: Spot, scope: Scope) -> Reach:
        """What conftest.py files and plugins do to the nodeids of this file."""
        option = multiplied(self.config)
        opaque = scope.opaque if option is None else (*scope.opaque, option)
        modules = dict.fromkeys((*scope.plugins, *scope.conftests, *self.everywhere))
        return reach(self.conftests, tuple(modules), opaque, spot.conditions)

    def _selected(self, spot: Spot, scope: Scope, gathered: Gathered, *, select: bool = True) -> Batch:
        """What arguments and options leave of a file, in the reach of hooks and plugins."""
        found, deselected = [], 0
        reached = self.reach(spot, scope)
        for index, item in enumerate(gathered.found):
            rows = gathered.marks[index] if index < len(gathered.marks) else None
            kept, rows = self._meant(spot, scope, item, rows)
            if kept is not None and select and self.selection.active:
                selected = self.selection.leave(kept, self._labels(spot, scope, kept, rows))
                kept = selected.found
                deselected += selected.deselected
            if kept is not None:
                found.append(reached.applied(kept))
        return Batch(spot.path, tuple(found), gathered.errors, deselected)

    @staticmethod
    def _meant(spot: Spot, scope: Scope, item: Found, rows: Rows | None) -> tuple[Found | None, Rows | None]:
        """``item`` and its marks as far as the argument means them."""
        argument = spot.argument
        if not argument.names:
            return item, rows
        names = tuple(item.node[len(scope.prefix) + 2 :].split("::"))
        if names[: len(argument.names)] != argument.names:
            return None, rows
        if argument.parameters is None or item.verdict != EXACT:
            return item, rows
        places = [index for index, text in enumerate(item.ids) if argument.matches(names, text)]
        if rows is not None and len(rows) == len(item.ids):
            rows = tuple(rows[index] for index in places)
        return (item._replace(ids=tuple(item.ids[index] for index in places)) if places else None), rows

    def _labels(self, spot: Spot, scope: Scope, item: Found, rows: Rows | None) -> list[Labels]:
        """What each of the item's ids goes by."""
        classes = item.node[len(scope.prefix) + 2 :].split("::")[:-1]
        names = (*self._above(spot.path), *classes)
        if rows is None:
            return [Labels(names, unknown=spot.kind == MODULE)]
        return [Labels(names, marks) for marks in rows] or [Labels(names)]

    def _above(self, path: str) -> tuple[str, ...]:
        """The names of the nodes of a file and of the directories above it, without the topmost."""
        directory, _, name = path.rpartition("/")
        if self.config.version < DIRECTORY_NODES:
            package = self.tree.is_file(f"{directory}/__init__.py")
            return (directory.rpartition("/")[2], name) if package else (beside(path, self.config.rootdir) or name,)
        inside = beside(directory, self.config.confcutdir)
        return (*(part for part in (directory if inside is None else inside).split("/") if part), name)

    def _doctests(self, scope: Scope) -> Gathered:
        module, config = scope.module, self.config
        name = module_name(self.tree, module.path, config.import_mode, config.rootdir, config.version)
        try:
            found = doctests(module, name)
        except Malformed as error:
            return Gathered(errors=(Trouble(module.path, f"doctest: {error}"),))
        return Gathered(
            tuple(
                Found(
                    f"{scope.prefix}::{item.name}",
                    EXACT,
                    conditions=(*module.conditions, *item.conditions),
                    path=module.path,
                    line=item.line,
                )
                for item in found
            )
        )

    def target(self, node: str) -> Target | None:
        """What stands behind a nodeid, None where nothing of that name is collected."""
        place = self._place(node)
        if isinstance(place, Trouble):
            return None
        spot, scope, wanted = place
        gathered, aim = self._gathered(spot, scope), None
        batch = self._selected(spot, scope, gathered)
        found = next((item for item in batch.found if item.node == wanted.node), None)
        if found is None or (wanted.parameters and found.verdict == EXACT and wanted.parameters not in found.ids):
            return None
        if spot.kind == MODULE:
            aim = target(scope, wanted.node)
        if aim is None:
            aim = Target(found, None, (), scope.module, scope.conftests, scope.plugins, (), (), {})
        return aim._replace(found=found, config=self.config.texts)

    def explain(self, node: str) -> Trouble:
        """Why a nodeid is not collected; an empty reason where it is."""
        place = self._place(node)
        if isinstance(place, Trouble):
            return place
        spot, scope, wanted = place
        gathered = self._gathered(spot, scope)
        before = next((item for item in gathered.found if item.node == wanted.node), None)
        if before is None:
            return absent(scope, wanted.names, gathered.errors)
        after = next((item for item in self._selected(spot, scope, gathered).found if item.node == wanted.node), None)
        if after is None or (wanted.parameters in before.ids and wanted.parameters not in after.ids):
            reason = "deselected by " + ", ".join(self.selection.texts or ("the arguments of the invocation",))
            return Trouble(spot.path, reason, before.line)
        if wanted.parameters and after.verdict == EXACT and wanted.parameters not in after.ids:
            return Trouble(spot.path, f"no parameters {wanted.parameters} any more", after.line)
        return Trouble(spot.path, "", after.line)

    def _place(self, node: str) -> tuple[Spot, Scope, Wanted] | Trouble:
        """The collector and the module of a nodeid, read alone."""
        wanted = Wanted.of(node)
        path = self._path(wanted.path)
        spots = self.walk.reach(path)
        if isinstance(spots, str):
            return Trouble(path, spots)
        spot = next((spot for spot in spots if self._kind(spot, wanted) == spot.kind), spots[-1])
        if spot.kind == TEXT:
            return Trouble(path, "" if self._text(spot, wanted.path).found else "the file holds no example")
        claimed = self._claimed(path)
        if isinstance(claimed, str):
            return Trouble(path, claimed)
        scope = self.scope(spot, wanted.path, *claimed)
        if scope.module.error is not None:
            return Trouble(path, scope.module.error)
        return spot, scope, wanted

    def _claimed(self, path: str) -> tuple[str, str] | str:
        """What the module name of ``path`` stands for when its turn comes."""
        claims = Claims(self.tree, self.config)
        for other in self.outline.before(path):
            if not isinstance(self.walk.reach(other), str):
                claims.claim(other)
        return claims.claim(path)

    def _path(self, text: str) -> str:
        """The path of the tree that nodeids begin with ``text`` for."""
        inside = f"{self.config.rootdir}/{text}" if self.config.rootdir else text
        if self.tree.is_file(inside):
            return inside
        for given in self.given:
            outside = f"{given}/{text}" if given and text else given or text
            if beside(outside, self.config.rootdir) is None and self.tree.is_file(outside):
                return outside
        return inside

    def _kind(self, spot: Spot, wanted: Wanted) -> str:
        """Whether a name is that of a doctest (it begins with the module's) or of a test."""
        config = self.config
        name = module_name(self.tree, spot.path, config.import_mode, config.rootdir, config.version)
        first = wanted.names[0] if wanted.names else ""
        return DOCTESTS if first == name or first.startswith(f"{name}.") else MODULE

    def _gathered(self, spot: Spot, scope: Scope) -> Gathered:
        return self._doctests(scope) if spot.kind == DOCTESTS else collect_module(scope)

    def _text(self, spot: Spot, prefix: str) -> Batch:
        """A text file: one doctest of the file's name, where it holds an example."""
        encoding = str(self.config.setting("doctest_encoding"))
        try:
            text = (self.tree.read(spot.path) or b"").decode(encoding)
            present = examples(text.replace("\r\n", "\n").replace("\r", "\n"))
        except (LookupError, UnicodeDecodeError, Malformed) as error:
            return Batch(spot.path, errors=(Trouble(spot.path, f"doctest: {error}"),))
        if not present:
            return Batch(spot.path)
        name = spot.path.rpartition("/")[2]
        item = Found(f"{prefix}::{name}", EXACT, conditions=spot.conditions, path=spot.path, line=1)
        return Batch(spot.path, (item,))
