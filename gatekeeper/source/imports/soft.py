"""What may come about by other means than the statements that surely run: every import that could, is followed."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.imports.find import OPAQUE
from gatekeeper.source.imports.form import ALWAYS
from gatekeeper.source.imports.modules import prefixes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gatekeeper.source.imports.modules import Module, Modules
    from gatekeeper.source.imports.summary import Step

_MOST = 16
"""Ways into a ring of imports of which each is still tried."""


class Softness:
    """Everything that the modules reached from some starts, on any path, may do by dynamic means."""

    def __init__(self, modules: Modules, starts: Sequence[str]) -> None:
        self._modules = modules
        self._edges: dict[str, dict[str, bool]] = {}
        self._names: dict[str, str] = {module.path: module.name for module in modules}
        self._patched: set[tuple[str, str]] = set()
        self._made: set[str] = set()
        self._wild: set[str] = set()
        self._ways: set[str] = set()
        reached = self._follow(starts)
        for path in reached:
            self._note(path)
        self.attempted = frozenset(self._follow(sorted(self._attempts(reached))))
        """Modules whose import may have been attempted at the top level of another, and its failure been caught."""

    def _attempts(self, paths: Sequence[str]) -> set[str]:
        found: set[str] = set()
        for path in paths:
            module = self._module(path)
            for step in (module.summary or {}).get("steps", ()):
                if step[2] != ALWAYS:
                    found.update(other.path for other in self._targets(module, step))
        return found

    def _follow(self, starts: Sequence[str]) -> list[str]:
        pending, reached = list(starts), set(starts)
        while pending:
            for other in self.edges(pending.pop()):
                if other not in reached:
                    reached.add(other)
                    pending.append(other)
        return sorted(reached)

    def edges(self, path: str) -> dict[str, bool]:
        """The modules that one may load, each with whether only code that surely runs does so."""
        if path not in self._edges:
            found = self._edges[path] = {}
            module = self._module(path)
            summary = module.summary or {}
            for step in (*summary.get("steps", ()), *summary.get("lazy", ())):
                for other in self._targets(module, step):
                    found[other.path] = found.get(other.path, True) and step[2] == ALWAYS
        return self._edges[path]

    def _targets(self, module: Module, step: Step) -> Iterator[Module]:
        base = module.absolute(step)
        if base is None:
            return
        inner = [f"{base}.{name}" for name in step[5] if name != "*"] if step[0] == "from" else []
        for name in (*prefixes(base), *inner):
            found = self._modules.named(name)
            if found is not None and found.path != OPAQUE:
                self._names[found.path] = found.name
                yield found

    def _module(self, path: str) -> Module:
        return self._modules.at(self._names[path], path)

    def _note(self, path: str) -> None:
        module = self._module(path)
        summary = module.summary or {}
        self._patched.update((_last(origin), name) for origin, name in summary.get("patches", ()))
        self._made.update(summary.get("made", ()))
        self._wild.update(summary.get("wild", ()))
        if summary.get("ways"):
            self._ways.add(module.name)

    def may_provide(self, kind: str, target: str) -> bool:
        """Whether something dynamic may make what a failure misses."""
        if kind in {"broken", "relative"}:
            return False
        if "modules" in self._wild or any(name in self._made for name in prefixes(target)):
            return True
        above, _, last = target.rpartition(".")
        if above in self._ways or (not above and "path" in self._wild):
            return True
        holders = (_last(above), "?", "builtins")
        return any((holder, name) in self._patched for holder in holders for name in (last, "*"))

    def ring(self, path: str) -> list[tuple[str, str]] | None:
        """Where one can enter the modules that import one another with this one; None where that cannot be told.

        It cannot when one of them may be imported by another at a time that is not known. An entry is a name and a
        path; whoever imports a module enters at the outermost package that is in the ring.
        """
        ring = self._around(path)
        for other in ring:
            summary = self._module(other).summary or {}
            if summary.get("loads"):
                return None
            if any(not certain for target, certain in self.edges(other).items() if target in ring):
                return None
        entries = {self._entry(other, ring) for other in ring}
        return None if len(entries) > _MOST else sorted(entries)

    def _entry(self, path: str, ring: set[str]) -> tuple[str, str]:
        name = self._names[path]
        for outer in prefixes(name):
            place = self._modules.search(outer)
            if place is not None and place in ring:
                return outer, place
        return name, path

    def _around(self, path: str) -> set[str]:
        """The modules that a module leads to, and that lead to it."""
        ahead = self._follow([path])
        back: dict[str, list[str]] = {}
        for other in ahead:
            for target in self.edges(other):
                back.setdefault(target, []).append(other)
        found, pending = {path}, [path]
        while pending:
            for other in back.get(pending.pop(), ()):
                if other not in found:
                    found.add(other)
                    pending.append(other)
        return found


def _last(origin: str) -> str:
    """The last part of where something was imported from; "?" for anything."""
    return origin.replace(":", ".").rpartition(".")[2]
