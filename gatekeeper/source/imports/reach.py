"""What a piece of code can come to use, told from outlines: by name where a name says what it is, by word otherwise.

A name is followed through the imports to where it is defined. An attribute may be that of anything, so it stands for
every method of its name in the classes that are reached, and for every definition of its name in modules that are
mentioned. What runs when a module is imported is reached with the module. More may be found than is ever used, hardly
less.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.imports.form import ANY
from gatekeeper.source.imports.program import LONGEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from gatekeeper.source.imports.program import Part, Program, Source

TOP = ""
_CALLED = (
    "setUp", "tearDown", "setUpClass", "tearDownClass", "setUpModule", "tearDownModule", "asyncSetUp",
    "asyncTearDown", "runTest", "pytestmark", "setup_method", "teardown_method", "setup_class", "teardown_class",
    "setup_module", "teardown_module", "setup_function", "teardown_function",
)  # fmt: skip
"""What a runner calls, or looks at, though nothing mentions it."""
_PLAIN_BASES = frozenset(
    {"object", "ABC", "ABCMeta", "Generic", "Protocol", "NamedTuple", "TypedDict", "Enum", "IntEnum", "Exception", "T"}
)
_HOOKS = "pytest_"


def _is_renamed(part: Mapping[str, Any]) -> bool:
    """Whether it may be a fixture that has another name than its function."""
    return "name" in part["a"] and ("fixture" in part["a"] or "fixture" in part["n"])


class Reach:
    """What is reached from some code; ``parts`` holds it, as path and part."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.parts: set[Part] = set()
        self.loaded: set[str] = set()
        self._words: set[str] = set()
        self._methods: dict[str, list[Part]] = {}
        self._modules: set[str] = set()
        self._beginnings: tuple[str, ...] = ()
        self._foreign: set[Part] = set()
        self._derived: dict[Part, list[Part]] = {}
        self._pending: list[Part] = []
        for word in _CALLED:
            self._word(word)

    def start(self, source: Source, names: Iterable[str], *, collected: bool) -> None:
        """Begin with a module, and parts of it. Fixtures and hooks of a ``collected`` one need no mention."""
        path = self._program.at(source)
        self._load(path)
        self.mention(path)
        for name, part in self._program.parts(path).items():
            if collected and (name.startswith(_HOOKS) or "autouse" in part["a"] or _is_renamed(part)):
                self._pending.append((path, name))
        for name in names:
            if "." in name:
                self._pending.append((path, name))
            else:
                self._named(path, name)
                self._word(name)
        self._drain()

    def begin(self, part: Part) -> None:
        """Begin with one definition."""
        self._load(part[0])
        self._pending.append(part)
        self._drain()

    def mention(self, path: str) -> None:
        """A module that code holds as a whole: its attributes are looked up by word."""
        if path not in self._modules:
            self._modules.add(path)
            outline = self._program.outline(path)
            for word in self._words.intersection((*outline["parts"], *outline["imported"])):
                self._export(path, word, set())
            for word in self._words & self._program.children(path):
                self._submodule(path, word)
            for star in self._program.stars(path):
                self.mention(star)

    def _submodule(self, path: str, word: str) -> None:
        found = self._program.module(f"{self._program.name(path)}.{word}")
        if found is not None:
            self._load(found)
            self.mention(found)

    def _load(self, path: str) -> None:
        """A module runs: what stands at its top level, and what it hands to decorators."""
        waiting = [path]
        while waiting:
            current = waiting.pop()
            if current in self.loaded:
                continue
            self.loaded.add(current)
            for name, part in self._program.parts(current).items():
                if name == TOP or ("r" in part and "." not in name):
                    self._pending.append((current, name))
            waiting.extend(self._program.loads(current))

    def _drain(self) -> None:
        while self._pending:
            path, name = self._pending.pop()
            if (path, name) not in self.parts:
                self.parts.add((path, name))
                self._follow(path, name)

    def _follow(self, path: str, name: str) -> None:
        part = self._program.parts(path).get(name)
        if part is None:
            return
        known: set[Part] = set()
        external = [one for one in part["n"] if not self._export(path, one, known) and one not in _PLAIN_BASES]
        for word in part["a"]:
            self._word(word)
        owner = name.rpartition(".")[0]
        if owner:
            self._pending.append((path, owner))
        if part["k"] == "class":
            self._class(path, name)
            if external or not known.isdisjoint(self._foreign):
                self._open((path, name))
            for base in known:
                self._derived.setdefault(base, []).append((path, name))

    def _class(self, path: str, name: str) -> None:
        """A class that is reached, with those of its methods that are mentioned, or called by Python itself."""
        prefix = f"{name}."
        for one, part in self._program.parts(path).items():
            if one.startswith(prefix):
                last = one[len(prefix) :]
                if "r" in part or self._has_word(last) or last.startswith("__"):
                    self._pending.append((path, one))
                self._methods.setdefault(last, []).append((path, one))

    def _open(self, part: Part) -> None:
        """A class with a base from elsewhere, itself or by inheritance: any of its methods may be called from there."""
        waiting = [part]
        while waiting:
            path, name = current = waiting.pop()
            if current not in self._foreign:
                self._foreign.add(current)
                self._pending.extend((path, one) for one in self._program.parts(path) if one.startswith(f"{name}."))
                waiting.extend(self._derived.get(current, ()))

    def _has_word(self, word: str) -> bool:
        return word in self._words or word.startswith(self._beginnings)

    def _word(self, word: str) -> None:
        """An attribute of something."""
        if word in self._words:
            return
        self._words.add(word)
        if word.endswith(ANY):
            self._begins(word[:-1])
            return
        self._pending.extend(self._methods.get(word, ()))
        for path in list(self._modules):
            outline = self._program.outline(path)
            if word in outline["parts"] or word in outline["imported"]:
                self._export(path, word, set())
            elif word in self._program.children(path):
                self._submodule(path, word)

    def _begins(self, start: str) -> None:
        """The beginning of an attribute that is put together."""
        self._beginnings = (*self._beginnings, start)
        for name, parts in self._methods.items():
            if name.startswith(start):
                self._pending.extend(parts)
        for path in list(self._modules):
            for name in self._program.parts(path):
                if name.startswith(start):
                    self._pending.append((path, name))

    def _named(self, path: str, name: str) -> bool:
        """A name in a module; whether the tree says what it is."""
        return self._export(path, name, set())

    def _export(self, path: str, name: str, seen: set[Part]) -> bool:
        """Follow a name of a module to its definition."""
        if (path, name) in seen or len(seen) > LONGEST:
            return True
        seen.add((path, name))
        outline = self._program.outline(path)
        found = name in outline["parts"]
        if found:
            self._pending.append((path, name))
        origin = outline["imported"].get(name)
        if origin is not None:
            self._pending.append((path, name))
            place = self._program.origin(path, origin)
            if place is not None:
                self._load(place[0])
                found = True
                self._arrive(place, seen)
        if not found:
            for star in self._program.stars(path):
                found = self._export(star, name, seen) or found
        return found

    def _arrive(self, place: tuple[str, str], seen: set[Part]) -> None:
        path, name = place
        if name and self._export(path, name, seen):
            return
        if name:
            self._submodule(path, name)
            self._pending.append((path, "__getattr__"))
        else:
            self.mention(path)
