"""Modules of a tree, executed statement by statement without running anything of them.

What a value is gets computed where it can be, and is Unknown with a reason where it cannot. Steps and depth are
bounded: a source that would compute for ever is not followed to its end.
"""

from __future__ import annotations

import ast
import builtins
import warnings

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate import classes
from gatekeeper.source.evaluate.attributes import SPEC
from gatekeeper.source.evaluate.attributes import attribute as attribute_of
from gatekeeper.source.evaluate.calling import apply, call
from gatekeeper.source.evaluate.concrete import CONTAINERS, MUTABLE
from gatekeeper.source.evaluate.decorators import decorate
from gatekeeper.source.evaluate.expressions import Expressions
from gatekeeper.source.evaluate.filled import Filled
from gatekeeper.source.evaluate.frames import Exhausted, Frame, Raised, Undecided
from gatekeeper.source.evaluate.harness import SKIPPED
from gatekeeper.source.evaluate.iteration import items_of, subscript
from gatekeeper.source.evaluate.operators import binary, truth
from gatekeeper.source.evaluate.standard import is_standard
from gatekeeper.source.evaluate.statements import Statements
from gatekeeper.source.evaluate.treefiles import TreeFile
from gatekeeper.source.evaluate.values import ROOT, Class, Definition, External, Function, Mark, Member, Module, Unknown
from gatekeeper.source.evaluate.words import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from gatekeeper.source.evaluate.values import Binding, Value
    from gatekeeper.source.files import Files

    Search = Callable[[str, Module | None], str | None]

STEPS = 20_000_000
MODULE_STEPS = 150_000
"""Of the body of one module, what it loads left out: no source may use up what the others need."""
_NESTED = 200
_SURROGATES = "surrogateescape"


