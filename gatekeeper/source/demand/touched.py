"""Which public names a change of some sources can touch: a superset of the rows that differ, found without the rest.

A changed definition touches whatever reads it in the link step. That is followed from module to module: through imports
and wildcards, to derived classes, to what mentions it, as far as :mod:`gatekeeper.source.demand.told` says that it
goes. Both sides are asked at every step, since either can hold what the other has lost.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.demand.mentions import BASE, IS, MEMBER, MENTION, definitions, mentions
from gatekeeper.source.demand.near import space_of
from gatekeeper.source.demand.told import IDENTITY, PAYLOAD, SHAPE, exports_differ, moved_names, told
from gatekeeper.source.link.budget import TooMany
from gatekeeper.source.link.publish import SPACES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from gatekeeper.source.demand.side import Side
    from gatekeeper.source.link.tree import Module, Tree


class Touched:
    """The fixpoint.

    Args:
        old: the side of the base.
        new: the side of the head.
        changed: the modules whose files differ, those that only one side has included.
        most: how many modules may be touched.
    """

    def __init__(self, old: Side, new: Side, changed: Iterable[str], most: int) -> None:
        self.sides = (old, new)
        self.names: dict[str, set[str] | None] = {}
        """Touched names by module; None for all of them."""
        self._most = most
        self._changed = frozenset(changed)
        self._levels: dict[tuple[str, str], int] = {}
        self._pending: dict[str, dict[str, int]] = {}
        self._settled: set[tuple[str, str]] = set()
        self._exports: set[str] = set()

    def find(self) -> None:
        """Follow every change as far as it goes.

        Raises:
            TooMany: beyond ``most`` modules.
        """
        for module in sorted(self._changed):
            self._module(module)
        while self._pending or self._names_to_settle():
            while self._pending:
                module = min(self._pending)
                self._follow(module, self._pending.pop(module))
            for item in self._names_to_settle():
                self._settle(*item)

    # What the changed sources say differently.

    def _module(self, module: str) -> None:
        for space in SPACES:
            before, after = (told(side.facts(space, module)) for side in self.sides)
            if before == after:
                continue
            self.touch(module, ())
            for name, level in moved_names(before, after):
                self._taint(module, name, level)
            if exports_differ(before, after):
                self._whole(module)
            if bool(before) != bool(after):
                self._appeared(module)

    def _appeared(self, module: str) -> None:
        """A module that only one side has: its package, and what lies below it, say something else now."""
        parent, _, last = module.rpartition(".")
        if parent:
            self._taint(parent, last, IDENTITY)
        for side in self.sides:
            for space in SPACES:
                for other in side.tree.spaces[space]:
                    if other.startswith(module + "."):
                        self.touch(other, None)

    def _whole(self, module: str) -> None:
        """What a module exports may differ: so may what others take in by wildcard, or list after it."""
        self.touch(module, None)
        if module in self._exports:
            return
        self._exports.add(module)
        for space in SPACES:
            before, after = (_had(side, space, module) for side in self.sides)
            for name in before ^ after:
                self._taint(module, name, IDENTITY)
        for side in self.sides:
            for found in side.near.candidates(module, ("__all__",)):
                if _takes_all(side.tree, found, module):
                    self._whole(found.source.module)

    # Where it goes.

    def _taint(self, module: str, name: str, level: int) -> None:
        self.touch(module, (name,))
        if level > self._levels.get((module, name), 0):
            self._levels[module, name] = level
            known = self._pending.setdefault(module, {})
            known[name] = max(level, known.get(name, 0))

    def touch(self, module: str, names: Iterable[str] | None) -> None:
        """Count names of a module among the touched; None for all of them.

        Raises:
            TooMany: beyond ``most`` modules.
        """
        known = self.names.get(module, set())
        if module not in self.names and len(self.names) >= self._most:
            raise TooMany("more of the tree is touched than need be followed", fix="link all of it")
        if known is not None and names is not None:
            known.update(names)  # in place: a module can have fifty thousand names
            self.names[module] = known
        else:
            self.names[module] = None

    def _follow(self, module: str, names: Mapping[str, int]) -> None:
        """Taint what reads these names of a module."""
        near: dict[str, int] = {}
        for name, level in names.items():
            kinds, own = self._kinds(module, name)
            if level == IDENTITY or not own:
                # a private class is written out in what derives from it, a private value in what names it
                near[name] = IDENTITY if "attribute" in kinds else max(level, SHAPE) if "class" in kinds else level
            elif "class" in kinds:
                self._derived(module, name, level)
            # nothing reads more of a function or a value that is public where it stands than its path
        for side in self.sides if near else ():
            for found in side.near.candidates(module, near):
                self._readers(side, found, module, near)
            for found in side.near.starred():
                # what is taken in counts as exported even where the name is bound to something else
                if module in side.near.takes_from(found):
                    for name, level in near.items():
                        self._taint(found.source.module, name, level)

    def _kinds(self, module: str, name: str) -> tuple[set[str], bool]:
        """What a name is on either side, and whether all of it is public where it stands."""
        kinds: set[str] = set()
        own = True
        for side in self.sides:
            for space in SPACES:
                variants = side.facts(space, module).get("names", {}).get(name, [])
                kinds.update(item["k"] for _, item in variants)
                own = own and (not variants or side.paths.is_own((space, module, name)))
        return kinds, own

    def _derived(self, module: str, name: str, level: int) -> None:
        """Taint what derives from a public class or gives one of its members another name."""
        path = f"{module}.{name}"
        for side in self.sides:
            called = side.near.called(name)
            for found in side.near.spelling(name, dotted=level == PAYLOAD):
                for other, item in definitions(found.facts):
                    if item["k"] == "import":
                        continue  # what a name is imported as is followed from where it is used
                    for written, how in mentions(item):
                        if (
                            how == MENTION
                            or (how == BASE and level == PAYLOAD)
                            or called.isdisjoint(written.split("."))
                        ):
                            continue
                        visited = side.near.visited(found, written)
                        inner = any(step.startswith(path + ".") for step in visited)
                        if inner or (level == SHAPE and path in visited):
                            self._taint(found.source.module, other, PAYLOAD if how == IS else SHAPE)

    def _readers(self, side: Side, found: Module, module: str, levels: Mapping[str, int]) -> None:
        here = found.source.module
        for name, item in definitions(found.facts):
            for path, how in mentions(item):
                if levels.keys().isdisjoint(path.split(".")):
                    continue
                hit = _worst(side.near.visited(found, path), module, levels)
                if hit and how == IS:
                    self._taint(here, name, hit)
                elif hit and (how == MEMBER or (how == BASE and hit >= SHAPE)):
                    self._taint(here, name, SHAPE)
                elif hit == IDENTITY:
                    self._taint(here, name, SHAPE if item["k"] == "class" else PAYLOAD)

    # Canonical paths.

    def wanted(self) -> list[tuple[str, str]]:
        """Every touched name with its module."""
        return [
            (module, name)
            for module, names in sorted(self.names.items())
            for name in sorted(self.every(module) if names is None else names)
        ]

    def _names_to_settle(self) -> list[tuple[str, str]]:
        return [item for item in self.wanted() if item not in self._settled]

    def every(self, module: str) -> set[str]:
        """Every public name of a module, on either side."""
        return {
            name
            for side in self.sides
            for space in SPACES
            if module in side.tree.spaces[space]
            for name in side.publisher.exported(space, module)
        }

    def _settle(self, module: str, name: str) -> None:
        """Where the canonical path of what a name leads to differs, everything that names it does."""
        self._settled.add((module, name))
        for side in self.sides:
            for reach in side.paths.reached(module, (name,)):
                target = reach.target
                if target.kind == "def":
                    paths = [other.paths.get(target[1:]) for other in self.sides if other.facts(*target[1:3])]
                    if len({*paths}) > 1:
                        self._taint(target.module, target.name.partition(".")[0], IDENTITY)
            for inner in side.paths.private_modules(module, name):
                for space in SPACES:
                    self._replaced(space, inner)

    def _replaced(self, space: str, module: str) -> None:
        """A private module that is public under another name than before, or no longer."""
        places = [side.paths.place(space, module) for side in self.sides]
        if places[0] == places[1]:
            return
        self.touch(module, None)
        for side in self.sides:
            for name in side.facts(space, module).get("names", {}):
                self._taint(module, name, IDENTITY)
            for other, names in side.paths.named(space, module):
                self.touch(other.source.module, names)


def _had(side: Side, space: str, module: str) -> set[str]:
    """The names that a module exports or has from the wildcards in it, as a source or a stub sees it."""
    if not side.tree.spaces[space] or side.tree.get(space, module) is None:
        return set()
    found = {*side.publisher.exported(space, module)}
    for source in side.tree.star_sources(space, module)[0]:
        listed = side.tree.all_names(space, source)
        found.update(side.tree.names(space, source), () if listed is None else listed[0])
    return found


def _worst(visited: Collection[str], module: str, levels: Mapping[str, int]) -> int:
    """How far the change of what lies on the way of a path goes."""
    prefix = module + "."
    found = 0
    for step in visited:
        if step.startswith(prefix):
            found = max(found, levels.get(step[len(prefix) :].partition(".")[0], 0))
    return found


def _takes_all(tree: Tree, found: Module, module: str) -> bool:
    """Whether a source takes in all of a module by wildcard, or lists in ``__all__`` what that lists."""
    facts, space = found.facts, space_of(found)
    if "error" in facts:
        return False
    listed = (facts["all"] or {}).get("modules", ())
    return any(origin == module for _, origin, _ in facts["stars"]) or any(
        path == module or tree.module_of(space, path) == module for path in listed
    )
