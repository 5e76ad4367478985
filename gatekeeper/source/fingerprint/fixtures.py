"""Which fixtures a property gets: what it asks for by name, what those ask for, and what comes unasked."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.fingerprint.chain import mentioned, real
from gatekeeper.source.fingerprint.locals import FUNCTIONS, Space

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gatekeeper.source.fingerprint.anatomy import Anchor
    from gatekeeper.source.fingerprint.chain import Chain
    from gatekeeper.source.fingerprint.follow import Library
    from gatekeeper.source.fingerprint.pages import Leaf, Page


class Provider(NamedTuple):
    """A source or class that may define fixtures; ``inner`` holds the names, ``page`` is the source around them."""

    page: Page
    inner: Page
    space: Space | None = None

    @property
    def in_class(self) -> bool:
        """Whether it is the body of a class."""
        return self.inner is not self.page

    def bound_name(self, leaf: Leaf, name: str) -> str:
        """The name under which a statement binds a fixture of another name."""
        node = leaf.node
        if isinstance(node, FUNCTIONS):
            return node.name
        return next((bound for bound, found in self.inner.bound.items() if leaf in found and bound == name), name)


class Made(NamedTuple):
    """A fixture as one provider has it: its statement, and its function with the decorator."""

    provider: Provider
    leaf: Leaf
    name: str
    node: ast.FunctionDef | ast.AsyncFunctionDef | None
    autouse: bool


Known = dict[tuple[str, str], dict[str, list[Made]]]
"""The fixtures of sources and classes that were looked at."""


class Providers:
    """The places where fixtures of one property may be defined, nearest first; ``known`` is filled."""

    def __init__(self, library: Library, nearest: Sequence[Provider], known: Known) -> None:
        self._library = library
        self._made: list[dict[str, list[Made]]] = []
        for provider in nearest:
            key = (provider.page.path, provider.inner.name)
            if key not in known:
                known[key] = self._all(provider)
            self._made.append(known[key])

    def _all(self, provider: Provider) -> dict[str, list[Made]]:
        found: dict[str, list[Made]] = {}
        for name, leaves in provider.inner.bound.items():
            for leaf in leaves:
                made = self._fixture(provider, leaf, name)
                if made is not None:
                    found.setdefault(made.name, []).append(made)
        return found

    def _fixture(self, provider: Provider, leaf: Leaf, name: str) -> Made | None:
        """The fixture that a statement binds to ``name``, if it is one."""
        node = leaf.node
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            home, last = real(self._library, provider.page, name)
            if any(alias.name == "*" for alias in getattr(node, "names", ())):
                target = self._library.starred(provider.page, leaf)
                home, last = real(self._library, target, name) if target is not None else (home, last)
            if home is provider.page:
                return None
            for other in home.bound.get(last, []):
                if isinstance(other.node, FUNCTIONS) and (said := _decorator(other.node)) is not None:
                    return Made(provider, leaf, _named(said, name), other.node, _autouse(said))
            return None
        if isinstance(node, FUNCTIONS):
            said = _decorator(node)
            return None if said is None else Made(provider, leaf, _named(said, name), node, _autouse(said))
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Call):
            inner = node.value.func if isinstance(node.value.func, ast.Call) else node.value
            if _is_fixture(inner):
                return Made(provider, leaf, _named(inner, name), None, _autouse(inner))
        return None

    def closure(self, names: Iterable[str]) -> Iterator[tuple[Provider, Leaf, str]]:
        """Every fixture that is in force: those that come unasked, those that are asked for, and what they ask for."""
        todo: list[tuple[str, int]] = [(name, 0) for name in names]
        for found in self._made:
            todo.extend((name, 0) for name, made in found.items() if any(one.autouse for one in made))
        seen: set[tuple[str, int]] = set()
        while todo:
            name, start = todo.pop(0)
            for index in range(start, len(self._made)):
                made = self._made[index].get(name)
                if made is None:
                    continue
                if (name, index) not in seen:
                    seen.add((name, index))
                    for one in made:
                        yield one.provider, one.leaf, name
                        todo.extend((asked, index + 1 if asked == name else 0) for asked in _asks(one))
                break


def requested(
    library: Library,
    providers: Providers,
    function: ast.FunctionDef | ast.AsyncFunctionDef | None,
    chain: Chain | None,
    page: Page,
    anchor: Anchor,
) -> list[str]:
    """The names that the property asks for: arguments, ``usefixtures``, and texts that may be names of fixtures."""
    del library, providers
    found: list[str] = []
    nodes: list[ast.AST] = [function] if function is not None else []
    nodes += [leaf.node for leaf in page.bound.get("pytestmark", ())]
    nodes += [leaf.node for leaf in page.bound.get(anchor.names[0], ())] if function is None else []
    for one in chain.classes if chain is not None else ():
        nodes += [*one.node.decorator_list]
        nodes += [
            leaf.node for name in ("pytestmark", "setUp", "setup_method") for leaf in one.inner.bound.get(name, ())
        ]
    for node in nodes:
        found.extend(sorted(mentioned(node)))
    found.extend(anchor.config.get("usefixtures", "").split())
    return list(dict.fromkeys(found))


def _asks(made: Made) -> list[str]:
    return sorted(mentioned(made.node)) if made.node is not None else []


def _decorator(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.expr | None:
    return next((one for one in node.decorator_list if _is_fixture(one)), None)


def _is_fixture(node: ast.expr) -> bool:
    """Whether it is a fixture decorator by its name: pytest's, pytest_asyncio's, an alias of them."""
    while isinstance(node, ast.Call):
        node = node.func
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return "fixture" in name.lower()


def _named(said: ast.expr, name: str) -> str:
    for keyword in said.keywords if isinstance(said, ast.Call) else ():
        if keyword.arg == "name" and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str):
            return keyword.value.value
    return name


def _autouse(said: ast.expr) -> bool:
    """Whether it may come unasked: anything but a plain false."""
    for keyword in said.keywords if isinstance(said, ast.Call) else ():
        if keyword.arg == "autouse":
            return not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
        if keyword.arg is None:
            return True
    return False
