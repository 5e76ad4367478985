"""All modules of a tree together: what a dotted name leads to, through imports, wildcards and their cycles."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.link.budget import STEP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gatekeeper.source.link.budget import Budget
    from gatekeeper.source.modules import Source
    from gatekeeper.source.rows import Facts, Value

_HOPS = 64
_DEPTH = 8


class Module:
    """One file that is a module; its facts are asked for when something needs them, and once."""

    __slots__ = ("_facts", "_load", "source")

    def __init__(self, source: Source, load: Callable[[], Facts]) -> None:
        self.source = source
        self._load = load
        self._facts: Facts | None = None

    @property
    def file(self) -> str:
        """The path of the file, for messages."""
        return self.source.path

    @property
    def facts(self) -> Facts:
        """What the source says (:func:`gatekeeper.source.facts.module.facts`)."""
        if self._facts is None:
            self._facts = self._load()
        return self._facts


class Target(NamedTuple):
    """Where a name leads: ``kind`` is ``def`` (module, qualified name), ``module`` or ``external`` (dotted)."""

    kind: str
    space: str
    module: str
    name: str


class Tree:
    """Modules by namespace and name; ``py`` for sources, ``pyi`` for stubs."""

    def __init__(self, modules: Iterable[Module], budget: Budget) -> None:
        self.budget = budget
        self._followed: dict[tuple[str, str], tuple[list[tuple[str, Target]], set[str]]] = {}
        self._listed: dict[tuple[str, str], tuple[dict[str, None], list[str]] | None] = {}
        self._starred: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
        self.spaces: dict[str, dict[str, Module]] = {"py": {}, "pyi": {}}
        self.shadowed: dict[tuple[str, str], list[str]] = {}
        for module in sorted(modules, key=lambda item: (not item.source.is_package, item.file)):
            space, name = "pyi" if module.source.stub else "py", module.source.module
            if name in self.spaces[space]:
                # ``foo/__init__.py`` wins over ``foo.py``, as it does for the import system.
                self.shadowed.setdefault((space, name), []).append(module.file)
            else:
                self.spaces[space][name] = module
        self.packages = {name for space in self.spaces.values() for full in space for name in _ancestors(full)}

    def get(self, space: str, name: str) -> Module | None:
        """A module in its own namespace, or else in the other one."""
        found = self.spaces[space].get(name)
        return found if found is not None else self.spaces["py" if space == "pyi" else "pyi"].get(name)

    def names(self, space: str, name: str) -> dict[str, Value]:
        """The bindings of a module; none for one that is missing or cannot be read."""
        module = self.get(space, name)
        return {} if module is None else module.facts.get("names", {})

    def all_names(self, space: str, name: str) -> tuple[dict[str, None], list[str]] | None:
        """``__all__`` of a module: the names, and the hashes or modules that it cannot be followed into."""
        key = (space, name)
        if key not in self._listed:
            self._listed[key] = self._all_names(space, name)
        return self._listed[key]

    def _all_names(self, space: str, name: str) -> tuple[dict[str, None], list[str]] | None:
        module = self.get(space, name)
        fact = None if module is None else module.facts.get("all")
        if fact is None:
            return None
        self.budget.spend(len(fact["names"]))
        names: dict[str, None] = dict.fromkeys(fact["names"])
        unknown: list[str] = list(fact["opaque"])
        pending, seen = list(fact["modules"]), {name}
        while pending:
            path = pending.pop()
            if path in seen:
                continue
            seen.add(path)
            target = self.module_of(space, path)
            other = None if target is None else self.get(space, target)
            listed = None if other is None else other.facts.get("all")
            if listed is None:
                unknown.append(path)
                continue
            # a list of thousands of names, taken over by hundreds of modules
            self.budget.spend(len(listed["names"]))
            names.update(dict.fromkeys(listed["names"]))
            unknown.extend(listed["opaque"])
            pending.extend(listed["modules"])
        return names, sorted(set(unknown))

    def module_of(self, space: str, path: str) -> str | None:
        """The module that a dotted path names, through aliases of modules; None when it is something else."""
        if self.get(space, path) is not None:
            return path
        for _, target in self.follow(space, path):
            if target.kind == "module":
                return target.module
        return None

    def star_sources(self, space: str, name: str) -> tuple[list[str], list[str]]:
        """In-tree modules whose names a module takes in by wildcard, nearest and last first; and external ones."""
        found = self._starred.get((space, name))
        if found is None:
            found = self._starred[space, name] = self._star_sources(space, name)
        return found

    def _star_sources(self, space: str, name: str) -> tuple[list[str], list[str]]:
        order: list[str] = []
        outside: dict[str, None] = {}
        pending, seen = [name], {name}
        while pending:
            current = pending.pop()
            module = self.get(space, current)
            if module is None:
                continue
            if current != name:
                order.append(current)
                if module.facts.get("all") is not None:
                    continue
            self.budget.spend(len(module.facts.get("stars", ())))
            for _, origin, _ in module.facts.get("stars", ()):
                if self.get(space, origin) is None:
                    outside[origin] = None
                elif origin not in seen:
                    seen.add(origin)
                    pending.append(origin)
        return order, sorted(outside)

    def follow(self, space: str, path: str) -> list[tuple[str, Target]]:
        """Every ``(guard, target)`` that a dotted path leads to, in order; conditional imports lead to several."""
        return self._known(space, path)[0]

    def visited(self, space: str, path: str) -> set[str]:
        """Every dotted path on the way from a path to what it leads to, itself included."""
        return self._known(space, path)[1]

    def _known(self, space: str, path: str) -> tuple[list[tuple[str, Target]], set[str]]:
        known = self._followed.get((space, path))
        if known is None:
            known = self._followed[space, path] = self._follow(space, path)
        return known

    def _follow(self, space: str, path: str) -> tuple[list[tuple[str, Target]], set[str]]:
        found: list[tuple[str, Target]] = []
        pending: list[tuple[str, str, int]] = [("", path, 0)]
        seen: set[str] = set()
        while pending:
            guard, dotted, hops = pending.pop()
            if dotted in seen or hops > _HOPS:
                continue
            seen.add(dotted)
            self.budget.spend(STEP)
            step = self._step(space, dotted)
            if isinstance(step, Target):
                found.append((guard, step))
            else:
                pending.extend((both(guard, inner), origin, hops + 1) for inner, origin in reversed(step))
        if not found:
            # A ring of imports that defines nothing, or ``from . import sub`` that leads to itself.
            kind = "module" if self.get(space, path) is not None else "external"
            found.append(("", Target(kind, self._space_of(space, path), path, "")))
        return found, seen

    def variants(self, target: Target) -> list[Value]:
        """``[guard, definition]`` of what a target names; inside classes too; none when there is nothing."""
        parts = target.name.split(".")
        found: list[Value] = self.names(target.space, target.module).get(parts[0], [])
        for part in parts[1:]:
            inner = next((item for _, item in found if item["k"] == "class"), None)
            found = [] if inner is None else inner["members"].get(part, [])
        return [variant for variant in found if variant[1]["k"] != "import"]

    def settle(self, target: Target) -> Target:
        """The function or class behind ``public = _private``; the target itself for anything else."""
        start = target
        for _ in range(_DEPTH):
            found = self.variants(target) if target.kind == "def" else []
            if len(found) != 1 or found[0][1]["k"] != "attribute":
                break
            payload = found[0][1]["p"]
            value = payload["value"]
            if payload["annotation"] is not None or not isinstance(value, list) or value[0] != "name":
                break
            further = self.follow(target.space, value[1])[0][1]
            if further.kind != "def" or further == target:
                break
            behind = self.variants(further)
            if not behind or (behind[0][1]["k"] == "attribute" and behind[0][1]["p"]["value"] is None):
                break
            if behind[0][1]["k"] != "attribute":
                return further
            target = further
        return start

    def _step(self, space: str, dotted: str) -> Target | list[tuple[str, str]]:
        """One hop: a target, or the dotted paths that the name is imported from."""
        parts = dotted.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            owner = ".".join(parts[:cut])
            if self.get(space, owner) is None:
                continue
            rest = parts[cut:]
            step = self._member(space, owner, rest)
            if step is not None:
                return step
        if self.get(space, dotted) is not None or dotted in self.packages:
            return Target("module", self._space_of(space, dotted), dotted, "")
        return Target("external", space, dotted, "")

    def _member(self, space: str, owner: str, rest: list[str]) -> Target | list[tuple[str, str]] | None:
        variants = self.names(space, owner).get(rest[0])
        if variants is None:
            return self._through_stars(space, owner, rest)
        imports = [(guard, item["of"]) for guard, item in variants if item["k"] == "import"]
        if len(imports) < len(variants):
            return Target("def", self._space_of(space, owner), owner, ".".join(rest))
        own = f"{owner}.{rest[0]}"
        steps = [(guard, ".".join((origin, *rest[1:]))) for guard, origin in imports if origin != own]
        return steps or None

    def _through_stars(self, space: str, owner: str, rest: list[str]) -> list[tuple[str, str]] | None:
        sources, _ = self.star_sources(space, owner)
        # every name of hundreds of modules, looked for in hundreds of wildcards
        self.budget.spend(len(sources))
        for source in sources:
            listed = self.all_names(space, source)
            if listed is None and rest[0].startswith("_"):
                continue
            known = rest[0] in self.names(space, source)
            # where ``__all__`` cannot be read, any public name may be in it
            if listed is not None and rest[0] not in listed[0] and not (listed[1] and known and rest[0][0] != "_"):
                continue
            if known or listed is not None:
                return [("", ".".join((source, *rest)))]
        return None

    def _space_of(self, space: str, name: str) -> str:
        """The namespace of the file behind a name: a stub may import what has none."""
        other = "py" if space == "pyi" else "pyi"
        return other if name in self.spaces[other] and name not in self.spaces[space] else space


def both(outer: str, inner: str) -> str:
    """Two guards that must both hold."""
    if not outer or outer == inner:
        return inner
    return f"{outer} and {inner}" if inner else outer


def _ancestors(name: str) -> Iterator[str]:
    parts = name.split(".")
    for cut in range(1, len(parts)):
        yield ".".join(parts[:cut])
