"""Whether importing some modules of a tree fails, told from summaries: nothing is run.

The modules are gone through in the order in which Python would load them, packages before what is in them. What stands
under a condition, or where a failure may be caught, is not followed; what may be bound by other means than a statement
is taken as bound. So what is reported fails wherever the tree is imported, and silence proves nothing.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.imports.find import OPAQUE
from gatekeeper.source.imports.form import ALWAYS
from gatekeeper.source.imports.modules import DONE, LATER, NO, YES, Module, Modules, prefixes
from gatekeeper.source.imports.soft import Softness

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
    from typing import Any

    from gatekeeper.source.imports.modules import Search, SummaryOf
    from gatekeeper.source.imports.summary import Step

    Loading = Generator[Module, None, "Module | None"]

MODULE, NAME, RELATIVE, BROKEN, CYCLE = "module", "name", "relative", "broken", "cycle"
"""The kinds of failures: no such module, no such name in it, a relative name that leads out of the package, a source
that cannot be run to its end, and a name that is bound too late because modules import one another."""


_MOST_RINGS = 8
"""Failures in rings of imports that are looked at from every side of the ring; of further ones nothing is said."""


class Start(NamedTuple):
    """A module that is imported from outside: the name under which, and the path of its source."""

    name: str
    path: str


class Unresolved(NamedTuple):
    """An import that fails.

    ``path`` and ``line`` are where, ``target`` the module or ``module.name`` that is not there, ``why`` a sentence for
    a person, ``kind`` one of the words above, and ``starts`` the paths of the modules whose import fails for it.
    """

    path: str
    line: int
    target: str
    why: str
    kind: str
    starts: tuple[str, ...]


def unresolved(
    starts: Iterable[Start],
    summary_of: SummaryOf,
    search: Search,
    *,
    existed: Callable[[str], bool] = lambda _name: False,
) -> list[Unresolved]:
    """The imports that surely fail when these modules are imported, in the order in which Python would meet them.

    Args:
        starts: the modules, in the order in which they are imported.
        summary_of: the summary of the source at a path; None where nothing is known of it.
        search: the path of a module of the tree (:class:`gatekeeper.source.imports.find.Finder`), None for others.
        existed: whether a module that the tree lacks was in the tree before. At the top, and in a namespace that other
            distributions may share, a lacking module is only missed when it was. Inside a package, one is always
            missed: whoever has another tree to compare with takes away what that one lacks too, for it is built or
            generated (a compiled module, ``_version.py``).
    """
    run = Run(summary_of, search, existed)
    given = list(starts)
    for start in given:
        run.load(start)
    return run.certain(given) if run.failures else []


class Run:
    """One process that imports."""

    def __init__(self, summary_of: SummaryOf, search: Search, existed: Callable[[str], bool]) -> None:
        self.modules = Modules(summary_of, search)
        self._existed = existed
        self._loaded: dict[str, Module] = {}
        self.failures: list[Unresolved] = []
        self._rings = 0

    def load(self, start: Start) -> None:
        """Import one module as a program would: what it is inside of, then itself."""
        above = start.name.rpartition(".")[0]
        outer = Module("", "", {"names": {}})
        if above and self.modules.search(start.name) == start.path:
            self._drive(self._chain(outer, ["import", 0, ALWAYS, above], above))
        module = self.modules.at(start.name, start.path)
        module.edges.update(outer.edges)
        if module.at < 0:
            self._drive(self._run(module))

    def _drive(self, first: Generator[Module, None, object]) -> None:
        """Run a module and those that it waits for; as a list, since chains of imports may be very long."""
        stack: list[Generator[Module, None, object]] = [first]
        while stack:
            wanted = next(stack[-1], None)
            if wanted is None:
                stack.pop()
            else:
                stack.append(self._run(wanted))

    def _run(self, module: Module) -> Generator[Module, None, None]:
        summary = module.summary or {}
        fails = summary.get("fails")
        for place, step in enumerate(summary.get("steps", ())):
            module.at = place
            if fails is not None and fails[2] <= place:
                break
            if step[2] == ALWAYS:
                yield from self._step(module, step)
        if fails is not None:
            module.failed = True
            self._fail(module, fails[0], module.name, f"{module.name} cannot be imported: {fails[1]}", BROKEN)
        for use in summary.get("uses", ()) if fails is None else ():
            self._use(module, use)
        module.at = DONE

    def _step(self, module: Module, step: Step) -> Generator[Module, None, None]:
        base = module.absolute(step)
        if base is None:
            said = "." * step[3] + step[4]
            self._fail(module, step[1], said, f"the relative import of {said} leads out of its package", RELATIVE)
            return
        source = self._loaded.get(base) or (yield from self._chain(module, step, base))
        if source is None:
            return
        module.edges[source.path] = ""
        if step[0] == "from":
            summary, at = source.summary, source.at
            for name in step[5]:
                if summary is None:
                    return
                place = summary["names"].get(name)
                if place is None or place > at or "gone" in summary:
                    yield from self._name(module, step, source, name)

    def _chain(self, module: Module, step: Step, dotted: str) -> Loading:
        """Load a module and what it is inside of; None where one of them is not of this tree, or not there."""
        source: Module | None = None
        for name in prefixes(dotted):
            found = self._loaded.get(name)
            if found is None:
                path = self.modules.search(name)
                if path is None:
                    self._missing(module, step, source, name)
                    return None
                if path == OPAQUE:
                    return None
                found = self._loaded[name] = self.modules.at(name, path)
                if source is not None:
                    found.above = source.path
                if found.at < 0:
                    found.at = 0
                    yield found
            source = found
        return source

    def _missing(self, module: Module, step: Step, inside: Module | None, name: str) -> None:
        """A module that the tree does not have."""
        if inside is None or self._is_shared(inside):
            if self._existed(name):
                self._fail(module, step[1], name, f"there is no module {name} any more", MODULE)
        elif not inside.package:
            why = f"there is no module {name}: {inside.name} is no package"
            self._fail(module, step[1], name, why, MODULE)
        elif inside.summary is not None and not inside.failed:
            self._fail(module, step[1], name, f"there is no module {name}", MODULE)

    def _use(self, module: Module, use: list[Any]) -> None:
        """A name that the module's own code needs, or an attribute of a module."""
        if len(use) == 2:  # noqa: PLR2004 (line and name)
            line, name = use
            if not self.modules.binds(module, name):
                self._fail(module, line, f"{module.name}.{name}", f"{module.name} uses {name} without binding it", NAME)
            return
        line, _, attribute, origin = use
        source = self.modules.origin(module, origin)
        if source is None or source.path.endswith("/") or self.modules.has(source, attribute) != NO:
            return
        inner = f"{source.name}.{attribute}"
        if not source.package or self.modules.search(inner) is None:
            self._fail(module, line, inner, f"{source.name} has no {attribute}", NAME)

    def _is_shared(self, module: Module) -> bool:
        """Whether a module is a namespace, and inside no package: other distributions may put modules there."""
        outermost = self.modules.search(module.name.partition(".")[0]) or ""
        return module.path.endswith("/") and outermost.endswith("/")

    def _name(self, module: Module, step: Step, source: Module, name: str) -> Generator[Module, None, None]:
        """A name that is not plainly bound in ``source``."""
        if name == "*":
            yield from self._everything(module, step, source)
            return
        has = self.modules.has(source, name)
        if has == YES:
            return
        inner = f"{source.name}.{name}"
        if source.package and self.modules.search(inner) is not None:
            yield from self._submodule(module, step, inner)
        elif has == LATER:
            why = f"{source.name} imports {module.name}, which imports {name} from it before it is bound there"
            self._fail(module, step[1], inner, why, CYCLE)
        elif source.path.endswith("/"):
            self._missing(module, step, source, inner)
        elif not source.package:
            self._fail(module, step[1], inner, f"{source.name} has no {name}", NAME)
        else:
            why = f"{source.name} has no {name}, and there is no module {inner}"
            self._fail(module, step[1], inner, why, NAME)

    def _submodule(self, module: Module, step: Step, inner: str) -> Generator[Module, None, None]:
        """A module that is imported since its package has no such name."""
        found = yield from self._chain(module, step, inner)
        if found is not None:
            module.edges.setdefault(found.path, inner)

    def _everything(self, module: Module, step: Step, source: Module) -> Generator[Module, None, None]:
        """``import *``: what ``__all__`` lists must be there."""
        listed = (source.summary or {}).get("all")
        if not isinstance(listed, list) or source.at != DONE:
            return
        for name in listed:
            if self.modules.has(source, name) != NO:
                continue
            inner = f"{source.name}.{name}"
            if source.package and self.modules.search(inner) is not None:
                yield from self._submodule(module, step, inner)
            else:
                why = f"__all__ of {source.name} lists {name}, which is not there"
                self._fail(module, step[1], inner, why, NAME)

    def _fail(self, module: Module, line: int, target: str, why: str, kind: str) -> None:
        self.failures.append(Unresolved(module.path, line, target, why, kind, ()))

    def certain(self, starts: list[Start]) -> list[Unresolved]:
        """The failures that nothing dynamic can prevent, each with the starts that meet it."""
        soft = Softness(self.modules, [start.path for start in starts])
        self._rings = _MOST_RINGS
        kept = [
            one
            for one in dict.fromkeys(self.failures)
            if not soft.may_provide(one.kind, one.target) and (one.kind != CYCLE or self._closes(one, soft))
        ]
        edges = {module.path: list(_edges(module, soft)) for module in self.modules}
        reach = {start.path: _reached(start.path, edges) for start in starts}
        met = [one._replace(starts=tuple(path for path in reach if one.path in reach[path])) for one in kept]
        return [one for one in met if one.starts]

    def _closes(self, one: Unresolved, soft: Softness) -> bool:
        """Whether a cycle fails wherever it is entered."""
        self._rings -= 1
        ring = soft.ring(one.path) if self._rings >= 0 else None
        if ring is None:
            return False
        for entry in ring:
            again = Run(self.modules.summary_of, self.modules.search, self._existed)
            again.load(Start(*entry))
            if not any(other.kind == CYCLE for other in again.failures):
                return False
        return True


def _edges(module: Module, soft: Softness) -> Iterator[str]:
    """The modules that are loaded when one is, whatever dynamic means do."""
    for path, name in module.edges.items():
        if not name or not soft.may_provide(NAME, name):
            yield path
    # Whoever loads a module loads its package first. Not where an import of the package may have failed before, and
    # been caught: what it had loaded by then stays, and is found without it.
    if module.above and module.above not in soft.attempted:
        yield module.above


def _reached(path: str, edges: Mapping[str, Iterable[str]]) -> set[str]:
    reached, pending = {path}, [path]
    while pending:
        for other in edges.get(pending.pop(), ()):
            if other not in reached:
                reached.add(other)
                pending.append(other)
    return reached
