"""Classes and their bases across modules: linearisation, flavour and ordered fields."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.words import ATTRS, DATACLASSES, ENUMS, KEYWORD_MODELS, STRUCTS

if TYPE_CHECKING:
    from gatekeeper.source.link.tree import Target, Tree
    from gatekeeper.source.rows import Value

_LONGEST = 128


class Class(NamedTuple):
    """A class of the tree: where it is defined, and its facts."""

    key: tuple[str, str, str]
    fact: dict[str, Value]


class Hierarchy:
    """Linearises the classes of one tree; external classes are leaves, known by their dotted path."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._orders: dict[tuple[str, str, str], list[Class | str]] = {}
        self._flavours: dict[int, str] = {}
        self._bases: dict[int, list[tuple[Value, Class | str]]] = {}
        self.own_fields: dict[int, list[Value]] = {}

    def bases(self, item: Class) -> list[tuple[Value, Class | str]]:
        """Each base as written, and the class it is: one of the tree, or the dotted path of an external one."""
        known = self._bases.get(id(item.fact))
        if known is None:
            known = self._bases[id(item.fact)] = self._find_bases(item)
        return known

    def _find_bases(self, item: Class) -> list[tuple[Value, Class | str]]:
        found: list[tuple[Value, Class | str]] = []
        for value in item.fact["bases"]:
            name = value[1] if isinstance(value, list) and value[0] == "sub" else value
            if isinstance(name, list) and name[0] == "name":
                found.append((value, self._class(item.key[0], name[1])))
            elif isinstance(name, list) and name[0] == "Call" and name[1]["func"][0] == "name":
                found.append((value, str(name[1]["func"][1])))
            else:
                found.append((value, "<expression>"))
        return found

    def _class(self, space: str, path: str) -> Class | str:
        target = self._tree.follow(space, path)[0][1]
        if target.kind != "def":
            return target.module.replace("typing_extensions.", "typing.", 1)
        target = self._tree.settle(target)
        item = self.find(target)
        return f"{target.module}.{target.name}" if item is None else item

    def find(self, target: Target) -> Class | None:
        """The class that a target names, under whichever condition comes first."""
        for _, definition in self._tree.variants(target):
            if definition["k"] == "class":
                return Class(target[1:], definition)
        return None

    def order(self, item: Class) -> list[Class | str]:
        """The linearised classes, itself first (C3; where that fails, depth first without repetition).

        A ring of bases is cut where it closes; beyond 128 classes the order is cut.
        """
        pending, active = [item], {item.key}
        while pending:
            current = pending[-1]
            if current.key in self._orders:
                pending.pop()
                active.discard(current.key)
                continue
            waiting = [
                base
                for _, base in self.bases(current)
                if isinstance(base, Class) and base.key not in self._orders and base.key not in active
            ]
            if waiting:
                pending.append(waiting[0])
                active.add(waiting[0].key)
                continue
            self._orders[current.key] = self._merge(current)
            active.discard(current.key)
            pending.pop()
        return self._orders[item.key]

    def _merge(self, item: Class) -> list[Class | str]:
        bases = [base for _, base in self.bases(item)]
        # What is not known yet closes a ring: its own bases are left out.
        lines = [self._orders.get(base.key, [base]) if isinstance(base, Class) else [base] for base in bases]
        if len(lines) == 1:
            self._tree.budget.spend(1 + len(lines[0]) // 64)
            return [item, *(entry for entry in lines[0] if _key(entry) != item.key)][:_LONGEST]
        self._tree.budget.spend(sum(map(len, lines)) ** 2 // 16)
        merged = _c3([list(line) for line in lines] + [list(bases)])
        if merged is None:
            merged = [entry for line in lines for entry in line]
        unique: dict[object, Class | str] = {item.key: item}
        for entry in merged:
            unique.setdefault(entry.key if isinstance(entry, Class) else entry, entry)
        return list(unique.values())[:_LONGEST]

    def flavour(self, item: Class) -> str:
        """What makes the class more than plain, by itself or through a base."""
        found = self._flavours.get(id(item.fact))
        if found is None:
            found = self._flavours[id(item.fact)] = self._flavour(item)
        return found

    def _flavour(self, item: Class) -> str:  # noqa: PLR0911 (one line a flavour)
        paths = [_decorator_path(value) for value in item.fact["decorators"]]
        if any(path in DATACLASSES for path in paths):
            return "dataclass"
        if any(path in ATTRS for path in paths):
            return "attrs"
        direct = {base for _, base in self.bases(item) if isinstance(base, str)}
        every = {entry for entry in self.order(item) if isinstance(entry, str)}
        if direct & {"typing.NamedTuple"}:
            return "namedtuple"
        if direct & {"typing.Protocol"}:
            return "protocol"
        if every & ENUMS:
            return "enum"
        if every & {"typing.TypedDict"}:
            return "typeddict"
        return "dataclass" if every & (KEYWORD_MODELS | STRUCTS) else "plain"


def _decorator_path(value: Value) -> str:
    if isinstance(value, list) and value[0] == "Call":
        value = value[1]["func"]
    return str(value[1]) if isinstance(value, list) and value[0] == "name" else ""


def _c3(lines: list[list[Class | str]]) -> list[Class | str] | None:
    """The C3 merge of the linearisations; None when there is none."""
    keys = [[_key(entry) for entry in line] for line in lines]
    places = [0] * len(lines)
    behind: dict[object, int] = {}
    for line in keys:
        for key in line[1:]:
            behind[key] = behind.get(key, 0) + 1
    merged: list[Class | str] = []
    while True:
        heads = [
            (number, line[place])
            for number, (line, place) in enumerate(zip(keys, places, strict=True))
            if place < len(line)
        ]
        if not heads:
            return merged
        chosen = next(((number, key) for number, key in heads if not behind.get(key)), None)
        if chosen is None:
            return None
        merged.append(lines[chosen[0]][places[chosen[0]]])
        for number, key in heads:
            if key == chosen[1]:
                places[number] += 1
                for following in keys[number][places[number] : places[number] + 1]:
                    behind[following] -= 1


def _key(entry: Class | str) -> object:
    return entry.key if isinstance(entry, Class) else entry
