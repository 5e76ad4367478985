"""Ordered fields: what the generated constructor of a dataclass, attrs class, NamedTuple or Enum is made of."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.link.hierarchy import Class
from gatekeeper.source.words import ATTRS, DATACLASSES, FIELD_CALLS, KEYWORD_MODELS

if TYPE_CHECKING:
    from gatekeeper.source.link.hierarchy import Hierarchy
    from gatekeeper.source.rows import Value

_CHECKS = frozenset({"enum.unique"})
"""Decorators that only check the class: it is the same with them as without."""
_MADE = DATACLASSES | ATTRS
_DEFAULTS: dict[str, Value] = {
    "init": ["bool", True],
    "repr": ["bool", True],
    "eq": ["bool", True],
    "order": ["bool", False],
    "unsafe_hash": ["bool", False],
    "frozen": ["bool", False],
    "match_args": ["bool", True],
    "kw_only": ["bool", False],
    "slots": ["bool", False],
    "weakref_slot": ["bool", False],
}
_FACTORIES = frozenset({"attr.Factory", "attrs.Factory"})
_SILENT = frozenset({"repr", "metadata", "doc", "description", "title", "examples", "hash", "compare", "eq", "order"})


def made_keywords(item: Class) -> tuple[dict[str, Value], list[Value]]:
    """The options given to a decorator that makes a class of fields, and the decorators that are none of those."""
    options: dict[str, Value] = {}
    others: list[Value] = []
    for value in item.fact["decorators"]:
        call = value[1] if isinstance(value, list) and value[0] == "Call" else None
        path = call["func"] if call else value
        path = path[1] if isinstance(path, list) and path[0] == "name" else ""
        if path in _MADE:
            given = call["keywords"] if call else {}
            options |= {
                f"@{name}": word for name, word in given.items() if _DEFAULTS.get(name) != word or path in ATTRS
            }
            if path.endswith(".frozen"):
                options["@frozen"] = ["bool", True]
        elif path not in _CHECKS:
            others.append(value)
    return options, others


def effective_fields(item: Class, flavour: str, hierarchy: Hierarchy) -> list[Value]:
    """``[name, annotation, default, options]`` in the order that is their meaning; keyword-only ones last, by name."""
    if flavour == "enum":
        own = [field for field in _values(item) if not field[0].startswith("_")]
        counted = not any(base == "enum.StrEnum" for base in hierarchy.order(item))  # those take their own names
        return own if counted and any(_is_auto(field[2]) for field in own) else []
    if flavour == "namedtuple":
        return [
            [name, annotation, default, {}]
            for name, annotation, default, _ in _values(item)
            if annotation or item.fact.get("made")
        ]
    if flavour not in {"dataclass", "attrs"}:
        return []
    merged: dict[str, Value] = {}
    for entry in reversed(hierarchy.order(item)):
        if isinstance(entry, Class) and hierarchy.flavour(entry) in {"dataclass", "attrs"}:
            known = hierarchy.own_fields.get(id(entry.fact))
            if known is None:
                keyword_model = any(base in KEYWORD_MODELS for base in hierarchy.order(entry) if isinstance(base, str))
                known = hierarchy.own_fields[id(entry.fact)] = _own_fields(entry, keyword_model=keyword_model)
            for field in known:
                merged[field[0]] = field
    positional = [field for field in merged.values() if not field[3].get("kw_only")]
    return positional + sorted((field for field in merged.values() if field[3].get("kw_only")), key=lambda one: one[0])


def _values(item: Class) -> list[Value]:
    found: dict[str, Value] = {}
    for name, annotation, default, _ in item.fact.get("fields", ()):
        found[name] = [name, annotation, default, {}]
    return list(found.values())


def _is_auto(value: Value) -> bool:
    return isinstance(value, list) and value[0] == "Call" and value[1]["func"] == ["name", "enum.auto"]


def _own_fields(item: Class, *, keyword_model: bool) -> list[Value]:
    options, _ = made_keywords(item)
    every = options.get("@kw_only") == ["bool", True] or keyword_model
    attrs = any(_path(value) in ATTRS for value in item.fact["decorators"])
    rest = False
    fields: dict[str, Value] = {}
    for name, annotation, default, _ in item.fact.get("fields", ()):
        if annotation == ["name", "dataclasses.KW_ONLY"]:
            rest = True
            continue
        call = default if _path(default) in FIELD_CALLS else None
        if (annotation is None and not (attrs and call)) or _is_class_variable(annotation):
            continue
        if keyword_model and (name.startswith("_") or name == "model_config"):
            continue
        described = _described(call, default)
        if every or rest:
            described[1].setdefault("kw_only", True)
        if described[1].get("kw_only") is False:
            del described[1]["kw_only"]
        if attrs and name.startswith("_"):
            described[1].setdefault("alias", name.lstrip("_"))
        fields[name] = [name, annotation, described[0], described[1]]
    return list(fields.values())


def _described(call: Value, default: Value) -> tuple[Value, dict[str, Value]]:
    """The default and the options of one field."""
    if call is None:
        return default, {}
    found: Value = None
    options: dict[str, Value] = {}
    if call[1]["args"] and call[1]["args"][0] != ["..."]:
        found = call[1]["args"][0]
    for name, value in call[1]["keywords"].items():
        if name == "default":
            found = value
        elif name in {"default_factory", "factory"}:
            found = ["factory", value]
        elif name in {"init", "kw_only"} and value in (["bool", True], ["bool", False]):
            if name == "kw_only" or not value[1]:
                options[name] = value[1]
        elif name == "alias" and isinstance(value, list) and value[0] == "str":
            options["alias"] = value[1]
        elif name not in _SILENT:
            options[name] = value
    return _made_default(found), options


def _made_default(value: Value) -> Value:
    """``Factory(list)`` as a default is what ``factory=list`` says."""
    if _path(value) in _FACTORIES and value[0] == "Call" and len(value[1]["args"]) == 1 and not value[1]["keywords"]:
        return ["factory", value[1]["args"][0]]
    return value


def _path(value: Value) -> str:
    if isinstance(value, list) and value[0] == "Call":
        value = value[1]["func"]
    return str(value[1]) if isinstance(value, list) and value[0] == "name" else ""


def _is_class_variable(annotation: Value) -> bool:
    base = annotation[1] if isinstance(annotation, list) and annotation[0] == "sub" else annotation
    return bool(base == ["name", "typing.ClassVar"])