class Interpreter:
    """Evaluates the sources of one tree.

    Args:
        files: the tree.
        search: the path of the source that a full dotted name means for an importing module; None for what is not of
            the tree.
        python: major and minor version that the suite is run with.
        platform: ``sys.platform`` there.
        installed: modules outside the tree that can be imported, and with a ``!`` before them those that cannot.
        steps: how many statements and turns of loops are executed at most, all modules together.
        parsed: syntax trees by the bytes of their source, shared by whoever reads the same sources of two trees.
    """

    def __init__(
        self,
        files: Files,
        search: Search,
        *,
        python: tuple[int, int] = (3, 11),
        platform: str = "linux",
        steps: int = STEPS,
        parsed: dict[bytes, ast.Module] | None = None,
        installed: Iterable[str] = (),
    ) -> None:
        self.files = files
        self.reader = Reader()
        self.filled = Filled(self)
        self.outside: dict[str, Value] = {}
        """Attributes of what is outside the tree, which stay what they are."""
        self.depth = 0
        self.ran: dict[str, set[str]] = {}
        self.missed: dict[str, set[str]] = {}
        self.cwd = ""
        self.kept: frozenset[int] = frozenset()
        self.running: Module | None = None
        self.orders: dict[int, tuple[Class, tuple[Value, ...]]] = {}
        self.enums: dict[int, tuple[Class, dict[str, Member]]] = {}
        self.nothing = Unknown("no default")
        self.sys: dict[str, Value] = {
            "version_info": (*python, 0, "final", 0),
            "platform": platform,
            "maxsize": (1 << 63) - 1,
            "byteorder": "little",
            "modules": Unknown("the modules that are loaded"),
        }
        self.installed = frozenset(name for name in installed if not name.startswith("!"))
        self.absent = frozenset(name[1:] for name in installed if name.startswith("!"))
        self._search = search
        self._steps = steps
        self._least = 0
        self._loading = 0
        self._parsed = {} if parsed is None else parsed
        self._modules: dict[str, Module] = {}
        self._frames: dict[str, Frame] = {}
        self.poisoned: dict[int, tuple[Value, Unknown]] = {}
        self._expressions = Expressions(self)
        self._statements = Statements(self)
        self.evaluate = self._expressions.evaluate
        self.execute = self._statements.execute
        self.truth = truth

    # --- modules

    def load(self, path: str, name: str) -> Module:
        """The module of a source, executed once; what keeps it from being imported is its ``error``."""
        module = self._modules.get(path)
        if module is None:
            module = self._modules[path] = self._read(path, name)
            if module.error is None and self._loading >= _NESTED:
                module.error = "imports that are nested too deep"
            if module.error is None:
                self._run(module)
        return module

    def loaded(self) -> Iterator[tuple[Module, set[str], set[str]]]:
        """Every module that was read, the qualified names of its functions that ran, and names looked for in vain."""
        return (
            (module, self.ran.get(path, set()), self.missed.get(path, set())) for path, module in self._modules.items()
        )

    def parse(self, blob: bytes) -> ast.Module:
        """The syntax tree of a source, which everybody who reads it shares; raises what ``ast.parse`` raises."""
        if blob not in self._parsed:
            with warnings.catch_warnings():
                # "-W error" would make a syntax error of a bad escape.
                warnings.simplefilter("ignore")
                self._parsed[blob] = ast.parse(blob)
        return self._parsed[blob]

    def _read(self, path: str, name: str) -> Module:
        blob = self.files.read(path)
        if blob is None:
            return Module(name, path, ast.Module([], []), error="there is no such file")
        try:
            return Module(name, path, self.parse(blob))
        except SyntaxError as error:
            return Module(name, path, ast.Module([], []), error=f"line {error.lineno}: {error.msg}")
        except (ValueError, RecursionError, MemoryError) as error:  # the last one also for what is nested too deep
            return Module(name, path, ast.Module([], []), error=f"cannot be parsed: {type(error).__name__}")

    def _run(self, module: Module) -> None:
        frame = self.frame_of(module)
        running, self.running = self.running, module
        self._loading += 1
        # A module that is loaded in the midst of a call is not to be cut off by what that call may take.
        least, started, self._least = self._least, self._steps, max(0, self._steps - MODULE_STEPS)
        try:
            for node in module.tree.body:
                try:
                    self._statements.tolerant((node,), frame)
                except Skipping as why:
                    module.error = str(why)
                    return
        finally:
            self.running = running
            self._loading -= 1
            self._least = max(0, least - (started - self._steps))

    def frame_of(self, module: Module) -> Frame:
        """The scope of a module."""
        if module.path not in self._frames:
            self._frames[module.path] = Frame(module, module.namespace, None, [], plain=False)
        return self._frames[module.path]

    def find(self, name: str, importer: Module | None) -> str | None:
        """The path of the source that a full dotted name means, without loading it; None outside the tree."""
        return self._search(name, importer)

    def imported(self, name: str, importer: Module | None) -> Value:
        """What ``import name`` gives: a module of the tree, or something outside it."""
        path = self._search(name, importer)
        if path is not None:
            return self.load(path, name)
        return External(name)

    def submodule(self, name: str, importer: Module | None) -> Module | None:
        """A module of the tree by its full name."""
        path = self._search(name, importer)
        return None if path is None else self.load(path, name)

    def is_decided(self, top: str) -> bool:
        """Whether it is known of a module outside the tree that it can, or cannot, be imported."""
        return is_standard(top) or top in self.installed or top in self.absent

    def is_first_party(self, name: str, importer: Module | None) -> bool:
        """Whether the top of a dotted name is of the tree."""
        top = name.partition(".")[0]
        return self._search(top, importer) is not None or self._search(name, importer) is not None

    # --- names and values

    def missing(self, name: str, module: Module) -> Value:
        """A name that no scope of the source binds.

        Raises:
            Raised: nothing can bind it.
        """
        self.missed.setdefault(module.path, set()).add(name)
        if name == "__name__":
            return module.name
        if name == "__file__":
            return f"{ROOT}/{module.path}"
        if name == "__package__":
            return package_of(module)
        if name == "__spec__":
            return External(f"{SPEC}{package_of(module)}")
        if module.wildcards:
            return Unknown(f"{name} may come from {module.wildcards[0]}")
        if name in ("__doc__", "__spec__", "__package__", "__path__", "__loader__"):
            return Unknown(name)
        if hasattr(builtins, name):
            return External(f"builtins.{name}")
        raise Raised("NameError")

    def sound(self, value: Value) -> Value:
        """The value, or Unknown where its content was changed in a way that is not followed."""
        if self.poisoned and isinstance(value, MUTABLE):
            kept = self.poisoned.get(id(value))
            if kept is not None:
                return kept[1]
        return value

    def poison(self, value: Value, reason: str) -> None:
        """From here on, the content of a value is unknown, as is that of what it holds."""
        stack, seen = [value], 0
        while stack and seen < _SPREAD:
            one = stack.pop()
            seen += 1
            if isinstance(one, dict):
                stack.extend(one.values())
            elif isinstance(one, CONTAINERS):
                stack.extend(one)
            if isinstance(one, MUTABLE):
                self.poisoned[id(one)] = (one, Unknown(reason))
                _emptied(one, Unknown(reason))

    def tick(self) -> None:
        """One step.

        Raises:
            Undecided: there have been too many.
        """
        self._steps -= 1
        if self._steps < self._least:
            raise Exhausted("too many steps")

    def allow(self, steps: int) -> int:
        """Let what follows take at most so many steps; what was allowed before is for :meth:`restore`."""
        before, self._least = self._least, max(self._least, self._steps - steps)
        return before

    def restore(self, before: int) -> None:
        """See :meth:`allow`."""
        self._least = before

    def attribute(self, value: Value, name: str) -> Value:
        """``value.name``, Unknown where that cannot be told or raises."""
        try:
            return self.member(value, name)
        except Undecided as why:
            return Unknown(why.reason)
        except Raised as why:
            return Unknown(f"raises {why.kind}")

    def member(self, value: Value, name: str) -> Value:
        """``value.name``.

        Raises:
            Raised: it certainly is not there. Undecided: that cannot be told.
        """
        return self.sound(attribute_of(self, value, name))

    def items(self, value: Value) -> list[Value] | Unknown:
        """What iterating over a value gives, Unknown where that cannot be told or raises."""
        try:
            return items_of(self, self.sound(value))
        except Raised as why:
            return Unknown(f"raises {why.kind}")

    def subscript(self, owner: Value, key: Value) -> Value:
        """``owner[key]``."""
        return self.sound(subscript(self, owner, key))

    def operate(self, kind: type[ast.operator], left: Value, right: Value) -> Value:
        """``left <kind> right``."""
        return binary(kind, left, right)

    def mro(self, cls: Class) -> tuple[Value, ...]:
        """The classes of ``cls.__mro__``, itself first."""
        return classes.mro(self, cls)

    def lookup(self, cls: Class, name: str) -> Binding | None:
        """What ``cls.name`` is bound to over the classes of the tree in its MRO."""
        return classes.lookup(self, cls, name)

    # --- calls

    def call(self, value: Value, args: Sequence[Value], kwargs: Mapping[str, Value]) -> Value:
        """``value(*args, **kwargs)``, Unknown where that cannot be told or raises."""
        try:
            return call(self, value, list(args), dict(kwargs))
        except Undecided as why:
            return Unknown(why.reason)
        except Raised as why:
            return Unknown(f"raises {why.kind}")

    def apply(self, function: Value, args: list[Value], kwargs: dict[str, Value], frame: Frame, line: int) -> Value:
        """A call that stands in the source.

        Raises:
            Raised: it certainly raises.
        """
        return apply(self, function, args, kwargs, frame, line)

    def call_blindly(self, function: Value, args: Iterable[Value]) -> Value:
        """A call whose arguments are not all known."""
        for one in args:
            self.poison(one, "handed to a call that is not followed")
        return Unknown("a call with arguments that are not known")

    # --- definitions

    def function(self, node: Definition, frame: Frame) -> Function:
        """A function as it is before its decorators."""
        spec = node.args
        defaults = [self._default(one, frame) for one in spec.defaults]
        defaults += [self.nothing if one is None else self._default(one, frame) for one in spec.kw_defaults]
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        up = frame if frame.plain or frame.names is frame.module.namespace else frame.up
        prefix = f"{frame.qualname}." if frame.qualname else ""
        made = Function(node, frame.module, prefix + name, defaults=tuple(defaults))
        made.closure = () if up is None or not up.plain else (up,)  # type: ignore[assignment]
        return made

    def _default(self, node: ast.expr, frame: Frame) -> Value:
        try:
            return self.evaluate(node, frame)
        except (Undecided, Raised) as why:
            return Unknown(str(why))

    def defined(self, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> Value:
        """What a ``def`` statement binds."""
        made = self.function(node, frame)
        return decorate(self, node.decorator_list, made, frame) if node.decorator_list else made

    def class_defined(self, node: ast.ClassDef, frame: Frame) -> Value:
        """What a ``class`` statement binds."""
        bases: list[Value] = []
        for base in node.bases:
            # With arguments in brackets it is the same base, as far as its members go.
            value = self._default(base.value if isinstance(base, ast.Subscript) else base, frame)
            bases.append(value if isinstance(value, Class | External) else Unknown("a base that is not followed"))
        keywords = {word.arg or "**": self._default(word.value, frame) for word in node.keywords}
        prefix = f"{frame.qualname}." if frame.qualname else ""
        made = Class(node, frame.module, prefix + node.name, tuple(bases), keywords)
        up = frame if frame.plain or frame.names is frame.module.namespace else frame.up
        inner = Frame(frame.module, made.namespace, up, frame.maybe, plain=False, qualname=made.qualname)
        self._statements.tolerant(node.body, inner)
        for binding in made.namespace.values():
            if isinstance(binding.value, Function) and binding.value.name in ("__init_subclass__", "__class_getitem__"):
                binding.value.flavour = "class"
        return decorate(self, node.decorator_list, made, frame) if node.decorator_list else made

    def replace_marks(self, owner: Function, value: Value) -> None:
        """``function.pytestmark = value``."""
        given = self.items(value) if isinstance(value, list | tuple) else [value]
        if isinstance(given, Unknown) or not all(isinstance(one, Mark) for one in given):
            owner.wrappers = (*owner.wrappers, Unknown("marks that are not known"))
        else:
            owner.marks = [one for one in given if isinstance(one, Mark)]

    def set_member(self, owner: Class | Module, name: str, value: Value, frame: Frame) -> None:
        """``owner.name = value`` for a class or module."""
        target = self.frame_of(owner) if isinstance(owner, Module) else None
        names = owner.namespace if target is None else target.names
        Frame(frame.module, names, None, frame.maybe, plain=False).bind(name, value)

    def set_global(self, owner: Value, key: Value, value: Value, frame: Frame) -> None:
        """``globals()[key] = value``."""
        home = self.frame_of(frame.module)
        if isinstance(key, str):
            home.bind(key, value)
        else:
            frame.module.wildcards = (*frame.module.wildcards, "globals()")

    @staticmethod
    def is_namespace(value: Value) -> bool:
        """Whether a value stands for ``globals()``."""
        return isinstance(value, External) and value.name == "builtins.globals()"

    def entered(self, value: Value) -> Value:
        """What ``with value as x`` binds."""
        if isinstance(value, TreeFile):
            return value
        return Unknown("what a context gives") if not isinstance(value, Unknown) else value

    # --- exceptions

    def doubts(self, body: Sequence[ast.stmt], frame: Frame) -> list[tuple[int, str]]:
        """The statements of a ``try`` that may raise, for all that is known: their place, and a label."""
        found = []
        for place, node in enumerate(body):
            label = self._doubt(node, frame)
            if label is not None:
                found.append((place, label))
        return found

    def _doubt(self, node: ast.stmt, frame: Frame) -> str | None:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [] if node.level else [node.module or ""]
        elif any(
            isinstance(one, ast.Call | ast.Attribute | ast.Subscript | ast.Raise)
            or (isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))
            for one in ast.walk(node)
        ):
            return (
                None
                if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
                else f"try line {node.lineno}"
            )
        else:
            return None
        for name in names:
            top = name.partition(".")[0]
            if not (self.is_decided(top) or self.is_first_party(name, frame.module)):
                return f"import {name}"
        return None

    def handles(self, handler: ast.ExceptHandler, kind: str, frame: Frame) -> bool:
        """Whether an ``except`` catches an exception of this name.

        Raises:
            Undecided: that cannot be told.
        """
        if handler.type is None:
            return True
        value = self.evaluate(handler.type, frame)
        for one in value if isinstance(value, tuple) else (value,):
            if not isinstance(one, External):
                raise Undecided("an exception of the tree")
            name = one.name.removeprefix("builtins.")
            caught, raised = getattr(builtins, name, None), getattr(builtins, kind, None)
            if isinstance(caught, type) and isinstance(raised, type) and issubclass(raised, caught):
                return True
            if name.rpartition(".")[2] == kind:
                return True
        return False

    def failed(self, why: Raised, node: ast.stmt, frame: Frame) -> None:
        """A statement of a module or class certainly raises: under no condition, the module cannot be imported.

        Raises:
            Skipping: that ends the import of the module.
        """
        skips = why.kind == SKIPPED
        if frame.maybe:
            if skips:
                frame.module.conditions = (*frame.module.conditions, f"not skipped {frame.maybe[-1]}")
        elif skips or isinstance(node, ast.Raise):
            raise Skipping("it skips itself" if skips else f"line {node.lineno} raises {why.kind}")

    def kind_of(self, value: Value) -> str:
        """The name of what is raised."""
        if isinstance(value, External):
            return value.name.rpartition(".")[2]
        if isinstance(value, Class):
            return value.name
        return "Exception"

    def text(self, node: ast.expr, frame: Frame) -> str:
        """An expression as the source has it, on one line."""
        blob = self.files.read(frame.module.path) or b""
        said = ast.get_source_segment(blob.decode("utf-8", "replace"), node) or "a condition"
        return " ".join(said.split())[:_LABEL]


def _emptied(value: Value, reason: Unknown) -> None:
    """Leave in a container only what says that its content is unknown: a mark may hold it already."""
    if isinstance(value, list):
        value[:] = [reason]
    elif isinstance(value, dict):
        value.clear()
        value[reason] = reason
    elif isinstance(value, set):
        value.clear()
        value.add(reason)


def package_of(module: Module) -> str:
    """``__package__``."""
    return module.name if module.path.endswith("__init__.py") else module.name.rpartition(".")[0]


_LABEL = 80
_SPREAD = 10_000


class Skipping(Exception):
    """The module skips itself while it is imported."""
