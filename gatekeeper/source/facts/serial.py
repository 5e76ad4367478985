"""Expressions as canonical values, by structure: never the text of ``ast.unparse`` or ``ast.dump``.

Those change between interpreters, and inside their patch releases; what is made here is the same on all of them, and
after any formatter. Names are followed to their origin through the module's own imports and definitions, so that
``t.Optional``, ``Optional`` and ``typing.Optional`` are one name. The shapes are listed in
:mod:`gatekeeper.source.rows`.
"""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.structure import SKIPPED, constant, structure_hash
from gatekeeper.source.rows import canonical, ordered, union
from gatekeeper.source.words import ABSTRACT, FULL_CALLS, GENERIC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, ClassVar

    from gatekeeper.source.facts.scope import Scope
    from gatekeeper.source.rows import Value

_DEPTH = 150
_NODES = 20_000
_QUOTED = 2_000

_RENAMED = ("typing", "builtins.")

FULL, BRIEF, TYPE = 0, 1, 2
"""How to read an expression: all of it; as the value of a constant (calls by their callee); as an annotation."""


class _TooLarge(Exception):
    """The expression is deeper or larger than may be written out."""


class Serialiser:
    """Writes expressions of one scope; ``refs`` gathers the dotted names it wrote, for the link step."""

    __slots__ = ("_depth", "_locals", "_mode", "_nodes", "refs", "scope")

    def __init__(self, scope: Scope, refs: set[str]) -> None:
        self.scope = scope
        self.refs = refs
        self._nodes = 0
        self._depth = 0
        self._mode = FULL
        self._locals: tuple[str, ...] = ()

    def within(self, table: dict[str, Value]) -> Serialiser:
        """A serialiser of an inner scope that gathers into the same ``refs``."""
        return Serialiser(self.scope.inside(table), self.refs) if table else self

    def write(self, node: ast.expr | None, mode: int = FULL) -> Value:
        """The value of an expression; None for an absent one; ``{"opaque": hash}`` beyond the budgets."""
        if node is None:
            return None
        self._mode = mode
        self._locals = ()
        if type(node) is ast.Name:
            return self._dotted(self.scope.find(node.id))
        self._nodes = self._depth = 0
        try:
            return self._any(node)
        except _TooLarge:
            return {"opaque": structure_hash([node])}

    def _any(self, node: ast.AST) -> Value:
        self._nodes += 1
        if self._depth >= _DEPTH or self._nodes > _NODES:
            raise _TooLarge
        # Nothing is put back when _TooLarge passes: it ends the whole expression, and the next one starts afresh.
        self._depth += 1
        handler = self._HANDLERS.get(type(node))
        value = self._fields(node) if handler is None else handler(self, node)
        self._depth -= 1
        return value

    def _in(self, mode: int, node: ast.AST) -> Value:
        before, self._mode = self._mode, mode
        value = self._any(node)
        self._mode = before
        return value

    def _fields(self, node: ast.AST) -> Value:
        if self._mode == BRIEF and type(node).__name__ not in _WRITTEN:
            return ["expr", type(node).__name__]
        fields: dict[str, Value] = {}
        for name in node._fields:
            value = getattr(node, name, None)
            if value is None or value == [] or name in SKIPPED:
                continue
            if isinstance(value, list):
                fields[name] = [None if item is None else self._any(item) for item in value]
            else:
                fields[name] = self._any(value) if isinstance(value, ast.AST) else value
        return [type(node).__name__, fields] if fields else type(node).__name__

    def _name(self, node: ast.Name) -> Value:
        if node.id in self._locals:
            return ["local", node.id]
        return self._dotted(self.scope.find(node.id))

    def _dotted(self, path: Value) -> Value:
        if not isinstance(path, str):
            return path
        if "." in path:
            if path.startswith(_RENAMED):
                path = _typing(path, generic=self._mode == TYPE)
            if "." in path:
                self.refs.add(path)
        return ["name", path]

    def _attribute(self, node: ast.Attribute) -> Value:
        names = [node.attr]
        root: ast.expr = node.value
        while isinstance(root, ast.Attribute):
            names.append(root.attr)
            root = root.value
            if len(names) > _DEPTH:
                raise _TooLarge
        if isinstance(root, ast.Name) and root.id not in self._locals:
            path = self.scope.find(root.id)
            if isinstance(path, str):
                self._nodes += len(names)
                return self._dotted(".".join((path, *reversed(names))))
        return ["Attribute", {"value": self._any(node.value), "attr": node.attr}]

    def _constant(self, node: ast.Constant) -> Value:
        if self._mode == TYPE and isinstance(node.value, str) and _is_plain(node, node.value):
            quoted = _parse_quoted(node.value)
            if quoted is not None:
                return self._any(quoted)
        return constant(node.value)

    def _unary(self, node: ast.UnaryOp) -> Value:
        operand = node.operand
        if isinstance(operand, ast.Constant) and type(operand.value) in {int, float, complex}:
            if isinstance(node.op, ast.USub):
                return constant(-operand.value)  # type: ignore[operator]
            if isinstance(node.op, ast.UAdd):
                return constant(operand.value)
        return self._fields(node)

    def _binary(self, node: ast.BinOp) -> Value:
        if self._mode == TYPE and isinstance(node.op, ast.BitOr):
            members: list[ast.expr] = []
            left: ast.expr = node
            while isinstance(left, ast.BinOp) and isinstance(left.op, ast.BitOr):
                members.append(left.right)
                left = left.left
            return self._union([left, *members])
        return self._fields(node)

    def _union(self, members: Iterable[ast.expr]) -> Value:
        return union([self._any(member) for member in members])

    def _subscript(self, node: ast.Subscript) -> Value:
        if self._mode != TYPE:
            return self._fields(node)
        base = self._any(node.value)
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        path = base[1] if isinstance(base, list) and base[0] == "name" else ""
        if path == "typing.Optional":
            return union([self._any(node.slice), ["none"]])
        if path == "typing.Union":
            return self._union(items)
        if path == "typing.Literal":
            return ["literal", ordered(self._in(FULL, item) for item in items)]
        if path == "typing.Annotated" and items:
            return ["annotated", self._any(items[0]), [self._in(FULL, item) for item in items[1:]]]
        return ["sub", base, [self._any(item) for item in items]]

    def _list_in_type(self, node: ast.List) -> Value:
        if self._mode == TYPE:
            return ["List", [self._any(item) for item in node.elts]]
        return self._fields(node)

    def _set(self, node: ast.Set) -> Value:
        return ["Set", ordered(self._any(item) for item in node.elts)]

    def _dict(self, node: ast.Dict) -> Value:
        """A dictionary equals another whatever the order of their keys; where they may collide the last one wins."""
        if not node.keys or not all(isinstance(key, ast.Constant) for key in node.keys):
            return self._fields(node)
        pairs = {
            canonical(written := self._any(key)): (written, self._any(value))  # type: ignore[arg-type]
            for key, value in zip(node.keys, node.values, strict=True)
        }
        if len(pairs) < len(node.keys):
            return self._fields(node)
        keys, values = zip(*(pairs[text] for text in sorted(pairs)), strict=True)
        return ["Dict", {"keys": list(keys), "values": list(values)}]

    def _call(self, node: ast.Call) -> Value:
        callee = self._in(FULL, node.func)
        if self._mode == BRIEF and not is_full_call(callee):
            return ["call", callee]
        keywords: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self._in(FULL, keyword.value)
            if keyword.arg is None:
                keywords.setdefault("**", []).append(value)
            else:
                keywords[keyword.arg] = value
        return ["Call", {"func": callee, "args": [self._in(FULL, item) for item in node.args], "keywords": keywords}]

    def _lambda(self, node: ast.Lambda) -> Value:
        if self._mode == BRIEF:
            return ["expr", "Lambda"]
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        return self._shadowing([item.arg for item in every if item is not None], node)

    def _comprehension(self, node: ast.expr) -> Value:
        if self._mode == BRIEF:
            return ["expr", type(node).__name__]
        names: list[str] = []
        for generator in node.generators:  # type: ignore[attr-defined]
            names.extend(item.id for item in ast.walk(generator.target) if isinstance(item, ast.Name))
        return self._shadowing(names, node)

    def _shadowing(self, names: list[str], node: ast.AST) -> Value:
        before = self._locals
        # A chain of lambdas with many parameters each must not build tables of quadratic size.
        if len(before) + len(names) > _NODES // 20:
            raise _TooLarge
        self._locals = (*before, *names)
        value = self._fields(node)
        self._locals = before
        return value

    def _joined(self, node: ast.JoinedStr) -> Value:
        parts: list[Value] = []
        for item in node.values:
            # Interpreters differ in how they cut the literal text of an f-string.
            if isinstance(item, ast.Constant) and isinstance(item.value, str):
                if parts and parts[-1][0] == "text":
                    parts[-1] = ["text", parts[-1][1] + item.value]
                elif item.value:
                    parts.append(["text", item.value])
            else:
                parts.append(self._any(item))
        return ["JoinedStr", parts]

    def _formatted(self, node: ast.FormattedValue) -> Value:
        spec = None if node.format_spec is None else self._any(node.format_spec)
        spec = None if spec == ["JoinedStr", []] else spec
        return ["FormattedValue", self._any(node.value), node.conversion, spec]

    _HANDLERS: ClassVar[dict[type, Callable[[Serialiser, Any], Value]]] = {
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Constant: _constant,
        ast.UnaryOp: _unary,
        ast.BinOp: _binary,
        ast.Subscript: _subscript,
        ast.List: _list_in_type,
        ast.Set: _set,
        ast.Dict: _dict,
        ast.Call: _call,
        ast.Lambda: _lambda,
        ast.ListComp: _comprehension,
        ast.SetComp: _comprehension,
        ast.DictComp: _comprehension,
        ast.GeneratorExp: _comprehension,
        ast.JoinedStr: _joined,
        ast.FormattedValue: _formatted,
    }


