"""The conftest.py files that apply to a path, and what they say about collecting it."""

from __future__ import annotations

import ast
from contextlib import suppress
from pathlib import PurePosixPath

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.config.errors import Refused
from gatekeeper.source.collection.config.paths import absolute, parents, resolve
from gatekeeper.source.collection.config.words import words
from gatekeeper.source.collection.items import Trouble
from gatekeeper.source.collection.modulenames import module_name, package_root
from gatekeeper.source.collection.sessionhooks import effects
from gatekeeper.source.collection.walk import Ignored
from gatekeeper.source.evaluate.values import Function, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatekeeper.source.collection.config import Config
    from gatekeeper.source.collection.scope import Evaluator
    from gatekeeper.source.collection.sessionhooks import Effect
    from gatekeeper.source.collection.tree import Tree
    from gatekeeper.source.evaluate.values import Module, Value

IGNORE = "pytest_ignore_collect"
ELSEWHERE = words(
    "glob iglob rglob listdir walk scandir iterdir join Path environ getenv argv open read_text split exec eval"
)
"""Names that stand for names of files from somewhere else."""


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


class Conftests:
    """Loads each conftest.py once, when somebody asks for its directory."""

    def __init__(self, tree: Tree, config: Config, interpreter: Evaluator, load: Callable[[str, str], Module]) -> None:
        self._tree = tree
        self._config = config
        self._interpreter = interpreter
        self._load = load
        self._none = config.options.has("--noconftest")
        self._cut = frozenset(parents(config.confcutdir))
        self._chains: dict[str, tuple[Module, ...]] = {}
        self._ignored: dict[str, Ignored] = {}
        self._effects: dict[str, list[Effect]] = {}
        self.plugins: tuple[Module, ...] = ()
        self.initial: frozenset[str] | None = None
        """The conftest.py files that are loaded before collection, once they are known: only they may name plugins."""

    def chain(self, directory: str) -> tuple[Module, ...]:
        """The conftest modules for files of ``directory``, the outermost first."""
        if directory not in self._chains:
            waiting, current = [directory], directory
            while current and (current := current.rpartition("/")[0]) not in self._chains:
                waiting.append(current)
            above = self._chains.get(current, ())
            for inner in reversed(waiting):
                own = None if self._none or inner in self._cut else self._own(inner)
                above = self._chains[inner] = above if own is None else (*above, own)
        return self._chains[directory]

    def _own(self, directory: str) -> Module | None:
        path = f"{directory}/conftest.py" if directory else "conftest.py"
        if not self._tree.is_file(path):
            return None
        config = self._config
        return self._load(path, module_name(self._tree, path, config.import_mode, config.rootdir, config.version))

    def error(self, directory: str) -> Trouble | None:
        """Why the conftest.py of ``directory`` cannot be imported."""
        path = f"{directory}/conftest.py" if directory else "conftest.py"
        own = next((module for module in self.chain(directory)[-1:] if module.path == path), None)
        if own is None:
            return None
        if own.error is not None:
            return Trouble(path, own.error)
        if self._config.import_mode == "append" and package_root(self._tree, path) is None:
            # What is appended to sys.path is found last: "conftest" is the outer one again.
            for outer in self.chain(directory)[:-1]:
                if package_root(self._tree, outer.path) is None:
                    return Trouble(path, f"import file mismatch: conftest is {outer.path} already")
        if self.initial is not None and path not in self.initial and "pytest_plugins" in own.namespace:
            return Trouble(path, "pytest_plugins in a conftest.py that is not loaded first is an error")
        return None

    def ignored(self, directory: str) -> Ignored:
        """What the nearest conftest.py that defines it says to ignore among the entries of ``directory``."""
        if directory not in self._ignored:
            paths, unknown = self._paths("collect_ignore", directory)
            globs, unknown_globs = self._paths("collect_ignore_glob", directory)
            doubted = None if unknown_globs or not unknown else self._written(directory)
            self._ignored[directory] = Ignored(
                frozenset(paths), tuple(absolute(path) for path in globs), (*unknown, *unknown_globs), doubted
            )
        return self._ignored[directory]

    def _paths(self, name: str, directory: str) -> tuple[list[str], list[str]]:
        """The paths that a list of a conftest.py names, and why they are not known where they are not."""
        for module in reversed(self.chain(directory)):
            binding = module.namespace.get(name)
            if binding is None:
                continue
            reason = f"{name} of {module.path}"
            values = self._interpreter.items(binding.value)
            if binding.conditions or isinstance(values, Unknown):
                return [], [reason]
            base, found = module.path.rpartition("/")[0], []
            for value in values:
                if not isinstance(value, str | PurePosixPath):
                    return [], [reason]
                try:
                    found.append(resolve(base, str(value)))
                except Refused:  # a path outside of the tree ignores nothing in it
                    continue
            return found, []
        return [], []

    def _written(self, directory: str) -> frozenset[str] | None:
        """The paths that the conftest.py writes out: all that it can ignore, unless it asks for names elsewhere."""
        module = next((one for one in reversed(self.chain(directory)) if "collect_ignore" in one.namespace), None)
        if module is None:
            return None
        base, found = module.path.rpartition("/")[0], set()
        for statement in module.tree.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            for node in ast.walk(statement):
                if _name(node) in ELSEWHERE or isinstance(node, ast.JoinedStr | ast.BinOp | ast.ListComp):
                    return None
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
                    with suppress(Refused):
                        found.add(resolve(base, node.value))
        return frozenset(found)

    def hook(self, path: str) -> str | bool | None:
        """What the hooks ``pytest_ignore_collect`` answer on ``path``, the last registered first."""
        for module in (*reversed(self.chain(path.rpartition("/")[0])), *reversed(self.plugins)):
            binding = module.namespace.get(IGNORE)
            if binding is None or binding.value is None:
                continue
            answer = self._ask(binding.value, path)
            if isinstance(answer, Unknown) or binding.conditions:
                return f"{IGNORE} in {module.path}"
            truth = None if answer is None else self._interpreter.truth(answer)
            if answer is not None:
                return truth if truth is not None else f"{IGNORE} in {module.path}"
        return None

    def _ask(self, value: Value, path: str) -> Value:
        if not isinstance(value, Function) or value.wrappers:
            return Unknown("no plain function")
        unknown = Unknown("only known when pytest runs")
        whole = PurePosixPath(absolute(path))
        given = {"collection_path": whole, "path": whole, "config": unknown}
        names = [argument.arg for argument in (*value.node.args.posonlyargs, *value.node.args.args)]
        return self._interpreter.call(value, (), {name: given.get(name, unknown) for name in names})

    def effects(self, module: Module) -> list[Effect]:
        """What the hooks of a conftest or plugin do to nodeids."""
        if module.path not in self._effects:
            self._effects[module.path] = effects(module)
        return self._effects[module.path]
