"""Classes that a call makes: ``namedtuple("P", "x y")``, ``Enum("E", "A B")``, ``TypedDict("T", {...})`` and their kin.

Each is read as the class statement that it stands for, so that writing one as the other is no change. A call whose
fields or members are computed stays a value.
"""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.facts.assigned import attribute
from gatekeeper.source.facts.serial import TYPE
from gatekeeper.source.words import ENUMS

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatekeeper.source.facts.bindings import Definition
    from gatekeeper.source.facts.serial import Serialiser
    from gatekeeper.source.rows import Value

_TUPLE = ["name", "typing.NamedTuple"]
_ANY = ["name", "typing.Any"]
_QUIET = frozenset({"module", "qualname"})
_MOST = 1_000


class Made(NamedTuple):
    """What a call makes: the base that gives the class its nature, ``[name, annotation, default]`` of each field."""

    base: Value
    fields: list[list[Value]]
    keywords: dict[str, Value]
    decorators: list[Value]

    def members(self, line: int) -> dict[str, Value]:
        """The members that the fields are."""
        return {name: [["", attribute(annotation, value, line)]] for name, annotation, value in self.fields}

    def lines(self, line: int) -> list[Value]:
        """The fields as the facts of a class have them."""
        return [[*field, line] for field in self.fields]


def made_class(call: ast.Call, writer: Serialiser) -> Definition | None:
    """The facts of the class that a call makes; None where the call makes none, or one that cannot be read."""
    found = made(call, writer)
    if found is None:
        return None
    return {
        "k": "class",
        "line": call.lineno,
        "bases": [] if found.base is None else [found.base],
        "keywords": found.keywords,
        "decorators": found.decorators,
        "type_params": [],
        "members": found.members(call.lineno),
        "inst": {},
        "fields": found.lines(call.lineno),
        "made": True,
        "refs": sorted(writer.refs),
    }


def made(call: ast.Call, writer: Serialiser) -> Made | None:
    """What the call makes, where that is written out."""
    if len(call.args) < 2:  # noqa: PLR2004 (a name, and what it is made of)
        return None
    callee = writer.write(call.func)
    path = callee[1] if isinstance(callee, list) and callee[0] == "name" else ""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    reader = _ENUM if path in ENUMS else _READERS.get(path)
    if reader is None or None in given or any(isinstance(item, ast.Starred) for item in call.args):
        return None
    found = reader(call, {str(name): value for name, value in given.items()}, writer)
    if found is None or len(found.fields) > _MOST:
        return None
    names = [name for name, *_ in found.fields]
    return found if len(set(names)) == len(names) and all(map(str.isidentifier, names)) else None


def _words(node: ast.expr) -> list[str] | None:
    """The names in ``"a b"``, ``"a, b"`` or ``["a", "b"]``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.replace(",", " ").split()
    if isinstance(node, ast.List | ast.Tuple):
        texts = [_text(item) for item in node.elts]
        return None if None in texts else [text for text in texts if text is not None]
    return None


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _pairs(node: ast.expr) -> list[tuple[str, ast.expr]] | None:
    """The names and values in ``{"a": x}`` or ``[("a", x)]``."""
    found: list[tuple[str | None, ast.expr]] = []
    if isinstance(node, ast.Dict):
        found = [
            (None if key is None else _text(key), value) for key, value in zip(node.keys, node.values, strict=True)
        ]
    elif isinstance(node, ast.List | ast.Tuple):
        for item in node.elts:
            if not isinstance(item, ast.Tuple | ast.List) or len(item.elts) != 2:  # noqa: PLR2004
                return None
            found.append((_text(item.elts[0]), item.elts[1]))
    else:
        return None
    return None if any(name is None for name, _ in found) else [(str(name), value) for name, value in found]


def _namedtuple(call: ast.Call, given: dict[str, ast.expr], writer: Serialiser) -> Made | None:
    names = _words(call.args[1])
    defaults = given.get("defaults")
    if names is None or len(call.args) > 2 or not set(given) <= {"defaults", "module"}:  # noqa: PLR2004
        return None
    if defaults is not None and not isinstance(defaults, ast.Tuple | ast.List):
        return None
    values = [] if defaults is None else [writer.write(item) for item in defaults.elts]
    padded = [None] * (len(names) - len(values)) + values
    if len(padded) != len(names):
        return None
    return Made(_TUPLE, [[name, None, value] for name, value in zip(names, padded, strict=True)], {}, [])


def _typed_tuple(call: ast.Call, given: dict[str, ast.expr], writer: Serialiser) -> Made | None:
    pairs = _pairs(call.args[1])
    if pairs is None or given:
        return None
    return Made(_TUPLE, [[name, writer.write(node, TYPE), None] for name, node in pairs], {}, [])


def _typed_dict(call: ast.Call, given: dict[str, ast.expr], writer: Serialiser) -> Made | None:
    pairs = _pairs(call.args[1])
    if pairs is None or not isinstance(call.args[1], ast.Dict) or not set(given) <= {"total", "closed"}:
        return None
    fields = [[name, writer.write(node, TYPE), None] for name, node in pairs]
    keywords = {name: writer.write(value) for name, value in given.items()}
    return Made(["name", "typing.TypedDict"], fields, keywords, [])


def _enum(call: ast.Call, given: dict[str, ast.expr], writer: Serialiser) -> Made | None:
    if not set(given) <= _QUIET or len(call.args) > 2:  # noqa: PLR2004
        return None
    base = writer.write(call.func)
    names = _words(call.args[1])
    if names is not None:
        fields = [[name, None, _automatic(base[1], place, name)] for place, name in enumerate(names)]
        return Made(base, fields, {}, [])
    pairs = _pairs(call.args[1])
    return None if pairs is None else Made(base, [[name, None, writer.write(node)] for name, node in pairs], {}, [])


def _automatic(path: str, place: int, name: str) -> Value:
    """The value that a member gets for its place: 1, 2, 3; 1, 2, 4 in flags; its name in lower case in a StrEnum."""
    if path.endswith("StrEnum"):
        return ["str", name.lower()]
    return ["int", str(1 << place if path.endswith("Flag") and place < _MOST else place + 1)]


def _dataclass(call: ast.Call, given: dict[str, ast.expr], writer: Serialiser) -> Made | None:
    items = call.args[1]
    if not isinstance(items, ast.List | ast.Tuple) or len(call.args) > 2 or {"namespace", "bases"} & set(given):  # noqa: PLR2004
        return None
    fields: list[list[Value]] = []
    for item in items.elts:
        parts = item.elts if isinstance(item, ast.Tuple | ast.List) else [item]
        name = _text(parts[0]) if 0 < len(parts) <= 3 else None  # noqa: PLR2004
        if name is None:
            return None
        annotation = writer.write(parts[1], TYPE) if len(parts) > 1 else _ANY
        fields.append([name, annotation, writer.write(parts[2]) if len(parts) > 2 else None])  # noqa: PLR2004
    options = {name: writer.write(value) for name, value in given.items() if name not in _QUIET}
    made_by = ["Call", {"func": ["name", "dataclasses.dataclass"], "args": [], "keywords": options}]
    return Made(None, fields, {}, [made_by])


_ENUM = _enum
_READERS: dict[str, Callable[[ast.Call, dict[str, ast.expr], Serialiser], Made | None]] = {
    "collections.namedtuple": _namedtuple,
    "typing.NamedTuple": _typed_tuple,
    "typing.TypedDict": _typed_dict,
    "dataclasses.make_dataclass": _dataclass,
}
