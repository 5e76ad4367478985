"""All that decides what one property does, in named parts, each an entry with its hash and its place."""

from __future__ import annotations

import ast
from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.fingerprint.chain import Chain, real
from gatekeeper.source.fingerprint.effects import Effects
from gatekeeper.source.fingerprint.fixtures import Provider, Providers, requested
from gatekeeper.source.fingerprint.follow import Needs, Symbol
from gatekeeper.source.fingerprint.given import positional
from gatekeeper.source.fingerprint.locals import FUNCTIONS
from gatekeeper.source.fingerprint.patterns.effects import SESSION
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from gatekeeper.source.fingerprint.follow import Library
    from gatekeeper.source.fingerprint.pages import Leaf, Page

BODY, DECORATORS, CLASSES, MODULE, HELPERS = "body", "decorators", "classes", "module", "helpers"
FIXTURES, CONFTEST, PLUGINS, CONFIG, PARAMETERS, SHADOWS = (
    "fixtures", "conftest", "plugins", "config", "parameters", "shadows",
)  # fmt: skip
PARTS = (BODY, DECORATORS, CLASSES, MODULE, HELPERS, FIXTURES, CONFTEST, PLUGINS, CONFIG, PARAMETERS, SHADOWS)

_MODULE_NAMES = words(
    "pytestmark __test__ pytest_plugins pytest_generate_tests setup_module teardown_module setup_function "
    "teardown_function setUpModule tearDownModule setup teardown __getattr__ __tracebackhide__ load_tests"
)
_MOST = 20_000


class Entry(NamedTuple):
    """One thing that counts: where it stands, what it is called, its hash; ``leaf`` is the syntax, if it has any."""

    part: str
    key: str
    digest: str
    path: str
    line: int = 0
    leaf: Leaf | None = None
    page: Page | None = None
    library: Library | None = None


class Anchor(NamedTuple):
    """Where a property is, and what surrounds it, as the collection knows it.

    ``names`` are the classes and the function; ``conftests`` and ``plugins`` sources, the outermost first, each a
    path and a dotted name; ``others`` conftest files elsewhere, of which only what acts on a whole session counts;
    ``config`` the settings in force as text; ``ids`` the parameter ids, None if unknown.
    """

    path: str
    module: str
    names: tuple[str, ...]
    conftests: tuple[tuple[str, str], ...] = ()
    plugins: tuple[tuple[str, str], ...] = ()
    others: tuple[tuple[str, str], ...] = ()
    config: Mapping[str, str] = {}
    config_path: str = ""
    ids: tuple[str, ...] | None = None
    shadows: tuple[tuple[str, str], ...] = ()


