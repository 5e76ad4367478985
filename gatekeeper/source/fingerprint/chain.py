"""The classes around a property and their bases, and those of their members that it can notice."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.fingerprint.locals import FUNCTIONS, Space
from gatekeeper.source.fingerprint.pages import Leaf, Page, class_page
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.fingerprint.effects import Effects
    from gatekeeper.source.fingerprint.follow import Library

_DEEP = 40
_MACHINERY = words(
    "setUp tearDown setUpClass tearDownClass asyncSetUp asyncTearDown run debug skipTest subTest "
    "countTestCases defaultTestResult shortDescription id addCleanup addClassCleanup doCleanups "
    "doClassCleanups enterContext enterClassContext addTypeEqualityFunc fail failureException longMessage "
    "maxDiff runTest addAsyncCleanup setup_method teardown_method setup_class teardown_class setup "
    "teardown pytestmark settings nofuzz"
)


class Member(NamedTuple):
    """One thing of a class that counts; ``head`` is what stands around the body, for the class itself."""

    page: Page
    name: str
    leaf: Leaf
    space: Space | None
    head: tuple[ast.AST, ...] | None = None


class One(NamedTuple):
    """A class of the chain: where it is defined, its body, and the names in it."""

    page: Page
    node: ast.ClassDef
    leaf: Leaf
    inner: Page
    space: Space


def real(library: Library, page: Page, name: str) -> tuple[Page, str]:
    """Where a name is defined, followed through imports wherever they lead."""
    for _ in range(_DEEP):
        found = page.bound.get(name, [])
        if len(found) != 1 or not isinstance(found[0].node, (ast.Import, ast.ImportFrom)):
            break
        dotted = library.target(page, found[0].node, name) or ""
        module, _, last = dotted.rpartition(".")
        path = library.search(module, page.path) if module else None
        target = library.page(path, module) if path is not None else None
        if target is None or last not in target.bound:
            break
        page, name = target, last
    return page, name


class Chain:
    """The classes that a property sits in, innermost first, each followed by its bases."""

    def __init__(self, library: Library, page: Page, names: tuple[str, ...]) -> None:
        self._library = library
        self.classes: list[One] = []
        self._own: list[One] = []
        self._seen: set[tuple[str, int]] = set()
        around = page
        outer: list[list[One]] = []
        for name in names:
            home, last = real(library, around, name)
            mine: list[One] = []
            for leaf in home.bound.get(last, []):
                if isinstance(leaf.node, ast.ClassDef):
                    self._take(home if around is page else self._module_of(home), leaf, mine, 0)
            outer.append(mine)
            if not mine:
                break
            around = mine[0].inner
        else:
            self._own = outer[-1] if outer else []
            self.classes = [one for some in reversed(outer) for one in some]

    def _module_of(self, page: Page) -> Page:
        return self._library.page(page.path) or page

    def _take(self, page: Page, leaf: Leaf, found: list[One], deep: int) -> None:
        node = leaf.node
        if not isinstance(node, ast.ClassDef) or deep > _DEEP or (page.path, node.lineno) in self._seen:
            return
        self._seen.add((page.path, node.lineno))
        inner = class_page(page, node)
        found.append(One(page, node, leaf, inner, Space(inner.bound, None, of_class=True)))
        for base in node.bases:
            home, name = self._base(page, base)
            for other in home.bound.get(name, []) if home is not None else ():
                self._take(home or page, other, found, deep + 1)

    def _base(self, page: Page, base: ast.expr) -> tuple[Page | None, str]:
        """Where a base class is defined: a name, or a name of a module."""
        while isinstance(base, ast.Subscript):
            base = base.value
        if isinstance(base, ast.Name):
            return real(self._library, page, base.id)
        if isinstance(base, ast.Attribute):
            parts: list[str] = []
            node: ast.expr = base
            while isinstance(node, ast.Attribute):
                parts.append(node.attr)
                node = node.value
            if isinstance(node, ast.Name):
                found = page.bound.get(node.id, [])
                dotted = self._library.target(page, found[-1].node, node.id) if found else None
                module = ".".join([dotted or node.id, *reversed(parts[1:])])
                path = self._library.search(module, page.path)
                target = self._library.page(path, module) if path is not None else None
                return (real(self._library, target, parts[0])) if target is not None else (None, "")
        return None, ""

    def method(self, name: str) -> Iterator[tuple[Page, Leaf]]:
        """What binds the method in the first class that has it."""
        for one in self._own:
            if name in one.inner.bound:
                for leaf in one.inner.bound[name]:
                    yield one.page, leaf
                return

    def members(self, method: str, effects: Effects) -> Iterator[tuple[str, Member]]:
        """What of the classes the property can notice: machinery, what it uses of ``self``, statements with effects."""
        taken = self._taken(method)
        for index, one in enumerate(self.classes):
            yield from self._outer(index, one)
            for name, found in one.inner.bound.items():
                if (index, name) in taken and not (name == method and one in self._own[:1]):
                    for leaf in found:
                        yield f"{index}.{name}", Member(one.page, name, leaf, one.space)
            for leaf in one.inner.others:
                if not effects.harmless(one.page, leaf.node):
                    yield f"{index}.", Member(one.page, "", leaf, one.space)

    def _outer(self, index: int, one: One) -> Iterator[tuple[str, Member]]:
        """A class itself: bases, keywords, decorators; and what is set on it afterwards."""
        name = one.node.name
        head = (*one.node.bases, *one.node.keywords, *one.node.decorator_list)
        yield f"{index}", Member(one.page, name, one.leaf, None, head)
        others = [leaf for leaf in self._library.leaves(one.page, name) if not isinstance(leaf.node, ast.ClassDef)]
        for leaf in others:
            yield f"{index}.{name}", Member(one.page, name, leaf, None)

    def _taken(self, method: str) -> set[tuple[int, str]]:
        """Which names of which class count: more and more, until nothing new is mentioned."""
        wanted = {method}
        taken: set[tuple[int, str]] = set()
        before = -1
        while len(taken) != before:
            before = len(taken)
            for index, one in enumerate(self.classes):
                for name, found in one.inner.bound.items():
                    if (index, name) not in taken and (name in wanted or _always(name)):
                        taken.add((index, name))
                        wanted.update(*(mentioned(leaf.node) for leaf in found))
        return taken


def _always(name: str) -> bool:
    """Members that act without being named by the property."""
    return name in _MACHINERY or name.startswith(("__", "assert", "pytest_", "_call"))


def mentioned(node: ast.AST) -> set[str]:
    """Every attribute, name and short text in a member: what it may take from its class."""
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute):
            found.add(part.attr)
        elif isinstance(part, ast.Name):
            found.add(part.id)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.isidentifier():
            found.add(part.value)
        elif isinstance(part, FUNCTIONS):
            args = part.args
            found.update(arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs))
    return found