def _typing(path: str, *, generic: bool) -> str:
    """The one name of what ``typing`` has under several; in an annotation, that of the class that it stands for."""
    if path.startswith("typing_extensions."):
        path = "typing." + path[len("typing_extensions.") :]
    if generic:
        path = GENERIC.get(path, path)
        if path.startswith("typing.") and path[7:] in ABSTRACT:
            return "collections.abc." + path[7:]
    return path


def is_full_call(callee: Value) -> bool:
    """Whether a call of this defines what the name *is* (a type, a partial), so that its arguments are surface."""
    return isinstance(callee, list) and callee[0] == "name" and callee[1] in FULL_CALLS


def _is_plain(node: ast.Constant, text: str) -> bool:
    """Whether a string is written with every character that it has, between single quotes or double ones.

    A name that is spelled with escapes, or in pieces, is not one that a search for the name would find.
    """
    if len(text) > _QUOTED or node.end_lineno != node.lineno or node.end_col_offset is None:
        return False
    return node.end_col_offset - node.col_offset == len(text.encode("utf-8", "surrogatepass")) + 2


def _parse_quoted(text: str) -> ast.expr | None:
    """The expression in a quoted annotation, or None when it is none.

    Short text only, and never a long chain of dots: it was a string to the checks made before the file was parsed.
    """
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_WRITTEN = frozenset(
    {
        "Attribute", "BinOp", "BoolOp", "Compare", "Constant", "Dict", "FormattedValue", "JoinedStr", "List", "Name",
        "Set", "Slice", "Starred", "Subscript", "Tuple", "UnaryOp",
        "Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow", "MatMult", "LShift", "RShift", "BitOr", "BitXor",
        "BitAnd", "And", "Or", "Not", "Invert", "UAdd", "USub", "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot",
        "In", "NotIn",
    }
)  # fmt: skip
