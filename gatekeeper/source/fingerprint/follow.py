"""From names to what they mean: definitions of the test tree, which are followed, and everything else by its name."""

from __future__ import annotations

import ast
from hashlib import sha256

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.fingerprint.pages import Leaf, Page
from gatekeeper.source.fingerprint.serial import Serial
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gatekeeper.source.files import Files
    from gatekeeper.source.fingerprint.fixtures import Known
    from gatekeeper.source.fingerprint.locals import Space

    Search = Callable[[str, str], str | None]
    """The file that a dotted name means for the source at a path; None for what is not in the tree."""

_DEEP = 12
_LARGE = 2_000_000
_TYPED = words("from_type builds functions infer register_type_strategy get_type_hints __annotations__ signature")


class Symbol(NamedTuple):
    """A name at the top level of a source; ``*`` stands for all of them."""

    path: str
    name: str


class Content(NamedTuple):
    """What a definition says, as a hash, and what it needs: symbols of the test tree, dotted names from elsewhere."""

    digest: str
    symbols: frozenset[Symbol]
    names: frozenset[str]
    products: frozenset[str] = frozenset()


class Library:
    """The sources of one tree, taken apart when they are needed.

    Args:
        files: the tree.
        search: where imports lead.
        judges: whether a path belongs to what judges; other sources of the tree are known by name only.
        parse: gives the syntax of a source, raising what ``ast.parse`` raises.
    """

    def __init__(
        self,
        files: Files,
        search: Search,
        judges: Callable[[str], bool],
        parse: Callable[[bytes], ast.Module] = ast.parse,
    ) -> None:
        self.files = files
        self.search = search
        self.judges = judges
        self._parse = parse
        self._pages: dict[str, Page | None] = {}
        self._contents: dict[Symbol, Content] = {}
        self.fixtures: Known = {}
        self._leaves: dict[tuple[str, int, str], Content] = {}
        self._unused: dict[str, list[str]] = {}
        self._loads: dict[str, list[Page]] = {}

    def page(self, path: str, name: str = "", tree: ast.Module | None = None) -> Page | None:
        """The source at ``path``, None where there is none that parses."""
        if path not in self._pages:
            self._pages[path] = None
            made = self._made(path, name, tree)
            self._pages[path] = made
            if made is not None:
                self._spread(made)
        return self._pages[path]

    def _made(self, path: str, name: str, tree: ast.Module | None) -> Page | None:
        if tree is None:
            data = self.files.read(path)
            if data is None or len(data) > _LARGE:
                return None
            try:
                tree = self._parse(data)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return None
        last = path.rpartition("/")[2]
        return Page(path, name or last.removesuffix(".py"), tree.body, is_package=last == "__init__.py")

    def _spread(self, page: Page) -> None:
        """Have ``import *`` bind what it takes, in its place among the other bindings."""
        order = {id(leaf.node): index for index, leaf in enumerate(page.leaves)}
        for star in page.stars:
            target = self.starred(page, star)
            for name in sorted(target.exported) if target is not None else ():
                found = page.bound.setdefault(name, [])
                found.append(star)
                found.sort(key=lambda leaf: order.get(id(leaf.node), 0))

    def starred(self, page: Page, star: Leaf) -> Page | None:
        """The source of the test tree of which everything is imported."""
        node = star.node
        if not isinstance(node, ast.ImportFrom):
            return None
        dotted = self.absolute(page, node.level, node.module or "")
        path = self.search(dotted, page.path)
        return self.page(path, dotted) if path is not None and self.judges(path) else None

    def absolute(self, page: Page, level: int, module: str) -> str:
        """The dotted name of what ``from LEVEL module import`` means."""
        if not level:
            return module
        parts = page.name.split(".")
        parts = parts[: len(parts) - level + (1 if page.is_package else 0)]
        return ".".join([*parts, module] if module else parts)

    # --- meaning

    def meaning(self, page: Page, name: str, attributes: tuple[str, ...], needs: Needs) -> str:
        """What a name that is free in ``page`` means, as text; ``needs`` learns of it."""
        found = page.bound.get(name)
        if not found:
            text = ".".join((name, *attributes))
            return ("w" if page.stars else "b") + needs.outside(text, builtin=not page.stars)
        if len(found) == 1 and not found[0].guards and isinstance(found[0].node, (ast.Import, ast.ImportFrom)):
            dotted = self.target(page, found[0].node, name)
            if dotted is not None:
                return self.dotted(page, ".".join((dotted, *attributes)), needs)
        return self._symbol(Symbol(page.path, name), attributes, needs)

    def _symbol(self, symbol: Symbol, attributes: tuple[str, ...], needs: Needs) -> str:
        needs.symbols.add(symbol)
        return "s" + ".".join((symbol.name, *attributes))

    def target(self, page: Page, node: ast.AST, name: str) -> str | None:
        """The dotted name that an import binds to ``name``."""
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname == name:
                    return alias.name
                if alias.asname is None and alias.name.partition(".")[0] == name:
                    return name
        if isinstance(node, ast.ImportFrom):
            module = self.absolute(page, node.level, node.module or "")
            for alias in reversed(node.names):
                if (alias.asname or alias.name) == name:
                    return f"{module}.{alias.name}" if module else alias.name
            if any(alias.name == "*" for alias in node.names):
                return f"{module}.{name}"
        return None

    def dotted(self, page: Page, dotted: str, needs: Needs, deep: int = 0) -> str:
        """What a dotted name means: followed into the test tree, a name anywhere else."""
        parts = dotted.split(".")
        for size in range(len(parts), 0, -1):
            path = self.search(".".join(parts[:size]), page.path)
            if path is None:
                continue
            module = ".".join(parts[:size])
            needs.modules.add(path)
            found = self.page(path, module) if self.judges(path) else None
            if found is None and self.judges(path):
                # What cannot be parsed is known by its bytes.
                return f"x{needs.outside(dotted)}#{sha256(self.files.read(path) or b'').hexdigest()}"
            if found is None:
                if size < len(parts):
                    needs.products.add(dotted)
                break
            if size == len(parts):
                return self._symbol(Symbol(path, "*"), (), needs)
            first, rest = parts[size], tuple(parts[size + 1 :])
            bound = found.bound.get(first, [])
            if len(bound) == 1 and not bound[0].guards and isinstance(bound[0].node, (ast.Import, ast.ImportFrom)):
                again = self.target(found, bound[0].node, first)
                if again is not None and deep < _DEEP:
                    return self.dotted(found, ".".join((again, *rest)), needs, deep + 1)
            if bound:
                return self._symbol(Symbol(path, first), rest, needs)
            break
        return "x" + needs.outside(dotted)

    def imported(self, page: Page, level: int, module: str, name: str | None, needs: Needs) -> str:
        """The same for an import inside a function."""
        base = self.absolute(page, level, module)
        if name == "*":
            return "x" + needs.outside(base + ".*")
        if name is None:
            path = self.search(base, page.path)
            if path is not None:
                needs.modules.add(path)
            # What of it is used is read off the local, which nobody follows: take all of a module of the test tree.
            return self.dotted(page, base, needs)
        return self.dotted(page, f"{base}.{name}", needs)

    # --- content

    def content(self, symbol: Symbol) -> Content:
        """What everything that binds a symbol says."""
        known = self._contents.get(symbol)
        if known is None:
            needs = Needs()
            page = self.page(symbol.path)
            serial = self.serial(page, needs) if page is not None else None
            if page is not None and serial is not None:
                if symbol.name == "*":
                    needs.symbols.update(Symbol(symbol.path, name) for name in page.exported)
                for leaf in self.leaves(page, symbol.name):
                    self.put(page, leaf, symbol.name, serial, needs)
            digest = serial.hexdigest() if serial is not None else ""
            known = needs.content(digest)
            self._contents[symbol] = known
        return known

    def leaves(self, page: Page, name: str) -> list[Leaf]:
        """What binds a name, and what is done to it alone afterwards."""
        return [*page.bound.get(name, []), *page.changed.get(name, [])]

    def serial(self, page: Page | None, needs: Needs, *, free: Iterable[str] = ()) -> Serial:
        """A hash whose names are resolved from ``page``."""
        if page is None:
            return Serial(
                lambda name, rest: ".".join((name, *rest)), lambda level, module, name: f"{level}{module}{name}"
            )
        return Serial(
            lambda name, rest: self.meaning(page, name, rest, needs),
            lambda level, module, name: self.imported(page, level, module, name, needs),
            free=free,
            annotations=self._annotated(page),
        )

    def _annotated(self, page: Page) -> bool:
        """Whether something in the source reads annotations."""
        said = page.said
        return said.open_ended or not _TYPED.isdisjoint(said.names | said.others)

    def leaf(self, page: Page, leaf: Leaf, name: str, space: Space | None = None) -> Content:
        """What one statement says of ``name``; it is remembered, since the sources around many tests are the same."""
        key = (page.path, id(leaf.node), name)
        if key not in self._leaves:
            needs = Needs()
            serial = self.serial(page, needs)
            serial.word(name)
            self.put(page, leaf, name, serial, needs, space)
            self._leaves[key] = needs.content(serial.hexdigest())
        return self._leaves[key]

    def put(self, page: Page, leaf: Leaf, name: str, serial: Serial, needs: Needs, space: Space | None = None) -> None:
        """Put what one statement says of ``name``, and under which conditions."""
        for word, decides in leaf.guards:
            serial.word(word)
            if decides is not None:
                serial.put(decides, space)
        if isinstance(leaf.node, (ast.Import, ast.ImportFrom)):
            dotted = self.target(page, leaf.node, name)
            serial.word("import " + (self.dotted(page, dotted, needs) if dotted is not None else "?"))
        else:
            serial.put(leaf.node, space)

    def loads(self, page: Page) -> list[Page]:
        """The sources of the test tree that reading ``page`` reads too, its packages and itself among them."""
        if page.path not in self._loads:
            self._loads[page.path] = list(self._loaded(page))
        return self._loads[page.path]

    def _loaded(self, page: Page) -> Iterator[Page]:
        seen: dict[str, Page] = {page.path: page}
        todo = [*self._packages(page), page]
        seen.update((one.path, one) for one in todo)
        while todo:
            current = todo.pop()
            yield current
            for path, dotted in self._imports(current):
                if path not in seen and self.judges(path) and (found := self.page(path, dotted)) is not None:
                    seen[path] = found
                    todo.append(found)

    def _packages(self, page: Page) -> list[Page]:
        """The packages that a source stands in, which are read before it, the outermost first."""
        found: list[Page] = []
        directory = page.path.rpartition("/")[0]
        while directory and self.files.kind(f"{directory}/__init__.py") is not None:
            package = self.page(f"{directory}/__init__.py", directory.replace("/", "."))
            found += [package] if package is not None and package is not page else []
            directory = directory.rpartition("/")[0]
        return found[::-1]

    def unused(self, page: Page) -> list[str]:
        """What is judged and imported for nothing but what reading it does."""
        if page.path not in self._unused:
            self._unused[page.path] = sorted(set(self._alone(page)))
        return self._unused[page.path]

    def _alone(self, page: Page) -> Iterator[str]:
        used = page.said.names
        for leaf in page.imports:
            if isinstance(leaf.node, ast.Import):
                pairs = [(alias.asname or alias.name.partition(".")[0], alias.name) for alias in leaf.node.names]
            else:
                pairs = [(name, dotted) for name in page.bound if (dotted := self.target(page, leaf.node, name))]
            for name, dotted in pairs:
                needs = Needs()
                if name not in used and not name.startswith("pytest_"):
                    self.dotted(page, dotted, needs)
                    yield from (path for path in sorted(needs.modules) if not self.judges(path))

    def _imports(self, page: Page) -> Iterator[tuple[str, str]]:
        for leaf in page.imports:
            for dotted in imported_names(self, page, leaf.node):
                parts = dotted.split(".")
                for size in range(1, len(parts) + 1):
                    module = ".".join(parts[:size])
                    path = self.search(module, page.path)
                    if path is not None:
                        yield path, module


class Needs:
    """What was met while something was put into a hash."""

    __slots__ = ("modules", "names", "products", "symbols")

    def __init__(self) -> None:
        self.symbols: set[Symbol] = set()
        self.names: set[str] = set()
        self.modules: set[str] = set()
        self.products: set[str] = set()

    def content(self, digest: str) -> Content:
        """What was met, with the hash of it all."""
        return Content(digest, frozenset(self.symbols), frozenset(self.names), frozenset(self.products))

    def take(self, content: Content) -> None:
        """Meet everything that something else met."""
        self.symbols |= content.symbols
        self.names |= content.names
        self.products |= content.products

    def outside(self, dotted: str, *, builtin: bool = False) -> str:
        """Note a name from elsewhere."""
        if not builtin:
            self.names.add(dotted)
        return dotted


def imported_names(library: Library, page: Page, node: ast.AST) -> Iterator[str]:
    """Every dotted name that an import may read as a module."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = library.absolute(page, node.level, node.module or "")
        yield from (f"{module}.{alias.name}" if alias.name != "*" else module for alias in node.names)
