"""The rows of one class: itself, its own members, and what it takes from bases that no caller can name."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.link.budget import ROW
from gatekeeper.source.link.fields import effective_fields, made_keywords
from gatekeeper.source.link.hierarchy import Class
from gatekeeper.source.link.tree import Target, both
from gatekeeper.source.rows import Row, canonical

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from gatekeeper.source.link.hierarchy import Hierarchy
    from gatekeeper.source.link.names import Names, Public
    from gatekeeper.source.link.tree import Tree
    from gatekeeper.source.rows import Value

_MANY = 64
_CONSTRUCTED = frozenset({"dataclass", "attrs", "namedtuple"})


class Writer:
    """Turns definitions into rows, under the public path that is theirs."""

    def __init__(self, tree: Tree, hierarchy: Hierarchy, names: Names, public: Public) -> None:
        self._tree = tree
        self._hierarchy = hierarchy
        self._names = names
        self._public = public
        self._private: dict[int, dict[str, bool]] = {}

    def definition(self, path: str, guard: str, target: Target) -> Iterator[Row]:
        """Every row of a definition: one for each condition and overload, and those of its members."""
        file = self._file(target.space, target.module)
        for inner, item in self._tree.variants(target):
            yield from self._variant(path, both(guard, inner), item, target, file)

    def _file(self, space: str, module: str) -> str:
        found = self._tree.get(space, module)
        return "" if found is None else found.file

    def _variant(self, path: str, guard: str, item: dict[str, Value], target: Target, file: str) -> Iterator[Row]:
        space = target.space
        if item["k"] == "function":
            for ordinal, signature in enumerate(item["sigs"]):
                payload = self._names.final(space, signature, item["refs"])
                yield Row(path, guard, ordinal, "function", payload, file, item["line"])
        elif item["k"] == "attribute":
            yield Row(
                path, guard, 0, "attribute", self._names.final(space, item["p"], item["refs"]), file, item["line"]
            )
        elif item["k"] == "class":
            yield from self._class(path, guard, Class(target[1:], item), file)

    def _class(self, path: str, guard: str, item: Class, file: str) -> Iterator[Row]:
        payload = self._payload(item)
        # Nobody writes hundreds of bases; a chain of thousands costs the square of its length.
        self._tree.budget.spend(ROW * max(0, len(payload["mro"]) + len(payload["fields"]) - _MANY))
        yield Row(path, guard, 0, "class", payload, file, item.fact["line"])
        seen: set[str] = set()
        covered: set[tuple[str, str, str]] = set()
        ordinal = 0
        for entry in self._hierarchy.order(item):
            if isinstance(entry, str):
                continue
            public = self._path_of(entry) if entry.key != item.key else None
            if public is not None:
                if entry.key not in covered:
                    yield Row(path, guard, ordinal, "inherits", {"of": public}, file, item.fact["line"])
                    ordinal += 1
                    covered.update(base.key for base in self._hierarchy.order(entry) if isinstance(base, Class))
                seen.update(entry.fact["members"], entry.fact["inst"])
            elif entry.key == item.key:
                yield from self._members(path, guard, entry, seen)
            elif entry.key not in covered:
                for row in self._members(path, guard, entry, seen):
                    # A large signature in a private base is written once for every class below it.
                    self._tree.budget.spend(len(canonical(row.payload)) >> 6)
                    yield row

    def _members(self, path: str, guard: str, item: Class, seen: set[str]) -> Iterator[Row]:
        space, module, name = item.key
        file = self._file(space, module)
        taken = set(seen)
        fields, total = self._keys(item)
        for member, variants in item.fact["members"].items():
            if member in taken or (member.startswith("_") and not (member.startswith("__") and member.endswith("__"))):
                continue
            seen.add(member)
            target = Target("def", space, module, f"{name}.{member}")
            for inner, found in variants:
                definition = _field(found, total) if member in fields and found["k"] == "attribute" else found
                yield from self._member(f"{path}.{member}", both(guard, inner), definition, target, file)
        for member, (annotation, line) in item.fact["inst"].items():
            if member not in taken and member not in seen:
                seen.add(member)
                written = self._names.final(space, annotation, item.fact["refs"])
                payload = {"annotation": written, "value": None, "accessors": None, "final": False}
                yield Row(f"{path}.{member}", guard, 0, "attribute", payload, file, line)

    def _keys(self, item: Class) -> tuple[Collection[str], bool | None]:
        """The members that are fields of a made class, or keys of a TypedDict, and then whether those must be there."""
        flavour = self._hierarchy.flavour(item)
        if flavour == "typeddict":
            return item.fact["members"], item.fact["keywords"].get("total") != ["bool", False]
        if flavour in _CONSTRUCTED:
            return {field[0] for field in effective_fields(item, flavour, self._hierarchy)}, None
        return (), None

    def _member(self, path: str, guard: str, item: dict[str, Value], target: Target, file: str) -> Iterator[Row]:
        if item["k"] == "import":
            yield Row(
                path, guard, 0, "alias", {"of": self._names.name(target.space, item["of"])[1]}, file, item["line"]
            )
            return
        value = item["p"]["value"] if item["k"] == "attribute" else None
        if not isinstance(value, list) or value[0] != "name":
            yield from self._variant(path, guard, item, target, file)
            return
        settled = self._tree.settle(target)
        found = self._tree.variants(settled)
        if settled == target or not found or found[0][1]["k"] != "function":
            # A class as the value of a member stays a value: written out, a ring of such members would never end.
            yield from self._variant(path, guard, item, target, file)
            return
        public = self._method_path(path, target, settled)
        if public is not None:
            yield Row(path, guard, 0, "alias", {"of": public}, file, item["line"])
        else:
            yield from self.definition(path, guard, settled)

    def _method_path(self, path: str, target: Target, settled: Target) -> str | None:
        """Where the function behind ``__radd__ = __add__`` is public; None for a private one, which is written out."""
        outer, _, name = settled.name.rpartition(".")
        if name.startswith("_") and not (name.startswith("__") and name.endswith("__")):
            return None
        if settled.module == target.module and outer and outer == target.name.rpartition(".")[0]:
            return f"{path.rpartition('.')[0]}.{name}"
        head, *rest = settled.name.split(".")
        found = self._public.get((settled.space, settled.module, head))
        return None if found is None else ".".join((found, *rest))

    def _path_of(self, item: Class) -> str | None:
        """The public path of a class, also of one inside another; None for a private one."""
        space, module, name = item.key
        head, *rest = name.split(".")
        found = self._public.get((space, module, head))
        if found is None or any(part.startswith("_") for part in rest):
            return None
        return ".".join((found, *rest))

    def _payload(self, item: Class) -> Value:
        fact, space = item.fact, item.key[0]
        flavour = self._hierarchy.flavour(item)
        options, decorators = made_keywords(item)
        maker = self._maker(item) if flavour == "plain" else None
        if maker is not None:
            # the constructor of a private base is this class's own to whoever calls it
            flavour, options = self._hierarchy.flavour(maker), made_keywords(maker)[0] | options
        own, external = self._bases(item)
        entries = [entry for entry in self._hierarchy.order(item) if isinstance(entry, Class)]
        moved = self._names.moves(space, {path for entry in entries for path in entry.fact["refs"]})

        def final(value: Value) -> Value:
            return self._names.rewrite(space, value) if moved else value

        missing = self._abstract(item)
        return ({"abstract": missing} if missing else {}) | {
            "flavour": flavour,
            "bases": final(own),
            "external": final(external),
            "mro": self._mro(item),
            "keywords": final(fact["keywords"] | options),
            "decorators": final(decorators),
            "type_params": final(fact["type_params"]),
            "fields": [
                # A field may be named "union": its name is no tag of a value.
                [name, final(annotation), final(default), final(settings)]
                for name, annotation, default, settings in effective_fields(maker or item, flavour, self._hierarchy)
            ],
            "slots": _slots(fact.get("__slots__")),
            "match_args": final(fact.get("__match_args__")),
        }

    def _maker(self, item: Class) -> Class | None:
        """The private base whose fields make the constructor of a plain class."""
        for entry in self._hierarchy.order(item)[1:]:
            if isinstance(entry, Class):
                if self._path_of(entry) is not None:
                    return None
                if self._hierarchy.flavour(entry) in _CONSTRUCTED:
                    return entry
        return None

    def _bases(self, item: Class) -> tuple[list[Value], list[Value]]:
        """Public bases of the tree, and external ones; a private base gives its own bases in its stead."""
        own: list[Value] = []
        external: list[Value] = []
        pending, seen = [item], {item.key}
        while pending:
            current = pending.pop(0)
            for value, base in self._hierarchy.bases(current):
                if value == ["name", "object"]:
                    continue  # what every class has
                if isinstance(base, str):
                    external.append(value)
                elif self._path_of(base) is not None:
                    own.append(value)
                elif base.key not in seen:
                    seen.add(base.key)
                    pending.append(base)
        return own, [value for place, value in enumerate(external) if value not in external[:place]]

    def _abstract(self, item: Class) -> list[str]:
        """Private methods that subclasses must write: they have no rows of their own."""
        found: dict[str, bool] = {}
        for entry in reversed(self._hierarchy.order(item)):
            if isinstance(entry, Class):
                key = id(entry.fact)
                if key not in self._private:
                    self._private[key] = dict(_private_members(entry))
                found |= self._private[key]
        return sorted(name for name, abstract in found.items() if abstract)

    def _mro(self, item: Class) -> list[str]:
        line = [entry if isinstance(entry, str) else self._path_of(entry) for entry in self._hierarchy.order(item)[1:]]
        return [path for path in line if path is not None and path != "object"]


def _field(definition: dict[str, Value], total: bool | None) -> dict[str, Value]:
    """A field without its value, which the row of the class has; a key without a wrapper that says nothing new."""
    payload = definition["p"]
    if total is None:
        return {**definition, "p": {**payload, "value": None}}
    annotation = payload["annotation"]
    plain = ["name", "typing.Required" if total else "typing.NotRequired"]
    if isinstance(annotation, list) and annotation[0] == "sub" and annotation[1] == plain:
        return {**definition, "p": {**payload, "annotation": annotation[2][0]}}
    return definition


def _private_members(item: Class) -> Iterator[tuple[str, bool]]:
    """The private names in the body of a class, and whether each is abstract."""
    for name, variants in item.fact["members"].items():
        if name[0] == "_" and not name.endswith("__"):
            yield name, any(_is_abstract(fact) for _, fact in variants)


def _is_abstract(fact: dict[str, Value]) -> bool:
    payload = fact["sigs"][-1] if fact["k"] == "function" else fact.get("p", {})
    return "abstract" in payload.get("flags", ())


def _slots(value: Value) -> Value:
    """Sorted public slots, ``__dict__`` and ``__weakref__`` included; None for a class without ``__slots__``."""
    if value is None:
        return None
    items = [value] if isinstance(value, list) and value[0] == "str" else _elements(value)
    if items is None:
        return value
    names = [item[1] for item in items if isinstance(item, list) and item[0] == "str"]
    return sorted(name for name in names if not name.startswith("_") or name in {"__dict__", "__weakref__"})


def _elements(value: Value) -> list[Value] | None:
    if value in ("Tuple", "List", "Dict"):
        return []
    if isinstance(value, list) and value[0] == "Dict":
        return list(value[1]["keys"])
    if isinstance(value, list) and value[0] in {"Tuple", "List"} and isinstance(value[1], dict):
        found: list[Value] = value[1]["elts"]
        return found
    return None
