"""Values of the contract as text for people and for guards: close to Python, stable, never parsed again."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.rows import canonical

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatekeeper.source.rows import Value

_SYMBOLS = {
    "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**", "MatMult": "@",
    "LShift": "<<", "RShift": ">>", "BitOr": "|", "BitXor": "^", "BitAnd": "&", "And": " and ", "Or": " or ",
    "Not": "not ", "Invert": "~", "UAdd": "+", "USub": "-", "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=",
    "Gt": ">", "GtE": ">=", "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
}  # fmt: skip

_EMPTY = {"List": "[]", "Tuple": "()", "Dict": "{}"}


def show(value: Value) -> str:
    """The text of a value; what has no plain spelling is shown as canonical JSON, what is opaque as its hash."""
    if value is None:
        return ""
    if isinstance(value, str):
        return _EMPTY.get(value, value)
    if isinstance(value, dict) and "opaque" in value:
        return "<opaque " + str(value["opaque"])[:12] + ">"
    if isinstance(value, list) and value and isinstance(value[0], str):
        shown = _SHOWN.get(value[0])
        return canonical(value) if shown is None else shown(value)
    return canonical(value)


def _items(values: list[Value]) -> str:
    return ", ".join(show(value) for value in values)


def _number(value: Value) -> str:
    return float.fromhex(value[1]).__repr__()


def _bytes(value: Value) -> str:
    return repr(value[1].encode("latin-1"))


def _call(value: Value) -> str:
    fields = value[1]
    words = [f"{name}={show(item)}" for name, item in sorted(fields["keywords"].items()) if name != "**"]
    words += [f"**{show(item)}" for item in fields["keywords"].get("**", ())]
    return f"{show(fields['func'])}({', '.join([*map(show, fields['args']), *words])})"


def _binary(value: Value) -> str:
    fields = value[1]
    return f"({show(fields['left'])} {_SYMBOLS[fields['op']]} {show(fields['right'])})"


def _compare(value: Value) -> str:
    fields = value[1]
    text: str = show(fields["left"])
    for op, right in zip(fields["ops"], fields["comparators"], strict=True):
        text += f" {_SYMBOLS[op]} {show(right)}"
    return text


def _boolean(value: Value) -> str:
    return "(" + _SYMBOLS[value[1]["op"]].join(show(item) for item in value[1]["values"]) + ")"


def _elements(value: Value) -> list[Value]:
    if len(value) < 2:  # noqa: PLR2004 (a node and its fields)
        return []
    return value[1]["elts"] if isinstance(value[1], dict) else value[1]  # type: ignore[no-any-return]


def _tuple(value: Value) -> str:
    items = _elements(value)
    return f"({_items(items)},)" if len(items) == 1 else f"({_items(items)})"


def _dict(value: Value) -> str:
    pairs = zip(value[1]["keys"], value[1]["values"], strict=True)
    return "{" + ", ".join(f"{show(key)}: {show(item)}" if key else f"**{show(item)}" for key, item in pairs) + "}"


def _steps(value: Value) -> str:
    start = show(value[1]) or "..."
    return start + "".join(f", {_SYMBOLS.get(op, op)}= {show(item)}" for op, item in value[2:])


_SHOWN: dict[str, Callable[[Value], str]] = {
    "none": lambda _: "None",
    "...": lambda _: "...",
    "bool": lambda value: str(value[1]),
    "int": lambda value: str(value[1]),
    "float": _number,
    "complex": lambda value: f"complex({float.fromhex(value[1][0])!r}, {float.fromhex(value[1][1])!r})",
    "str": lambda value: canonical(value[1]),
    "bytes": _bytes,
    "name": lambda value: str(value[1]),
    "type": lambda value: str(value[1]),
    "local": lambda value: str(value[1]),
    "union": lambda value: " | ".join(show(item) for item in value[1]),
    "literal": lambda value: f"Literal[{_items(value[1])}]",
    "annotated": lambda value: f"Annotated[{_items([value[1], *value[2]])}]",
    "sub": lambda value: f"{show(value[1])}[{_items(value[2])}]",
    "private": lambda value: str(value[1]),
    "call": lambda value: f"{show(value[1])}(...)",
    "expr": lambda value: f"<{value[1]}>",
    "Call": _call,
    "steps": _steps,
    "BinOp": _binary,
    "Compare": _compare,
    "BoolOp": _boolean,
    "UnaryOp": lambda value: _SYMBOLS[value[1]["op"]] + show(value[1]["operand"]),
    "Attribute": lambda value: f"{show(value[1]['value'])}.{value[1]['attr']}",
    "Subscript": lambda value: f"{show(value[1]['value'])}[{show(value[1]['slice'])}]",
    "Starred": lambda value: f"*{show(value[1]['value'])}",
    "Tuple": _tuple,
    "List": lambda value: f"[{_items(_elements(value))}]",
    "Set": lambda value: "{" + _items(value[1]) + "}",
    "Dict": _dict,
}