class Anatomy:
    """The parts of one property in one tree."""

    def __init__(self, library: Library, anchor: Anchor, effects: Effects | None = None) -> None:
        self.library = library
        self.anchor = anchor
        self.effects = effects or Effects(library)
        self.entries: list[Entry] = []
        self.page = library.page(anchor.path, anchor.module)
        self.chain = Chain(library, self.page, anchor.names[:-1]) if self.page is not None else None
        self._needs = Needs()
        self._symbols: list[Symbol] = []
        self._seen: set[str] = set()
        self._modules = {path: library.page(path, name) for path, name in (*anchor.conftests, *anchor.plugins)}
        if self.page is not None:
            self._root(self.page)
            self._module(self.page)
        self._around(anchor.conftests, CONFTEST)
        self._around(anchor.plugins, PLUGINS)
        self._others(anchor.others)
        self._helpers()
        self._settings()

    @property
    def function(self) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The definition that runs, where exactly one is found."""
        found = [entry.leaf.node for entry in self.entries if entry.part == BODY and entry.leaf is not None]
        last = found[-1] if found else None
        return last if isinstance(last, FUNCTIONS) else None

    @property
    def home(self) -> Page | None:
        """The source in which that definition stands."""
        found = [entry.page for entry in self.entries if entry.part == BODY]
        return found[-1] if found else None

    def marked(self) -> Iterator[tuple[Page, ast.expr]]:
        """Everything that puts marks on the property but its own decorators: its classes and their module."""
        for one in self.chain.classes if self.chain is not None else ():
            yield from ((one.page, node) for node in one.node.decorator_list)
            for leaf in one.inner.bound.get("pytestmark", ()):
                if isinstance(leaf.node, (ast.Assign, ast.AnnAssign)) and leaf.node.value is not None:
                    yield one.page, leaf.node.value
        page = self.page
        for leaf in page.bound.get("pytestmark", ()) if page is not None else ():
            if isinstance(leaf.node, (ast.Assign, ast.AnnAssign)) and leaf.node.value is not None and not leaf.guards:
                yield from ((page, leaf.node.value),) if page is not None else ()

    def judged_elsewhere(self) -> bool:
        """Whether a method of its classes or a fixture asserts for it."""
        for entry in self.entries:
            node = entry.leaf.node if entry.leaf is not None and entry.part in (CLASSES, FIXTURES) else None
            if isinstance(node, FUNCTIONS) and any(isinstance(one, (ast.Assert, ast.Raise)) for one in ast.walk(node)):
                return True
        return False

    # --- the property itself

    def _root(self, page: Page) -> None:
        method = self.anchor.names[-1]
        if self.chain is not None and self.chain.classes:
            for owner, leaf in self.chain.method(method):
                self._function(owner, leaf, method)
            self._classes(method)
        else:
            home, name = real(self.library, page, self.anchor.names[0])
            for leaf in self.library.leaves(home, name):
                self._function(home, leaf, name)
        self._fixtures(page)

    def _function(self, page: Page, leaf: Leaf, name: str) -> None:
        node = leaf.node
        if not isinstance(node, FUNCTIONS):
            self._entry(BODY, name, page, leaf, name)
            return
        bare = _undecorated(node)
        free = positional(self.library, page, node)
        serial = self.library.serial(page, self._needs, free=free)
        for word, decides in leaf.guards:
            serial.word(word)
            if decides is not None:
                serial.put(decides)
        serial.put(bare)
        self.entries.append(Entry(BODY, name, serial.hexdigest(), page.path, leaf.line, leaf, page, self.library))
        for decorator in node.decorator_list:
            serial = self.library.serial(page, self._needs)
            serial.put(decorator)
            key = str(len([entry for entry in self.entries if entry.part == DECORATORS]))
            place = type(leaf)(decorator)
            self.entries.append(
                Entry(DECORATORS, key, serial.hexdigest(), page.path, decorator.lineno, place, page, self.library)
            )

    def _classes(self, method: str) -> None:
        chain = self.chain
        if chain is None:
            return
        for key, member in chain.members(method, self.effects):
            serial = self.library.serial(member.page, self._needs)
            serial.word(member.name)
            if member.head is not None:
                for part in member.head:
                    serial.put(part)
            else:
                self.library.put(member.page, member.leaf, member.name, serial, self._needs, member.space)
            place = Entry(
                CLASSES,
                key,
                serial.hexdigest(),
                member.page.path,
                member.leaf.line,
                member.leaf,
                member.page,
                self.library,
            )
            self.entries.append(place)

    def _fixtures(self, page: Page) -> None:
        providers = self._providers(page)
        names = requested(self.library, providers, self.function, self.chain, page, self.anchor)
        for provider, leaf, name in providers.closure(names):
            key = f"{name} of {provider.page.name}" if provider.in_class else name
            content = self.library.leaf(provider.page, leaf, provider.bound_name(leaf, name), provider.space)
            self._needs.take(content)
            self.entries.append(
                Entry(
                    FIXTURES,
                    key,
                    content.digest,
                    leaf_path(provider, leaf),
                    leaf.line,
                    leaf,
                    provider.page,
                    self.library,
                )
            )

    def _providers(self, page: Page) -> Providers:
        nearest: list[Provider] = []
        if self.chain is not None:
            nearest += [Provider(one.page, one.inner, one.space) for one in self.chain.classes]
        nearest.append(Provider(page, page))
        for path, _ in (*reversed(self.anchor.conftests), *reversed(self.anchor.plugins)):
            found = self._modules.get(path)
            if found is not None:
                nearest.append(Provider(found, found))
        return Providers(self.library, nearest, self.library.fixtures)

    # --- what surrounds it

    def _module(self, page: Page) -> None:
        for name in sorted(_MODULE_NAMES & page.bound.keys()):
            for leaf in self.library.leaves(page, name):
                self._entry(MODULE, name, page, leaf, name)
        self._effects(page, MODULE)
        if self.chain is not None:
            for one in self.chain.classes:
                self._effects(one.page, MODULE)

    def _effects(self, page: Page, part: str) -> None:
        """What happens when ``page`` is read, and what it reads in the test tree."""
        for loaded in self.library.loads(page):
            if loaded.path in self._seen:
                continue
            self._seen.add(loaded.path)
            for path in self.library.unused(loaded):
                self.entries.append(Entry(part, f"{loaded.name}:+{path}", "", loaded.path))
            for count, leaf in enumerate(self.effects.of(loaded)):
                self._entry(part, f"{loaded.name}:{count}", loaded, leaf, "")

    def _around(self, modules: Sequence[tuple[str, str]], part: str) -> None:
        for path, _ in modules:
            page = self._modules.get(path)
            if page is None:
                data = self.library.files.read(path)
                self.entries.append(Entry(part, path, sha256(data or b"").hexdigest(), path))
                continue
            names = [name for name in page.bound if name.startswith(("pytest_", "collect_ignore"))]
            for name in sorted(names):
                for leaf in self.library.leaves(page, name):
                    self._entry(part, f"{path}:{name}", page, leaf, name)
            self._stars(page, part)
            self._effects(page, part)

    def _others(self, modules: Sequence[tuple[str, str]]) -> None:
        """Conftest files of other directories are read in the same run, and some of their hooks get every test."""
        for path, name in modules:
            page = self.library.page(path, name)
            if page is not None:
                for hook in sorted(SESSION & page.bound.keys()):
                    for leaf in self.library.leaves(page, hook):
                        self._entry(CONFTEST, f"{path}:{hook}", page, leaf, hook)
                self._effects(page, CONFTEST)

    def _stars(self, page: Page, part: str) -> None:
        """From outside the test tree any hook may come by ``import *``."""
        for star in page.stars:
            if self.library.starred(page, star) is None and isinstance(star.node, ast.ImportFrom):
                dotted = self.library.absolute(page, star.node.level, star.node.module or "")
                self.entries.append(
                    Entry(part, f"{page.path}:*{dotted}", "", page.path, star.line, star, page, self.library)
                )

    def _helpers(self) -> None:
        """Everything of the test tree that the parts above need, and what that needs."""
        # Classes around the property count by those of their members that it can notice.
        around = self.chain.classes if self.chain is not None else ()
        seen: dict[Symbol, str] = {Symbol(one.page.path, one.node.name): "" for one in around}
        todo = sorted(self._needs.symbols)
        while todo and len(seen) < _MOST:
            symbol = todo.pop()
            if symbol in seen:
                continue
            content = self.library.content(symbol)
            seen[symbol] = content.digest
            self._symbols.append(symbol)
            todo.extend(sorted(content.symbols - seen.keys()))
            page = self.library.page(symbol.path)
            leaves = self.library.leaves(page, symbol.name) if page is not None else []
            leaf = leaves[-1] if leaves else None
            line = leaf.line if leaf is not None else 0
            self.entries.append(
                Entry(HELPERS, symbol.name, content.digest, symbol.path, line, leaf, page, self.library)
            )
            if page is not None:
                self._effects(page, MODULE)
                todo.extend(sorted(self._needs.symbols - seen.keys()))

    def _settings(self) -> None:
        anchor = self.anchor
        for name, value in anchor.config.items():
            self.entries.append(Entry(CONFIG, name, value, anchor.config_path))
        if anchor.ids is not None:
            self.entries.extend(Entry(PARAMETERS, text, "", anchor.path) for text in anchor.ids)
        self.entries.extend(Entry(SHADOWS, path, digest, path) for path, digest in anchor.shadows)

    def _entry(self, part: str, key: str, page: Page, leaf: Leaf, name: str) -> None:
        content = self.library.leaf(page, leaf, name)
        self._needs.take(content)
        self.entries.append(Entry(part, key, content.digest, page.path, leaf.line, leaf, page, self.library))

    # --- the whole

    def products(self) -> frozenset[str]:
        """Names of what is judged that the property and its helpers use."""
        found = set(self._needs.products)
        for symbol in self._symbols:
            found |= self.library.content(symbol).products
        return frozenset(found)

    def place(self) -> tuple[str, int]:
        """Where the property stands: its definition, or its file."""
        found = [entry for entry in self.entries if entry.part == BODY]
        return (found[-1].path, found[-1].line) if found else (self.anchor.path, 1)

    def parts(self) -> dict[str, str]:
        """Part name to its hash."""
        return {part: _hash(entry for entry in self.entries if entry.part == part) for part in PARTS}


def _undecorated(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
    """The same definition without decorators, which are a part of their own."""
    bare = type(node).__new__(type(node))
    for name in node._fields:
        setattr(bare, name, getattr(node, name, None))
    bare.decorator_list = []
    return ast.copy_location(bare, node)


def leaf_path(provider: Provider, leaf: Leaf) -> str:
    """Where a fixture stands."""
    del leaf
    return provider.page.path


def _hash(entries: Iterable[Entry]) -> str:
    digest = sha256()
    for entry in sorted((entry.key, entry.digest) for entry in entries):
        for text in entry:
            digest.update(b"%d:" % len(text) + text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
